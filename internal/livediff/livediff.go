//go:build !js

// Package livediff gives a real server and a simulated one the same random histories of commands,
// and shrinks a history in which they differ to its shortest form.
//
//	random history ─┬─ real server       ─ replies, OBJECT ENCODING, MEMORY USAGE ─┬─ equal?
//	                └─ simulated server  ─ the same, asked the same way            ─┘
//
// Replies are compared as bytes. Sizes are compared where a server's allocator is deterministic: the
// distribution's jemalloc preloaded (build distro). On the static 9.0.0, whose glibc malloc can't be
// replaced, a chunk may be 16 bytes larger than a fresh one, so sizes are left to the golden data.
package livediff

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/engine/release"
	"github.com/keyloupe/keyloupe/internal/realserver"
)

// Target is a real server, and the name of the simulated one that must equal it.
type Target struct {
	Real  *realserver.Server
	Name  string
	Sizes bool
}

// Each runs a test against every pinned server, each started with the given flags. The environment variable
// KEYLOUPE_TARGETS names others in their place, NAME=PROGRAM each, as "8.1.1=/usr/bin/valkey-server 9.0.0@distro=/tmp/v9":
// programs whose allocator is that of the named build.
func Each(t *testing.T, test func(t *testing.T, g Target), flags ...string) {
	if named := os.Getenv("KEYLOUPE_TARGETS"); named != "" {
		for _, target := range strings.Fields(named) {
			name, program, _ := strings.Cut(target, "=")
			t.Run(name, func(t *testing.T) { test(t, built(t, name, program, flags)) })
		}
		return
	}
	for _, v := range realserver.Versions() {
		t.Run(v.Number, func(t *testing.T) { test(t, pinned(t, v, flags)) })
	}
}

func pinned(t *testing.T, v realserver.Version, flags []string) Target {
	g := Target{Name: v.Number + "@libc"}
	opts := []realserver.Option{realserver.FixedSeed(), realserver.Flags(flags...)}
	if v.Static {
		opts = append(opts, realserver.Env("GLIBC_TUNABLES=glibc.malloc.tcache_count=60000"))
	} else {
		g.Name, g.Sizes = v.Number+"@distro", true
		opts = append(opts, realserver.Distro())
	}
	g.Real = realserver.Start(t, v, opts...)
	return g
}

func built(t *testing.T, name, program string, flags []string) Target {
	r, err := release.Parse(name)
	if err != nil {
		t.Fatalf("KEYLOUPE_TARGETS: %v", err)
	}
	v := realserver.Version{Number: r.Version, Line: r.Line.String()}
	return Target{Name: name, Sizes: r.Build.Name != "libc",
		Real: realserver.Start(t, v, realserver.Binary(program), realserver.FixedSeed(), realserver.Flags(flags...))}
}

// History is commands in order, each its arguments. The argument Soon stands for a time, Unix ms, that
// comes while the history is under way: the command Wait waits for it.
type History [][]string

// What may stand in a History beside commands and plain arguments.
const (
	Soon = "@soon"
	Wait = "@wait"

	soon = 150 * time.Millisecond // how far off it is at first
)

// timed tells whether the history has a time that comes.
func (h History) timed() bool {
	for _, cmd := range h {
		if slices.Contains(cmd, Soon) {
			return true
		}
	}
	return false
}

// at is the history with a time in the place of Soon.
func (h History) at(ms int64) History {
	out := make(History, len(h))
	for i, cmd := range h {
		out[i] = slices.Clone(cmd)
		for j, a := range cmd {
			if a == Soon {
				out[i][j] = strconv.FormatInt(ms, 10)
			}
		}
	}
	return out
}

// Options of Random.
type Options struct {
	Seed     uint64
	Rounds   int               // histories
	Config   map[string]string // directives, set on both servers
	Equal    func(cmd []string, real, simulated []byte) bool
	Unsized  func(cmd []string) bool // commands after which sizes are not compared
	Again    int                     // what differs must differ that many times again: the real server's cron may come in between
	Begin    History                 // given before each history that is compared with Used, and never left out
	Used     bool                    // compare what the history adds to used_memory too; see used
	Start    func(s *engine.Server)  // given each simulated server when it starts
	Generate func(r *rand.Rand) History
}

