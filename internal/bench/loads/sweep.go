package loads

import (
	"io"
	"time"

	"github.com/keyloupe/keyloupe/engine/sweep"
)

// Sweep is a specification to compute over and over.
type Sweep struct {
	Name    string
	Format  string  // what the rows are written as; "" only computes them
	Rate    float64 // budget, points a second, native
	InPage  float64 // the same in a browser
	setting []string
}

// Sweeps lists the sweeps.
func Sweeps() []Sweep {
	strings := []string{"value", "0..9999", "ttl", "none,key", "servers", "8.1.9,9.0.6,9.1.2"}
	return []Sweep{
		{"sweep arithmetic, strings", "", 50e6, 15e6, strings},
		{"sweep arithmetic, hashes", "", 50e6, 15e6, []string{"type", "hash", "value", "0..9999", "fields", "4", "ttl", "none,field", "servers", "9.0.6,9.1.2"}},
		{"sweep as CSV", "csv", 3e6, 0.5e6, strings},
	}
}

// Run computes the sweep again and again for at least that long and returns the points computed.
func (s Sweep) Run(d time.Duration) (points int, err error) {
	spec := sweep.Default()
	for i := 0; i < len(s.setting); i += 2 {
		if err := spec.Set(s.setting[i], s.setting[i+1]); err != nil {
			return 0, err
		}
	}
	p, err := sweep.New(spec, 0)
	if err != nil {
		return 0, err
	}
	for end := time.Now().Add(d); time.Now().Before(end); points += p.Points() {
		if s.Format != "" {
			if err := p.Write(io.Discard, s.Format, nil); err != nil {
				return 0, err
			}
			continue
		}
		for r := range p.Rows {
			Sink += r.PerKey
		}
	}
	return points, nil
}

// Sink keeps the compiler from leaving the arithmetic out; being exported, it counts as read.
var Sink sweep.Micro
