// Command bench measures every figure that has a budget and prints it beside
// its budget and, where there is one, beside a peer measured in the same run: a real server under the
// same load.
//
//	what | measured | budget | peer, same run | verdict
//
// The native rows need neither browser nor network. A row that can't be measured here says why.
// Nothing fails on time alone: the exit code is 1 only where work went wrong.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"

	"github.com/keyloupe/keyloupe/internal/browser"
)

// bench is one run of the program.
type bench struct {
	quick    bool
	runs     int
	n        int            // commands of a load
	only     *regexp.Regexp // rows wanted
	keyloupe string         // the built program
	inPage   string         // the loads as WebAssembly
	table    *table
}

// groups are the rows, in order; each group is measured only if -run names one of its rows.
var groups = []func(*bench){native, goHeap, sweeps, replays, fronts, wasm, firstLoad, page, endpoints}

func main() {
	b := &bench{}
	var only string
	flag.BoolVar(&b.quick, "quick", false, "a fifth of the work, one run of each: budgets are scaled to it")
	flag.IntVar(&b.runs, "runs", 3, "runs of each load; the least counts")
	flag.StringVar(&only, "run", "", "measure the rows whose name matches this regular expression")
	flag.StringVar(&b.keyloupe, "keyloupe", "bin/keyloupe", "the built program, for rows that need another process")
	flag.StringVar(&b.inPage, "inpage", "bin/inpage.wasm", "the loads built for js/wasm")
	flag.Parse()
	var err error
	if b.only, err = regexp.Compile(only); err != nil || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "bench takes flags only:", err)
		flag.Usage()
		os.Exit(2)
	}
	if b.n = 1_000_000; b.quick {
		b.n, b.runs = 200_000, 1
	}
	b.table = newTable(os.Stdout)
	for _, g := range groups {
		g(b)
	}
	browser.Close()
	b.table.summary()
	if b.table.count[Failed] > 0 {
		os.Exit(1)
	}
}

// wants tells whether a row is to be measured.
func (b *bench) wants(what string) bool { return b.only.MatchString(what) }

// skip is why a row can't be measured here, as opposed to work that went wrong.
type skip struct{ why string }

func (s skip) Error() string { return s.why }

// row measures a row if it is wanted; measure fills in the rest of it.
func (b *bench) row(what string, measure func(r *Row) error) {
	if b.wants(what) {
		b.measure(what, measure)
	}
}

// measure is row without asking.
func (b *bench) measure(what string, measure func(r *Row) error) {
	r := Row{What: what, Budget: "-", Peer: "-", Verdict: NoLimit}
	if err := measure(&r); err != nil {
		r.Measured, r.Verdict = strings.ReplaceAll(err.Error(), "\n", " "), Failed
		var s skip
		if errors.As(err, &s) {
			r.Verdict = Skipped
		}
	}
	b.table.add(r)
}

// scaled is a budget for a million commands as one for the number run.
func (b *bench) scaled(budget float64) float64 { return budget * float64(b.n) / 1e6 }
