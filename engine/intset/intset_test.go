package intset

import (
	"encoding/hex"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/engine/release"
)

func newHeap(server string) *heap.Heap { return heap.New(release.MustParse(server)) }

func of(h *heap.Heap, members ...int64) heap.Ptr {
	p := New(h)
	for _, v := range members {
		p, _ = Add(h, p, v)
	}
	return p
}

func members(set []byte) (out []int64) {
	for i := range Len(set) {
		out = append(out, Get(set, i))
	}
	return out
}

// The first case is a block of golden/images, 9.1.2.
func TestASetHasTheBytesOfTheServer(t *testing.T) {
	for _, c := range []struct {
		members []int64
		want    string
		block   int
	}{
		{[]int64{-55}, "0200000001000000c9ff", 16},
		{nil, "0200000000000000", 8},
		{[]int64{5, 1, 3, 3}, "0200000003000000010003000500", 16},
		{[]int64{1, 40000}, "040000000200000001000000409c0000", 16},
		{[]int64{7, -40000}, "0400000002000000c063ffff07000000", 16},
		{[]int64{1, 1 << 40}, "080000000200000001000000000000000000000000010000", 24},
	} {
		h := newHeap("9.1.2")
		p := of(h, c.members...)
		if got := hex.EncodeToString(Of(h, p)); got != c.want || h.Usable(p) != c.block {
			t.Errorf("%v: %s in %d bytes, want %s in %d", c.members, got, h.Usable(p), c.want, c.block)
		}
	}
}

func TestTheWidthIsThatOfTheWidestMemberThatEverWas(t *testing.T) {
	h := newHeap("9.1.2")
	for _, c := range []struct {
		v     int64
		width int
	}{{math.MaxInt16, 2}, {math.MinInt16, 2}, {math.MaxInt16 + 1, 4}, {math.MinInt16 - 1, 4}, {math.MaxInt32, 4}, {math.MinInt32, 4},
		{math.MaxInt32 + 1, 8}, {math.MinInt32 - 1, 8}, {math.MaxInt64, 8}, {math.MinInt64, 8}} {
		p := of(h, 0, c.v)
		if got := Width(Of(h, p)); got != c.width {
			t.Errorf("%d: %d bytes", c.v, got)
		}
		p, _ = Remove(h, p, c.v)
		if got := Width(Of(h, p)); got != c.width || !slices.Equal(members(Of(h, p)), []int64{0}) {
			t.Errorf("%d removed: %d bytes, members %v", c.v, got, members(Of(h, p)))
		}
	}
}

func TestRandomHistoriesKeepTheMembersInOrderAndTheBlockExact(t *testing.T) {
	for _, server := range []string{"7.2.7", "9.1.2@distro"} {
		for seed := range uint64(8) {
			h, r := newHeap(server), rand.New(rand.NewPCG(seed, 2))
			p, want := New(h), []int64{}
			for range 400 {
				v := int64(r.Uint64()) >> (r.IntN(4)*16 + r.IntN(16))
				i, found := slices.BinarySearch(want, v)
				if r.IntN(3) > 0 {
					var added bool
					if p, added = Add(h, p, v); added == found {
						t.Fatalf("add %d: %v", v, added)
					}
					if !found {
						want = slices.Insert(want, i, v)
					}
				} else {
					if len(want) > 0 && r.IntN(2) == 0 {
						i, found = r.IntN(len(want)), true
						v = want[i]
					}
					var removed bool
					if p, removed = Remove(h, p, v); removed != found {
						t.Fatalf("remove %d: %v", v, removed)
					}
					if found {
						want = slices.Delete(want, i, i+1)
					}
				}
				set := Of(h, p)
				if !slices.Equal(members(set), want) || h.Used() != h.Granted(len(set)) {
					t.Fatalf("%v in %d bytes, want %v in %d", members(set), h.Used(), want, h.Granted(len(set)))
				}
				if Valid(set) != (len(want) > 0) {
					t.Fatalf("valid: %v with %d members", Valid(set), len(want))
				}
			}
		}
	}
}

func TestBytesThatAreNoSetAreRefused(t *testing.T) {
	for _, s := range []string{"", "02000000", "0200000000000000", "0300000001000000010000", "02000000010000000100ff", "020000000200000001000100",
		"020000000200000002000100", "0200000002000000010002", "02000000ffffffff0100", "0400000000000040", "0800000000000020"} {
		b, err := hex.DecodeString(s)
		if err != nil {
			t.Fatal(err)
		}
		if Valid(b) {
			t.Errorf("%s was taken", s)
		}
	}
}

func TestThePictureCoversEveryByteOnce(t *testing.T) {
	h := newHeap("9.1.2")
	var pic layout.Picture
	at := 0
	for _, f := range Picture(&pic, h, of(h, 1, 2, 70000), "value").Fields {
		if f.Off != at {
			t.Errorf("%s begins at %d, not %d", f.Name, f.Off, at)
		}
		at += f.Len
	}
	if at != h.Used() {
		t.Errorf("%d of %d bytes", at, h.Used())
	}
}

func FuzzValid(f *testing.F) {
	for _, s := range []string{"0200000001000000c9ff", "0400000002000000c063ffff07000000", "02000000ffffffff0100", "0800000001000000ffffffffffffff7f"} {
		b, err := hex.DecodeString(s)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b, int64(7))
	}
	f.Fuzz(func(t *testing.T, b []byte, v int64) {
		if !Valid(b) {
			return
		}
		h := newHeap("9.1.2")
		p := FromBytes(h, b)
		before := members(Of(h, p))
		if !slices.IsSorted(before) {
			t.Fatalf("%v", before)
		}
		p, added := Add(h, p, v)
		if added == slices.Contains(before, v) {
			t.Fatalf("add %d to %v: %v", v, before, added)
		}
		if p, _ = Remove(h, p, v); slices.Contains(members(Of(h, p)), v) {
			t.Fatalf("%d is still there", v)
		}
	})
}
