package command

import (
	"maps"
	"math/bits"
	"slices"
	"time"
)

// histogram counts durations, in ns, to two digits as the server's HdrHistogram does: each octave has 128 cells,
// what is under 256 ns a cell of its own.
//
//	octave    0        1          2
//	ns     0 … 255  256 … 511  512 … 1023 …
//	cell      1 ns     2 ns       4 ns
type histogram struct {
	calls int64
	cells map[int]int64
}

const (
	cellBits    = 7 // of the cells of an octave
	longestTime = time.Second
)

func (h *histogram) add(d time.Duration) {
	if h.cells == nil {
		h.cells = map[int]int64{}
	}
	h.calls++
	h.cells[cellOf(int64(min(max(d, 1), longestTime)))]++
}

func cellOf(ns int64) int {
	octave := max(bits.Len64(uint64(ns))-cellBits-1, 0)
	return octave<<cellBits + int(ns>>octave)
}

// cellStart is the shortest duration that falls into a cell, ns.
func cellStart(cell int) int64 {
	if cell == 0 {
		return 0
	}
	return cellEnd(cell-1) + 1
}

// cellEnd is the longest duration that falls into a cell, ns.
func cellEnd(cell int) int64 {
	octave := max(cell>>cellBits-1, 0)
	return int64(cell-octave<<cellBits+1)<<octave - 1
}

// percentile is the duration, ns, that so many percent of the calls did not exceed.
func (h *histogram) percentile(percent float64) int64 {
	if percent == 0 {
		return cellStart(slices.Min(slices.Collect(maps.Keys(h.cells))))
	}
	want := max(int64(percent/100*float64(h.calls)+0.5), 1)
	for _, cell := range slices.Sorted(maps.Keys(h.cells)) {
		if want -= h.cells[cell]; want <= 0 {
			return cellEnd(cell)
		}
	}
	return 0
}

// doubling calls f for each duration of 1.024 µs, 2.048 µs and so on with the calls that took no longer, where these are
// more than at the one before. us is where the cell of that duration ends, µs.
func (h *histogram) doubling(f func(us, calls int64)) {
	var seen int64
	cells := slices.Sorted(maps.Keys(h.cells))
	for limit := int64(1024); len(cells) > 0; limit *= 2 {
		last := cellOf(limit)
		before := seen
		for len(cells) > 0 && cells[0] <= last {
			seen += h.cells[cells[0]]
			cells = cells[1:]
		}
		if seen > before {
			f(cellEnd(last)/1000, seen)
		}
	}
}
