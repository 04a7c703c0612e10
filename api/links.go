package api

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/keyloupe/keyloupe/engine/sweep"
)

// Store keeps links. Content under an id never changes; what is kept once is kept for good.
type Store interface {
	// Get returns what is kept under an id, or ErrNoLink.
	Get(ctx context.Context, id string) ([]byte, error)
	// Put keeps content under an id. To put the same again does nothing. An error means that nobody
	// may rely on the link.
	Put(ctx context.Context, id string, content []byte) error
}

// ErrNoLink is the error of Store.Get for an id that nothing is kept under.
var ErrNoLink = errors.New("no such link")

const (
	// alphabet has no i, l, o and u: nobody has to tell them from 1, 0 and v (Crockford's base 32).
	alphabet = "0123456789abcdefghjkmnpqrstvwxyz"
	idLength = 16 // characters, five bits each
)

var linkPattern = "^[" + alphabet + "]{" + itoa(idLength) + "}$"

// LinkID is the id of a content: a part of its SHA-256.
func LinkID(content []byte) string {
	sum := sha256.Sum256(content)
	id := make([]byte, idLength)
	var bits, n uint
	at := 0
	for i := range id {
		for n < 5 {
			bits = bits<<8 | uint(sum[at])
			at++
			n += 8
		}
		n -= 5
		id[i] = alphabet[bits>>n&31]
	}
	return string(id)
}

// cleanID reads an id as people may have written it.
func cleanID(s string) (string, bool) {
	s = strings.NewReplacer("o", "0", "i", "1", "l", "1").Replace(strings.ToLower(s))
	return s, len(s) == idLength && strings.Trim(s, alphabet) == ""
}

func (a *API) linkRoutes() []*route {
	return []*route{
		{path: "/api/links", post: (*request).keepLink, types: []string{typeJSON},
			summary: "Keep a specification, or the state of the page, under an id made of its content"},
		{path: "/api/links/", id: linkPattern, get: (*request).readLink, pure: true, types: []string{typeJSON}, summary: "Read what is kept under an id"},
		{path: "/s/", id: linkPattern, get: (*request).openLink, types: []string{"text/html; charset=utf-8"}, summary: "Open a link: leads to the page"},
	}
}

// kept is what a link says: one of the two.
type kept struct {
	Sweep json.RawMessage `json:"sweep,omitempty"` // a specification, as the engine writes it
	State string          `json:"state,omitempty"` // the page's fragment without #: "v=1&s=9.1.2&run=..."
}

// contentOf makes of a body what is kept: a specification in its canonical form, or the page's state.
func contentOf(body []byte) ([]byte, error) {
	var probe map[string]json.RawMessage
	if err := json.Unmarshal(body, &probe); err != nil {
		return nil, badRequest("malformed_json", "", "malformed JSON: %.200v", err)
	}
	var k kept
	if raw, ok := probe["state"]; ok && len(probe) == 1 {
		if json.Unmarshal(raw, &k.State) != nil || checkState(k.State) != nil {
			return nil, badRequest("bad_field", "state", `the page's fragment without its #, such as "v=1&s=9.1.2&run=SET+user:1+Alice"`)
		}
	} else {
		if raw, ok := probe["sweep"]; ok && len(probe) == 1 {
			body = raw
		}
		spec, err := sweep.ParseJSON(body)
		if err != nil {
			return nil, readError(err)
		}
		p, err := sweep.New(spec, MaxPoints)
		if err != nil {
			return nil, planError(err)
		}
		k.Sweep = p.Spec.AppendJSON(nil)
	}
	return json.Marshal(k)
}

// checkState takes what a fragment can be: a version and fields. What they mean is the page's affair.
func checkState(s string) error {
	v, err := url.ParseQuery(s)
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(v.Get("v"))
	if err != nil || n < 1 || n > 1000 || strings.ContainsAny(s, " \"<>#\\\r\n\t") {
		return errors.New("no fragment")
	}
	return nil
}

