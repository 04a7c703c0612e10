package draw

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/keyloupe/keyloupe/engine/sweep"
)

// Axis is a field of a sweep along the bottom of a chart.
type Axis struct {
	Name, Title string
	Values      sweep.Axis
	Of          func(*sweep.Row) int
}

func axes(s *sweep.Spec) []Axis {
	return []Axis{
		{"value", "value length, bytes", s.Value, func(r *sweep.Row) int { return r.Value }},
		{"keys", "number of keys", s.Keys, func(r *sweep.Row) int { return r.Keys }},
		{"key", "key length, bytes", s.Key, func(r *sweep.Row) int { return r.Key }},
		{"fields", "number of fields", s.Fields, func(r *sweep.Row) int { return r.Fields }},
		{"field", "field name length, bytes", s.Field, func(r *sweep.Row) int { return r.Field }},
	}
}

// AxisOf is the field of a name, or for "" the one with the most values.
func AxisOf(s *sweep.Spec, name string) (Axis, error) {
	var names []string
	var found Axis
	for _, a := range axes(s) {
		names = append(names, a.Name)
		if name == a.Name || name == "" && (found.Of == nil || a.Values.Len() > found.Values.Len()) {
			found = a
		}
	}
	if found.Of == nil {
		return found, fmt.Errorf("x %.40q is none of %s", name, strings.Join(names, ", "))
	}
	return found, nil
}

// Series is one line of a chart: a server with one value of every field that is not along the axis.
type Series struct {
	Server int    // index into the plan's servers
	Group  string // the other fields, where they have several values: "ttl key, key 32"
	Points []Step
}

// Step is the values that fall into one column.
type Step struct {
	X                      int // value of the axis
	Low, High, First, Last float64
}

// maxLines bounds the lines of a chart: beyond they can't be told apart.
const maxLines = 36

// Collector makes a chart's lines of a sweep's rows. A line keeps a step a column, not every value, so that a
// sweep of any length takes the same memory.
type Collector struct {
	Lines []*Series // the servers of a group after each other

	p     *sweep.Plan
	axis  Axis
	vary  []Axis // the other fields that have several values
	x     Scale
	width int // of a column, in places of x
	of    func(*sweep.Row) float64
	group map[string][]*Series
}

// NewCollector collects what of tells of each row. Values of the axis that are less than width apart on x share a step.
func NewCollector(p *sweep.Plan, a Axis, x Scale, width int, of func(*sweep.Row) float64) *Collector {
	return &Collector{p: p, axis: a, vary: varied(&p.Spec, a.Name), x: x, width: width, of: of, group: map[string][]*Series{}}
}

// Add takes the next row, in the plan's order.
func (c *Collector) Add(r *sweep.Row) error {
	g := shapeOf(&c.p.Spec, r, c.vary)
	lines := c.group[g]
	if lines == nil {
		for i := range c.p.Spec.Servers {
			lines = append(lines, &Series{Server: i, Group: g})
		}
		c.group[g] = lines
		if c.Lines = append(c.Lines, lines...); len(c.Lines) > maxLines {
			return fmt.Errorf("more than %d lines: vary one field along the axis and few others, or name fewer servers", maxLines)
		}
	}
	x := c.axis.Of(r)
	lines[r.Server].add(x, c.x.At(float64(x)), c.of(r), c)
	return nil
}

// ShapeOf names a row's values of the fields that have several, but for one: "ttl key, key 32".
func ShapeOf(s *sweep.Spec, r *sweep.Row, but string) string { return shapeOf(s, r, varied(s, but)) }

// varied are the fields with several values, but for one.
func varied(s *sweep.Spec, but string) (out []Axis) {
	for _, a := range axes(s) {
		if a.Name != but && a.Values.Len() > 1 {
			out = append(out, a)
		}
	}
	return out
}

func shapeOf(s *sweep.Spec, r *sweep.Row, vary []Axis) string {
	var parts []string
	if len(s.TTL) > 1 {
		parts = append(parts, "ttl "+r.TTL.String())
	}
	if len(s.History) > 1 {
		parts = append(parts, r.History.String())
	}
	for _, a := range vary {
		parts = append(parts, a.Name+" "+strconv.Itoa(a.Of(r)))
	}
	return strings.Join(parts, ", ")
}

// add takes the next value of a line; values of one column become one step.
func (l *Series) add(x, at int, v float64, c *Collector) {
	if n := len(l.Points); n > 0 {
		p := &l.Points[n-1]
		if at-c.x.At(float64(p.X)) < c.width && x > p.X {
			p.Low, p.High, p.Last = min(p.Low, v), max(p.High, v), v
			return
		}
	}
	l.Points = append(l.Points, Step{x, v, v, v, v})
}

// Name is what a legend calls the line.
func (l *Series) Name(p *sweep.Plan, separator string) string {
	name := p.Names()[l.Server]
	if l.Group != "" {
		name += separator + l.Group
	}
	return name
}
