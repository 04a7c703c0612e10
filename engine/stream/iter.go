package stream

import (
	"github.com/keyloupe/keyloupe/engine/decimal"
	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/listpack"
	"github.com/keyloupe/keyloupe/engine/rax"
)

func integer(lp []byte, at int) int64 {
	text, v := listpack.Value(lp, at)
	if text != nil { // only a corrupt listpack has text here
		v, _ = decimal.Parse(text)
	}
	return v
}

// counts returns how many entries a node has, and how many flagged as deleted.
func counts(lp []byte) (count, deleted int64) {
	at := listpack.First(lp)
	return integer(lp, at), integer(lp, listpack.Next(lp, at))
}

// master tells where the parts of a node's master entry are.
type master struct {
	n      int64 // fields
	fields int   // offset of the first
	end    int   // offset of the first entry, 0 if there is none
}

func readMaster(lp []byte) (m master) {
	at := listpack.First(lp)
	at = listpack.Next(lp, listpack.Next(lp, at))
	m.n = integer(lp, at)
	m.fields = listpack.Next(lp, at)
	at = m.fields
	for range m.n {
		at = listpack.Next(lp, at)
	}
	m.end = listpack.Next(lp, at)
	return m
}

// entry tells where the parts of an entry are.
type entry struct {
	at    int // offset of the flags
	flags int64
	id    ID
	n     int64 // fields
	data  int   // offset of the first field, or value where the fields are the master entry's
}

func readEntry(lp []byte, at int, base ID, m *master) (e entry) {
	e.at, e.flags = at, integer(lp, at)
	at = listpack.Next(lp, at)
	e.id.Ms = base.Ms + uint64(integer(lp, at))
	at = listpack.Next(lp, at)
	e.id.Seq = base.Seq + uint64(integer(lp, at))
	at = listpack.Next(lp, at)
	e.n = m.n
	if !e.same() {
		e.n = integer(lp, at)
		at = listpack.Next(lp, at)
	}
	e.data = at
	return e
}

func (e *entry) same() bool    { return e.flags&flagSameFields != 0 }
func (e *entry) deleted() bool { return e.flags&flagDeleted != 0 }

// after is the offset of the entry behind e, 0 if there is none.
func (e *entry) after(lp []byte) int {
	n := e.n
	if !e.same() {
		n *= 2
	}
	at := e.data
	for range n {
		at = listpack.Next(lp, at)
	}
	return listpack.Next(lp, at)
}

// lastEntry is the offset of the entry whose last piece is at an offset, 0 if that is the master
// entry's.
func lastEntry(lp []byte, at int) int {
	n := integer(lp, at)
	if n == 0 {
		return 0
	}
	for range n {
		at = listpack.Prev(lp, at)
	}
	return at
}

// Iter goes through the entries of a range of ids. The stream may not change between two steps.
type Iter struct {
	s          Stream
	nodes      *rax.Iter
	seek       bool // nodes stands on a node not yet read
	lp         []byte
	master     master
	base       ID
	at         int // offset of the entry to read next, 0 = go to the next node
	e          entry
	start, end ID
	rev        bool
	tombstones bool
	done       bool
	field      int // offsets that Field reads next
	value      int
	num        [2][24]byte
}

// Range returns an iterator over the entries from start to end, both included, backwards if rev is
// set. Entries flagged as deleted are left out.
func (s Stream) Range(start, end ID, rev bool) *Iter {
	it := &Iter{s: s, start: start, end: end, rev: rev, nodes: rax.NewIter(s.h, s.tree())}
	from, edge := start, rax.First
	if rev {
		from, edge = end, rax.Last
	}
	if !from.Zero() {
		k := from.key()
		it.seek = it.nodes.Seek(rax.LE, k[:])
	}
	if !it.seek {
		it.seek = it.nodes.Seek(edge, nil)
	}
	return it
}

// ID is the id of the current entry.
func (it *Iter) ID() ID { return it.e.id }

// Fields is the number of fields of the current entry.
func (it *Iter) Fields() int { return int(it.e.n) }

// Next goes to the next entry and tells whether there is one.
func (it *Iter) Next() bool {
	for !it.done {
		if it.at == 0 && !it.openNode() {
			return false
		}
		for it.at != 0 {
			it.e = readEntry(it.lp, it.at, it.base, &it.master)
			if it.rev {
				it.at = lastEntry(it.lp, listpack.Prev(it.lp, it.at))
			} else {
				it.at = it.e.after(it.lp)
			}
			if it.e.deleted() && !it.tombstones {
				continue
			}
			low, high := it.e.id.Compare(it.start) < 0, it.e.id.Compare(it.end) > 0
			if it.rev && low || !it.rev && high {
				it.done = true
				return false
			}
			if !low && !high {
				it.rewind()
				return true
			}
		}
	}
	return false
}

// openNode goes to the next node.
func (it *Iter) openNode() bool {
	if !it.seek {
		if it.rev && !it.nodes.Prev() || !it.rev && !it.nodes.Next() {
			return false
		}
	}
	it.seek = false
	it.base = fromKey(it.nodes.Key())
	it.lp = listpack.Of(it.s.h, it.nodes.Value())
	it.master = readMaster(it.lp)
	if it.at = it.master.end; it.rev {
		it.at = lastEntry(it.lp, listpack.Last(it.lp))
	}
	return true
}

// rewind makes Field begin with the current entry's first field.
func (it *Iter) rewind() {
	it.field, it.value = it.e.data, it.e.data
	if it.e.same() {
		it.field = it.master.fields
	}
}

// Field returns the next field of the current entry and its value. They alias the heap or the
// iterator, until the next call.
func (it *Iter) Field() (field, value []byte) {
	field = listpack.Get(it.lp, it.field, &it.num[0])
	it.field = listpack.Next(it.lp, it.field)
	if !it.e.same() {
		it.value = it.field
	}
	value = listpack.Get(it.lp, it.value, &it.num[1])
	it.value = listpack.Next(it.lp, it.value)
	if !it.e.same() {
		it.field = it.value
	}
	return field, value
}

// Exists tells whether the stream has an entry with that id.
func (s Stream) Exists(id ID) bool { return s.Range(id, id, false).Next() }

// edge is the id of the first entry; with tombstones, deleted ones count too. Where there is none
// it is the greatest id.
func (s Stream) edge(tombstones bool) ID {
	it := s.Range(MinID, MaxID, false)
	it.tombstones = tombstones
	if !it.Next() {
		return MaxID
	}
	return it.ID()
}

// LastValidID is the id of the last entry that is not deleted, 0-0 if there is none.
func (s Stream) LastValidID() ID {
	it := s.Range(MinID, MaxID, true)
	if !it.Next() {
		return ID{}
	}
	return it.ID()
}

// node is the listpack that the iterator's entry is in.
func (it *Iter) node() heap.Ptr { return it.nodes.Value() }
