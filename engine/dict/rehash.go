package dict

import (
	"math/bits"

	"github.com/keyloupe/keyloupe/engine/heap"
)

const (
	emptyVisits = 10 // empty slots that a step may pass over
	minFill     = 8  // 8.0: one entry in that many slots or fewer shrinks
	minPercent  = 10 // 7.2: fill in percent below which a dict shrinks
)

// nextExp is the log2 of the slots for n entries.
func nextExp(n int) int {
	if n <= 1<<initialExp {
		return initialExp
	}
	return bits.Len(uint(n - 1))
}

// Expand sizes the dict for n entries and tells whether it did (dictExpand). 7.2 also takes a
// smaller array than there is.
func (d *Dict) Expand(n int) bool {
	if d.Rehashing() || d.Used(0) > n || d.H.Rel.DictShrinksOnDelete && d.Size(0) >= n {
		return false
	}
	return d.resize(n)
}

// ExpandIfNeeded begins to grow a dict that has as many entries as slots. It returns false where
// there was no need to.
func (d *Dict) ExpandIfNeeded() bool {
	switch {
	case d.Rehashing():
		return true
	case d.Size(0) == 0:
		return d.resize(1 << initialExp)
	case d.Used(0) < d.Size(0):
		return false
	}
	if d.mayResize(d.Used(0) + 1) {
		d.Expand(d.Used(0) + 1)
	}
	return true
}

// ShrinkIfNeeded begins to shrink a dict of 8.0 that has an eighth of its slots or less. It returns
// false where there was no need to.
func (d *Dict) ShrinkIfNeeded() bool {
	if d.Rehashing() || d.Size(0) <= 1<<initialExp {
		return true
	}
	if d.Used(0)*minFill > d.Size(0) {
		return false
	}
	if d.mayResize(d.Used(0)) {
		d.shrink()
	}
	return true
}

// NeedsResize tells whether a dict of 7.2 is less than a tenth full (htNeedsResize).
func (d *Dict) NeedsResize() bool {
	return d.Slots() > 1<<initialExp && d.Len()*100/d.Slots() < minPercent
}

// Resize begins to give a dict of 7.2 the smallest array that holds its entries (dictResize).
func (d *Dict) Resize() {
	if !d.Rehashing() {
		d.resize(d.Used(0))
	}
}

func (d *Dict) shrink() {
	if d.Used(0) < d.Size(0) {
		d.resize(d.Used(0))
	}
}

func (d *Dict) mayResize(n int) bool {
	return d.T.MayResize == nil || d.T.MayResize(SlotSize<<nextExp(n), float64(d.Used(0))/float64(d.Size(0)))
}

// resize takes an array for n entries and begins to move to it.
func (d *Dict) resize(n int) bool {
	exp := nextExp(n)
	if exp == d.exp(0) {
		return false
	}
	d.noteResize(exp)
	p := d.H.Zalloc(SlotSize << exp)
	first := d.table(0) == 0 || d.Used(0) == 0 && d.H.Rel.DictReplacesEmpty
	d.set(1, p, exp, 0)
	d.setRehash(0)
	if d.T.Started != nil {
		d.T.Started(d)
	}
	if first {
		d.complete()
	}
	return true
}

func (d *Dict) noteResize(exp int) {
	if !d.H.Tracing() || d.table(0) == 0 {
		return
	}
	verb := "grows"
	if exp < d.exp(0) {
		verb = "shrinks"
	}
	d.H.Note("the %s dict %s from %d to %d slots: both arrays are there until every slot has moved", d.T.Name, verb, d.Size(0), 1<<exp)
}

func (d *Dict) complete() {
	if d.T.Completed != nil {
		d.T.Completed(d)
	}
	d.H.Free(d.table(0))
	d.set(0, d.table(1), d.exp(1), d.Used(1))
	d.reset(1)
	d.setRehash(-1)
}

// step moves a slot, unless an iterator has stopped that.
func (d *Dict) step() {
	if d.Rehashing() && d.paused() == 0 {
		d.Rehash(1)
	}
}

// stepFor is the step of an operation on a key of that hash: 8.0 moves the key's own slot where
// there is something in it.
func (d *Dict) stepFor(hash uint64) {
	if !d.Rehashing() {
		return
	}
	n := hash & d.mask(0)
	if !d.H.Rel.DictMovesFoundSlot || int(n) < d.rehash() || d.slot(0, n) == 0 {
		d.step()
		return
	}
	if d.paused() == 0 {
		d.moveSlot(n)
		d.H.NoteRehash(1)
		d.checkComplete()
	}
}

func (d *Dict) checkComplete() bool {
	if d.Used(0) != 0 {
		return false
	}
	d.complete()
	return true
}

// Rehash moves n slots, or stops when ten times as many empty ones were passed over, and tells
// whether some are left, as the server's cron does again and again.
func (d *Dict) Rehash(n int) bool {
	if !d.Rehashing() {
		return false
	}
	visits := n * emptyVisits
	from := d.rehash()
	for ; n > 0 && d.Used(0) != 0; n-- {
		for d.slot(0, uint64(d.rehash())) == 0 {
			d.setRehash(d.rehash() + 1)
			if visits--; visits == 0 {
				d.H.NoteRehash(d.rehash() - from)
				return true
			}
		}
		d.moveSlot(uint64(d.rehash()))
		d.setRehash(d.rehash() + 1)
	}
	d.H.NoteRehash(d.rehash() - from)
	return !d.checkComplete()
}

// FinishRehash moves all that is left.
func (d *Dict) FinishRehash() {
	for d.Rehash(100) {
	}
}

// moveSlot moves the entries of a slot of array 0, first to last, each to the head of its new slot.
func (d *Dict) moveSlot(n uint64) {
	grow := d.exp(1) > d.exp(0)
	for e := d.slot(0, n); e != 0; {
		next, to := d.next(e), n
		if grow { // otherwise the index has the bits that matter
			to = d.Hash(d.Key(e))
		}
		to &= d.mask(1)
		d.setSlot(1, to, d.relink(e, d.slot(1, to)))
		d.addUsed(0, -1)
		d.addUsed(1, 1)
		e = next
	}
	d.setSlot(0, n, 0)
}

// relink puts an entry before head. A set's member gives up its entry where it is alone and gets
// one where it is not.
func (d *Dict) relink(e, head Entry) Entry {
	switch {
	case d.T.NoValue && head == 0:
		key := d.KeyPtr(e)
		if !e.isKey() {
			d.H.Free(e.ptr())
		}
		return Entry(key)
	case e.isKey():
		return newEntryNoValue(d.H, heap.Ptr(e), head)
	}
	d.setNext(e, head)
	return e
}
