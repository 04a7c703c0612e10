package quicklist

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/engine/listpack"
	"github.com/keyloupe/keyloupe/engine/release"
)

func newHeap(t testing.TB, server string) *heap.Heap {
	t.Helper()
	r, err := release.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	return heap.New(r)
}

func TestTheOffsetsInTheCodeAreThoseOfTheTables(t *testing.T) {
	for _, c := range []struct {
		s    *layout.Struct
		name string
		off  int
	}{
		{&Struct, "head", oHead}, {&Struct, "tail", oTail}, {&Struct, "count", oCount}, {&Struct, "len", oLen}, {&Struct, "fill", oFill}, {&Struct, "compress", oCompress},
		{&Node, "prev", oPrev}, {&Node, "next", oNext}, {&Node, "entry", oEntry}, {&Node, "sz", oSz}, {&Node, "count", oBits},
	} {
		if got := c.s.Off(c.name); got != c.off {
			t.Errorf("%s.%s at %d, want %d", c.s.Name, c.name, got, c.off)
		}
	}
	b := make([]byte, NodeSize)
	Node.Field("encoding").Set(b, 1)
	Node.Field("container").Set(b, 2)
	if got := le.Uint32(b[oBits:]); got != raw|packed {
		t.Errorf("bits %#x, want %#x", got, raw|packed)
	}
}

func TestLimitsOfAFill(t *testing.T) {
	for _, c := range []struct {
		fill, size, count int
		want              bool
	}{
		{-1, 4096, 1e6, false}, {-1, 4097, 1, true}, {-2, 8192, 1, false}, {-2, 8193, 1, true}, {-5, 65536, 1, false}, {-5, 65537, 1, true}, {-9, 65536, 1, false},
		{3, 100, 3, false}, {3, 100, 4, true}, {3, 8193, 1, true}, {3, 8192, 1, false}, {0, 100, 1, false}, {0, 100, 2, true},
	} {
		if got := Exceeds(c.fill, c.size, c.count); got != c.want {
			t.Errorf("fill %d, %d bytes, %d elements: %v", c.fill, c.size, c.count, got)
		}
	}
}

func TestAPlainNodeIsMadeByTheLimitFromEightZeroOnAndNotBefore(t *testing.T) {
	big := []byte(strings.Repeat("x", 8193))
	for _, c := range []struct {
		server          string
		fill, threshold int
		n               int
		plain           bool
	}{
		{"7.2.7", -2, 0, 8193, false}, {"8.0.1", -2, 0, 8193, true}, {"9.1.2", -2, 0, 8193, true}, {"9.1.2", -2, 0, 8192, false},
		{"9.1.2", -3, 0, 8193, false}, {"9.1.2", 5, 0, 8193, true}, {"9.1.2", 5, 0, 8192, false}, {"9.1.2", -2, 10, 10, true}, {"7.2.7", -2, 10, 10, true}, {"9.1.2", -2, 10, 9, false},
	} {
		h := newHeap(t, c.server)
		l := New(h, c.fill, 0, c.threshold)
		l.Push(big[:c.n], false)
		if l.isPlain(l.head()) != c.plain {
			t.Errorf("%+v: plain is %v", c, !c.plain)
		}
		if c.plain && h.Used() != Size+NodeSize+h.Granted(c.n) {
			t.Errorf("%+v: %d bytes", c, h.Used())
		}
	}
}

// contents reads a list forwards and checks every link, count and size on the way.
func contents(t *testing.T, l List) (out []string) {
	t.Helper()
	var prev heap.Ptr
	nodes, count, used := 0, 0, Size
	var num [24]byte
	for n := l.head(); n != 0; n = l.next(n) {
		if l.prev(n) != prev {
			t.Fatal("a node's prev is not the node before it")
		}
		prev = n
		nodes++
		count += l.nodeCount(n)
		used += l.H.Usable(l.entry(n)) + l.H.Granted(NodeSize)
		if l.isPlain(n) {
			out = append(out, string(l.data(n)))
			continue
		}
		lp := listpack.Of(l.H, l.entry(n))
		if l.sz(n) != len(lp) || l.nodeCount(n) != listpack.Len(lp) || !listpack.Valid(l.H.Rel, lp, nil) || len(lp) == listpack.Empty {
			t.Fatalf("node %d: sz %d of %d, count %d of %d", nodes, l.sz(n), len(lp), l.nodeCount(n), listpack.Len(lp))
		}
		for at := listpack.First(lp); at != 0; at = listpack.Next(lp, at) {
			out = append(out, string(listpack.Get(lp, at, &num)))
		}
	}
	if l.tail() != prev || l.Nodes() != nodes || l.Count() != count || len(out) != count {
		t.Fatalf("tail, len %d of %d or count %d of %d wrong", l.Nodes(), nodes, l.Count(), count)
	}
	if got := l.H.Used() - l.H.Granted(Size) + Size; got != used {
		t.Fatalf("heap has %d bytes, the list's blocks %d", got, used)
	}
	return out
}

