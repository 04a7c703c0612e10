package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/keyloupe/keyloupe/api"
	"github.com/keyloupe/keyloupe/internal/load"
	"github.com/keyloupe/keyloupe/internal/worker"
)

type answer struct {
	status int
	header http.Header
	body   string
}

func ask(t *testing.T, method, url, body string, header ...string) answer {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	c := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := c.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{res.StatusCode, res.Header, string(text)}
}

// inProcess is the same handler without a Worker around it.
func inProcess(method, path, body string) string {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	w := httptest.NewRecorder()
	api.New(api.Options{}).ServeHTTP(w, r)
	return w.Body.String()
}

func TestTheWorkerGivesTheBytesOfTheBuiltInServer(t *testing.T) {
	w := worker.Start(t, nil)
	for _, path := range []string{"/api/sweep?value=0..300&ttl=none,key", "/api/sweep.csv?type=hash&fields=1..20&field=8&servers=7.2.14,8.0.10,9.1.2",
		"/api/sweep.ndjson?value=0..50&keys=7,1000,1000000", "/api/sweep.txt?value=95..99", "/api/sweep.svg?value=0..200", "/api/sweep.csv?value=0..20000",
		"/api/sweep.ndjson?value=0..49999", "/api/sweep.svg?keys=1..20000&value=16&log=x", "/api/cliffs?value=0..200", "/api/cliffs.txt?type=hash&ttl=field",
		"/api/layout?run=SET+user:1+Alice&s=7.2.14,9.0.6,9.1.2@libc", "/api/layout.svg?run=HSET+h+a+1+b+2", "/api/layout.txt?run=ZADD+z+1+a",
		"/api/scenarios", "/api/scenarios/97-bytes", "/api/scenarios/field-ttl", "/api/scenarios/versions", "/api/scenarios/managed?servers=9.1.2@libc",
		"/api/scenarios/pointer", "/api/scenarios/questions", "/api/scenarios/none", "/api/servers", "/api/openapi.json", "/api/sweep?value=x", "/api/nothing"} {
		want := inProcess("GET", path, "")
		for range 3 { // the third time from the cache
			if got := ask(t, "GET", w.URL+path, ""); got.body != want {
				t.Errorf("%s: %d, %d bytes, want %d\n%.300s", path, got.status, len(got.body), len(want), got.body)
			}
		}
	}
	for _, body := range []string{`{"value":"0..30","servers":["9.0.6","9.1.2"]}`, `{"value":"0..30000"}`, `{`, `{"value":[]}`} {
		for _, path := range []string{"/api/sweep", "/api/sweep.csv"} {
			if got := ask(t, "POST", w.URL+path, body); got.body != inProcess("POST", path, body) {
				t.Errorf("POST %s %s: %d %.300s", path, body, got.status, got.body)
			}
		}
	}
}

func TestTheWorkerAnswersRepeatedQuestionsFromTheCache(t *testing.T) {
	w := worker.Start(t, nil)
	url := w.URL + "/api/sweep?value=0..100"
	first := ask(t, "GET", url, "")
	ask(t, "GET", url, "") // what is asked for twice is kept
	again := ask(t, "GET", url, "")
	if first.header.Get("Age") != "" || again.header.Get("Age") == "" || again.body != first.body || again.header.Get("ETag") != first.header.Get("ETag") {
		t.Errorf("%v\n%v", first.header, again.header)
	}
	tag := first.header.Get("ETag")
	for _, tags := range []string{tag, `"x", W/` + tag} {
		if r := ask(t, "GET", url, "", "If-None-Match", tags); r.status != 304 || r.body != "" || r.header.Get("ETag") != tag {
			t.Errorf("%s: %d %v", tags, r.status, r.header)
		}
	}
	if r := ask(t, "HEAD", url, ""); r.status != 200 || r.header.Get("ETag") != tag || r.header.Get("Content-Type") != "application/json" {
		t.Errorf("HEAD from the cache: %d %v", r.status, r.header)
	}
	fresh := w.URL + "/api/sweep?value=0..101"
	if r := ask(t, "HEAD", fresh, ""); r.status != 200 || r.header.Get("ETag") == "" {
		t.Errorf("HEAD: %d %v", r.status, r.header)
	}
	if r := ask(t, "GET", fresh, "", "If-None-Match", ask(t, "HEAD", fresh, "").header.Get("ETag")); r.status != 304 {
		t.Errorf("304 from Go: %d", r.status)
	}
	if r := ask(t, "OPTIONS", url, "", "Origin", "https://example.org"); r.status != 204 || r.header.Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("OPTIONS: %d %v", r.status, r.header)
	}
}

