package stream_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/engine/release"
	"github.com/keyloupe/keyloupe/engine/stream"
)

var servers = []string{"7.2.7", "7.2.7@libc", "8.0.1", "8.0.10", "8.1.0", "8.1.8@distro", "9.0.0@libc", "9.0.6", "9.1.2", "9.1.2@managed"}

var usual = stream.Config{NodeMaxBytes: 4096, NodeMaxEntries: 100}

func fields(s ...string) (out [][]byte) {
	for _, x := range s {
		out = append(out, []byte(x))
	}
	return out
}

func newStream(server string) (*heap.Heap, stream.Stream) {
	h := heap.New(release.MustParse(server))
	return h, stream.Open(h, stream.New(h))
}

func TestTheFirstEntryTakesWhatRealServersTold(t *testing.T) {
	// MEMORY USAGE of a 16-byte key with one entry, less what is not the value's; valkey-memory 6.4
	for server, usage := range map[string]int{"7.2.7": 4744 - 48, "8.0.1": 4736 - 40, "8.1.1": 4272, "8.1.8": 4296 - 40 + 16, "9.1.2": 4296 - 40 + 16} {
		_, s := newStream(server)
		if err := s.Append(stream.ID{Ms: 1, Seq: 1}, fields("f", "v"), usual); err != nil {
			t.Fatal(err)
		}
		if got := s.Usage(16, math.MaxInt); got != usage {
			t.Errorf("%s: usage %d, real servers say %d", server, got, usage)
		}
	}
}

func TestAFullNodeGivesBackTheRoomItWasMadeWith(t *testing.T) {
	h, s := newStream("9.1.2")
	for i := range 100 {
		s.Append(stream.ID{Ms: uint64(i + 1)}, fields("f", "v"), usual)
	}
	before := h.Used()
	s.Append(stream.ID{Ms: 1000}, fields("f", "v"), usual)
	if s.Nodes() != 2 {
		t.Fatalf("%d nodes", s.Nodes())
	}
	if grew := h.Used() - before; grew >= 4096 {
		t.Errorf("a second node made the stream %d bytes larger: the first one was not shrunk", grew)
	}
}

// model is a stream as a list.
type model struct {
	ids     []stream.ID
	fields  map[stream.ID]string
	last    stream.ID
	added   int
	deleted stream.ID
}

func (m *model) first() stream.ID {
	if len(m.ids) == 0 {
		return stream.ID{}
	}
	return m.ids[0]
}

func (m *model) check(t *testing.T, server string, s stream.Stream) {
	t.Helper()
	if int(s.Len()) != len(m.ids) || s.FirstID() != m.first() || s.LastID() != m.last || int(s.Added()) != m.added || s.MaxDeletedID() != m.deleted {
		t.Fatalf("%s: length %d, first %v, last %v, added %d, deleted %v; the model: %d, %v, %v, %d, %v", server,
			s.Len(), s.FirstID(), s.LastID(), s.Added(), s.MaxDeletedID(), len(m.ids), m.first(), m.last, m.added, m.deleted)
	}
	for _, rev := range []bool{false, true} {
		it := s.Range(stream.MinID, stream.MaxID, rev)
		for i := range m.ids {
			want := m.ids[i]
			if rev {
				want = m.ids[len(m.ids)-1-i]
			}
			if !it.Next() || it.ID() != want {
				t.Fatalf("%s: entry %d is %v, the model has %v", server, i, it.ID(), want)
			}
			if got := text(it); got != m.fields[want] {
				t.Fatalf("%s: entry %v is %q, the model has %q", server, want, got, m.fields[want])
			}
		}
		for range 2 { // the end stays the end
			if it.Next() {
				t.Fatalf("%s: an entry too many, %v", server, it.ID())
			}
		}
	}
}

func text(it *stream.Iter) string {
	var parts []string
	for range it.Fields() {
		f, v := it.Field()
		parts = append(parts, string(f)+"="+string(v))
	}
	return strings.Join(parts, " ")
}

func (m *model) remove(id stream.ID) bool {
	for i, x := range m.ids {
		if x == id {
			m.ids = append(m.ids[:i:i], m.ids[i+1:]...)
			return true
		}
	}
	return false
}

func TestARandomStreamIsItsModelAndLeavesNothingBehind(t *testing.T) {
	for n, server := range servers {
		rnd := rand.New(rand.NewPCG(3, uint64(n)))
		h, s := newStream(server)
		m := &model{fields: map[stream.ID]string{}}
		cfg := stream.Config{NodeMaxBytes: []int64{4096, 0, 200}[rnd.IntN(3)], NodeMaxEntries: []int64{0, 7, 100}[rnd.IntN(3)]}
		for range 1500 {
			m.step(t, rnd, s, cfg)
			if rnd.IntN(20) == 0 {
				m.check(t, server, s)
				covered(t, server, h, s)
			}
		}
		m.check(t, server, s)
		d := stream.Open(h, stream.Dup(h, s.Ptr()))
		stream.Free(h, s.Ptr())
		m.check(t, server, d)
		stream.Free(h, d.Ptr())
		if h.Used() != 0 || h.Blocks() != 0 {
			t.Errorf("%s: %d bytes in %d blocks are left", server, h.Used(), h.Blocks())
		}
	}
}

