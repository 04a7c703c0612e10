// Package stream is the server's stream: a radix tree of listpacks, with consumer groups.
//
//	stream    | rax 8 | length 8 | last_id 16 | first_id 16 | max_deleted_entry_id 16 | entries_added 8 | cgroups 8 |
//	rax       id of a node's first entry, big endian -> listpack (see package rax)
//	listpack  | count | deleted | n | field 1 | ... | field n | 0 | entry | entry | ...     the master entry first
//	entry     | flags | ms - | seq - | n | field | value | ... | pieces |                  ids less the node's
//	          | flags | ms - | seq - | value | ... | pieces |                  with the master entry's fields
//	cgroups   name -> streamCG        | last_id 16 | entries_read 8 | pel 8 | consumers 8 |
//	pel       id -> streamNACK        | delivery_time 8 | delivery_count 8 | consumer 8 |
//	consumers name -> streamConsumer  | seen_time 8 | active_time 8 | name 8 | pel 8 |
//
// All of it is the server's bytes in the heap (t_stream.c, stream.h). A node's listpack is allocated
// with room for 4096 bytes and shrunk to its size when the node is full. A deleted entry is only
// flagged; a node goes when its last entry does. The pending entries of a group and of its consumers
// are two trees that share the NACKs. What differs between releases (order of the fields, how a
// group's lag is counted, what MEMORY USAGE adds up) is in engine/release. Sizes are in bytes,
// times in milliseconds.
package stream

import (
	"encoding/binary"

	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/engine/listpack"
	"github.com/keyloupe/keyloupe/engine/rax"
	"github.com/keyloupe/keyloupe/engine/release"
)

var le = binary.LittleEndian

const structSize = 80

func idDef(name string, off int, meaning string) []layout.Def {
	return []layout.Def{
		{Name: name + ".ms", Off: off, Len: 8, Role: layout.Header, Meaning: meaning},
		{Name: name + ".seq", Off: off + 8, Len: 8, Role: layout.Header, Meaning: meaning}}
}

// describe makes the table of struct stream; the pointer to the groups comes first or last.
func describe(first bool) layout.Struct {
	at, groups := 0, structSize-8
	if first {
		at, groups = 8, 0
	}
	var f []layout.Def
	num := func(name string, role layout.Role, meaning string) {
		f = append(f, layout.Def{Name: name, Off: at, Len: 8, Role: role, Meaning: meaning})
		at += 8
	}
	id := func(name, meaning string) {
		f = append(f, idDef(name, at, meaning)...)
		at += 16
	}
	num("rax", layout.Pointer, "the tree of listpacks")
	num("length", layout.Header, "entries that are not deleted")
	id("last_id", "greatest id ever given out")
	id("first_id", "id of the first entry that is not deleted")
	id("max_deleted_entry_id", "greatest id removed by XDEL")
	num("entries_added", layout.Header, "entries ever added")
	f = append(f, layout.Def{Name: "cgroups", Off: groups, Len: 8, Role: layout.Pointer, Meaning: "the tree of consumer groups; null until the first one"})
	return layout.Struct{Name: "stream", Source: "stream.h", Size: structSize, Fields: f}
}

// place holds the offsets of struct stream.
type place struct {
	table                                                       layout.Struct
	rax, length, lastID, firstID, maxDeleted, added, cgroupsPtr int
}

func newPlace(first bool) *place {
	t := describe(first)
	return &place{t, t.Off("rax"), t.Off("length"), t.Off("last_id.ms"), t.Off("first_id.ms"),
		t.Off("max_deleted_entry_id.ms"), t.Off("entries_added"), t.Off("cgroups")}
}

var groupsLast, groupsFirst = newPlace(false), newPlace(true)

func placeOf(r *release.Release) *place {
	if r.StreamGroupsFirst {
		return groupsFirst
	}
	return groupsLast
}

// Stream is a view of a stream in the heap. It stays valid while the stream lives.
type Stream struct {
	h  *heap.Heap
	p  heap.Ptr
	b  []byte
	at *place
}

