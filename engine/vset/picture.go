package vset

import (
	"strconv"

	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/layout"
)

var wordDef = layout.Def{Name: "volatile fields", Len: 8, Role: layout.Pointer, Meaning: "fields that expire: null for none, else tagged in its low bits: 1 an entry, 2 a vector, 6 a radix tree"}

// Label labels the word, which lies at an offset of a block.
func (s Set) Label(k *layout.Block, at int) {
	k.Defs(at, "", "volatile fields", []layout.Def{wordDef})
	if !s.Empty() {
		k.Points(at, "vset:"+string(s.Kind()))
	}
}

// Picture adds the block of a vector and tells in pic.Vset how the set is kept. A single entry has
// no block; the nodes and windows of a tree are not drawn.
func (s Set) Picture(pic *layout.Picture, entry func(e heap.Ptr) string) {
	switch s.Kind() {
	case Single:
		pic.Vset = []string{string(Single), entry(heap.Ptr(s.word()))}
	case Tree:
		pic.Vset = []string{string(Tree)}
	case Vector:
		pic.Vset = []string{string(Vector), "vset"}
		s.pictureVector(pic, entry)
	}
}

func (s Set) pictureVector(pic *layout.Picture, entry func(e heap.Ptr) string) {
	v := s.vec(s.word())
	b := v.bytes()
	k := pic.Add("vset", "volatile fields", uint64(v.p), b, vecSize(v.len()))
	k.Defs(0, "", "len:30 alloc:34", vecStruct.Fields)
	for i := range v.len() {
		k.Defs(vecSize(i), "", "", []layout.Def{{Name: "field " + strconv.Itoa(i), Len: 8, Role: layout.Pointer, Meaning: "an entry, in the order of expiry"}})
		k.Points(vecSize(i), entry(v.get(i)))
	}
	k.Done()
}
