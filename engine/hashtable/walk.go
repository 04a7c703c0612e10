package hashtable

import (
	"math/bits"

	"github.com/keyloupe/keyloupe/engine/heap"
)

// Each calls f with every entry, bucket by bucket and chain by chain, the order in which the
// server's iterators go, until f returns false. f must not change the table.
func (t *Table) Each(f func(entry heap.Ptr) bool) {
	for i := range 2 {
		for n := range t.Buckets(i) {
			if i == 0 && n < t.rehash() {
				continue
			}
			if !t.eachInChain(t.bucket(i, n), f) {
				return
			}
		}
	}
}

// Walk is Each as under the server's safe iterators, which hold moves and shrinking meanwhile. On a table without buckets,
// as a flush leaves it, they forget to let them go again (hashtable.c, hashtableNext): the table is held for good.
func (t *Table) Walk(f func(entry heap.Ptr) bool) {
	t.Pause()
	if t.Buckets(0) == 0 && t.H.Rel.WalkHoldsEmpty {
		return
	}
	t.Each(f)
	t.Resume()
}

func (t *Table) eachInChain(b *bucket, f func(entry heap.Ptr) bool) bool {
	for ; ; b = t.child(b) {
		for m := b.filled(); m != 0; m &= m - 1 {
			if !f(b.get(bits.TrailingZeros8(m))) {
				return false
			}
		}
		if !b.chained() {
			return true
		}
	}
}

// Scan calls f with the entries at a cursor and returns the next one, 0 at the end. The cursor
// counts with its bits reversed, so that growing and shrinking in between leaves no entry out.
func (t *Table) Scan(cursor uint64, f func(entry heap.Ptr)) uint64 {
	if t.Len() == 0 {
		return 0
	}
	t.Pause()
	defer t.Resume()
	return t.Look(cursor, f)
}

// Look is Scan for those who look on: the table does not shrink after it. f must not change the table.
func (t *Table) Look(cursor uint64, f func(entry heap.Ptr)) uint64 {
	if t.Len() == 0 {
		return 0
	}
	emit := func(i int, n uint64) {
		if i == 0 && int(n) < t.rehash() {
			return
		}
		t.eachInChain(t.bucket(i, int(n)), func(e heap.Ptr) bool { f(e); return true })
	}
	if !t.Rehashing() {
		mask := uint64(t.Buckets(0) - 1)
		emit(0, cursor&mask)
		return nextCursor(cursor, mask)
	}
	small, large := 0, 1
	if t.exp(0) > t.exp(1) {
		small, large = 1, 0
	}
	maskS, maskL := uint64(t.Buckets(small)-1), uint64(t.Buckets(large)-1)
	emit(small, cursor&maskS)
	for {
		emit(large, cursor&maskL)
		cursor = nextCursor(cursor, maskL)
		if cursor&(maskS^maskL) == 0 {
			return cursor
		}
	}
}

func nextCursor(v, mask uint64) uint64 {
	return bits.Reverse64(bits.Reverse64(v|^mask) + 1)
}

// fairSample is how many entries Sample picks one of: those of ten full buckets.
const fairSample = 10 * Positions

// Sample is one entry picked with the randomness of next, a source of 64-bit numbers: one of those
// that a scan meets from a random position on, fewer of them in a sparse table (hashtable.c,
// hashtableFairRandomEntry). Which one a real server picks can't be foretold. Like a lookup it moves
// a bucket.
func (t *Table) Sample(next func() uint64) (e heap.Ptr, ok bool) {
	want := Positions
	if t.Len() >= t.Buckets(0)+t.Buckets(1) {
		want = fairSample
	}
	want = min(want, t.Len())
	if want == 0 {
		return 0, false
	}
	seen := 0
	for cursor := next(); seen < want; {
		cursor = t.Scan(cursor, func(x heap.Ptr) {
			if seen++; next()%uint64(seen) == 0 {
				e = x
			}
		})
	}
	t.Step()
	return e, true
}
