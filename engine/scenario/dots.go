package scenario

import (
	"net/url"
	"slices"

	"github.com/keyloupe/keyloupe/engine/draw"
	"github.com/keyloupe/keyloupe/engine/sweep"
)

// readChart takes a chart's query apart: the sweep, and what of it is shown.
func readChart(query string) (*sweep.Plan, draw.Measure, error) {
	q, err := url.ParseQuery(query)
	if err != nil {
		return nil, 0, err
	}
	show := draw.PerKey
	if q.Has("show") {
		if show, err = draw.ParseMeasure(q.Get("show")); err != nil {
			return nil, 0, err
		}
		q.Del("show")
	}
	spec, err := sweep.ParseQuery(q)
	if err != nil {
		return nil, 0, err
	}
	plan, err := sweep.New(spec, maxPoints)
	return plan, show, err
}

// shows are the measures of rows that a chart can show.
var shows = map[Measure]draw.Measure{PerKey: draw.PerKey, Usage: draw.Usage}

// dots finds the published figures that lie in the scenario's chart: those of the same shape and measure, for about as many keys.
func (s *Scenario) dots() (out []Dot, err error) {
	if s.Chart == "" {
		return nil, nil
	}
	chart, show, err := readChart(s.Chart)
	if err != nil {
		return nil, err
	}
	for i := range s.Tables {
		t := &s.Tables[i]
		for j := range t.Rows {
			w := &t.Rows[j]
			shape, ok := w.How.(Shape)
			if m, shown := shows[w.Measure]; !ok || !shown || m != show {
				continue
			}
			plan, err := shape.plan(chart.Spec.Servers[0])
			if err != nil {
				return nil, err
			}
			servers := w.Servers
			if servers == nil {
				servers = t.Servers
			}
			for k, server := range servers {
				if at, ok := within(&chart.Spec, &plan.Spec); ok && w.Published != nil && w.Published[k] != "" && slices.Contains(chart.Spec.Servers, server) {
					out = append(out, Dot{server, at, w.Published[k]})
				}
			}
		}
	}
	return out, nil
}

// within tells whether the one point of a sweep is one of a chart's, and where along its axis.
func within(chart, point *sweep.Spec) (at int, ok bool) {
	if chart.Type != point.Type || chart.ValueKind != point.ValueKind || !slices.Contains(chart.TTL, point.TTL[0]) {
		return 0, false
	}
	longest := 0
	for _, a := range [][2]sweep.Axis{{chart.Value, point.Value}, {chart.Key, point.Key}, {chart.Fields, point.Fields}, {chart.Field, point.Field}} {
		low, high := a[0].Bounds()
		v, _ := a[1].Bounds()
		if v < low || v > high {
			return 0, false
		}
		if n := a[0].Len(); n > longest {
			longest, at = n, v
		}
	}
	keys, _ := chart.Keys.Bounds()
	n, _ := point.Keys.Bounds()
	return at, 100*max(keys-n, n-keys) <= keys
}
