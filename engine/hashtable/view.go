package hashtable

import (
	"math/bits"

	"github.com/keyloupe/keyloupe/engine/heap"
)

// View is a table as it is shown: its counts, and a window of its buckets.
type View struct {
	Name      string       `json:"name"`
	Len       int          `json:"len"`
	Rehash    int          `json:"rehash"`    // next bucket of the first array to move, -1 for none
	GrowsAt   int          `json:"growsAt"`   // number of entries at which it grows; 0 while it is moving
	ShrinksAt int          `json:"shrinksAt"` // number of entries at which it shrinks; 0 for never
	Arrays    []ArrayView  `json:"arrays"`
	Buckets   []BucketView `json:"buckets"`  // the window
	Selected  int          `json:"selected"` // index in its array of the bucket of the key asked for, -1 for none
	SelArray  int          `json:"selArray"`
}

// ArrayView counts one of a table's arrays.
type ArrayView struct {
	Addr     uint64 `json:"addr"`
	Buckets  int    `json:"buckets"`
	Children int    `json:"children"`
	Used     int    `json:"used"`
}

// BucketView is one 64-byte bucket.
type BucketView struct {
	Array    int         `json:"array"`
	Index    int         `json:"index"`
	Depth    int         `json:"depth"` // 0 at top level, 1 and more in the chain of children
	Addr     uint64      `json:"addr"`
	Bytes    []byte      `json:"bytes"`
	Chained  bool        `json:"chained"`
	Presence byte        `json:"presence"` // bit i: position i holds an entry
	Entries  []EntryView `json:"entries"`
}

// EntryView is one entry of a bucket.
type EntryView struct {
	Position int    `json:"position"` // 0 to 6
	Tag      byte   `json:"tag"`      // top byte of the key's hash
	Addr     uint64 `json:"addr"`
	Key      string `json:"key"`
	Selected bool   `json:"selected,omitempty"`
}

// View shows count top-level buckets of an array with their chains, beginning at from. select names
// the key whose bucket is told and whose entry is marked; nil for none. Nothing is moved by it.
func (t *Table) View(array, from, count int, selected []byte) View {
	v := View{Name: t.T.Name, Len: t.Len(), Rehash: t.rehash(), Selected: -1}
	for i := range 2 {
		if n := t.Buckets(i); n > 0 {
			v.Arrays = append(v.Arrays, ArrayView{uint64(t.array(i)), n, t.children(i), t.used(i)})
		}
	}
	if t.rehash() < 0 {
		v.GrowsAt = t.GrowsAt()
		if t.Buckets(0) > 1 {
			v.ShrinksAt = t.Buckets(0) * Positions * minFill / 100
		}
	}
	entry := t.locate(selected, &v)
	from = max(0, from)
	for n := from; n < min(from+count, t.Buckets(array)); n++ {
		t.viewChain(&v, array, n, entry)
	}
	return v
}

// locate finds the bucket of a key without moving anything.
func (t *Table) locate(key []byte, v *View) heap.Ptr {
	if key == nil || t.Len() == 0 {
		return 0
	}
	hash := t.Hash(key)
	r := t.Peek(key, hash)
	if !r.OK() {
		return 0
	}
	v.SelArray, v.Selected = r.i, int(hash&uint64(t.Buckets(r.i)-1))
	return r.Get()
}

func (t *Table) viewChain(v *View, array, n int, selected heap.Ptr) {
	at := t.array(array) + heap.Ptr(n)*BucketSize
	for depth := 0; ; depth++ {
		b := (*bucket)(t.H.At(at))
		x := BucketView{Array: array, Index: n, Depth: depth, Addr: uint64(at), Bytes: append([]byte(nil), b[:]...),
			Chained: b.chained(), Presence: b.filled() >> 1}
		for m := b.filled(); m != 0; m &= m - 1 {
			k := bits.TrailingZeros8(m)
			e := b.get(k)
			x.Entries = append(x.Entries, EntryView{k - 1, b[k], uint64(e), string(t.T.KeyOf(t.H, e)), e == selected})
		}
		v.Buckets = append(v.Buckets, x)
		if !b.chained() {
			return
		}
		at = b.get(Positions)
	}
}
