package vset

import (
	"fmt"

	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/engine/rax"
)

var wordDef = layout.Def{Name: "volatile fields", Len: 8, Role: layout.Pointer, Meaning: "fields that expire: null for none, else tagged in its low bits: 1 an entry, 2 a vector, 6 a radix tree"}

// Label labels the word, which lies at an offset of a block.
func (s Set) Label(k *layout.Block, at int) {
	k.Defs(at, "", "volatile fields", []layout.Def{wordDef})
	if !s.Empty() {
		k.Points(at, "vset:"+string(s.Kind()))
	}
}

// Picture adds the blocks of the set and tells in pic.Vset how it is kept: none for a single entry,
// the vector as vset, or the tree as vset with its nodes and, as vset.window0 and on, what its time
// windows hold in a block of their own. entry names the block of an entry.
func (s Set) Picture(pic *layout.Picture, entry func(e heap.Ptr) string) {
	switch s.Kind() {
	case Single:
		pic.Vset = []string{string(Single), entry(heap.Ptr(s.word()))}
	case Vector:
		pic.Vset = []string{string(Vector), "vset"}
		s.pictureVector(pic, s.vec(s.word()), "vset", entry)
	case Tree:
		pic.Vset = []string{string(Tree), "vset"}
		n := 0
		rax.Picture(pic, s.H, s.word().ptr(), "vset", func(_ []byte, v heap.Ptr) string {
			name := fmt.Sprint("vset.window", n)
			n++
			return s.pictureWindow(pic, bucket(v), name, entry)
		})
	}
}

// pictureWindow adds what a window holds and returns the name of its block.
func (s Set) pictureWindow(pic *layout.Picture, b bucket, name string, entry func(heap.Ptr) string) string {
	switch b.kind() {
	case single:
		return entry(heap.Ptr(b))
	case vector:
		s.pictureVector(pic, s.vec(b), name, entry)
	case table:
		t := s.open(b)
		t.Picture(pic, name, entry, nil)
	}
	return name
}

func (s Set) pictureVector(pic *layout.Picture, v vec, name string, entry func(heap.Ptr) string) {
	k := pic.Add(name, "volatile fields", uint64(v.p), v.bytes(), vecSize(v.len()))
	k.Defs(0, "", "len:30 alloc:34", vecStruct.Fields)
	for i := range v.len() {
		field := fmt.Sprint("field ", i)
		k.Defs(vecSize(i), "", "", []layout.Def{{Name: field, Len: 8, Role: layout.Pointer, Meaning: "an entry, in the order of expiry"}})
		k.Points(vecSize(i), entry(v.get(i)))
	}
	k.Done()
}
