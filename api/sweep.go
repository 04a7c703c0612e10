package api

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/keyloupe/keyloupe/engine/draw"
	"github.com/keyloupe/keyloupe/engine/sweep"
)

// Media types of the formats.
const (
	typeJSON   = "application/json"
	typeCSV    = "text/csv; charset=utf-8"
	typeNDJSON = "application/x-ndjson"
	typeText   = "text/plain; charset=utf-8"
	typeSVG    = "image/svg+xml"
)

// formats are the endings of a path, with the engine's format and the media type.
var formats = []struct{ ending, format, mediaType string }{
	{"", "json", typeJSON}, {".csv", "csv", typeCSV}, {".ndjson", "ndjson", typeNDJSON}, {".txt", "text", typeText},
}

func specParams() (out []param) {
	for _, f := range sweep.Fields() {
		out = append(out, param{f.Name, f.What})
	}
	return out
}

func (a *API) sweepRoutes() (out []*route) {
	for _, f := range formats {
		out = append(out, &route{path: "/api/sweep" + f.ending, pure: true, params: specParams(), types: []string{f.mediaType},
			summary: "What keys of many shapes cost on several servers, a row for each shape and server",
			get:     func(q *request) error { return q.sweep(f.format, f.mediaType) },
			post:    func(q *request) error { return q.sweep(f.format, f.mediaType) }})
	}
	return append(out, &route{path: "/api/sweep.svg", pure: true, params: append(specParams(), chartParams...), types: []string{typeSVG},
		summary: "The same as a chart", get: (*request).chart, post: (*request).chart})
}

func (a *API) cliffRoutes() (out []*route) {
	for _, f := range formats {
		out = append(out, &route{path: "/api/cliffs" + f.ending, pure: true, params: specParams(), types: []string{f.mediaType},
			summary: "The value lengths at which, for each pair of servers, an encoding or the difference changes, and why",
			get:     func(q *request) error { return q.cliffs(f.format, f.mediaType) },
			post:    func(q *request) error { return q.cliffs(f.format, f.mediaType) }})
	}
	return out
}

// query is the parameters of the address.
func (q *request) query() (url.Values, error) {
	v, err := url.ParseQuery(q.URL.RawQuery)
	if err != nil {
		return nil, badRequest("bad_query", "", "the query is malformed: %.200v", err)
	}
	return v, nil
}

// plan makes the plan of a specification in the query or, for POST, in the body. take is given the
// query first, to take out parameters that are no fields.
func (q *request) plan(take func(url.Values) error) (*sweep.Plan, error) {
	v, err := q.query()
	if err != nil {
		return nil, err
	}
	if take != nil {
		if err := take(v); err != nil {
			return nil, err
		}
	}
	var spec *sweep.Spec
	if q.Method == http.MethodPost {
		for name := range v {
			return nil, badRequest("bad_query", "", "parameter %.40q: with POST the specification is in the body alone", name)
		}
		text, err := q.body()
		if err != nil {
			return nil, err
		}
		spec, err = sweep.ParseJSON(text)
		if err != nil {
			return nil, readError(err)
		}
	} else if spec, err = sweep.ParseQuery(v); err != nil {
		return nil, readError(err)
	}
	p, err := sweep.New(spec, MaxPoints)
	if err != nil {
		return nil, planError(err)
	}
	return p, nil
}

// goOn stops work whose client is gone or whose time is up.
func (q *request) goOn(int) error { return q.Context().Err() }

// leave tells whether the answer is left to another way, because it is long.
func (q *request) leave(points int) bool {
	return q.a.options.Stream != nil && q.a.options.Stream(q.w, points)
}

func (q *request) sweep(format, mediaType string) error {
	p, err := q.plan(nil)
	if err != nil {
		return err
	}
	if !q.pure(mediaType, p.Spec.Query()) || q.leave(p.Points()) {
		return nil
	}
	if format == "ndjson" {
		return q.ndjson(func() error { return p.Write(q, format, q.goOn) })
	}
	return p.Write(q, format, q.goOn)
}

// ndjson ends a stream that could not be finished with a row that says so.
func (q *request) ndjson(write func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v", v)
		}
		if err != nil && q.wrote {
			e := &Error{Code: "stopped", Message: "the work was stopped before its end"}
			if q.Context().Err() == nil {
				e = &Error{Code: "internal", Message: "internal error"}
			}
			q.Write(AppendError(nil, e))
			err = nil
		}
	}()
	return write()
}

func (q *request) cliffs(format, mediaType string) error {
	p, err := q.plan(nil)
	if err != nil {
		return err
	}
	if n := p.CliffPoints(); n > MaxPoints {
		return unprocessable("too_many_points", "", "cliffs are looked for at every length between the shortest and the longest value: %d points, and the limit is %d", n, MaxPoints)
	}
	if !q.pure(mediaType, p.Spec.Query()) {
		return nil
	}
	if format == "ndjson" {
		return q.ndjson(func() error { return p.WriteCliffs(q, format, q.goOn) })
	}
	return p.WriteCliffs(q, format, q.goOn)
}

var chartParams = []param{
	{"width", "width of the picture, pixels: 240 to 2000"}, {"height", "height of the picture, pixels: 120 to 2000"},
	{"show", "bytes_per_key, total, memory_usage, allocated or table"}, {"x", "field along the axis: value, keys, key, fields or field"},
	{"log", "logarithmic axes: x, y or xy"}, {"theme", "auto, light or dark"},
}

func (q *request) chart() error {
	var o draw.Options
	var theme draw.Theme
	var how string
	p, err := q.plan(func(v url.Values) (err error) {
		o, theme, how, err = chartOptions(v)
		return err
	})
	if err != nil {
		return err
	}
	scene, err := draw.Sweep(p, o)
	if err != nil {
		return unprocessable("bad_picture", "", "%s", err.Error())
	}
	if q.pure(typeSVG, p.Spec.Query()+"\n"+how) {
		q.Write(scene.AppendSVG(nil, theme))
	}
	return nil
}

// chartOptions takes a chart's parameters out of the query; how names them for the ETag.
func chartOptions(v url.Values) (o draw.Options, theme draw.Theme, how string, err error) {
	take := func(name, otherwise string) string {
		value := otherwise
		if v.Has(name) {
			value = v.Get(name)
		}
		v.Del(name)
		how += name + "=" + value + "\n"
		return value
	}
	number := func(name string) int {
		n, convErr := strconv.Atoi(take(name, "0"))
		if convErr != nil && err == nil {
			err = badRequest("bad_field", name, "not a number of pixels")
		}
		return n
	}
	o.Width, o.Height = number("width"), number("height")
	if err != nil {
		return
	}
	if o.Show, err = draw.ParseMeasure(take("show", "bytes_per_key")); err != nil {
		return o, 0, "", badRequest("bad_field", "show", "%s", err.Error())
	}
	o.X = take("x", "")
	log := take("log", "")
	if strings.Trim(log, "xy") != "" {
		return o, 0, "", badRequest("bad_field", "log", "%.40q is none of x, y, xy", log)
	}
	o.LogX, o.LogY = strings.Contains(log, "x"), strings.Contains(log, "y")
	if theme, err = draw.ParseTheme(take("theme", "auto")); err != nil {
		return o, 0, "", badRequest("bad_field", "theme", "%s", err.Error())
	}
	return o, theme, how, nil
}
