// Package vset is the set of a hash's volatile fields: which entries expire, in what order. It is
// one tagged word behind the hash's table, from 9.0 on (vset.c).
//
//	word 0      no set            word ...|1  one entry: an entry's address is always odd
//	word -1     an empty set      word ...|2  a vector        word ...|6  a radix tree of time windows
//
//	vector      | len:30 alloc:34 | entry 8 | entry 8 | ...                up to 127 entries
//	radix tree  8-byte big-endian end of a window -> an entry, a vector, or (…|4) a hashtable
//
// The vector that stands alone is kept in the order of expiry. With the 128th entry it becomes a
// tree whose windows end at multiples of 8192 ms; a full window is moved to a tighter end, or split
// at a multiple of 16 ms, and only what can't be split becomes a hashtable, which hashes addresses.
// Sizes are in bytes, times in Unix milliseconds.
package vset

import (
	"encoding/binary"
	"math"

	"github.com/keyloupe/keyloupe/engine/hashentry"
	"github.com/keyloupe/keyloupe/engine/hashtable"
	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/rax"
)

var le, be = binary.LittleEndian, binary.BigEndian

const (
	none   = math.MaxUint64
	single = 1
	vector = 2
	table  = 4
	tree   = 6
	tags   = 7

	maxVector = 127     // VOLATILESET_VECTOR_BUCKET_MAX_SIZE
	fine      = 1 << 4  // ms: windows are split at multiples of this
	coarse    = 1 << 13 // ms: new windows end at multiples of this
)

// Kind is how a set is kept.
type Kind string

// The kinds.
const (
	None   Kind = "none"
	Single Kind = "single"
	Vector Kind = "vector"
	Tree   Kind = "rax"
)

// Set is a view of the set whose word is the 8 bytes W.
type Set struct {
	H *heap.Heap
	W []byte
}

// bucket is a tagged word: the set itself, or what a window of the tree holds.
type bucket uint64

func (b bucket) kind() uint64 {
	switch {
	case b == none:
		return none
	case b&single != 0:
		return single
	}
	return uint64(b & tags)
}

func (b bucket) ptr() heap.Ptr { return heap.Ptr(b &^ tags) }

func tagged(p heap.Ptr, tag bucket) bucket { return bucket(p) | tag }

func (s Set) word() bucket     { return bucket(le.Uint64(s.W)) }
func (s Set) set(b bucket)     { le.PutUint64(s.W, uint64(b)) }
func (s Set) live() bool       { return le.Uint64(s.W) != 0 }
func (s Set) vec(b bucket) vec { return vec{s.H, b.ptr()} }

// Empty tells whether no field is volatile.
func (s Set) Empty() bool { return !s.live() || s.word() == none }

// Kind is how the set is kept.
func (s Set) Kind() Kind {
	if s.Empty() {
		return None
	}
	return map[uint64]Kind{single: Single, vector: Vector, tree: Tree}[s.word().kind()]
}

func (s Set) expire(e heap.Ptr) int64 { return hashentry.Expire(s.H, e) }

// windowEnd is the end of the window of a width that a time lies in. For the last times that 64 bits
// can tell it is the very last, or in the first releases an overflow: a negative number, whose key
// sorts behind all others.
func (s Set) windowEnd(at, width int64) int64 {
	a := at &^ (width - 1)
	if a > math.MaxInt64-width && s.H.Rel.VsetSaturates {
		return math.MaxInt64
	}
	return a + width
}

// Add puts an entry, which has an expiry, into the set.
func (s Set) Add(e heap.Ptr) {
	if !s.live() {
		s.set(none)
	}
	b := s.word()
	switch b.kind() {
	case none:
		b = bucket(e)
	case single:
		b = s.pair(b, e)
	case vector:
		v := s.vec(b)
		if v.len() == maxVector {
			b = s.plant(v, e)
			break
		}
		b = tagged(v.insert(e, s.position(v, s.expire(e))), vector)
	case tree:
		s.addToTree(b.ptr(), e)
	}
	s.set(b)
}

