package dict

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/engine/release"
	"github.com/keyloupe/keyloupe/engine/sds"
	"github.com/keyloupe/keyloupe/engine/siphash"
)

func goldenSeed(t testing.TB) *siphash.Seed {
	s, err := siphash.ParseSeed("f375180aba92888401f1919be4a8715a")
	if err != nil {
		t.Fatal(err)
	}
	return &s
}

func setType(t testing.TB) *Type {
	return &Type{Name: "set", Seed: goldenSeed(t), NoValue: true, FreeKey: true}
}

func hashType(t testing.TB) *Type {
	return &Type{Name: "hash", Seed: goldenSeed(t), FreeKey: true,
		FreeVal: func(h *heap.Heap, v uint64) { sds.Free(h, heap.Ptr(v)) }}
}

func newHeap(server string) *heap.Heap { return heap.New(release.MustParse(server)) }

// add adds a member and tells whether it was new, as setTypeAdd does.
func add(d *Dict, key string) bool {
	at, e := d.FindSlot([]byte(key))
	if e != 0 {
		return false
	}
	e = d.Insert(at, sds.New(d.H, []byte(key)))
	if !d.T.NoValue {
		d.SetVal(e, uint64(sds.New(d.H, []byte("v"+key))))
	}
	return true
}

func TestOffsetsAreThoseOfTheStructTable(t *testing.T) {
	s := Struct(release.MustParse("8.0.1"))
	for name, off := range map[string]int{"type": 0, "ht_table[0]": offTables, "ht_used[0]": offUsed, "rehashidx": offRehash,
		"pauserehash": offPause, "ht_size_exp[0]": offExp, "pauseAutoResize": offHold} {
		if got := s.Off(name); got != off {
			t.Errorf("%s is at %d in the table, %d in the code", name, got, off)
		}
	}
}

func TestSlotsDoubleAtTheKeyAfterTheLastFreeSlot(t *testing.T) {
	for _, server := range []string{"7.2.7", "8.0.1"} {
		d := New(newHeap(server), hashType(t))
		for n := 1; n <= 40; n++ {
			add(&d, fmt.Sprint("key:", n))
			started := n == 5 || n == 9 || n == 17 || n == 33
			if started != (d.Rehashing() && d.Size(1) > n-1 && d.Size(0) == n-1) {
				t.Errorf("%s: %d entries, arrays of %d and %d slots", server, n, d.Size(0), d.Size(1))
			}
			d.FinishRehash()
		}
		if d.Size(0) != 64 || d.Len() != 40 {
			t.Errorf("%s: %d slots, %d entries", server, d.Size(0), d.Len())
		}
	}
}

// Figures of shared/valkey-memory.md, 6.1: one member of 65 bytes.
func TestASetOfOneMemberNeedsNoEntry(t *testing.T) {
	for server, usage := range map[string]int{"7.2.7": 56 + 32 + 24 + 80, "8.0.1": 56 + 32 + 0 + 80} {
		d := New(newHeap(server), setType(t))
		add(&d, strings.Repeat("m", 65))
		e := d.slot(0, d.Hash([]byte(strings.Repeat("m", 65)))&3)
		if !e.isKey() || d.H.Used() != 56+32+80 {
			t.Errorf("%s: entry %#x, %d bytes used", server, e, d.H.Used())
		}
		if got := StructSize + SlotSize*d.Slots() + d.EntryUsage(e) + sds.Usable(d.H, d.KeyPtr(e)); got != usage {
			t.Errorf("%s: MEMORY USAGE would be %d, a real server says %d", server, got, usage)
		}
	}
}

// 8.0: 1000 keys deleted down, slots become 128 when 127 are left (measured on 8.0.1; the first
// shrink begins with 128 left).
func TestADictOf80ShrinksAtAnEighth(t *testing.T) {
	d := New(newHeap("8.0.1"), setType(t))
	for i := range 1000 {
		add(&d, fmt.Sprint(i))
	}
	d.FinishRehash()
	for i := 999; i >= 128; i-- {
		if d.Rehashing() {
			t.Fatalf("shrinks with %d left", d.Len())
		}
		d.Delete([]byte(fmt.Sprint(i)))
	}
	if !d.Rehashing() || d.Size(0) != 1024 || d.Size(1) != 128 {
		t.Errorf("with %d left the arrays have %d and %d slots", d.Len(), d.Size(0), d.Size(1))
	}
}

