// Package dict is the chained hash table of 7.2 and 8.0, for keys, expires, hashes, sets and sorted
// sets, kept as the server's bytes.
//
//	struct dict      | type 8 | ht_table 2x8 | ht_used 2x8 | rehashidx 8 | pauserehash 2 | ht_size_exp 2x1 | [pauseAutoResize 2, 8.0] | pad | metadata |
//	slot array       | entry 8 | entry 8 | ...                     a power of two of them, at least 4
//	dictEntry        | key 8 | value 8 | next 8 |                  tag 000
//	without a value  | key 8 | next 8 |                            tag 010: a set's member that shares its slot
//	with its key     | value 8 | next 8 | key header size 1 | key sds |   tag 100: the keyspace of 8.0
//	the key itself                                                 tag xx1: a set's member alone in its slot
//
// The tag is the low three bits of a pointer to an entry. The low bits of the hash pick the slot; a
// new entry goes to the head of its slot. With as many entries as slots the table doubles, and
// moves to the other array a slot an operation. From 8.0 on a deletion that leaves an eighth halves
// it until it fits; 7.2 does that in its cron, and for values after a removal, below a tenth.
// Keys are sds strings. Source: dict.c of each release; sizes in bytes.
//
// No Go object belongs to a dict: Open makes a view of the bytes.
package dict

import (
	"bytes"
	"encoding/binary"

	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/engine/release"
	"github.com/keyloupe/keyloupe/engine/sds"
	"github.com/keyloupe/keyloupe/engine/siphash"
)

var le = binary.LittleEndian

const (
	// StructSize is sizeof(dict) without metadata.
	StructSize = 56
	// SlotSize is the bytes of a slot, a pointer.
	SlotSize = 8
)

// Offsets in struct dict; a test holds them against the table.
const (
	offTables = 8
	offUsed   = 24
	offRehash = 40
	offPause  = 48
	offExp    = 50
	offHold   = 52 // pauseAutoResize, 8.0
)

const (
	initialExp = 2
	noTable    = -1 // size exponent of an array that is not there
)

// Type is what a kind of dict has in common.
type Type struct {
	Name     string // for notes: "keys", "set"
	Seed     *siphash.Seed
	NoValue  bool // a set: entries have no value, a member alone in its slot no entry
	EmbedKey bool // entries hold their key
	Metadata int  // bytes behind the struct that belong to the dict's owner
	FreeKey  bool // the keys belong to the dict
	// FreeVal frees the value of an entry; nil where there is nothing to free.
	FreeVal func(h *heap.Heap, v uint64)
	// MayResize is asked before an array of that many bytes is taken at that fill; nil allows all.
	MayResize func(bytes int, ratio float64) bool
	// Started and Completed are told of a move to another array; nil for nobody.
	Started, Completed func(d *Dict)
}

// Dict is a view of a dict in the heap. The struct never moves, so the view stays good until Free.
type Dict struct {
	H *heap.Heap
	T *Type
	P heap.Ptr
	b []byte // the struct's block
}

// New allocates an empty dict without an array.
func New(h *heap.Heap, typ *Type) Dict {
	p := h.Zalloc(StructSize + typ.Metadata)
	d := Open(h, p, typ)
	d.setRehash(-1)
	d.reset(0)
	d.reset(1)
	return d
}

// Open views the dict at p.
func Open(h *heap.Heap, p heap.Ptr, typ *Type) Dict { return Dict{h, typ, p, h.Bytes(p)} }

func (d *Dict) table(i int) heap.Ptr { return heap.Ptr(le.Uint64(d.b[offTables+8*i:])) }
func (d *Dict) rehash() int          { return int(int64(le.Uint64(d.b[offRehash:]))) }
func (d *Dict) setRehash(i int)      { le.PutUint64(d.b[offRehash:], uint64(i)) }
func (d *Dict) addUsed(i, n int)     { le.PutUint64(d.b[offUsed+8*i:], uint64(d.Used(i)+n)) }
func (d *Dict) exp(i int) int        { return int(int8(d.b[offExp+i])) }
func (d *Dict) paused() int          { return int(int16(le.Uint16(d.b[offPause:]))) }
func (d *Dict) held() int            { return int(int16(le.Uint16(d.b[offHold:]))) }

