package draw

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/keyloupe/keyloupe/engine/sweep"
)

// Measure is what a chart shows of a row.
type Measure uint8

// The measures.
const (
	PerKey    Measure = iota // bytes per key with the tables' share
	AllKeys                  // the same times the number of keys
	Usage                    // what MEMORY USAGE prints
	Allocated                // bytes of the key's blocks
	Tables                   // the tables' share
)

// measures by name, with what their axis is called.
var measures = [...]struct{ name, title string }{
	{"bytes_per_key", "Bytes per key"}, {"total", "Bytes of all keys"}, {"memory_usage", "MEMORY USAGE, bytes"},
	{"allocated", "Allocated bytes per key"}, {"table", "Bytes of tables per key"},
}

func (m Measure) String() string { return measures[m].name }

// ParseMeasure reads a measure's name.
func ParseMeasure(name string) (Measure, error) {
	var names []string
	for i, m := range measures {
		if m.name == name {
			return Measure(i), nil
		}
		names = append(names, m.name)
	}
	return 0, fmt.Errorf("show %.40q is none of %s", name, strings.Join(names, ", "))
}

// Of is the measure of a row, in bytes.
func (m Measure) Of(r *sweep.Row) float64 {
	switch m {
	case AllKeys:
		return float64(r.PerKey.Float() * float64(r.Keys))
	case Usage:
		return r.Usage.Float()
	case Allocated:
		return r.Allocated.Float()
	case Tables:
		return r.Table.Float()
	}
	return r.PerKey.Float()
}

// Options say how a chart is drawn. The zero value is a good picture.
type Options struct {
	Width, Height int // pixels, 0 = 900 and 330; from 240 to 2000
	Show          Measure
	X             string // field along the axis; "" takes the one with the most values
	LogX, LogY    bool
	NoCliffs      bool
	Dots          []Dot
}

// Dot is a value from elsewhere, drawn as a mark in the colour of its server.
type Dot struct {
	Server int     // index of the sweep's servers
	X      int     // value of the field along the axis
	Y      float64 // of what the chart shows
	Title  string
}

// Limits of a chart.
const (
	maxLines   = 36 // lines drawn; beyond they can't be told apart
	column     = 5  // tenths of a pixel: values closer than that are drawn as one stroke
	maxLabels  = 4  // cliffs that get a text
	marginLeft = 560
	marginTop  = 300
)

// chart is a sweep being drawn.
type chart struct {
	*Scene
	p     *sweep.Plan
	o     Options
	axis  axis
	vary  []axis // the other fields that have several values
	lines []*series
	x, y  scale
	marks []mark
}

// axis is a field along the bottom.
type axis struct {
	name, title string
	values      sweep.Axis
	of          func(*sweep.Row) int
}

func axes(s *sweep.Spec) []axis {
	return []axis{
		{"value", "value length, bytes", s.Value, func(r *sweep.Row) int { return r.Value }},
		{"keys", "number of keys", s.Keys, func(r *sweep.Row) int { return r.Keys }},
		{"key", "key length, bytes", s.Key, func(r *sweep.Row) int { return r.Key }},
		{"fields", "number of fields", s.Fields, func(r *sweep.Row) int { return r.Fields }},
		{"field", "field name length, bytes", s.Field, func(r *sweep.Row) int { return r.Field }},
	}
}

// series is one line: a server with one value of every field that is not along the axis.
type series struct {
	server int
	group  string // the other fields, where they have several values: "ttl key, key 32"
	points []step
}

// step is the values that fall into one column.
type step struct {
	x                      int // value of the axis
	low, high, first, last float64
}

// Sweep draws a sweep: a stepped line a server, the difference of two servers as a band, and the
// cliffs where a saving ends or an encoding changes. The description says the same in sentences.
func Sweep(p *sweep.Plan, o Options) (*Scene, error) {
	c := &chart{Scene: &Scene{}, p: p, o: o}
	if err := c.prepare(); err != nil {
		return nil, err
	}
	if err := c.collect(); err != nil {
		return nil, err
	}
	c.scales()
	c.grid()
	c.bands()
	c.strokes()
	c.cliffs()
	c.dots()
	c.legend()
	c.describe()
	c.Plot = &Plot{Field: c.axis.name, Top: marginTop, Bottom: c.y.from, values: c.axis.values, x: c.x}
	return c.Scene, nil
}

