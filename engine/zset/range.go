package zset

import (
	"bytes"

	"github.com/keyloupe/keyloupe/engine/listpack"
	"github.com/keyloupe/keyloupe/engine/object"
	"github.com/keyloupe/keyloupe/engine/skiplist"
)

// Range is an interval of the order, by score or by member.
type Range interface {
	skiplist.Range
	empty() bool // no member can be in it
}

// Scores is an interval of scores.
type Scores struct {
	Min, Max     float64
	MinEx, MaxEx bool // without the bound itself
}

// Below tells whether a score lies before the interval.
func (r Scores) Below(v float64, _ []byte) bool { return v < r.Min || r.MinEx && v == r.Min }

// Above tells whether a score lies after the interval.
func (r Scores) Above(v float64, _ []byte) bool { return v > r.Max || r.MaxEx && v == r.Max }

func (r Scores) empty() bool { return r.Min > r.Max || r.Min == r.Max && (r.MinEx || r.MaxEx) }

// Bound is an end of an interval of members.
type Bound struct {
	Text []byte
	Inf  int  // -1: before every member, 1: after every member, 0: Text
	Ex   bool // without the bound itself
}

// Members is an interval of members, for sets whose scores are all the same.
type Members struct{ Min, Max Bound }

// compare tells how a member lies to the bound.
func (b *Bound) compare(m []byte) int {
	if b.Inf != 0 {
		return -b.Inf
	}
	return bytes.Compare(m, b.Text)
}

// Below tells whether a member lies before the interval.
func (r *Members) Below(_ float64, m []byte) bool {
	c := r.Min.compare(m)
	return c < 0 || c == 0 && r.Min.Ex
}

// Above tells whether a member lies after the interval.
func (r *Members) Above(_ float64, m []byte) bool {
	c := r.Max.compare(m)
	return c > 0 || c == 0 && r.Max.Ex
}

func (r *Members) empty() bool {
	c := 0
	switch {
	case r.Min.Inf != 0 || r.Max.Inf != 0:
		c = r.Min.Inf - r.Max.Inf
	default:
		c = bytes.Compare(r.Min.Text, r.Max.Text)
	}
	return c > 0 || c == 0 && (r.Min.Ex || r.Max.Ex)
}

// misses tells whether the range can be seen to hold nothing by its bounds and the first and last
// member. Where members have different scores an interval of members is looked for by the same
// steps as in the server, and so finds the same of what is there.
func (s *Set) misses(r Range) bool {
	if r.empty() {
		return true
	}
	last := s.Last()
	if !last.OK() || r.Below(last.Score(), last.Member()) {
		return true
	}
	first := s.First()
	return r.Above(first.Score(), first.Member())
}

// FirstIn stands at the first member of a range.
func (s *Set) FirstIn(r Range) Cursor {
	c := s.cursor()
	if s.misses(r) {
		return c
	}
	if c.lp == nil {
		c.node, _ = c.l.FirstIn(r)
		return c
	}
	for c = s.First(); c.OK(); c.Next() {
		score, m := c.Score(), c.Member()
		if !r.Below(score, m) {
			if r.Above(score, m) {
				c.at = 0
			}
			return c
		}
	}
	return c
}

// LastIn stands at the last member of a range.
func (s *Set) LastIn(r Range) Cursor {
	c := s.cursor()
	if s.misses(r) {
		return c
	}
	if c.lp == nil {
		c.node, _ = c.l.LastIn(r)
		return c
	}
	for c = s.Last(); c.OK(); c.Prev() {
		score, m := c.Score(), c.Member()
		if !r.Above(score, m) {
			if r.Below(score, m) {
				c.at = 0
			}
			return c
		}
	}
	return c
}

// Count is the number of members in a range.
func (s *Set) Count(r Range) (n int) {
	if s.misses(r) {
		return 0
	}
	if s.Enc == object.Skiplist {
		l := s.List()
		_, first := l.FirstIn(r)
		_, last := l.LastIn(r)
		switch {
		case first == 0:
			return 0
		case last == 0: // not possible where all scores are the same
			return l.Len() - first + 1
		}
		return last - first + 1
	}
	for c := s.FirstIn(r); c.OK() && !r.Above(c.Score(), c.Member()); c.Next() {
		n++
	}
	return n
}

// Window stands at the member of a range that offset others come before, from the start or, with
// reverse, from the end.
func (s *Set) Window(r Range, reverse bool, offset int) Cursor {
	if offset < 0 {
		return s.beyond(r, reverse, offset)
	}
	var c Cursor
	if reverse {
		c = s.LastIn(r)
	} else {
		c = s.FirstIn(r)
	}
	if !c.OK() || offset == 0 {
		return c
	}
	if s.Enc == object.Skiplist {
		return s.jump(c, r, reverse, offset)
	}
	for ; c.OK() && offset > 0; offset-- {
		c.step(reverse)
	}
	return c
}

// jump goes offset nodes on by rank, as far as the range goes.
func (s *Set) jump(c Cursor, r Range, reverse bool, offset int) Cursor {
	rank := c.l.Rank(c.node)
	if reverse {
		rank -= offset
	} else {
		rank += offset
	}
	c.node = c.l.ByRank(rank)
	if c.node != 0 && (r.Above(c.l.Score(c.node), c.l.Member(c.node)) || r.Below(c.l.Score(c.node), c.l.Member(c.node))) {
		c.node = 0
	}
	return c
}

// beyond is Window for a negative offset. Nothing comes of one where members are counted off one by
// one; from 8.0 on a skiplist takes it for a count from the other end of the range.
func (s *Set) beyond(r Range, reverse bool, offset int) Cursor {
	if s.Enc == object.Listpack || !s.T.H.Rel.ZrangeJumps {
		return s.cursor()
	}
	c := s.Window(r, !reverse, 0)
	if !c.OK() {
		return c
	}
	return s.jump(c, r, !reverse, -offset-1)
}

func (c *Cursor) step(reverse bool) {
	if reverse {
		c.Prev()
	} else {
		c.Next()
	}
}

// DeleteIn deletes the members of a range and tells how many they were.
func (s *Set) DeleteIn(r Range) (n int) {
	if s.Enc == object.Skiplist {
		t := s.table()
		t.hold()
		n = s.List().DeleteIn(r, t.dropper(s))
		t.let()
		return n
	}
	c := s.FirstIn(r)
	for at := c.at; at != 0; n++ {
		lp := s.listpack()
		var num [24]byte
		if r.Above(s.scoreAt(lp, listpack.Next(lp, at)), listpack.Get(lp, at, &num)) {
			break
		}
		at = s.deletePair(at)
	}
	return n
}

// DeleteRanks deletes the members with ranks from start to end, from 0 and both included.
func (s *Set) DeleteRanks(start, end int) (n int) {
	if s.Enc == object.Skiplist {
		t := s.table()
		t.hold()
		n = s.List().DeleteRanks(start+1, end+1, t.dropper(s))
		t.let()
		return n
	}
	n = end - start + 1
	s.P = listpack.DeleteRange(s.T.H, s.P, 2*start, 2*n)
	return n
}
