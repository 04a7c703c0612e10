package site

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

func testSite() *Handler {
	return New(fstest.MapFS{
		"index.html":    {Data: []byte("<p>page")},
		"app.wasm":      {Data: []byte("raw module")},
		"app.wasm.br":   {Data: []byte("br module")},
		"app.wasm.gz":   {Data: []byte("gz module")},
		"boot.js":       {Data: []byte("boot()")},
		"dir/note.txt":  {Data: []byte("note")},
		"secret.config": {Data: []byte("no")},
	})
}

func get(t *testing.T, h http.Handler, method, path string, header ...string) *http.Response {
	t.Helper()
	r := httptest.NewRequest(method, path, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func body(t *testing.T, r *http.Response) string {
	t.Helper()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestFilesHaveTheirTypesAndUnknownOnesAreNotServed(t *testing.T) {
	cases := []struct {
		path string
		code int
		kind string
	}{
		{"/", 200, "text/html; charset=utf-8"},
		{"/index.html", 200, "text/html; charset=utf-8"},
		{"/embed", 200, "text/html; charset=utf-8"},
		{"/app.wasm", 200, "application/wasm"},
		{"/boot.js", 200, "text/javascript; charset=utf-8"},
		{"/dir/note.txt", 200, "text/plain; charset=utf-8"},
		{"/dir", 404, ""},
		{"/dir/", 404, ""},
		{"/none.js", 404, ""},
		{"/app.wasm.br", 404, ""},
		{"/secret.config", 404, ""},
		{"//boot.js", 404, ""},
		{"/../boot.js", 404, ""},
		{"/dir/../boot.js", 404, ""},
	}
	h := testSite()
	for _, c := range cases {
		r := get(t, h, "GET", c.path)
		if r.StatusCode != c.code || c.code == 200 && r.Header.Get("Content-Type") != c.kind {
			t.Errorf("%s: %d %q, want %d %q", c.path, r.StatusCode, r.Header.Get("Content-Type"), c.code, c.kind)
		}
	}
}

func TestTheSmallestAcceptedCopyIsSent(t *testing.T) {
	cases := []struct{ accept, coding, body string }{
		{"", "", "raw module"},
		{"identity", "", "raw module"},
		{"gzip", "gzip", "gz module"},
		{"gzip, deflate, br, zstd", "br", "br module"},
		{"br;q=0, gzip;q=0.5", "gzip", "gz module"},
		{"*", "br", "br module"},
		{"*;q=0", "", "raw module"},
		{"BR;q=1.0", "br", "br module"},
	}
	h := testSite()
	for _, c := range cases {
		r := get(t, h, "GET", "/app.wasm", "Accept-Encoding", c.accept)
		if got := r.Header.Get("Content-Encoding"); got != c.coding || body(t, r) != c.body {
			t.Errorf("%q: coding %q, want %q", c.accept, got, c.coding)
		}
		if r.Header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("%q: Vary is %q", c.accept, r.Header.Get("Vary"))
		}
	}
}

func TestACopyOfAnEarlierBuildIsNotSent(t *testing.T) {
	now := time.Now()
	h := New(fstest.MapFS{
		"app.wasm":    {Data: []byte("new module"), ModTime: now},
		"app.wasm.br": {Data: []byte("old copy"), ModTime: now.Add(-time.Minute)},
		"app.wasm.gz": {Data: []byte("new copy"), ModTime: now.Add(time.Second)},
	})
	if r := get(t, h, "GET", "/app.wasm", "Accept-Encoding", "br, gzip"); r.Header.Get("Content-Encoding") != "gzip" || body(t, r) != "new copy" {
		t.Errorf("sent %q", r.Header.Get("Content-Encoding"))
	}
}

func TestAnUnchangedFileIsNotSentAgain(t *testing.T) {
	h := testSite()
	first := get(t, h, "GET", "/boot.js")
	tag := first.Header.Get("ETag")
	if tag == "" || strings.HasPrefix(tag, "W/") {
		t.Fatalf("ETag %q", tag)
	}
	again := get(t, h, "GET", "/boot.js", "If-None-Match", tag)
	if again.StatusCode != http.StatusNotModified || body(t, again) != "" {
		t.Errorf("with the tag: %d", again.StatusCode)
	}
	if r := get(t, h, "GET", "/app.wasm", "Accept-Encoding", "br"); r.Header.Get("ETag") == get(t, h, "GET", "/app.wasm").Header.Get("ETag") {
		t.Error("two codings share an ETag")
	}
}

func TestHeadAnswersLikeGetWithoutABody(t *testing.T) {
	h := testSite()
	r := get(t, h, "HEAD", "/boot.js")
	if r.StatusCode != 200 || r.Header.Get("Content-Length") != "6" || body(t, r) != "" {
		t.Errorf("HEAD: %d, length %q", r.StatusCode, r.Header.Get("Content-Length"))
	}
	if r := get(t, h, "POST", "/"); r.StatusCode != http.StatusMethodNotAllowed || r.Header.Get("Allow") != "GET, HEAD" {
		t.Errorf("POST: %d, Allow %q", r.StatusCode, r.Header.Get("Allow"))
	}
}

func TestOnlyTheEmbedMayBeFramed(t *testing.T) {
	h := testSite()
	for path, want := range map[string]string{"/": "'self'", "/boot.js": "'self'", "/none": "'self'", "/embedded": "'self'", "/embed": "*", "/embed/": "*"} {
		got := get(t, h, "GET", path).Header.Get("Content-Security-Policy")
		if !strings.HasSuffix(got, "frame-ancestors "+want) || !strings.Contains(got, "script-src 'self' 'wasm-unsafe-eval'") || strings.Contains(got, "inline") {
			t.Errorf("%s: %q", path, got)
		}
	}
}

func TestTheHeadersFileForOtherHostsSaysTheSame(t *testing.T) {
	file, err := os.ReadFile("../../public/_headers")
	if err != nil {
		t.Fatal(err)
	}
	for _, frame := range []string{"'self'", "*"} {
		if line := "  Content-Security-Policy: " + policy + frame + "\n"; !strings.Contains(string(file), line) {
			t.Errorf("public/_headers lacks %q", line)
		}
	}
	page, err := os.ReadFile("../../public/index.html")
	if meta := strings.TrimSuffix(policy, "; frame-ancestors "); err != nil || !strings.Contains(string(page), `content="`+meta+`"`) {
		t.Errorf("public/index.html lacks the policy %q (%v)", meta, err)
	}
}
