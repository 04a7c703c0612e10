package skiplist

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/engine/release"
	"github.com/keyloupe/keyloupe/engine/sds"
)

var servers = []string{"7.2.7", "8.0.1", "8.1.8", "9.0.0", "9.1.2", "9.1.2@libc", "9.0.0@distro"}

func each(t *testing.T, f func(t *testing.T, h *heap.Heap)) {
	for _, s := range servers {
		t.Run(s, func(t *testing.T) { f(t, heap.New(release.MustParse(s))) })
	}
}

type pair struct {
	score  float64
	member string
}

func comparePairs(a, b pair) int {
	return cmp.Or(cmp.Compare(a.score, b.score), cmp.Compare(a.member, b.member))
}

func contents(l List) (out []pair) {
	for n := l.First(); n != 0; n = l.Next(n) {
		out = append(out, pair{l.Score(n), string(l.Member(n))})
	}
	return out
}

type span struct{ min, max float64 }

func (s span) Below(v float64, _ []byte) bool { return v < s.min }
func (s span) Above(v float64, _ []byte) bool { return v > s.max }

func TestAnEmptySkiplistTakesWhatTheServersTakes(t *testing.T) {
	for s, want := range map[string]int{"7.2.7": 32 + 640, "9.0.0": 32 + 640, "9.1.2": 640, "9.1.2@libc": 536, "9.0.0@libc": 40 + 536} {
		h := heap.New(release.MustParse(s))
		l := New(h)
		if h.Used() != want {
			t.Errorf("%s: %d bytes, want %d", s, h.Used(), want)
		}
		if l.Free(); h.Used() != 0 || h.Blocks() != 0 {
			t.Errorf("%s: %d bytes in %d blocks are left", s, h.Used(), h.Blocks())
		}
	}
}

// One 65-byte member of each height, from the bytes in valkey-memory.md 6.2.
func TestANodeTakesWhatTheServersTakes(t *testing.T) {
	member := bytes.Repeat([]byte("m"), 65)
	for s, want := range map[string][]int{"7.2.7": {40 + 80, 56 + 80, 80 + 80}, "9.0.0": {40 + 80, 56 + 80, 80 + 80}, "9.1.2": {112, 128, 160}, "9.0.0@libc": {40 + 72, 56 + 72, 72 + 72}, "9.1.2@libc": {104, 120, 136}} {
		for i, size := range want {
			h := heap.New(release.MustParse(s))
			l := New(h)
			was := h.Used()
			n := l.Insert(i+1, 1, member)
			if got := h.Used() - was; got != size {
				t.Errorf("%s: a node of height %d takes %d bytes, want %d", s, i+1, got, size)
			}
			if string(l.Member(n)) != string(member) || l.Score(n) != 1 {
				t.Errorf("%s: node reads back as %q, %v", s, l.Member(n), l.Score(n))
			}
			l.Delete(n)
			if h.Used() != was {
				t.Errorf("%s: %d bytes are left", s, h.Used()-was)
			}
		}
	}
}

func TestRandomHistoriesKeepOrderSpansAndBytes(t *testing.T) {
	each(t, func(t *testing.T, h *heap.Heap) {
		src := rand.New(rand.NewPCG(1, 2))
		height := func() int { return RandomHeight(h.Rel, src) }
		l := New(h)
		nodes := map[string]heap.Ptr{}
		var want []pair
		for step := range 4000 {
			member := fmt.Sprintf("m%d", src.IntN(300))
			score := []float64{float64(src.IntN(20)), math.Inf(1), math.Inf(-1), 0.5}[min(src.IntN(20), 3)]
			n, ok := nodes[member]
			i := slices.IndexFunc(want, func(p pair) bool { return p.member == member })
			switch {
			case !ok:
				nodes[member] = l.Insert(height(), score, []byte(member))
				want = append(want, pair{score, member})
			case step%3 == 0:
				l.Delete(n)
				delete(nodes, member)
				want = slices.Delete(want, i, i+1)
			default:
				nodes[member] = l.Update(n, score, height)
				want[i].score = score
			}
			slices.SortFunc(want, comparePairs)
			if step%50 == 0 || step > 3980 {
				if err := l.Check(); err != nil {
					t.Fatal(err)
				}
				if got := contents(l); !slices.Equal(got, want) {
					t.Fatalf("step %d: got %v, want %v", step, got, want)
				}
				checkRanks(t, l)
			}
		}
		pic := &layout.Picture{}
		l.Picture(pic, "value.skiplist", func(n heap.Ptr) string { return fmt.Sprint(l.Rank(n)) })
		if pic.Total() != h.Used() {
			t.Errorf("the picture has %d bytes, the heap %d", pic.Total(), h.Used())
		}
		l.Free()
		if h.Used() != 0 || h.Blocks() != 0 {
			t.Errorf("%d bytes in %d blocks are left", h.Used(), h.Blocks())
		}
	})
}

func checkRanks(t *testing.T, l List) {
	t.Helper()
	rank := 0
	for n := l.First(); n != 0; n = l.Next(n) {
		rank++
		if got := l.Rank(n); got != rank {
			t.Fatalf("rank %d, want %d", got, rank)
		}
		if got := l.ByRank(rank); got != n {
			t.Fatalf("node of rank %d is %#x, want %#x", rank, got, n)
		}
	}
	if l.ByRank(0) != 0 || l.ByRank(rank+1) != 0 {
		t.Fatal("ranks 0 and length + 1 have nodes")
	}
}

