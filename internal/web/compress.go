package web

import (
	"compress/gzip"
	"io"
	"net/http"
	"strings"

	"github.com/andybalholm/brotli"
)

// Levels that cost about as much time as the answers they make small.
const (
	gzipLevel   = 5
	brotliLevel = 4
)

// leastCompressed is how many bytes an answer needs to be worth it.
const leastCompressed = 1024

// Compress sends answers of text in the coding the client likes best. An entity tag is strong, so a
// coding has one of its own: "tag-br".
func Compress(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Add("Vary", "Accept-Encoding")
		coding := choose(r.Header.Get("Accept-Encoding"))
		if coding == "" {
			h.ServeHTTP(w, r)
			return
		}
		if tags := r.Header.Get("If-None-Match"); strings.Contains(tags, "-"+coding+`"`) {
			r = r.Clone(r.Context())
			r.Header.Set("If-None-Match", strings.ReplaceAll(tags, "-"+coding+`"`, `"`))
		}
		c := &compressor{ResponseWriter: w, coding: coding, head: r.Method == http.MethodHead}
		h.ServeHTTP(c, r)
		c.close()
	})
}

// choose picks br or gzip, what the client takes and likes better; br of equals.
func choose(accept string) string {
	best, coding := 0.0, ""
	for item := range strings.SplitSeq(accept, ",") {
		name, rest, _ := strings.Cut(item, ";")
		name = strings.TrimSpace(strings.ToLower(name))
		q := quality(rest)
		if q > best && name == "gzip" || q > 0 && q >= best && name == "br" {
			best, coding = q, name
		}
	}
	return coding
}

// quality reads ";q=0.5"; what can't be read counts as 1.
func quality(params string) float64 {
	_, v, ok := strings.Cut(strings.ReplaceAll(params, " ", ""), "q=")
	if !ok {
		return 1
	}
	whole, frac, _ := strings.Cut(v, ".")
	if whole != "0" {
		return 1
	}
	q, unit := 0.0, 0.1
	for _, c := range frac {
		if c >= '0' && c <= '9' {
			q += float64(c-'0') * unit
			unit /= 10
		}
	}
	return q
}

// compressor decides with the header or, where that has no length, with the first bytes.
type compressor struct {
	http.ResponseWriter
	coding  string
	head    bool
	status  int
	held    []byte // first bytes, until there are enough to decide
	out     io.WriteCloser
	decided bool
}

func (c *compressor) Unwrap() http.ResponseWriter { return c.ResponseWriter }

func (c *compressor) WriteHeader(status int) {
	if c.status != 0 {
		return
	}
	c.status = status
	fits := c.compressible() && c.Header().Get("Content-Encoding") == ""
	if fits {
		c.mark()
	}
	if !fits || c.head || status == http.StatusNotModified || status == http.StatusNoContent {
		c.pass()
	}
}

// compressible tells whether answers of this type become smaller. Without a type it is a 304.
func (c *compressor) compressible() bool {
	t, _, _ := strings.Cut(c.Header().Get("Content-Type"), ";")
	return t == "" || strings.HasPrefix(t, "text/") || t == "application/json" || t == "application/x-ndjson" || t == "image/svg+xml"
}

// mark gives the tag the name of the coding, also where the answer is too short to be compressed: all
// that counts is that HEAD, GET and 304 agree.
func (c *compressor) mark() {
	h := c.Header()
	if tag := h.Get("ETag"); strings.HasSuffix(tag, `"`) {
		h.Set("ETag", strings.TrimSuffix(tag, `"`)+"-"+c.coding+`"`)
	}
}

// pass sends the answer as it is from here on.
func (c *compressor) pass() {
	c.decided = true
	c.ResponseWriter.WriteHeader(c.status)
}

func (c *compressor) Write(b []byte) (int, error) {
	if c.status == 0 {
		c.WriteHeader(http.StatusOK)
	}
	if !c.decided {
		if c.held = append(c.held, b...); len(c.held) < leastCompressed {
			return len(b), nil
		}
		c.begin()
		_, err := c.out.Write(c.held)
		c.held = nil
		return len(b), err
	}
	if c.out != nil {
		return c.out.Write(b)
	}
	return c.ResponseWriter.Write(b)
}

func (c *compressor) begin() {
	h := c.Header()
	h.Set("Content-Encoding", c.coding)
	h.Del("Content-Length")
	c.pass()
	if c.coding == "br" {
		c.out = brotli.NewWriterLevel(c.ResponseWriter, brotliLevel)
		return
	}
	z, err := gzip.NewWriterLevel(c.ResponseWriter, gzipLevel)
	if err != nil {
		panic(err) // the level is a constant
	}
	c.out = z
}

func (c *compressor) close() {
	switch {
	case c.out != nil:
		c.out.Close()
	case c.status != 0 && !c.decided:
		c.pass()
		c.ResponseWriter.Write(c.held)
	}
}
