package zset

import (
	"github.com/keyloupe/keyloupe/engine/dict"
	"github.com/keyloupe/keyloupe/engine/hashtable"
	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/skiplist"
)

// table is the table of a large set, of either kind.
type table struct {
	chained bool
	d       dict.Dict
	t       hashtable.Table
	l       skiplist.List
}

func (t *Type) newTable() heap.Ptr {
	if t.chained() {
		return dict.New(t.H, &t.dict).P
	}
	return hashtable.New(t.H, &t.buckets).P
}

func (s *Set) table() table {
	p := heap.Ptr(s.T.zset.Fields[0].Get(s.T.H.Bytes(s.P)))
	if s.T.chained() {
		return table{chained: true, d: dict.Open(s.T.H, p, &s.T.dict), l: s.List()}
	}
	return table{t: hashtable.Open(s.T.H, p, &s.T.buckets)}
}

// place is where a member was found, or where a table would have to look for it.
type place struct {
	hash uint64
	r    hashtable.Ref
	e    dict.Entry
}

// locate is the node of a member, 0 where there is none.
func (t *table) locate(member []byte) (n heap.Ptr, at place) {
	if t.chained {
		if at.e = t.d.Find(member); at.e != 0 {
			n = t.l.NodeOf(heap.Ptr(t.d.Val(at.e)))
		}
		return n, at
	}
	at.hash = t.t.Hash(member)
	if at.r = t.t.Find(member, at.hash); at.r.OK() {
		n = at.r.Get()
	}
	return n, at
}

func (t *table) find(member []byte) heap.Ptr {
	n, _ := t.locate(member)
	return n
}

// replace puts a member's new node into its place.
func (t *table) replace(at place, n heap.Ptr) {
	if t.chained {
		t.d.SetVal(at.e, uint64(t.l.ScoreAt(n)))
		return
	}
	at.r.Set(n)
}

// add inserts a node whose member is not there, with its hash. Like the server's, the table is
// looked at once more for that.
func (t *table) add(l skiplist.List, n heap.Ptr, hash uint64) {
	if t.chained {
		t.d.Add(l.MemberAt(n), uint64(l.ScoreAt(n)))
		return
	}
	t.t.AddNew(hash, n)
}

// hash is the hash of a member, where add needs it.
func (t *table) hash(member []byte) uint64 {
	if t.chained {
		return 0
	}
	return t.t.Hash(member)
}

// remove takes a member out and returns its node, 0 where there was none.
func (t *table) remove(member []byte) (n heap.Ptr) {
	if t.chained {
		e := t.d.Unlink(member)
		if e != 0 {
			n = t.l.NodeOf(heap.Ptr(t.d.Val(e)))
			t.d.FreeEntry(e)
		}
		return n
	}
	r := t.t.Find(member, t.t.Hash(member))
	if r.OK() {
		n = r.Get()
		t.t.Delete(r)
	}
	return n
}

// reserve sizes the table for that many members.
func (t *table) reserve(n int) {
	if t.chained {
		t.d.Expand(n)
		return
	}
	t.t.Reserve(n)
}

// hold keeps the table from shrinking while many members are deleted; let allows it again and does
// it where it is due. A dict of 7.2 is looked at only then.
func (t *table) hold() {
	switch {
	case !t.chained:
		t.t.HoldShrink()
	case t.d.H.Rel.DictShrinksOnDelete:
		t.d.PauseResize()
	}
}

func (t *table) let() {
	switch {
	case !t.chained:
		t.t.LetShrink()
	case t.d.H.Rel.DictShrinksOnDelete:
		t.d.ResumeResize()
		t.d.ShrinkIfNeeded()
	default:
		t.shrink()
	}
}

// shrink is what 7.2 does after each deletion of a member and after a deletion of many.
func (t *table) shrink() {
	if t.chained && !t.d.H.Rel.DictShrinksOnDelete && t.d.NeedsResize() {
		t.d.Resize()
	}
}

func (t *table) free() {
	if t.chained {
		t.d.Free()
		return
	}
	t.t.Free(nil)
}

// each calls f with every node in the order of the table until it returns false.
func (t *table) each(f func(n heap.Ptr) bool) {
	if t.chained {
		t.d.Each(func(e dict.Entry) bool { return f(t.l.NodeOf(heap.Ptr(t.d.Val(e)))) })
		return
	}
	t.t.Each(f)
}

func (t *table) scan(cursor uint64, f func(n heap.Ptr)) uint64 {
	if t.chained {
		return t.d.Scan(cursor, func(e dict.Entry) { f(t.l.NodeOf(heap.Ptr(t.d.Val(e)))) })
	}
	return t.t.Scan(cursor, f)
}

func (t *table) random(next func() uint64) heap.Ptr {
	if t.chained {
		return t.l.NodeOf(heap.Ptr(t.d.Val(t.d.FairRandom(next))))
	}
	n, _ := t.t.Sample(next)
	return n
}

// memUsage is what MEMORY USAGE counts of the table without the entries of a dict.
func (t *table) memUsage() int {
	if t.chained {
		return dict.StructSize + 8*t.d.Slots()
	}
	return t.t.MemUsage()
}

func (t *table) len() int {
	if t.chained {
		return t.d.Len()
	}
	return t.t.Len()
}