// pair makes a vector of two entries, the earlier one first.
func (s Set) pair(b bucket, e heap.Ptr) bucket {
	v := newVec(s.H, 2)
	first, second := e, heap.Ptr(b)
	if s.expire(second) < s.expire(e) {
		first, second = second, first
	}
	v.push(first)
	v.push(second)
	return tagged(v.p, vector)
}

// position is where an expiry goes in a vector that is in order: before its equals.
func (s Set) position(v vec, at int64) int {
	lo, hi := 0, v.len()
	for lo < hi {
		if mid := (lo + hi) / 2; at <= s.expire(v.get(mid)) {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}

// plant turns a full vector into a tree and adds one more entry.
func (s Set) plant(v vec, e heap.Ptr) bucket {
	s.H.Note("the volatile fields outgrew a vector of %d: they are kept in a radix tree of time windows now", maxVector)
	r := rax.New(s.H)
	end := s.windowEnd(s.expire(v.get(v.len()-1)), coarse)
	if s.windowEnd(s.expire(v.get(0)), coarse) == end {
		rax.Insert(s.H, r, key(end), heap.Ptr(tagged(v.p, vector)))
	} else {
		for i := range v.len() {
			s.addToTree(r, v.get(i))
		}
		s.H.Free(v.p)
	}
	s.addToTree(r, e)
	return tagged(r, tree)
}

// Remove takes an entry out. at is the expiry it was added with; the entry itself is not read. It
// tells whether it was there.
func (s Set) Remove(e heap.Ptr, at int64) bool {
	if s.Empty() {
		return false
	}
	b, ok := s.word(), false
	switch b.kind() {
	case single:
		if ok = b == bucket(e); ok {
			b = none
		}
	case vector:
		b, ok = s.removeFromVector(s.vec(b), e, false)
	case tree:
		r := b.ptr()
		ok = s.removeFromTree(r, e, at)
		b = s.shrinkTree(b)
	}
	s.set(b)
	return ok
}

// removeFromVector removes in order, or, with swap, by putting the last entry in its place.
func (s Set) removeFromVector(v vec, e heap.Ptr, swap bool) (bucket, bool) {
	i, n := v.find(e), v.len()
	if i == n {
		return tagged(v.p, vector), false
	}
	if n <= 2 {
		left := bucket(none)
		if n == 2 {
			left = bucket(v.get(1 - i))
		}
		s.H.Free(v.p)
		return left, true
	}
	if swap {
		v.set(i, v.get(n-1))
		i = n - 1
	}
	return tagged(v.removeAt(i), vector), true
}

// Update tells the set that an entry has another address, or another expiry, or both. Either expiry
// may be hashentry.NoExpire: then the entry was not in the set, or leaves it. The old entry is not
// read; it may be freed.
func (s Set) Update(old, e heap.Ptr, was, at int64) {
	switch {
	case old == e && was == at:
	case was == hashentry.NoExpire && at == hashentry.NoExpire:
	case was == hashentry.NoExpire:
		s.Add(e)
	case at == hashentry.NoExpire:
		s.Remove(old, was)
	default:
		s.replace(old, e, was, at)
	}
}

func (s Set) replace(old, e heap.Ptr, was, at int64) {
	b := s.word()
	switch b.kind() {
	case single:
		s.set(bucket(e))
	case vector:
		if was != at { // its place in the order may be another
			s.Remove(old, was)
			s.Add(e)
			return
		}
		v := s.vec(b)
		v.set(v.find(old), e)
	case tree:
		s.replaceInTree(b.ptr(), old, e, was, at)
	}
}

// Earliest is the expiry of the first entry; of a tree, the end of its first window, which the
// first expiry lies before. NoExpire where the set is empty.
func (s Set) Earliest() int64 {
	if s.Empty() {
		return hashentry.NoExpire
	}
	b := s.word()
	switch b.kind() {
	case single:
		return s.expire(heap.Ptr(b))
	case vector:
		return s.expire(s.vec(b).get(0))
	}
	it := rax.NewIter(s.H, b.ptr())
	it.Seek(rax.First, nil)
	return int64(be.Uint64(it.Key()))
}

// RemoveExpired takes up to most entries out that expired by now (of a tree: those in windows that
// have ended), calls each with each, and returns how many. each may free the entry.
func (s Set) RemoveExpired(now int64, most int, each func(e heap.Ptr)) int {
	if s.Empty() {
		return 0
	}
	b, n := s.word(), 0
	switch b.kind() {
	case single, vector:
		b, n = s.drain(b, s.expire, now, most, each)
	case tree:
		b, n = s.drainTree(b, now, most, each)
	}
	s.set(b)
	return n
}

// drain removes expired entries from the front of a bucket that is no tree.
func (s Set) drain(b bucket, expire func(heap.Ptr) int64, now int64, most int, each func(heap.Ptr)) (bucket, int) {
	switch b.kind() {
	case single:
		if most == 0 || expire(heap.Ptr(b)) > now {
			return b, 0
		}
		each(heap.Ptr(b))
		return none, 1
	case vector:
		v, i := s.vec(b), 0
		for ; i < min(v.len(), most) && expire(v.get(i)) <= now; i++ {
			each(v.get(i))
		}
		if i == 0 {
			return b, 0
		}
		rest := v.split(i)
		s.H.Free(rest.left)
		if rest.right == 0 {
			return none, i
		}
		return tagged(rest.right, vector), i
	}
	return s.drainTable(b, most, each)
}

// Each calls f with every entry until it returns false. f must not change the set.
func (s Set) Each(f func(e heap.Ptr) bool) {
	if !s.Empty() {
		s.each(s.word(), f)
	}
}

func (s Set) each(b bucket, f func(e heap.Ptr) bool) bool {
	switch b.kind() {
	case single:
		return f(heap.Ptr(b))
	case vector:
		v := s.vec(b)
		for i := range v.len() {
			if !f(v.get(i)) {
				return false
			}
		}
	case table:
		t, all := s.open(b), true
		t.Each(func(e heap.Ptr) bool { all = f(e); return all })
		return all
	case tree:
		it := rax.NewIter(s.H, b.ptr())
		for ok := it.Seek(rax.First, nil); ok; ok = it.Next() {
			if !s.each(bucket(it.Value()), f) {
				return false
			}
		}
	}
	return true
}

// Len is the number of entries.
func (s Set) Len() (n int) {
	s.Each(func(heap.Ptr) bool { n++; return true })
	return n
}

// MemUsage is what MEMORY USAGE counts of the set.
func (s Set) MemUsage() int {
	if s.Empty() {
		return 0
	}
	return s.usage(s.word())
}

func (s Set) usage(b bucket) int {
	switch b.kind() {
	case vector:
		return s.vec(b).alloc()
	case table:
		t := s.open(b)
		return t.MemUsage()
	case tree:
		n := rax.AllocSize(s.H, b.ptr())
		it := rax.NewIter(s.H, b.ptr())
		for ok := it.Seek(rax.First, nil); ok; ok = it.Next() {
			n += s.usage(bucket(it.Value()))
		}
		return n
	}
	return 0
}

// Release frees what the set has, but not its entries, and makes the word 0 again.
func (s Set) Release() {
	if !s.Empty() {
		s.free(s.word())
	}
	s.set(0)
}

func (s Set) free(b bucket) {
	switch b.kind() {
	case vector:
		s.H.Free(b.ptr())
	case table:
		t := s.open(b)
		t.Free(nil)
	case tree:
		rax.Free(s.H, b.ptr(), func(v heap.Ptr) { s.free(bucket(v)) })
	}
}

var tableType = hashtable.Type{Name: "volatile fields"}

func (s Set) open(b bucket) hashtable.Table { return hashtable.Open(s.H, b.ptr(), &tableType) }
