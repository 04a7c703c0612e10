// Package hashtable is the hash table of 8.1 and later: 64-byte buckets of seven entries, kept as
// the server's bytes.
//
//	struct hashtable | type 8 | rehash_idx 8 | tables 2x8 | used 2x8 | exp 2x1 | pauses 2+2 | pad 2 | child_buckets 2x8 | [safe_iterators 8, 9.1] | metadata |
//	bucket 64 bytes  | chained:1 presence:7 | hash tag 7x1 | entry 7x8 |
//
// The low bits of a key's 64-bit hash pick the bucket, its top byte is the tag. A full bucket that
// gets one more entry makes its seventh position a link to a child bucket. The table doubles when
// an entry more would not fit its positions, shrinks at 13 % of them, and moves to the other array
// a bucket a lookup (hashtable.c; figures in bytes, percent of positions).
//
// No Go object belongs to a table: Open makes a view of the bytes.
package hashtable

import (
	"bytes"
	"encoding/binary"
	"math/bits"

	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/engine/release"
	"github.com/keyloupe/keyloupe/engine/siphash"
)

var le = binary.LittleEndian

const (
	// BucketSize is sizeof(bucket).
	BucketSize = 64
	// Positions is how many entries a bucket has.
	Positions = 7

	maxFill     = 100 // percent of positions beyond which a table grows
	maxFillHard = 500 // the same while growth is refused (maxmemory)
	minFill     = 13  // percent of positions at which a table shrinks
	emptySkips  = 10  // empty buckets a shrinking step of 9.1 may pass over
)

// Offsets in struct hashtable; Struct is the table they are held against by a test.
const (
	offType     = 0
	offRehash   = 8
	offTables   = 16
	offUsed     = 32
	offExp      = 48
	offPause    = 50
	offHold     = 52 // pause_auto_shrink
	offPad      = 54
	offChildren = 56
)

// Type is what a kind of table has in common: how entries are told apart and what goes along.
type Type struct {
	Name string
	Seed *siphash.Seed
	// KeyOf is an entry's key; nil makes entries tell by their addresses.
	KeyOf func(h *heap.Heap, entry heap.Ptr) []byte
	// Metadata is the bytes behind the struct that belong to the table's owner.
	Metadata int
	// MayGrow is asked before the table takes an array of that many bytes; nil allows all.
	MayGrow func(bytes int) bool
	// Started and Completed are told of a move to another array; nil for nobody.
	Started, Completed func(t *Table)
	// Live tells whether a scan or a sample may see an entry; nil sees all.
	Live func(h *heap.Heap, entry heap.Ptr) bool
}

// Table is a view of a table in the heap. The struct never moves, so the view stays good until
// Free.
type Table struct {
	H *heap.Heap
	T *Type
	P heap.Ptr
	b []byte // the struct's block
}

// StructSize is sizeof(struct hashtable) with metadata: what MEMORY USAGE counts of it.
func StructSize(r *release.Release, metadata int) int { return r.HashtableStruct + metadata }

// New allocates an empty table without an array.
func New(h *heap.Heap, typ *Type) Table {
	p := h.Zalloc(StructSize(h.Rel, typ.Metadata))
	t := Open(h, p, typ)
	t.setRehash(-1)
	t.b[offExp], t.b[offExp+1] = 0xff, 0xff
	return t
}

// Open views the table at p.
func Open(h *heap.Heap, p heap.Ptr, typ *Type) Table { return Table{h, typ, p, h.Bytes(p)} }

func (t *Table) rehash() int          { return int(int64(le.Uint64(t.b[offRehash:]))) }
func (t *Table) setRehash(i int)      { le.PutUint64(t.b[offRehash:], uint64(i)) }
func (t *Table) array(i int) heap.Ptr { return heap.Ptr(le.Uint64(t.b[offTables+8*i:])) }
func (t *Table) used(i int) int       { return int(le.Uint64(t.b[offUsed+8*i:])) }
func (t *Table) addUsed(i, d int)     { le.PutUint64(t.b[offUsed+8*i:], uint64(t.used(i)+d)) }
func (t *Table) children(i int) int   { return int(le.Uint64(t.b[offChildren+8*i:])) }
func (t *Table) addChildren(i, d int) { le.PutUint64(t.b[offChildren+8*i:], uint64(t.children(i)+d)) }
func (t *Table) exp(i int) int        { return int(int8(t.b[offExp+i])) }
func (t *Table) paused() int          { return int(le.Uint16(t.b[offPause:])) }
func (t *Table) setPaused(n int)      { le.PutUint16(t.b[offPause:], uint16(n)) }