// Random compares random histories until one differs, and reports that one shrunk. The environment
// variable KEYLOUPE_SEED takes another seed, KEYLOUPE_ROUNDS another number.
func (g Target) Random(t *testing.T, o Options) {
	t.Helper()
	if s, err := strconv.ParseUint(os.Getenv("KEYLOUPE_SEED"), 10, 64); err == nil {
		o.Seed = s
	}
	if n, err := strconv.Atoi(os.Getenv("KEYLOUPE_ROUNDS")); err == nil {
		o.Rounds = n
	}
	for name, value := range o.Config {
		if r := g.Real.Do("CONFIG", "SET", name, value); fmt.Sprint(r) != "OK" {
			t.Fatalf("CONFIG SET %s %s: %v", name, value, r)
		}
	}
	commands := 0
	for round := range o.Rounds {
		h := o.Generate(rand.New(rand.NewPCG(o.Seed, uint64(round))))
		commands += len(h)
		if d := g.differs(h, &o); d != nil {
			h, d = g.shrink(h[:d.at+1], d, &o)
			t.Fatalf("seed %d, round %d: %s\n%s", o.Seed, round, d, h)
		}
	}
	t.Logf("%s: %d commands in %d histories, 0 differ", g.Name, commands, o.Rounds)
}

// Compare compares one history.
func (g Target) Compare(t *testing.T, h History, o Options) {
	t.Helper()
	if d := g.compare(h, &o); d != nil {
		short, left := g.shrink(h[:d.at+1], d, &o) // what the server keeps over FLUSHALL can shorten it too much
		t.Errorf("%s\nshortest: %s\n%s", d, left, short)
	}
}

// CompareLines compares each line, its words split at blanks, behind the same beginning.
func (g Target) CompareLines(t *testing.T, begin History, lines []string) {
	t.Helper()
	for _, line := range lines {
		if d := g.compare(append(begin[:len(begin):len(begin)], strings.Fields(line)), &Options{}); d != nil {
			t.Error(d)
		}
	}
}

// difference is where two servers part.
type difference struct {
	at              int
	what            string
	real, simulated []byte
}

func (d *difference) String() string {
	i := 0
	for i < len(d.real) && i < len(d.simulated) && d.real[i] == d.simulated[i] {
		i++
	}
	from := max(0, i-40)
	return fmt.Sprintf("command %d, %s\nreal      %.200q\nsimulated %.200q", d.at+1, d.what, d.real[from:], d.simulated[from:])
}

func (h History) String() string {
	var s strings.Builder
	for i, cmd := range h {
		fmt.Fprintf(&s, "%4d ", i+1)
		for _, a := range cmd {
			if len(a) > 40 && strings.Count(a, a[:1]) == len(a) {
				fmt.Fprintf(&s, " ~%c*%d", a[0], len(a))
			} else {
				fmt.Fprintf(&s, " %.80q", a)
			}
		}
		s.WriteByte('\n')
	}
	return s.String()
}

// question is what is asked about a command: itself, or the size of a key it names.
type question struct {
	at   int
	args []string
}

// batch bounds how many questions are sent before replies are read, so that neither side's buffers
// fill up.
const batch = 64

// differs is compare as often as the options want it.
func (g Target) differs(h History, o *Options) *difference {
	d := g.compare(h, o)
	for range o.Again {
		if d == nil {
			break
		}
		d = g.compare(h, o)
	}
	return d
}

// compare gives both servers a history, from empty. A time that comes is far enough off for all that
// is before the wait for it to be asked in time; where the machine was too slow it is tried again.
func (g Target) compare(h History, o *Options) *difference {
	if !h.timed() {
		d, _ := g.run(h, o, 0)
		return d
	}
	for off := soon; ; off *= 2 {
		if d, inTime := g.run(h, o, off); inTime {
			return d
		}
	}
}

