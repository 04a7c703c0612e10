package zset

import (
	"math"

	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/listpack"
	"github.com/keyloupe/keyloupe/engine/object"
)

// Flags say how Add treats members that are there and that are not.
type Flags uint8

// The flags.
const (
	Incr Flags = 1 << iota // the score is added to the one there
	NX                     // only members that are not there
	XX                     // only members that are there
	GT                     // a member that is there only gets a higher score
	LT                     // a member that is there only gets a lower score
)

// Outcome is what Add did.
type Outcome uint8

// The outcomes.
const (
	Same    Outcome = iota // the member has the score already
	Added                  // the member was not there
	Updated                // the score was changed
	Nop                    // the flags forbade it
	NaN                    // the sum is not a number, nothing was done
)

// Add adds a member or changes its score and returns the score it has then (zsetAdd).
func (s *Set) Add(score float64, member []byte, f Flags) (Outcome, float64) {
	if math.IsNaN(score) {
		return NaN, 0
	}
	if s.Enc == object.Listpack {
		lp := s.listpack()
		if at := s.findPair(lp, member); at != 0 {
			was := s.scoreAt(lp, listpack.Next(lp, at))
			out, v := f.change(was, score)
			if out == Updated {
				s.deletePair(at)
				s.insertPair(v, member)
			}
			return out, v
		}
		if f&XX != 0 {
			return Nop, 0
		}
		if s.fits(len(lp), member) {
			s.insertPair(score, member)
			return Added, score
		}
		s.convertToSkiplist(s.Len() + 1)
	}
	return s.addNode(score, member, f)
}

// fits tells whether a small set stays one with another member; size is its listpack's.
func (s *Set) fits(size int, member []byte) bool {
	switch {
	case s.Len()+1 > s.T.MaxEntries():
		s.T.H.Note("more than %d members: the listpack became a skiplist with a table", s.T.MaxEntries())
		return false
	case len(member) > s.T.MaxValue():
		s.T.H.Note("a member of %d bytes, longer than %d: the listpack became a skiplist with a table", len(member), s.T.MaxValue())
		return false
	}
	return listpack.SafeToAdd(size, len(member))
}

func (s *Set) addNode(score float64, member []byte, f Flags) (Outcome, float64) {
	t := s.table()
	l := s.List()
	n, at := t.locate(member)
	if n == 0 {
		if f&XX != 0 {
			return Nop, 0
		}
		t.add(l, l.Insert(s.T.height(), score, member), at.hash)
		return Added, score
	}
	out, v := f.change(l.Score(n), score)
	if out == Updated {
		t.replace(at, l.Update(n, v, s.T.height))
	}
	return out, v
}

// change decides over a member that is there with the score was.
func (f Flags) change(was, score float64) (Outcome, float64) {
	if f&NX != 0 {
		return Nop, 0
	}
	if f&Incr != 0 {
		if score += was; math.IsNaN(score) {
			return NaN, 0
		}
	}
	switch {
	case f&LT != 0 && score >= was || f&GT != 0 && score <= was:
		return Nop, 0
	case score != was:
		return Updated, score
	}
	return Same, score
}

// Del deletes a member and tells whether it was there (zsetDel).
func (s *Set) Del(member []byte) bool {
	if s.Enc == object.Listpack {
		at := s.findPair(s.listpack(), member)
		if at != 0 {
			s.deletePair(at)
		}
		return at != 0
	}
	if !s.Remove(member) {
		return false
	}
	t := s.table()
	t.shrink()
	return true
}

// Remove is Del for a large set that does not look whether the table is to shrink, which in 7.2
// comes after a deletion (zsetRemoveFromSkiplist).
func (s *Set) Remove(member []byte) bool {
	t := s.table()
	n := t.remove(member)
	if n != 0 {
		s.List().Delete(n)
	}
	return n != 0
}

// HoldShrink keeps the table of a large set from shrinking while several members are deleted;
// LetShrink ends that.
func (s *Set) HoldShrink() { s.onTable((*table).hold) }

// LetShrink ends HoldShrink.
func (s *Set) LetShrink() { s.onTable((*table).let) }

func (s *Set) onTable(f func(*table)) {
	if s.Enc == object.Skiplist {
		t := s.table()
		f(&t)
	}
}

// dropper takes nodes that left the skiplist out of the table.
func (t *table) dropper(s *Set) func(n heap.Ptr) {
	l := s.List()
	return func(n heap.Ptr) { t.remove(l.Member(n)) }
}
