package dict

import (
	"bytes"

	"github.com/keyloupe/keyloupe/engine/heap"
)

// Array is the address of array i of the slots, 0 where there is none.
func (d *Dict) Array(i int) heap.Ptr { return d.table(i) }

// RehashAt is the next slot of the first array to be moved, -1 where none is.
func (d *Dict) RehashAt() int { return d.rehash() }

// GrowsAt is the number of entries at which the dict doubles: a slot each, and one more.
func (d *Dict) GrowsAt() int { return d.Size(0) + 1 }

// Chain is the entries of slot n of array i, the newest first.
func (d *Dict) Chain(i, n int) (chain []Entry) {
	for e := d.slot(i, uint64(n)); e != 0; e = d.next(e) {
		chain = append(chain, e)
	}
	return chain
}

// Locate finds the array, the slot and the place in its chain of a key, and moves nothing.
func (d *Dict) Locate(key []byte, hash uint64) (array, slot, link int, ok bool) {
	for i := range 2 {
		if d.Size(i) == 0 || d.Used(i) == 0 {
			continue
		}
		n := int(hash & d.mask(i))
		for l, e := range d.Chain(i, n) {
			if bytes.Equal(d.Key(e), key) {
				return i, n, l, true
			}
		}
	}
	return 0, 0, 0, false
}