func TestTheWorkerKeepsLinksInKV(t *testing.T) {
	kv := t.TempDir()
	w := worker.Start(t, nil, "KV="+kv)
	var got, same struct{ ID, URL string }
	r := ask(t, "POST", w.URL+"/api/links", `{"value":"0..20"}`)
	if err := json.Unmarshal([]byte(r.body), &got); err != nil || r.status != 201 || got.URL != w.URL+"/s/"+got.ID {
		t.Fatal(r, err)
	}
	json.Unmarshal([]byte(ask(t, "POST", w.URL+"/api/links", `{"value":"0..20"}`).body), &same)
	if same.ID != got.ID || got.ID != api.LinkID([]byte(`{"sweep":{"type":"string","key":"16","value":"0..20","ttl":"none","history":"set","keys":"1000000","servers":"9.0.6,9.1.2","value_kind":"text"}}`)) {
		t.Error(same, got)
	}
	if r := ask(t, "GET", w.URL+"/s/"+got.ID, ""); r.status != 302 || !strings.HasPrefix(r.header.Get("Location"), "/#v=1&sweep=") {
		t.Error(r)
	}
	if r := ask(t, "GET", w.URL+"/s/0123456789abcdef", ""); r.status != 404 || !strings.Contains(r.body, `"not_found"`) {
		t.Error(r)
	}
	if r := ask(t, "GET", w.URL+"/api/links/"+got.ID, ""); r.status != 200 || !strings.Contains(r.body, `"0..20"`) {
		t.Error(r)
	}
	again := worker.Start(t, nil, "KV="+kv)
	if r := ask(t, "GET", again.URL+"/s/"+got.ID, ""); r.status != 302 {
		t.Error("after a restart:", r)
	}
}

// failingKV is the entry with a store that fails.
const failingKV = `import entry from './entry.mjs';
const LINKS = { async get() { throw new Error('KV is down'); }, async put() { throw new Error('KV is down'); } };
export default { fetch: (req, env, ctx) => entry.fetch(req, { ...env, LINKS }, ctx) };
`

func TestAStoreThatFailsIsAnErrorOfTheWorker(t *testing.T) {
	w := worker.Start(t, map[string]string{"failing.mjs": failingKV}, "ENTRY=failing.mjs")
	for range 3 {
		if r := ask(t, "POST", w.URL+"/api/links", `{"value":"5"}`); r.status != 503 || !strings.Contains(r.body, `"not_kept"`) {
			t.Error(r)
		}
		if r := ask(t, "GET", w.URL+"/s/0123456789abcdef", ""); r.status != 503 || !strings.Contains(r.body, `"store_failed"`) {
			t.Error(r)
		}
	}
	if r := ask(t, "GET", w.URL+"/api/sweep?value=5", ""); r.status != 200 {
		t.Error("the rest goes on:", r)
	}
}

func TestTheWorkerTellsWhenToComeAgain(t *testing.T) {
	w := worker.Start(t, nil, "RATE=5", "RATE_LINKS=2")
	count := map[int]int{}
	for range 20 { // two of them are answered by Go
		count[ask(t, "GET", w.URL+"/api/sweep?value=0", "").status]++
	}
	if count[200] != 20 {
		t.Error("what is in the cache has no rate:", count)
	}
	clear(count)
	for i := range 12 { // a minute may end meanwhile, then five more are answered
		r := ask(t, "GET", w.URL+fmt.Sprintf("/api/sweep?value=%d", i+1), "")
		count[r.status]++
		if r.status == 429 && (r.header.Get("Retry-After") == "" || !strings.Contains(r.body, `"too_many_requests"`)) {
			t.Error(r)
		}
	}
	if count[429] < 2 || count[200]+count[429] != 12 {
		t.Error(count)
	}
	clear(count)
	for i := range 6 {
		count[ask(t, "POST", w.URL+"/api/links", fmt.Sprintf(`{"value":%d}`, i)).status]++
	}
	if count[201] < 2 || count[429] < 2 || count[201]+count[429] != 6 {
		t.Error("links are counted apart:", count)
	}
}