// run is compare with the time that comes so far off; inTime is false where it came too early.
func (g Target) run(h History, o *Options, off time.Duration) (d *difference, inTime bool) {
	start := time.Now()
	now, comes := start, start.Add(off).UnixMilli()
	eo := engine.Options{Config: o.Config}
	if off > 0 {
		eo.Clock = func() int64 { return now.UnixMicro() }
		h = h.at(comes)
	}
	s, err := engine.NewServer(g.Name, eo)
	if err != nil {
		panic(err)
	}
	if o.Start != nil {
		o.Start(s)
	}
	if o.Used {
		return g.runUsed(s, h, o), true
	}
	g.Real.Do("RESET") // an earlier history may have ended in a transaction
	g.Real.Do("FLUSHALL", "SYNC")
	var q []question
	for i, cmd := range h {
		if cmd[0] != Wait {
			q = append(q, g.questions(s, i, cmd, o)...)
			continue
		}
		d := g.ask(g.Real.Client(), s, q, o)
		q = nil
		if time.Now().UnixMilli() >= comes {
			return nil, false
		}
		if d != nil {
			return d, true
		}
		for now.UnixMilli() <= comes {
			time.Sleep(time.Until(time.UnixMilli(comes + 1)))
			now = time.Now()
		}
	}
	d = g.ask(g.Real.Client(), s, q, o)
	return d, off == 0 || now.UnixMilli() > comes || time.Now().UnixMilli() < comes
}

// questions are a command and what is asked about it.
func (g Target) questions(s *engine.Server, i int, cmd []string, o *Options) []question {
	q := []question{{i, cmd}}
	if o.Unsized != nil && o.Unsized(cmd) {
		return q
	}
	for _, k := range s.KeysOf(argv(cmd)) {
		q = append(q, question{i, []string{"OBJECT", "ENCODING", string(k)}})
		if g.Sizes {
			q = append(q, question{i, []string{"MEMORY", "USAGE", string(k), "SAMPLES", "0"}}, question{i, []string{"MEMORY", "USAGE", string(k)}})
		}
	}
	return q
}

// ask asks both servers and tells the first difference.
func (g Target) ask(c *realserver.Client, s *engine.Server, q []question, o *Options) *difference {
	for len(q) > 0 {
		n := min(batch, len(q))
		for _, x := range q[:n] {
			c.Send(x.args...)
		}
		if err := c.Flush(); err != nil {
			panic(err)
		}
		var found *difference
		for _, x := range q[:n] {
			real, err := c.ReceiveRaw()
			if err != nil {
				panic(fmt.Errorf("%v: %w\n%s", x.args, err, g.Real.Log()))
			}
			if found == nil { // the other replies must still be read
				found = answer(s, x, real, o)
			}
		}
		if found != nil {
			return found
		}
		q = q[n:]
	}
	return nil
}

func argv(cmd []string) [][]byte {
	b := make([][]byte, len(cmd))
	for i, a := range cmd {
		b[i] = []byte(a)
	}
	return b
}

// answer asks the simulated server and tells the difference, nil if there is none.
func answer(s *engine.Server, x question, real []byte, o *Options) (d *difference) {
	real = bytes.Clone(real)
	defer func() {
		if p := recover(); p != nil {
			d = &difference{x.at, fmt.Sprintf("%.100q: the simulator failed: %v", x.args, p), real, nil}
		}
	}()
	s.Client.Buf = s.Client.Buf[:0]
	s.Client.Do(argv(x.args))
	got := s.Client.Buf
	if bytes.Equal(real, got) || o.Equal != nil && o.Equal(x.args, real, got) {
		return nil
	}
	return &difference{x.at, fmt.Sprintf("%.100q", x.args), real, bytes.Clone(got)}
}

// shrink leaves out commands as long as the servers still differ.
func (g Target) shrink(h History, d *difference, o *Options) (History, *difference) {
	for size := len(h) / 2; size > 0; {
		again := false
		for from := 0; from+size <= len(h); {
			shorter := append(append(History{}, h[:from]...), h[from+size:]...)
			if e := g.differs(shorter, o); e != nil {
				h, d, again = shorter[:e.at+1], e, true
			} else {
				from += size
			}
		}
		if !again || size > 1 {
			size /= 2
		}
	}
	return h, d
}