func (d *Dict) set(i int, p heap.Ptr, exp, used int) {
	le.PutUint64(d.b[offTables+8*i:], uint64(p))
	le.PutUint64(d.b[offUsed+8*i:], uint64(used))
	d.b[offExp+i] = byte(exp)
}

func (d *Dict) reset(i int) { d.set(i, 0, noTable, 0) }

// mask is the bits of a hash that pick a slot of array i.
func (d *Dict) mask(i int) uint64 {
	if e := d.exp(i); e >= 0 {
		return 1<<e - 1
	}
	return 0
}

// Meta is the metadata behind the struct.
func (d *Dict) Meta() []byte { return d.b[StructSize : StructSize+d.T.Metadata] }

// Len is the number of entries.
func (d *Dict) Len() int { return d.Used(0) + d.Used(1) }

// Used is the number of entries in array i.
func (d *Dict) Used(i int) int { return int(le.Uint64(d.b[offUsed+8*i:])) }

// Size is the number of slots of array i, 0 where there is none.
func (d *Dict) Size(i int) int {
	if e := d.exp(i); e >= 0 {
		return 1 << e
	}
	return 0
}

// Slots is the number of slots of both arrays.
func (d *Dict) Slots() int { return d.Size(0) + d.Size(1) }

// Rehashing tells whether entries are being moved to another array.
func (d *Dict) Rehashing() bool { return d.rehash() >= 0 }

// PauseRehash stops moves, for iterators; ResumeRehash allows them again.
func (d *Dict) PauseRehash()  { le.PutUint16(d.b[offPause:], uint16(d.paused()+1)) }
func (d *Dict) ResumeRehash() { le.PutUint16(d.b[offPause:], uint16(d.paused()-1)) }

// PauseResize stops growing and shrinking in 8.0; ResumeResize allows them again.
func (d *Dict) PauseResize()  { le.PutUint16(d.b[offHold:], uint16(d.held()+1)) }
func (d *Dict) ResumeResize() { le.PutUint16(d.b[offHold:], uint16(d.held()-1)) }

func (d *Dict) slot(i int, n uint64) Entry {
	return Entry(le.Uint64(d.H.At(d.table(i) + heap.Ptr(n*SlotSize))))
}

func (d *Dict) setSlot(i int, n uint64, e Entry) {
	le.PutUint64(d.H.At(d.table(i)+heap.Ptr(n*SlotSize)), uint64(e))
}

// Hash is the dict's hash of a key.
func (d *Dict) Hash(key []byte) uint64 { return d.T.Seed.Hash(key) }

// Find looks a key up and returns its entry, 0 where there is none. While entries are being moved
// every call moves a slot first.
func (d *Dict) Find(key []byte) Entry { return d.FindHashed(key, d.Hash(key)) }

// FindHashed is Find for a key whose hash is known.
func (d *Dict) FindHashed(key []byte, hash uint64) Entry {
	if d.Len() == 0 {
		return 0
	}
	d.stepFor(hash)
	for i := range 2 {
		n := hash & d.mask(i)
		if i == 0 && int(n) < d.rehash() {
			continue
		}
		if e := d.inSlot(i, n, key); e != 0 || !d.Rehashing() {
			return e
		}
	}
	return 0
}

func (d *Dict) inSlot(i int, n uint64, key []byte) Entry {
	for e := d.slot(i, n); e != 0; e = d.next(e) {
		if bytes.Equal(d.Key(e), key) {
			return e
		}
	}
	return 0
}

// Slot is where a key that is not there yet belongs. Any other call on the dict makes it stale.
type Slot struct {
	table int
	index uint64
}

// FindSlot looks a key up before an insertion: it returns the entry, or else the slot for one. The
// array is expanded first where it is full, even if the key is there.
func (d *Dict) FindSlot(key []byte) (Slot, Entry) { return d.FindSlotHashed(key, d.Hash(key)) }

