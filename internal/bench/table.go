package main

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Row is one line of the table. Texts carry their units.
type Row struct {
	What     string
	Measured string
	Budget   string
	Peer     string // what else was measured in the same run, and how
	Verdict  Verdict
}

// Verdict is how a figure stands to its budget.
type Verdict string

const (
	Within  Verdict = "within"
	OnCPU   Verdict = "within (CPU)" // the machine was busy: the clock says over, the processor's time does not
	Over    Verdict = "OVER"
	NoLimit Verdict = "-" // no budget
	Skipped Verdict = "skipped"
	Failed  Verdict = "FAILED" // not a matter of time: the work went wrong
)

// judge compares seconds by the clock and of the processor with a budget, 0 for none.
func judge(wall, cpu, budget float64) Verdict {
	switch {
	case budget == 0:
		return NoLimit
	case wall <= budget:
		return Within
	case cpu > 0 && cpu <= budget:
		return OnCPU
	}
	return Over
}

// worse is the worse of two verdicts on budgets.
func worse(a, b Verdict) Verdict {
	if a == Over || b == Within {
		return a
	}
	return b
}

// atLeast is judge for rates.
func atLeast(rate, budget float64) Verdict {
	switch {
	case budget == 0:
		return NoLimit
	case rate >= budget:
		return Within
	}
	return Over
}

var headings = Row{"what", "measured", "budget", "peer, same run", "verdict"}

// widths keep the columns in line while rows are printed as they come; longer texts push the rest aside.
var widths = []int{42, 36, 12, 42}

// table prints rows as they come and counts verdicts.
type table struct {
	w     io.Writer
	count map[Verdict]int
}

func newTable(w io.Writer) *table {
	t := &table{w: w, count: map[Verdict]int{}}
	t.line(headings)
	fmt.Fprintln(w, strings.Repeat("-", 150))
	return t
}

func (t *table) add(r Row) {
	t.count[r.Verdict]++
	t.line(r)
}

func (t *table) line(r Row) {
	var b strings.Builder
	for i, s := range []string{r.What, r.Measured, r.Budget, r.Peer} {
		b.WriteString(s)
		b.WriteString(strings.Repeat(" ", max(widths[i]-utf8.RuneCountInString(s), 0)+2))
	}
	fmt.Fprintln(t.w, b.String()+string(r.Verdict))
}

// summary is the last line.
func (t *table) summary() {
	var parts []string
	for _, v := range []Verdict{Within, OnCPU, Over, NoLimit, Skipped, Failed} {
		if n := t.count[v]; n > 0 {
			name := string(v)
			if v == NoLimit {
				name = "without a budget"
			}
			parts = append(parts, fmt.Sprintf("%d %s", n, name))
		}
	}
	fmt.Fprintf(t.w, "\n%s. Times are the least of several runs, by the clock and of the processor; nothing fails on time alone.\n", strings.Join(parts, ", "))
}

// seconds is a budget of time as a text.
func seconds(s float64, suffix string) string {
	if s == 0 {
		return "-"
	}
	return fmt.Sprintf("≤ %.3g%s", s, suffix)
}
