package quicklist

import (
	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/listpack"
)

// Text given to a change must not alias the list.

// Push adds s at the head or at the tail (quicklistPushHead, quicklistPushTail).
func (l List) Push(s []byte, head bool) {
	end := l.tail()
	if head {
		end = l.head()
	}
	switch {
	case l.large(len(s)):
		l.insertPlain(end, s, !head)
		return
	case !l.allowsInsert(end, len(s)):
		l.insertNode(end, l.newPacked(s), !head)
	case head:
		l.grown(end, listpack.Prepend(l.H, l.entry(end), s))
	default:
		l.grown(end, listpack.Append(l.H, l.entry(end), s))
	}
	l.addCount(1)
}

func (l List) insertPlain(old heap.Ptr, s []byte, after bool) {
	l.H.Note("the element has %d bytes, more than a node may hold: it gets a plain node", len(s))
	l.insertNode(old, l.newPlain(s), after)
	l.addCount(1)
}

// AppendListpack adds a node with a listpack, which becomes the list's (quicklistAppendListpack).
func (l List) AppendListpack(p heap.Ptr) {
	n := l.newNode(packed)
	l.setListpack(n, p)
	l.setCount(n, listpack.Len(l.H.Bytes(p)))
	l.insertNode(l.tail(), n, true)
	l.addCount(l.nodeCount(n))
}

// AppendPlain adds a plain node with s (quicklistAppendPlainNode).
func (l List) AppendPlain(s []byte) {
	l.insertNode(l.tail(), l.newPlain(s), true)
	l.addCount(1)
}

// DeleteLast removes the element at the head or at the tail of a list that has one.
func (l List) DeleteLast(head bool) {
	n := l.tail()
	if head {
		n = l.head()
	}
	switch {
	case l.isPlain(n):
		l.deleteNode(n)
	case head:
		l.deleteAt(n, listpack.First(l.data(n)))
	default:
		l.deleteAt(n, listpack.Last(l.data(n)))
	}
}

// Insert puts s before or after the element that e is of; iterators are no longer valid
// (_quicklistInsert).
func (l List) Insert(e *Entry, s []byte, after bool) {
	n := e.node
	full := !l.allowsInsert(n, len(s))
	atTail := after && (e.index == l.nodeCount(n)-1 || e.index == -1)
	atHead := !after && (e.index == 0 || e.index == -l.nodeCount(n))
	if l.large(len(s)) {
		l.insertLarge(e, s, after, atTail || atHead)
		return
	}
	neighbour := l.prev(n)
	if after {
		neighbour = l.next(n)
	}
	switch {
	case !full && after:
		l.use(n)
		p, _ := listpack.InsertAfter(l.H, l.entry(n), e.at, s)
		l.grown(n, p)
		l.used(n)
	case !full:
		l.use(n)
		l.grown(n, listpack.InsertBefore(l.H, l.entry(n), e.at, s))
		l.used(n)
	case (atTail || atHead) && l.allowsInsert(neighbour, len(s)):
		l.use(neighbour)
		if after {
			l.grown(neighbour, listpack.Prepend(l.H, l.entry(neighbour), s))
		} else {
			l.grown(neighbour, listpack.Append(l.H, l.entry(neighbour), s))
		}
		l.used(neighbour)
		l.used(n)
	case atTail || atHead:
		l.insertNode(n, l.newPacked(s), after)
	default:
		l.use(n)
		m := l.split(n, e.index, after)
		if after {
			l.grown(m, listpack.Prepend(l.H, l.entry(m), s))
		} else {
			l.grown(m, listpack.Append(l.H, l.entry(m), s))
		}
		l.insertNode(n, m, after)
		l.mergeAround(n)
	}
	l.addCount(1)
}

