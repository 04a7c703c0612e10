package hashtable

import (
	"math/bits"
)

// exponent is the log2 of the buckets that a table for n entries gets: the next power of two of
// n/6.4, so that a table for n entries starts at 50 to 91 % (hashtable.c, nextBucketExp).
func exponent(n int) int { return bits.Len(uint((5*max(n, 1)+31)/32 - 1)) }

// Reserve sizes a table for n entries, also where they would fit into what it has (hashtableExpand).
func (t *Table) Reserve(n int) bool { return !t.Rehashing() && t.used(0) <= n && t.resize(n) }

// ExpandIfNeeded begins to grow where one entry more would exceed the positions. A shrink under
// way whose target could not hold the entries is turned round in 9.1, and hurried to its end in 8.1.
func (t *Table) ExpandIfNeeded() bool {
	if t.rehash() >= 0 {
		return t.H.Rel.AbortsShrink && t.abortShrink() || t.H.Rel.FinishesToGrow && t.finishToGrow()
	}
	n := t.used(0) + 1
	if n*100 <= t.Buckets(0)*Positions*maxFill {
		return false
	}
	return t.resize(n)
}

// ShrinkIfNeeded begins to shrink at 13 % or less.
func (t *Table) ShrinkIfNeeded() bool {
	if t.rehash() >= 0 || t.held() > 0 && t.H.Rel.WalksHoldShrink {
		return false
	}
	n := t.used(0)
	if n*100 > t.Buckets(0)*Positions*minFill {
		return false
	}
	return t.resize(n)
}

// GrowsAt is the number of entries at which the table grows.
func (t *Table) GrowsAt() int { return t.Buckets(0)*Positions + 1 }

// finishToGrow ends a move at once where its target is full already, and begins the next one.
func (t *Table) finishToGrow() bool {
	n := t.used(0) + t.used(1) + 1
	if n*100 <= t.Buckets(1)*Positions*maxFill || exponent(n) == t.exp(1) || t.paused() > 0 {
		return false
	}
	t.FinishRehash()
	return t.resize(n)
}

func (t *Table) abortShrink() bool {
	if t.exp(1) >= t.exp(0) {
		return false
	}
	n := t.used(0) + t.used(1) + 1
	if n*100 <= t.Buckets(1)*Positions*maxFillHard {
		return false
	}
	t.swap()
	t.setRehash(0)
	return true
}

// swap exchanges the two arrays.
func (t *Table) swap() {
	for _, at := range [...]int{offTables, offUsed, offChildren} {
		x, y := le.Uint64(t.b[at:]), le.Uint64(t.b[at+8:])
		le.PutUint64(t.b[at:], y)
		le.PutUint64(t.b[at+8:], x)
	}
	t.b[offExp], t.b[offExp+1] = t.b[offExp+1], t.b[offExp]
}

// resize takes an array for n entries and begins to move to it.
func (t *Table) resize(n int) bool {
	exp := exponent(n)
	if exp == t.exp(0) {
		return false
	}
	size := BucketSize << exp
	if exp > t.exp(0) && t.T.MayGrow != nil && n*100 < maxFillHard*Positions*t.Buckets(0) && !t.T.MayGrow(size) {
		return false
	}
	if t.H.Tracing() && t.array(0) != 0 {
		verb := "grows"
		if exp < t.exp(0) {
			verb = "shrinks"
		}
		t.H.Note("the %s table %s from %d to %d buckets: both arrays are there until every bucket has moved", t.T.Name, verb, t.Buckets(0), 1<<exp)
	}
	p := t.H.Zalloc(size)
	le.PutUint64(t.b[offTables+8:], uint64(p))
	t.b[offExp+1] = byte(exp)
	t.setRehash(0)
	if t.T.Started != nil {
		t.T.Started(t)
	}
	if t.used(0) == 0 && t.children(0) == 0 {
		t.complete()
	}
	return true
}

func (t *Table) complete() {
	if t.T.Completed != nil {
		t.T.Completed(t)
	}
	t.H.Free(t.array(0))
	t.swap()
	t.reset(1)
	t.setRehash(-1)
}

// Moving tells whether Step has something to do: a table that is held stands still.
func (t *Table) Moving() bool { return t.rehash() >= 0 && t.paused() == 0 }

// Step moves one bucket chain, as the server's cron does again and again.
func (t *Table) Step() {
	if t.Moving() {
		t.step()
	}
}

func (t *Table) step() {
	grow := t.exp(1) > t.exp(0)
	from := t.rehash()
	if !grow && t.H.Rel.RehashSkips && !t.skipEmpty() {
		t.H.NoteRehash(1)
		return
	}
	b := t.bucket(0, t.rehash())
	for c := b; ; c = t.child(c) {
		t.moveBucket(c, grow)
		if !c.chained() {
			break
		}
	}
	t.finishBucket(b)
	t.H.NoteRehash(max(1, t.rehash()-from))
}

// skipEmpty passes over empty buckets of a shrinking table and tells whether one with entries was
// found before the step's allowance, or the table, was used up.
func (t *Table) skipEmpty() bool {
	for skips := emptySkips; ; {
		b := t.bucket(0, t.rehash())
		if b[0] != 0 {
			return true
		}
		t.finishBucket(b)
		if t.rehash() < 0 {
			return false
		}
		if skips--; skips == 0 {
			return false
		}
	}
}

func (t *Table) moveBucket(c *bucket, grow bool) {
	n := t.rehash()
	present := c.filled()
	if !grow { // the index has the bits that matter, no need to hash
		for m := present; m != 0; m &= m - 1 {
			k := bits.TrailingZeros8(m)
			t.insert(1, uint64(n), c[k&63], c.get(k))
		}
	} else if t.T.KeyOf == nil {
		for m := present; m != 0; m &= m - 1 {
			k := bits.TrailingZeros8(m)
			t.insert(1, AddressHash(c.get(k)), c[k&63], c.get(k))
		}
	} else {
		var keys [8][]byte // gathered first: the loads of seven cold entries then overlap
		for m := present; m != 0; m &= m - 1 {
			k := bits.TrailingZeros8(m)
			keys[k&7] = t.T.KeyOf(t.H, c.get(k))
		}
		for m := present; m != 0; m &= m - 1 {
			k := bits.TrailingZeros8(m)
			t.insert(1, t.T.Seed.Hash(keys[k&7]), c[k&63], c.get(k))
		}
	}
	t.addUsed(0, -bits.OnesCount8(present))
}

// finishBucket frees the children of the bucket that was moved and goes on to the next. From 9.1
// on the move ends as soon as nothing is left behind; before, only after the last bucket.
func (t *Table) finishBucket(b *bucket) {
	for c := *b; c.chained(); {
		q := c.get(Positions)
		c = *(*bucket)(t.H.At(q))
		t.H.Free(q)
		t.addChildren(0, -1)
	}
	b[0] = 0
	t.setRehash(t.rehash() + 1)
	done := t.rehash() >= t.Buckets(0)
	if t.H.Rel.RehashSkips {
		done = t.used(0) == 0 && t.children(0) == 0
	}
	if done {
		t.complete()
	}
}

// FinishRehash moves all that is left.
func (t *Table) FinishRehash() {
	for t.rehash() >= 0 {
		t.step()
	}
}
