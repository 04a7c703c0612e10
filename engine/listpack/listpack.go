// Package listpack is the server's compact list: all elements in one block, read in both directions.
//
//	listpack  | total bytes 4 | count 2 | element | element | ... | 0xff |     at least 7 bytes
//	element   | encoding and data | backlen 1-5 |      backlen: size of what is before it, 7 bits a byte
//
//	encoding and data of an element:
//	0xxxxxxx                             integer 0..127                    1 byte
//	110xxxxx xxxxxxxx                    integer -4096..4095               2
//	0xf1 0xf2 0xf3 0xf4 | little endian  integer of 16, 24, 32, 64 bits    3 4 5 9
//	10xxxxxx | text                      text of up to 63 bytes            1 + length
//	1110xxxx xxxxxxxx | text             text of up to 4095 bytes          2 + length
//	0xf0 | length 4 | text               longer text                       5 + length
//
// A text that is the canonical decimal of a 64-bit integer is kept as that integer. The count is
// 65535 where there may be more elements than it can tell. The rules are the same in 7.2 to 9.1
// (listpack.c), but for one byte: until 9.0 the backlen of an element of exactly 16383, 2097151 or
// 268435455 bytes is a byte longer (engine/release, listpack-backlen-whole).
//
// Readers take the bytes of a listpack, which Of gives, and address elements by their offset from
// its start; offset 0 says that there is none. Writers take the block and return where it is after
// the change. The block grows only when the listpack no longer fits its usable size, and is resized
// to what is needed by every change that makes the listpack smaller. Sizes are in bytes.
package listpack

import (
	"encoding/binary"

	"github.com/keyloupe/keyloupe/engine/heap"
)

const (
	header  = 6
	unknown = 1<<16 - 1 // count of a listpack of this many elements or more
	end     = 0xff

	// Empty is the size of a listpack without elements.
	Empty = header + 1
	// maxSafe is the size that no listpack of a value may pass (listpack.c,
	// LISTPACK_MAX_SAFETY_SIZE).
	maxSafe = 1 << 30
)

var le = binary.LittleEndian

// New allocates an empty listpack in a block for at least room bytes.
func New(h *heap.Heap, room int) heap.Ptr {
	p := h.Alloc(max(room, Empty))
	write(h.Bytes(p))
	return p
}

func write(b []byte) {
	le.PutUint32(b, Empty)
	le.PutUint16(b[4:], 0)
	b[header] = end
}

// FromBytes allocates a copy of a listpack, in a block for exactly its size.
func FromBytes(h *heap.Heap, lp []byte) heap.Ptr {
	p := h.Alloc(len(lp))
	copy(h.Bytes(p), lp)
	return p
}

// Of is the listpack in the block at p. It aliases the heap and is valid until the next change.
func Of(h *heap.Heap, p heap.Ptr) []byte {
	b := h.Bytes(p)
	n := Bytes(b)
	return b[:n:n]
}

// Bytes is the size of a listpack.
func Bytes(lp []byte) int { return int(le.Uint32(lp)) }

// Len is the number of elements. Where the count is 65535 they are counted, and a smaller number
// found is written to the header, as the server does.
func Len(lp []byte) int {
	n := int(le.Uint16(lp[4:]))
	if n != unknown {
		return n
	}
	n = 0
	for at := First(lp); at != 0; at = Next(lp, at) {
		n++
	}
	if n < unknown {
		setCount(lp, n)
	}
	return n
}

func setCount(lp []byte, n int) { le.PutUint16(lp[4:], uint16(min(n, unknown))) }

// addCount changes the count, unless that is unknown.
func addCount(lp []byte, d int) {
	if n := int(le.Uint16(lp[4:])); n != unknown {
		le.PutUint16(lp[4:], uint16(n+d))
	}
}

// SafeToAdd tells whether a listpack of size bytes may grow by add bytes.
func SafeToAdd(size, add int) bool { return size+add <= maxSafe }
