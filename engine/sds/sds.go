// Package sds is the server's string: a header of a size that fits the length, the text, a NUL.
//
//	type 5   | len:5 type:3 | text ... | 0 |                 up to 31 bytes, no spare room
//	type 8   | len 1 | alloc 1 | flags 1 | text ... | 0 |
//	type 16  | len 2 | alloc 2 | flags 1 | text ... | 0 |
//	type 32  | len 4 | alloc 4 | flags 1 | text ... | 0 |
//
// A pointer to a string points at its text; the header lies before it. Rules: sds.c of each
// release; the bounds between the types and the raised header are in engine/release.
package sds

import (
	"encoding/binary"

	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/engine/release"
)

// The header types, as stored in the low three bits of the flags byte.
const (
	T5 = iota
	T8
	T16
	T32
)

const (
	typeMask    = 7
	maxPrealloc = 1 << 20 // strings below this double when they grow, larger ones gain this much
)

var (
	le      = binary.LittleEndian
	hdr     = [...]int{1, 3, 5, 9}
	room    = [...]int{0, 255, 65535, 1<<32 - 1} // most spare room and text a header can tell of
	layout5 = layout.Struct{Name: "sdshdr5", Source: "sds.h", Size: 1, Fields: []layout.Def{
		{Name: "type", Len: 1, Bits: 3, Role: layout.Meta, Meaning: "header type 5"},
		{Name: "len", Len: 1, Bit: 3, Bits: 5, Role: layout.Meta, Meaning: "bytes of text"}}}
)

func wide(name string, w, size int) layout.Struct {
	return layout.Struct{Name: name, Source: "sds.h", Size: size, Fields: []layout.Def{
		{Name: "len", Len: w, Role: layout.Meta, Meaning: "bytes of text"},
		{Name: "alloc", Off: w, Len: w, Role: layout.Meta, Meaning: "room for text, without header and NUL"},
		{Name: "type", Off: 2 * w, Len: 1, Bits: 3, Role: layout.Meta, Meaning: "header type"},
		{Name: "flags", Off: 2 * w, Len: 1, Bit: 3, Bits: 5, Role: layout.Meta, Meaning: "free for the string's owner"}}}
}

// Structs are the header tables by type.
var Structs = [...]layout.Struct{T5: layout5, T8: wide("sdshdr8", 1, 3), T16: wide("sdshdr16", 2, 5), T32: wide("sdshdr32", 4, 9)}

// Header is the header size of a type.
func Header(t int) int { return hdr[t&3] }

// Type is the natural header type for a length.
func Type(r *release.Release, n int) int {
	switch {
	case n < 32:
		return T5
	case n <= r.SdsMax8:
		return T8
	case n <= r.SdsMax16:
		return T16
	}
	return T32
}

// Req is the room that n bytes need with a header of type t: header, text, NUL.
func Req(t, n int) int { return hdr[t] + n + 1 }

// typeFor is the header of a new string of n bytes once its block's size is known: strings of no
// bytes expect to grow, and from 8.0 on a header that can't tell of all the room is replaced.
func typeFor(r *release.Release, t, block int) int {
	if r.SdsRaise && t != T5 && block-hdr[t]-1 > room[t] {
		return Type(r, block-hdr[t]-1)
	}
	return t
}

// Raised is the header type that a string asking for type t gets in the block at p.
func Raised(h *heap.Heap, t int, p heap.Ptr) int { return typeFor(h.Rel, t, h.Usable(p)) }

// NewHeader is the header that a new string of n bytes gets: its type and the room it tells of.
func NewHeader(r *release.Release, n int) (t, alloc int) {
	t = NewType(r, n)
	block := r.Build.Granted(Req(t, n))
	t = typeFor(r, t, block)
	return t, min(block-hdr[t]-1, room[t])
}

// NewType is the header type that a new string of n bytes asks for.
func NewType(r *release.Release, n int) int {
	if n == 0 {
		return T8
	}
	return Type(r, n)
}

// BlockSize is the usable size of the block that New makes for n bytes.
func BlockSize(r *release.Release, n int) int { return r.Build.Granted(Req(NewType(r, n), n)) }

// New allocates a string and returns the address of its text.
func New(h *heap.Heap, s []byte) heap.Ptr { return NewAs(h, NewType(h.Rel, len(s)), s) }

