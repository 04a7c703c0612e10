//go:build !js

package command_test

import (
	"math/rand/v2"
	"testing"
)

func TestRandomListHistoriesTakeTheMemoryThatRealServersTake(t *testing.T) {
	if testing.Short() {
		t.Skip("live servers in the long run only")
	}
	rivals(t, func(t *testing.T, r *rival) {
		if !r.exact {
			t.Skip("glibc's chunks depend on the process's past")
		}
		for round := range 15 {
			gen := &listGen{rand.New(rand.NewPCG(9, uint64(round))), []int{100, 1000, 3000, 8192, 9000, 16378}}
			h := history{{"SET", "string", "x"}}
			for range 150 {
				h = append(h, gen.command())
			}
			r.conf = map[string]string{"list-max-listpack-size": gen.pick("-2", "-1", "5")}
			if round == 0 { // the first errors of each kind make the server's statistics grow
				r.used(t, r.dial, h)
			}
			if want, got := r.used(t, r.dial, h); want != got {
				t.Errorf("round %d: used_memory grew by %d, simulated by %d", round, want, got)
			}
		}
	})
}