// Meta is the metadata behind the struct.
func (t *Table) Meta() []byte {
	n := t.H.Rel.HashtableStruct
	return t.b[n : n+t.T.Metadata]
}

// Len is the number of entries.
func (t *Table) Len() int { return t.used(0) + t.used(1) }

// Rehashing tells whether entries are being moved to another array.
func (t *Table) Rehashing() bool { return t.rehash() >= 0 }

// Buckets is the number of top-level buckets of array i, 0 where there is none.
func (t *Table) Buckets(i int) int {
	if e := t.exp(i); e >= 0 {
		return 1 << e
	}
	return 0
}

// Children is the number of child buckets of array i.
func (t *Table) Children(i int) int { return t.children(i) }

// MemUsage is what MEMORY USAGE counts of the table itself: sizeof, not the block's class.
func (t *Table) MemUsage() int {
	return StructSize(t.H.Rel, t.T.Metadata) +
		BucketSize*(t.Buckets(0)+t.Buckets(1)+t.children(0)+t.children(1))
}

// bucket is a view of 64 bytes. Slot k (1..7) has presence bit k of byte 0, tag byte k and its
// entry at byte 8k; bit 0 of byte 0 says that slot 7 links to a child.
type bucket [BucketSize]byte

func (b *bucket) get(k int) heap.Ptr    { return heap.Ptr(le.Uint64(b[k<<3&63:])) }
func (b *bucket) set(k int, p heap.Ptr) { le.PutUint64(b[k<<3&63:], uint64(p)) }
func (b *bucket) chained() bool         { return b[0]&1 != 0 }
func (b *bucket) full() bool            { return b[0] == 0xfe || b[0] == 0x7f }

// filled is the presence bits; slot 7 of a chained bucket has none.
func (b *bucket) filled() byte { return b[0] &^ 1 }

func (b *bucket) put(k int, tag byte, p heap.Ptr) {
	b.set(k, p)
	b[k&63] = tag
	b[0] |= 1 << k
}

func (t *Table) bucket(i, n int) *bucket {
	return (*bucket)(t.H.At(t.array(i) + heap.Ptr(n)*BucketSize))
}

func (t *Table) child(b *bucket) *bucket { return (*bucket)(t.H.At(b.get(Positions))) }

// Ref is the place of an entry. Any other call on the table makes it stale.
type Ref struct {
	b    *bucket
	k, i int
}

// OK tells whether there is an entry.
func (r Ref) OK() bool { return r.b != nil }

// Get is the entry.
func (r Ref) Get() heap.Ptr { return r.b.get(r.k) }

// Set replaces the entry by another one with the same key.
func (r Ref) Set(p heap.Ptr) { r.b.set(r.k, p) }

// Hash is the table's hash of a key.
func (t *Table) Hash(key []byte) uint64 { return t.T.Seed.Hash(key) }

const ones, tops = 0x0101010101010101, 0x8080808080808000 // tops leaves out byte 0

// Find looks a key up. While entries are being moved every Find moves one bucket chain first.
func (t *Table) Find(key []byte, hash uint64) Ref {
	if t.Len() == 0 {
		return Ref{}
	}
	if t.rehash() >= 0 && t.paused() == 0 {
		t.step()
	}
	tag := hash >> 56 * ones
	moved := t.rehash()
	for i := range 2 {
		if t.used(i) == 0 {
			continue
		}
		n := int(hash & uint64(t.Buckets(i)-1))
		if i == 0 && n < moved {
			continue
		}
		for b := t.bucket(i, n); ; b = t.child(b) {
			w := le.Uint64(b[0:8])
			x := w ^ tag // a zero byte is an equal tag; rare false hits fail the key test
			for m := (x - ones) &^ x & tops; m != 0; m &= m - 1 {
				k := bits.TrailingZeros64(m) >> 3
				if w>>k&1 != 0 && bytes.Equal(t.T.KeyOf(t.H, b.get(k)), key) {
					return Ref{b, k, i}
				}
			}
			if w&1 == 0 {
				break
			}
		}
	}
	return Ref{}
}

