// Package zset is a sorted set: members with scores, in the order of score and then member.
//
//	listpack   | total 4 | count 2 | member | score | member | score | ... | 0xff |      small ones
//	skiplist   zset | table 8 | zsl 8 |
//	             table  a hashtable of nodes by member (8.1 and later),
//	                    or a dict from member to the score in its node (7.2, 8.0)
//	             zsl    the skiplist of the same nodes
//
// It becomes a skiplist for good when it gets more members than zset-max-listpack-entries or one
// longer than zset-max-listpack-value, bytes; sets that a command makes anew are turned into a
// listpack again where they fit. An integral score is an integer element of the listpack, another
// its shortest decimal. Source: t_zset.c of each release.
//
// A Set is a view: value and encoding, for the caller to store in the object after a change.
package zset

import (
	"github.com/keyloupe/keyloupe/engine/dict"
	"github.com/keyloupe/keyloupe/engine/hashtable"
	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/engine/listpack"
	"github.com/keyloupe/keyloupe/engine/object"
	"github.com/keyloupe/keyloupe/engine/release"
	"github.com/keyloupe/keyloupe/engine/siphash"
	"github.com/keyloupe/keyloupe/engine/skiplist"
)

// Type is what the sorted sets of one server have in common.
type Type struct {
	H *heap.Heap
	// MaxEntries and MaxValue are zset-max-listpack-entries and zset-max-listpack-value.
	MaxEntries, MaxValue func() int
	Random               skiplist.Source // draws the heights of nodes

	dict    dict.Type
	buckets hashtable.Type
	zset    *layout.Struct
}

// NewType makes the type for a server whose tables of values hash with seed.
func NewType(h *heap.Heap, seed *siphash.Seed, random skiplist.Source, maxEntries, maxValue func() int) *Type {
	return &Type{H: h, MaxEntries: maxEntries, MaxValue: maxValue, Random: random,
		dict:    dict.Type{Name: "sorted set", Seed: seed},
		buckets: hashtable.Type{Name: "sorted set", Seed: seed, KeyOf: skiplist.MemberOf},
		zset:    skiplist.Zset(h.Rel)}
}

// Set is a sorted set.
type Set struct {
	T   *Type
	Enc object.Encoding // Listpack or Skiplist
	P   heap.Ptr
}

// Open views the sorted set at p.
func (t *Type) Open(e object.Encoding, p heap.Ptr) Set { return Set{t, e, p} }

// NewListpack makes an empty small set.
func (t *Type) NewListpack() Set { return Set{t, object.Listpack, listpack.New(t.H, 0)} }

// NewSkiplist makes an empty large set.
func (t *Type) NewSkiplist() Set {
	s := Set{t, object.Skiplist, t.H.Alloc(skiplist.ZsetSize)}
	b := t.H.Bytes(s.P)
	t.zset.Fields[0].Set(b, uint64(t.newTable()))
	t.zset.Fields[1].Set(b, uint64(skiplist.New(t.H).Ptr()))
	return s
}

// NewLoaded makes an empty large set with a table for that many members, as a load does.
func (t *Type) NewLoaded(members int) Set {
	s := t.NewSkiplist()
	tab := s.table()
	tab.reserve(members)
	return s
}

// New makes an empty set for that many members of up to that many bytes (zsetTypeCreate).
func (t *Type) New(members, longest int) Set {
	if members <= t.MaxEntries() && longest <= t.MaxValue() {
		return t.NewListpack()
	}
	return t.NewLoaded(members)
}

func (t *Type) height() int { return skiplist.RandomHeight(t.H.Rel, t.Random) }

// listpack is the bytes of a small set.
func (s *Set) listpack() []byte { return listpack.Of(s.T.H, s.P) }

// List is the skiplist of a large set.
func (s *Set) List() skiplist.List {
	return skiplist.At(s.T.H, heap.Ptr(s.T.zset.Fields[1].Get(s.T.H.Bytes(s.P))))
}

// Len is the number of members.
func (s *Set) Len() int {
	if s.Enc == object.Listpack {
		return listpack.Len(s.listpack()) / 2
	}
	return s.List().Len()
}

// Free frees the set.
func (s *Set) Free() {
	if s.Enc == object.Skiplist {
		t := s.table()
		t.free()
		s.List().Free()
	}
	s.T.H.Free(s.P)
}

// Score is the score of a member, and whether it is there.
func (s *Set) Score(member []byte) (float64, bool) {
	if s.Enc == object.Listpack {
		lp := s.listpack()
		at := s.findPair(lp, member)
		if at == 0 {
			return 0, false
		}
		return s.scoreAt(lp, listpack.Next(lp, at)), true
	}
	t := s.table()
	n := t.find(member)
	if n == 0 {
		return 0, false
	}
	return s.List().Score(n), true
}

// Rank is the rank of a member, from 0, and its score.
func (s *Set) Rank(member []byte) (rank int, score float64, ok bool) {
	if s.Enc == object.Listpack {
		lp := s.listpack()
		for at := listpack.First(lp); at != 0; rank++ {
			next := listpack.Next(lp, at)
			if listpack.Equal(lp, at, member) {
				return rank, s.scoreAt(lp, next), true
			}
			at = listpack.Next(lp, next)
		}
		return 0, 0, false
	}
	t := s.table()
	n := t.find(member)
	if n == 0 {
		return 0, 0, false
	}
	l := s.List()
	return l.Rank(n) - 1, l.Score(n), true
}

// Dup is a copy of the same encoding (zsetDup). Nodes are copied from last to first and get heights
// of their own.
func (s *Set) Dup() Set {
	if s.Enc == object.Listpack {
		return Set{s.T, s.Enc, listpack.FromBytes(s.T.H, s.listpack())}
	}
	c := s.T.NewSkiplist()
	t := c.table()
	t.reserve(s.Len())
	for at := s.Last(); at.OK(); at.Prev() {
		c.Insert(at.Score(), at.Member())
	}
	return c
}

// Reserve sizes the table of a large set for that many members, as loading one does.
func (s *Set) Reserve(members int) {
	t := s.table()
	t.reserve(members)
}

// Insert adds a member that is not there to a large set.
func (s *Set) Insert(score float64, member []byte) {
	t, l := s.table(), s.List()
	t.add(l, l.Insert(s.T.height(), score, member), t.hash(member))
}

// chained tells whether tables are dicts.
func (t *Type) chained() bool { return t.H.Rel.KeyTable != release.Hashtable }
