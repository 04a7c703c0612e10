package sweep

import (
	"math"

	"github.com/keyloupe/keyloupe/engine/release"
)

// table is the cost of a hash's table without its entries: what MEMORY USAGE counts of it, and its
// blocks. Where child buckets depend on the hash seed it is the expectation over random seeds.
type table struct{ usage, allocated Micro }

// arrays are the arrays of a table: of old and new, old is 0 where no rehash is under way. Their
// numbers are expectations, or counts where the seed is known.
type arrays struct {
	old, new float64 // slots or buckets
	children float64
}

// valueTable is the table of a hash that was made in one of the ways.
func (p *Plan) valueTable(m *model, field, fields int, w way, ttl TTL) table {
	if !m.hashtables() {
		return m.dictTable(p.dictArrays(m.rel, field, fields, w))
	}
	t := m.bucketTable(m.rel.HashMetadata, p.bucketArrays(m.rel, field, fields, w))
	if ttl == FieldTTL {
		v := m.volatileFields(fields)
		t.usage += v.usage
		t.allocated += v.allocated
	}
	return t
}

func (m *model) dictTable(a arrays) table {
	t := table{Bytes(dictSize) + micro(dictSlot*(a.old+a.new)), Bytes(m.granted(dictSize) + m.granted(dictSlot*int(a.new)))}
	if a.old > 0 { // the chance that the old array is still there times its block
		half := int(a.new) / 2
		t.allocated += micro(a.old / float64(half) * float64(m.granted(dictSlot*half)))
	}
	return t
}

func (m *model) bucketTable(metadata int, a arrays) table {
	head := m.rel.HashtableStruct + metadata
	t := table{Bytes(head) + micro(bucketSize*(a.old+a.new+a.children)),
		Bytes(m.granted(head)+m.granted(bucketSize*int(a.new))) + micro(a.children*float64(m.granted(bucketSize)))}
	if a.old > 0 {
		half := int(a.new) / 2
		t.allocated += micro(a.old / float64(half) * float64(m.granted(bucketSize*half)))
	}
	return t
}

// micro rounds a number of bytes to a millionth.
func micro(bytes float64) Micro { return Micro(math.Floor(float64(bytes*microByte) + 0.5)) }

// bucketArrays are the arrays of a hashtable in a value. Every insertion after the one that doubled
// it has moved one bucket of the old array, before it took its place in the new one.
func (p *Plan) bucketArrays(r *release.Release, field, n int, w way) arrays {
	if p.seeds.every != nil {
		return p.countBuckets(r, field, n, w)
	}
	if w == sized {
		return settled(n, presized(n))
	}
	return growing(r, n, w)
}

func settled(n, b int) arrays { return arrays{new: float64(b), children: expectedChildren(n, b)} }

func growing(r *release.Release, n int, w way) arrays {
	b := buckets(n)
	old := b / 2
	before := positions * old // entries when the table doubled
	moved := n - before - 1   // buckets moved since
	if w == walked || b == 1 || moved >= old {
		return settled(n, b)
	}
	left := old - moved
	a := arrays{old: float64(old), new: float64(b)}
	if r.RehashSkips { // over as soon as nothing is left, which may be before the last bucket
		a.old -= float64(float64(old) * power(float64(moved)/float64(old), before))
	}
	perBucket := func(n, b, of int) float64 { return float64(expectedChildren(n, b) / float64(b) * float64(of)) }
	a.children = perBucket(before, old, left) + perBucket(n, b, 2*moved) + perBucket(n-before, b, 2*left)
	return a
}

// power is x to the n, the same on every platform.
func power(x float64, n int) float64 {
	y := 1.0
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			y = float64(y * x)
		}
		x = float64(x * x)
	}
	return y
}

// dictArrays are the arrays of a dict in a value of 7.2 or 8.0. Each insertion moves one slot that
// is not empty, and the rehash is over when none is left.
func (p *Plan) dictArrays(r *release.Release, field, n int, w way) arrays {
	if w == sized {
		return arrays{new: float64(ceilPow2(n))}
	}
	s := slots(n)
	old := s / 2
	moved := n - old - 1
	if s == firstSlots || w == walked || moved >= old {
		return arrays{new: float64(s)}
	}
	if p.seeds.every != nil {
		return p.countSlots(r, field, n, s)
	}
	return arrays{old: float64(float64(old) * moreOccupied(old, moved)), new: float64(s)}
}

// moreOccupied is the chance that more than k of n slots are taken when n entries fall into them at
// random. (Runs of ten empty slots, which cost a rehash a step more, are left out: their share of a
// table's bytes is below one in 10,000.)
func moreOccupied(n, k int) float64 {
	taken := make([]float64, n+1) // chance of so many slots taken
	taken[0] = 1
	for range n {
		for j := n; j > 0; j-- {
			taken[j] = float64(taken[j]*(float64(j)/float64(n))) + float64(taken[j-1]*(float64(n-j+1)/float64(n)))
		}
		taken[0] = 0
	}
	sum := 0.0
	for _, c := range taken[k+1:] {
		sum += c
	}
	return sum
}

// Limits of the set of a hash's volatile fields (vset.c).
const (
	vectorMost = 127 // entries of a vector; one more makes it a tree
	vectorHead = 8
	pointer    = 8
	// A tree with one key, since all fields expire together: struct rax, a node with the key's eight
	// bytes, a leaf (rax.c).
	raxKeyNode, raxLeaf = 24, 16
)

// volatileFields is the set of n fields with one and the same expiry. From the 128th field on it is
// a table of pointers, whose child buckets depend on addresses: an expectation always.
func (m *model) volatileFields(n int) table {
	switch {
	case n < 2:
		return table{}
	case n == 2: // the first vector is recorded as it was asked for
		want := vectorHead + 2*pointer
		return table{Bytes(want), Bytes(m.granted(want))}
	case n <= vectorMost:
		block := m.granted(vectorHead + n*pointer)
		return table{Bytes(block), Bytes(block)}
	}
	t := m.bucketTable(0, growing(m.rel, n, grew))
	tree := Bytes(m.granted(m.rel.RaxStruct) + m.granted(raxKeyNode) + m.granted(raxLeaf))
	return table{t.usage + tree, t.allocated + tree}
}
