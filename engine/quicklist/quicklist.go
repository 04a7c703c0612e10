// Package quicklist is the server's long list: a chain of nodes, each of which holds a listpack of
// elements or one large element alone.
//
//	quicklist  | head 8 | tail 8 | count 8 | len 8 | fill:16 compress:16 | bookmarks:4, padding |   40 bytes
//	node       | prev 8 | next 8 | entry 8 | sz 8 | count:16 flags:16 | padding 4 |                 40 bytes
//	entry of a packed node -> a listpack           entry of a plain node -> the element's bytes
//
// How much a node takes is list-max-listpack-size, kept as fill: a number of elements, or -1 to -5
// for 4, 8, 16, 32, 64 KiB. Elements that no node could take together with others become plain
// nodes from 8.0 on; in 7.2 only those of 1 GiB or more do (engine/release, plain-node-by-fill).
// Rules: quicklist.h, quicklist.c; each function names the one it follows.
//
// With list-compress-depth the nodes beyond that many from both ends are kept compressed where that
// saves anything (compress.go). Bookmarks exist only while active defragmentation runs and are never
// made.
package quicklist

import (
	"bytes"
	"encoding/binary"
	"math"

	"github.com/keyloupe/keyloupe/engine/decimal"

	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/engine/listpack"
)

var le = binary.LittleEndian

// Sizes of the two structs, bytes.
const (
	Size     = 40
	NodeSize = 40
)

// Struct and Node describe the bytes of the two structs.
var (
	Struct = layout.Struct{Name: "quicklist", Source: "quicklist.h", Size: Size, Fields: []layout.Def{
		{Name: "head", Len: 8, Role: layout.Pointer, Meaning: "first node"},
		{Name: "tail", Off: 8, Len: 8, Role: layout.Pointer, Meaning: "last node"},
		{Name: "count", Off: 16, Len: 8, Role: layout.Header, Meaning: "elements of all nodes"},
		{Name: "len", Off: 24, Len: 8, Role: layout.Header, Meaning: "nodes"},
		{Name: "fill", Off: 32, Len: 2, Role: layout.Header, Signed: true, Meaning: "list-max-listpack-size: elements, or -1 to -5 for 4 to 64 KiB"},
		{Name: "compress", Off: 34, Len: 2, Role: layout.Header, Meaning: "list-compress-depth: nodes at each end that stay uncompressed, 0 = all"},
		{Name: "bookmark_count", Off: 36, Len: 1, Bits: 4, Role: layout.Header, Meaning: "bookmarks of active defragmentation"},
		{Name: "padding", Off: 36, Len: 4, Bit: 4, Bits: 28, Role: layout.Slack, Meaning: "left free by the compiler's alignment"}}}
	Node = layout.Struct{Name: "quicklistNode", Source: "quicklist.h", Size: NodeSize, Fields: []layout.Def{
		{Name: "prev", Len: 8, Role: layout.Pointer, Meaning: "node before"},
		{Name: "next", Off: 8, Len: 8, Role: layout.Pointer, Meaning: "node after"},
		{Name: "entry", Off: 16, Len: 8, Role: layout.Pointer, Meaning: "listpack, or the element of a plain node"},
		{Name: "sz", Off: 24, Len: 8, Role: layout.Header, Meaning: "bytes of the entry in use"},
		{Name: "count", Off: 32, Len: 4, Bits: 16, Role: layout.Header, Meaning: "elements"},
		{Name: "encoding", Off: 32, Len: 4, Bit: 16, Bits: 2, Role: layout.Header, Meaning: "1 = raw, 2 = LZF"},
		{Name: "container", Off: 32, Len: 4, Bit: 18, Bits: 2, Role: layout.Header, Meaning: "1 = plain, 2 = packed"},
		{Name: "recompress", Off: 32, Len: 4, Bit: 20, Bits: 1, Role: layout.Header, Meaning: "decompressed for the moment"},
		{Name: "attempted_compress", Off: 32, Len: 4, Bit: 21, Bits: 1, Role: layout.Header, Meaning: "for tests; not initialised"},
		{Name: "dont_compress", Off: 32, Len: 4, Bit: 22, Bits: 1, Role: layout.Header, Meaning: "not to be compressed now"},
		{Name: "extra", Off: 32, Len: 4, Bit: 23, Bits: 9, Role: layout.Slack, Meaning: "free; not initialised"}}}
)

