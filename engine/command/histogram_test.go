package command

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

func TestDurationsFallIntoCellsOfTwoDigits(t *testing.T) {
	for _, x := range []struct{ ns, start, end int64 }{
		{1, 1, 1}, {255, 255, 255}, {256, 256, 257}, {511, 510, 511}, {512, 512, 515}, {1024, 1024, 1031},
		{32768, 32768, 33023}, {1_000_000_000, 998_244_352, 1_002_438_655},
	} {
		cell := cellOf(x.ns)
		if cellStart(cell) != x.start || cellEnd(cell) != x.end {
			t.Errorf("%d is in %d … %d, want %d … %d", x.ns, cellStart(cell), cellEnd(cell), x.start, x.end)
		}
	}
	for cell := range 3000 {
		if cellOf(cellStart(cell)) != cell || cellOf(cellEnd(cell)) != cell {
			t.Fatalf("cell %d has %d … %d", cell, cellStart(cell), cellEnd(cell))
		}
	}
}

// The figures are those of a server: LATENCY HISTOGRAM after calls of 37 µs, and the percentiles of INFO.
func TestAHistogramTellsWhatTheServerTells(t *testing.T) {
	var h histogram
	h.add(37 * time.Microsecond)
	var got []int64
	h.doubling(func(us, calls int64) { got = append(got, us, calls) })
	if !slices.Equal(got, []int64{66, 1}) {
		t.Errorf("histogram %v", got)
	}
	if p := h.percentile(50); p != 37119 {
		t.Errorf("p50 %d", p)
	}
	if p := h.percentile(0); p != 36864 {
		t.Errorf("p0 %d", p)
	}
	h.add(2 * time.Microsecond)
	h.add(5 * time.Second) // counts as the longest
	got = nil
	h.doubling(func(us, calls int64) { got = append(got, us, calls) })
	if !slices.Equal(got, []int64{2, 1, 66, 2, 1082130, 3}) {
		t.Errorf("histogram %v", got)
	}
}

func TestPercentilesAreThoseOfTheSortedDurations(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	var h histogram
	var all []int64
	for range 1000 {
		d := int64(rnd.ExpFloat64() * 50_000)
		all = append(all, max(d, 1))
		h.add(time.Duration(d))
	}
	slices.Sort(all)
	for _, percent := range []float64{1, 50, 90, 99, 99.9, 100} {
		want := all[min(int(percent/100*1000+0.5), 1000)-1]
		if got := h.percentile(percent); got < want || got > want+want/100+1 {
			t.Errorf("p%g is %d, want %d", percent, got, want)
		}
	}
}