func TestHostileRequestsToTheWorkerAreRefused(t *testing.T) {
	w := worker.Start(t, nil)
	for _, c := range []struct {
		method, path, body string
		status             int
		code               string
	}{
		{"GET", "/api/sweep?value=0..99999999&key=0..9999999", "", 422, "too_many_points"},
		{"GET", "/api/sweep?value=NaN", "", 400, "bad_field"},
		{"GET", "/api/sweep?value=-1", "", 400, "bad_field"},
		{"GET", "/api/sweep?servers=" + strings.Repeat("9.1.2,", 2000), "", 400, "bad_field"},
		{"GET", "/api/sweep?x=" + strings.Repeat("a", 17<<10), "", 414, "uri_too_long"},
		{"POST", "/api/sweep", `{"value":"` + strings.Repeat("1,", 40<<10) + `1"}`, 413, "body_too_large"},
		{"POST", "/api/links", strings.Repeat("x", 1<<20), 413, "body_too_large"},
		{"POST", "/api/sweep", "{", 400, "malformed_json"},
		{"DELETE", "/api/sweep", "", 405, "method_not_allowed"},
		{"GET", "/api/layout?run=DEBUG+SLEEP+9", "", 422, "bad_field"},
		{"GET", "/api/links/%00%ff", "", 404, "not_found"},
	} {
		r := ask(t, c.method, w.URL+c.path, c.body)
		if r.status != c.status || !strings.Contains(r.body, `"code":"`+c.code+`"`) {
			t.Errorf("%s %.60s: %d %.200s", c.method, c.path, r.status, r.body)
		}
	}
	if r := ask(t, "POST", w.URL+"/api/sweep", "{}", "Content-Type", "text/html"); r.status != 415 {
		t.Error(r)
	}
	// a body whose length is not told
	pipe, in := io.Pipe()
	go func() {
		in.Write(bytes.Repeat([]byte(" "), 100<<10))
		in.Close()
	}()
	req, _ := http.NewRequestWithContext(t.Context(), "POST", w.URL+"/api/sweep", pipe)
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != 413 {
		t.Error(res.StatusCode)
	}
}

// probe counts instances and their memory, and can destroy the newest one.
const probe = `const made = [];
const Real = WebAssembly.Instance;
WebAssembly.Instance = class extends Real {
  constructor(module, imports) { super(module, imports); made.push(this); }
};
const { default: entry } = await import('./entry.mjs');
export default { async fetch(req, env, ctx) {
  const { pathname } = new URL(req.url);
  if (pathname === '/probe') return Response.json({ instances: made.length, memory: made[0]?.exports.mem.buffer.byteLength });
  if (pathname === '/destroy') { new Uint8Array(made.at(-1).exports.mem.buffer).fill(255); return new Response('gone'); }
  return entry.fetch(req, env, ctx);
} };
`

func startProbed(t *testing.T) *worker.Server {
	return worker.Start(t, map[string]string{"probe.mjs": probe}, "ENTRY=probe.mjs")
}

func instances(t *testing.T, w *worker.Server) (n int, memory int64) {
	t.Helper()
	var p struct {
		Instances int
		Memory    int64
	}
	if err := json.Unmarshal([]byte(ask(t, "GET", w.URL+"/probe", "").body), &p); err != nil {
		t.Fatal(err)
	}
	return p.Instances, p.Memory
}

func mixedRequest(client, n int) load.Request {
	u := client*1_000_000 + n
	switch n % 4 {
	case 0:
		return load.Request{Path: fmt.Sprintf("/api/sweep?value=0..300&keys=%d", 1+u), Check: ends(200, "]}\n")}
	case 1:
		return load.Request{Method: "POST", Path: "/api/links", Body: fmt.Sprintf(`{"value":5,"keys":%d}`, 1+u), Check: ends(201, "}\n")}
	case 2:
		return load.Request{Path: fmt.Sprintf("/api/layout.svg?run=SET+a+%d", u), Check: ends(200, "</svg>\n")}
	}
	return load.Request{Path: "/api/cliffs?value=x", Check: ends(400, "}\n")}
}

