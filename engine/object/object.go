// Package object is the server's object, robj: what a key's value begins with.
//
//	7.2, 8.0            | type:4 enc:4 lru:24 | refcount 4 | ptr 8 |                      16 bytes
//	  embstr            ... and then | sds8 header 3 | value | 0 |
//	8.1, 9.0            | type:4 enc:4 lru:24 | flags:2 refcount:30 | ptr 8 | [expire 8] | key header size 1 | key sds |
//	  embstr            ... and then | sds8 header 3 | value | 0 | to the end of the block; ptr points there
//	9.1                 | type:4 enc:4 lru:24 | flags:3 refcount:29 | ptr 8 | [expire 8] | key header size 1 | key sds |
//	  embstr            the same without ptr
//
// From 8.1 on an object of the keyspace holds its key and, in a slot that is there or not, its
// expiry (server.h, struct serverObject; object.c). Sizes are in bytes. Where a block has 8 bytes
// to spare the slot is there although nobody asked for it, and once there it stays.
package object

import (
	"encoding/binary"
	"strconv"

	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/engine/release"
	"github.com/keyloupe/keyloupe/engine/sds"
)

var le = binary.LittleEndian

// Type is what a value is.
type Type uint8

// The types.
const (
	String Type = iota
	List
	Set
	Zset
	Hash
	Module
	Stream
)

var typeNames = [...]string{"string", "list", "set", "zset", "hash", "module", "stream"}

func (t Type) String() string { return typeNames[t] }

// Encoding is how a value is kept.
type Encoding uint8

// The encodings (server.h, OBJ_ENCODING_*).
const (
	Raw       Encoding = 0
	Int       Encoding = 1
	Table     Encoding = 2 // dict before 8.1, hashtable from then on; always called hashtable
	Intset    Encoding = 6
	Skiplist  Encoding = 7
	Embstr    Encoding = 8
	Quicklist Encoding = 9
	StreamRax Encoding = 10
	Listpack  Encoding = 11
)

var encodingNames = map[Encoding]string{Raw: "raw", Int: "int", Table: "hashtable", Intset: "intset", Skiplist: "skiplist",
	Embstr: "embstr", Quicklist: "quicklist", StreamRax: "stream", Listpack: "listpack"}

func (e Encoding) String() string { return encodingNames[e] }

// NoExpire is the expiry of a key that does not expire.
const NoExpire int64 = -1

const (
	expireSize = 8
	// keyWithSlot is the key length from which an object that is not embstr always gets an expire
	// slot (object.c, KEY_SIZE_TO_INCLUDE_EXPIRE_THRESHOLD, 8.1 and later).
	keyWithSlot  = 128
	sharedRefs   = 1<<31 - 1 // OBJ_SHARED_REFCOUNT of 7.2 and 8.0
	embValHeader = 3         // embedded values always have an sds header of type 8
)

// Fields of the 16 bytes every robj starts with. The second word differs by release.
var (
	first = []layout.Def{
		{Name: "type", Len: 4, Bits: 4, Role: layout.Header, Meaning: "string, list, set, zset, hash or stream"},
		{Name: "encoding", Len: 4, Bit: 4, Bits: 4, Role: layout.Header, Meaning: "how the value is kept"},
		{Name: "lru", Len: 4, Bit: 8, Bits: 24, Role: layout.Header, Meaning: "clock of the last access, seconds, or LFU counter"}}
	pointer = layout.Def{Name: "ptr", Off: 8, Len: 8, Role: layout.Pointer, Meaning: "the value: an address, or the integer itself"}
	expire  = []layout.Def{{Name: "expire", Len: expireSize, Role: layout.Expire, Signed: true, Meaning: "when the key expires, Unix time in ms; -1 = reserved, no expiry"}}
	keyHdr  = []layout.Def{{Name: "key header size", Len: 1, Role: layout.Meta, Meaning: "bytes of the key's sds header, to find its text"}}

	word72 = []layout.Def{{Name: "refcount", Off: 4, Len: 4, Role: layout.Header, Meaning: "owners of the object"}}
	word81 = []layout.Def{bit("hasexpire", 0, 1, "an expire slot follows"), bit("hasembkey", 1, 1, "the key is in this block"), bit("refcount", 2, 30, "owners of the object")}
	word91 = []layout.Def{bit("hasexpire", 0, 1, "an expire slot follows"), bit("hasembkey", 1, 1, "the key is in this block"),
		bit("hasembval", 2, 1, "the value is in this block and takes ptr's place"), bit("refcount", 3, 29, "owners of the object")}
)

func bit(name string, at, n int, meaning string) layout.Def {
	return layout.Def{Name: name, Off: 4, Len: 4, Bit: at, Bits: n, Role: layout.Header, Meaning: meaning}
}

// Flag bits of the second word, 8.1 and later; tests hold them against the tables above.
const (
	hasExpire = 1
	hasKey    = 2
	hasValue  = 4
)

