// Package rax is the server's radix tree: streams keep their listpacks, groups, consumers and
// pending entries in it, and hashes their sets of volatile fields.
//
//	rax         | head 8 | numele 8 | numnodes 8 | alloc_size 8 |          alloc_size from 8.1 on
//	node        | iskey:1 isnull:1 iscompr:1 size:29 | c c c ... | padding | child | child | ... | [value 8] |
//	compressed  | iskey:1 isnull:1 iscompr:1 size:29 | string    | padding | child |               [value 8] |
//
// A node says by its header whether the path to it is a key; a key whose value is null keeps none.
// A plain node has one edge byte and one child for each of size children; a compressed node stands
// for a chain of nodes with one child each. Padding aligns the children to 8 bytes. The bytes here
// are those of the server (rax.c, the same in 7.2 to 9.1 but for alloc_size), and nodes are
// allocated, reallocated and freed when it does so: a node that loses its only child through its
// compressed string, for one, keeps its block. Values are addresses or any other 8-byte number.
package rax

import (
	"bytes"
	"encoding/binary"

	"github.com/keyloupe/keyloupe/engine/heap"
)

var le = binary.LittleEndian

const (
	offHead, offNumele, offNumnodes, offAlloc = 0, 8, 16, 24

	ptrSize    = 8
	headerSize = 4
	maxSize    = 1<<29 - 1 // RAX_NODE_MAX_SIZE: bytes of one compressed node

	isKey, isNull, isCompr = 1, 2, 4
	sizeShift              = 3
)

// node is a view of a node's block.
type node struct {
	p heap.Ptr
	b []byte
}

func at(h *heap.Heap, p heap.Ptr) node { return node{p, h.Bytes(p)} }

func (n node) flags() uint32     { return le.Uint32(n.b) }
func (n node) set(f, size int)   { le.PutUint32(n.b, uint32(f|size<<sizeShift)) }
func (n node) setFlags(f uint32) { le.PutUint32(n.b, le.Uint32(n.b)&^(isKey|isNull|isCompr)|f) }
func (n node) size() int         { return int(n.flags() >> sizeShift) }
func (n node) compr() bool       { return n.flags()&isCompr != 0 }
func (n node) key() bool         { return n.flags()&isKey != 0 }
func (n node) holdsValue() bool  { return n.flags()&(isKey|isNull) == isKey }
func (n node) text() []byte      { return n.b[headerSize : headerSize+n.size()] }

// children is the number of child pointers.
func (n node) children() int {
	if n.compr() {
		return 1
	}
	return n.size()
}

// single tells that the node is a link of a chain that could be compressed.
func (n node) single() bool { return !n.key() && (n.compr() || n.size() == 1) }

func padding(size int) int { return -(size + headerSize) & (ptrSize - 1) }

// length is what a node of size edge bytes asks the allocator for (raxNodeCurrentLength).
func length(size, children int, value bool) int {
	n := headerSize + size + padding(size) + ptrSize*children
	if value {
		n += ptrSize
	}
	return n
}

func (n node) length() int { return length(n.size(), n.children(), n.holdsValue()) }

// childOff is the offset of child i in the block.
func (n node) childOff(i int) int {
	s := n.size()
	return headerSize + s + padding(s) + ptrSize*i
}

func (n node) child(i int) heap.Ptr       { return heap.Ptr(le.Uint64(n.b[n.childOff(i):])) }
func (n node) setChild(i int, c heap.Ptr) { le.PutUint64(n.b[n.childOff(i):], uint64(c)) }
func (n node) link(i int) heap.Ptr        { return n.p + heap.Ptr(n.childOff(i)) }

func (n node) value() heap.Ptr {
	if n.flags()&isNull != 0 {
		return 0
	}
	return heap.Ptr(le.Uint64(n.b[n.length()-ptrSize:]))
}

// setValue makes the node a key; its block must have room for a value that is not null.
func (n node) setValue(v heap.Ptr) {
	f := n.flags()&isCompr | isKey
	if v == 0 {
		n.setFlags(f | isNull)
		return
	}
	n.setFlags(f)
	le.PutUint64(n.b[n.length()-ptrSize:], uint64(v))
}

// tree is a view of struct rax; it also counts what becomes of its blocks.
type tree struct {
	h *heap.Heap
	p heap.Ptr
	b []byte
}

func open(h *heap.Heap, p heap.Ptr) tree { return tree{h, p, h.Bytes(p)} }

