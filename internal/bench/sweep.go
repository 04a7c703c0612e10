package main

import (
	"fmt"
	"time"

	"github.com/keyloupe/keyloupe/internal/bench/loads"
)

// sweeps measures the arithmetic, on one core.
func sweeps(b *bench) {
	for _, s := range loads.Sweeps() {
		b.row(s.Name+", native", func(r *Row) error {
			d := 400 * time.Millisecond
			best, onCPU := 0.0, 0.0
			for range b.runs {
				points := 0
				t, err := least(1, func() (err error) { points, err = s.Run(d); return err })
				if err != nil {
					return err
				}
				best = max(best, float64(points)/t.wall)
				if t.cpu > 0 {
					onCPU = max(onCPU, float64(points)/t.cpu)
				}
			}
			r.Measured = fmt.Sprintf("%.1f M/s, %.1f M a CPU second", best/1e6, onCPU/1e6)
			r.Budget = fmt.Sprintf("≥ %.3g M/s", s.Rate/1e6)
			if r.Verdict = atLeast(best, s.Rate); r.Verdict == Over && onCPU >= s.Rate {
				r.Verdict = OnCPU
			}
			return nil
		})
	}
}