// step does something at random to stream and model.
func (m *model) step(t *testing.T, rnd *rand.Rand, s stream.Stream, cfg stream.Config) {
	t.Helper()
	some := func() stream.ID { return stream.ID{Ms: m.last.Ms - uint64(rnd.IntN(int(min(m.last.Ms, 60))+1))} }
	switch rnd.IntN(12) {
	default:
		id := stream.ID{Ms: m.last.Ms + uint64(rnd.IntN(3)), Seq: uint64(rnd.IntN(3))}
		var f []string
		for i := range 1 + rnd.IntN(3) {
			f = append(f, fmt.Sprint("f", i*rnd.IntN(2)), strings.Repeat("v", rnd.IntN(40))+fmt.Sprint(rnd.IntN(200)))
		}
		err := s.Append(id, fields(f...), cfg)
		if ok := id.Compare(m.last) > 0; ok != (err == nil) {
			t.Fatalf("append %v after %v: %v", id, m.last, err)
		} else if ok {
			m.ids, m.last = append(m.ids, id), id
			m.added++
			var parts []string
			for i := 0; i < len(f); i += 2 {
				parts = append(parts, f[i]+"="+f[i+1])
			}
			m.fields[id] = strings.Join(parts, " ")
		}
	case 0, 1:
		id := some()
		there := m.remove(id)
		if n := s.Delete([]stream.ID{id}); (n == 1) != there {
			t.Fatalf("delete %v: %d, the model says %v", id, n, there)
		}
		if there && id.Compare(m.deleted) > 0 {
			m.deleted = id
		}
	case 2:
		tr := stream.Trim{MaxLen: uint64(max(0, len(m.ids)-rnd.IntN(5)))}
		if tr.ByID = rnd.IntN(2) == 0; tr.ByID {
			tr.MinID = some()
		}
		n := s.Trim(tr)
		for range n {
			if first := m.ids[0]; tr.ByID && first.Compare(tr.MinID) >= 0 {
				t.Fatalf("trim %+v removed %v", tr, first)
			}
			m.ids = m.ids[1:]
		}
		if tr.ByID && len(m.ids) > 0 && m.ids[0].Compare(tr.MinID) < 0 || !tr.ByID && len(m.ids) > int(tr.MaxLen) {
			t.Fatalf("trim %+v removed only %d", tr, n)
		}
	}
}

// covered checks that the picture shows every block of the heap, and every byte of them once.
func covered(t *testing.T, server string, h *heap.Heap, s stream.Stream) {
	t.Helper()
	var pic layout.Picture
	s.Picture(&pic, "value")
	if pic.Total() != h.Used() || len(pic.Blocks) != h.Blocks() {
		t.Fatalf("%s: the picture has %d bytes in %d blocks, the heap %d in %d", server, pic.Total(), len(pic.Blocks), h.Used(), h.Blocks())
	}
	for _, k := range pic.Blocks {
		at := 0
		for _, f := range k.Fields {
			if f.Bits > 0 && f.Bit > 0 {
				continue
			}
			if f.Off != at {
				t.Fatalf("%s, %s: field %s begins at %d, not at %d", server, k.Name, f.Name, f.Off, at)
			}
			at += f.Len
		}
		if at != k.Size {
			t.Fatalf("%s, %s: fields end at %d of %d", server, k.Name, at, k.Size)
		}
	}
}

func TestGroupsShareTheirPendingEntriesWithConsumers(t *testing.T) {
	for _, server := range servers {
		h, s := newStream(server)
		empty := h.Used()
		for i := range 40 {
			s.Append(stream.ID{Ms: uint64(i + 1)}, fields("f", "v"), usual)
		}
		g, ok := s.CreateGroup([]byte("g"), stream.ID{}, 0)
		if _, twice := s.CreateGroup([]byte("g"), stream.ID{}, 0); !ok || twice {
			t.Fatal("groups are made once")
		}
		a, _ := g.CreateConsumer([]byte("alice"), 5)
		b, _ := g.CreateConsumer([]byte("bob"), 5)
		for it := s.Range(stream.MinID, stream.MaxID, false); it.Next(); {
			s.Advance(g, it.ID())
			g.Deliver(it.ID(), a, 6)
		}
		if lag, ok := s.Lag(g); lag != 0 || !ok || g.Read() != 40 {
			t.Errorf("%s: lag %d, read %d", server, lag, g.Read())
		}
		g.Deliver(stream.ID{Ms: 7}, b, 9) // changes hands
		if a.Pending() != 39 || b.Pending() != 1 || g.Pending() != 40 {
			t.Errorf("%s: %d, %d and %d are pending", server, a.Pending(), b.Pending(), g.Pending())
		}
		if !g.Drop(stream.ID{Ms: 7}) || g.Drop(stream.ID{Ms: 7}) || b.Pending() != 0 {
			t.Errorf("%s: an acknowledged entry is still pending", server)
		}
		covered(t, server, h, s)
		g.DeleteConsumer(a)
		if g.Pending() != 0 || g.Consumers() != 1 {
			t.Errorf("%s: %d entries are pending, %d consumers left", server, g.Pending(), g.Consumers())
		}
		s.DestroyGroup([]byte("g"))
		s.DestroyGroup([]byte("none"))
		if s.Groups() != 0 {
			t.Errorf("%s: %d groups are left", server, s.Groups())
		}
		s.Trim(stream.Trim{})
		if h.Used() < empty || s.Nodes() != 0 {
			t.Errorf("%s: %d nodes are left", server, s.Nodes())
		}
		stream.Free(h, s.Ptr())
		if h.Used() != 0 {
			t.Errorf("%s: %d bytes are left", server, h.Used())
		}
	}
}

