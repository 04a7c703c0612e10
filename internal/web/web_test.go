package web

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/andybalholm/brotli"

	"github.com/keyloupe/keyloupe/api"
)

func get(h http.Handler, method, target string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestAnswersComeInTheCodingTheClientLikes(t *testing.T) {
	a := api.New(api.Options{})
	h := Compress(a)
	const target = "/api/sweep.csv?value=0..500"
	plain := get(a, "GET", target).Body.String()
	for accept, coding := range map[string]string{"": "", "identity": "", "gzip": "gzip", "br": "br", "gzip, deflate, br": "br", "gzip;q=1, br;q=0.5": "gzip",
		"br;q=0": "", "GZIP": "gzip", "gzip;q=0.0, br;q=0.001": "br", "zstd": ""} {
		w := get(h, "GET", target, "Accept-Encoding", accept)
		if got := w.Header().Get("Content-Encoding"); got != coding || w.Header().Get("Vary") != "Accept-Encoding" {
			t.Errorf("%q: %q %v", accept, got, w.Header())
		}
		var body io.Reader = w.Body
		switch coding {
		case "gzip":
			z, err := gzip.NewReader(w.Body)
			if err != nil {
				t.Fatal(err)
			}
			body = z
		case "br":
			body = brotli.NewReader(w.Body)
		}
		if text, err := io.ReadAll(body); err != nil || string(text) != plain {
			t.Errorf("%q: %d bytes %v", accept, len(text), err)
		}
	}
}

func TestEveryCodingHasItsOwnTag(t *testing.T) {
	h := Compress(api.New(api.Options{}))
	for _, target := range []string{"/api/sweep.csv?value=0..500", "/api/sweep.csv?value=5"} {
		seen := map[string]bool{}
		for _, accept := range []string{"", "gzip", "br"} {
			w := get(h, "GET", target, "Accept-Encoding", accept)
			tag := w.Header().Get("ETag")
			if seen[tag] || tag == "" {
				t.Errorf("%s %q: %s", target, accept, tag)
			}
			seen[tag] = true
			head := get(h, "HEAD", target, "Accept-Encoding", accept)
			again := get(h, "GET", target, "Accept-Encoding", accept, "If-None-Match", tag)
			if head.Header().Get("ETag") != tag || head.Body.Len() > 0 || again.Code != 304 || again.Header().Get("ETag") != tag || again.Body.Len() > 0 {
				t.Errorf("%s %q: %v, %d %v", target, accept, head.Header(), again.Code, again.Header())
			}
		}
		if w := get(h, "GET", target, "Accept-Encoding", "br", "If-None-Match", `"x-gzip"`); w.Code != 200 {
			t.Error(w.Code)
		}
	}
}

func TestWhatIsSmallOrNoTextIsSentAsItIs(t *testing.T) {
	for _, c := range []struct{ mediaType, body string }{{"image/png", strings.Repeat("a", 5000)}, {"text/plain", "short"}, {"text/plain", ""}} {
		h := Compress(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", c.mediaType)
			w.WriteHeader(http.StatusAccepted)
			io.WriteString(w, c.body)
		}))
		w := get(h, "GET", "/", "Accept-Encoding", "gzip, br")
		if w.Code != http.StatusAccepted || w.Body.String() != c.body || w.Header().Get("Content-Encoding") != "" {
			t.Errorf("%v: %d %v", c, w.Code, w.Header())
		}
	}
}

func TestTheLogHasALineForEachRequestWithoutItsQuery(t *testing.T) {
	var out bytes.Buffer
	h := Log(&out, api.New(api.Options{}))
	get(h, "GET", "/api/sweep.csv?value=5")
	get(h, "GET", "/nowhere%0a?secret")
	func() {
		defer func() { recover() }()
		get(Log(&out, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })), "GET", "/broken")
	}()
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 3 || !strings.Contains(lines[0], ` 192.0.2.1 GET "/api/sweep.csv" 200 `) || !strings.Contains(lines[1], ` "/nowhere\n" 404 `) ||
		!strings.Contains(lines[2], " broken ") || strings.Contains(out.String(), "secret") {
		t.Errorf("%s", out.String())
	}
}

func TestOnlySoManyRequestsWorkAtOnce(t *testing.T) {
	inside, leave := make(chan bool), make(chan bool)
	h := Gate(2, time.Millisecond, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		inside <- true
		<-leave
	}))
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { get(h, "GET", "/") })
		<-inside
	}
	w := get(h, "GET", "/")
	if w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") == "" || !strings.Contains(w.Body.String(), `"code":"too_many_requests"`) {
		t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
	}
	close(leave)
	wg.Wait()
	go func() { <-inside }()
	if w := get(h, "GET", "/"); w.Code != 200 {
		t.Error("a place is free again:", w.Code)
	}
}

func TestAClientMayAskSoOftenAndIsToldWhenToComeAgain(t *testing.T) {
	h := Rate(0.5, 3, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	for i := range 4 {
		w := get(h, "GET", "/")
		if want := map[bool]int{true: 200, false: 429}[i < 3]; w.Code != want {
			t.Errorf("request %d: %d", i, w.Code)
		}
		if wait, _ := strconv.Atoi(w.Header().Get("Retry-After")); w.Code == 429 && (wait < 1 || wait > 3) {
			t.Error(wait)
		}
	}
	b := &buckets{rate: 10, burst: 2, of: map[string]*bucket{}}
	now := time.Unix(1000, 0)
	for i, c := range []struct {
		after time.Duration
		ok    bool
	}{{0, true}, {0, true}, {0, false}, {50 * time.Millisecond, false}, {60 * time.Millisecond, true}, {0, false}, {time.Hour, true}, {0, true}, {0, false}} {
		now = now.Add(c.after)
		if got := b.take("a", now) == 0; got != c.ok {
			t.Errorf("step %d: %v", i, got)
		}
	}
	if b.take("b", now) != 0 {
		t.Error("another client has a bucket of its own")
	}
	for i := range maxClients + 10 {
		b.take(strconv.Itoa(i), now)
	}
	if len(b.of) > maxClients {
		t.Error("clients are remembered without bound:", len(b.of))
	}
}
