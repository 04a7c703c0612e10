package stream

import (
	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/engine/rax"
	"github.com/keyloupe/keyloupe/engine/sds"
)

// Struct tables of groups; the same in 7.2 to 9.1 (stream.h).
var (
	groupStruct = layout.Struct{Name: "streamCG", Source: "stream.h", Size: 40, Fields: append(idDef("last_id", 0, "last id delivered to the group"),
		layout.Def{Name: "entries_read", Off: 16, Len: 8, Role: layout.Header, Signed: true, Meaning: "entries read up to last_id, -1 if unknown"},
		layout.Def{Name: "pel", Off: 24, Len: 8, Role: layout.Pointer, Meaning: "tree of the entries delivered and not acknowledged"},
		layout.Def{Name: "consumers", Off: 32, Len: 8, Role: layout.Pointer, Meaning: "tree of the consumers by name"})}
	consumerStruct = layout.Struct{Name: "streamConsumer", Source: "stream.h", Size: 32, Fields: []layout.Def{
		{Name: "seen_time", Len: 8, Role: layout.Header, Signed: true, Meaning: "last time it tried to read or claim, Unix time in ms"},
		{Name: "active_time", Off: 8, Len: 8, Role: layout.Header, Signed: true, Meaning: "last time it got something, Unix time in ms; -1 = never"},
		{Name: "name", Off: 16, Len: 8, Role: layout.Pointer, Meaning: "its name"},
		{Name: "pel", Off: 24, Len: 8, Role: layout.Pointer, Meaning: "tree of its entries not acknowledged, with the group's NACKs"}}}
	nackStruct = layout.Struct{Name: "streamNACK", Source: "stream.h", Size: 24, Fields: []layout.Def{
		{Name: "delivery_time", Len: 8, Role: layout.Header, Signed: true, Meaning: "last delivery, Unix time in ms"},
		{Name: "delivery_count", Off: 8, Len: 8, Role: layout.Header, Meaning: "deliveries"},
		{Name: "consumer", Off: 16, Len: 8, Role: layout.Pointer, Meaning: "who got it last"}}}
)

const (
	offEntriesRead, offGroupPEL, offConsumers = 16, 24, 32
	offSeen, offActive, offName, offPEL       = 0, 8, 16, 24
	offTime, offCount, offOwner               = 0, 8, 16
)

// Unknown is a group's count of entries read where it is not known.
const Unknown int64 = -1

// view is a struct in the heap.
type view struct {
	h *heap.Heap
	p heap.Ptr
	b []byte
}

func (v view) ptr(off int) heap.Ptr       { return heap.Ptr(le.Uint64(v.b[off:])) }
func (v view) setPtr(off int, p heap.Ptr) { le.PutUint64(v.b[off:], uint64(p)) }
func (v view) num(off int) int64          { return int64(le.Uint64(v.b[off:])) }
func (v view) setNum(off int, n int64)    { le.PutUint64(v.b[off:], uint64(n)) }

// Group is a consumer group.
type Group struct{ view }

// Consumer is a consumer of a group.
type Consumer struct{ view }

// NACK is an entry delivered and not acknowledged.
type NACK struct{ view }

func (s Stream) group(p heap.Ptr) Group     { return Group{view{s.h, p, s.h.Bytes(p)}} }
func (v view) consumer(p heap.Ptr) Consumer { return Consumer{view{v.h, p, v.h.Bytes(p)}} }
func (v view) nack(p heap.Ptr) NACK         { return NACK{view{v.h, p, v.h.Bytes(p)}} }

// Groups is the number of groups.
func (s Stream) Groups() int {
	if s.groups() == 0 {
		return 0
	}
	return rax.Len(s.h, s.groups())
}

// Group finds a group by name.
func (s Stream) Group(name []byte) (g Group, ok bool) {
	if s.groups() == 0 {
		return g, false
	}
	p, ok := rax.Find(s.h, s.groups(), name)
	if !ok {
		return g, false
	}
	return s.group(p), true
}

// CreateGroup makes a group; ok is false where there is one of that name.
func (s Stream) CreateGroup(name []byte, last ID, read int64) (g Group, ok bool) {
	if s.groups() == 0 {
		s.setPtr(s.at.cgroupsPtr, rax.New(s.h))
	}
	if _, has := rax.Find(s.h, s.groups(), name); has {
		return g, false
	}
	g = s.group(s.h.Alloc(groupStruct.Size))
	g.setPtr(offGroupPEL, rax.New(s.h))
	g.setPtr(offConsumers, rax.New(s.h))
	g.SetLastID(last)
	g.SetRead(read)
	rax.Insert(s.h, s.groups(), name, g.p)
	return g, true
}

// DestroyGroup removes a group and all it holds; the tree of groups stays.
func (s Stream) DestroyGroup(name []byte) {
	if g, ok := s.Group(name); ok {
		rax.Remove(s.h, s.groups(), name)
		g.free()
	}
}

