package rax

import (
	"bytes"

	"github.com/keyloupe/keyloupe/engine/heap"
)

// Op says where a Seek goes.
type Op uint8

// The seek operators; First and Last ignore the key.
const (
	First Op = iota
	Last
	EQ
	GE
	GT
	LE
	LT
)

// Iter goes through a tree in the order of its keys. The tree may not change between two steps;
// after a change, Seek again. The zero value is not usable; use NewIter.
type Iter struct {
	t     tree
	n     node
	ok    bool
	key   []byte
	stack []step
	keys  [64]byte // first room of key and stack
	steps [24]step
}

type step struct {
	p heap.Ptr
	i int // the child taken
}

// NewIter returns an iterator over the tree r that is nowhere yet: Seek puts it on a key.
func NewIter(h *heap.Heap, r heap.Ptr) *Iter {
	it := &Iter{t: open(h, r)}
	it.key, it.stack = it.keys[:0], it.steps[:0]
	return it
}

// Valid tells whether the iterator is on a key.
func (it *Iter) Valid() bool { return it.ok }

// Key is the key the iterator is on. It is overwritten by the next step.
func (it *Iter) Key() []byte { return it.key }

// Value is the value of the key the iterator is on.
func (it *Iter) Value() heap.Ptr { return it.n.value() }

// SetValue replaces the value of the key the iterator is on; neither may be null.
func (it *Iter) SetValue(v heap.Ptr) { it.n.setValue(v) }

// Seek goes to the first key, the last, the one that is equal, or the nearest on one side, and
// tells whether there is one.
func (it *Iter) Seek(op Op, key []byte) bool {
	it.key, it.stack = it.key[:0], it.stack[:0]
	it.n, it.ok = at(it.t.h, it.t.head()), true
	if it.t.get(offNumele) == 0 {
		it.ok = false
		return false
	}
	switch op {
	case First:
		return it.n.key() || it.Next()
	case Last:
		it.greatest()
		return true
	}
	up := op == GE || op == GT
	for i := 0; ; {
		if i == len(key) {
			switch {
			case it.n.key() && (op == EQ || op == GE || op == LE):
				return true
			case op == EQ:
				it.ok = false
				return false
			case up:
				return it.Next()
			}
			return it.Prev()
		}
		text := it.n.text()
		j := 0
		switch {
		case it.n.size() == 0:
			return it.aside(op, up, 0)
		case it.n.compr():
			k := common(text, key[i:])
			if k < len(text) { // the whole subtree lies on one side of the key
				if i+k < len(key) && text[k] < key[i+k] {
					return it.aside(op, up, 1)
				}
				return it.aside(op, up, 0)
			}
			i += k
		default:
			if j = bytes.IndexByte(text, key[i]); j < 0 {
				j = 0
				for j < len(text) && text[j] < key[i] {
					j++
				}
				return it.aside(op, up, j)
			}
			i++
		}
		it.down(j)
	}
}

// aside ends a seek for a key that is not there but would lie between children j-1 and j of the
// current node.
func (it *Iter) aside(op Op, up bool, j int) bool {
	switch {
	case op == EQ:
		it.ok = false
		return false
	case up && j < it.n.children():
		it.down(j)
		return it.n.key() || it.Next()
	case up:
		return it.climb()
	case j > 0:
		it.down(j - 1)
		it.greatest()
		return true
	}
	return it.n.key() || it.Prev()
}

// down goes to child i.
func (it *Iter) down(i int) {
	if it.n.compr() {
		it.key = append(it.key, it.n.text()...)
	} else {
		it.key = append(it.key, it.n.text()[i])
	}
	it.stack = append(it.stack, step{it.n.p, i})
	it.n = at(it.t.h, it.n.child(i))
}

// up goes to the parent and returns which child it came from; false at the head.
func (it *Iter) up() (i int, ok bool) {
	if len(it.stack) == 0 {
		it.ok = false
		return 0, false
	}
	s := it.stack[len(it.stack)-1]
	it.stack = it.stack[:len(it.stack)-1]
	it.n = at(it.t.h, s.p)
	if it.n.compr() {
		it.key = it.key[:len(it.key)-it.n.size()]
	} else {
		it.key = it.key[:len(it.key)-1]
	}
	return s.i, true
}

// greatest goes to the last key below the current node; leaves are always keys.
func (it *Iter) greatest() {
	for it.n.size() > 0 {
		it.down(it.n.children() - 1)
	}
}

// Next goes to the following key and tells whether there is one.
func (it *Iter) Next() bool {
	if !it.ok {
		return false
	}
	if it.n.size() == 0 {
		return it.climb()
	}
	for {
		it.down(0)
		if it.n.key() {
			return true
		}
	}
}

// climb goes to the first key after everything below the current node.
func (it *Iter) climb() bool {
	for {
		i, ok := it.up()
		if !ok {
			return false
		}
		if i+1 < it.n.children() {
			it.down(i + 1)
			return it.n.key() || it.Next()
		}
	}
}

// Prev goes to the preceding key and tells whether there is one.
func (it *Iter) Prev() bool {
	if !it.ok {
		return false
	}
	for {
		i, ok := it.up()
		if !ok {
			return false
		}
		if i > 0 {
			it.down(i - 1)
			it.greatest()
			return true
		}
		if it.n.key() {
			return true
		}
	}
}
