package zset

import (
	"github.com/keyloupe/keyloupe/engine/listpack"
	"github.com/keyloupe/keyloupe/engine/object"
)

// MaybeConvert makes a small set a large one where that many members, of up to that many bytes, are
// about to be added and would not fit (zsetTypeMaybeConvert).
func (s *Set) MaybeConvert(members, longest int) {
	if s.Enc == object.Listpack && (members > s.T.MaxEntries() || longest > s.T.MaxValue()) {
		s.T.H.Note("%d members of up to %d bytes at once: the listpack became a skiplist with a table", members, longest)
		s.convertToSkiplist(members)
	}
}

// ToSkiplist makes a small set a large one.
func (s *Set) ToSkiplist() {
	if s.Enc == object.Listpack {
		s.convertToSkiplist(s.Len())
	}
}

// convertToSkiplist makes a small set a large one with a table for that many members
// (zsetConvertAndExpand).
func (s *Set) convertToSkiplist(members int) {
	big := s.T.NewSkiplist()
	t := big.table()
	t.reserve(members)
	lp := s.listpack()
	var num [24]byte
	for at := listpack.First(lp); at != 0; {
		next := listpack.Next(lp, at)
		big.Insert(s.scoreAt(lp, next), listpack.Get(lp, at, &num))
		at = listpack.Next(lp, next)
	}
	s.T.H.Free(s.P)
	*s = big
}

// ToListpackIfFits makes a large set a small one where its members, the longest and all of them
// together in bytes, are within the limits (zsetConvertToListpackIfNeeded).
func (s *Set) ToListpackIfFits(longest, total int) {
	if s.Enc == object.Skiplist && s.Len() <= s.T.MaxEntries() && longest <= s.T.MaxValue() && listpack.SafeToAdd(0, total) {
		s.T.H.Note("the result has %d members of up to %d bytes: it became a listpack", s.Len(), longest)
		s.convertToListpack()
	}
}

func (s *Set) convertToListpack() {
	small := s.T.NewListpack()
	t := s.table()
	t.free()
	l := s.List()
	for n := l.First(); n != 0; n = l.Next(n) {
		small.insertPairAt(0, l.Score(n), l.Member(n))
	}
	l.Free()
	s.T.H.Free(s.P)
	*s = small
}
