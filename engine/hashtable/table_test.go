package hashtable

import (
	"fmt"
	"testing"

	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/release"
	"github.com/keyloupe/keyloupe/engine/sds"
	"github.com/keyloupe/keyloupe/engine/siphash"
)

// The code has offsets of its own: a table that is being moved must read the same through Struct.
func TestATableReadsThroughItsStructAsItWasWritten(t *testing.T) {
	for _, name := range []string{"8.1.8", "9.1.2"} {
		h := heap.New(release.MustParse(name))
		typ := &Type{Name: "test", Seed: &siphash.Seed{K0: 1, K1: 2}, KeyOf: func(h *heap.Heap, p heap.Ptr) []byte { return sds.Text(h, p) }}
		tab := New(h, typ)
		for i := 0; !tab.Rehashing() || tab.Buckets(0) < 16; i++ {
			key := []byte(fmt.Sprint("key:", i))
			tab.Add(key, tab.Hash(key), sds.New(h, key))
		}
		tab.Step()
		tab.Pause()
		tab.HoldShrink() // so that the two counters differ
		s := Struct(h.Rel)
		if s.Size != h.Rel.HashtableStruct {
			t.Errorf("%s: the struct has %d bytes, its table %d", name, h.Rel.HashtableStruct, s.Size)
		}
		for field, want := range map[string]int{
			"rehash_idx": tab.rehash(), "tables[0]": int(tab.array(0)), "tables[1]": int(tab.array(1)), "used[0]": tab.used(0), "used[1]": tab.used(1),
			"bucket_exp[0]": tab.exp(0), "bucket_exp[1]": tab.exp(1), "pause_rehash": 1, "pause_auto_shrink": tab.held(),
			"child_buckets[0]": tab.children(0), "child_buckets[1]": tab.children(1),
		} {
			if got := s.Field(field).Get(h.Bytes(tab.P)); got != uint64(want) {
				t.Errorf("%s: %s is %d, want %d", name, field, got, want)
			}
		}
		if tab.paused() == tab.held() {
			t.Errorf("%s: the counters are equal", name)
		}
		if tab.used(1) == 0 || tab.exp(1) != tab.exp(0)+1 {
			t.Errorf("%s: the table was not caught in the middle of a move", name)
		}
	}
}
