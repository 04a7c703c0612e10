package command_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/engine"
)

// KEYS over a table whose buckets a flush freed leaves it held: it grows, but what it had is never moved (8.1.1 to 9.1.2
// measured). A flush in the background makes new tables and so ends that.
func TestKeysInAFlushedDatabaseStopsTheMovesOfItsTable(t *testing.T) {
	for _, c := range []struct {
		server, flush string
		held          bool
	}{{"8.0.1", "SYNC", false}, {"8.1.1", "SYNC", true}, {"9.0.0", "SYNC", true}, {"9.1.2", "SYNC", true}, {"9.1.2", "ASYNC", false}} {
		s, err := engine.NewServer(c.server, engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s.Do("SET", "k", "v")
		s.Do("FLUSHALL", c.flush)
		s.Do("KEYS", "*")
		for i := range 9 {
			s.Do("SET", fmt.Sprint("key", i), "v")
		}
		for range 20 {
			s.Do("GET", "key1")
		}
		if held := strings.Contains(s.Do("DEBUG", "HTSTATS", "0").Reply.Str, "rehashing target"); held != c.held {
			t.Errorf("%s, FLUSHALL %s: a move is under way: %v, want %v", c.server, c.flush, held, c.held)
		}
		if !c.held {
			continue
		}
		if s.Space.DB(0).RehashSteps(1 << 20) {
			t.Errorf("%s: cron has something left to do on a table that is held", c.server)
		}
	}
}

// From 9.1 on DEBUG RELOAD flushes as a replica does before it loads: where that is lazy, which is the default, the tables
// of expiries go with the keys (9.1.2: 192 bytes less after it).
func TestReloadDropsTheTablesOfADatabaseWithKeys(t *testing.T) {
	for server, want := range map[string]int64{"9.0.0": 0, "9.1.2": -192} {
		s, err := engine.NewServer(server, engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s.Do("SET", "k", "v", "PXAT", "4102444800000")
		s.Do("HSETEX", "h", "PXAT", "4102444800000", "FIELDS", "1", "f", "v")
		s.Do("FLUSHALL", "SYNC")
		s.Do("SET", "a", "b")
		if got := s.Do("DEBUG", "RELOAD").Delta; got != want {
			t.Errorf("%s: DEBUG RELOAD changed used_memory by %d, want %d", server, got, want)
		}
	}
}
