// Package termchart draws a sweep for a terminal: a stepped line a server in dots of braille, or in ASCII, below it what
// the further servers differ by from the first, and the cliffs.
package termchart

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/keyloupe/keyloupe/engine/draw"
	"github.com/keyloupe/keyloupe/engine/sweep"
	"github.com/keyloupe/keyloupe/internal/term"
)

// Options say how a chart is drawn.
type Options struct {
	Width  int // columns, from MinWidth
	Show   draw.Measure
	X      string // field along the axis; "" takes the one with the most values
	LogX   bool
	LogY   bool
	ASCII  bool // nothing but ASCII
	Colors term.Colors
}

// MinWidth is the least width of a chart, columns.
const MinWidth = 40

const (
	maxWidth   = 140
	rowsOfCost = 14 // of the chart
	rowsOfDiff = 5  // of what servers differ by
	labelWidth = 9  // of the numbers on the left
)

// MaxLines bounds the lines of a chart: beyond they can't be told apart.
const MaxLines = 6

// inks of the lines. Where there are no colours dashes tell them apart, in ASCII their glyphs.
var inks = [MaxLines]ink{
	{term.Cyan, 0, '*'}, {term.Magenta, 1, 'o'}, {term.Yellow, 3, '+'}, {term.Blue, 2, 'x'}, {term.Green, 5, '#'}, {term.Red, 8, '@'},
}

// What the second of two servers takes against the first, and the inks for it.
const (
	less = iota
	more
	equal
)

var against = []ink{less: {term.Green, 0, '-'}, more: {term.Red, 0, '+'}, equal: {term.Grey, 0, '.'}}

// Chart is a chart that is being filled with rows.
type Chart struct {
	p           *sweep.Plan
	o           Options
	axis        draw.Axis
	cols        int // of the lines
	x           draw.Scale
	costs, diff *draw.Collector
	first       float64 // cost on the first server of the point that is being read
}

// New is an empty chart of a plan. An error says that its lines are too many, or that its axis has no line.
func New(p *sweep.Plan, o Options) (*Chart, error) {
	c := &Chart{p: p, o: o}
	var err error
	if c.axis, err = draw.AxisOf(&p.Spec, o.X); err != nil {
		return nil, err
	}
	if n := c.axis.Values.Len(); n < 2 {
		return nil, fmt.Errorf("a chart needs a range along its axis: %s has one value", c.axis.Name)
	}
	if n := p.Points() / c.axis.Values.Len(); n > MaxLines {
		return nil, fmt.Errorf("%d lines in one chart, at most %d can be told apart: vary one field along the axis and few others, or name fewer servers", n, MaxLines)
	}
	c.cols = min(max(o.Width, MinWidth), maxWidth) - labelWidth - 2
	low, high := c.axis.Values.Bounds()
	width, _ := newCanvas(c.cols, 1, o.ASCII).size()
	c.x = draw.Scale{Low: float64(low), High: float64(high), From: 0, To: width - 1, Log: o.LogX}
	c.costs = draw.NewCollector(p, c.axis, c.x, 1, o.Show.Of)
	c.diff = draw.NewCollector(p, c.axis, c.x, 1, c.difference)
	return c, nil
}

// difference is what a row costs more than the first server's.
func (c *Chart) difference(r *sweep.Row) float64 {
	v := c.o.Show.Of(r)
	if r.First() {
		c.first = v
	}
	return v - c.first
}

// Add takes the next row, in the plan's order.
func (c *Chart) Add(r *sweep.Row) error {
	if err := c.costs.Add(r); err != nil {
		return err
	}
	return c.diff.Add(r)
}

// Write draws the chart, when the rows were added.
func (c *Chart) Write(w io.Writer) error {
	if len(c.costs.Lines) == 0 {
		return nil
	}
	var b strings.Builder
	marks := draw.Marks(c.p, c.axis)
	c.legend(&b)
	c.panel(&b, c.costLines(), marks)
	differ := c.differ()
	if differ {
		fmt.Fprintf(&b, "%s, less that of %s\n", c.o.Show.Title(), c.p.Names()[0])
		c.panel(&b, c.differences(), marks)
	}
	c.bottom(&b)
	if len(c.p.Spec.Servers) > 1 && !differ {
		b.WriteString("the servers differ nowhere\n")
	}
	c.cliffs(&b, marks)
	_, err := io.WriteString(w, b.String())
	return err
}

