package stream

import (
	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/listpack"
	"github.com/keyloupe/keyloupe/engine/rax"
)

// Delete removes the entries with these ids and returns how many there were (xdelCommand).
func (s Stream) Delete(ids []ID) (deleted int) {
	first := false
	for _, id := range ids {
		it := s.Range(id, id, false)
		if !it.Next() {
			continue
		}
		s.remove(it)
		first = first || id == s.FirstID()
		if id.Compare(s.MaxDeletedID()) > 0 {
			s.SetMaxDeletedID(id)
		}
		deleted++
	}
	switch {
	case deleted == 0:
	case s.Len() == 0:
		s.SetFirstID(ID{})
	case first:
		s.SetFirstID(s.edge(false))
	}
	return deleted
}

// remove flags the iterator's entry as deleted; a node's last entry takes the node with it
// (streamIteratorRemoveEntry).
func (s Stream) remove(it *Iter) {
	key := it.base.key()
	lp := listpack.ReplaceInt(s.h, it.node(), it.e.at, it.e.flags|flagDeleted)
	count, _ := counts(listpack.Of(s.h, lp))
	if count == 1 {
		s.h.Free(lp)
		rax.Remove(s.h, s.tree(), key[:])
	} else {
		rax.Insert(s.h, s.tree(), key[:], s.recount(lp, -1, 1))
	}
	s.SetLen(s.Len() - 1)
}

// recount changes the two counts of a node's master entry.
func (s Stream) recount(lp heap.Ptr, count, deleted int64) heap.Ptr {
	b := listpack.Of(s.h, lp)
	at := listpack.First(b)
	lp = listpack.ReplaceInt(s.h, lp, at, integer(b, at)+count)
	b = listpack.Of(s.h, lp)
	at = listpack.Next(b, at)
	return listpack.ReplaceInt(s.h, lp, at, integer(b, at)+deleted)
}

// Trim says how much of a stream is to be removed from its start.
type Trim struct {
	ByID   bool
	MaxLen uint64 // entries that stay, where ByID is not set
	MinID  ID     // entries below it go, where ByID is set
	Approx bool   // only whole nodes
	Limit  int64  // most entries to remove; 0 = no limit
}

// Trim removes entries from the start and returns how many (streamTrim).
func (s Stream) Trim(t Trim) (deleted int64) {
	it := rax.NewIter(s.h, s.tree())
	for it.Seek(rax.First, nil) && (t.ByID || s.Len() > t.MaxLen) {
		key := fromKey(it.Key())
		k := key.key()
		b := listpack.Of(s.h, it.Value())
		entries, _ := counts(b)
		if t.Limit != 0 && deleted+entries > t.Limit {
			break
		}
		if s.wholeNode(t, key, b, entries) {
			s.h.Free(it.Value())
			rax.Remove(s.h, s.tree(), k[:])
			s.SetLen(s.Len() - uint64(entries))
			deleted += entries
			continue
		}
		if !t.Approx {
			lp, n := s.trimNode(t, key, it.Value())
			rax.Insert(s.h, s.tree(), k[:], s.recount(lp, -n, n))
			deleted += n
		}
		break
	}
	if s.Len() == 0 {
		s.SetFirstID(ID{})
	} else if deleted > 0 {
		s.SetFirstID(s.edge(false))
	}
	return deleted
}

// wholeNode tells whether all entries of a node go. A node's last entry counts even if deleted.
func (s Stream) wholeNode(t Trim, base ID, lp []byte, entries int64) bool {
	if !t.ByID {
		return s.Len()-uint64(entries) >= t.MaxLen
	}
	last := ID{}
	if at := lastEntry(lp, listpack.Last(lp)); at != 0 {
		m := readMaster(lp)
		last = readEntry(lp, at, base, &m).id
	}
	return last.Compare(t.MinID) < 0
}

// trimNode flags entries of a node as deleted until no more are to go.
func (s Stream) trimNode(t Trim, base ID, lp heap.Ptr) (q heap.Ptr, n int64) {
	m := readMaster(listpack.Of(s.h, lp))
	for at := m.end; at != 0; {
		b := listpack.Of(s.h, lp)
		e := readEntry(b, at, base, &m)
		if t.ByID && e.id.Compare(t.MinID) >= 0 || !t.ByID && s.Len() <= t.MaxLen {
			break
		}
		at = e.after(b)
		if !e.deleted() {
			lp = listpack.ReplaceInt(s.h, lp, e.at, e.flags|flagDeleted)
			s.SetLen(s.Len() - 1)
			n++
		}
	}
	return lp, n
}
