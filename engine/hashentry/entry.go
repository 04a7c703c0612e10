// Package hashentry is a field of a hash with its value and, from 9.0 on, its expiry, as a table of
// 8.1 and later points to it.
//
//	embedded  | [expire 8] | field sds | value sds8 ... to the end of the block |     up to 128 bytes asked for
//	pointer   | [expire 8] | value 8 | field sds, type 8 or larger |                  the value has a block of its own
//
// An entry's address is that of its field's text, and always odd, since every sds header is: the set
// of volatile fields relies on that. What lies before it is told by flags in the spare bits of the
// field's sds header. Type 5 has none, so a field below 32 bytes has a header of type 8 where the
// value is behind a pointer or there is an expiry.
//
//	8.1 (t_hash.c, hashTypeEntry)    bit 0: value pointer
//	9.0, 9.1 (entry.c)               bit 0: expiry; bit 1: value pointer; bit 2: not owned (modules only)
//
// Dicts of 7.2 and 8.0 hold two plain strings and know no entry. Sizes are in bytes, times in ms.
package hashentry

import (
	"encoding/binary"

	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/engine/release"
	"github.com/keyloupe/keyloupe/engine/sds"
)

// NoExpire is the expiry of a field that does not expire.
const NoExpire int64 = -1

const (
	word      = 8   // an expiry, a pointer
	maxEmbed  = 128 // EMBED_VALUE_MAX_ALLOC_SIZE: most that an entry with its value inside asks for
	valHeader = 3   // an embedded value always has an sds header of type 8
	flagBit   = 3   // first bit of the flags byte that the sds type leaves free
)

var (
	le = binary.LittleEndian

	expireDef = layout.Def{Name: "expire", Len: word, Role: layout.Expire, Signed: true, Meaning: "when the field expires, Unix time in ms"}
	valueDef  = layout.Def{Name: "value pointer", Len: word, Role: layout.Pointer, Meaning: "the value's sds"}
)

// Form is how an entry of some lengths is kept.
type Form struct {
	Embedded  bool
	FieldType int // sds header type of the field
	Want      int // bytes the entry's block asks for
	ValueWant int // bytes the value's block asks for, 0 when embedded
}

// FormOf tells how a fresh entry is kept.
func FormOf(r *release.Release, flen, vlen int, expires bool) Form {
	t, exp := sds.Type(r, flen), 0
	if expires {
		t, exp = max(t, sds.T8), word
	}
	if n := exp + sds.Req(t, flen) + valHeader + vlen + 1; n <= maxEmbed {
		return Form{Embedded: true, FieldType: t, Want: n}
	}
	t = max(t, sds.T8)
	return Form{FieldType: t, Want: exp + word + sds.Req(t, flen), ValueWant: sds.Req(sds.NewType(r, vlen), vlen)}
}

// Size is the sum of the blocks of a fresh entry.
func Size(r *release.Release, flen, vlen int, expires bool) int {
	f := FormOf(r, flen, vlen, expires)
	n := r.Build.Granted(f.Want)
	if !f.Embedded {
		n += r.Build.Granted(f.ValueWant)
	}
	return n
}

// flags of an entry, in the order of its release.
func expireFlag(r *release.Release) byte {
	if r.FieldTTL {
		return 1 << flagBit
	}
	return 0
}

func pointerFlag(r *release.Release) byte {
	if r.FieldTTL {
		return 2 << flagBit
	}
	return 1 << flagBit
}

// New allocates an entry and returns its address. at may be NoExpire.
func New(h *heap.Heap, field, value []byte, at int64) heap.Ptr {
	f := FormOf(h.Rel, len(field), len(value), at != NoExpire)
	if f.Embedded {
		return build(h, f, field, value, 0, at)
	}
	return build(h, f, field, nil, sds.New(h, value), at)
}