// Add inserts an entry whose key is not in the table; like the server it looks the key up first.
// It tells whether it did, which it does not where the key was there.
func (t *Table) Add(key []byte, hash uint64, p heap.Ptr) bool {
	if t.Find(key, hash).OK() {
		return false
	}
	t.Insert(hash, p)
	return true
}

// AddNew is Add for a key that is known not to be in the table.
func (t *Table) AddNew(hash uint64, p heap.Ptr) {
	if t.Len() > 0 {
		t.Step()
	}
	t.Insert(hash, p)
}

// Insert is Add for a key that was just looked up and not found.
func (t *Table) Insert(hash uint64, p heap.Ptr) {
	t.ExpandIfNeeded()
	i := 0
	if t.rehash() >= 0 {
		i = 1
	}
	t.insert(i, hash, byte(hash>>56), p)
}

func (t *Table) insert(i int, hash uint64, tag byte, p heap.Ptr) {
	b := t.bucket(i, int(hash&uint64(t.Buckets(i)-1)))
	for b.full() {
		if !b.chained() {
			t.chain(b)
			t.addChildren(i, 1)
		}
		b = t.child(b)
	}
	b.put(bits.TrailingZeros8(^(b[0] | 1)), tag, p)
	t.addUsed(i, 1)
}

// chain gives a full bucket a child; the entry of slot 7 moves there and the slot becomes the link.
func (t *Table) chain(b *bucket) {
	q := t.H.Zalloc(BucketSize)
	c := (*bucket)(t.H.At(q))
	c.put(1, b[Positions], b.get(Positions))
	b.set(Positions, q)
	b[0] = 0x7f
}

// Delete removes the entry at r, fills its hole from the last bucket of the chain and shrinks the
// table where that leaves it nearly empty.
func (t *Table) Delete(r Ref) {
	t.remove(r)
	t.ShrinkIfNeeded()
}

func (t *Table) remove(r Ref) {
	r.b[0] &^= 1 << r.k
	t.addUsed(r.i, -1)
	if r.b.chained() && t.paused() == 0 {
		t.fillHole(r.b, r.k, r.i)
	}
}

func (t *Table) move(dst *bucket, to int, src *bucket) {
	k := bits.TrailingZeros8(src.filled())
	dst.put(to, src[k&63], src.get(k))
	src[0] &^= 1 << k
}

func (t *Table) fillHole(b *bucket, hole, i int) {
	prev, last := b, t.child(b)
	for last.chained() {
		prev, last = last, t.child(last)
	}
	if last.filled() != 0 {
		t.move(b, hole, last)
	}
	if f := last.filled(); f&(f-1) == 0 {
		t.prune(prev, last, i)
	}
}

// prune frees the last bucket of a chain, which has one entry or none left: the entry takes the
// place of the link.
func (t *Table) prune(prev, last *bucket, i int) {
	q := prev.get(Positions)
	prev[0] &^= 1
	if last.filled() != 0 {
		t.move(prev, Positions, last)
	}
	t.H.Free(q)
	t.addChildren(i, -1)
}

// Pause stops moves, the filling of holes and shrinking, for walks; Resume allows them again, and
// then begins to shrink where that is due.
func (t *Table) Pause() {
	t.setPaused(t.paused() + 1)
	if t.H.Rel.WalksHoldShrink {
		t.HoldShrink()
	}
}

// Resume ends what Pause began.
func (t *Table) Resume() {
	t.setPaused(t.paused() - 1)
	if t.H.Rel.WalksHoldShrink {
		t.LetShrink()
	}
}

func (t *Table) held() int { return int(le.Uint16(t.b[offHold:])) }

// HoldShrink keeps the table from shrinking while several entries are deleted; LetShrink allows it
// again and does it where it is due.
func (t *Table) HoldShrink() { le.PutUint16(t.b[offHold:], uint16(t.held()+1)) }