func ends(want int, end string) func(int, []byte) error {
	return func(status int, body []byte) error {
		if status != want || !bytes.HasSuffix(body, []byte(end)) {
			return fmt.Errorf("status %d, %d bytes: %.200s", status, len(body), body)
		}
		return nil
	}
}

func TestOneInstanceAnswersManyRequestsInTheSameMemory(t *testing.T) {
	w := startProbed(t)
	d := 3 * time.Second
	if testing.Short() {
		d = time.Second
	}
	load.Run(t.Context(), w.URL, 10, d, mixedRequest)
	_, before := instances(t, w)
	r := load.Run(t.Context(), w.URL, 10, 2*d, func(c, n int) load.Request { return mixedRequest(c+100, n) })
	n, after := instances(t, w)
	if r.Failures > 0 || r.Requests < 50 || n != 1 || after > before+8<<20 || after > 64<<20 {
		t.Errorf("%d requests, %d failed: %v; %d instances, memory %d, then %d", r.Requests, r.Failures, r.First, n, before, after)
	}
}

func TestAnInstanceThatDiesCostsAtMostTheRequestsInIt(t *testing.T) {
	w := startProbed(t)
	for i := range 3 {
		if r := ask(t, "GET", w.URL+fmt.Sprintf("/api/sweep?value=%d", i), ""); r.status != 200 {
			t.Fatal(r)
		}
		ask(t, "GET", w.URL+"/destroy", "")
		if r := ask(t, "GET", w.URL+fmt.Sprintf("/api/sweep?value=%d", 100+i), ""); r.status != 200 {
			t.Errorf("a GET is tried again elsewhere: %d %.200s", r.status, r.body)
		}
		if r := ask(t, "POST", w.URL+"/api/links", fmt.Sprintf(`{"value":%d}`, i)); r.status != 201 {
			t.Errorf("the next instance serves what follows: %d %.200s", r.status, r.body)
		}
	}
}

func TestClientsThatGoAwayLeaveNothingStuck(t *testing.T) {
	w := startProbed(t)
	for i := range 60 {
		ctx, cancel := context.WithCancel(t.Context())
		path := fmt.Sprintf("/api/sweep.ndjson?value=0..49999&key=%d", i)
		if i%2 == 0 {
			path = fmt.Sprintf("/api/sweep?value=0..2000&key=%d", i)
		}
		r, _ := http.NewRequestWithContext(ctx, "GET", w.URL+path, nil)
		if res, err := http.DefaultClient.Do(r); err == nil {
			io.ReadFull(res.Body, make([]byte, 1000))
			cancel()
			res.Body.Close()
		}
		cancel()
	}
	r := load.Run(t.Context(), w.URL, 5, time.Second, mixedRequest)
	if r.Failures > 0 || r.Requests == 0 {
		t.Errorf("%d requests, %d failed: %v", r.Requests, r.Failures, r.First)
	}
}

func TestTheWorkerServesThePageAndItsEmbed(t *testing.T) {
	public := t.TempDir()
	headers, err := os.ReadFile(filepath.Join(worker.Root(), "public", "_headers"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"index.html": "<p>page", "app.css": "p{}", "_headers": string(headers)} {
		if err := os.WriteFile(filepath.Join(public, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	w := worker.Start(t, nil, "PUBLIC="+public)
	for path, frame := range map[string]string{"/": "frame-ancestors 'self'", "/embed": "frame-ancestors *"} {
		r := ask(t, "GET", w.URL+path, "")
		if r.status != 200 || r.body != "<p>page" || !strings.Contains(r.header.Get("Content-Security-Policy"), frame) {
			t.Errorf("%s: %d %.100s %v", path, r.status, r.body, r.header)
		}
	}
	if r := ask(t, "GET", w.URL+"/nothing", ""); r.status != 404 {
		t.Error(r)
	}
	if r := ask(t, "GET", w.URL+"/healthz", ""); r.body != "ok\n" {
		t.Error(r)
	}
}
