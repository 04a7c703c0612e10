package sweep

import (
	"math/bits"

	"github.com/keyloupe/keyloupe/engine/release"
)

// Sizes of the tables of 7.2 and 8.0 (dict.c) and of 8.1 and later (hashtable.c).
const (
	bucketSize   = 64
	positions    = 7  // entries of a bucket
	perChild     = 6  // entries that a child bucket adds: its pointer takes a position of its parent
	dictSize     = 56 // sizeof(dict)
	dictMetadata = 16 // kvstoreDictMetadata, 8.0
	tableMeta    = 16 // hashtable metadata of the keyspace's tables: rehash node, kvstore
	dictSlot     = 8
	firstSlots   = 4 // slots of a new dict
)

// ceilPow2 is the smallest power of two that is at least n.
func ceilPow2(n int) int {
	if n <= 1 {
		return 1
	}
	return 1 << bits.Len(uint(n-1))
}

// slots is the size of a dict that grew to n entries: it doubles when it is full.
func slots(n int) int { return max(firstSlots, ceilPow2(n)) }

// buckets is the size of a hashtable that grew to n entries: it doubles when every position is used.
func buckets(n int) int { return ceilPow2((n + positions - 1) / positions) }

// settledBuckets is the size of a keyspace's table of n keys: cron looks whether one key more would fit, and if not makes the
// table grow before that key comes (measured at 7, 14, ... 14336 keys, 8.1.1 to 9.1.2).
func settledBuckets(n int) int { return buckets(n + 1) }

// settledSlots is the same of a dict; those of the first size are left alone.
func settledSlots(r *release.Release, n int) int {
	if r.DictGrowsInCron && n > firstSlots {
		n++
	}
	return slots(n)
}

// presized is the size of a hashtable made for n entries, which leaves more room than growing does.
func presized(n int) int { return ceilPow2((5*n + 31) / 32) }

// childCount is the length of the chain behind a bucket that holds n entries.
func childCount(n int) int {
	if n <= positions {
		return 0
	}
	return (n - positions + perChild - 1) / perChild
}

// population is the cost per key of the keyspace's tables for n keys, once no table is being
// rehashed: one table of keys, and one more where the key or its fields expire. children is how many
// child buckets one table has.
func (m *model) population(n int, ttl TTL, children float64) Micro {
	tables := 1
	if ttl != NoTTL {
		tables = 2
	}
	var one float64
	size := settledSlots(m.rel, n)
	switch m.rel.KeyTable {
	case release.DictWithKeyPointer: // the struct is there from the start
		one = float64(m.granted(dictSlot * size))
	case release.DictWithKeyInside:
		one = float64(m.granted(dictSize+dictMetadata) + m.granted(dictSlot*size))
	default:
		one = float64(m.granted(m.rel.HashtableStruct+tableMeta) + m.granted(bucketSize*settledBuckets(n)))
		one += float64(children * float64(m.granted(bucketSize)))
	}
	return share(float64(tables)*one, n)
}

// TableSpread is how far the tables of a server with a hash seed of its own may be from the Table of a
// row, which is the expectation over all seeds: four standard deviations, in bytes per key.
func (p *Plan) TableSpread(r *Row) Micro {
	m := p.models[r.Server]
	if !m.hashtables() || p.keySeed(m.rel) != nil {
		return 0
	}
	tables := 1 // of the same keys with the same seed, so that both have as many children
	if r.TTL != NoTTL {
		tables = 2
	}
	return share(float64(4*childDeviation(r.Keys, settledBuckets(r.Keys))*float64(tables*m.granted(bucketSize))), r.Keys)
}

// share is a total of bytes divided by n keys, rounded to a millionth.
func share(total float64, n int) Micro {
	return Micro(float64(total/float64(n)*microByte) + 0.5)
}
