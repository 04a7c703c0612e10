package main

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/internal/bench/loads"
)

// lines are the releases loaded, and the real server of the nearest release that can be had, "" for none.
var lines = []struct{ server, peer string }{
	{"9.1.2", "9.1.2"}, {"9.0.6", "9.0.0"}, {"8.1.9", "8.1.8"}, {"8.0.10", ""}, {"7.2.14", ""},
}

// native loads simulated servers in this process.
func native(b *bench) {
	p := peers{}
	defer p.stop()
	for _, l := range loads.All() {
		for _, on := range lines {
			if l.Since != "" && on.server < l.Since {
				continue
			}
			b.row(fmt.Sprintf("%s, %s", b.title(l), on.server), func(r *Row) error {
				got, err := least(b.runs, func() error {
					s, err := engine.NewServer(on.server, engine.Options{})
					if err == nil {
						l.Run(s, b.n)
					}
					return err
				})
				if err != nil {
					return err
				}
				budget := b.scaled(l.Seconds)
				r.Measured, r.Budget, r.Verdict = got.String(), seconds(budget, " s"), judge(got.wall, got.cpu, budget)
				r.Peer = p.load(on.peer, l, b)
				return nil
			})
		}
	}
}

// title is a load as the table names it.
func (b *bench) title(l loads.Load) string {
	n := fmt.Sprintf("%d M", b.n/1_000_000)
	if b.n < 1_000_000 {
		n = fmt.Sprintf("%d k", b.n/1000)
	}
	if strings.ToUpper(l.Name[:1]) == l.Name[:1] {
		return n + " " + l.Name + " into a key"
	}
	return n + " keys " + l.Name
}

// goHeap holds the Go heap against the simulated one, of a million even if -quick: what a heap costs
// from the start weighs more in a small one.
func goHeap(b *bench) {
	const budget = 1.2
	b = &bench{n: 1_000_000, only: b.only, table: b.table}
	for _, l := range loads.All() {
		b.row(fmt.Sprintf("Go heap, %s, 9.1.2", b.title(l)), func(r *Row) error {
			before := loads.GoHeap()
			s, err := engine.NewServer("9.1.2", engine.Options{})
			if err != nil {
				return err
			}
			l.Run(s, b.n)
			used, in := float64(s.Used()), float64(loads.GoHeap())-float64(before)
			runtime.KeepAlive(s)
			r.Measured = fmt.Sprintf("%.3f × %.1f MB used_memory", in/used, used/1e6)
			r.Budget, r.Verdict = seconds(budget, " ×"), judge(in/used, 0, budget)
			return nil
		})
	}
}
