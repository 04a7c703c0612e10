package quicklist

import (
	"strconv"

	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/listpack"
)

// Iter walks over a list, forwards or backwards.
type Iter struct {
	l     List
	node  heap.Ptr
	at    int // offset in the listpack of the element last returned; 0 before the first of a node
	index int // its index in the node; negative if counted from the end
	back  bool
}

// Entry is an element that an iterator stands at. It is valid until the list changes.
type Entry struct {
	Text []byte // aliases the list; nil for an integer
	Int  int64

	node  heap.Ptr
	at    int
	index int
}

// Bytes is the element as text; the digits of an integer are written into num.
func (e *Entry) Bytes(num *[24]byte) []byte {
	if e.Text == nil {
		return strconv.AppendInt(num[:0], e.Int, 10)
	}
	return e.Text
}

// Iterate starts at an index, negative ones counting from the end, and goes on forwards, or
// backwards with back. ok is false where there is no such element.
func (l List) Iterate(index int, back bool) (it Iter, ok bool) {
	n, i, ok := l.find(index)
	return Iter{l: l, node: n, index: i, back: back}, ok
}

// At is the element at an index; negative ones count from the end.
func (l List) At(index int) (e Entry, ok bool) {
	it, ok := l.Iterate(index, false)
	return e, ok && it.Next(&e)
}

// find returns the node that has the element at an index, and the element's index in it: counted
// from the node's end, negative, if the index was negative (quicklistGetIteratorAtIdx).
func (l List) find(index int) (n heap.Ptr, i int, ok bool) {
	forward := index >= 0
	if !forward {
		index = -(index + 1)
	}
	count := l.Count()
	if index < 0 || index >= count {
		return 0, 0, false
	}
	seekForward, left := forward, index
	if index > (count-1)/2 {
		seekForward, left = !forward, count-1-index
	}
	n = l.tail()
	if seekForward {
		n = l.head()
	}
	seen := 0
	for n != 0 && seen+l.nodeCount(n) <= left {
		seen += l.nodeCount(n)
		if seekForward {
			n = l.next(n)
		} else {
			n = l.prev(n)
		}
	}
	if n == 0 {
		return 0, 0, false
	}
	if seekForward != forward {
		seen = count - l.nodeCount(n) - seen
	}
	if forward {
		return n, index - seen, true
	}
	return n, -index - 1 + seen, true
}

// Next fills e with the next element and tells whether there is one (quicklistNext).
func (it *Iter) Next(e *Entry) bool {
	for it.node != 0 {
		if it.step(e) {
			return true
		}
		it.l.settle(it.node)
		if it.back {
			it.node, it.index = it.l.prev(it.node), -1
		} else {
			it.node, it.index = it.l.next(it.node), 0
		}
		it.at = 0
	}
	return false
}

// Done gives an iterator up that a change has not ended; its entries are no longer valid
// (quicklistReleaseIterator).
func (it *Iter) Done() {
	if it.node != 0 {
		it.l.settle(it.node)
		it.node = 0
	}
}

// step goes to the next element of the node.
func (it *Iter) step(e *Entry) bool {
	first := it.at == 0
	if first {
		it.l.use(it.node)
	}
	data := it.l.data(it.node)
	if it.l.isPlain(it.node) {
		if !first {
			return false
		}
		it.at = 1
		*e = Entry{Text: data[:len(data):len(data)], node: it.node, index: it.index}
		return true
	}
	switch {
	case first:
		it.at = listpack.Seek(data, it.index)
	case it.back:
		it.at = listpack.Prev(data, it.at)
		it.index--
	default:
		it.at = listpack.Next(data, it.at)
		it.index++
	}
	if it.at == 0 {
		return false
	}
	*e = Entry{node: it.node, at: it.at, index: it.index}
	e.Text, e.Int = listpack.Value(data, it.at)
	return true
}

// Delete removes the element that Next returned last; the iterator goes on behind it
// (quicklistDelEntry).
func (it *Iter) Delete(e *Entry) {
	prev, next := it.l.prev(e.node), it.l.next(e.node)
	gone := it.l.deleteAt(e.node, e.at)
	it.at = 0
	switch {
	case gone && it.back:
		it.node, it.index = prev, -1
	case gone:
		it.node, it.index = next, 0
	}
}

// EachNode calls f with the entry of every node, a listpack or with plain one large element, until it
// returns false. Entries may alias the heap.
func (l List) EachNode(f func(plain bool, entry []byte) bool) {
	for n := l.head(); n != 0 && f(l.isPlain(n), l.data(n)); n = l.next(n) {
	}
}
