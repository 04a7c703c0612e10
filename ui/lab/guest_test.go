package lab

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/engine/keyspace"
	"github.com/keyloupe/keyloupe/ui/wire"
)

// crowd is servers with a clock, as a front has them.
type crowd struct {
	now     int64
	servers []*engine.Server
}

func newCrowd(t testing.TB, names ...string) *crowd {
	t.Helper()
	c := &crowd{now: 1_800_000_000_000_000}
	for _, n := range names {
		s, err := engine.NewServer(n, engine.Options{Clock: func() int64 { return c.now }})
		if err != nil {
			t.Fatal(err)
		}
		c.servers = append(c.servers, s)
	}
	return c
}

func (c *crowd) do(line string) {
	for _, s := range c.servers {
		s.Do(strings.Fields(line)...)
	}
}

func (c *crowd) visit() *Guest {
	a := Access{With: func(do func()) { do() }, Wake: func() {}}
	for _, s := range c.servers {
		a.Base = append(a.Base, s.Used())
	}
	return Visit(c.servers, a)
}

// traffic is random commands that make tables grow, move and shrink.
func traffic(r *rand.Rand) string {
	key := func(kind string) string { return fmt.Sprintf("%s:%d", kind, r.IntN(4)) }
	word := func() string { return fmt.Sprintf("w%d", r.IntN(400)) }
	forms := []func() string{
		func() string { return fmt.Sprintf("SET s:%d %s", r.IntN(2000), strings.Repeat("v", r.IntN(120))) },
		func() string { return fmt.Sprintf("SET s:%d v EX %d", r.IntN(2000), 1+r.IntN(50)) },
		func() string { return fmt.Sprintf("DEL s:%d", r.IntN(2000)) },
		func() string { return fmt.Sprintf("EXPIRE s:%d %d", r.IntN(2000), r.IntN(90)) },
		func() string { return "HSET " + key("h") + " " + word() + " " + strings.Repeat("x", r.IntN(80)) },
		func() string { return "HDEL " + key("h") + " " + word() },
		func() string { return "HEXPIRE " + key("h") + " 100 FIELDS 1 " + word() },
		func() string { return "SADD " + key("set") + " " + word() + " " + word() },
		func() string { return "SREM " + key("set") + " " + word() },
		func() string { return "ZADD " + key("z") + " 1 " + word() },
		func() string { return "ZREM " + key("z") + " " + word() },
		func() string { return "RPUSH " + key("l") + " " + strings.Repeat("e", r.IntN(3000)) },
		func() string { return "LPOP " + key("l") },
		func() string { return "XADD " + key("x") + " * f " + word() },
		func() string { return fmt.Sprintf("GET s:%d", r.IntN(2000)) },
	}
	return forms[r.IntN(len(forms))]()
}

// state is everything that looking might change: sizes, tables, the bytes behind every key.
func stateOf(s *engine.Server) (out []any) {
	out = append(out, s.Used(), s.Stats.Commands, len(s.Clients), s.Space.Stats)
	for _, kind := range []string{keyspace.KeysTable, keyspace.ExpiresTable, keyspace.VolatileTable} {
		if d, ok := s.Client.DB.Dict(kind); ok {
			out = append(out, d.RehashAt(), d.Used(0), d.Used(1), d.Size(0), d.Size(1))
			continue
		}
		for array := range 2 {
			v, _ := s.Table(kind, array, 0, 1<<20, "")
			out = append(out, v)
		}
	}
	s.EachKey(0, func(key []byte) {
		p, err := s.Layout(string(key))
		out = append(out, p, err)
	})
	return out
}