// Offsets and bits of the tables above; a test holds them against those.
const (
	oHead, oTail, oCount, oLen, oFill, oCompress = 0, 8, 16, 24, 32, 34
	oPrev, oNext, oEntry, oSz, oBits             = 0, 8, 16, 24, 32

	raw            = 1 << 16 // encoding
	plain          = 1 << 18 // container
	packed         = 2 << 18
	containerMask  = 3 << 18
	fillMin        = -5
	fillMax        = 1<<15 - 1
	compressMax    = 1<<16 - 1
	safetySize     = 8192 // a node limited by a number of elements holds this many bytes at most
	estimate       = 8    // most bytes that an element of a listpack adds to its text, as the limit takes it
	largeByDefault = 1 << 30
	thresholdMax   = 1<<32 - 1<<20
)

// nodeSizes are the limits that a fill of -1 to -5 stands for.
var nodeSizes = [...]int{4096, 8192, 16384, 32768, 65536}

// List is a quicklist in a heap. Threshold is what DEBUG QUICKLIST-PACKED-THRESHOLD set for the
// whole server, 0 if nothing.
type List struct {
	H         *heap.Heap
	P         heap.Ptr
	Threshold int
}

// ThresholdAllowed tells whether DEBUG QUICKLIST-PACKED-THRESHOLD takes a size.
func ThresholdAllowed(n int) bool { return n <= thresholdMax }

// New allocates a quicklist without nodes.
func New(h *heap.Heap, fill, compress, threshold int) List {
	l := List{h, h.Zalloc(Size), threshold}
	b := l.b()
	le.PutUint16(b[oFill:], uint16(max(fillMin, min(fill, fillMax))))
	le.PutUint16(b[oCompress:], uint16(max(0, min(compress, compressMax))))
	return l
}

// Free frees the struct, its nodes and their entries.
func (l List) Free() {
	for n := l.head(); n != 0; {
		next := l.next(n)
		l.H.Free(l.entry(n))
		l.H.Free(n)
		n = next
	}
	l.H.Free(l.P)
}

// Take takes the listpack of the only node out and frees the rest.
func (l List) Take() heap.Ptr {
	p := l.entry(l.head())
	l.setEntry(l.head(), 0)
	l.Free()
	return p
}

// Dup makes a copy, node by node (quicklistDup).
func (l List) Dup() List {
	c := New(l.H, l.Fill(), l.Depth(), l.Threshold)
	for n := l.head(); n != 0; n = l.next(n) {
		m := c.newNode(int(l.bits(n) & containerMask))
		c.setEntry(m, listpack.FromBytes(l.H, l.stored(n)))
		c.mark(m, l.bits(n)&encodingMask, encodingMask)
		c.setCount(m, l.nodeCount(n))
		c.addCount(l.nodeCount(n))
		c.setSz(m, l.sz(n))
		c.insertNode(c.tail(), m, true)
	}
	return c
}

func (l List) b() []byte                 { return l.H.Bytes(l.P) }
func (l List) head() heap.Ptr            { return heap.Ptr(le.Uint64(l.b()[oHead:])) }
func (l List) tail() heap.Ptr            { return heap.Ptr(le.Uint64(l.b()[oTail:])) }
func (l List) setHead(n heap.Ptr)        { le.PutUint64(l.b()[oHead:], uint64(n)) }
func (l List) setTail(n heap.Ptr)        { le.PutUint64(l.b()[oTail:], uint64(n)) }
func (l List) addCount(d int)            { le.PutUint64(l.b()[oCount:], uint64(l.Count()+d)) }
func (l List) addLen(d int)              { le.PutUint64(l.b()[oLen:], uint64(l.Nodes()+d)) }
func (l List) prev(n heap.Ptr) heap.Ptr  { return l.link(n, oPrev) }
func (l List) next(n heap.Ptr) heap.Ptr  { return l.link(n, oNext) }
func (l List) entry(n heap.Ptr) heap.Ptr { return l.link(n, oEntry) }

