package vset

import (
	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/layout"
)

// vec is a vector of entries. alloc is the size it believes to have: of a new vector what was asked
// for, after a reallocation what was granted.
type vec struct {
	h *heap.Heap
	p heap.Ptr
}

const (
	vecHeader = 8
	lenBits   = 30
)

var vecStruct = layout.Struct{Name: "pVector", Source: "vset.c", Fields: []layout.Def{
	{Name: "len", Len: 8, Bits: lenBits, Role: layout.Header, Meaning: "entries"},
	{Name: "alloc", Len: 8, Bit: lenBits, Bits: 64 - lenBits, Role: layout.Header, Meaning: "size of this block, as MEMORY USAGE counts it"}}}

func vecSize(n int) int { return vecHeader + 8*n }

// newVec makes an empty vector for n entries.
func newVec(h *heap.Heap, n int) vec {
	v := vec{h, h.Alloc(vecSize(n))}
	v.head(0, vecSize(n))
	return v
}

func (v vec) bytes() []byte         { return v.h.Bytes(v.p) }
func (v vec) head(n, alloc int)     { le.PutUint64(v.bytes(), uint64(n)|uint64(alloc)<<lenBits) }
func (v vec) len() int              { return int(le.Uint64(v.bytes()) & (1<<lenBits - 1)) }
func (v vec) alloc() int            { return int(le.Uint64(v.bytes()) >> lenBits) }
func (v vec) get(i int) heap.Ptr    { return heap.Ptr(le.Uint64(v.bytes()[vecSize(i):])) }
func (v vec) set(i int, e heap.Ptr) { le.PutUint64(v.bytes()[vecSize(i):], uint64(e)) }

// realloc gives the vector the size for n entries.
func (v vec) realloc(n int) vec {
	v.p = v.h.Realloc(v.p, vecSize(n))
	v.head(v.len(), len(v.bytes()))
	return v
}

// insert puts e at i and returns where the vector is then.
func (v vec) insert(e heap.Ptr, i int) heap.Ptr {
	n := v.len()
	if v.alloc() < vecSize(n+1) {
		v = v.realloc(n + 1)
	}
	b := v.bytes()
	copy(b[vecSize(i+1):vecSize(n+1)], b[vecSize(i):vecSize(n)])
	v.set(i, e)
	v.head(n+1, v.alloc())
	return v.p
}

func (v vec) push(e heap.Ptr) heap.Ptr { return v.insert(e, v.len()) }

// find is the index of e, or len.
func (v vec) find(e heap.Ptr) int {
	n, b := v.len(), v.bytes()
	for i := range n {
		if heap.Ptr(le.Uint64(b[vecSize(i):])) == e {
			return i
		}
	}
	return n
}

// removeAt removes entry i of two or more and returns where the vector is then.
func (v vec) removeAt(i int) heap.Ptr {
	n, b := v.len(), v.bytes()
	copy(b[vecSize(i):], b[vecSize(i+1):vecSize(n)])
	v.head(n-1, v.alloc())
	return v.fit().p
}

// fit gives back what the entries do not need.
func (v vec) fit() vec {
	if n := v.len(); v.alloc() > vecSize(n) {
		return v.realloc(n)
	}
	return v
}

type halves struct{ left, right heap.Ptr }

// split cuts the vector before entry i, which is not 0: the entries from i on get a vector of their
// own, or none where there are none.
func (v vec) split(i int) halves {
	n := v.len()
	if i >= n {
		return halves{v.p, 0}
	}
	right := vec{v.h, v.h.Alloc(vecSize(n - i))}
	copy(right.bytes()[vecHeader:], v.bytes()[vecSize(i):vecSize(n)])
	right.head(n-i, len(right.bytes()))
	v.head(i, v.alloc())
	return halves{v.fit().p, right.p}
}