func TestLookingLeavesNoTrace(t *testing.T) {
	names := []string{"7.2.14", "8.0.10", "8.1.9", "9.0.6", "9.1.2"}
	seen, alone := newCrowd(t, names...), newCrowd(t, names...)
	g := seen.visit()
	r := rand.New(rand.NewPCG(6, 7))
	for n := range 3000 {
		line := traffic(r)
		for _, c := range []*crowd{seen, alone} {
			c.now += 20_000
			c.do(line)
			if n%5 == 0 {
				for _, s := range c.servers {
					s.Tick()
				}
			}
		}
		lookAtAll(t, g, r, n)
	}
	for i, s := range seen.servers {
		if got, want := stateOf(s), stateOf(alone.servers[i]); !reflect.DeepEqual(got, want) {
			for j := range min(len(got), len(want)) {
				if !reflect.DeepEqual(got[j], want[j]) {
					t.Fatalf("%s was changed by looking: %+v, alone it is %+v", s, got[j], want[j])
				}
			}
			t.Fatalf("%s was changed by looking", s)
		}
	}
}

// lookAtAll asks for what a page asks for.
func lookAtAll(t *testing.T, g *Guest, r *rand.Rand, n int) {
	t.Helper()
	requests := []wire.Request{
		{Inspect: &wire.Inspect{Key: fmt.Appendf(nil, "%s:%d", []string{"s", "h", "set", "z", "l", "x"}[r.IntN(6)], r.IntN(4))}},
		{Table: &wire.Table{Server: r.IntN(5), Kind: []string{keyspace.KeysTable, keyspace.ExpiresTable}[r.IntN(2)], Count: 64, Open: 0, Key: fmt.Appendf(nil, "s:%d", r.IntN(2000))}},
	}
	if n%50 == 0 {
		requests = append(requests, wire.Request{Keys: &wire.Keys{Count: 40, Sort: []string{"", "size"}[r.IntN(2)], Search: []string{"", "s:1*", "z"}[r.IntN(3)]}},
			wire.Request{Complete: &wire.Complete{Prefix: []byte("s:1"), Limit: 10}}, wire.Request{Budget: &wire.Budget{Key: 10, Value: 10}})
	}
	for _, q := range requests {
		if out := g.Handle(q); out.Error != "" {
			t.Fatal(out.Error)
		}
	}
	g.Pulse()
	g.Look()
}

func TestALabThatLooksOnListsWhatIsThere(t *testing.T) {
	c := newCrowd(t, "8.1.9", "9.1.2")
	g := c.visit()
	c.do("SET a 1")
	c.do("HSETEX only EX 10 FIELDS 1 f v") // 8.1 does not know it
	list := func(q wire.Keys) (names []string, out *wire.Listed) {
		q.Count = 10
		out = g.Handle(wire.Request{Keys: &q}).Listed
		for _, r := range out.Rows {
			names = append(names, string(r.Name))
		}
		return names, out
	}
	names, out := list(wire.Keys{Find: []byte("only")})
	if strings.Join(names, " ") != "a only" || out.At != 1 || out.Part != 0 || out.Rows[1].Sizes[0] != -1 || out.Rows[1].Sizes[1] <= 0 {
		t.Errorf("%q %+v", names, out)
	}
	c.do("SET a " + strings.Repeat("x", 500))
	c.do("SET b 1")
	if names, _ := list(wire.Keys{Sort: "size"}); names[0] != "a" || len(names) != 3 {
		t.Errorf("by size: %q", names)
	}
	if names, out := list(wire.Keys{Search: "ONL", Find: []byte("a")}); len(names) != 1 || out.At != -1 {
		t.Errorf("a search: %q %+v", names, out)
	}
	c.do("FLUSHALL")
	if names, out := list(wire.Keys{}); len(names) != 0 || out.All[0].Keys != 0 {
		t.Errorf("after FLUSHALL: %q", names)
	}
}

// BenchmarkLookAtAMillionKeys is one refresh of the key list while keys are added.
func BenchmarkLookAtAMillionKeys(b *testing.B) {
	c := newCrowd(b, "9.0.6", "9.1.2")
	g := c.visit()
	for n := range 1_000_000 {
		c.do(fmt.Sprintf("SET key:%012d vvvvvvvvvvvvvvvv", n))
	}
	for name, search := range map[string]string{"list": "", "search": "*99999"} {
		b.Run(name, func(b *testing.B) {
			for n := 0; b.Loop(); n++ {
				c.do(fmt.Sprintf("SET more:%d x", n))
				g.Handle(wire.Request{Keys: &wire.Keys{Count: 40, Search: search}})
			}
		})
	}
}