// NewAs is New with a wanted header type.
func NewAs(h *heap.Heap, t int, s []byte) heap.Ptr {
	p := h.Alloc(Req(t, len(s)))
	b := h.Bytes(p)
	return p + heap.Ptr(Write(b, typeFor(h.Rel, t, len(b)), s))
}

// Write fills block with a string whose header is of type t and returns the offset of its text.
func Write(block []byte, t int, s []byte) int {
	n := writeHeader(block, t, len(s), len(block)-hdr[t]-1)
	copy(block[n:], s)
	block[n+len(s)] = 0
	return n
}

// WriteRoom is Write with a header that tells of alloc bytes of room, whatever the block has: a
// string that was copied into another block with its header.
func WriteRoom(block []byte, t int, s []byte, alloc int) {
	n := writeHeader(block, t, len(s), alloc)
	copy(block[n:], s)
	block[n+len(s)] = 0
}

func writeHeader(b []byte, t, n, alloc int) int {
	alloc = min(alloc, room[t])
	switch t {
	case T5:
		b[0] = byte(n) << 3 // the type bits are T5, zero
	case T8:
		b[0], b[1], b[2] = byte(n), byte(alloc), T8
	case T16:
		le.PutUint16(b, uint16(n))
		le.PutUint16(b[2:], uint16(alloc))
		b[4] = T16
	default:
		le.PutUint32(b, uint32(n))
		le.PutUint32(b[4:], uint32(alloc))
		b[8] = T32
	}
	return hdr[t]
}

// TypeAt is the header type of the string whose text starts at b[off].
func TypeAt(b []byte, off int) int { return int(b[off-1]) & typeMask }

// LenAt is the length of the string whose text starts at b[off].
func LenAt(b []byte, off int) int {
	f := b[off-1]
	switch f & typeMask {
	case T5:
		return int(f >> 3)
	case T8:
		return int(b[off-3])
	case T16:
		return int(le.Uint16(b[off-5:]))
	}
	return int(le.Uint32(b[off-9:]))
}

// AllocAt is the room for text of the string whose text starts at b[off].
func AllocAt(b []byte, off int) int {
	switch b[off-1] & typeMask {
	case T5:
		return LenAt(b, off)
	case T8:
		return int(b[off-2])
	case T16:
		return int(le.Uint16(b[off-3:]))
	}
	return int(le.Uint32(b[off-5:]))
}

// TextAt returns the text that starts at b[off].
func TextAt(b []byte, off int) []byte { n := LenAt(b, off); return b[off : off+n : off+n] }

// TypeOf is the header type of the string at p.
func TypeOf(h *heap.Heap, p heap.Ptr) int {
	b, i := h.Around(p)
	return TypeAt(b, i)
}

// Len is the length of the string at p.
func Len(h *heap.Heap, p heap.Ptr) int {
	return LenAt(h.Around(p))
}

// Text returns the text of the string at p. It aliases the heap.
func Text(h *heap.Heap, p heap.Ptr) []byte {
	return TextAt(h.Around(p))
}

// Start is the first byte of the block of a string that has a block of its own.
func Start(h *heap.Heap, p heap.Ptr) heap.Ptr { return p - heap.Ptr(hdr[TypeOf(h, p)]) }

// Usable is the usable size of the block of the string at p.
func Usable(h *heap.Heap, p heap.Ptr) int { return h.Usable(Start(h, p)) }

// Free frees the string at p; null is ignored.
func Free(h *heap.Heap, p heap.Ptr) {
	if p != 0 {
		h.Free(Start(h, p))
	}
}

// Avail is the spare room of the string at p; none for type 5, which can't tell of it.
func Avail(h *heap.Heap, p heap.Ptr) int {
	t := TypeOf(h, p)
	b := h.Before(p, hdr[t])
	return AllocAt(b, hdr[t]) - LenAt(b, hdr[t])
}

// SetLen sets the length of the string at p, whose block has room for n bytes, and its NUL.
func SetLen(h *heap.Heap, p heap.Ptr, n int) {
	t := TypeOf(h, p)
	b := h.At(p - heap.Ptr(hdr[t]))
	switch t {
	case T5:
		b[0] = byte(n) << 3 // the type bits are T5, zero
	case T8:
		b[0] = byte(n)
	case T16:
		le.PutUint16(b, uint16(n))
	default:
		le.PutUint32(b, uint32(n))
	}
	b[hdr[t]+n] = 0
}