// FindSlotHashed is FindSlot for a key whose hash is known.
func (d *Dict) FindSlotHashed(key []byte, hash uint64) (Slot, Entry) {
	d.stepFor(hash)
	if d.held() == 0 {
		d.ExpandIfNeeded()
	}
	at := Slot{}
	for i := range 2 {
		n := hash & d.mask(i)
		at = Slot{i, n}
		if i == 0 && int(n) < d.rehash() {
			continue
		}
		if e := d.inSlot(i, n, key); e != 0 {
			return Slot{}, e
		}
		if !d.Rehashing() {
			break
		}
	}
	return at, 0
}

// Insert puts the sds string at p at the head of a slot that FindSlot returned for it.
func (d *Dict) Insert(at Slot, p heap.Ptr) Entry {
	head := d.slot(at.table, at.index)
	var e Entry
	switch {
	case !d.T.NoValue:
		e = newEntry(d.H, p, head)
	case head == 0:
		e = Entry(p)
	default:
		e = newEntryNoValue(d.H, p, head)
	}
	d.put(at, e)
	return e
}

// InsertKey is Insert for entries that hold their key: an sds string with a header of type t that
// tells of alloc bytes of room, as the argument had which it was copied from.
func (d *Dict) InsertKey(at Slot, key []byte, t, alloc int) Entry {
	e := newEntryWithKey(d.H, key, t, alloc, d.slot(at.table, at.index))
	d.put(at, e)
	return e
}

func (d *Dict) put(at Slot, e Entry) {
	d.setSlot(at.table, at.index, e)
	d.addUsed(at.table, 1)
}

// Add inserts the sds string at p, and v where entries have a value, if it is not there, and tells
// whether it did.
func (d *Dict) Add(p heap.Ptr, v uint64) bool {
	at, e := d.FindSlot(sds.Text(d.H, p))
	if e != 0 {
		return false
	}
	e = d.Insert(at, p)
	if !d.T.NoValue {
		d.SetVal(e, v)
	}
	return true
}

// Delete removes a key and frees its entry; it tells whether it was there.
func (d *Dict) Delete(key []byte) bool {
	e := d.Unlink(key)
	d.FreeEntry(e)
	return e != 0
}

// Unlink takes a key out of the dict and returns its entry, 0 where there is none, for FreeEntry.
func (d *Dict) Unlink(key []byte) Entry { return d.UnlinkHashed(key, d.Hash(key)) }

// UnlinkHashed is Unlink for a key whose hash is known.
func (d *Dict) UnlinkHashed(key []byte, hash uint64) Entry {
	if d.Len() == 0 {
		return 0
	}
	d.stepFor(hash)
	r := d.locate(hash, key)
	if r.Entry != 0 {
		d.cut(r)
		d.shrinkAfterDelete()
	}
	return r.Entry
}

// Ref is an entry and the pointer that leads to it.
type Ref struct {
	Entry Entry
	link  heap.Ptr
	table int
}

// UnlinkFind finds an entry that UnlinkFree is to remove. Until then no entry moves, and the dict
// must not be changed otherwise.
func (d *Dict) UnlinkFind(key []byte) Ref { return d.UnlinkFindHashed(key, d.Hash(key)) }

// UnlinkFindHashed is UnlinkFind for a key whose hash is known.
func (d *Dict) UnlinkFindHashed(key []byte, hash uint64) Ref {
	if d.Len() == 0 {
		return Ref{}
	}
	d.step()
	r := d.locate(hash, key)
	if r.Entry != 0 {
		d.PauseRehash()
	}
	return r
}

// UnlinkFree removes and frees the entry that UnlinkFind found.
func (d *Dict) UnlinkFree(r Ref) {
	if r.Entry == 0 {
		return
	}
	d.cut(r)
	d.FreeEntry(r.Entry)
	d.shrinkAfterDelete()
	d.ResumeRehash()
}

func (d *Dict) locate(hash uint64, key []byte) Ref {
	for i := range 2 {
		n := hash & d.mask(i)
		if i == 0 && int(n) < d.rehash() {
			continue
		}
		link := d.table(i) + heap.Ptr(n*SlotSize)
		for e := d.slot(i, n); e != 0; link, e = e.link(), d.next(e) {
			if bytes.Equal(d.Key(e), key) {
				return Ref{e, link, i}
			}
		}
		if !d.Rehashing() {
			break
		}
	}
	return Ref{}
}