// build writes an entry: with its value inside, or pointing to it.
func build(h *heap.Heap, f Form, field, value []byte, ptr heap.Ptr, at int64) heap.Ptr {
	p := h.Alloc(f.Want)
	b := h.Bytes(p)
	off, flags := 0, byte(0)
	if at != NoExpire {
		le.PutUint64(b, uint64(at))
		off, flags = word, expireFlag(h.Rel)
	}
	if !f.Embedded {
		le.PutUint64(b[off:], uint64(ptr))
		off += word
		flags |= pointerFlag(h.Rel)
	}
	end := off + sds.Req(f.FieldType, len(field))
	if f.Embedded {
		sds.Write(b[end:], sds.T8, value)
	}
	text := off + sds.Write(b[off:end], f.FieldType, field)
	if f.FieldType != sds.T5 {
		b[text-1] |= flags
	}
	return p + heap.Ptr(text)
}

// head is an entry taken apart.
type head struct {
	start    heap.Ptr // its block
	text     int      // offset of the field's text in the block
	exp, ptr int      // offsets of the expiry and of the value pointer, -1 where there is none
}

func headOf(h *heap.Heap, e heap.Ptr) head {
	fl := h.Before(e, 1)[0]
	a := head{text: sds.Header(int(fl)), exp: -1, ptr: -1}
	if int(fl)&7 != sds.T5 {
		if fl&pointerFlag(h.Rel) != 0 {
			a.ptr = 0
			a.text += word
		}
		if fl&expireFlag(h.Rel) != 0 {
			a.exp = 0
			a.text += word
			if a.ptr == 0 {
				a.ptr = word
			}
		}
	}
	a.start = e - heap.Ptr(a.text)
	return a
}

// Field is the entry's field. It aliases the heap.
func Field(h *heap.Heap, e heap.Ptr) []byte { return sds.Text(h, e) }

// Embedded tells whether the value is in the entry's block.
func Embedded(h *heap.Heap, e heap.Ptr) bool {
	fl := h.Before(e, 1)[0]
	return fl&7 == sds.T5 || fl&pointerFlag(h.Rel) == 0
}

// valueAt is the offset of an embedded value's text.
func (a head) valueAt(b []byte) int { return a.text + sds.LenAt(b, a.text) + 1 + valHeader }

// Value is the entry's value. It aliases the heap.
func Value(h *heap.Heap, e heap.Ptr) []byte {
	a := headOf(h, e)
	b := h.Bytes(a.start)
	if a.ptr >= 0 {
		return sds.Text(h, heap.Ptr(le.Uint64(b[a.ptr:])))
	}
	return sds.TextAt(b, a.valueAt(b))
}

// Expire is the field's expiry, or NoExpire.
func Expire(h *heap.Heap, e heap.Ptr) int64 {
	fl := h.Before(e, 1)[0]
	if fl&7 == sds.T5 || fl&expireFlag(h.Rel) == 0 {
		return NoExpire
	}
	return int64(le.Uint64(h.Bytes(headOf(h, e).start)))
}

// Free frees the entry and its value.
func Free(h *heap.Heap, e heap.Ptr) {
	a := headOf(h, e)
	if a.ptr >= 0 {
		sds.Free(h, heap.Ptr(le.Uint64(h.Bytes(a.start)[a.ptr:])))
	}
	h.Free(a.start)
}

// MemUsage is what the entry's blocks take, as the server counts it.
func MemUsage(h *heap.Heap, e heap.Ptr) int {
	a := headOf(h, e)
	n := h.Usable(a.start)
	if a.ptr >= 0 {
		n += sds.Usable(h, heap.Ptr(le.Uint64(h.Bytes(a.start)[a.ptr:])))
	}
	return n
}

