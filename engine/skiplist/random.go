package skiplist

import (
	"math/bits"

	"github.com/keyloupe/keyloupe/engine/release"
)

// Source is where random bits come from.
type Source interface{ Uint64() uint64 }

// RandomHeight draws the height of a node (zslRandomLevel): each further level with probability
// 1/4. 9.1 counts leading zeros of one draw, earlier releases compare draws of 31 bits.
func RandomHeight(r *release.Release, src Source) int {
	if r.SkiplistEmbeds {
		v := src.Uint64()
		if v == 0 {
			return MaxLevel
		}
		return bits.LeadingZeros64(v)/2 + 1
	}
	const randMax = 1<<31 - 1
	n := 1
	for n < MaxLevel && src.Uint64()>>33 < randMax/4 {
		n++
	}
	return n
}
