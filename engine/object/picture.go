package object

import (
	"fmt"

	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/engine/release"
	"github.com/keyloupe/keyloupe/engine/sds"
)

// Structs are the tables of the parts of an object of a release, for documentation and tests: the
// head every object has, the pointer, the expire slot, the byte before the key.
func Structs(r *release.Release) []layout.Struct {
	return []layout.Struct{
		{Name: "robj", Source: "server.h, struct serverObject", Size: 16, Fields: append(append(first[:len(first):len(first)], word(r)...), pointer)},
		{Name: "expire", Source: "object.c", Size: expireSize, Fields: expire},
		{Name: "key header size", Source: "object.c", Size: 1, Fields: keyHdr},
	}
}

// Picture adds the block of an object. value is the name of the block its pointer leads to.
func Picture(pic *layout.Picture, h *heap.Heap, p heap.Ptr, value string) *layout.Block {
	r, b := h.Rel, h.Bytes(p)
	t, e := TypeOf(b), EncodingOf(b)
	modern := r.KeyTable == release.Hashtable
	embedded := e == Embstr
	k := pic.Add("object", kind(r, e), uint64(p), b, usedBytes(r, b))
	if IsShared(r, b) {
		pic.Share(k)
	}
	if k.Counted() {
		return k
	}
	k.Defs(0, "", "type:4 encoding:4 lru:24", first)
	k.Say("type", t.String())
	k.Say("encoding", e.String())
	k.Defs(0, "", wordPart(r), word(r))
	k.Mask(1, 3, "lru clock")
	at := 8
	if !modern || data(r, b) == 16 {
		at = k.Defs(0, "", "ptr", []layout.Def{pointer})
		switch {
		case e == Int:
			k.Say("ptr", fmt.Sprintf("the integer %d", int64(Val(b))))
			k.Fields[len(k.Fields)-1].Role = layout.Value
			k.Fields[len(k.Fields)-1].Meaning = "the integer itself, where a pointer would be"
		case embedded:
			k.Points(8, fmt.Sprintf("object+%d", embAt(r, b)))
		default:
			k.Points(8, value)
		}
	}
	if modern {
		if HasSlot(b) {
			at = k.Defs(at, "", "expire", expire)
		}
		k.Defs(at, "", "key header size", keyHdr)
		sds.Label(k, keyAt(r, b), "key ", "key", layout.Key)
	}
	if embedded {
		sds.Label(k, embAt(r, b), "value ", "value", layout.Value)
	}
	k.Done()
	return k
}

func kind(r *release.Release, e Encoding) string {
	switch {
	case r.KeyTable != release.Hashtable && e == Embstr:
		return "robj + value"
	case r.KeyTable != release.Hashtable:
		return "robj"
	case e == Embstr:
		return "robj + key + value"
	}
	return "robj + key"
}

// wordPart names the second word's bit fields together, as images/ do.
func wordPart(r *release.Release) string {
	if r.KeyTable != release.Hashtable {
		return "refcount"
	}
	s := ""
	for i, d := range word(r) {
		if i > 0 {
			s += " "
		}
		s += fmt.Sprintf("%s:%d", d.Name, d.Bits)
	}
	return s
}

// usedBytes is how much of an object's block means something.
func usedBytes(r *release.Release, b []byte) int {
	if EncodingOf(b) == Embstr {
		at := embAt(r, b)
		return at + sds.LenAt(b, at) + 1
	}
	if r.KeyTable != release.Hashtable {
		return 16
	}
	at := keyAt(r, b)
	return at + sds.LenAt(b, at) + 1
}