func (l List) link(n heap.Ptr, off int) heap.Ptr {
	return heap.Ptr(le.Uint64(l.H.Bytes(n)[off:]))
}
func (l List) setPrev(n, to heap.Ptr)     { le.PutUint64(l.H.Bytes(n)[oPrev:], uint64(to)) }
func (l List) setNext(n, to heap.Ptr)     { le.PutUint64(l.H.Bytes(n)[oNext:], uint64(to)) }
func (l List) setEntry(n, to heap.Ptr)    { le.PutUint64(l.H.Bytes(n)[oEntry:], uint64(to)) }
func (l List) sz(n heap.Ptr) int          { return int(le.Uint64(l.H.Bytes(n)[oSz:])) }
func (l List) setSz(n heap.Ptr, v int)    { le.PutUint64(l.H.Bytes(n)[oSz:], uint64(v)) }
func (l List) bits(n heap.Ptr) uint32     { return le.Uint32(l.H.Bytes(n)[oBits:]) }
func (l List) nodeCount(n heap.Ptr) int   { return int(le.Uint16(l.H.Bytes(n)[oBits:])) }
func (l List) setCount(n heap.Ptr, v int) { le.PutUint16(l.H.Bytes(n)[oBits:], uint16(v)) }
func (l List) isPlain(n heap.Ptr) bool    { return l.bits(n)&containerMask == plain }

// Count is the number of elements.
func (l List) Count() int { return int(le.Uint64(l.b()[oCount:])) }

// Nodes is the number of nodes.
func (l List) Nodes() int { return int(le.Uint64(l.b()[oLen:])) }

// Fill is the list-max-listpack-size that the list was made with.
func (l List) Fill() int { return int(int16(le.Uint16(l.b()[oFill:]))) }

// Depth is the list-compress-depth that the list was made with.
func (l List) Depth() int { return int(le.Uint16(l.b()[oCompress:])) }

// OnlyPacked returns the size of the listpack of a list that has no other node, -1 otherwise.
func (l List) OnlyPacked() int {
	if l.Nodes() != 1 || l.isPlain(l.head()) {
		return -1
	}
	return l.sz(l.head())
}

// Usage is what MEMORY USAGE counts of the list: its struct and the average of the first samples
// nodes and their entries, times their number. Structs count as they are declared, not as blocks.
// base is what was counted before, and is in the result: the server adds in floating point.
func (l List) Usage(base, samples int) int {
	size, seen := 0, 0
	for n := l.head(); n != 0 && (seen == 0 || seen < samples); n = l.next(n) {
		size += NodeSize + l.H.Usable(l.entry(n))
		seen++
	}
	return int(float64(base+Size) + float64(size)/float64(max(seen, 1))*float64(l.Nodes()))
}

// Limit is the most bytes and the most elements that a fill allows for a node or a listpack; one
// of the two is without limit (quicklistNodeLimit).
func Limit(fill int) (size, count int) {
	if fill >= 0 {
		return math.MaxInt, max(fill, 1)
	}
	return sizeLimit(fill), math.MaxUint32
}

func sizeLimit(fill int) int { return nodeSizes[min(-fill, len(nodeSizes))-1] }

// Exceeds tells whether a node or listpack of size bytes and count elements is more than a fill
// allows (quicklistNodeExceedsLimit).
func Exceeds(fill, size, count int) bool {
	if fill < 0 {
		return size > sizeLimit(fill)
	}
	return size > safetySize || count > max(fill, 1)
}

// large tells whether an element of n bytes gets a plain node (isLargeElement).
func (l List) large(n int) bool {
	if l.Threshold != 0 {
		return n >= l.Threshold
	}
	if !l.H.Rel.PlainByFill {
		return n >= largeByDefault
	}
	if fill := l.Fill(); fill < 0 {
		return n > sizeLimit(fill)
	}
	return n > safetySize
}

// allowsInsert tells whether a node takes another element of n bytes (_quicklistNodeAllowInsert).
func (l List) allowsInsert(node heap.Ptr, n int) bool {
	return node != 0 && !l.isPlain(node) && !l.large(n) && !Exceeds(l.Fill(), l.sz(node)+n+estimate, l.nodeCount(node)+1)
}

// allowsMerge tells whether two nodes may become one (_quicklistNodeAllowMerge).
func (l List) allowsMerge(a, b heap.Ptr) bool {
	return a != 0 && b != 0 && !l.isPlain(a) && !l.isPlain(b) &&
		!Exceeds(l.Fill(), l.sz(a)+l.sz(b)-listpack.Empty, l.nodeCount(a)+l.nodeCount(b))
}

// Equal tells whether the element that an iterator stands at is s.
func (e *Entry) Equal(s []byte) bool {
	if e.Text == nil {
		v, ok := decimal.Parse(s)
		return ok && v == e.Int
	}
	return bytes.Equal(e.Text, s)
}
