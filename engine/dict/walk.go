package dict

import "math/bits"

// Iter walks the entries, slot by slot and chain by chain. While a safe one is under way no entry
// moves, and the entry it returned may be deleted.
type Iter struct {
	d       *Dict
	table   int
	index   int
	started bool
	safe    bool
	left    Entry // the rest of the slot
}

// Iter begins a walk; the dict must not be changed during it.
func (d *Dict) Iter() Iter { return Iter{d: d} }

// SafeIter begins a walk during which entries may be added and deleted. End it with Close.
func (d *Dict) SafeIter() Iter { return Iter{d: d, safe: true} }

// Next is the next entry, 0 at the end.
func (it *Iter) Next() Entry {
	d := it.d
	if !it.started {
		it.started = true
		if it.safe {
			d.PauseRehash()
		}
		it.index = max(0, d.rehash()) // what lies before has moved
	}
	for it.left == 0 {
		if it.index >= d.Size(it.table) {
			if it.table == 1 || !d.Rehashing() {
				return 0
			}
			it.table, it.index = 1, 0
			continue
		}
		it.left = d.slot(it.table, uint64(it.index))
		it.index++
	}
	e := it.left
	it.left = d.next(e)
	return e
}

// Close ends a walk.
func (it *Iter) Close() {
	if it.safe && it.started {
		it.d.ResumeRehash()
	}
}

// Each calls f with every entry in the order of Iter until it returns false. f must not change the
// dict.
func (d *Dict) Each(f func(e Entry) bool) {
	for it := d.Iter(); ; {
		e := it.Next()
		if e == 0 || !f(e) {
			return
		}
	}
}

// Scan calls f with the entries at a cursor and returns the next one, 0 at the end. The cursor
// counts with its bits reversed, so that growing and shrinking in between leaves no entry out. f
// may delete the entry it is given.
func (d *Dict) Scan(cursor uint64, f func(e Entry)) uint64 {
	if d.Len() == 0 {
		return 0
	}
	d.PauseRehash()
	defer d.ResumeRehash()
	if !d.Rehashing() {
		d.emit(0, cursor, f)
		return nextCursor(cursor, d.mask(0))
	}
	small, large := 0, 1
	if d.exp(0) > d.exp(1) {
		small, large = 1, 0
	}
	between := d.mask(small) ^ d.mask(large)
	d.emit(small, cursor, f)
	for {
		d.emit(large, cursor, f)
		cursor = nextCursor(cursor, d.mask(large))
		if cursor&between == 0 {
			return cursor
		}
	}
}

func (d *Dict) emit(i int, cursor uint64, f func(e Entry)) {
	for e := d.slot(i, cursor&d.mask(i)); e != 0; {
		next := d.next(e)
		f(e)
		e = next
	}
}

func nextCursor(v, mask uint64) uint64 { return bits.Reverse64(bits.Reverse64(v|^mask) + 1) }