func (q *request) keepLink() error {
	if q.a.options.Links == nil {
		return notFound("this server keeps no links")
	}
	body, err := q.body()
	if err != nil {
		return err
	}
	content, err := contentOf(body)
	if err != nil {
		return err
	}
	id := LinkID(content)
	if err := q.a.options.Links.Put(q.Context(), id, content); err != nil {
		return &Error{http.StatusServiceUnavailable, "not_kept", "the link could not be kept: try again, or share the page's own address, which holds everything", ""}
	}
	h := q.w.Header()
	h.Set("Content-Type", typeJSON)
	h.Set("Cache-Control", "no-store")
	h.Set("Location", "/s/"+id)
	q.w.WriteHeader(http.StatusCreated)
	answer, err := json.Marshal(map[string]string{"id": id, "url": origin(q.Request) + "/s/" + id})
	if err != nil {
		return err
	}
	_, err = q.Write(append(answer, '\n'))
	return err
}

// origin is where the client found this server.
func origin(r *http.Request) string {
	scheme := "http"
	if r.TLS != nil || r.URL.Scheme == "https" || r.Header.Get("X-Forwarded-Proto") == "https" {
		scheme = "https"
	}
	host := r.Host
	if host == "" { // a worker has the whole address in the URL
		host = r.URL.Host
	}
	return scheme + "://" + host
}

// link finds what is kept under the id at the end of the path.
func (q *request) link() (id string, k kept, content []byte, err error) {
	id, ok := cleanID(q.URL.Path[strings.LastIndexByte(q.URL.Path, '/')+1:])
	if !ok || q.a.options.Links == nil {
		return id, k, nil, notFound("no such link: an id has %d letters and digits", idLength)
	}
	content, err = q.a.options.Links.Get(q.Context(), id)
	switch {
	case errors.Is(err, ErrNoLink):
		return id, k, nil, notFound("no such link as %s", id)
	case err != nil:
		return id, k, nil, &Error{http.StatusServiceUnavailable, "store_failed", "the link could not be read: try again", ""}
	case json.Unmarshal(content, &k) != nil:
		return id, k, nil, &Error{http.StatusServiceUnavailable, "store_failed", "what is kept under this link is damaged", ""}
	}
	return id, k, content, nil
}

func (q *request) readLink() error {
	id, _, content, err := q.link()
	if err != nil {
		return err
	}
	if q.pure(typeJSON, id) {
		_, err = q.Write(append(content, '\n'))
	}
	return err
}

// longest address that a link leads to as it is; a longer one is fetched by the page.
const maxLocation = 2000

// openLink leads to the page.
func (q *request) openLink() error {
	id, k, _, err := q.link()
	if err != nil {
		return q.noLink(err)
	}
	fragment := k.State
	if k.Sweep != nil {
		spec, err := sweep.ParseJSON(k.Sweep)
		if err != nil {
			return readError(err)
		}
		fragment = "v=1&sweep=" + url.QueryEscape(spec.Query())
	}
	if len(fragment) > maxLocation {
		fragment = "v=1&link=" + id
	}
	h := q.w.Header()
	h.Set("Location", "/#"+fragment)
	h.Set("Cache-Control", keepFor)
	q.w.WriteHeader(http.StatusFound)
	return nil
}

// noLink tells a person in the browser, where one asks.
func (q *request) noLink(err error) error {
	var e *Error
	if !errors.As(err, &e) || !strings.Contains(strings.Join(q.Header.Values("Accept"), ","), "text/html") {
		return err
	}
	h := q.w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	q.w.WriteHeader(e.Status)
	if q.Method != http.MethodHead {
		q.w.Write([]byte(`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">` +
			`<title>Keyloupe: no such link</title><p>` + e.Message + `.</p><p><a href="/">Open Keyloupe</a></p></html>` + "\n"))
	}
	return nil
}
