//go:build !js

package command_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/engine/rdb"
)

func simulated(t testing.TB, name string, config map[string]string) *engine.Server {
	s, err := engine.NewServer(name, engine.Options{Config: config})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// ask executes a command, which may fail but not crash, and returns its reply as text.
func ask(t testing.TB, s *engine.Server, args ...string) string {
	t.Helper()
	e := s.Do(args...)
	if e.Crashed != "" {
		t.Fatalf("%.200q: the simulator failed: %s", args, e.Crashed)
	}
	if e.Reply.Str != "" {
		return e.Reply.Str
	}
	return fmt.Sprint(e.Reply)
}

var everyRelease = []string{"7.2.7", "8.0.1", "8.1.1", "8.1.8", "9.0.0", "9.1.0", "9.1.2", "9.1.2@libc"}

func TestADumpRestoredIsTheSameValueInEveryRelease(t *testing.T) {
	for _, name := range everyRelease {
		s := simulated(t, name, nil)
		r := rand.New(rand.NewPCG(7, 7))
		for round := range 300 {
			ask(t, s, valueCommand(r, name >= "9.0")...)
			k := dumpKey(r)
			d := ask(t, s, "DUMP", k)
			if s.Do("EXISTS", k).Reply.Int == 0 {
				continue
			}
			if v := ask(t, s, "RESTORE", "copy", "0", d); v != "OK" {
				t.Fatalf("%s, round %d, %s: %s", name, round, k, v)
			}
			if a, b := ask(t, s, "TYPE", k), ask(t, s, "TYPE", "copy"); a != b {
				t.Errorf("%s: %s became %s", name, a, b)
			}
			if got := sortedValue(t, s, "copy"); got != sortedValue(t, s, k) {
				t.Fatalf("%s, round %d, %s: the copy is another value", name, round, k)
			}
			if d := s.Do("DEBUG", "DIGEST-VALUE", k, "copy").Reply.Items; len(d) != 2 || d[0].Str != d[1].Str {
				t.Fatalf("%s, round %d, %s: digests %v", name, round, k, d)
			}
			ask(t, s, "DEL", "copy")
		}
		ask(t, s, "FLUSHALL", "ASYNC")
		if n := s.Used() - simulated(t, name, nil).Used(); n != 0 {
			t.Errorf("%s: %d bytes were left", name, n)
		}
	}
}

// sortedValue is what a value holds, in an order that no table decides.
func sortedValue(t testing.TB, s *engine.Server, k string) string {
	switch ask(t, s, "TYPE", k) {
	case "string":
		return ask(t, s, "GET", k)
	case "list":
		return fmt.Sprint(s.Do("LRANGE", k, "0", "-1").Reply)
	case "set":
		return fmt.Sprint(s.Do("SORT", k, "ALPHA").Reply)
	case "zset":
		return fmt.Sprint(s.Do("ZRANGE", k, "0", "-1", "WITHSCORES").Reply)
	case "hash":
		var out []string
		all := s.Do("HGETALL", k).Reply.Items
		for i := 0; i+1 < len(all); i += 2 {
			at := ""
			if s.Release.FieldTTL {
				at = fmt.Sprint(s.Do("HPEXPIRETIME", k, "FIELDS", "1", all[i].Str).Reply)
			}
			out = append(out, fmt.Sprintf("%q %q %s\n", all[i].Str, all[i+1].Str, at))
		}
		slices.Sort(out)
		return strings.Join(out, "")
	}
	return fmt.Sprint(s.Do("XRANGE", k, "-", "+").Reply, s.Do("XINFO", "STREAM", k, "FULL").Reply)
}

func TestAReloadKeepsEveryKeyInEveryRelease(t *testing.T) {
	for _, name := range everyRelease {
		s := simulated(t, name, nil)
		r := rand.New(rand.NewPCG(8, 8))
		for range 400 {
			ask(t, s, "SELECT", fmt.Sprint(r.IntN(3)))
			ask(t, s, valueCommand(r, name >= "9.0")...)
			if r.IntN(4) == 0 {
				ask(t, s, "PEXPIREAT", dumpKey(r), fmt.Sprint(farTime))
			}
		}
		state := func() string {
			var out strings.Builder
			for db := range 3 {
				ask(t, s, "SELECT", fmt.Sprint(db))
				for _, kind := range []string{"s", "l", "t", "z", "h", "x"} {
					for i := range 3 {
						k := fmt.Sprint(kind, ":", i)
						fmt.Fprintln(&out, db, k, ask(t, s, "PEXPIRETIME", k), sortedValue(t, s, k))
					}
				}
			}
			return out.String()
		}
		before := state()
		if v := ask(t, s, "DEBUG", "RELOAD"); v != "OK" {
			t.Fatal(name, v)
		}
		if state() != before {
			t.Errorf("%s: the data are others", name)
		}
		file := s.SaveRDB()
		other := simulated(t, name, nil)
		if n, err := other.LoadRDB(bytes.NewReader(file)); err != nil || n.Keys == 0 {
			t.Errorf("%s: %+v, %v", name, n, err)
		}
	}
}

func TestAFileThatIsRefusedChangesNothing(t *testing.T) {
	s := simulated(t, "9.1.2", nil)
	ask(t, s, "SET", "k", "v")
	file := s.SaveRDB()
	used := s.Used()
	for n := range file {
		if _, err := s.LoadRDB(bytes.NewReader(file[:n])); err == nil {
			t.Errorf("a file cut off at %d was taken", n)
		}
	}
	file[len(file)-1] ^= 1
	if _, err := s.LoadRDB(bytes.NewReader(file)); err == nil || !strings.Contains(err.Error(), "checksum") {
		t.Error(err)
	}
	if s.Used() != used || ask(t, s, "GET", "k") != "v" {
		t.Error("the data changed")
	}
}

func TestKeysAndFieldsThatExpiredAreLeftOutOfALoad(t *testing.T) {
	now := int64(1767225600_000_000)
	s, err := engine.NewServer("9.1.2", engine.Options{Clock: func() int64 { return now }})
	if err != nil {
		t.Fatal(err)
	}
	ask(t, s, "SET", "stays", "v")
	ask(t, s, "SET", "goes", "v", "PX", "10")
	ask(t, s, "HSETEX", "h", "PX", "10", "FIELDS", "1", "old", "v")
	ask(t, s, "HSET", "h", "young", "v")
	ask(t, s, "HSETEX", "all", "PX", "10", "FIELDS", "1", "old", "v")
	file := s.SaveRDB()
	now += 20_000
	n, err := s.LoadRDB(bytes.NewReader(file))
	if err != nil || n.Keys != 2 || n.Expired != 1 || n.ExpiredHashes != 1 {
		t.Errorf("%+v, %v", n, err)
	}
	if s.Do("HLEN", "h").Reply.Int != 1 {
		t.Error("the field is still there")
	}
}

// FuzzRestore restores anything, and looks for what crashes a server or leaves blocks behind.
func FuzzRestore(f *testing.F) {
	r := rand.New(rand.NewPCG(9, 9))
	for range 60 {
		p := payload(r)
		f.Add([]byte(p[:len(p)-10]), byte(r.Uint32()))
	}
	f.Fuzz(func(t *testing.T, body []byte, how byte) {
		name := everyRelease[int(how)%len(everyRelease)]
		limit := []string{"2", "128"}[how>>7]
		s := simulated(t, name, map[string]string{"hash-max-listpack-entries": limit, "zset-max-listpack-entries": limit,
			"set-max-listpack-entries": limit, "set-max-intset-entries": limit, "list-max-listpack-size": limit})
		before := s.Used()
		w := rdb.Writer{B: append([]byte(nil), body...)}
		w.Seal(11)
		if ask(t, s, "RESTORE", "k", "0", string(w.B)) != "OK" {
			if s.Used() != before {
				t.Errorf("%d bytes were left", s.Used()-before)
			}
			return
		}
		ask(t, s, "MEMORY", "USAGE", "k")
		sortedValue(t, s, "k")
		again := ask(t, s, "DUMP", "k")
		ask(t, s, "RESTORE", "copy", "0", again)
		if _, err := s.Layout("k"); err != nil {
			t.Error(err)
		}
		for _, cmd := range []string{"APPEND k x", "RPUSH k 1", "LPOP k", "LTRIM k 1 -2", "SADD k a 1", "SPOP k", "ZADD k 1 a", "ZPOPMIN k", "ZREM k a", "HSET k f v",
			"HDEL k f", "XADD k * f v", "XTRIM k MAXLEN 2", "XGROUP CREATE k new 0", "XREADGROUP GROUP new c STREAMS k >", "XAUTOCLAIM k new d 0 0", "COPY k copy2"} {
			ask(t, s, strings.Fields(cmd)...)
		}
		ask(t, s, "DEBUG", "RELOAD")
		ask(t, s, "FLUSHALL")
	})
}

func TestPayloadsOfFilesLoadIntoEveryNewerRelease(t *testing.T) {
	files, _ := filepath.Glob("../../testdata/golden/rdb/*.rdb")
	for _, path := range files {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range everyRelease {
			n, err := simulated(t, name, nil).LoadRDB(bytes.NewReader(b))
			version, _ := rdb.Version(b)
			if refused := version == rdb.FirstValkey && name < "9.0"; refused != (err != nil) || !refused && n.Keys == 0 {
				t.Errorf("%s in %s: %+v, %v", filepath.Base(path), name, n, err)
			}
		}
	}
}
