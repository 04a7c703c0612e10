//go:build !js

package command_test

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/internal/livediff"
	rs "github.com/keyloupe/keyloupe/internal/realserver"
)

// A history is a list of commands given to a real server and to the simulated one.
type history [][]string

// rival is a real server and the same one simulated.
type rival struct {
	t      *testing.T
	server *rs.Server
	real   *rs.Client
	dial   func() *rs.Client
	name   string
	exact  bool // sizes are deterministic: jemalloc
	proto  int
	conf   map[string]string

	heights bool // the key just asked for is a skiplist, whose size is random: DEBUG HTSTATS-KEY tells
}

// rivals starts the servers of livediff, with jemalloc preloaded where that is possible.
func rivals(t *testing.T, f func(t *testing.T, r *rival)) {
	livediff.Each(t, func(t *testing.T, g livediff.Target) {
		f(t, &rival{t: t, name: g.Name, exact: g.Sizes, proto: 2, server: g.Real, dial: g.Real.Dial, real: g.Real.Dial()})
	})
}

// differ runs a history on both and describes the first difference, "" if there is none.
func (r *rival) differ(h history) string {
	r.real.Do("FLUSHALL", "SYNC")
	r.real.Do("HELLO", strconv.Itoa(r.proto))
	sim, err := engine.NewServer(r.name, engine.Options{Clock: func() int64 { return time.Now().UnixMicro() }, Config: r.conf})
	if err != nil {
		r.t.Fatal(err)
	}
	for k, v := range r.conf {
		r.real.Do("CONFIG", "SET", k, v)
	}
	sim.Client.Proto = r.proto
	for i, cmd := range h {
		for _, probe := range append([][]string{cmd}, probes(cmd)...) {
			want, got := mask(probe, r.real.Do(probe...)), mask(probe, r.ask(sim, probe))
			if !r.equal(probe, want, got) {
				return fmt.Sprintf("command %d %.200q, %.100q:\n  server    %.600v\n  simulated %.600v", i, cmd, probe, show(want), show(got))
			}
		}
	}
	return ""
}

func show(v any) string { return fmt.Sprintf("%#v", v) }

// ask gives the simulated server a command and reads its reply as the protocol has it.
func (r *rival) ask(s *engine.Server, cmd []string) any {
	args := make([][]byte, len(cmd))
	for i, a := range cmd {
		args[i] = []byte(a)
	}
	s.Client.Buf = s.Client.Buf[:0]
	s.Client.Do(args)
	for s.Client.Blocked() { // until its time is up
		time.Sleep(time.Millisecond)
		s.Tick()
	}
	return parseReply(s.Client.Buf)
}

func parseReply(b []byte) any {
	v, err := rs.ReadReply(bufio.NewReader(bytes.NewReader(b)))
	if err != nil {
		return fmt.Sprintf("no reply: %v in %q", err, b)
	}
	return v
}

// equal compares. Where the allocator is glibc's, a chunk may be a recycled one and 16 bytes larger,
// which also changes when a string grows next: sizes are then left to the other servers.
func (r *rival) equal(cmd []string, want, got any) bool {
	if cmd[0] == "OBJECT" {
		r.heights = got == rs.Bulk("skiplist")
	}
	if w, ok := want.(rs.Int); ok && r.heights && cmd[0] == "MEMORY" {
		g, ok := got.(rs.Int)
		return ok && w > g/2 && g > w/2
	}
	if _, ok := want.(rs.Int); ok && !r.exact && cmd[0] == "MEMORY" {
		_, ok := got.(rs.Int)
		return ok
	}
	return reflect.DeepEqual(want, got)
}

// probes asks for the encoding and size of the keys a command may have changed.
func probes(cmd []string) (out [][]string) {
	for _, k := range cmd[1:] {
		if len(k) > 0 && len(k) < 20 && strings.HasPrefix(k, "key") {
			out = append(out, []string{"OBJECT", "ENCODING", k}, []string{"MEMORY", "USAGE", k, "SAMPLES", "0"}, []string{"MEMORY", "USAGE", k}, []string{"DEBUG", "HTSTATS-KEY", k, "full"})
		}
	}
	return out
}

const maskFrom = 1_500_000_000_000 // numbers from here on are times, ms

// mask replaces what depends on the clock.
func mask(cmd []string, v any) any {
	name := strings.ToUpper(cmd[0])
	if a, ok := v.(rs.Array); ok && name == "XPENDING" && len(cmd) > 3 {
		for _, e := range a {
			if e, ok := e.(rs.Array); ok && len(e) == 4 {
				e[2] = rs.Int(0)
			}
		}
	}
	return maskTimes(v)
}

func maskTimes(v any) any {
	switch v := v.(type) {
	case rs.Int:
		if v > maskFrom {
			return rs.Status("time")
		}
	case rs.Array:
		for i := range v {
			if i > 0 && idle(v[i-1]) && v[i] != rs.Int(-1) {
				v[i] = rs.Status("time")
			}
			v[i] = maskTimes(v[i])
		}
	case rs.Map:
		for i, p := range v {
			if idle(p.Key) && p.Value != rs.Int(-1) {
				p.Value = rs.Status("time")
			}
			v[i].Value = maskTimes(p.Value)
		}
	}
	return v
}

func idle(v any) bool { return v == rs.Bulk("idle") || v == rs.Bulk("inactive") }

// shrink takes commands out of a failing history while it still fails.
func (r *rival) shrink(h history) (history, string) {
	msg := r.differ(h)
	for size := max(len(h)/2, 1); size >= 1; size /= 2 {
		for i := 0; i+size <= len(h); {
			shorter := append(append(history{}, h[:i]...), h[i+size:]...)
			if m := r.differ(shorter); m != "" {
				h, msg = shorter, m
			} else {
				i += size
			}
		}
	}
	return h, msg
}

// fuzz runs random histories; KEYLOUPE_ROUNDS and KEYLOUPE_SEED ask for more and for others.
func fuzz(t *testing.T, rounds, length int, make func(rnd *rand.Rand, n int) (history, map[string]string)) {
	if testing.Short() {
		t.Skip("live servers in the long run only")
	}
	if n, err := strconv.Atoi(os.Getenv("KEYLOUPE_ROUNDS")); err == nil {
		rounds = n
	}
	seed, _ := strconv.ParseUint(os.Getenv("KEYLOUPE_SEED"), 10, 64)
	rivals(t, func(t *testing.T, r *rival) {
		for round := range rounds {
			h, conf := make(rand.New(rand.NewPCG(seed, uint64(round))), length)
			r.proto, r.conf = 2+round%2, conf
			if msg := r.differ(h); msg != "" {
				short, m := r.shrink(h)
				t.Fatalf("round %d, RESP%d, %v: %s\nshortest history:\n%s\n%s", round, r.proto, conf, msg, short, m)
			}
		}
	})
}

func (h history) String() string {
	var s strings.Builder
	for _, c := range h {
		fmt.Fprintf(&s, "  %.80q\n", c)
	}
	return s.String()
}

func pick(rnd *rand.Rand, list ...string) string { return list[rnd.IntN(len(list))] }