// LetShrink ends what HoldShrink began.
func (t *Table) LetShrink() {
	le.PutUint16(t.b[offHold:], uint16(t.held()-1))
	if t.held() == 0 {
		t.ShrinkIfNeeded()
	}
}

// Peek is Find that moves nothing.
func (t *Table) Peek(key []byte, hash uint64) Ref {
	t.setPaused(t.paused() + 1)
	r := t.Find(key, hash)
	t.setPaused(t.paused() - 1)
	return r
}

// Free frees the arrays, the child buckets and the struct; each is called for every entry first.
func (t *Table) Free(each func(entry heap.Ptr)) {
	t.Empty(each)
	t.H.Free(t.P)
}

// Empty frees the arrays and child buckets and leaves the struct as New made it.
func (t *Table) Empty(each func(entry heap.Ptr)) {
	if t.Rehashing() && t.T.Completed != nil {
		t.T.Completed(t)
	}
	for i := range 2 {
		for n := range t.Buckets(i) {
			b := t.bucket(i, n)
			for link := heap.Ptr(0); ; {
				if each != nil {
					for m := b.filled(); m != 0; m &= m - 1 {
						each(b.get(bits.TrailingZeros8(m)))
					}
				}
				next := heap.Ptr(0)
				if b.chained() {
					next = b.get(Positions)
				}
				if link != 0 {
					t.H.Free(link)
				}
				if next == 0 {
					break
				}
				link, b = next, (*bucket)(t.H.At(next))
			}
		}
		t.H.Free(t.array(i))
		t.reset(i)
	}
	t.setRehash(-1)
}

func (t *Table) reset(i int) {
	le.PutUint64(t.b[offTables+8*i:], 0)
	le.PutUint64(t.b[offUsed+8*i:], 0)
	le.PutUint64(t.b[offChildren+8*i:], 0)
	t.b[offExp+i] = 0xff
}

// Struct is the table of struct hashtable of a release, without metadata.
func Struct(r *release.Release) *layout.Struct {
	if r.HashtableStruct == 80 {
		return &struct91
	}
	return &struct81
}

var (
	struct81 = layout.Struct{Name: "hashtable", Source: "hashtable.c", Size: 72, Fields: fields}
	struct91 = layout.Struct{Name: "hashtable", Source: "hashtable.c", Size: 80, Fields: append(fields[:len(fields):len(fields)],
		layout.Def{Name: "safe_iterators", Off: 72, Len: 8, Role: layout.Pointer, Meaning: "iterators to tell when the table goes away"})}
	fields = []layout.Def{
		{Name: "type", Off: offType, Len: 8, Role: layout.Pointer, Meaning: "functions of this kind of table: data of the program"},
		{Name: "rehash_idx", Off: offRehash, Len: 8, Signed: true, Role: layout.Header, Meaning: "next bucket to move to the other array, -1 when none is being moved"},
		{Name: "tables[0]", Off: offTables, Len: 8, Role: layout.Pointer, Meaning: "array of buckets"},
		{Name: "tables[1]", Off: offTables + 8, Len: 8, Role: layout.Pointer, Meaning: "array that entries are being moved to"},
		{Name: "used[0]", Off: offUsed, Len: 8, Role: layout.Header, Meaning: "entries in the first array"},
		{Name: "used[1]", Off: offUsed + 8, Len: 8, Role: layout.Header, Meaning: "entries in the second array"},
		{Name: "bucket_exp[0]", Off: offExp, Len: 1, Signed: true, Role: layout.Header, Meaning: "log2 of the first array's buckets, -1 for no array"},
		{Name: "bucket_exp[1]", Off: offExp + 1, Len: 1, Signed: true, Role: layout.Header, Meaning: "log2 of the second array's buckets, -1 for no array"},
		{Name: "pause_rehash", Off: offPause, Len: 2, Role: layout.Header, Meaning: "moves stand still while this is not 0"},
		{Name: "pause_auto_shrink", Off: offHold, Len: 2, Role: layout.Header, Meaning: "no shrinking while this is not 0"},
		{Name: "child_buckets[0]", Off: offChildren, Len: 8, Role: layout.Header, Meaning: "child buckets of the first array"},
		{Name: "child_buckets[1]", Off: offChildren + 8, Len: 8, Role: layout.Header, Meaning: "child buckets of the second array"},
	}
)
