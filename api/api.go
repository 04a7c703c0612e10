// Package api is Keyloupe's HTTP interface: one handler, served by `keyloupe serve` and, on Cloudflare
// Workers, by wasm/worker.
//
//	GET|POST /api/sweep  .csv .ndjson .txt .svg     a sweep's rows, or its chart
//	GET|POST /api/cliffs .csv .ndjson .txt          where encodings and differences change
//	GET|POST /api/layout .txt .svg                  every byte behind a key
//	GET      /api/servers                           releases, builds, rules
//	GET      /api/scenarios    /api/scenarios/ID    published measurements beside the simulated figures
//	POST     /api/links    GET /api/links/ID        keep a link, read it
//	GET      /s/ID                                  open a link
//	GET      /api/openapi.json  /healthz
//
// Results depend on nothing but the request and the program, so they carry a strong ETag and may be
// kept. Errors are JSON: {"error":{"code","message","field"}}. Everything that costs is bounded
// before any work: the body, the address, the points of a sweep, the commands of a layout.
package api

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Limits of a request.
const (
	MaxBody   = 64 << 10 // bytes
	MaxQuery  = 16 << 10 // bytes of the address behind the question mark
	MaxPoints = 100_000  // points of a sweep
)

// Options are what a program gives the handler.
type Options struct {
	Links   Store         // where links are kept; nil = links are refused
	Version string        // of the program: part of every ETag
	Timeout time.Duration // longest work on one request; 0 = none
	// Stream, if not nil, is told the number of points of a sweep before any is written; when it
	// returns true the answer is left to it. Where answers are held in memory as a whole, long ones
	// have to go another way.
	Stream func(w http.ResponseWriter, points int) bool
}

// handler answers one method of one path.
type handler func(*request) error

// route is a path with what it answers.
type route struct {
	path    string // a path that ends in "/" takes one more segment
	id      string // pattern of that segment
	get     handler
	post    handler
	pure    bool // answers depend on the request alone: to be kept, and read from other pages
	summary string
	types   []string // media types of the answer
	params  []param
}

// param is a parameter of a query.
type param struct{ name, what string }

// API is the handler.
type API struct {
	options Options
	exact   map[string]*route
	under   []*route
	list    []*route
	doc     []byte // the OpenAPI document
}

// New makes the handler.
func New(o Options) *API {
	a := &API{options: o, exact: map[string]*route{}}
	a.list = slices.Concat(a.sweepRoutes(), a.cliffRoutes(), a.layoutRoutes(), a.linkRoutes(), a.scenarioRoutes(), a.otherRoutes())
	for _, r := range a.list {
		if strings.HasSuffix(r.path, "/") {
			a.under = append(a.under, r)
		} else {
			a.exact[r.path] = r
		}
	}
	a.doc = a.openapi()
	return a
}

// Serves tells whether a path is the handler's, so that a program can give others to the page.
func Serves(path string) bool {
	return path == "/api" || strings.HasPrefix(path, "/api/") || strings.HasPrefix(path, "/s/") || path == "/healthz"
}

func (a *API) find(path string) *route {
	if r := a.exact[path]; r != nil {
		return r
	}
	for _, r := range a.under {
		if rest, ok := strings.CutPrefix(path, r.path); ok && rest != "" && !strings.Contains(rest, "/") {
			return r
		}
	}
	return nil
}

// request is one request being answered.
type request struct {
	*http.Request
	w     http.ResponseWriter
	a     *API
	route *route
	wrote bool // the header has been sent
}

// ServeHTTP answers.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q := &request{Request: r, w: w, a: a, route: a.find(r.URL.Path)}
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors *")
	if a.options.Timeout > 0 {
		ctx, cancel := context.WithTimeout(r.Context(), a.options.Timeout)
		defer cancel()
		q.Request = r.WithContext(ctx)
	}
	if err := q.answer(); err != nil {
		q.fail(err)
	}
}

func (q *request) answer() error {
	if q.route == nil {
		return notFound("there is nothing at %.100q: /api/openapi.json tells what there is", q.URL.Path)
	}
	if q.route.pure {
		q.w.Header().Set("Access-Control-Allow-Origin", "*")
		q.w.Header().Set("Access-Control-Expose-Headers", "ETag, Retry-After")
	}
	if len(q.URL.RawQuery) > MaxQuery {
		return &Error{http.StatusRequestURITooLong, "uri_too_long", "the query has " + itoa(len(q.URL.RawQuery)) + " bytes, the limit is " + itoa(MaxQuery) + ": POST the specification as JSON", ""}
	}
	switch q.Method {
	case http.MethodGet, http.MethodHead:
		if q.route.get != nil {
			return q.route.get(q)
		}
	case http.MethodPost:
		if q.route.post != nil {
			return q.route.post(q)
		}
	case http.MethodOptions:
		return q.preflight()
	}
	q.w.Header().Set("Allow", q.route.allow())
	return &Error{http.StatusMethodNotAllowed, "method_not_allowed", q.Method + " is not for this address: it takes " + q.route.allow(), ""}
}

func (r *route) allow() string {
	var m []string
	if r.get != nil {
		m = append(m, "GET", "HEAD")
	}
	if r.post != nil {
		m = append(m, "POST")
	}
	return strings.Join(append(m, "OPTIONS"), ", ")
}

// preflight answers OPTIONS; pages of other origins may read what is pure.
func (q *request) preflight() error {
	h := q.w.Header()
	h.Set("Allow", q.route.allow())
	if q.route.pure {
		h.Set("Access-Control-Allow-Methods", q.route.allow())
		h.Set("Access-Control-Allow-Headers", "Content-Type, If-None-Match")
		h.Set("Access-Control-Max-Age", "86400")
	}
	q.w.WriteHeader(http.StatusNoContent)
	return nil
}