func TestADictOf72ShrinksWhenAskedBelowATenth(t *testing.T) {
	d := New(newHeap("7.2.7"), setType(t))
	for i := range 1000 {
		add(&d, fmt.Sprint(i))
	}
	d.FinishRehash()
	for i := 999; i >= 102; i-- {
		d.Delete([]byte(fmt.Sprint(i)))
		if need := d.NeedsResize(); need != (d.Len()*100/1024 < 10) {
			t.Fatalf("with %d left: %v", d.Len(), need)
		}
	}
	if d.Rehashing() {
		t.Error("a deletion began to shrink")
	}
	d.Resize()
	d.FinishRehash()
	if d.Size(0) != 128 || d.Len() != 102 {
		t.Errorf("%d slots, %d entries", d.Size(0), d.Len())
	}
}

func TestPausedRehashAndResizeStandStill(t *testing.T) {
	d := New(newHeap("8.0.1"), setType(t))
	for i := range 5 {
		add(&d, fmt.Sprint(i))
	}
	d.PauseRehash()
	before := d.Used(0)
	for i := range 10 {
		d.Find([]byte(fmt.Sprint(i)))
	}
	if d.Used(0) != before {
		t.Error("a lookup moved a slot")
	}
	d.ResumeRehash()
	d.FinishRehash()
	d.PauseResize()
	for i := range 100 {
		add(&d, fmt.Sprint(i))
	}
	if d.Slots() != 8 {
		t.Errorf("%d slots", d.Slots())
	}
	d.ResumeResize()
	d.ExpandIfNeeded()
	if d.Size(1) != 128 {
		t.Errorf("then %d", d.Size(1))
	}
}

func TestAnEntryWithItsKeyHasTheBytesOfItsArgument(t *testing.T) {
	h := newHeap("8.0.1")
	d := New(h, &Type{Seed: goldenSeed(t), EmbedKey: true, Metadata: 16})
	if h.Used() != 80 {
		t.Errorf("an empty dict takes %d bytes", h.Used())
	}
	key := []byte(strings.Repeat("k", 128))
	at, _ := d.FindSlot(key)
	e := d.InsertKey(at, key, sds.T8, 156)
	d.SetVal(e, 7)
	b := h.Bytes(e.ptr())
	if want := "\x07\x00\x00\x00\x00\x00\x00\x00" + "\x00\x00\x00\x00\x00\x00\x00\x00" + "\x03\x80\x9c\x01" + string(key) + "\x00"; string(b[:149]) != want {
		t.Errorf("got %q", b[:149])
	}
	if got := d.Find(key); got != e || d.Val(got) != 7 || string(d.Key(got)) != string(key) || d.EntryUsage(e) != 160 {
		t.Errorf("found %#x, value %d, key %q, %d bytes", got, d.Val(got), d.Key(got), d.EntryUsage(e))
	}
	if !d.Delete(key) || d.Len() != 0 {
		t.Error("not deleted")
	}
}

// model runs the same random operations on a dict and a Go map.
func model(t *testing.T, server string, typ *Type, seed uint64, ops int) {
	h := newHeap(server)
	d := New(h, typ)
	r := rand.New(rand.NewPCG(seed, 1))
	want := map[string]bool{}
	for op := range ops {
		key := fmt.Sprint(r.IntN(1 + ops/4))
		switch k := r.IntN(8); {
		case k < 4:
			if add(&d, key) == want[key] {
				t.Fatalf("%s seed %d op %d: add %s", server, seed, op, key)
			}
			want[key] = true
		case k < 6:
			if d.Delete([]byte(key)) != want[key] {
				t.Fatalf("%s seed %d op %d: delete %s", server, seed, op, key)
			}
			delete(want, key)
		case k == 6:
			ref := d.UnlinkFind([]byte(key))
			if (ref.Entry != 0) != want[key] {
				t.Fatalf("%s seed %d op %d: unlink %s", server, seed, op, key)
			}
			d.UnlinkFree(ref)
			delete(want, key)
		default:
			if (d.Find([]byte(key)) != 0) != want[key] {
				t.Fatalf("%s seed %d op %d: find %s", server, seed, op, key)
			}
			if len(want) > 0 && !want[string(d.Key(d.FairRandom(r.Uint64)))] {
				t.Fatalf("%s seed %d op %d: random", server, seed, op)
			}
		}
		if d.NeedsResize() && !h.Rel.DictShrinksOnDelete {
			d.Resize()
		}
		if d.Len() != len(want) {
			t.Fatalf("%s seed %d op %d: %d entries, want %d", server, seed, op, d.Len(), len(want))
		}
	}
	seen := map[string]bool{}
	d.Each(func(e Entry) bool { seen[string(d.Key(e))] = true; return true })
	if len(seen) != len(want) {
		t.Errorf("%s seed %d: a walk saw %d of %d", server, seed, len(seen), len(want))
	}
	var pic layout.Picture
	var value func(name string, v uint64)
	if !typ.NoValue {
		value = func(name string, v uint64) { sds.Picture(&pic, h, heap.Ptr(v), name, "sds", layout.Value) }
	}
	d.Picture(&pic, "value", value)
	if pic.Total() != h.Used() {
		t.Errorf("%s seed %d: the picture has %d bytes, the heap %d", server, seed, pic.Total(), h.Used())
	}
	d.Free()
	if h.Used() != 0 || h.Blocks() != 0 {
		t.Errorf("%s seed %d: %d bytes left after Free", server, seed, h.Used())
	}
}

