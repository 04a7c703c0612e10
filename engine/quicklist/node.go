package quicklist

import (
	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/listpack"
)

// newNode allocates a node without entry.
func (l List) newNode(container int) heap.Ptr {
	n := l.H.Zalloc(NodeSize)
	le.PutUint32(l.H.Bytes(n)[oBits:], uint32(raw|container))
	return n
}

// newPlain allocates a node for one large element.
func (l List) newPlain(s []byte) heap.Ptr {
	n := l.newNode(plain)
	l.setEntry(n, listpack.FromBytes(l.H, s))
	l.setSz(n, len(s))
	l.setCount(n, 1)
	return n
}

// newPacked allocates a node with a listpack of one element.
func (l List) newPacked(s []byte) heap.Ptr {
	n := l.newNode(packed)
	l.setListpack(n, listpack.Append(l.H, listpack.New(l.H, 0), s))
	l.setCount(n, 1)
	return n
}

// setListpack stores where the listpack of a node is now, and its size.
func (l List) setListpack(n, p heap.Ptr) {
	l.setEntry(n, p)
	l.setSz(n, listpack.Bytes(l.H.Bytes(p)))
}

// grown is setListpack after one element was added.
func (l List) grown(n, p heap.Ptr) {
	l.setListpack(n, p)
	l.setCount(n, l.nodeCount(n)+1)
}

// insertNode puts a new node before or after an old one, which is 0 in an empty list
// (__quicklistInsertNode). It does not change count.
func (l List) insertNode(old, n heap.Ptr, after bool) {
	prev, next := old, heap.Ptr(0)
	if !after {
		prev, next = 0, old
	}
	if old != 0 && after {
		next = l.next(old)
	} else if old != 0 {
		prev = l.prev(old)
	}
	l.setPrev(n, prev)
	l.setNext(n, next)
	if prev != 0 {
		l.setNext(prev, n)
	} else {
		l.setHead(n)
	}
	if next != 0 {
		l.setPrev(next, n)
	} else {
		l.setTail(n)
	}
	l.addLen(1)
	if old != 0 {
		l.settle(old)
	}
	l.settle(n)
}

// deleteNode takes a node with all its elements out (__quicklistDelNode).
func (l List) deleteNode(n heap.Ptr) {
	prev, next := l.prev(n), l.next(n)
	if next != 0 {
		l.setPrev(next, prev)
	} else {
		l.setTail(prev)
	}
	if prev != 0 {
		l.setNext(prev, next)
	} else {
		l.setHead(next)
	}
	l.addLen(-1)
	l.addCount(-l.nodeCount(n))
	if l.Nodes() > 0 {
		l.fit(0)
	}
	l.H.Free(l.entry(n))
	l.H.Free(n)
}

// deleteAt takes one element out and tells whether its node went with it (quicklistDelIndex).
func (l List) deleteAt(n heap.Ptr, at int) (gone bool) {
	if l.isPlain(n) {
		l.deleteNode(n)
		return true
	}
	p, _ := listpack.Delete(l.H, l.entry(n), at)
	l.setListpack(n, p)
	l.setCount(n, l.nodeCount(n)-1)
	l.addCount(-1)
	if l.nodeCount(n) > 0 {
		return false
	}
	l.deleteNode(n)
	return true
}

// split cuts a packed node behind the element at an index (after) or in front of it; the new node
// gets the elements behind the cut, or those in front of it. The new node is not in the list yet
// (_quicklistSplitNode).
func (l List) split(n heap.Ptr, i int, after bool) heap.Ptr {
	if i < 0 {
		i += l.nodeCount(n)
	}
	m := l.newNode(packed)
	l.setEntry(m, listpack.FromBytes(l.H, l.data(n)))
	all := l.nodeCount(n)
	if after {
		l.trim(n, i+1, all)
		l.trim(m, 0, i+1)
	} else {
		l.trim(n, 0, i)
		l.trim(m, i, all)
	}
	l.H.Note("the node was full: it was split")
	return m
}

// trim removes k elements of a packed node from index i on.
func (l List) trim(n heap.Ptr, i, k int) {
	p := listpack.DeleteRange(l.H, l.entry(n), i, k)
	l.setListpack(n, p)
	l.setCount(n, listpack.Len(l.H.Bytes(p)))
}

// merge puts the elements of b, which follows a, and those of a into one of the two nodes and
// returns it (_quicklistListpackMerge).
func (l List) merge(a, b heap.Ptr) heap.Ptr {
	l.decompress(a)
	l.decompress(b)
	keep, gone := a, b
	if l.sz(a) < l.sz(b) {
		keep, gone = b, a
	}
	p := listpack.Merge(l.H, l.entry(a), l.entry(b))
	l.setListpack(keep, p)
	l.setCount(keep, listpack.Len(l.H.Bytes(p)))
	l.mark(keep, 0, recompress)
	l.setEntry(gone, 0)
	l.setCount(gone, 0)
	l.deleteNode(gone)
	l.settle(keep)
	l.H.Note("two neighbouring nodes fit in one: they were merged")
	return keep
}

// mergeAround merges what fits around a node and returns the node that has its elements
// (_quicklistMergeNodes).
func (l List) mergeAround(center heap.Ptr) heap.Ptr {
	prev, next := l.prev(center), l.next(center)
	var prevPrev, nextNext heap.Ptr
	if prev != 0 {
		prevPrev = l.prev(prev)
	}
	if next != 0 {
		nextNext = l.next(next)
	}
	if l.allowsMerge(prev, prevPrev) {
		l.merge(prevPrev, prev)
	}
	if l.allowsMerge(next, nextNext) {
		l.merge(next, nextNext)
	}
	target := center
	if p := l.prev(center); l.allowsMerge(center, p) {
		target = l.merge(p, center)
	}
	if n := l.next(target); l.allowsMerge(target, n) {
		target = l.merge(target, n)
	}
	return target
}