func (t tree) get(off int) uint64    { return le.Uint64(t.b[off:]) }
func (t tree) add(off int, d int)    { le.PutUint64(t.b[off:], t.get(off)+uint64(int64(d))) }
func (t tree) head() heap.Ptr        { return heap.Ptr(t.get(offHead)) }
func (t tree) headLink() heap.Ptr    { return t.p + offHead }
func (t tree) setLink(l, p heap.Ptr) { le.PutUint64(t.h.At(l), uint64(p)) }

// grew records that the tree's blocks have d more bytes.
func (t tree) grew(d int) {
	if t.h.Rel.RaxStruct > offAlloc {
		t.add(offAlloc, d)
	}
}

func (t tree) alloc(n int) node {
	p := t.h.Alloc(n)
	t.grew(t.h.Usable(p))
	return at(t.h, p)
}

func (t tree) free(n node) {
	t.grew(-len(n.b))
	t.h.Free(n.p)
}

func (t tree) realloc(n node, size int) node {
	m := at(t.h, t.h.Realloc(n.p, size))
	t.grew(len(m.b) - len(n.b))
	return m
}

// newNode makes a plain node; value asks for room for a value too (raxNewNode).
func (t tree) newNode(children int, value bool) node {
	n := t.alloc(length(children, children, value))
	n.set(0, children)
	return n
}

// New makes an empty tree and returns the address of its struct.
func New(h *heap.Heap) heap.Ptr {
	t := open(h, h.Alloc(h.Rel.RaxStruct))
	clear(t.b[:h.Rel.RaxStruct])
	t.grew(len(t.b))
	t.setLink(t.headLink(), t.newNode(0, false).p)
	t.add(offNumnodes, 1)
	return t.p
}

// Free frees the tree r; each, if not nil, is called with every value that is not null.
func Free(h *heap.Heap, r heap.Ptr, each func(value heap.Ptr)) {
	t := open(h, r)
	t.freeBelow(t.head(), each)
	h.Free(r)
}

// freeBelow frees last children first, as raxRecursiveFree does. Its depth is that of the tree.
func (t tree) freeBelow(p heap.Ptr, each func(heap.Ptr)) {
	n := at(t.h, p)
	for i := n.children() - 1; i >= 0; i-- {
		t.freeBelow(n.child(i), each)
	}
	if each != nil && n.holdsValue() {
		each(n.value())
	}
	t.h.Free(p)
}

// Len is the number of keys (raxSize).
func Len(h *heap.Heap, r heap.Ptr) int { return int(open(h, r).get(offNumele)) }

// Nodes is the number of nodes.
func Nodes(h *heap.Heap, r heap.Ptr) int { return int(open(h, r).get(offNumnodes)) }

// AllocSize is the sum of the usable sizes of the struct and all nodes (raxAllocSize): kept in the
// struct from 8.1 on, 0 before.
func AllocSize(h *heap.Heap, r heap.Ptr) int {
	if h.Rel.RaxStruct <= offAlloc {
		return 0
	}
	return int(open(h, r).get(offAlloc))
}

// place is where a walk along a key ended (raxLowWalk).
type place struct {
	n     node
	link  heap.Ptr // address of the pointer to n
	i     int      // bytes of the key that were followed
	split int      // where in n's string it stopped, if n is compressed
}

// walk follows key from the head; path, if not nil, gets the nodes before the last.
func (t tree) walk(key []byte, path *[]heap.Ptr) place {
	w := place{n: at(t.h, t.head()), link: t.headLink()}
	for w.n.size() > 0 && w.i < len(key) {
		j := 0
		if w.n.compr() {
			k := common(w.n.text(), key[w.i:])
			w.i += k
			if k < w.n.size() {
				w.split = k
				return w
			}
		} else {
			if j = bytes.IndexByte(w.n.text(), key[w.i]); j < 0 {
				return w
			}
			w.i++
		}
		if path != nil {
			*path = append(*path, w.n.p)
		}
		w.link = w.n.link(j)
		w.n = at(t.h, w.n.child(j))
	}
	return w
}

func common(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// Find returns the value of key and whether it is there.
func Find(h *heap.Heap, r heap.Ptr, key []byte) (heap.Ptr, bool) {
	w := open(h, r).walk(key, nil)
	if w.i != len(key) || w.split != 0 || !w.n.key() {
		return 0, false
	}
	return w.n.value(), true
}
