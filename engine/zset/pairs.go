package zset

import (
	"bytes"
	"math"

	"github.com/keyloupe/keyloupe/engine/fpconv"
	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/listpack"
)

// scoreAt reads the score at an offset of a listpack.
func (s *Set) scoreAt(lp []byte, at int) float64 {
	text, n := listpack.Value(lp, at)
	if text == nil {
		return float64(n)
	}
	return fpconv.Strtod(s.T.H.Rel, text).V
}

// findPair is the offset of a member, 0 where it is not there.
func (s *Set) findPair(lp, member []byte) int {
	return listpack.Find(lp, listpack.First(lp), member, 1)
}

// insertPair adds a member that is not there to a small set, in its place (zzlInsert).
func (s *Set) insertPair(score float64, member []byte) {
	lp := s.listpack()
	var num [24]byte
	at := listpack.First(lp)
	for at != 0 {
		next := listpack.Next(lp, at)
		v := s.scoreAt(lp, next)
		if v > score || v == score && bytes.Compare(listpack.Get(lp, at, &num), member) > 0 {
			break
		}
		at = listpack.Next(lp, next)
	}
	s.insertPairAt(at, score, member)
}

// insertPairAt adds a pair before an offset, at the end where that is 0 (zzlInsertAt).
func (s *Set) insertPairAt(at int, score float64, member []byte) {
	h := s.T.H
	n, integral := fpconv.Int(score)
	var num [32]byte
	text := num[:0]
	if !integral {
		text = fpconv.Append(text, score)
	}
	if at == 0 {
		s.P = listpack.Append(h, s.P, member)
		if integral {
			s.P = listpack.AppendInt(h, s.P, n)
		} else {
			s.P = listpack.Append(h, s.P, text)
		}
		return
	}
	s.P = listpack.InsertBefore(h, s.P, at, member)
	if integral {
		s.P, _ = listpack.InsertIntAfter(h, s.P, at, n)
	} else {
		s.P, _ = listpack.InsertAfter(h, s.P, at, text)
	}
}

// deletePair removes the member at an offset and its score; next is the member after it.
func (s *Set) deletePair(at int) (next int) {
	s.P, next = listpack.DeleteFrom(s.T.H, s.P, at, 2)
	return next
}

// ValidScores tells whether no score of a listpack is NaN, which from 9.1 on RESTORE asks of one;
// its form must have been checked (zzlValidateScores).
func (t *Type) ValidScores(p heap.Ptr) bool {
	s := Set{T: t, P: p}
	lp := s.listpack()
	for at := listpack.First(lp); at != 0; at = listpack.Next(lp, at) {
		if at = listpack.Next(lp, at); at == 0 || math.IsNaN(s.scoreAt(lp, at)) {
			return false
		}
	}
	return true
}
