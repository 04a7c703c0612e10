package hashtable

import (
	"math/bits"

	"github.com/keyloupe/keyloupe/engine/heap"
)

// A table without KeyOf tells its entries apart by their addresses, which it also hashes: the
// inner tables of a set of volatile fields do (vset.c, pointerHashtableType).

// AddressHash is the hash of an entry's address: the finalizer of MurmurHash3.
func AddressHash(p heap.Ptr) uint64 {
	x := uint64(p)
	x = (x ^ x>>33) * 0xff51afd7ed558ccd
	x = (x ^ x>>33) * 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}

// FindAddress is Find for such a table.
func (t *Table) FindAddress(p heap.Ptr) Ref {
	if t.Len() == 0 {
		return Ref{}
	}
	t.Step()
	hash := AddressHash(p)
	for i := range 2 {
		if t.used(i) == 0 {
			continue
		}
		for b := t.bucket(i, int(hash&uint64(t.Buckets(i)-1))); ; b = t.child(b) {
			for m := b.filled(); m != 0; m &= m - 1 {
				if k := bits.TrailingZeros8(m); b.get(k) == p {
					return Ref{b, k, i}
				}
			}
			if !b.chained() {
				break
			}
		}
	}
	return Ref{}
}

// AddAddress inserts an entry of such a table; it must not be there.
func (t *Table) AddAddress(p heap.Ptr) {
	t.FindAddress(p)
	t.Insert(AddressHash(p), p)
}