// Open returns the view of the stream at p.
func Open(h *heap.Heap, p heap.Ptr) Stream { return Stream{h, p, h.Bytes(p), placeOf(h.Rel)} }

// New makes an empty stream and returns its address.
func New(h *heap.Heap) heap.Ptr {
	s := Open(h, h.Alloc(structSize))
	clear(s.b[:structSize])
	s.setPtr(s.at.rax, rax.New(h))
	return s.p
}

// Free frees a stream with its listpacks and groups.
func Free(h *heap.Heap, p heap.Ptr) {
	s := Open(h, p)
	rax.Free(h, s.tree(), h.Free)
	if g := s.groups(); g != 0 {
		rax.Free(h, g, func(q heap.Ptr) { s.group(q).free() })
	}
	h.Free(p)
}

// Ptr is the address of the stream.
func (s Stream) Ptr() heap.Ptr { return s.p }

func getID(b []byte, off int) ID     { return ID{le.Uint64(b[off:]), le.Uint64(b[off+8:])} }
func putID(b []byte, off int, id ID) { le.PutUint64(b[off:], id.Ms); le.PutUint64(b[off+8:], id.Seq) }

func (s Stream) setPtr(off int, p heap.Ptr) { le.PutUint64(s.b[off:], uint64(p)) }
func (s Stream) tree() heap.Ptr             { return heap.Ptr(le.Uint64(s.b[s.at.rax:])) }
func (s Stream) groups() heap.Ptr           { return heap.Ptr(le.Uint64(s.b[s.at.cgroupsPtr:])) }

// Len is the number of entries that are not deleted.
func (s Stream) Len() uint64 { return le.Uint64(s.b[s.at.length:]) }

// SetLen sets what Len tells, for a stream built node by node.
func (s Stream) SetLen(n uint64) { le.PutUint64(s.b[s.at.length:], n) }

// LastID is the greatest id ever given out.
func (s Stream) LastID() ID { return getID(s.b, s.at.lastID) }

// SetLastID sets LastID.
func (s Stream) SetLastID(id ID) { putID(s.b, s.at.lastID, id) }

// FirstID is the id of the first entry that is not deleted, 0-0 if there is none.
func (s Stream) FirstID() ID { return getID(s.b, s.at.firstID) }

// SetFirstID sets FirstID.
func (s Stream) SetFirstID(id ID) { putID(s.b, s.at.firstID, id) }

// MaxDeletedID is the greatest id that Delete removed.
func (s Stream) MaxDeletedID() ID { return getID(s.b, s.at.maxDeleted) }

// SetMaxDeletedID sets MaxDeletedID.
func (s Stream) SetMaxDeletedID(id ID) { putID(s.b, s.at.maxDeleted, id) }

// Added is the number of entries ever added.
func (s Stream) Added() uint64 { return le.Uint64(s.b[s.at.added:]) }

// SetAdded sets Added.
func (s Stream) SetAdded(n uint64) { le.PutUint64(s.b[s.at.added:], n) }

// Nodes is the number of listpacks, TreeNodes that of the nodes of their tree.
func (s Stream) Nodes() int { return rax.Len(s.h, s.tree()) }

// TreeNodes is the number of nodes of the tree of listpacks.
func (s Stream) TreeNodes() int { return rax.Nodes(s.h, s.tree()) }

// EachNode calls f with the id and the bytes of every listpack, in order, until it returns false.
func (s Stream) EachNode(f func(master ID, lp []byte) bool) {
	it := rax.NewIter(s.h, s.tree())
	for ok := it.Seek(rax.First, nil); ok && f(fromKey(it.Key()), listpack.Of(s.h, it.Value())); ok = it.Next() {
	}
}

// AddNode adds a copy of a listpack under the id of its master entry, as loading a dump does. It
// returns false where the stream has one under that id. Lengths and ids stay.
func (s Stream) AddNode(master ID, lp []byte) bool {
	k := master.key()
	if _, has := rax.Find(s.h, s.tree(), k[:]); has {
		return false
	}
	rax.Insert(s.h, s.tree(), k[:], listpack.FromBytes(s.h, lp))
	return true
}