func TestRangesFindTheirEndsAndDeleteWhatIsInThem(t *testing.T) {
	each(t, func(t *testing.T, h *heap.Heap) {
		src := rand.New(rand.NewPCG(3, 4))
		for range 60 {
			l := New(h)
			var all []pair
			for i := range src.IntN(40) {
				p := pair{float64(src.IntN(12)), fmt.Sprint(i)}
				l.Insert(RandomHeight(h.Rel, src), p.score, []byte(p.member))
				all = append(all, p)
			}
			slices.SortFunc(all, comparePairs)
			r := span{float64(src.IntN(12)), float64(src.IntN(12))}
			in := func(p pair) bool { return p.score >= r.min && p.score <= r.max }
			first := slices.IndexFunc(all, in)
			_, rank := l.FirstIn(r)
			if rank != first+1 {
				t.Fatalf("first of %v in %v has rank %d, want %d", all, r, rank, first+1)
			}
			count := 0
			for _, p := range all {
				if in(p) {
					count++
				}
			}
			if _, last := l.LastIn(r); count > 0 && last != first+count || count == 0 && last != 0 {
				t.Fatalf("last of %v in %v has rank %d", all, r, last)
			}
			gone := 0
			if got := l.DeleteIn(r, func(heap.Ptr) { gone++ }); got != count || gone != count {
				t.Fatalf("deleted %d, told of %d, want %d", got, gone, count)
			}
			all = slices.DeleteFunc(all, in)
			if got := contents(l); !slices.Equal(got, all) {
				t.Fatalf("left %v, want %v", got, all)
			}
			if len(all) > 2 {
				l.DeleteRanks(2, 3, func(heap.Ptr) {})
				all = slices.Delete(all, 1, min(3, len(all)))
				if got := contents(l); !slices.Equal(got, all) {
					t.Fatalf("left %v, want %v", got, all)
				}
			}
			if err := l.Check(); err != nil {
				t.Fatal(err)
			}
			l.Free()
		}
		if h.Used() != 0 {
			t.Errorf("%d bytes are left", h.Used())
		}
	})
}

func TestAMovedNodeStaysTheSameFrom91On(t *testing.T) {
	each(t, func(t *testing.T, h *heap.Heap) {
		l := New(h)
		a := l.Insert(3, 1, []byte("a"))
		l.Insert(1, 2, []byte("b"))
		if l.Update(a, 1.5, func() int { return 2 }) != a {
			t.Error("a score that keeps its place moved the node")
		}
		ele := l.MemberAt(a)
		moved := l.Update(a, 3, func() int { return 2 })
		if h.Rel.SkiplistEmbeds {
			if moved != a || l.Height() != 3 {
				t.Errorf("node %#x moved to %#x, height %d", a, moved, l.Height())
			}
		} else if l.Height() != 2 || l.MemberAt(moved) != ele {
			t.Errorf("height %d, member at %#x; want 2 and %#x", l.Height(), l.MemberAt(moved), ele)
		}
	})
}

func TestHeightsAreDrawnWithTheServersProbabilities(t *testing.T) {
	each(t, func(t *testing.T, h *heap.Heap) {
		src := rand.New(rand.NewPCG(5, 6))
		const n = 200000
		var seen [MaxLevel + 1]int
		for range n {
			seen[RandomHeight(h.Rel, src)]++
		}
		p := 0.75
		for i := 1; i <= 5; i++ {
			got := float64(seen[i]) / n
			if sigma := math.Sqrt(p * (1 - p) / n); math.Abs(got-p) > 5*sigma {
				t.Errorf("height %d: %f, want %f", i, got, p)
			}
			p /= 4
		}
	})
}

func TestTheTablesCoverTheStructs(t *testing.T) {
	for _, f := range []*form{formSpan, formHeight, formEmbedded} {
		if f.embedded && f.nodeSize(MaxLevel) != 528 || !f.embedded && f.list.Size != 32 {
			t.Errorf("sizeof(zskiplist): %+v", f)
		}
		at := 0
		for _, d := range append(slices.Clone(f.node.Fields), levels(f.first, 3, true)...) {
			if d.Off != at {
				t.Errorf("%s starts at %d, want %d", d.Name, d.Off, at)
			}
			at += d.Len
		}
		if at != f.nodeSize(3) {
			t.Errorf("a node of height 3 has %d bytes, its table %d", f.nodeSize(3), at)
		}
	}
	if got := sds.Header(sds.T5); got != 1 {
		t.Error(got)
	}
}

func BenchmarkInsertMillion(b *testing.B) {
	for _, s := range []string{"8.1.8", "9.1.2"} {
		b.Run(s, func(b *testing.B) {
			for range b.N {
				h := heap.New(release.MustParse(s))
				l := New(h)
				src := rand.New(rand.NewPCG(7, 8))
				for i := range 1000000 {
					l.Insert(RandomHeight(h.Rel, src), src.Float64(), fmt.Appendf(nil, "member:%012d", i))
				}
			}
		})
	}
}