func randomText(rng *rand.Rand, long int) string {
	switch rng.IntN(6) {
	case 0:
		return fmt.Sprint(rng.IntN(100000) - 50000)
	case 1:
		return strings.Repeat("L", rng.IntN(long))
	}
	return strings.Repeat(string(rune('a'+rng.IntN(26))), rng.IntN(30))
}

func TestRandomHistoriesKeepTheList(t *testing.T) {
	for _, c := range []struct {
		server          string
		fill, threshold int
		long            int
	}{{"7.2.7", -1, 0, 5000}, {"9.1.2", -1, 0, 5000}, {"9.1.2", 4, 0, 40}, {"9.1.2", 4, 25, 40}, {"7.2.7", 4, 25, 40}, {"8.1.8@distro", 1, 20, 30}, {"9.0.0@libc", 2, 0, 9000}} {
		rng := rand.New(rand.NewPCG(3, 4))
		for range 40 {
			h := newHeap(t, c.server)
			l := New(h, c.fill, 0, c.threshold)
			var want []string
			for range 150 {
				want = randomStep(l, want, rng, c.long)
				if got := contents(t, l); !slices.Equal(got, want) {
					t.Fatalf("%+v: %.300q, want %.300q", c, got, want)
				}
			}
			checkReaders(t, l, want, rng)
			d := l.Dup()
			l.Free()
			if got := contents(t, d); !slices.Equal(got, want) {
				t.Fatalf("%+v: the copy differs", c)
			}
			d.Free()
			if h.Used() != 0 || h.Blocks() != 0 {
				t.Fatalf("%+v: %d bytes leaked", c, h.Used())
			}
		}
	}
}

func randomStep(l List, want []string, rng *rand.Rand, long int) []string {
	s := randomText(rng, long)
	n := len(want)
	op := rng.IntN(10)
	if n == 0 {
		op %= 2
	}
	i := 0
	if n > 0 {
		i = rng.IntN(n)
	}
	index := i
	if rng.IntN(2) == 0 {
		index = i - n
	}
	switch op {
	case 0, 9:
		l.Push([]byte(s), true)
		return append([]string{s}, want...)
	case 1, 8:
		l.Push([]byte(s), false)
		return append(want, s)
	case 2:
		l.DeleteLast(true)
		return want[1:]
	case 3:
		l.DeleteLast(false)
		return want[:n-1]
	case 4, 5:
		e, _ := l.At(index)
		l.Insert(&e, []byte(s), op == 4)
		return slices.Insert(slices.Clone(want), i+5-op, s)
	case 6:
		e, _ := l.At(index)
		l.Replace(&e, []byte(s))
		want = slices.Clone(want)
		want[i] = s
		return want
	}
	k := rng.IntN(6)
	l.DeleteRange(index, k)
	return slices.Delete(slices.Clone(want), i, min(n, i+k))
}

func checkReaders(t *testing.T, l List, want []string, rng *rand.Rand) {
	t.Helper()
	var num [24]byte
	var e Entry
	n := len(want)
	for range 20 {
		if n == 0 {
			break
		}
		i := rng.IntN(n)
		for _, back := range []bool{false, true} {
			index := i
			if back {
				index -= n
			}
			it, ok := l.Iterate(index, back)
			for j := i; j >= 0 && j < n; j += map[bool]int{false: 1, true: -1}[back] {
				if !ok || !it.Next(&e) || string(e.Bytes(&num)) != want[j] || !e.Equal([]byte(want[j])) || e.Equal([]byte("no")) {
					t.Fatalf("element %d from %d, back %v", j, index, back)
				}
			}
			if it.Next(&e) {
				t.Fatal("an iterator goes on past the end")
			}
		}
	}
	for _, i := range []int{n, -n - 1, 1 << 62, -1 << 63} {
		if _, ok := l.At(i); ok {
			t.Errorf("found element %d of %d", i, n)
		}
	}
}

