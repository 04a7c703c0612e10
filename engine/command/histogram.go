package command

import (
	"math/bits"
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
	cells []int64 // calls that fell into each; as many cells as were needed
}

const (
	cellBits    = 7 // of the cells of an octave
	longestTime = time.Second
)

func (h *histogram) add(d time.Duration) {
	cell := cellOf(int64(min(max(d, 1), longestTime)))
	if more := cell + 1 - len(h.cells); more > 0 {
		h.cells = append(h.cells, make([]int64, more)...)
	}
	h.calls++
	h.cells[cell]++
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
	want := max(int64(percent/100*float64(h.calls)+0.5), 1)
	for cell, calls := range h.cells {
		if want -= calls; want > 0 {
			continue
		}
		if percent == 0 {
			return cellStart(cell)
		}
		return cellEnd(cell)
	}
	return 0
}

// doubling calls f for each duration of 1.024 µs, 2.048 µs and so on with the calls that took no longer, where these are
// more than at the one before. us is where the cell of that duration ends, µs.
func (h *histogram) doubling(f func(us, calls int64)) {
	var seen int64
	next := 0
	for limit := int64(1024); next < len(h.cells); limit *= 2 {
		last, before := cellOf(limit), seen
		for ; next <= last && next < len(h.cells); next++ {
			seen += h.cells[next]
		}
		if seen > before {
			f(cellEnd(last)/1000, seen)
		}
	}
}
