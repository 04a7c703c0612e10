package sweeping

import (
	"fmt"
	"slices"
	"strings"

	"github.com/keyloupe/keyloupe/engine/draw"
	"github.com/keyloupe/keyloupe/engine/sweep"
)

// MaxTyped is the longest commands that Lines gives, in bytes: more is not looked at byte by byte.
const MaxTyped = 1 << 20

// Index is the place of the crosshair among the axis' values.
func (v *View) Index() int {
	p := v.Chart.Plot
	if v.at == none {
		return p.Len() / 2
	}
	return p.Index(p.Place(v.at))
}

// At is the value under the crosshair.
func (v *View) At() int { return v.Chart.Plot.Value(v.Index()) }

// Move puts the crosshair on a value of the axis, by its index.
func (v *View) Move(index int) {
	p := v.Chart.Plot
	at := p.Value(max(0, min(index, p.Len()-1)))
	if at == v.at {
		return
	}
	v.at = at
	v.findPoint()
}

// MoveTo puts the crosshair on a value, or on the last one before it. Off the axis the form takes the value.
func (v *View) MoveTo(field string, value int) {
	if v.Along() != field {
		v.Slide(field, value)
		return
	}
	v.Move(v.Chart.Plot.Index(v.Chart.Plot.Place(value)))
}

// maxGroups bounds how many shapes are told of under the crosshair.
const maxGroups = 12

func (v *View) findPoint() {
	v.point = nil
	at, field := v.At(), v.Along()
	for r := range v.Plan.Rows {
		if Of(r, field) == at {
			v.point = append(v.point, *r)
			if len(v.point) == maxGroups*len(v.Servers) {
				return
			}
		}
	}
}

// Point is the rows under the crosshair: of each shape one a server.
func (v *View) Point() (out [][]sweep.Row) {
	for p := range slices.Chunk(v.point, len(v.Plan.Spec.Servers)) {
		out = append(out, p)
	}
	return out
}

// Shape names a row's values of the fields that have several, but for one.
func (v *View) Shape(r *sweep.Row, but string) string { return draw.ShapeOf(&v.Plan.Spec, r, but) }

// Lines are the commands that make a row's key on an empty server, and the key. The error says why there are none.
func (v *View) Lines(r *sweep.Row) (lines []string, key string, err error) {
	if n := v.Plan.Typed(r); n > MaxTyped {
		return nil, "", fmt.Errorf("the commands would have %d bytes, and the Playground shows keys of up to %d: choose a smaller shape", n, MaxTyped)
	}
	for _, args := range v.Plan.Commands(r) {
		key = args[1]
		for i, a := range args {
			if a == "" {
				args[i] = `""`
			}
		}
		lines = append(lines, strings.Join(args, " "))
	}
	return lines, key, nil
}

// Window is the shapes from first on, at most n: of each the rows, one a server.
func (v *View) Window(first, n int) (out [][]sweep.Row) {
	servers := len(v.Plan.Spec.Servers)
	from, end, i := first*servers, (first+n)*servers, 0
	var rows []sweep.Row
	for r := range v.Plan.Rows {
		if i >= end {
			break
		}
		if i >= from {
			rows = append(rows, *r)
		}
		i++
	}
	for p := range slices.Chunk(rows, servers) {
		out = append(out, p)
	}
	return out
}

// Shapes is how many shapes there are.
func (v *View) Shapes() int { return v.Plan.Points() / len(v.Plan.Spec.Servers) }

// Columns are the fields that tell shapes apart; at least the one along the axis.
func (v *View) Columns() []string {
	var out []string
	s := &v.Plan.Spec
	if len(s.TTL) > 1 {
		out = append(out, "ttl")
	}
	if len(s.History) > 1 {
		out = append(out, "history")
	}
	for _, a := range []string{"keys", "key", "fields", "field", "value"} {
		if a == v.Along() || v.has(a) && axis(s, a).Len() > 1 {
			out = append(out, a)
		}
	}
	return out
}

// Cell is a row's text in a column.
func Cell(r *sweep.Row, column string) string {
	switch column {
	case "ttl":
		return r.TTL.String()
	case "history":
		return r.History.String()
	}
	return fmt.Sprint(Of(r, column))
}