// ink is the ink of a line.
func (c *Chart) ink(i int) ink {
	k := inks[i]
	if c.o.ASCII || bool(c.o.Colors) {
		k.dash = 0
	}
	return k
}

// pick is a character, or what stands for it in ASCII.
func (c *Chart) pick(unicode, ascii string) string {
	if c.o.ASCII {
		return ascii
	}
	return unicode
}

// text is a text, in ASCII where nothing else is to be printed.
func (c *Chart) text(s string) string {
	if c.o.ASCII {
		return strings.ReplaceAll(s, "·", "-")
	}
	return s
}

// legend names the lines, each with a piece of it.
func (c *Chart) legend(b *strings.Builder) {
	at := utf8.RuneCountInString(c.o.Show.Title())
	b.WriteString(c.o.Show.Title())
	for i, l := range c.costs.Lines {
		name := l.Name(c.p, ", ")
		w := len("   ") + sampleWidth + len(" ") + utf8.RuneCountInString(name)
		if at+w > c.o.Width {
			b.WriteByte('\n')
			at = 0
		}
		at += w
		b.WriteString("   " + c.sample(c.ink(i)) + " " + name)
	}
	b.WriteByte('\n')
}

const sampleWidth = 4

// sample is a piece of a line.
func (c *Chart) sample(k ink) string {
	s := newCanvas(sampleWidth, 1, c.o.ASCII)
	w, h := s.size()
	for x := range w {
		if k.drawn(x) {
			s.dot(x, h/2, 0)
		}
	}
	return s.line(0, []ink{k}, c.o.Colors)
}

// panel is one of the two parts of a chart.
type panel struct {
	rows  int
	y     draw.Scale // to dots from the top
	ticks []float64
	inks  []ink
	paint func(s *canvas, y *draw.Scale)
}

// costLines is the panel with a line for each server and group.
func (c *Chart) costLines() panel {
	p := panel{rows: rowsOfCost, y: bounds(c.costs.Lines)}
	if p.y.Log = c.o.LogY; p.y.Log {
		p.y.Low = max(1, p.y.Low)
	}
	p.ticks = p.y.Ticks(p.rows / 2)
	for i := range c.costs.Lines {
		p.inks = append(p.inks, c.ink(i))
	}
	p.paint = func(s *canvas, y *draw.Scale) {
		for i, l := range c.costs.Lines {
			c.stroke(s, l, i, p.inks[i], y)
		}
	}
	return p
}

// differ tells whether there is any difference between servers.
func (c *Chart) differ() bool {
	for _, l := range c.diff.Lines {
		for _, p := range l.Points {
			if p.Low != 0 || p.High != 0 {
				return true
			}
		}
	}
	return false
}

// differences is the panel of what further servers differ by from the first: of one an area, of several lines.
func (c *Chart) differences() panel {
	p := panel{rows: rowsOfDiff, y: bounds(c.diff.Lines)}
	p.ticks = []float64{p.y.Low, p.y.High, 0} // zero is always between them, or one of them
	if len(c.diff.Lines) == 2 {
		p.inks = against
		p.paint = func(s *canvas, y *draw.Scale) { c.area(s, c.diff.Lines[1], y) }
		return p
	}
	for i := range c.diff.Lines {
		p.inks = append(p.inks, c.ink(i))
	}
	p.paint = func(s *canvas, y *draw.Scale) {
		for i, l := range c.diff.Lines {
			if l.Server > 0 {
				c.stroke(s, l, i, p.inks[i], y)
			}
		}
	}
	return p
}

// bounds is the values of some lines.
func bounds(lines []*draw.Series) draw.Scale {
	y := draw.Scale{Low: lines[0].Points[0].Low, High: lines[0].Points[0].High}
	for _, l := range lines {
		for _, p := range l.Points {
			y.Low, y.High = min(y.Low, p.Low), max(y.High, p.High)
		}
	}
	if y.High == y.Low {
		y.High++ // a scale of one value has no height
	}
	return y
}

// panel draws a part with numbers on the left.
func (c *Chart) panel(b *strings.Builder, p panel, marks []draw.Mark) {
	s := newCanvas(c.cols, p.rows, c.o.ASCII)
	_, height := s.size()
	p.y.From, p.y.To = height-1, 0
	p.paint(s, &p.y)
	for _, m := range marks {
		c.mark(s, m)
	}
	labels := make([]string, p.rows)
	for _, v := range p.ticks {
		labels[p.y.At(v)*p.rows/height] = draw.Short(v)
	}
	for row, label := range labels {
		edge := c.pick("│", "|")
		if label != "" {
			edge = c.pick("┤", "+")
		}
		line := fmt.Sprintf("%*s %s%s", labelWidth, label, edge, s.line(row, p.inks, c.o.Colors))
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

// stroke draws a line: level from one value to the next, and up or down at once.
func (c *Chart) stroke(s *canvas, l *draw.Series, ink int, k ink, y *draw.Scale) {
	was := -1
	for i, p := range l.Points {
		x, end := c.span(l, i)
		low, high := y.At(p.Low), y.At(p.High)
		if was >= 0 {
			low, high = max(low, was), min(high, was)
		}
		for at := high; at <= low; at++ {
			if k.drawn(x + at) {
				s.dot(x, at, ink)
			}
		}
		was = y.At(p.Last)
		for ; x <= end; x++ {
			if k.drawn(x) {
				s.dot(x, was, ink)
			}
		}
	}
}

// area fills what a line is away from zero.
func (c *Chart) area(s *canvas, l *draw.Series, y *draw.Scale) {
	zero := y.At(0)
	for i, p := range l.Points {
		x, end := c.span(l, i)
		at, ink := y.At(p.Last), equal
		switch {
		case p.Last < 0:
			ink = less
		case p.Last > 0:
			ink = more
		}
		for ; x <= end; x++ {
			for dot := min(zero, at); dot <= max(zero, at); dot++ {
				s.dot(x, dot, ink)
			}
		}
	}
}

// span is the columns of dots from a step to the one before the next.
func (c *Chart) span(l *draw.Series, i int) (from, to int) {
	from, to = c.x.At(float64(l.Points[i].X)), c.x.To
	if i+1 < len(l.Points) {
		to = c.x.At(float64(l.Points[i+1].X)) - 1
	}
	return from, to
}

// column is the column of characters that a value is in.
func (c *Chart) column(v int) int { return c.x.At(float64(v)) * c.cols / (c.x.To + 1) }

// mark draws a cliff behind the lines.
func (c *Chart) mark(s *canvas, m draw.Mark) {
	for row := range s.rows {
		s.behind(c.column(m.To), row, c.pick("┊", ":"))
	}
}

// bottom draws the axis with its numbers and its name.
func (c *Chart) bottom(b *strings.Builder) {
	edge, numbers := make([]string, c.cols), []byte(strings.Repeat(" ", c.cols))
	for i := range edge {
		edge[i] = c.pick("─", "-")
	}
	free := 0 // the first column that no number reaches
	for _, v := range c.x.Ticks(max(2, c.cols/10)) {
		at, label := c.column(int(v)), draw.Short(v)
		from := max(0, min(at-len(label)/2, c.cols-len(label)))
		if from < free {
			continue
		}
		edge[at] = c.pick("┬", "+")
		copy(numbers[from:], label)
		free = from + len(label) + 1
	}
	indent := strings.Repeat(" ", labelWidth+1)
	fmt.Fprintf(b, "%s%s%s\n", indent, c.pick("└", "+"), strings.Join(edge, ""))
	fmt.Fprintf(b, "%s %s\n", indent, bytes.TrimRight(numbers, " "))
	fmt.Fprintf(b, "%*s\n", labelWidth+2+c.cols, c.axis.Title)
}

// cliffs names those that are marked.
func (c *Chart) cliffs(b *strings.Builder, marks []draw.Mark) {
	if len(marks) == 0 {
		return
	}
	line := "cliffs:"
	for i, m := range marks {
		label := c.text(m.Label)
		if i+1 < len(marks) {
			label += ","
		}
		if utf8.RuneCountInString(line+" "+label) > c.o.Width {
			b.WriteString(line + "\n")
			line = strings.Repeat(" ", len("cliffs:"))
		}
		line += " " + label
	}
	b.WriteString(line + "\n")
}
