package hashtable

import (
	"fmt"

	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/layout"
)

var presence = []layout.Def{
	{Name: "chained", Len: 1, Bits: 1, Role: layout.Header, Meaning: "the last position links to a child bucket"},
	{Name: "presence", Len: 1, Bit: 1, Bits: 7, Role: layout.Header, Meaning: "positions that have an entry"}}

// Picture adds the blocks of a table: the struct under a name, its arrays as name.table0 and
// name.table1 and child buckets as name.tableN.childI, I being the bucket they hang on. entry is
// called for every entry in the order of the arrays and returns the name of its block. meta, if not
// nil, labels the metadata, which begins at an offset of the struct's block.
func (t *Table) Picture(pic *layout.Picture, name string, entry func(e heap.Ptr) string, meta func(k *layout.Block, at int)) {
	k := pic.Add(name, "hashtable", uint64(t.P), t.b, StructSize(t.H.Rel, t.T.Metadata))
	k.Plain = true
	at := k.Struct(0, "", Struct(t.H.Rel))
	k.Points(offType, "static:type")
	k.Mask(offPad, 2, "padding")
	for i := range 2 {
		if t.array(i) != 0 {
			k.Points(offTables+8*i, fmt.Sprintf("%s.table%d", name, i))
		}
	}
	if meta != nil {
		meta(k, at)
	}
	k.Done()
	for i := range 2 {
		if t.array(i) != 0 {
			t.pictureBuckets(pic, fmt.Sprintf("%s.table%d", name, i), t.array(i), t.Buckets(i), entry)
		}
	}
}

// pictureBuckets adds an array of buckets, and then the child buckets that hang on it.
func (t *Table) pictureBuckets(pic *layout.Picture, name string, p heap.Ptr, n int, entry func(heap.Ptr) string) {
	kind := "buckets"
	if n == 1 {
		kind = "bucket"
	}
	k := pic.Add(name, kind, uint64(p), t.H.Bytes(p), BucketSize*n)
	k.Plain = true
	type child struct {
		name string
		p    heap.Ptr
	}
	var children []child
	for i := range n {
		at := BucketSize * i
		b := (*bucket)(t.H.At(p + heap.Ptr(at)))
		k.Defs(at, "", "bucket", presence)
		for s := 1; s <= Positions; s++ {
			k.Data(at+s, 1, fmt.Sprintf("hash tag %d", s-1), layout.Meta, "top byte of the entry's hash")
			k.Defs(at+8*s, "", "bucket", []layout.Def{{Name: fmt.Sprintf("entry %d", s-1), Len: 8, Role: layout.Pointer, Meaning: "an entry of the table"}})
			switch {
			case s == Positions && b.chained():
				c := child{fmt.Sprintf("%s.child%d", name, i), b.get(s)}
				k.Points(at+8*s, c.name)
				children = append(children, c)
			case b[0]>>s&1 != 0:
				k.Points(at+8*s, entry(b.get(s)))
			case b.get(s) != 0 || b[s&63] != 0:
				k.Mask(at+8*s, 8, "stale pointer of an empty position")
				k.Mask(at+s, 1, "stale hash tag of an empty position")
			}
		}
	}
	k.Done()
	for _, c := range children {
		t.pictureBuckets(pic, c.name, c.p, 1, entry)
	}
}
