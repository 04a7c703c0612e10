package draw

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/keyloupe/keyloupe/engine/sweep"
)

// Mark is a cliff worth a line in a chart.
type Mark struct {
	From, To int    // the last value before it and the first one after it
	Label    string // "97 | 98 · saving ends"
	Weight   int    // the heaviest are drawn first
}

// letter is about as wide as one is, in tenths of a pixel.
const letter = 66

// maxSearched bounds the points looked at for cliffs of a chart.
const maxSearched = 200_000

// cliffs draws the marks.
func (c *chart) cliffs() {
	if !c.o.NoCliffs {
		c.marks = Marks(c.p, c.axis)
	}
	for _, m := range c.marks {
		x := (c.x.At(float64(m.From)) + c.x.At(float64(m.To))) / 2
		c.line("cliff", Point{x, marginTop}, Point{x, c.y.From})
	}
	y := marginTop + 80
	for i, m := range c.marks {
		if i == maxLabels {
			break
		}
		x := (c.x.At(float64(m.From)) + c.x.At(float64(m.To))) / 2
		anchor, at := Start, x+60
		if x+60+letter*len(m.Label) > c.x.To {
			anchor, at = End, x-60
			if at-letter*len(m.Label) < 0 { // a narrow picture: the line stands for itself
				continue
			}
		}
		c.text("ct", at, y, anchor, m.Label)
		y += 140
	}
}

// Marks are the cliffs of a chart along the values' lengths worth a line: where a saving ends for good and where a server
// stops embedding. There are none of a sweep that would take long to search.
func Marks(p *sweep.Plan, a Axis) []Mark {
	if a.Name != "value" || a.Values.Len() < 2 || p.CliffPoints() > maxSearched {
		return nil
	}
	var out []Mark
	for x := range p.Steps {
		m, ok := markOf(p.Spec.Servers, x)
		if !ok {
			continue
		}
		known := false
		for i := range out {
			if out[i].To == m.To {
				known = true
				if m.Weight > out[i].Weight {
					out[i] = m
				}
			}
		}
		if !known {
			out = append(out, m)
		}
	}
	return heaviest(out)
}

func markOf(servers []string, x *sweep.Cliff) (Mark, bool) {
	m := Mark{From: x.From, To: x.To}
	between := fmt.Sprintf("%d | %d · ", x.From, x.To)
	switch {
	case x.Last && x.Kind == sweep.WinnerChanges && x.DeltaIs > x.DeltaWas:
		m.Label, m.Weight = between+"saving ends", 3
		if len(servers) > 2 {
			m.Label += " (" + servers[x.B] + ")"
		}
		return m, true
	case x.Before[1].Encoding != x.After[1].Encoding:
		m.Label, m.Weight = between+servers[x.B]+" "+x.After[1].Encoding.String(), 2
		return m, true
	case x.Before[0].Encoding != x.After[0].Encoding:
		m.Label, m.Weight = between+servers[x.A]+" "+x.After[0].Encoding.String(), 1
		return m, true
	}
	return m, false
}

// heaviest keeps at most eight marks, the heaviest first and those of equal weight by length.
func heaviest(in []Mark) (out []Mark) {
	for w := 3; w > 0; w-- {
		for _, m := range in {
			if m.Weight == w && len(out) < 8 {
				out = append(out, m)
			}
		}
	}
	return out
}

// describe says in sentences what the chart shows.
func (c *chart) describe() {
	low, high := c.axis.Values.Bounds()
	c.Title = fmt.Sprintf("%s by %s, %d to %d: %s", measures[c.o.Show].title, c.axis.Title, low, high, strings.Join(c.p.Names(), ", "))
	var b strings.Builder
	b.WriteString(c.p.Summary() + ".")
	for _, l := range c.lines {
		least, most := l.Points[0].Low, l.Points[0].High
		for _, p := range l.Points {
			least, most = min(least, p.Low), max(most, p.High)
		}
		fmt.Fprintf(&b, "\n%s: %s to %s bytes.", l.Name(c.p, ", "), amount(least), amount(most))
	}
	for i, m := range c.marks {
		if i == maxLabels {
			break
		}
		b.WriteString("\nCliff at " + m.Label + ".")
	}
	c.Description = b.String()
}

func amount(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }
