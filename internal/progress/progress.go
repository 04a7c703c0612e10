// Package progress tells on a terminal how far long work is: how much is done, how fast, and how long the rest will take.
package progress

import (
	"fmt"
	"io"
	"time"

	"github.com/keyloupe/keyloupe/internal/term"
)

// Meter is one line on a terminal. A nil Meter says nothing.
type Meter struct {
	out         io.Writer
	now         func() time.Time
	what        string
	of          int64
	began, next time.Time
	told        bool
}

const (
	after = time.Second // shorter work says nothing
	every = 200 * time.Millisecond
)

// New is a meter for work on so many things (what: "rows", "keys"); of 0 is a number that is not known. It is nil where
// out is no terminal.
func New(out io.Writer, what string, of int64) *Meter {
	if !term.IsTerminal(out) {
		return nil
	}
	return start(out, what, of, time.Now)
}

func start(out io.Writer, what string, of int64, now func() time.Time) *Meter {
	m := &Meter{out: out, now: now, what: what, of: of, began: now()}
	m.next = m.began.Add(after)
	return m
}

// At tells how much is done. It may be called as often as one likes.
func (m *Meter) At(n int64) {
	if m == nil {
		return
	}
	now := m.now()
	if now.Before(m.next) {
		return
	}
	m.next, m.told = now.Add(every), true
	line := m.line(n, now.Sub(m.began))
	if r := []rune(line); len(r) >= term.Width(m.out) {
		line = string(r[:term.Width(m.out)-1])
	}
	fmt.Fprint(m.out, "\r"+line+eraseLine)
}

// eraseLine empties the rest of the line (EL).
const eraseLine = "\x1b[K"

// End takes the line away.
func (m *Meter) End() {
	if m != nil && m.told {
		fmt.Fprint(m.out, "\r"+eraseLine)
		m.told = false
	}
}

func (m *Meter) line(n int64, took time.Duration) string {
	if m.of == 0 {
		return fmt.Sprintf("%d %s", n, m.what)
	}
	rate := float64(n) / took.Seconds()
	line := fmt.Sprintf("%d of %d %s, %.1f %%, %s/s", n, m.of, m.what, 100*float64(n)/float64(m.of), short(rate))
	if rate > 0 {
		line += ", " + left(float64(m.of-n)/rate) + " left"
	}
	return line
}

// short is a rate with two digits or so.
func short(v float64) string {
	for _, u := range []struct {
		of   float64
		name string
	}{{1e9, " G"}, {1e6, " M"}, {1e3, " k"}} {
		if v >= u.of {
			return fmt.Sprintf("%.3g%s", v/u.of, u.name)
		}
	}
	return fmt.Sprintf("%.3g ", v)
}

// left is a time in its largest unit, and the next one while there are few of it.
func left(seconds float64) string {
	d := time.Duration(seconds * float64(time.Second))
	switch {
	case seconds > 100*24*3600:
		return "more than 100 days"
	case d >= 48*time.Hour:
		return fmt.Sprintf("%d days", int(d.Hours()/24))
	case d >= 2*time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()))
	case d >= 2*time.Minute:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	}
	return fmt.Sprintf("%d s", int(d.Seconds())+1)
}
