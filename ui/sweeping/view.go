package sweeping

import (
	"bytes"
	"strings"

	"github.com/keyloupe/keyloupe/engine/draw"
	"github.com/keyloupe/keyloupe/engine/sweep"
)

// MaxPoints bounds a sweep of the page as the HTTP interface bounds one of its own.
const MaxPoints = 100_000

// none is no crosshair.
const none = -1

// View is the whole state.
type View struct {
	Servers []string // VERSION[@BUILD]
	Show    string   // a draw.Measure; empty is bytes per key
	X       string   // field along the axis; empty takes the longest
	Log     string   // logarithmic axes: x, y or xy
	Dots    []draw.Dot

	texts   map[string]string
	unknown []string // fields of a link that this page does not know
	damaged bool     // the link's query could not be read
	width   int
	at      int // value under the crosshair, or none

	// What Update made; of the last form that was right where Stale.
	Problems []Problem
	Stale    bool
	Plan     *sweep.Plan
	Chart    *draw.Scene
	cliffs   []Cliff
	more     []string
	tooWide  bool // too many points to look for cliffs
	point    []sweep.Row
	Updates  int // grows with each new plan or chart
}

// New is the page with its first preset.
func New(servers []string) *View {
	v := &View{Servers: servers, width: 900, at: none}
	v.texts = defaults()
	for name, text := range Presets[0].texts {
		v.texts[name] = text
	}
	return v
}

// Update makes plan, chart and cliffs of the form.
func (v *View) Update() {
	v.Updates++
	spec, bad := v.spec()
	if v.damaged {
		bad = append(bad, Problem{"", "this link's sweep is damaged: ask for it again, or change the form"})
	}
	if v.Problems, v.Stale = bad, true; len(bad) > 0 {
		return
	}
	plan, err := sweep.New(spec, MaxPoints)
	if err == nil {
		var chart *draw.Scene
		if chart, err = draw.Sweep(plan, v.options(v.width)); err == nil {
			v.Plan, v.Chart, v.Stale = plan, chart, false
			v.findCliffs()
			v.findPoint()
			return
		}
	}
	v.Problems = []Problem{problem(err)}
}

// SetServers sweeps other servers.
func (v *View) SetServers(names []string) {
	v.Servers = names
	v.Update()
}

// Resize sets the width of the chart that the next Update draws, in pixels; changed tells that it is another one.
func (v *View) Resize(width int) (changed bool) {
	width = max(300, min(width, 1100)) / 20 * 20
	changed = width != v.width
	v.width = width
	return changed
}

// options of the chart; one that is wrong, as from a link, is left out.
func (v *View) options(width int) draw.Options {
	show, err := draw.ParseMeasure(v.Show)
	if err != nil {
		v.Show = ""
	}
	o := draw.Options{Width: width, Height: max(250, min(width*3/8, 380)), Show: show, Dots: v.Dots, LogX: strings.Contains(v.Log, "x"), LogY: strings.Contains(v.Log, "y")}
	for _, a := range v.axisNames() {
		if a == v.X {
			o.X = v.X
		}
	}
	if o.X == "" {
		v.X = ""
	}
	return o
}

// axisNames are the fields that can be along the axis.
func (v *View) axisNames() []string {
	if v.Hash() {
		return []string{"value", "keys", "key", "fields", "field"}
	}
	return []string{"value", "keys", "key"}
}

// Axes are the fields with several values: what the axis can be changed to.
func (v *View) Axes() (out []string) {
	for _, a := range v.axisNames() {
		if v.Plan != nil && axis(&v.Plan.Spec, a).Len() > 1 {
			out = append(out, a)
		}
	}
	return out
}

func axis(s *sweep.Spec, name string) sweep.Axis {
	return map[string]sweep.Axis{"value": s.Value, "keys": s.Keys, "key": s.Key, "fields": s.Fields, "field": s.Field}[name]
}

// Of is a row's value of a field.
func Of(r *sweep.Row, field string) int {
	switch field {
	case "keys":
		return r.Keys
	case "key":
		return r.Key
	case "fields":
		return r.Fields
	case "field":
		return r.Field
	}
	return r.Value
}

// Along is the field along the axis.
func (v *View) Along() string { return v.Chart.Plot.Field }

// SVG is the chart as a file.
func (v *View) SVG(t draw.Theme) []byte {
	s, err := draw.Sweep(v.Plan, v.options(900))
	if err != nil {
		return nil // it was drawn before
	}
	return s.AppendSVG(nil, t)
}

// Rows is all rows as csv or json.
func (v *View) Rows(format string) string {
	var b bytes.Buffer
	if err := v.Plan.Write(&b, format, nil); err != nil {
		panic(err) // a buffer takes everything
	}
	return b.String()
}