func (l List) insertLarge(e *Entry, s []byte, after, atEnd bool) {
	if atEnd || l.isPlain(e.node) {
		l.insertPlain(e.node, s, after)
		return
	}
	l.use(e.node)
	m := l.split(e.node, e.index, after)
	n := l.newPlain(s)
	l.insertNode(e.node, n, after)
	l.insertNode(n, m, after)
	l.addCount(1)
}

// Replace puts s in the place of the element that e is of; iterators are no longer valid
// (quicklistReplaceEntry).
func (l List) Replace(e *Entry, s []byte) {
	n := e.node
	switch {
	case !l.isPlain(n) && !l.large(len(s)):
		l.setListpack(n, listpack.Replace(l.H, l.entry(n), e.at, s))
		l.settle(n)
	case l.isPlain(n) && l.large(len(s)):
		l.H.Free(l.entry(n))
		l.setEntry(n, listpack.FromBytes(l.H, s))
		l.setSz(n, len(s))
		l.settle(n)
	case l.isPlain(n):
		l.Insert(e, s, true)
		l.deleteNode(n)
	case l.H.Rel.PlainByFill:
		l.replaceByPlain(e, s)
	default: // 7.2 leaves the nodes as an insertion leaves them
		l.mark(n, dontCompress, 0)
		l.Insert(e, s, true)
		if l.deleteLastOf(n) {
			return
		}
		l.mark(n, 0, dontCompress)
		l.settle(n)
		if next := l.next(n); next != 0 {
			l.settle(next)
		}
	}
}

// replaceByPlain puts a plain node in the place of an element of a packed node.
func (l List) replaceByPlain(e *Entry, s []byte) {
	n := e.node
	l.mark(n, dontCompress, 0)
	var rest heap.Ptr
	if e.index != l.nodeCount(n)-1 && e.index != -1 {
		rest = l.split(n, e.index, true)
	}
	m := l.newPlain(s)
	l.insertNode(n, m, true)
	if rest != 0 {
		l.insertNode(m, rest, true)
	}
	l.addCount(1)
	if l.deleteLastOf(n) {
		return
	}
	l.mark(n, 0, dontCompress)
	m = l.mergeAround(m)
	l.settle(m)
	l.settle(l.prev(m))
	if next := l.next(m); next != 0 {
		l.settle(next)
	}
}

// deleteLastOf removes the last element of a packed node, and the node if it had no other.
func (l List) deleteLastOf(n heap.Ptr) (gone bool) {
	if l.nodeCount(n) == 1 {
		l.deleteNode(n)
		return true
	}
	return l.deleteAt(n, listpack.Last(l.data(n)))
}

// DeleteRange removes n elements, or as many as there are, from the one at an index on; negative
// indexes count from the end (quicklistDelRange).
func (l List) DeleteRange(index, n int) {
	if n <= 0 {
		return
	}
	if index >= 0 {
		n = min(n, l.Count()-index)
	} else {
		n = min(n, -index)
	}
	node, i, ok := l.find(index)
	if ok {
		l.settle(node) // as the iterator that found it is given up
	}
	for ok && n > 0 {
		next := l.next(node)
		gone := 0
		count := l.nodeCount(node)
		switch {
		case i == 0 && n >= count:
			gone = count
			l.deleteNode(node)
		case i >= 0 && n+i >= count:
			gone = count - i
			l.deleteSome(node, i, gone)
		case i < 0:
			gone = min(-i, n)
			l.deleteSome(node, i, gone)
		default:
			gone = n
			l.deleteSome(node, i, gone)
		}
		n -= gone
		node, i = next, 0
	}
}

// deleteSome removes elements of one node, and the node if none is left.
func (l List) deleteSome(n heap.Ptr, i, k int) {
	if l.isPlain(n) {
		l.deleteNode(n)
		return
	}
	l.use(n)
	l.setListpack(n, listpack.DeleteRange(l.H, l.entry(n), i, k))
	l.setCount(n, l.nodeCount(n)-k)
	l.addCount(-k)
	if l.nodeCount(n) == 0 {
		l.deleteNode(n)
		return
	}
	l.used(n)
}