// SetValue gives the entry a value and an expiry and returns where it is then (9.0: entryUpdate;
// 8.1: hashTypeEntryReplaceValue, where at is NoExpire).
func SetValue(h *heap.Heap, e heap.Ptr, value []byte, at int64) heap.Ptr {
	a := headOf(h, e)
	b := h.Bytes(a.start)
	field := sds.TextAt(b, a.text)
	f := FormOf(h.Rel, len(field), len(value), at != NoExpire)
	embedded := a.ptr < 0
	if h.Rel.EntryRejoinsByHeader && !embedded {
		// 8.1 measures with the header the field has now; only the test does, not the block
		f.Embedded = f.Embedded && sds.Req(sds.TypeAt(b, a.text), len(field))+valHeader+len(value)+1 <= maxEmbed
	}
	toggled := (at != NoExpire) != (a.exp >= 0)
	switch {
	case toggled || f.Embedded != embedded || embedded && (f.Want > len(b) || f.Want < len(b)*3/4):
		q := New(h, field, value, at)
		noteRebuild(h, embedded, f.Embedded, toggled)
		Free(h, e)
		return q
	case embedded:
		sds.Write(b[a.valueAt(b)-valHeader:], sds.T8, value)
	default:
		v := sds.New(h, value)
		sds.Free(h, heap.Ptr(le.Uint64(b[a.ptr:])))
		le.PutUint64(b[a.ptr:], uint64(v))
	}
	if a.exp >= 0 {
		le.PutUint64(b, uint64(at))
	}
	return e
}

// SetExpire gives the entry an expiry, or takes it with NoExpire, and returns where it is then
// (9.0 and later: entrySetExpiry). A first expiry and the loss of one rebuild the entry.
func SetExpire(h *heap.Heap, e heap.Ptr, at int64) heap.Ptr {
	a := headOf(h, e)
	b := h.Bytes(a.start)
	if (at != NoExpire) == (a.exp >= 0) {
		if a.exp >= 0 {
			le.PutUint64(b, uint64(at))
		}
		return e
	}
	field, value := sds.TextAt(b, a.text), Value(h, e)
	f := FormOf(h.Rel, len(field), len(value), at != NoExpire)
	noteRebuild(h, a.ptr < 0, f.Embedded, true)
	if a.ptr < 0 || f.Embedded {
		q := New(h, field, value, at)
		Free(h, e)
		return q
	}
	q := build(h, f, field, nil, heap.Ptr(le.Uint64(b[a.ptr:])), at) // the value's block moves along
	h.Free(a.start)
	return q
}

func noteRebuild(h *heap.Heap, was, is, toggled bool) {
	switch {
	case !h.Tracing():
	case was && !is:
		h.Note("field and value need more than %d bytes together now: the value gets a block of its own", maxEmbed)
	case !was && is:
		h.Note("field and value fit in %d bytes together now: the value moves into the entry", maxEmbed)
	case toggled:
		h.Note("an entry has room for an expiry only while it has one, so it was built anew")
	}
}

// Picture adds the blocks of an entry: name, and name.value where the value has its own.
func Picture(pic *layout.Picture, h *heap.Heap, e heap.Ptr, name string) {
	a := headOf(h, e)
	b := h.Bytes(a.start)
	used := a.text + sds.LenAt(b, a.text) + 1
	val := 0
	if a.ptr < 0 {
		val = used + valHeader
		used = val + sds.LenAt(b, val) + 1
	}
	kind := "field + value"
	if a.ptr >= 0 {
		kind = "field"
	}
	k := pic.Add(name, kind, uint64(a.start), b, used)
	if a.exp >= 0 {
		k.Defs(a.exp, "", "expire", []layout.Def{expireDef})
	}
	if a.ptr >= 0 {
		k.Defs(a.ptr, "", "value pointer", []layout.Def{valueDef})
		k.Points(a.ptr, name+".value")
	}
	sds.Label(k, a.text, "field ", "field", layout.Key)
	if a.ptr < 0 {
		sds.Label(k, val, "value ", "value", layout.Value)
	}
	k.Done()
	if a.ptr >= 0 {
		sds.Picture(pic, h, heap.Ptr(le.Uint64(b[a.ptr:])), name+".value", "value", layout.Value)
	}
}
