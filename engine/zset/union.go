package zset

import (
	"math"

	"github.com/keyloupe/keyloupe/engine/dict"
	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/sds"
	"github.com/keyloupe/keyloupe/engine/skiplist"
)

// Union fills an empty large set with members whose scores are aggregated first, and put in order
// only when all are known (t_zset.c, zunionInterDiffGenericCommand). In 7.2 and 8.0 a dict of members
// and scores collects them; from 8.1 on the set's own table does, with nodes that are not in the
// skiplist yet.
type Union struct {
	s   *Set
	l   skiplist.List
	t   table
	acc dict.Dict
}

// NewUnion begins with a table for that many members.
func (s *Set) NewUnion(members int) *Union {
	u := &Union{s: s, l: s.List(), t: s.table()}
	if s.T.chained() {
		u.acc = dict.New(s.T.H, &s.T.dict)
		u.acc.Expand(members)
	} else {
		u.t.reserve(members)
	}
	return u
}

// Add adds a member, or aggregates its score with the one there, and tells whether it was new.
func (u *Union) Add(score float64, member []byte, aggregate func(a, b float64) float64) bool {
	if u.t.chained {
		return u.collect(score, member, aggregate)
	}
	hash := u.t.t.Hash(member)
	if r := u.t.t.Find(member, hash); r.OK() {
		n := r.Get()
		u.l.SetScore(n, aggregate(u.l.Score(n), score))
		return false
	}
	u.t.t.Insert(hash, u.l.NewNode(u.s.T.height(), score, member))
	return true
}

func (u *Union) collect(score float64, member []byte, aggregate func(a, b float64) float64) bool {
	at, e := u.acc.FindSlot(member)
	if e != 0 {
		was := math.Float64frombits(u.acc.Val(e))
		u.acc.SetVal(e, math.Float64bits(aggregate(was, score)))
		return false
	}
	e = u.acc.Insert(at, sds.New(u.s.T.H, member))
	u.acc.SetVal(e, math.Float64bits(score))
	return true
}

// Finish puts the members in order.
func (u *Union) Finish() {
	if !u.t.chained {
		u.t.each(func(n heap.Ptr) bool { u.l.Place(n); return true })
		return
	}
	u.t.reserve(u.acc.Len())
	u.acc.Each(func(e dict.Entry) bool {
		n := u.l.InsertOwned(u.s.T.height(), math.Float64frombits(u.acc.Val(e)), u.acc.KeyPtr(e))
		u.t.add(u.l, n, 0)
		return true
	})
	u.acc.Free()
}
