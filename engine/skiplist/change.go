package skiplist

import (
	"math"

	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/sds"
)

// path is the last node before a place on every level, and how many members lie before it.
type path struct {
	node [MaxLevel]heap.Ptr
	rank [MaxLevel]int
}

// find is the path to where a score and member belong. The node that ended a level often is the next
// one on the level below too; it is not compared again.
func (l List) find(score float64, member []byte, at *path) {
	x, rank, first := l.x, 0, l.f.first
	b := l.h.Bytes(x)
	ended := heap.Ptr(0)
	for i := l.Height() - 1; i >= 0; i-- {
		for {
			next := heap.Ptr(le.Uint64(b[first+i*levelSize:]))
			if next == 0 || next == ended {
				break
			}
			c := l.h.Bytes(next)
			if !l.before(c, score, member) {
				ended = next
				break
			}
			rank += l.span(b, i)
			x, b = next, c
		}
		at.node[i], at.rank[i] = x, rank
	}
}

// NewNode allocates a node that is not in the list yet. The member is copied.
func (l List) NewNode(height int, score float64, member []byte) heap.Ptr {
	if l.f.embedded {
		return l.newEmbedded(height, score, member)
	}
	ele := sds.New(l.h, member)
	return l.newSeparate(height, score, ele)
}

func (l List) newSeparate(height int, score float64, ele heap.Ptr) heap.Ptr {
	n := l.h.Alloc(l.f.nodeSize(height))
	b := l.h.Bytes(n)
	clear(b[:l.f.nodeSize(height)])
	le.PutUint64(b, uint64(ele))
	l.startNode(b, height, score)
	return n
}

// newEmbedded uses the natural header for the member, which for an empty one is type 5.
func (l List) newEmbedded(height int, score float64, member []byte) heap.Ptr {
	at := l.f.nodeSize(height)
	t := sds.Type(l.h.Rel, len(member))
	end := at + 1 + sds.Req(t, len(member))
	n := l.h.Alloc(end)
	b := l.h.Bytes(n)
	clear(b[:at])
	b[at] = byte(sds.Header(t))
	sds.Write(b[at+1:end], t, member)
	l.startNode(b, height, score)
	return n
}

func (l List) startNode(b []byte, height int, score float64) {
	le.PutUint64(b[l.f.score:], math.Float64bits(score))
	if l.f.height {
		le.PutUint64(b[l.f.first+8:], uint64(height))
	}
}

// Insert adds a member that is not there yet, on that many levels, and returns its node
// (zslInsert). The member is copied.
func (l List) Insert(height int, score float64, member []byte) heap.Ptr {
	n := l.NewNode(height, score, member)
	l.InsertNode(n, height)
	return n
}

// InsertNode puts a node with its score into its place (zslInsertNode).
func (l List) InsertNode(n heap.Ptr, height int) {
	var at path
	l.find(l.Score(n), l.Member(n), &at)
	l.raise(height, &at)
	nb := l.h.Bytes(n)
	for i := range height {
		ub := l.h.Bytes(at.node[i])
		old := l.span(ub, i)
		l.copyForward(nb, ub, i)
		le.PutUint64(ub[l.f.first+i*levelSize:], uint64(n))
		crossed := at.rank[0] - at.rank[i]
		l.setSpan(nb, i, old-crossed)
		l.setSpan(ub, i, crossed+1)
	}
	for i := height; i < l.Height(); i++ {
		b := l.h.Bytes(at.node[i])
		l.setSpan(b, i, l.span(b, i)+1)
	}
	back := at.node[0]
	if back == l.x {
		back = 0
	}
	le.PutUint64(nb[l.f.back:], uint64(back))
	l.setBack(l.forward(n, 0), n)
	l.setLen(l.Len() + 1)
}

// raise adds levels to the list for a node of that height.
func (l List) raise(height int, at *path) {
	old := l.Height()
	if height <= old {
		return
	}
	b := l.h.Bytes(l.x)
	for i := old; i < height; i++ {
		at.node[i], at.rank[i] = l.x, 0
		l.setSpan(b, i, l.Len())
	}
	l.setHeight(height)
	if l.f.height && !l.f.embedded {
		le.PutUint64(b[l.f.first+8:], uint64(height))
	}
}

func (l List) copyForward(to, from []byte, i int) {
	at := l.f.first + i*levelSize
	copy(to[at:at+8], from[at:at+8])
}

// setBack makes n, or the tail where n is 0, point back to a node.
func (l List) setBack(n, to heap.Ptr) {
	if n != 0 {
		le.PutUint64(l.h.Bytes(n)[l.f.back:], uint64(to))
		return
	}
	le.PutUint64(l.h.Bytes(l.p)[l.f.tail:], uint64(to))
}

// unlink takes a node out of the list (zslDeleteNode).
func (l List) unlink(n heap.Ptr, at *path) {
	nb := l.h.Bytes(n)
	for i := range l.Height() {
		b := l.h.Bytes(at.node[i])
		if l.forward(at.node[i], i) == n {
			l.setSpan(b, i, l.span(b, i)+l.span(nb, i)-1)
			l.copyForward(b, nb, i)
			continue
		}
		l.setSpan(b, i, l.span(b, i)-1)
	}
	l.setBack(l.forward(n, 0), l.Prev(n))
	for h := l.Height(); h > 1 && l.forward(l.x, h-1) == 0; h-- {
		l.setHeight(h - 1)
	}
	l.setLen(l.Len() - 1)
}

// Delete takes a node out of the list and frees it and its member (zslDelete).
func (l List) Delete(n heap.Ptr) {
	var at path
	l.find(l.Score(n), l.Member(n), &at)
	l.unlink(n, &at)
	l.freeNode(n)
}

// Update gives the member at n another score and returns its node then (zslUpdateScore): the same
// one where its place stays. Where it does not, 9.1 moves the node; earlier releases replace it by
// one of a new height, which the caller draws, and keep the member's sds.
func (l List) Update(n heap.Ptr, score float64, height func() int) heap.Ptr {
	prev, next := l.Prev(n), l.Next(n)
	if (prev == 0 || l.Score(prev) < score) && (next == 0 || l.Score(next) > score) {
		l.SetScore(n, score)
		return n
	}
	var at path
	l.find(l.Score(n), l.Member(n), &at)
	l.unlink(n, &at)
	if l.f.embedded {
		l.SetScore(n, score)
		l.InsertNode(n, l.nodeHeight(l.h.Bytes(n)))
		return n
	}
	high := height()
	m := l.newSeparate(high, score, heap.Ptr(le.Uint64(l.h.Bytes(n))))
	l.InsertNode(m, high)
	l.h.Free(n)
	return m
}

// InsertOwned is Insert for a member whose sds exists and from now on belongs to the node; not of
// lists whose nodes hold their members.
func (l List) InsertOwned(height int, score float64, ele heap.Ptr) heap.Ptr {
	n := l.newSeparate(height, score, ele)
	l.InsertNode(n, height)
	return n
}

// Place puts a node into the list that tells its height itself.
func (l List) Place(n heap.Ptr) { l.InsertNode(n, l.nodeHeight(l.h.Bytes(n))) }
