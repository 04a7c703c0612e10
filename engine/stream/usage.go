package stream

import (
	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/listpack"
	"github.com/keyloupe/keyloupe/engine/rax"
)

// nodeGuess is what 7.2 and 8.0 take for a node of a radix tree: its header, and 30 words for
// children and value (object.c, streamRadixTreeMemoryUsage).
const nodeGuess = 4 + 30*8

// treeUsage is what MEMORY USAGE counts for a tree.
func treeUsage(h *heap.Heap, r heap.Ptr) int {
	if n := rax.AllocSize(h, r); n > 0 {
		return n
	}
	return rax.Len(h, r)*keySize + rax.Nodes(h, r)*nodeGuess
}

// Usage is what MEMORY USAGE counts for the stream and its object, for which it counts object bytes.
// It looks at no more than samples listpacks, groups, and consumers of each (object.c,
// objectComputeSize). It counts structs, but the listpacks' blocks and, from 8.1 on, the trees'
// blocks.
func (s Stream) Usage(object, samples int) int {
	size := object + structSize + treeUsage(s.h, s.tree()) + s.listpacks(samples)
	if s.groups() == 0 {
		return size
	}
	limit := samples
	if !s.h.Rel.StreamGroupSamples {
		limit = s.Groups()
	}
	sum, n := 0, 0
	s.EachGroup(func(_ []byte, g Group) bool {
		if n == limit {
			return false
		}
		sum += s.groupUsage(g, samples)
		n++
		return true
	})
	return s.extend(size, sum, n, s.Groups())
}

// extend adds to size the sum over n sampled of total elements. The server computes in floating
// point and truncates.
func (s Stream) extend(size, sum, n, total int) int {
	if n == 0 {
		return size
	}
	if !s.h.Rel.StreamGroupSamples {
		return size + sum
	}
	mean := float64(sum) / float64(n)
	return int(float64(size) + float64(mean*float64(total)))
}

func (s Stream) groupUsage(g Group, samples int) int {
	size := groupStruct.Size + treeUsage(s.h, g.pel()) + nackStruct.Size*g.Pending()
	if !s.h.Rel.StreamGroupSamples {
		samples = g.Consumers()
	}
	sum, n := 0, 0
	g.EachConsumer(func(c Consumer) bool {
		if n == samples {
			return false
		}
		sum += consumerStruct.Size + len(c.Name()) + treeUsage(s.h, c.pel())
		n++
		return true
	})
	return s.extend(size, sum, n, g.Consumers())
}

// listpacks is the size of the listpacks: of all of them if there are no more than samples,
// otherwise the mean of the first ones for each but the last.
func (s Stream) listpacks(samples int) int {
	sum, n := 0, 0
	it := rax.NewIter(s.h, s.tree())
	for ok := it.Seek(rax.First, nil); ok && n < samples; ok = it.Next() {
		sum += s.h.Usable(it.Value())
		n++
	}
	if s.Nodes() <= n {
		return sum
	}
	if n > 0 {
		sum /= n
	}
	it.Seek(rax.Last, nil)
	return sum*(s.Nodes()-1) + s.h.Usable(it.Value())
}

// Dup makes a copy of a stream as COPY does: listpacks in blocks of their size.
func Dup(h *heap.Heap, p heap.Ptr) heap.Ptr {
	s, d := Open(h, p), Open(h, New(h))
	it := rax.NewIter(h, s.tree())
	for ok := it.Seek(rax.First, nil); ok; ok = it.Next() {
		rax.Insert(h, d.tree(), it.Key(), listpack.FromBytes(h, listpack.Of(h, it.Value())))
	}
	d.SetLen(s.Len())
	d.SetFirstID(s.FirstID())
	d.SetLastID(s.LastID())
	d.SetMaxDeletedID(s.MaxDeletedID())
	d.SetAdded(s.Added())
	s.EachGroup(func(name []byte, g Group) bool {
		e, _ := d.CreateGroup(name, g.LastID(), g.Read())
		g.copyTo(e)
		return true
	})
	return d.p
}

func (g Group) copyTo(e Group) {
	it := g.PendingEntries()
	for ok := it.Seek(MinID); ok; ok = it.Next() {
		e.LoadPending(it.ID(), it.NACK().Time(), it.NACK().Count())
	}
	g.EachConsumer(func(c Consumer) bool {
		d, _ := e.CreateConsumer(c.Name(), c.Seen())
		d.SetActive(c.Active())
		it := c.PendingEntries()
		for ok := it.Seek(MinID); ok; ok = it.Next() {
			e.LoadOwner(it.ID(), d)
		}
		return true
	})
}