func TestRandomOperationsDoWhatAMapDoes(t *testing.T) {
	for _, server := range []string{"7.2.7", "8.0.1", "8.0.1@libc"} {
		for seed := range uint64(6) {
			model(t, server, setType(t), seed, 50<<seed)
			model(t, server, hashType(t), seed, 50<<seed)
		}
	}
}

func TestAScanSeesWhatStaysWhileTheDictGrowsAndShrinks(t *testing.T) {
	for _, server := range []string{"7.2.7", "8.0.1"} {
		d := New(newHeap(server), setType(t))
		for i := range 300 {
			add(&d, fmt.Sprint("stay", i))
		}
		seen, n := map[string]bool{}, 0
		for cursor := uint64(0); ; {
			cursor = d.Scan(cursor, func(e Entry) { seen[string(d.Key(e))] = true })
			if cursor == 0 {
				break
			}
			for range 20 {
				if n++; n < 2000 {
					add(&d, fmt.Sprint("x", n))
				} else {
					d.Delete([]byte(fmt.Sprint("x", n-2000)))
				}
			}
		}
		for i := range 300 {
			if !seen[fmt.Sprint("stay", i)] {
				t.Errorf("%s: stay%d was left out", server, i)
			}
		}
	}
}

func TestASafeWalkMayDeleteWhatItReturned(t *testing.T) {
	for _, server := range []string{"7.2.7", "8.0.1"} {
		d := New(newHeap(server), setType(t))
		for i := range 900 {
			add(&d, fmt.Sprint(i))
		}
		n := 0
		for it := d.SafeIter(); ; n++ {
			e := it.Next()
			if e == 0 {
				it.Close()
				break
			}
			d.Delete([]byte(string(d.Key(e))))
		}
		if n != 900 || d.Len() != 0 || d.paused() != 0 {
			t.Errorf("%s: %d seen, %d left, pause count %d", server, n, d.Len(), d.paused())
		}
	}
}

func TestStatsAreWrittenAsTheServerDoes(t *testing.T) {
	d := New(newHeap("7.2.7"), setType(t))
	if got := d.Stats(true); got != "Hash table 0 stats (main hash table):\nNo stats available for empty dictionaries\n" {
		t.Errorf("empty: %q", got)
	}
	for i := range 3 {
		add(&d, fmt.Sprint(i))
	}
	want := "Hash table 0 stats (main hash table):\n table size: 4\n number of elements: 3\n"
	if got := d.Stats(false); got != want {
		t.Errorf("got %q", got)
	}
	slots := 0
	for n := range uint64(4) {
		if d.slot(0, n) != 0 {
			slots++
		}
	}
	if got := d.Stats(true); !strings.HasPrefix(got, fmt.Sprintf("%s different slots: %d\n max chain length: ", want, slots)) {
		t.Errorf("got %q", got)
	}
}

func BenchmarkAddAMillionMembers(b *testing.B) {
	for range b.N {
		d := New(newHeap("8.0.1"), setType(b))
		key := []byte("key:000000000000")
		for i := range 1000000 {
			copy(key[4:], fmt.Appendf(nil, "%012d", i))
			at, _ := d.FindSlot(key)
			d.Insert(at, sds.New(d.H, key))
		}
	}
}
