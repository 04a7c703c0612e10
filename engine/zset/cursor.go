package zset

import (
	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/listpack"
	"github.com/keyloupe/keyloupe/engine/object"
	"github.com/keyloupe/keyloupe/engine/skiplist"
)

// Cursor stands at a member. A change of the set makes it invalid.
type Cursor struct {
	s    *Set
	l    skiplist.List
	lp   []byte
	at   int      // offset of the member in a listpack
	node heap.Ptr // node in a skiplist
	num  [24]byte
}

func (s *Set) cursor() Cursor {
	if s.Enc == object.Listpack {
		return Cursor{s: s, lp: s.listpack()}
	}
	return Cursor{s: s, l: s.List()}
}

// First stands at the first member, Last at the last; not OK in an empty set.
func (s *Set) First() Cursor {
	c := s.cursor()
	if c.lp != nil {
		c.at = listpack.First(c.lp)
	} else {
		c.node = c.l.First()
	}
	return c
}

// Last stands at the last member.
func (s *Set) Last() Cursor {
	c := s.cursor()
	if c.lp != nil {
		c.at = listpack.Seek(c.lp, -2)
	} else {
		c.node = c.l.Last()
	}
	return c
}

// Seek stands at the member of that rank, from 0.
func (s *Set) Seek(rank int) Cursor {
	c := s.cursor()
	if c.lp != nil {
		c.at = listpack.Seek(c.lp, 2*rank)
	} else {
		c.node = c.l.ByRank(rank + 1)
	}
	return c
}

// OK tells whether there is a member.
func (c *Cursor) OK() bool { return c.at != 0 || c.node != 0 }

// Member is the member. It aliases the heap or the cursor.
func (c *Cursor) Member() []byte {
	if c.lp != nil {
		return listpack.Get(c.lp, c.at, &c.num)
	}
	return c.l.Member(c.node)
}

// Score is the score.
func (c *Cursor) Score() float64 {
	if c.lp != nil {
		return c.s.scoreAt(c.lp, listpack.Next(c.lp, c.at))
	}
	return c.l.Score(c.node)
}

// Next goes to the member after this one.
func (c *Cursor) Next() {
	if c.lp != nil {
		c.at = listpack.Next(c.lp, listpack.Next(c.lp, c.at))
	} else {
		c.node = c.l.Next(c.node)
	}
}

// Prev goes to the member before this one.
func (c *Cursor) Prev() {
	if c.lp == nil {
		c.node = c.l.Prev(c.node)
		return
	}
	if c.at = listpack.Prev(c.lp, c.at); c.at != 0 {
		c.at = listpack.Prev(c.lp, c.at)
	}
}

// Each calls f with every member in order until it returns false.
func (s *Set) Each(f func(score float64, member []byte) bool) {
	for c := s.First(); c.OK(); c.Next() {
		if !f(c.Score(), c.Member()) {
			return
		}
	}
}

// EachByTable is Each in the order of the table, for a large set.
func (s *Set) EachByTable(f func(score float64, member []byte) bool) {
	t, l := s.table(), s.List()
	t.each(func(n heap.Ptr) bool { return f(l.Score(n), l.Member(n)) })
}

// Scan calls f with the members at a cursor of the table of a large set and returns the next one,
// 0 at the end.
func (s *Set) Scan(cursor uint64, f func(score float64, member []byte)) uint64 {
	t, l := s.table(), s.List()
	return t.scan(cursor, func(n heap.Ptr) { f(l.Score(n), l.Member(n)) })
}

// Random stands at a member drawn with the random numbers of next, in a set that is not empty.
func (s *Set) Random(next func() uint64) Cursor {
	if s.Enc == object.Listpack {
		return s.Seek(int(next() % uint64(s.Len())))
	}
	c := s.cursor()
	t := s.table()
	c.node = t.random(next)
	return c
}