func (c *chart) prepare() error {
	if c.o.Width == 0 {
		c.o.Width = 900
	}
	if c.o.Height == 0 {
		c.o.Height = 330
	}
	if c.o.Width < 240 || c.o.Width > 2000 || c.o.Height < 120 || c.o.Height > 2000 {
		return fmt.Errorf("a chart of %d x %d pixels: width is 240 to 2000, height 120 to 2000", c.o.Width, c.o.Height)
	}
	c.Width, c.Height = 10*c.o.Width, 10*c.o.Height
	var names []string
	for _, a := range axes(&c.p.Spec) {
		names = append(names, a.name)
		if c.o.X == a.name || c.o.X == "" && (c.axis.of == nil || a.values.Len() > c.axis.values.Len()) {
			c.axis = a
		}
	}
	if c.axis.of == nil {
		return fmt.Errorf("x %.40q is none of %s", c.o.X, strings.Join(names, ", "))
	}
	for _, a := range axes(&c.p.Spec) {
		if a.name != c.axis.name && a.values.Len() > 1 {
			c.vary = append(c.vary, a)
		}
	}
	return nil
}

// collect reads the rows into one line a server and group. A line keeps a step a column, not every
// value, so that a sweep of any length takes the same memory.
func (c *chart) collect() error {
	low, high := c.axis.values.Bounds()
	c.x = scale{low: float64(low), high: float64(max(high, low+1)), from: marginLeft, to: c.Width - 120, log: c.o.LogX}
	byGroup := map[string][]*series{}
	for r := range c.p.Rows {
		g := c.group(r)
		lines := byGroup[g]
		if lines == nil {
			for i := range c.p.Spec.Servers {
				lines = append(lines, &series{server: i, group: g})
			}
			byGroup[g] = lines
			if c.lines = append(c.lines, lines...); len(c.lines) > maxLines {
				return fmt.Errorf("more than %d lines: vary one field along the axis and few others, or name fewer servers", maxLines)
			}
		}
		lines[r.Server].add(c.axis.of(r), c.x.at(float64(c.axis.of(r))), c.o.Show.Of(r), &c.x)
	}
	return nil
}

// group names a row's values of the fields that are not along the axis and have several.
func (c *chart) group(r *sweep.Row) string {
	s := &c.p.Spec
	var parts []string
	if len(s.TTL) > 1 {
		parts = append(parts, "ttl "+r.TTL.String())
	}
	if len(s.History) > 1 {
		parts = append(parts, r.History.String())
	}
	for _, a := range c.vary {
		parts = append(parts, a.name+" "+strconv.Itoa(a.of(r)))
	}
	return strings.Join(parts, ", ")
}

// add takes the next value of a line; values of one column become one step.
func (l *series) add(x, at int, v float64, s *scale) {
	if n := len(l.points); n > 0 {
		p := &l.points[n-1]
		if at-s.at(float64(p.x)) < column && x > p.x {
			p.low, p.high, p.last = min(p.low, v), max(p.high, v), v
			return
		}
	}
	l.points = append(l.points, step{x, v, v, v, v})
}

func (c *chart) scales() {
	low, high := c.lines[0].points[0].low, 0.0
	for _, l := range c.lines {
		for _, p := range l.points {
			low, high = min(low, p.low), max(high, p.high)
		}
	}
	for _, d := range c.o.Dots {
		low, high = min(low, d.Y), max(high, d.Y)
	}
	pad := max(float64((high-low)*0.06), 4)
	c.y = scale{low: max(0, low-pad), high: high + pad, from: c.Height - 420, to: marginTop, log: c.o.LogY}
	if c.o.LogY {
		c.y.low = max(1, low)
	}
}

// dotSize is the side of a dot, in tenths of a pixel.
const dotSize = 80

// dots marks values from elsewhere, in the middle of their step.
func (c *chart) dots() {
	for _, d := range c.o.Dots {
		x, end := c.x.at(float64(d.X)), c.x.at(float64(d.X+1))
		c.add(Shape{Kind: Rect, Class: "dot l" + strconv.Itoa(d.Server%6), X: (x + end - dotSize) / 2, Y: c.y.at(d.Y) - dotSize/2, W: dotSize, H: dotSize, Title: d.Title})
	}
}

func (c *chart) grid() {
	right := c.Width - 120
	for _, v := range c.y.ticks(max(2, c.o.Height/45)) {
		y := c.y.at(v)
		c.line("grid", Point{marginLeft, y}, Point{right, y})
		c.text("", marginLeft-80, y+40, End, short(v))
	}
	for _, v := range c.x.ticks(max(2, c.o.Width/100)) {
		x := c.x.at(v)
		c.line("axis", Point{x, c.y.from}, Point{x, c.y.from + 40})
		c.text("", x, c.y.from+170, Middle, short(v))
	}
	c.line("axis", Point{marginLeft, c.y.from}, Point{right, c.y.from})
	c.text("", right, c.Height-60, End, c.axis.title)
	c.text("ink", 80, 130, Start, measures[c.o.Show].title)
}

