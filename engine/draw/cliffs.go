package draw

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/keyloupe/keyloupe/engine/sweep"
)

// mark is a cliff worth a line in a chart.
type mark struct {
	from, to int
	label    string
	weight   int // the heaviest are drawn
}

// letter is about as wide as one is, in tenths of a pixel.
const letter = 66

// maxSearched bounds the points looked at for cliffs of a chart.
const maxSearched = 200_000

// cliffs marks where a saving ends for good and where a server stops embedding.
func (c *chart) cliffs() {
	c.marks = c.findMarks()
	for _, m := range c.marks {
		x := (c.x.at(float64(m.from)) + c.x.at(float64(m.to))) / 2
		c.line("cliff", Point{x, marginTop}, Point{x, c.y.from})
	}
	y := marginTop + 80
	for i, m := range c.marks {
		if i == maxLabels {
			break
		}
		x := (c.x.at(float64(m.from)) + c.x.at(float64(m.to))) / 2
		anchor, at := Start, x+60
		if x+60+letter*len(m.label) > c.x.to {
			anchor, at = End, x-60
			if at-letter*len(m.label) < 0 { // a narrow picture: the line stands for itself
				continue
			}
		}
		c.text("ct", at, y, anchor, m.label)
		y += 140
	}
}

func (c *chart) findMarks() []mark {
	if c.o.NoCliffs || c.axis.name != "value" || c.axis.values.Len() < 2 || c.p.CliffPoints() > maxSearched {
		return nil
	}
	var out []mark
	for x := range c.p.Steps {
		m, ok := c.markOf(x)
		if !ok {
			continue
		}
		known := false
		for i := range out {
			if out[i].to == m.to {
				known = true
				if m.weight > out[i].weight {
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

func (c *chart) markOf(x *sweep.Cliff) (mark, bool) {
	m := mark{from: x.From, to: x.To}
	between := fmt.Sprintf("%d | %d · ", x.From, x.To)
	servers := c.p.Spec.Servers
	switch {
	case x.Last && x.Kind == sweep.WinnerChanges && x.DeltaIs > x.DeltaWas:
		m.label, m.weight = between+"saving ends", 3
		if len(servers) > 2 {
			m.label += " (" + servers[x.B] + ")"
		}
		return m, true
	case x.Before[1].Encoding != x.After[1].Encoding:
		m.label, m.weight = between+servers[x.B]+" "+x.After[1].Encoding.String(), 2
		return m, true
	case x.Before[0].Encoding != x.After[0].Encoding:
		m.label, m.weight = between+servers[x.A]+" "+x.After[0].Encoding.String(), 1
		return m, true
	}
	return m, false
}

// heaviest keeps at most eight marks, the heaviest first and those of equal weight by length.
func heaviest(in []mark) (out []mark) {
	for w := 3; w > 0; w-- {
		for _, m := range in {
			if m.weight == w && len(out) < 8 {
				out = append(out, m)
			}
		}
	}
	return out
}

// describe says in sentences what the chart shows.
func (c *chart) describe() {
	low, high := c.axis.values.Bounds()
	c.Title = fmt.Sprintf("%s by %s, %d to %d: %s", measures[c.o.Show].title, c.axis.title, low, high, strings.Join(c.p.Names(), ", "))
	var b strings.Builder
	b.WriteString(c.p.Summary() + ".")
	for _, l := range c.lines {
		least, most := l.points[0].low, l.points[0].high
		for _, p := range l.points {
			least, most = min(least, p.low), max(most, p.high)
		}
		name := c.p.Names()[l.server]
		if l.group != "" {
			name += ", " + l.group
		}
		fmt.Fprintf(&b, "\n%s: %s to %s bytes.", name, amount(least), amount(most))
	}
	for i, m := range c.marks {
		if i == maxLabels {
			break
		}
		b.WriteString("\nCliff at " + m.label + ".")
	}
	c.Description = b.String()
}

func amount(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }
