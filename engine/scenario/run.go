package scenario

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/keyloupe/keyloupe/engine/release"
	"github.com/keyloupe/keyloupe/engine/sweep"
)

// Options say how a scenario is run.
type Options struct {
	Servers []string // in place of the published ones, VERSION[@BUILD]
	// Build really builds each population in the simulated heap, instead of counting it by arithmetic. The table's child buckets
	// are then those of one hash seed.
	Build bool
	// Progress, if not nil, is told now and then how far a build is. Its error stops the run.
	Progress func(server string, done, of int) error
}

// maxServers bounds Options.Servers.
const maxServers = 8

// run is a run of a scenario.
type run struct {
	o     Options
	costs map[[2]string]cost // by How and server
}

// Run simulates every figure of the scenario.
func (s *Scenario) Run(o Options) (*Report, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	r := &run{o, map[[2]string]cost{}}
	out := &Report{ID: s.ID, Number: s.Number, Title: s.Title, Source: s.Source, Finding: s.Finding, Teaches: s.Teaches, Chart: s.Chart, Built: o.Build}
	for i := range s.Tables {
		t, err := r.table(&s.Tables[i])
		if err != nil {
			return nil, err
		}
		out.Tables = append(out.Tables, t)
	}
	var err error
	out.Dots, err = s.dots()
	return out, err
}

// ServersError says what is wrong with Options.Servers.
type ServersError struct{ words string }

func (e *ServersError) Error() string { return e.words }

// Check tells what is wrong with the options, with a *ServersError, before any work.
func (o Options) Check() error {
	if len(o.Servers) > maxServers {
		return &ServersError{strconv.Itoa(len(o.Servers)) + " servers are named, the limit is " + strconv.Itoa(maxServers)}
	}
	for i, n := range o.Servers {
		if _, err := release.Parse(n); err != nil {
			return &ServersError{err.Error()}
		}
		if slices.Contains(o.Servers[:i], n) {
			return &ServersError{"server " + quote(n) + " is named twice"}
		}
	}
	return nil
}

func (r *run) table(t *Table) (*Section, error) {
	out := &Section{Title: t.Title, Note: t.Note, Sweep: t.Sweep, Play: t.play()}
	for i := range t.Rows {
		list, err := r.row(t, &t.Rows[i])
		if err != nil {
			return nil, err
		}
		out.Figures = append(out.Figures, list...)
	}
	return out, nil
}

// row gives a figure for every server of a row.
func (r *run) row(t *Table, w *Row) (out []Figure, err error) {
	measured := w.Servers
	if measured == nil {
		measured = t.Servers
	}
	servers := measured
	if r.o.Servers != nil && w.How != nil {
		servers = r.o.Servers
	}
	for i, server := range servers {
		f := Figure{What: w.What, Server: server, Unit: w.unit()}
		if at := slices.Index(measured, server); at >= 0 && w.Published != nil {
			f.Published = w.Published[at]
		}
		if w.Measure.compares() {
			if i == 0 {
				continue
			}
			f.Server += " against " + servers[0]
		}
		if err := r.figure(&f, w, t, server, servers[0]); err != nil {
			return nil, err
		}
		if at := slices.Index(t.Servers, server); t.Beside != nil && at >= 0 {
			if err := r.beside(&f, w, t, at); err != nil {
				return nil, err
			}
		}
		out = append(out, f)
	}
	return out, nil
}

func (w *Row) unit() string {
	if w.Unit != "" || w.How == nil {
		return w.Unit
	}
	return measures[w.Measure].unit
}