func word(r *release.Release) []layout.Def {
	switch {
	case r.EmbedValueFlag:
		return word91
	case r.KeyTable == release.Hashtable:
		return word81
	}
	return word72
}

// KeyRoom is what a key of n bytes takes in an object or entry: the byte that tells the header's
// size, header, text, NUL.
func KeyRoom(r *release.Release, n int) int { return 1 + sds.Req(sds.Type(r, n), n) }

// Embeds tells whether key and value fit in one block (object.c, shouldEmbedStringObject). Before
// 8.1 the key does not count. need is what the test adds up, limit what it allows.
func Embeds(r *release.Release, klen, vlen int, ttl bool) (ok bool, need, limit int) {
	need = r.EmbedBase + embValHeader + vlen + 1
	if r.KeyTable == release.Hashtable {
		room := KeyRoom(r, klen)
		if r.EmbedShortKeyHeader {
			room = 1 + sds.Req(sds.T5, klen)
		}
		need += room
		if ttl {
			need += expireSize
		}
	}
	return need <= r.EmbedLimit && vlen <= 255, need, r.EmbedLimit
}

// EmbSize is the block of an object with its value embedded, and whether it has an expire slot.
func EmbSize(r *release.Release, klen, vlen int, ttl bool) (want, block int, slot bool) {
	want = r.EmbedBase + KeyRoom(r, klen) + max(embValHeader+vlen+1, r.EmbedFloor)
	return withSlot(r, want, ttl)
}

// PlainSize is the block of any other object with its key, and whether it has an expire slot.
func PlainSize(r *release.Release, klen int, ttl bool) (want, block int, slot bool) {
	return withSlot(r, 16+KeyRoom(r, klen), ttl || klen >= keyWithSlot)
}

// withSlot adds the slot where it is wanted, or where the block has room for it anyway.
func withSlot(r *release.Release, want int, slot bool) (int, int, bool) {
	if slot {
		want += expireSize
	}
	block := r.Build.Granted(want + r.Build.ObjectExtra)
	return want, block, slot || block-want-r.Build.ObjectExtra >= expireSize
}

// New allocates an object of 7.2 or 8.0, whose value is behind ptr or, for integers, is ptr.
func New(h *heap.Heap, t Type, e Encoding, ptr uint64) heap.Ptr {
	p := h.Alloc(16 + h.Rel.Build.ObjectExtra)
	b := h.Bytes(p)
	le.PutUint32(b, uint32(t)|uint32(e)<<4)
	le.PutUint32(b[4:], 1)
	le.PutUint64(b[8:], ptr)
	return p
}

// NewEmbstr allocates a string object of 7.2 or 8.0 that ends with its value.
func NewEmbstr(h *heap.Heap, val []byte) heap.Ptr {
	p := h.Alloc(16 + embValHeader + len(val) + 1 + h.Rel.Build.ObjectExtra)
	b := h.Bytes(p)
	le.PutUint32(b, uint32(String)|uint32(Embstr)<<4)
	le.PutUint32(b[4:], 1)
	le.PutUint64(b[8:], uint64(p)+16+embValHeader)
	sds.WriteRoom(b[16:], sds.T8, val, EmbstrRoom(h.Rel, len(val)))
	return p
}

// EmbstrRoom is the room for text that the header of an embstr object of 7.2 or 8.0 tells of: that
// of its block in 8.0, the text's own length in 7.2.
func EmbstrRoom(r *release.Release, n int) int {
	if !r.EmbstrTellsRoom {
		return n
	}
	const around = 16 + embValHeader + 1
	return min(r.Build.Granted(around+n+r.Build.ObjectExtra)-r.Build.ObjectExtra-around, 255)
}

// NewPlain allocates an object of 8.1 or later with its key; the value is behind ptr or is ptr.
func NewPlain(h *heap.Heap, t Type, e Encoding, ptr uint64, key []byte, at int64) heap.Ptr {
	want, _, slot := PlainSize(h.Rel, len(key), at != NoExpire)
	p := h.Alloc(want + h.Rel.Build.ObjectExtra)
	b := h.Bytes(p)
	writeHead(h.Rel, b, t, e, 16, slot, 0, key, at)
	le.PutUint64(b[8:], ptr)
	noteSlot(h, slot, at, len(key))
	return p
}

// NewEmb allocates a string object of 8.1 or later with its key and its value.
func NewEmb(h *heap.Heap, key, val []byte, at int64) heap.Ptr {
	r := h.Rel
	want, _, slot := EmbSize(r, len(key), len(val), at != NoExpire)
	p := h.Alloc(want + r.Build.ObjectExtra)
	b := h.Bytes(p)
	flags := uint32(0)
	if r.EmbedValueFlag {
		flags = hasValue
	}
	off := writeHead(r, b, String, Embstr, r.EmbedBase, slot, flags, key, at)
	text := off + sds.Write(b[off:len(b)-r.Build.ObjectExtra], sds.T8, val)
	if !r.EmbedValueFlag {
		le.PutUint64(b[8:], uint64(p)+uint64(text))
	}
	noteSlot(h, slot, at, 0)
	return p
}