// EachGroup calls f with every group, in order of their names, until it returns false.
func (s Stream) EachGroup(f func(name []byte, g Group) bool) {
	if s.groups() == 0 {
		return
	}
	it := rax.NewIter(s.h, s.groups())
	for ok := it.Seek(rax.First, nil); ok && f(it.Key(), s.group(it.Value())); ok = it.Next() {
	}
}

func (g Group) free() {
	rax.Free(g.h, g.pel(), g.h.Free)
	rax.Free(g.h, g.members(), func(p heap.Ptr) { g.consumer(p).free() })
	g.h.Free(g.p)
}

func (g Group) pel() heap.Ptr     { return g.ptr(offGroupPEL) }
func (g Group) members() heap.Ptr { return g.ptr(offConsumers) }

// LastID is the last id delivered to the group.
func (g Group) LastID() ID { return getID(g.b, 0) }

// SetLastID sets LastID.
func (g Group) SetLastID(id ID) { putID(g.b, 0, id) }

// Read is how many entries of the stream's history lie up to LastID, or Unknown.
func (g Group) Read() int64 { return g.num(offEntriesRead) }

// SetRead sets Read.
func (g Group) SetRead(n int64) { g.setNum(offEntriesRead, n) }

// Pending is the number of entries delivered and not acknowledged.
func (g Group) Pending() int { return rax.Len(g.h, g.pel()) }

// Consumers is the number of consumers.
func (g Group) Consumers() int { return rax.Len(g.h, g.members()) }

// Consumer finds a consumer by name.
func (g Group) Consumer(name []byte) (c Consumer, ok bool) {
	p, ok := rax.Find(g.h, g.members(), name)
	if !ok {
		return c, false
	}
	return g.consumer(p), true
}

// CreateConsumer makes a consumer seen at time now; ok is false where there is one of that name.
func (g Group) CreateConsumer(name []byte, now int64) (c Consumer, ok bool) {
	p := g.h.Alloc(consumerStruct.Size)
	if _, ok = rax.TryInsert(g.h, g.members(), name, p); !ok {
		g.h.Free(p)
		return c, false
	}
	c = g.consumer(p)
	c.setPtr(offName, sds.New(g.h, name))
	c.setPtr(offPEL, rax.New(g.h))
	c.SetActive(-1)
	c.SetSeen(now)
	return c, true
}

// DeleteConsumer removes a consumer and the entries pending for it.
func (g Group) DeleteConsumer(c Consumer) {
	it := rax.NewIter(g.h, c.pel())
	for ok := it.Seek(rax.First, nil); ok; ok = it.Next() {
		n := it.Value()
		rax.Remove(g.h, g.pel(), it.Key())
		g.h.Free(n)
	}
	rax.Remove(g.h, g.members(), c.Name())
	c.free()
}

// EachConsumer calls f with every consumer, in order of their names, until it returns false.
func (g Group) EachConsumer(f func(c Consumer) bool) {
	it := rax.NewIter(g.h, g.members())
	for ok := it.Seek(rax.First, nil); ok && f(g.consumer(it.Value())); ok = it.Next() {
	}
}

func (c Consumer) pel() heap.Ptr { return c.ptr(offPEL) }

func (c Consumer) free() {
	rax.Free(c.h, c.pel(), nil)
	sds.Free(c.h, c.ptr(offName))
	c.h.Free(c.p)
}

// Name is the consumer's name. It aliases the heap.
func (c Consumer) Name() []byte { return sds.Text(c.h, c.ptr(offName)) }

// Seen is when the consumer last tried to get something.
func (c Consumer) Seen() int64 { return c.num(offSeen) }

// SetSeen sets Seen.
func (c Consumer) SetSeen(ms int64) { c.setNum(offSeen, ms) }

// Active is when the consumer last got something, -1 if never.
func (c Consumer) Active() int64 { return c.num(offActive) }

// SetActive sets Active.
func (c Consumer) SetActive(ms int64) { c.setNum(offActive, ms) }

// Pending is the number of entries delivered to the consumer and not acknowledged.
func (c Consumer) Pending() int { return rax.Len(c.h, c.pel()) }

// Time is when the entry was last delivered.
func (n NACK) Time() int64 { return n.num(offTime) }

// SetTime sets Time.
func (n NACK) SetTime(ms int64) { n.setNum(offTime, ms) }

// Count is how often the entry was delivered.
func (n NACK) Count() uint64 { return uint64(n.num(offCount)) }

// SetCount sets Count.
func (n NACK) SetCount(c uint64) { n.setNum(offCount, int64(c)) }

// Owner is who got the entry last; ok is false for one that has no consumer yet.
func (n NACK) Owner() (c Consumer, ok bool) {
	p := n.ptr(offOwner)
	if p == 0 {
		return c, false
	}
	return n.consumer(p), true
}
