package main

import (
	"fmt"
	"math"
	"runtime"
	"time"
)

// spent is what a piece of work took, in seconds: the least of several runs.
type spent struct {
	wall, cpu float64
	runs      int
}

func (s spent) String() string { return fmt.Sprintf("%.2f s, CPU %.2f s", s.wall, s.cpu) }

// least runs work so often and keeps the least time by the clock and the least of the processor:
// what others do on the machine only ever adds.
func least(runs int, work func() error) (spent, error) {
	out := spent{wall: math.Inf(1), cpu: math.Inf(1), runs: runs}
	for range runs {
		runtime.GC()
		start, cpu := time.Now(), processTime()
		if err := work(); err != nil {
			return out, err
		}
		out.wall = min(out.wall, time.Since(start).Seconds())
		out.cpu = min(out.cpu, processTime()-cpu)
	}
	return out, nil
}