// figure fills in what is simulated.
func (r *run) figure(f *Figure, w *Row, t *Table, server, first string) error {
	if w.How == nil {
		f.State, f.Rest = Cited, wordsOf(w.causes(t))
		return nil
	}
	f.How = w.How.String()
	rel, err := release.Parse(server)
	if err != nil {
		return err
	}
	f.Inferred = rel.Build.ID == release.Managed
	v, err := r.value(w, server, first)
	var refused *refusedError
	var field *sweep.FieldError
	if errors.As(err, &refused) || errors.As(err, &field) {
		f.State, f.Rest = Refused, err.Error()
		return nil
	}
	if err != nil {
		return err
	}
	compare(f, v, w.causes(t))
	return nil
}

func (r *run) beside(f *Figure, w *Row, t *Table, at int) error {
	f.Beside = &Other{Server: t.Beside[at]}
	v, err := r.value(w, t.Beside[at], t.Beside[0])
	f.Beside.Simulated = v.text
	return err
}

func (w *Row) causes(t *Table) []Cause {
	if w.Rest != nil {
		return w.Rest
	}
	return t.Rest
}

// value is a simulated figure.
type value struct {
	text     string
	number   float64
	isNumber bool
	spread   float64                     // bytes by which a hash seed may move used_memory
	shift    func(bytes float64) float64 // what so many bytes more of used_memory would make of the figure
}

func (r *run) value(w *Row, server, first string) (v value, err error) {
	if h, ok := w.How.(History); ok {
		v.text, err = h.expanded().ask(server)
		n, failed := strconv.ParseFloat(v.text, 64)
		v.number, v.isNumber = n, failed == nil
		return v, err
	}
	c, err := r.cost(w.How, server)
	if err != nil {
		return v, err
	}
	base := c
	if w.Measure.compares() {
		base, err = r.cost(w.How, first)
	}
	return w.Measure.value(&c, &base), err
}

// compare says how a simulated figure differs from the published one and whether the causes explain it.
func compare(f *Figure, v value, causes []Cause) {
	f.Simulated = strings.TrimPrefix(v.text, errorMark)
	if f.Published == "" {
		f.State = Alone
		return
	}
	want, rounding, isNumber := parse(f.Published)
	if !isNumber || !v.isNumber {
		if f.State = Unexplained; sameText(f.Published, v.text) {
			f.State = Same
		}
		return
	}
	d := v.number - want
	f.Difference = number(d, decimals(f))
	if want != 0 {
		f.Percent = number(100*d/want, 2)
	}
	rounding += 1e-9 // of binary fractions
	least, most := -rounding, rounding
	for _, c := range causes {
		a, b := v.adds(c)
		least, most = least-b, most-a
	}
	f.Least, f.Most = number(least, decimals(f)), number(most, decimals(f))
	switch {
	case math.Abs(d) <= rounding:
		f.State, f.Least, f.Most = Same, "", ""
	case least <= d && d <= most:
		f.State, f.Rest = Explained, wordsOf(v.causing(causes))
	default:
		f.State, f.Rest = Unexplained, "not explained"
	}
}

// adds is what a cause adds to the published figure: from, to.
func (v *value) adds(c Cause) (least, most float64) {
	switch {
	case c.Own:
		return c.Least, c.Most
	case v.shift == nil:
		return 0, 0
	case c.Seed:
		c.Least, c.Most = -v.spread, v.spread
	}
	a, b := v.shift(c.Least), v.shift(c.Most)
	return min(a, b), max(a, b)
}

// causing leaves out the hash seed where it moves nothing, as in the dicts of 7.2 and 8.0.
func (v *value) causing(causes []Cause) (out []Cause) {
	for _, c := range causes {
		if !c.Seed || v.spread > 0 {
			out = append(out, c)
		}
	}
	return out
}

// decimals is how many the longer of both figures has.
func decimals(f *Figure) int {
	n := 0
	for _, s := range []string{f.Published, f.Simulated} {
		_, fraction, _ := strings.Cut(s, ".")
		n = max(n, len(fraction))
	}
	return n
}

func wordsOf(causes []Cause) string {
	var out []string
	for _, c := range causes {
		out = append(out, c.Words)
	}
	return strings.Join(out, "; ")
}
