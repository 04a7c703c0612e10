//go:build !js

package command_test

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/keyloupe/keyloupe/engine"
	rs "github.com/keyloupe/keyloupe/internal/realserver"
)

// settled is the server's used_memory once it reads the same several times in a row.
func settled(observer *rs.Client) (n int64) {
	for same := 0; same < 3; {
		m := usedMemory(observer)
		if m == n {
			same++
		} else {
			n, same = m, 0
		}
	}
	return n
}

func usedMemory(c *rs.Client) int64 {
	_, rest, _ := strings.Cut(string(c.Do("INFO", "memory").(rs.Bulk)), "\r\nused_memory:")
	digits, _, _ := strings.Cut(rest, "\r\n")
	n, _ := strconv.ParseInt(digits, 10, 64)
	return n
}

// used compares what a history adds to used_memory. A client of its own, whose buffers come and go,
// gives the commands; one that only reads INFO stays connected.
func (r *rival) used(t *testing.T, dial func() *rs.Client, h history) (want, got int64) {
	for _, c := range [][]string{{"CONFIG", "SET", "latency-tracking", "no"}, {"CONFIG", "SET", "slowlog-log-slower-than", "-1"},
		{"DEBUG", "REPLYBUFFER", "RESIZING", "0"}, {"FLUSHALL", "SYNC"}} {
		r.real.Do(c...)
	}
	for k, v := range r.conf {
		r.real.Do("CONFIG", "SET", k, v)
	}
	sim, err := engine.NewServer(r.name, engine.Options{Clock: func() int64 { return time.Now().UnixMicro() }, Config: r.conf})
	if err != nil {
		t.Fatal(err)
	}
	// FLUSHALL leaves the tables' structs: both begin with a key
	give := func(h history) {
		c := dial()
		for _, cmd := range h {
			c.Do(cmd...)
			r.ask(sim, cmd)
		}
		c.Close()
	}
	give(history{{"SET", "first", "1"}})
	real0, sim0 := settled(r.real), sim.Used()
	give(h)
	return settled(r.real) - real0, sim.Used() - sim0
}

func TestRandomStreamHistoriesTakeTheMemoryThatRealServersTake(t *testing.T) {
	if testing.Short() {
		t.Skip("live servers in the long run only")
	}
	rivals(t, func(t *testing.T, r *rival) {
		if !r.exact {
			t.Skip("glibc's chunks depend on the process's past")
		}
		for round := range 15 {
			h, conf := streamHistory(rand.New(rand.NewPCG(9, uint64(round))), 150)
			r.conf = conf
			if round == 0 { // the first errors of each kind make the server's statistics grow
				r.used(t, r.dial, h)
			}
			if want, got := r.used(t, r.dial, h); want != got {
				t.Errorf("round %d: used_memory grew by %d, simulated by %d", round, want, got)
			}
		}
	})
}
