package zset

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/object"
	"github.com/keyloupe/keyloupe/engine/release"
	"github.com/keyloupe/keyloupe/engine/siphash"
)

var servers = []string{"7.2.7", "8.0.1", "8.1.1", "8.1.8", "9.0.0", "9.1.2", "9.1.2@libc", "8.0.1@distro"}

func newType(server string, entries int) *Type {
	h := heap.New(release.MustParse(server))
	return NewType(h, &siphash.Seed{K0: 1, K1: 2}, rand.New(rand.NewPCG(1, 2)), func() int { return entries }, func() int { return 64 })
}

type pair struct {
	score  float64
	member string
}

func order(a, b pair) int {
	return cmp.Or(cmp.Compare(a.score, b.score), strings.Compare(a.member, b.member))
}

func contents(s *Set) (out []pair) {
	s.Each(func(v float64, m []byte) bool { out = append(out, pair{v, string(m)}); return true })
	return out
}

func TestRandomHistoriesKeepOrderAndLeaveNothingBehind(t *testing.T) {
	for _, server := range servers {
		for _, entries := range []int{0, 8, 128} {
			t.Run(fmt.Sprint(server, " up to ", entries), func(t *testing.T) {
				ty := newType(server, entries)
				src := rand.New(rand.NewPCG(uint64(entries), 9))
				for range 8 {
					history(t, ty, src)
				}
				if ty.H.Used() != 0 || ty.H.Blocks() != 0 {
					t.Errorf("%d bytes in %d blocks are left", ty.H.Used(), ty.H.Blocks())
				}
			})
		}
	}
}

func history(t *testing.T, ty *Type, src *rand.Rand) {
	s := ty.New(1, 1)
	var want []pair
	big := s.Enc == object.Skiplist
	for range 200 {
		m := fmt.Sprint("m", src.IntN(60))
		switch src.IntN(20) {
		case 0:
			m = strings.Repeat("x", 60+src.IntN(8))
		case 1:
			m = fmt.Sprint(src.IntN(1000))
		case 2:
			m = ""
		}
		v := []float64{float64(src.IntN(9)), math.Inf(1 - 2*src.IntN(2)), 0.25, 1e300}[min(src.IntN(12), 3)]
		i := slices.IndexFunc(want, func(p pair) bool { return p.member == m })
		switch k := src.IntN(10); {
		case k == 0:
			if got := s.Del([]byte(m)); got != (i >= 0) {
				t.Fatalf("Del(%q) = %v", m, got)
			}
			if i >= 0 {
				want = slices.Delete(want, i, i+1)
			}
		case k == 1:
			r := Scores{Min: float64(src.IntN(9)), Max: float64(src.IntN(9)), MinEx: src.IntN(2) > 0}
			in := func(p pair) bool { return !r.Below(p.score, nil) && !r.Above(p.score, nil) }
			n := 0
			for _, p := range want {
				if in(p) {
					n++
				}
			}
			if got := s.Count(r); got != n {
				t.Fatalf("%d of %v in %v, want %d", got, want, r, n)
			}
			if src.IntN(4) == 0 {
				if got := s.DeleteIn(r); got != n {
					t.Fatalf("deleted %d, want %d", got, n)
				}
				want = slices.DeleteFunc(want, in)
			}
		default:
			out, _ := s.Add(v, []byte(m), 0)
			if i < 0 {
				if out != Added {
					t.Fatalf("Add of a new member: %d", out)
				}
				want = append(want, pair{v, m})
				big = big || len(want) > ty.MaxEntries() || len(m) > 64
			} else {
				want[i].score = v
			}
		}
		slices.SortFunc(want, order)
		if got := contents(&s); !slices.Equal(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
		if (s.Enc == object.Skiplist) != big {
			t.Fatalf("%v with %v", s.Enc, want)
		}
		check(t, &s, want)
	}
	c := s.Dup()
	if got := contents(&c); !slices.Equal(got, want) {
		t.Fatalf("the copy has %v, want %v", got, want)
	}
	c.Free()
	longest, total := 0, 0
	for _, p := range want {
		longest, total = max(longest, len(p.member)), total+len(p.member)
	}
	s.ToListpackIfFits(longest, total)
	if got := contents(&s); !slices.Equal(got, want) {
		t.Fatalf("turned into a listpack: %v, want %v", got, want)
	}
	s.Free()
}

func check(t *testing.T, s *Set, want []pair) {
	t.Helper()
	for i, p := range want {
		rank, score, ok := s.Rank([]byte(p.member))
		if rank != i || score != p.score || !ok {
			t.Fatalf("%v has rank %d, score %v, %v; want %d", p, rank, score, ok, i)
		}
		c := s.Seek(i)
		if string(c.Member()) != p.member {
			t.Fatalf("rank %d is %q, want %q", i, c.Member(), p.member)
		}
	}
	i := len(want)
	for c := s.Last(); c.OK(); c.Prev() {
		i--
		if string(c.Member()) != want[i].member {
			t.Fatalf("backwards: %q, want %q", c.Member(), want[i].member)
		}
	}
	if i != 0 || s.Len() != len(want) {
		t.Fatalf("%d members, %d not met going backwards, want %d", s.Len(), i, len(want))
	}
}

func TestWindowsOfARangeAreWhatTheServerGives(t *testing.T) {
	for _, server := range servers {
		for _, entries := range []int{0, 128} {
			ty := newType(server, entries)
			s := ty.New(1, 1)
			for i := range 10 {
				s.Add(float64(i), []byte{byte('a' + i)}, 0)
			}
			r := Scores{Min: 2, Max: 7} // c to h
			jumps := entries == 0 && ty.H.Rel.ZrangeJumps
			for _, c := range []struct {
				reverse bool
				offset  int
				want    string
				jumped  string // where a negative offset counts from the other end
			}{{false, 0, "c", "c"}, {false, 3, "f", "f"}, {false, 5, "h", "h"}, {true, 0, "h", "h"}, {true, 5, "c", "c"}, {false, -1, "", "h"}, {true, -1, "", "c"}, {false, -3, "", "f"}, {true, -7, "", ""}} {
				cur := s.Window(r, c.reverse, c.offset)
				got := ""
				if cur.OK() {
					got = string(cur.Member())
				}
				want := c.want
				if jumps {
					want = c.jumped
				}
				if got != want {
					t.Errorf("%s, up to %d: %+v gives %q", server, entries, c, got)
				}
			}
		}
	}
}

func TestAddFollowsItsFlags(t *testing.T) {
	for _, entries := range []int{0, 128} {
		ty := newType("9.1.2", entries)
		s := ty.New(1, 1)
		for _, c := range []struct {
			score float64
			f     Flags
			out   Outcome
			now   float64
		}{{1, XX, Nop, 0}, {1, 0, Added, 1}, {1, 0, Same, 1}, {2, NX, Nop, 0}, {2, GT, Updated, 2}, {1, GT, Nop, 2}, {1, LT, Updated, 1}, {3, LT, Nop, 1}, {2, Incr, Updated, 3},
			{0, Incr, Same, 3}, {math.Inf(1), Incr, Updated, math.Inf(1)}, {math.Inf(-1), Incr, NaN, 0}, {math.NaN(), 0, NaN, 0}} {
			out, v := s.Add(c.score, []byte("m"), c.f)
			if out != c.out || out != Nop && out != NaN && v != c.now {
				t.Errorf("%+v: got %d, %v", c, out, v)
			}
		}
	}
}