// short writes a tick: thousands as k, M, G.
func short(v float64) string {
	for _, u := range []struct {
		of   float64
		name string
	}{{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e4, "k"}} {
		if v >= u.of {
			if u.name == "k" {
				u.of = 1e3
			}
			return strconv.FormatFloat(v/u.of, 'g', 6, 64) + u.name
		}
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}

// bands fills what two servers differ by.
func (c *chart) bands() {
	if len(c.p.Spec.Servers) != 2 {
		return
	}
	for i := 0; i+1 < len(c.lines); i += 2 {
		a, b := c.lines[i], c.lines[i+1]
		for k := range a.points {
			x, end := c.x.at(float64(a.points[k].x)), c.end(a, k)
			ya, yb := c.y.at(a.points[k].last), c.y.at(b.points[k].last)
			switch {
			case yb > ya:
				c.band("save", x, ya, end, yb)
			case yb < ya:
				c.band("worse", x, yb, end, ya)
			}
		}
	}
}

// band adds a rectangle, or widens the one before where it goes on.
func (c *chart) band(class string, x, top, end, bottom int) {
	if n := len(c.Shapes); n > 0 {
		p := &c.Shapes[n-1]
		if p.Kind == Rect && p.Class == class && p.X+p.W == x && p.Y == top && p.H == bottom-top {
			p.W += end - x
			return
		}
	}
	c.rect(class, x, top, end-x, bottom-top)
}

// end is where step k of a line ends: at the next one, the last after as much as one value takes.
func (c *chart) end(l *series, k int) int {
	if k+1 < len(l.points) {
		return c.x.at(float64(l.points[k+1].x))
	}
	return min(c.x.at(float64(l.points[k].x+1)), c.x.to)
}

func (c *chart) strokes() {
	for i, l := range c.lines {
		var points []Point
		for k, p := range l.points {
			x := c.x.at(float64(p.x))
			for _, v := range turns(p) {
				points = append(points, Point{x, c.y.at(v)})
			}
			points = append(points, Point{c.end(l, k), c.y.at(p.last)})
		}
		title := c.p.Names()[l.server]
		if l.group != "" {
			title += ", " + l.group
		}
		c.add(Shape{Kind: Line, Class: c.class(i), Points: straighten(points), Title: title})
	}
}

// turns are the values of a step in the order they are drawn.
func turns(p step) []float64 {
	if p.low == p.high {
		return []float64{p.first}
	}
	return []float64{p.first, p.low, p.high, p.last}
}

// straighten leaves out points in the middle of a straight line.
func straighten(in []Point) []Point {
	var out []Point
	for _, p := range in {
		n := len(out)
		if n > 0 && out[n-1] == p {
			continue
		}
		if n > 1 && (out[n-1].Y == p.Y && out[n-2].Y == p.Y || out[n-1].X == p.X && out[n-2].X == p.X && between(out[n-2].Y, out[n-1].Y, p.Y)) {
			out[n-1] = p
			continue
		}
		out = append(out, p)
	}
	return out
}

func between(a, b, c int) bool { return a <= b && b <= c || a >= b && b >= c }

// class is a line's colour by its server and its dashes by its group.
func (c *chart) class(i int) string {
	n := len(c.p.Spec.Servers)
	class := "s" + strconv.Itoa(i%n%6)
	if group := i / n; group > 0 {
		class += " d" + strconv.Itoa(1+(group-1)%3)
	}
	return class
}

// legend names the lines above the chart.
func (c *chart) legend() {
	x, y := 80+72*(len(measures[c.o.Show].title)+3), 130
	for i, l := range c.lines {
		name := c.p.Names()[l.server]
		if l.group != "" {
			name += " · " + l.group
		}
		w := 72*len([]rune(name)) + 420
		if x+w > c.Width-80 {
			if y > 150 {
				c.text("", x, y, Start, "…")
				return
			}
			x, y = 80, y+140
		}
		c.line(c.class(i), Point{x, y - 40}, Point{x + 220, y - 40})
		c.text("l"+strconv.Itoa(l.server%6), x+270, y, Start, name)
		x += w
	}
}
