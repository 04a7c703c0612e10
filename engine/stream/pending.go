package stream

import (
	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/rax"
)

// PendingIter goes through the pending entries of a group or a consumer, in order of their ids. A
// removal of the entry it is on makes it end on nothing: Seek again.
type PendingIter struct {
	v  view
	it *rax.Iter
}

// PendingEntries returns an iterator over the group's pending entries.
func (g Group) PendingEntries() PendingIter { return PendingIter{g.view, rax.NewIter(g.h, g.pel())} }

// PendingEntries returns an iterator over the consumer's pending entries.
func (c Consumer) PendingEntries() PendingIter {
	return PendingIter{c.view, rax.NewIter(c.h, c.pel())}
}

// Seek goes to the first entry from id on and tells whether there is one.
func (p PendingIter) Seek(id ID) bool {
	k := id.key()
	return p.it.Seek(rax.GE, k[:])
}

// Last goes to the last entry.
func (p PendingIter) Last() bool { return p.it.Seek(rax.Last, nil) }

// Next goes to the next entry and tells whether there is one.
func (p PendingIter) Next() bool { return p.it.Next() }

// ID is the id of the current entry.
func (p PendingIter) ID() ID { return fromKey(p.it.Key()) }

// NACK is the current entry.
func (p PendingIter) NACK() NACK { return p.v.nack(p.it.Value()) }

// Find returns the pending entry with that id.
func (g Group) Find(id ID) (n NACK, ok bool) {
	k := id.key()
	p, ok := rax.Find(g.h, g.pel(), k[:])
	if !ok {
		return n, false
	}
	return g.nack(p), true
}

func (g Group) newNACK(owner heap.Ptr, now int64) NACK {
	n := g.nack(g.h.Alloc(nackStruct.Size))
	n.SetTime(now)
	n.SetCount(1)
	n.setPtr(offOwner, owner)
	return n
}

// Deliver records that an entry went to a consumer at time now. One that is pending already changes
// hands and begins anew.
func (g Group) Deliver(id ID, c Consumer, now int64) {
	k := id.key()
	n := g.newNACK(c.p, now)
	_, fresh := rax.TryInsert(g.h, g.pel(), k[:], n.p)
	rax.TryInsert(g.h, c.pel(), k[:], n.p)
	if !fresh {
		g.h.Free(n.p)
		n, _ = g.Find(id)
		if owner, ok := n.Owner(); ok {
			rax.Remove(g.h, owner.pel(), k[:])
		}
		n.setPtr(offOwner, c.p)
		n.SetTime(now)
		n.SetCount(1)
		rax.Insert(g.h, c.pel(), k[:], n.p)
	}
	c.SetActive(now)
}

// Create makes a pending entry that belongs to no consumer yet.
func (g Group) Create(id ID, now int64) NACK {
	k := id.key()
	n := g.newNACK(0, now)
	rax.Insert(g.h, g.pel(), k[:], n.p)
	return n
}

// Release takes a pending entry from its consumer where that is another than c.
func (g Group) Release(id ID, n NACK, c Consumer) {
	if owner, ok := n.Owner(); ok && owner.p != c.p {
		k := id.key()
		rax.Remove(g.h, owner.pel(), k[:])
	}
}

// Assign gives a released pending entry to a consumer.
func (g Group) Assign(id ID, n NACK, c Consumer) {
	if n.ptr(offOwner) != c.p {
		k := id.key()
		rax.Insert(g.h, c.pel(), k[:], n.p)
		n.setPtr(offOwner, c.p)
	}
}

// Drop removes a pending entry and tells whether there was one.
func (g Group) Drop(id ID) bool {
	k := id.key()
	p, ok := rax.Remove(g.h, g.pel(), k[:])
	if !ok {
		return false
	}
	if owner, has := g.nack(p).Owner(); has {
		rax.Remove(g.h, owner.pel(), k[:])
	}
	g.h.Free(p)
	return true
}

// LoadPending adds a pending entry of a group, as loading a dump does; false where there is one.
func (g Group) LoadPending(id ID, time int64, count uint64) bool {
	if _, has := g.Find(id); has {
		return false
	}
	n := g.Create(id, time)
	n.SetCount(count)
	return true
}

// LoadOwner gives a pending entry of the group to a consumer, as loading a dump does; false where
// the group does not have it, or the consumer has.
func (g Group) LoadOwner(id ID, c Consumer) bool {
	n, ok := g.Find(id)
	if !ok {
		return false
	}
	k := id.key()
	n.setPtr(offOwner, c.p)
	_, fresh := rax.TryInsert(g.h, c.pel(), k[:], n.p)
	return fresh
}
