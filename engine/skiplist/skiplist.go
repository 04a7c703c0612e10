package skiplist

import (
	"bytes"
	"encoding/binary"
	"math"

	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/sds"
)

var le = binary.LittleEndian

// List is a skiplist in a heap. It holds no state of its own: two Lists at one address are one.
type List struct {
	h *heap.Heap
	f *form
	p heap.Ptr // the zskiplist
	x heap.Ptr // the header node
}

// New allocates an empty skiplist (zslCreate).
func New(h *heap.Heap) List {
	f := formOf(h.Rel)
	if f.embedded {
		p := h.Zalloc(f.nodeSize(MaxLevel))
		l := List{h, f, p, p}
		l.setHeight(1)
		return l
	}
	p := h.Alloc(f.list.Size)
	x := h.Alloc(f.nodeSize(MaxLevel))
	clear(h.Bytes(x)[:f.nodeSize(MaxLevel)])
	b := h.Bytes(p)
	f.list.Field("header").Set(b, uint64(x))
	le.PutUint64(b[f.tail:], 0)
	le.PutUint64(b[f.length:], 0)
	f.list.Field("level").Set(b, 1)
	return List{h, f, p, x}
}

// At is the skiplist at p.
func At(h *heap.Heap, p heap.Ptr) List {
	f := formOf(h.Rel)
	if f.embedded {
		return List{h, f, p, p}
	}
	return List{h, f, p, heap.Ptr(separate.Fields[0].Get(h.Bytes(p)))}
}

// Ptr is the address of the list.
func (l List) Ptr() heap.Ptr { return l.p }

// Len is the number of members.
func (l List) Len() int { return int(le.Uint64(l.h.Bytes(l.p)[l.f.length:])) }

func (l List) setLen(n int) { le.PutUint64(l.h.Bytes(l.p)[l.f.length:], uint64(n)) }

// Height is the height of the highest node, at least 1.
func (l List) Height() int {
	if l.f.embedded {
		return int(le.Uint64(l.h.Bytes(l.p)[l.f.first+8:]))
	}
	return int(le.Uint32(l.h.Bytes(l.p)[24:]))
}

func (l List) setHeight(n int) {
	if l.f.embedded {
		le.PutUint64(l.h.Bytes(l.p)[l.f.first+8:], uint64(n))
		return
	}
	le.PutUint32(l.h.Bytes(l.p)[24:], uint32(n))
}

// First is the node of the first member, 0 in an empty list.
func (l List) First() heap.Ptr { return l.forward(l.x, 0) }

// Last is the node of the last member, 0 in an empty list.
func (l List) Last() heap.Ptr { return heap.Ptr(le.Uint64(l.h.Bytes(l.p)[l.f.tail:])) }

// Next is the node after n, 0 after the last.
func (l List) Next(n heap.Ptr) heap.Ptr { return l.forward(n, 0) }

// Prev is the node before n, 0 before the first.
func (l List) Prev(n heap.Ptr) heap.Ptr { return heap.Ptr(le.Uint64(l.h.Bytes(n)[l.f.back:])) }

// Score is the score of the member at n.
func (l List) Score(n heap.Ptr) float64 {
	return math.Float64frombits(le.Uint64(l.h.Bytes(n)[l.f.score:]))
}

// ScoreAt is the address of the score in node n: what the table of 7.2 and 8.0 points to.
func (l List) ScoreAt(n heap.Ptr) heap.Ptr { return n + heap.Ptr(l.f.score) }

// ScoreOffset is where in a node its score is.
func (l List) ScoreOffset() int { return l.f.score }

// NodeOf is the node whose score is at p.
func (l List) NodeOf(p heap.Ptr) heap.Ptr { return p - heap.Ptr(l.f.score) }

// SetScore changes the score of a node that is not in its place yet.
func (l List) SetScore(n heap.Ptr, v float64) {
	le.PutUint64(l.h.Bytes(n)[l.f.score:], math.Float64bits(v))
}

// nodeHeight is the height of a node; where none is kept it follows from the block, see Heights.
func (l List) nodeHeight(b []byte) int { return int(le.Uint64(b[l.f.first+8:])) }

// MemberAt is the address of the text of n's member, an sds.
func (l List) MemberAt(n heap.Ptr) heap.Ptr {
	b := l.h.Bytes(n)
	if !l.f.embedded {
		return heap.Ptr(le.Uint64(b))
	}
	at := l.f.nodeSize(l.nodeHeight(b))
	return n + heap.Ptr(at+1+int(b[at]))
}

// Member is the member at n. It aliases the heap.
func (l List) Member(n heap.Ptr) []byte {
	b := l.h.Bytes(n)
	if !l.f.embedded {
		return sds.Text(l.h, heap.Ptr(le.Uint64(b)))
	}
	at := l.f.nodeSize(l.nodeHeight(b))
	return sds.TextAt(b, at+1+int(b[at]))
}

// MemberOf is the member at a node of any list: the key of the table of nodes.
func MemberOf(h *heap.Heap, n heap.Ptr) []byte { return List{h: h, f: formOf(h.Rel)}.Member(n) }

func (l List) forward(n heap.Ptr, i int) heap.Ptr {
	return heap.Ptr(le.Uint64(l.h.Bytes(n)[l.f.first+i*levelSize:]))
}

// span is the distance from the node with bytes b to the next on level i.
func (l List) span(b []byte, i int) int {
	at := l.f.first + i*levelSize
	if i > 0 || !l.f.height {
		return int(le.Uint64(b[at+8:]))
	}
	if le.Uint64(b[at:]) != 0 {
		return 1
	}
	return 0
}

// setSpan keeps the distance, unless level 0 keeps the height there.
func (l List) setSpan(b []byte, i, n int) {
	if i > 0 || !l.f.height {
		le.PutUint64(b[l.f.first+i*levelSize+8:], uint64(n))
	}
}

// before tells whether the node with bytes b comes before a score and member.
func (l List) before(b []byte, score float64, member []byte) bool {
	s := math.Float64frombits(le.Uint64(b[l.f.score:]))
	if s != score {
		return s < score
	}
	return bytes.Compare(l.member(b), member) < 0
}

func (l List) member(b []byte) []byte {
	if !l.f.embedded {
		return sds.Text(l.h, heap.Ptr(le.Uint64(b)))
	}
	at := l.f.nodeSize(l.nodeHeight(b))
	return sds.TextAt(b, at+1+int(b[at]))
}

// Free frees the list and its nodes (zslFree).
func (l List) Free() {
	n := l.First()
	if !l.f.embedded {
		l.h.Free(l.x)
	}
	for n != 0 {
		next := l.Next(n)
		l.freeNode(n)
		n = next
	}
	l.h.Free(l.p)
}

// freeNode frees a node and its member.
func (l List) freeNode(n heap.Ptr) {
	if !l.f.embedded {
		sds.Free(l.h, heap.Ptr(le.Uint64(l.h.Bytes(n))))
	}
	l.h.Free(n)
}

// MemUsage is what MEMORY USAGE counts of the list without its nodes: sizeof, and the block of a
// header that is apart.
func (l List) MemUsage() int {
	if l.f.embedded {
		return l.f.nodeSize(MaxLevel)
	}
	return l.f.list.Size + l.h.Usable(l.x)
}