func TestTheLagMindsTombstonesSinceTheReleaseThatFixedIt(t *testing.T) {
	for server, known := range map[string]bool{"7.2.7": true, "8.0.1": true, "8.0.3": false, "8.1.0": true, "8.1.1": false, "9.1.2": false} {
		_, s := newStream(server)
		for i := range 5 {
			s.Append(stream.ID{Ms: uint64(i + 1)}, fields("f", "v"), usual)
		}
		g, _ := s.CreateGroup([]byte("g"), stream.ID{Ms: 1}, 1)
		s.Delete([]stream.ID{{Ms: 2}})
		s.Trim(stream.Trim{ByID: true, MinID: stream.ID{Ms: 3}})
		// the tombstone, 2, lies before the first entry, 3, but after what the group has read
		if _, ok := s.Lag(g); ok != known {
			t.Errorf("%s: the lag is known: %v", server, ok)
		}
	}
}

func TestIdsAreReadAsTheServerReadsThem(t *testing.T) {
	const most = math.MaxUint64
	auto := false
	for _, c := range []struct {
		text    string
		strict  bool
		missing uint64
		want    stream.ID
		ok      bool
	}{
		{"5-7", true, 0, stream.ID{Ms: 5, Seq: 7}, true},
		{"5", true, 0, stream.ID{Ms: 5}, true},
		{"5", true, most, stream.ID{Ms: 5, Seq: most}, true},
		{"-", false, 0, stream.MinID, true},
		{"+", false, 0, stream.MaxID, true},
		{"-", true, 0, stream.ID{}, false},
		{"+", true, 0, stream.ID{}, false},
		{"18446744073709551615-18446744073709551615", true, 0, stream.MaxID, true},
		{"18446744073709551616-0", true, 0, stream.ID{}, false},
		{"", true, 0, stream.ID{}, false},
		{"5-", true, 0, stream.ID{}, false},
		{"-5", true, 0, stream.ID{}, false},
		{"5-6-7", true, 0, stream.ID{}, false},
		{"5-x", true, 0, stream.ID{}, false},
		{" 5-+6", true, 0, stream.ID{Ms: 5, Seq: 6}, true},
		{"007-01", true, 0, stream.ID{Ms: 7, Seq: 1}, true},
		{"5--6", true, 0, stream.ID{}, false},
		{"5--0", true, 0, stream.ID{Ms: 5}, true},
		{"5- -1", true, 0, stream.ID{Ms: 5, Seq: most}, true},
		{"5-*", true, 0, stream.ID{}, false},
		{"5-7\x00junk", true, 0, stream.ID{Ms: 5, Seq: 7}, true},
		{strings.Repeat("0", 126) + "5", true, 0, stream.ID{Ms: 5}, true},
		{strings.Repeat("0", 127) + "5", true, 0, stream.ID{}, false},
	} {
		id, ok := stream.ParseID([]byte(c.text), c.missing, c.strict, nil)
		if ok != c.ok || ok && id != c.want {
			t.Errorf("%q: %v, %v", c.text, id, ok)
		}
	}
	if id, ok := stream.ParseID([]byte("5-*"), 0, true, &auto); !ok || !auto || id != (stream.ID{Ms: 5}) {
		t.Errorf("5-*: %v, %v, auto %v", id, ok, auto)
	}
}

func TestIdsHaveNeighboursButAtTheEnds(t *testing.T) {
	if id, ok := (stream.ID{Ms: 5, Seq: math.MaxUint64}).Next(); !ok || id != (stream.ID{Ms: 6}) {
		t.Errorf("next: %v, %v", id, ok)
	}
	if _, ok := stream.MaxID.Next(); ok {
		t.Error("the greatest id has a next one")
	}
	if id, ok := (stream.ID{Ms: 5}).Prev(); !ok || id != (stream.ID{Ms: 4, Seq: math.MaxUint64}) {
		t.Errorf("previous: %v, %v", id, ok)
	}
	if _, ok := stream.MinID.Prev(); ok {
		t.Error("the least id has a previous one")
	}
}

func FuzzParseID(f *testing.F) {
	for _, s := range []string{"1-2", "+", "-", "1-*", " 1--0", "\x00"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		id, ok := stream.ParseID(b, 0, false, nil)
		if again, k := stream.ParseID([]byte(id.String()), 0, true, nil); ok && (!k || again != id) {
			t.Errorf("%q is %v, and that is %v", b, id, again)
		}
	})
}