func (d *Dict) cut(r Ref) {
	le.PutUint64(d.H.At(r.link), uint64(d.next(r.Entry)))
	d.addUsed(r.table, -1)
}

func (d *Dict) shrinkAfterDelete() {
	if d.H.Rel.DictShrinksOnDelete && d.held() == 0 {
		d.ShrinkIfNeeded()
	}
}

// Free frees everything: entries with what belongs to the dict, arrays, struct.
func (d *Dict) Free() {
	d.Empty()
	d.H.Free(d.P)
}

// Empty frees entries and arrays and leaves the struct as New made it.
func (d *Dict) Empty() {
	if d.Rehashing() && d.T.Completed != nil {
		d.T.Completed(d)
	}
	for i := range 2 {
		for n := uint64(0); n < uint64(d.Size(i)) && d.Used(i) > 0; n++ {
			for e := d.slot(i, n); e != 0; {
				next := d.next(e)
				d.FreeEntry(e)
				d.addUsed(i, -1)
				e = next
			}
		}
		d.H.Free(d.table(i))
		d.reset(i)
	}
	d.setRehash(-1)
	clear(d.b[offPause:offExp])
	clear(d.b[offHold : offHold+2])
}

// EntryUsage is what MEMORY USAGE counts of an entry without its key and value: its block in 8.0,
// sizeof(dictEntry) for every kind of entry in 7.2.
func (d *Dict) EntryUsage(e Entry) int {
	switch {
	case !d.H.Rel.DictCountsEntries:
		return entrySize
	case e.isKey():
		return 0
	}
	return d.H.Usable(e.ptr())
}

// MemUsage is what MEMORY STATS counts of a dict: 24 bytes an entry whatever its kind, and slots.
func (d *Dict) MemUsage() int { return entrySize*d.Len() + SlotSize*d.Slots() }

// Struct is the table of struct dict of a release, without metadata.
func Struct(r *release.Release) *layout.Struct {
	if r.KeyTable == release.DictWithKeyPointer {
		return &struct72
	}
	return &struct80
}

var (
	struct72 = layout.Struct{Name: "dict", Source: "dict.h", Size: StructSize, Fields: fields}
	struct80 = layout.Struct{Name: "dict", Source: "dict.h", Size: StructSize, Fields: append(fields[:len(fields):len(fields)],
		layout.Def{Name: "pauseAutoResize", Off: offHold, Len: 2, Signed: true, Role: layout.Header, Meaning: "no growing or shrinking while this is above 0"})}
	fields = []layout.Def{
		{Name: "type", Len: 8, Role: layout.Pointer, Meaning: "functions of this kind of dict: data of the program"},
		{Name: "ht_table[0]", Off: offTables, Len: 8, Role: layout.Pointer, Meaning: "array of slots"},
		{Name: "ht_table[1]", Off: offTables + 8, Len: 8, Role: layout.Pointer, Meaning: "array that entries are being moved to"},
		{Name: "ht_used[0]", Off: offUsed, Len: 8, Role: layout.Header, Meaning: "entries in the first array"},
		{Name: "ht_used[1]", Off: offUsed + 8, Len: 8, Role: layout.Header, Meaning: "entries in the second array"},
		{Name: "rehashidx", Off: offRehash, Len: 8, Signed: true, Role: layout.Header, Meaning: "next slot to move to the other array, -1 when none is being moved"},
		{Name: "pauserehash", Off: offPause, Len: 2, Signed: true, Role: layout.Header, Meaning: "moves stand still while this is above 0"},
		{Name: "ht_size_exp[0]", Off: offExp, Len: 1, Signed: true, Role: layout.Header, Meaning: "log2 of the first array's slots, -1 for no array"},
		{Name: "ht_size_exp[1]", Off: offExp + 1, Len: 1, Signed: true, Role: layout.Header, Meaning: "log2 of the second array's slots, -1 for no array"},
	}
)
