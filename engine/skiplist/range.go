package skiplist

import "github.com/keyloupe/keyloupe/engine/heap"

// Range is an interval of the order: the members that are neither below nor above it.
type Range interface {
	Below(score float64, member []byte) bool // before the interval
	Above(score float64, member []byte) bool // after the interval
}

// skip goes forward while the next node is, in the order, where ahead says, and returns the last
// node passed and its rank, 0 for the header.
func (l List) skip(ahead func(score float64, member []byte) bool) (heap.Ptr, int) {
	x, rank := l.x, 0
	for i := l.Height() - 1; i >= 0; i-- {
		for {
			next := l.forward(x, i)
			if next == 0 || !ahead(l.Score(next), l.Member(next)) {
				break
			}
			rank += l.span(l.h.Bytes(x), i)
			x = next
		}
	}
	return x, rank
}

// FirstIn is the first node in the range and its rank from 1; 0, 0 where none is.
func (l List) FirstIn(r Range) (heap.Ptr, int) {
	x, rank := l.skip(r.Below)
	n := l.forward(x, 0)
	if n == 0 || r.Above(l.Score(n), l.Member(n)) {
		return 0, 0
	}
	return n, rank + 1
}

// LastIn is the last node in the range and its rank from 1; 0, 0 where none is.
func (l List) LastIn(r Range) (heap.Ptr, int) {
	x, rank := l.skip(func(s float64, m []byte) bool { return !r.Above(s, m) })
	if x == l.x || r.Below(l.Score(x), l.Member(x)) {
		return 0, 0
	}
	return x, rank
}

// ByRank is the node of rank n, counted from 1; 0 where there is none.
func (l List) ByRank(n int) heap.Ptr {
	if n < 1 {
		return 0
	}
	x, passed := l.x, 0
	for i := l.Height() - 1; i >= 0; i-- {
		for {
			next := l.forward(x, i)
			if next == 0 {
				break
			}
			s := l.span(l.h.Bytes(x), i)
			if passed+s > n {
				break
			}
			passed += s
			x = next
		}
		if passed == n {
			return x
		}
	}
	return 0
}

// Rank is the rank of a node, from 1.
func (l List) Rank(n heap.Ptr) int {
	if !l.f.height {
		_, rank := l.skip(l.notAfter(n))
		return rank
	}
	after := 0
	for n != 0 {
		b := l.h.Bytes(n)
		top := l.nodeHeight(b) - 1
		after += l.span(b, top)
		n = l.forward(n, top)
	}
	return l.Len() - after
}

// notAfter tells of each member whether it is the one at n or comes before it.
func (l List) notAfter(n heap.Ptr) func(float64, []byte) bool {
	score, member := l.Score(n), l.Member(n)
	return func(s float64, m []byte) bool {
		return s < score || s == score && string(m) <= string(member)
	}
}

// DeleteIn deletes the nodes of a range and tells how many they were. gone is called for each
// after it left the list and before it is freed, so that the table can drop it.
func (l List) DeleteIn(r Range, gone func(n heap.Ptr)) int {
	return l.deleteFrom(func(b heap.Ptr, _ int) bool { return r.Below(l.Score(b), l.Member(b)) },
		func(n heap.Ptr, _ int) bool { return r.Above(l.Score(n), l.Member(n)) }, gone)
}

// DeleteRanks deletes the nodes with ranks from start to end, both counted from 1 and included.
func (l List) DeleteRanks(start, end int, gone func(n heap.Ptr)) int {
	return l.deleteFrom(func(_ heap.Ptr, rank int) bool { return rank < start },
		func(_ heap.Ptr, rank int) bool { return rank > end }, gone)
}

// deleteFrom skips while before holds of the next node and its rank, then deletes until after does.
func (l List) deleteFrom(before, after func(n heap.Ptr, rank int) bool, gone func(n heap.Ptr)) (removed int) {
	var at path
	x, rank := l.x, 0
	for i := l.Height() - 1; i >= 0; i-- {
		for {
			next := l.forward(x, i)
			if next == 0 {
				break
			}
			to := rank + l.span(l.h.Bytes(x), i)
			if !before(next, to) {
				break
			}
			x, rank = next, to
		}
		at.node[i] = x
	}
	for n := l.forward(x, 0); n != 0; {
		rank++
		if after(n, rank) {
			break
		}
		next := l.forward(n, 0)
		l.unlink(n, &at)
		gone(n)
		l.freeNode(n)
		removed++
		n = next
	}
	return removed
}
