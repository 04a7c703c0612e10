package object

import (
	"testing"

	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/release"
)

// The code that reads and writes objects has offsets and bits of its own: each object it makes must
// read the same through the tables.
func TestObjectsReadThroughTheirTablesAsTheyWereWritten(t *testing.T) {
	key := []byte("user:1")
	for _, name := range []string{"8.1.8", "9.0.6", "9.1.2"} {
		r := release.MustParse(name)
		h := heap.New(r)
		robj := Structs(r)[0]
		get := func(p heap.Ptr, field string) uint64 { return robj.Field(field).Get(h.Bytes(p)) }
		for _, at := range []int64{NoExpire, 4102444800000} {
			emb, plain := NewEmb(h, key, []byte("Alice"), at), NewPlain(h, Set, Intset, 0x1234, key, at)
			for _, c := range []struct {
				p    heap.Ptr
				t    Type
				e    Encoding
				kept bool // the value is in the block
			}{{emb, String, Embstr, true}, {plain, Set, Intset, false}} {
				b := h.Bytes(c.p)
				SetLRU(b, 0xabcdef)
				slot := uint64(0)
				if HasSlot(b) {
					slot = 1
				}
				if get(c.p, "type") != uint64(c.t) || get(c.p, "encoding") != uint64(c.e) || get(c.p, "lru") != 0xabcdef || LRU(b) != 0xabcdef ||
					get(c.p, "hasexpire") != slot || get(c.p, "hasembkey") != 1 || get(c.p, "refcount") != 1 {
					t.Errorf("%s, %v: the header % x reads otherwise", name, c.t, b[:8])
				}
				if r.EmbedValueFlag && (get(c.p, "hasembval") == 1) != c.kept {
					t.Errorf("%s, %v: hasembval is %d", name, c.t, get(c.p, "hasembval"))
				}
				if string(Key(r, b)) != string(key) || Expire(r, b) != at {
					t.Errorf("%s, %v: key %q, expiry %d", name, c.t, Key(r, b), Expire(r, b))
				}
			}
			if get(plain, "ptr") != 0x1234 {
				t.Errorf("%s: ptr is %#x", name, get(plain, "ptr"))
			}
		}
	}
	h := heap.New(release.MustParse("7.2.7"))
	p := New(h, Hash, Listpack, 0x5678)
	for field, want := range map[string]uint64{"type": uint64(Hash), "encoding": uint64(Listpack), "lru": 0, "refcount": 1, "ptr": 0x5678} {
		robj := Structs(h.Rel)[0]
		if got := robj.Field(field).Get(h.Bytes(p)); got != want {
			t.Errorf("7.2.7: %s is %#x, want %#x", field, got, want)
		}
	}
}
