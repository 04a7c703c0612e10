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

// Title is what the axis of the measure is called.
func (m Measure) Title() string { return measures[m].title }

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
	column     = 5 // tenths of a pixel: values closer than that are drawn as one stroke
	maxLabels  = 4 // cliffs that get a text
	marginLeft = 560
	marginTop  = 300
)

// chart is a sweep being drawn.
type chart struct {
	*Scene
	p     *sweep.Plan
	o     Options
	axis  Axis
	lines []*Series
	x, y  Scale
	marks []Mark
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
	c.Plot = &Plot{Field: c.axis.Name, Top: marginTop, Bottom: c.y.From, values: c.axis.Values, x: c.x}
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
	var err error
	c.axis, err = AxisOf(&c.p.Spec, c.o.X)
	return err
}

// collect reads the rows into lines.
func (c *chart) collect() error {
	low, high := c.axis.Values.Bounds()
	c.x = Scale{Low: float64(low), High: float64(max(high, low+1)), From: marginLeft, To: c.Width - 120, Log: c.o.LogX}
	all := NewCollector(c.p, c.axis, c.x, column, c.o.Show.Of)
	for r := range c.p.Rows {
		if err := all.Add(r); err != nil {
			return err
		}
	}
	c.lines = all.Lines
	return nil
}

func (c *chart) scales() {
	low, high := c.lines[0].Points[0].Low, 0.0
	for _, l := range c.lines {
		for _, p := range l.Points {
			low, high = min(low, p.Low), max(high, p.High)
		}
	}
	for _, d := range c.o.Dots {
		low, high = min(low, d.Y), max(high, d.Y)
	}
	pad := max(float64((high-low)*0.06), 4)
	c.y = Scale{Low: max(0, low-pad), High: high + pad, From: c.Height - 420, To: marginTop, Log: c.o.LogY}
	if c.o.LogY {
		c.y.Low = max(1, low)
	}
}

// dotSize is the side of a dot, in tenths of a pixel.
const dotSize = 80

// dots marks values from elsewhere, in the middle of their step.
func (c *chart) dots() {
	for _, d := range c.o.Dots {
		x, end := c.x.At(float64(d.X)), c.x.At(float64(d.X+1))
		c.add(Shape{Kind: Rect, Class: "dot l" + strconv.Itoa(d.Server%6), X: (x + end - dotSize) / 2, Y: c.y.At(d.Y) - dotSize/2, W: dotSize, H: dotSize, Title: d.Title})
	}
}

func (c *chart) grid() {
	right := c.Width - 120
	for _, v := range c.y.Ticks(max(2, c.o.Height/45)) {
		y := c.y.At(v)
		c.line("grid", Point{marginLeft, y}, Point{right, y})
		c.text("", marginLeft-80, y+40, End, Short(v))
	}
	for _, v := range c.x.Ticks(max(2, c.o.Width/100)) {
		x := c.x.At(v)
		c.line("axis", Point{x, c.y.From}, Point{x, c.y.From + 40})
		c.text("", x, c.y.From+170, Middle, Short(v))
	}
	c.line("axis", Point{marginLeft, c.y.From}, Point{right, c.y.From})
	c.text("", right, c.Height-60, End, c.axis.Title)
	c.text("ink", 80, 130, Start, measures[c.o.Show].title)
}

// Short writes a number of an axis: thousands as k, M, G.
func Short(v float64) string {
	if v < 0 {
		return "-" + Short(-v)
	}
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
		for k := range a.Points {
			x, end := c.x.At(float64(a.Points[k].X)), c.end(a, k)
			ya, yb := c.y.At(a.Points[k].Last), c.y.At(b.Points[k].Last)
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
func (c *chart) end(l *Series, k int) int {
	if k+1 < len(l.Points) {
		return c.x.At(float64(l.Points[k+1].X))
	}
	return min(c.x.At(float64(l.Points[k].X+1)), c.x.To)
}

func (c *chart) strokes() {
	for i, l := range c.lines {
		var points []Point
		for k, p := range l.Points {
			x := c.x.At(float64(p.X))
			for _, v := range turns(p) {
				points = append(points, Point{x, c.y.At(v)})
			}
			points = append(points, Point{c.end(l, k), c.y.At(p.Last)})
		}
		c.add(Shape{Kind: Line, Class: c.class(i), Points: straighten(points), Title: l.Name(c.p, ", ")})
	}
}

// turns are the values of a step in the order they are drawn.
func turns(p Step) []float64 {
	if p.Low == p.High {
		return []float64{p.First}
	}
	return []float64{p.First, p.Low, p.High, p.Last}
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
		name := l.Name(c.p, " · ")
		w := 72*len([]rune(name)) + 420
		if x+w > c.Width-80 {
			if y > 150 {
				c.text("", x, y, Start, "…")
				return
			}
			x, y = 80, y+140
		}
		c.line(c.class(i), Point{x, y - 40}, Point{x + 220, y - 40})
		c.text("l"+strconv.Itoa(l.Server%6), x+270, y, Start, name)
		x += w
	}
}