// MakeRoom makes sure that add more bytes fit and returns where the text is then. Where they don't,
// room is made for twice the new length, or 1 MiB more from 1 MiB on (sds.c, sdsMakeRoomFor).
func MakeRoom(h *heap.Heap, p heap.Ptr, add int) heap.Ptr {
	if Avail(h, p) >= add {
		return p
	}
	n := Len(h, p)
	want := n + add
	if want < maxPrealloc {
		want *= 2
	} else {
		want += maxPrealloc
	}
	h.Note("the string grew past its room: space for %d bytes was taken, %d are used now", want, n+add)
	return resize(h, p, max(Type(h.Rel, want), T8), want, n)
}

// Grow zero-fills the string at p up to n bytes and returns where the text is then.
func Grow(h *heap.Heap, p heap.Ptr, n int) heap.Ptr {
	old := Len(h, p)
	if n <= old {
		return p
	}
	p = MakeRoom(h, p, n-old)
	clear(h.At(p)[old:n])
	SetLen(h, p, n)
	return p
}

// Append adds text to the string at p and returns where it is then.
func Append(h *heap.Heap, p heap.Ptr, text []byte) heap.Ptr {
	n := Len(h, p)
	p = MakeRoom(h, p, len(text))
	copy(h.At(p)[n:], text)
	SetLen(h, p, n+len(text))
	return p
}

// Trim gives back the spare room of the string at p and returns where it is then.
func Trim(h *heap.Heap, p heap.Ptr) heap.Ptr { return Resize(h, p, Len(h, p), false) }

// Resize gives the string at p room for size bytes, which may cut it, and returns where it is then
// (sds.c, sdsResize). A header larger than type 8 stays where a smaller one would do; regrow asks
// for one that can tell of spare room. 7.2 records the room asked for, later releases what the
// block has.
func Resize(h *heap.Heap, p heap.Ptr, size int, regrow bool) heap.Ptr {
	n, t := min(Len(h, p), size), TypeOf(h, p)
	if n+Avail(h, p) == size {
		return p
	}
	want := Type(h.Rel, size)
	if regrow {
		want = max(want, T8)
	}
	if want < t && want > T8 {
		want = t
	}
	p = resize(h, p, want, size, n)
	if t = TypeOf(h, p); !h.Rel.SdsRaise && t != T5 {
		writeHeader(h.At(p-heap.Ptr(hdr[t])), t, n, size)
	}
	return p
}

// resize gives the string room for want bytes under a header of type t; n bytes of text stay.
func resize(h *heap.Heap, p heap.Ptr, t, want, n int) heap.Ptr {
	old := TypeOf(h, p)
	q := p - heap.Ptr(hdr[old])
	if old == t {
		q = h.Realloc(q, Req(t, want))
		b := h.Bytes(q)
		if up := typeFor(h.Rel, t, len(b)); up != t { // the text shifts to make place for the header
			copy(b[hdr[up]:], b[hdr[t]:hdr[t]+n])
			t = up
		}
		return q + heap.Ptr(finish(b, t, n))
	}
	r := h.Alloc(Req(t, want))
	b := h.Bytes(r)
	t = typeFor(h.Rel, t, len(b))
	copy(b[hdr[t]:], h.At(p)[:n])
	h.Free(q)
	return r + heap.Ptr(finish(b, t, n))
}

func finish(b []byte, t, n int) int {
	writeHeader(b, t, n, len(b)-hdr[t]-1)
	b[hdr[t]+n] = 0
	return hdr[t]
}

// Label labels the string whose text starts at offset off of a block and returns the offset after
// its NUL. prefix names its header ("key "), text its text ("key", "payload").
func Label(k *layout.Block, off int, prefix, text string, role layout.Role) int {
	t, n := TypeAt(k.Bytes, off), LenAt(k.Bytes, off)
	k.Struct(off-hdr[t], prefix, &Structs[t])
	k.Data(off, n, text, role, "")
	return k.Data(off+n, 1, "nul", layout.Meta, "ends the text for C functions")
}

// Picture adds the block of a string that has one of its own.
func Picture(pic *layout.Picture, h *heap.Heap, p heap.Ptr, name, kind string, role layout.Role) *layout.Block {
	q := Start(h, p)
	k := pic.Add(name, kind, uint64(q), h.Bytes(q), int(p-q)+Len(h, p)+1)
	Label(k, int(p-q), "", "payload", role)
	k.Done()
	return k
}
