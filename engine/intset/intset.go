// Package intset is the sorted array of integers that a small set of integers is kept in.
//
//	| encoding 4 | length 4 | integer | integer | ...     each encoding bytes wide: 2, 4 or 8
//
// Integers are little-endian and in ascending order; the widest one sets the width of all, and it
// never gets narrower again. The block is reallocated to the exact size at every change. Source:
// intset.c, the same from 7.2 to 9.1; sizes in bytes.
package intset

import (
	"encoding/binary"
	"fmt"
	"math"
	"sort"
	"strconv"

	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/layout"
)

var le = binary.LittleEndian

// Header is the bytes before the first integer.
const Header = 8

var header = layout.Struct{Name: "intset", Source: "intset.h", Size: Header, Fields: []layout.Def{
	{Name: "encoding", Len: 4, Role: layout.Header, Meaning: "bytes of each integer"},
	{Name: "length", Off: 4, Len: 4, Role: layout.Header, Meaning: "integers"}}}

// New allocates an empty set.
func New(h *heap.Heap) heap.Ptr {
	p := h.Alloc(Header)
	b := h.Bytes(p)
	le.PutUint32(b, 2)
	le.PutUint32(b[4:], 0)
	return p
}

// FromBytes allocates a copy of a set.
func FromBytes(h *heap.Heap, set []byte) heap.Ptr {
	p := h.Alloc(len(set))
	copy(h.Bytes(p), set)
	return p
}

// Of is the bytes of the set at p that mean something. They alias the heap and are stale after a
// change.
func Of(h *heap.Heap, p heap.Ptr) []byte {
	b := h.Bytes(p)
	return b[:Header+Len(b)*Width(b)]
}

// Width is the bytes of each integer.
func Width(set []byte) int { return int(le.Uint32(set)) }

// Len is the number of integers.
func Len(set []byte) int { return int(le.Uint32(set[4:])) }

// Get is integer i, from 0 on.
func Get(set []byte, i int) int64 { return get(set, i, Width(set)) }

func get(set []byte, i, width int) int64 {
	b := set[Header+i*width:]
	switch width {
	case 2:
		return int64(int16(le.Uint16(b)))
	case 4:
		return int64(int32(le.Uint32(b)))
	}
	return int64(le.Uint64(b))
}

func put(set []byte, i int, v int64) {
	b := set[Header+i*Width(set):]
	switch Width(set) {
	case 2:
		le.PutUint16(b, uint16(v))
	case 4:
		le.PutUint32(b, uint32(v))
	default:
		le.PutUint64(b, uint64(v))
	}
}

// WidthOf is the bytes that an integer needs.
func WidthOf(v int64) int {
	switch {
	case v < math.MinInt32 || v > math.MaxInt32:
		return 8
	case v < math.MinInt16 || v > math.MaxInt16:
		return 4
	}
	return 2
}

// Find is where v is, or where it would go, and whether it is there.
func Find(set []byte, v int64) (int, bool) {
	n := Len(set)
	if n > 0 && v > Get(set, n-1) { // as integers that count up do
		return n, false
	}
	i := sort.Search(n, func(i int) bool { return Get(set, i) >= v })
	return i, i < n && Get(set, i) == v
}

// Add adds v and returns where the set is then, and whether v was new.
func Add(h *heap.Heap, p heap.Ptr, v int64) (heap.Ptr, bool) {
	b := h.Bytes(p)
	if w := WidthOf(v); w > Width(b) {
		return widen(h, p, v, w), true
	}
	i, found := Find(b, v)
	if found {
		return p, false
	}
	n, w := Len(b), Width(b)
	p = h.Realloc(p, Header+(n+1)*w)
	b = h.Bytes(p)
	copy(b[Header+(i+1)*w:], b[Header+i*w:Header+n*w])
	put(b, i, v)
	le.PutUint32(b[4:], uint32(n+1))
	return p, true
}

// widen makes every integer w bytes wide and adds v, which is smaller or larger than all of them.
func widen(h *heap.Heap, p heap.Ptr, v int64, w int) heap.Ptr {
	n, old := Len(h.Bytes(p)), Width(h.Bytes(p))
	if n > 0 {
		h.Note("%d needs %d bytes, so all %d integers of the intset are widened from %d", v, w, n+1, old)
	}
	p = h.Realloc(p, Header+(n+1)*w)
	b := h.Bytes(p)
	le.PutUint32(b, uint32(w))
	first := 0
	if v < 0 {
		first = 1
	}
	for i := n - 1; i >= 0; i-- { // from the back, so that none is overwritten before it was read
		put(b, i+first, get(b, i, old))
	}
	if first == 1 {
		put(b, 0, v)
	} else {
		put(b, n, v)
	}
	le.PutUint32(b[4:], uint32(n+1))
	return p
}

// Remove removes v and returns where the set is then, and whether v was there. The width stays.
func Remove(h *heap.Heap, p heap.Ptr, v int64) (heap.Ptr, bool) {
	b := h.Bytes(p)
	i, found := Find(b, v)
	if !found {
		return p, false
	}
	n, w := Len(b), Width(b)
	copy(b[Header+i*w:], b[Header+(i+1)*w:Header+n*w])
	p = h.Realloc(p, Header+(n-1)*w)
	le.PutUint32(h.Bytes(p)[4:], uint32(n-1))
	return p, true
}

// Valid tells whether bytes from outside are a set: a known width, the exact length, at least one
// integer, and all of them in ascending order.
func Valid(set []byte) bool {
	if len(set) < Header {
		return false
	}
	n, w := uint64(le.Uint32(set[4:])), uint64(le.Uint32(set))
	if w != 2 && w != 4 && w != 8 || n == 0 || Header+n*w != uint64(len(set)) {
		return false
	}
	for i := 1; i < int(n); i++ {
		if Get(set, i) <= Get(set, i-1) {
			return false
		}
	}
	return true
}

// Picture adds the block of the set at p.
func Picture(pic *layout.Picture, h *heap.Heap, p heap.Ptr, name string) *layout.Block {
	set := Of(h, p)
	k := pic.Add(name, "intset", uint64(p), h.Bytes(p), len(set))
	k.Plain = true
	k.Struct(0, "", &header)
	w := Width(set)
	for i := range Len(set) {
		k.Defs(Header+i*w, "", "member", []layout.Def{{Name: "member " + strconv.Itoa(i), Len: w, Role: layout.Value, Signed: true,
			Meaning: fmt.Sprintf("%d-bit integer", 8*w)}})
	}
	k.Done()
	return k
}
