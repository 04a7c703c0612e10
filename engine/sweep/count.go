package sweep

import "github.com/keyloupe/keyloupe/engine/release"

// Tables of values counted exactly, for a known seed: what happens to names one after another,
// without the names.

func (p *Plan) fieldHashes(field, n int) []uint64 {
	return hashNames(*p.seeds.every, n, func(b []byte, i int) []byte { return AppendField(b, i, field) })
}

// countBuckets is growing and settled for a known seed.
func (p *Plan) countBuckets(r *release.Release, field, n int, w way) arrays {
	hashes := p.fieldHashes(field, n)
	b := buckets(n)
	if w == sized {
		b = presized(n)
	}
	old := b / 2
	before := positions * old
	moved := n - before - 1
	if w != grew || b == 1 || moved >= old {
		return arrays{new: float64(b), children: float64(countChildren(hashes, b))}
	}
	var left, gone []uint64
	for _, h := range hashes[:before] {
		if int(h&uint64(old-1)) < moved {
			gone = append(gone, h)
		} else {
			left = append(left, h)
		}
	}
	gone = append(gone, hashes[before:]...)
	a := arrays{new: float64(b), children: float64(countChildren(gone, b) + countChildren(left, old))}
	if len(left) > 0 || !r.RehashSkips {
		a.old = float64(old)
	}
	return a
}

// countSlots is dictArrays for a known seed, of a dict that grew to s slots.
func (p *Plan) countSlots(r *release.Release, field, n, s int) arrays {
	hashes := p.fieldHashes(field, n)
	old := s / 2
	d := dictMove{taken: make([]bool, old)}
	for _, h := range hashes[:old] {
		d.take(int(h & uint64(old-1)))
	}
	for _, h := range hashes[old+1:] {
		d.step(int(h&uint64(old-1)), r.DictMovesFoundSlot)
	}
	a := arrays{new: float64(s)}
	if d.left > 0 {
		a.old = float64(old)
	}
	return a
}

// emptyVisits is how many empty slots a step passes over before it gives up (dict.c, dictRehash).
const emptyVisits = 10

// dictMove is the old array of a dict while its slots are moved.
type dictMove struct {
	taken []bool // slots with entries
	left  int    // how many
	next  int
}

func (d *dictMove) take(i int) {
	if !d.taken[i] {
		d.taken[i] = true
		d.left++
	}
}

// step is that of an operation on a key in slot i: it moves that slot, or else the next one with
// entries unless ten empty ones come first.
func (d *dictMove) step(i int, movesFound bool) {
	if d.left == 0 {
		return
	}
	if movesFound && i >= d.next && d.taken[i] {
		d.taken[i] = false
		d.left--
		return
	}
	for empty := 0; !d.taken[d.next]; {
		d.next++
		if empty++; empty == emptyVisits {
			return
		}
	}
	d.taken[d.next] = false
	d.next++
	d.left--
}
