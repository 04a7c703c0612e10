// Package site serves the static page: security headers, MIME types, precompressed copies, ETags.
//
// The built-in server is the only user. On Cloudflare the platform serves the same files, with public/_headers.
package site

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"sync"
)

// policy is the part of the Content-Security-Policy that every answer carries; frame-ancestors follows it.
// data: images are the page's own icons in its style sheet; blob: is what the page offers for download.
const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors "

// mimeTypes is spelled out because the host's own table differs from one machine to the next.
var mimeTypes = map[string]string{
	".css":         "text/css; charset=utf-8",
	".html":        "text/html; charset=utf-8",
	".ico":         "image/x-icon",
	".js":          "text/javascript; charset=utf-8",
	".json":        "application/json",
	".mjs":         "text/javascript; charset=utf-8",
	".png":         "image/png",
	".svg":         "image/svg+xml",
	".txt":         "text/plain; charset=utf-8",
	".wasm":        "application/wasm",
	".webmanifest": "application/manifest+json",
	".woff2":       "font/woff2",
}

// encodings are the precompressed copies, the smallest first.
var encodings = []struct{ name, suffix string }{{"br", ".br"}, {"gzip", ".gz"}}

// pages maps a path to the file behind it. /embed is the page without chrome.
var pages = map[string]string{"/": "index.html", "/embed": "index.html", "/embed/": "index.html"}

// Handler serves a site's files.
type Handler struct {
	files fs.FS
	mu    sync.Mutex
	tags  map[string]tag
}

type tag struct {
	size  int64
	mtime int64
	etag  string
}

// New returns a handler of the files, which may change while it serves.
func New(files fs.FS) *Handler { return &Handler{files: files, tags: map[string]tag{}} }

// SecurityHeaders sets what every answer carries; embeddable answers may be framed by any page.
func SecurityHeaders(h http.Header, embeddable bool) {
	frame := "'self'"
	if embeddable {
		frame = "*"
	} else {
		h.Set("X-Frame-Options", "SAMEORIGIN")
	}
	h.Set("Content-Security-Policy", policy+frame)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
}

// ServeHTTP answers GET and HEAD.
func (s *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	SecurityHeaders(w.Header(), r.URL.Path == "/embed" || strings.HasPrefix(r.URL.Path, "/embed/"))
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
		return
	}
	name, ok := fileName(r.URL.Path)
	if !ok || !s.serve(w, r, name) {
		http.Error(w, "not found", http.StatusNotFound)
	}
}

// fileName is the file a path stands for. Only types of mimeTypes are served, so a precompressed copy has no address of its own.
func fileName(p string) (string, bool) {
	if f, ok := pages[p]; ok {
		return f, true
	}
	name := strings.TrimPrefix(p, "/")
	_, known := mimeTypes[path.Ext(name)]
	return name, known && fs.ValidPath(name)
}

func (s *Handler) serve(w http.ResponseWriter, r *http.Request, name string) bool {
	h := w.Header()
	chosen, coding, varies := s.pick(name, r.Header.Get("Accept-Encoding"))
	f, err := s.files.Open(chosen)
	if err != nil {
		return false
	}
	defer f.Close()
	info, err := f.Stat()
	body, seekable := f.(io.ReadSeeker)
	if err != nil || info.IsDir() || !seekable {
		return false
	}
	etag, err := s.etag(chosen, info, body)
	if err != nil {
		return false
	}
	if varies {
		h.Set("Vary", "Accept-Encoding")
	}
	if coding != "" {
		h.Set("Content-Encoding", coding)
	}
	h.Set("Content-Type", mimeTypes[path.Ext(name)])
	h.Set("Cache-Control", "no-cache") // names do not change with content: keep it, but ask
	h.Set("ETag", etag)
	http.ServeContent(w, r, name, info.ModTime(), body)
	return true
}

// pick chooses the smallest copy that the client accepts; varies tells that there was a choice. A copy older than its
// file is left from an earlier build and not looked at.
func (s *Handler) pick(name, accept string) (chosen, coding string, varies bool) {
	chosen = name
	original, err := fs.Stat(s.files, name)
	if err != nil {
		return chosen, "", false
	}
	for i := len(encodings) - 1; i >= 0; i-- {
		e := encodings[i]
		if copied, err := fs.Stat(s.files, name+e.suffix); err != nil || copied.ModTime().Before(original.ModTime()) {
			continue
		}
		varies = true
		if accepts(accept, e.name) {
			chosen, coding = name+e.suffix, e.name
		}
	}
	return chosen, coding, varies
}

// accepts reads an Accept-Encoding header (RFC 9110, 12.5.3) as far as it is about one named coding.
func accepts(header, coding string) bool {
	any := false
	for part := range strings.SplitSeq(header, ",") {
		name, params, _ := strings.Cut(strings.TrimSpace(part), ";")
		refused := isZero(strings.TrimSpace(params))
		switch strings.TrimSpace(strings.ToLower(name)) {
		case coding:
			return !refused
		case "*":
			any = !refused
		}
	}
	return any
}

func isZero(q string) bool {
	v, ok := strings.CutPrefix(strings.ReplaceAll(q, " ", ""), "q=")
	return ok && strings.Trim(v, "0.") == ""
}

// etag is the content's hash, computed again when size or time change.
func (s *Handler) etag(name string, info fs.FileInfo, body io.ReadSeeker) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t, ok := s.tags[name]; ok && t.size == info.Size() && t.mtime == info.ModTime().UnixNano() {
		return t.etag, nil
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, body); err != nil {
		return "", err
	}
	if _, err := body.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	t := tag{info.Size(), info.ModTime().UnixNano(), `"` + hex.EncodeToString(sum.Sum(nil)[:16]) + `"`}
	s.tags[name] = t
	return t.etag, nil
}