func noteSlot(h *heap.Heap, slot bool, at int64, klen int) {
	switch {
	case !slot || at != NoExpire || !h.Tracing():
	case klen >= keyWithSlot:
		h.Note("a key of %d bytes or more gets an expire slot at once: a TTL later costs nothing", keyWithSlot)
	default:
		h.Note("the block has 8 bytes to spare, so an expire slot was reserved: a TTL later costs nothing")
	}
}

// writeHead writes all before the value and returns the offset after it.
func writeHead(r *release.Release, b []byte, t Type, e Encoding, data int, slot bool, flags uint32, key []byte, at int64) int {
	flags |= hasKey
	if slot {
		flags |= hasExpire
	}
	one := uint32(1) << 2
	if r.EmbedValueFlag {
		one = 1 << 3
	}
	le.PutUint32(b, uint32(t)|uint32(e)<<4)
	le.PutUint32(b[4:], flags|one)
	if slot {
		le.PutUint64(b[data:], uint64(at))
		data += expireSize
	}
	kt := sds.Type(r, len(key))
	end := data + 1 + sds.Req(kt, len(key))
	b[data] = byte(sds.Header(kt))
	sds.Write(b[data+1:end], kt, key)
	return end
}

// TypeOf is the type in an object's bytes.
func TypeOf(b []byte) Type { return Type(b[0] & 15) }

// EncodingOf is the encoding in an object's bytes.
func EncodingOf(b []byte) Encoding { return Encoding(b[0] >> 4) }

// SetTypeEncoding changes both.
func SetTypeEncoding(b []byte, t Type, e Encoding) { b[0] = byte(t) | byte(e)<<4 }

// LRU is the 24-bit access clock.
func LRU(b []byte) uint32 { return le.Uint32(b) >> 8 }

// SetLRU sets the 24-bit access clock.
func SetLRU(b []byte, v uint32) { le.PutUint32(b, uint32(b[0])|v<<8) }

// Val is the pointer to the value, or the integer; not of an embstr of 9.1.
func Val(b []byte) uint64 { return le.Uint64(b[8:]) }

// SetVal sets the pointer to the value, or the integer.
func SetVal(b []byte, v uint64) { le.PutUint64(b[8:], v) }

// IsShared tells whether the object is one of the shared integers of 7.2 and 8.0.
func IsShared(r *release.Release, b []byte) bool {
	return r.KeyTable != release.Hashtable && le.Uint32(b[4:]) == sharedRefs
}

// HasSlot tells whether the object has an expire slot.
func HasSlot(b []byte) bool { return b[4]&hasExpire != 0 }

// data is the offset after the fields every object of its form has.
func data(r *release.Release, b []byte) int {
	if r.EmbedValueFlag && b[4]&hasValue != 0 {
		return 8
	}
	return 16
}

// Expire is the key's expiry, or NoExpire.
func Expire(r *release.Release, b []byte) int64 {
	if !HasSlot(b) {
		return NoExpire
	}
	return int64(le.Uint64(b[data(r, b):]))
}

// SetExpire writes the slot, which must be there.
func SetExpire(r *release.Release, b []byte, at int64) { le.PutUint64(b[data(r, b):], uint64(at)) }

// keyAt is the offset of the key's text.
func keyAt(r *release.Release, b []byte) int {
	at := data(r, b) + int(b[4]&hasExpire)*expireSize
	return at + 1 + int(b[at])
}

// Key is the key in an object of 8.1 or later. It aliases the heap.
func Key(r *release.Release, b []byte) []byte { return sds.TextAt(b, keyAt(r, b)) }

// embAt is the offset of an embedded value's text.
func embAt(r *release.Release, b []byte) int {
	if r.KeyTable != release.Hashtable {
		return 16 + embValHeader
	}
	k := keyAt(r, b)
	return k + sds.LenAt(b, k) + 1 + embValHeader
}

// Text is the value of a string object; of an integer its digits, written into num. The result
// aliases the heap or num.
func Text(h *heap.Heap, p heap.Ptr, num *[24]byte) []byte {
	b := h.Bytes(p)
	switch EncodingOf(b) {
	case Embstr:
		return sds.TextAt(b, embAt(h.Rel, b))
	case Int:
		return strconv.AppendInt(num[:0], int64(Val(b)), 10)
	}
	return sds.Text(h, heap.Ptr(Val(b)))
}

// EmbAvail is the room behind an embedded value's text.
func EmbAvail(r *release.Release, b []byte) int {
	at := embAt(r, b)
	return sds.AllocAt(b, at) - sds.LenAt(b, at)
}

// TextLen is the length of a string object's value.
func TextLen(h *heap.Heap, p heap.Ptr) int {
	var num [24]byte
	return len(Text(h, p, &num))
}