func TestDeletingWhileIteratingVisitsEveryElementOnce(t *testing.T) {
	for _, back := range []bool{false, true} {
		for mask := range 1 << 9 {
			h := newHeap(t, "9.1.2")
			l := New(h, 3, 0, 8)
			var all, want, seen []string
			for i := range 9 {
				s := strings.Repeat(string(rune('a'+i)), 1+7*(i%4/3)) // each fourth one is plain
				l.Push([]byte(s), false)
				all = append(all, s)
				if mask>>i&1 == 0 {
					want = append(want, s)
				}
			}
			start := 0
			if back {
				start = -1
				slices.Reverse(all)
			}
			it, ok := l.Iterate(start, back)
			var e Entry
			for ok && it.Next(&e) {
				seen = append(seen, string(e.Text))
				if mask>>(e.Text[0]-'a')&1 == 1 {
					it.Delete(&e)
				}
			}
			if got := contents(t, l); !slices.Equal(seen, all) || !slices.Equal(got, want) {
				t.Fatalf("back %v, mask %b: visited %q, left %q, want %q", back, mask, seen, got, want)
			}
		}
	}
}

// MEMORY USAGE of 80 elements of 100 bytes is 8464 in 9.x: object 40, list 40, two nodes
// (valkey-memory.md 6.3).
func TestUsageIsTheAverageOfTheFirstNodes(t *testing.T) {
	h := newHeap(t, "9.1.2")
	l := New(h, -2, 0, 0)
	lp := listpack.New(h, 0)
	s := []byte(strings.Repeat("x", 100))
	for range 79 {
		lp = listpack.Append(h, lp, s)
	}
	l.AppendListpack(lp)
	l.Push(s, false)
	if got := l.Usage(40, 5); got != 8464 {
		t.Errorf("usage %d, want %d", got, 8464)
	}
	if got, want := l.Usage(0, 1), Size+2*(NodeSize+8192); got != want {
		t.Errorf("usage by one node %d, want %d", got, want)
	}
	for range 80 {
		l.Push(s, false)
	}
	if got, want := l.Usage(0, 2), 40+(40+8192+40+8192)/2*3; got != want {
		t.Errorf("usage by two nodes %d, want %d", got, want)
	}
}

func TestTheListpackOfTheOnlyNodeCanBeTakenOut(t *testing.T) {
	h := newHeap(t, "9.1.2")
	l := New(h, -2, 0, 0)
	l.Push([]byte("a"), false)
	if l.OnlyPacked() != listpack.Empty+listpack.SizeOf(h.Rel, []byte("a")) {
		t.Error("the size of the only node is wrong")
	}
	p := l.Take()
	if got := listpack.Bytes(listpack.Of(h, p)); got != 10 || h.Used() != 16 {
		t.Errorf("%d bytes, %d used", got, h.Used())
	}
	l = New(h, -2, 0, 1)
	l.Push([]byte("a"), false)
	if l.OnlyPacked() != -1 {
		t.Error("a plain node passes for a listpack")
	}
}

func TestThePictureFollowsEveryPointerAndCoversEveryByte(t *testing.T) {
	h := newHeap(t, "9.1.2@libc")
	l := New(h, 2, 1, 20)
	for i := range 7 {
		l.Push([]byte(strings.Repeat("e", 4*i)), false)
	}
	var pic layout.Picture
	l.Picture(&pic, "value")
	if pic.Total() != h.Used() {
		t.Errorf("picture %d bytes, heap %d", pic.Total(), h.Used())
	}
	names := map[string]uint64{}
	for _, b := range pic.Blocks {
		names[b.Name] = b.Addr
	}
	for _, b := range pic.Blocks {
		at := 0
		for _, f := range b.Fields {
			if f.Off > at {
				t.Errorf("%s: a gap before %s", b.Name, f.Name)
			}
			at = max(at, f.Off+f.Len)
			if f.Target != "" && (names[f.Target] == 0 || names[f.Target] != le.Uint64(b.Bytes[f.Off:])) {
				t.Errorf("%s.%s leads to %q", b.Name, f.Name, f.Target)
			}
			if f.Role == layout.Pointer && f.Target == "" && le.Uint64(b.Bytes[f.Off:]) != 0 {
				t.Errorf("%s.%s leads nowhere", b.Name, f.Name)
			}
		}
		if at != b.Size {
			t.Errorf("%s: covered %d of %d", b.Name, at, b.Size)
		}
	}
}

func BenchmarkPushMillion(b *testing.B) {
	s := []byte("element:000000")
	for _, head := range []bool{true, false} {
		b.Run(fmt.Sprint("head=", head), func(b *testing.B) {
			l := New(newHeap(b, "9.1.2"), -2, 0, 0)
			for b.Loop() {
				l.Push(s, head)
			}
		})
	}
}
