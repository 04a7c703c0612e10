package dict

import (
	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/engine/sds"
)

// Entry is a tagged pointer to an entry, or a key that has none; 0 is no entry.
type Entry uint64

// The tags of an entry's pointer; a set lowest bit says that it is a key.
const (
	tagMask    = 7
	tagNormal  = 0
	tagNoValue = 2
	tagWithKey = 4
)

const (
	entrySize   = 24
	noValueSize = 16
	keyAt       = 17 // where an entry's key begins: after value, next, header size
)

var (
	entryStruct = layout.Struct{Name: "dictEntry", Source: "dict.c", Size: entrySize, Fields: []layout.Def{
		{Name: "key", Len: 8, Role: layout.Pointer, Meaning: "the key's text"},
		{Name: "value", Off: 8, Len: 8, Role: layout.Pointer, Meaning: "the value, or a number"},
		{Name: "next", Off: 16, Len: 8, Role: layout.Pointer, Meaning: "next entry of the slot"}}}
	expireStruct = layout.Struct{Name: "dictEntry", Source: "dict.c", Size: entrySize, Fields: []layout.Def{
		entryStruct.Fields[0], {Name: "expire", Off: 8, Len: 8, Role: layout.Expire, Signed: true, Meaning: "when the key expires, Unix time in ms"}, entryStruct.Fields[2]}}
	noValueStruct = layout.Struct{Name: "dictEntryNoValue", Source: "dict.c", Size: noValueSize, Fields: []layout.Def{
		{Name: "key", Len: 8, Role: layout.Pointer, Meaning: "the key's text"},
		{Name: "next", Off: 8, Len: 8, Role: layout.Pointer, Meaning: "next entry of the slot"}}}
	withKeyStruct = layout.Struct{Name: "embeddedDictEntry", Source: "dict.c", Fields: []layout.Def{
		{Name: "value", Len: 8, Role: layout.Pointer, Meaning: "the value's object"},
		{Name: "next", Off: 8, Len: 8, Role: layout.Pointer, Meaning: "next entry of the slot"},
		{Name: "key header size", Off: 16, Len: 1, Role: layout.Meta, Meaning: "bytes of the key's sds header, to find its text"}}}
)

func (e Entry) tag() int      { return int(e & tagMask) }
func (e Entry) isKey() bool   { return e&1 != 0 }
func (e Entry) ptr() heap.Ptr { return heap.Ptr(e &^ tagMask) }

// link is the address of an entry's pointer to the next one. A key has none.
func (e Entry) link() heap.Ptr {
	if e.tag() == tagNormal {
		return e.ptr() + 16
	}
	return e.ptr() + 8
}

func newEntry(h *heap.Heap, key heap.Ptr, next Entry) Entry {
	p := h.Alloc(entrySize)
	b := h.Bytes(p)
	le.PutUint64(b, uint64(key))
	le.PutUint64(b[8:], 0)
	le.PutUint64(b[16:], uint64(next))
	return Entry(p)
}

func newEntryNoValue(h *heap.Heap, key heap.Ptr, next Entry) Entry {
	p := h.Alloc(noValueSize)
	b := h.Bytes(p)
	le.PutUint64(b, uint64(key))
	le.PutUint64(b[8:], uint64(next))
	return Entry(p) | tagNoValue
}

func newEntryWithKey(h *heap.Heap, key []byte, t, alloc int, next Entry) Entry {
	n := sds.Req(t, len(key))
	p := h.Alloc(keyAt + n)
	b := h.Bytes(p)
	le.PutUint64(b, 0)
	le.PutUint64(b[8:], uint64(next))
	b[16] = byte(sds.Header(t))
	sds.WriteRoom(b[keyAt:keyAt+n], t, key, alloc)
	return Entry(p) | tagWithKey
}

func (d *Dict) next(e Entry) Entry {
	if e.isKey() {
		return 0
	}
	return Entry(le.Uint64(d.H.At(e.link())))
}

func (d *Dict) setNext(e, next Entry) { le.PutUint64(d.H.At(e.link()), uint64(next)) }

// KeyPtr is the address of an entry's key, an sds string.
func (d *Dict) KeyPtr(e Entry) heap.Ptr {
	if e.isKey() {
		return heap.Ptr(e)
	}
	p := e.ptr()
	if e.tag() == tagWithKey {
		return p + keyAt + heap.Ptr(d.H.At(p)[16])
	}
	return heap.Ptr(le.Uint64(d.H.At(p)))
}

// Key is an entry's key. It aliases the heap.
func (d *Dict) Key(e Entry) []byte { return sds.Text(d.H, d.KeyPtr(e)) }

// SetKey makes an entry point to another sds string of the same text.
func (d *Dict) SetKey(e Entry, key heap.Ptr) { le.PutUint64(d.H.At(e.ptr()), uint64(key)) }

func (e Entry) val() heap.Ptr {
	if e.tag() == tagWithKey {
		return e.ptr()
	}
	return e.ptr() + 8
}

// Val is an entry's value: an address, or a number.
func (d *Dict) Val(e Entry) uint64 { return le.Uint64(d.H.At(e.val())) }

// SetVal sets an entry's value; what was there is not freed.
func (d *Dict) SetVal(e Entry, v uint64) { le.PutUint64(d.H.At(e.val()), v) }

// FreeEntry frees an entry that was unlinked, with its key and value where they belong to the dict.
func (d *Dict) FreeEntry(e Entry) {
	if e == 0 {
		return
	}
	if d.T.FreeKey && e.tag() != tagWithKey {
		sds.Free(d.H, d.KeyPtr(e))
	}
	if d.T.FreeVal != nil {
		d.T.FreeVal(d.H, d.Val(e))
	}
	if !e.isKey() {
		d.H.Free(e.ptr())
	}
}
