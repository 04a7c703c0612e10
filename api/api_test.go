package api

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/keyloupe/keyloupe/engine/sweep"
	"github.com/keyloupe/keyloupe/ui/link"
)

// memory is a store that can be made to fail.
type memory struct {
	mu   sync.Mutex
	of   map[string][]byte
	fail error
}

func (m *memory) Get(_ context.Context, id string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail != nil {
		return nil, m.fail
	}
	if c, ok := m.of[id]; ok {
		return c, nil
	}
	return nil, ErrNoLink
}

func (m *memory) Put(_ context.Context, id string, content []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail != nil {
		return m.fail
	}
	m.of[id] = content
	return nil
}

func newAPI() (*API, *memory) {
	m := &memory{of: map[string][]byte{}}
	return New(Options{Links: m, Version: "test"}), m
}

func do(a http.Handler, method, target, body string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	a.ServeHTTP(w, r)
	return w
}

func TestASweepIsTheSameByQueryAndByJSON(t *testing.T) {
	a, _ := newAPI()
	for ending, mediaType := range map[string]string{"": "application/json", ".csv": "text/csv; charset=utf-8", ".ndjson": "application/x-ndjson",
		".txt": "text/plain; charset=utf-8", ".svg": "image/svg+xml"} {
		get := do(a, "GET", "/api/sweep"+ending+"?value=0..20&ttl=none,key&servers=9.0.6,9.1.2&history=set%2Bpexpire", "")
		post := do(a, "POST", "/api/sweep"+ending, `{"value":"0..20","ttl":["none","key"],"servers":["9.0.6","9.1.2"],"history":"set+pexpire"}`)
		if get.Code != 200 || post.Code != 200 || get.Body.String() != post.Body.String() || get.Body.Len() == 0 {
			t.Errorf("%q: %d %d %.300s", ending, get.Code, post.Code, get.Body)
		}
		if got := get.Header().Get("Content-Type"); got != mediaType {
			t.Errorf("%q: %s", ending, got)
		}
	}
}

func TestTheRowsAreTheEngines(t *testing.T) {
	a, _ := newAPI()
	spec := sweep.Default()
	if err := spec.Set("value", "90..100"); err != nil {
		t.Fatal(err)
	}
	p, err := sweep.New(spec, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range formats {
		var want bytes.Buffer
		if err := p.Write(&want, f.format, nil); err != nil {
			t.Fatal(err)
		}
		if got := do(a, "GET", "/api/sweep"+f.ending+"?value=90..100", ""); got.Body.String() != want.String() {
			t.Errorf("%s differs", f.format)
		}
		want.Reset()
		if err := p.WriteCliffs(&want, f.format, nil); err != nil {
			t.Fatal(err)
		}
		if got := do(a, "GET", "/api/cliffs"+f.ending+"?value=90..100", ""); got.Body.String() != want.String() || want.Len() == 0 {
			t.Errorf("cliffs as %s differ", f.format)
		}
	}
	rows, err := csv.NewReader(do(a, "GET", "/api/sweep.csv?value=97&servers=9.0.6,9.1.2", "").Body).ReadAll()
	if err != nil || len(rows) != 3 || rows[2][11] != "128" {
		t.Error(rows, err)
	}
	rows, err = csv.NewReader(do(a, "GET", "/api/cliffs.csv?type=hash&servers=7.2.14,9.1.2", "").Body).ReadAll()
	if err != nil || len(rows) < 3 {
		t.Error(rows, err)
	}
}

// failure checks an error's status, code and field, and that it is the documented JSON.
func failure(t *testing.T, w *httptest.ResponseRecorder, status int, code, field, says string) {
	t.Helper()
	var e struct {
		Error struct {
			Code    string  `json:"code"`
			Message string  `json:"message"`
			Field   *string `json:"field"`
		} `json:"error"`
	}
	d := json.NewDecoder(bytes.NewReader(w.Body.Bytes()))
	d.DisallowUnknownFields()
	if err := d.Decode(&e); err != nil {
		t.Errorf("%v: %.200s", err, w.Body)
		return
	}
	got := ""
	if e.Error.Field != nil {
		got = *e.Error.Field
	}
	if w.Code != status || e.Error.Code != code || got != field || !strings.Contains(e.Error.Message, says) || w.Body.Len() > 2000 {
		t.Errorf("%d %s %q: %.300s", w.Code, e.Error.Code, got, e.Error.Message)
	}
	if w.Header().Get("Content-Type") != "application/json" || w.Header().Get("Cache-Control") != "no-store" || w.Header().Get("ETag") != "" {
		t.Errorf("%v", w.Header())
	}
}

func TestHostileSpecificationsAreRefusedBeforeAnyWork(t *testing.T) {
	a, _ := newAPI()
	for _, c := range []struct {
		method, target, body string
		status               int
		code, field, says    string
	}{
		{"GET", "/api/sweep?value=0..999999&key=0..999999", "", 422, "too_many_points", "", "has 2000000000000 points and the limit is 100000"},
		{"GET", "/api/sweep?value=0..50000", "", 422, "too_many_points", "", "100002 points"},
		{"GET", "/api/sweep?value=0..536870912&key=0..536870912&keys=1..1G", "", 422, "too_many_points", "", "more than 10^18 points"},
		{"GET", "/api/sweep?value=NaN", "", 400, "bad_field", "value", "not a whole number"},
		{"GET", "/api/sweep?value=-5", "", 400, "bad_field", "value", "not a whole number"},
		{"GET", "/api/sweep?keys=0", "", 400, "bad_field", "keys", "at least 1"},
		{"GET", "/api/sweep?servers=" + strings.Repeat("9.1.2,", 1500) + "9.1.2", "", 400, "bad_field", "servers", "servers listed, at most 64"},
		{"GET", "/api/sweep?servers=6.2.0", "", 400, "bad_field", "servers", "unknown server"},
		{"GET", "/api/sweep?valu=5", "", 400, "bad_field", "valu", "the fields are type, key, value"},
		{"GET", "/api/sweep?value=%zz", "", 400, "bad_query", "", "malformed"},
		{"GET", "/api/sweep?fields=3", "", 422, "bad_field", "fields", "strings have no fields"},
		{"GET", "/api/sweep?type=hash&ttl=field&servers=8.1.9", "", 422, "bad_field", "ttl", "from 9.0 on"},
		{"GET", "/api/sweep?hash_seed=x&keys=1G", "", 422, "bad_field", "keys", "names"},
		{"GET", "/api/sweep?x=" + strings.Repeat("a", MaxQuery), "", 414, "uri_too_long", "", "16384"},
		{"POST", "/api/sweep", "{", 400, "malformed_json", "", "ends too early"},
		{"POST", "/api/sweep", "\x00", 400, "malformed_json", "", "malformed JSON"},
		{"POST", "/api/sweep", `{"value":[]}`, 400, "bad_field", "value", "empty list"},
		{"POST", "/api/sweep?value=5", `{}`, 400, "bad_query", "", "in the body alone"},
		{"POST", "/api/sweep", `{"value":"` + strings.Repeat("1,", MaxBody) + `1"}`, 413, "body_too_large", "", "65536 bytes"},
		{"GET", "/api/cliffs?value=0..100000000/100000", "", 422, "too_many_points", "", "every length between"},
		{"GET", "/api/sweep.svg?width=9", "", 422, "bad_picture", "", "240 to 2000"},
		{"GET", "/api/sweep.svg?width=x", "", 400, "bad_field", "width", "not a number"},
		{"GET", "/api/sweep.svg?theme=pink", "", 400, "bad_field", "theme", "auto, light, dark"},
		{"GET", "/api/sweep.svg?show=all", "", 400, "bad_field", "show", "bytes_per_key"},
		{"GET", "/api/sweep.svg?log=z", "", 400, "bad_field", "log", "x, y, xy"},
		{"GET", "/api/sweep.svg?key=1..100", "", 422, "bad_picture", "", "more than 36 lines"},
		{"GET", "/api/sweep?width=900", "", 400, "bad_field", "width", "no such field"},
		{"GET", "/api/scenarios/field", "", 404, "not_found", "", "did you mean field-ttl?"},
		{"GET", "/api/scenarios/P1?servers=6.2", "", 400, "bad_field", "servers", "unknown server"},
		{"GET", "/api/scenarios/P1?servers=9.1.2,9.1.2", "", 400, "bad_field", "servers", "named twice"},
		{"GET", "/api/scenarios/P1?build=1", "", 400, "bad_query", "", "takes servers"},
		{"POST", "/api/scenarios/P1", "{}", 405, "method_not_allowed", "", "GET, HEAD, OPTIONS"},
		{"GET", "/api/nothing", "", 404, "not_found", "", "/api/openapi.json"},
		{"GET", "/api/sweep/", "", 404, "not_found", "", "nothing at"},
		{"GET", "/api/", "", 404, "not_found", "", "nothing at"},
		{"DELETE", "/api/sweep", "", 405, "method_not_allowed", "", "GET, HEAD, POST, OPTIONS"},
		{"PUT", "/api/links", "", 405, "method_not_allowed", "", "POST, OPTIONS"},
		{"POST", "/api/servers", "{}", 405, "method_not_allowed", "", "GET, HEAD, OPTIONS"},
		{"GET", "/api/links", "", 405, "method_not_allowed", "", "POST, OPTIONS"},
	} {
		failure(t, do(a, c.method, c.target, c.body), c.status, c.code, c.field, c.says)
	}
	failure(t, do(a, "POST", "/api/sweep", "{}", "Content-Type", "text/plain"), 415, "unsupported_media_type", "", "application/json")
	failure(t, do(a, "POST", "/api/links", "{}", "Content-Type", "application/x-www-form-urlencoded"), 415, "unsupported_media_type", "", "application/json")
	if w := do(a, "POST", "/api/sweep", "{}", "Content-Type", "application/json; charset=utf-8"); w.Code != 200 {
		t.Error(w.Code)
	}
	if w := do(a, "DELETE", "/api/sweep", ""); w.Header().Get("Allow") != "GET, HEAD, POST, OPTIONS" {
		t.Error(w.Header())
	}
}

func TestResultsMayBeKeptAndAreNotSentTwice(t *testing.T) {
	a, m := newAPI()
	id := LinkID([]byte(`{"sweep":{}}`))
	m.of[id] = []byte(`{"sweep":{}}`)
	for _, target := range []string{"/api/sweep?value=5", "/api/sweep.csv?value=5", "/api/sweep.svg", "/api/cliffs", "/api/layout?run=SET+a+b",
		"/api/layout.svg?run=SET+a+b", "/api/servers", "/api/openapi.json", "/api/scenarios", "/api/scenarios/97-bytes", "/api/links/" + id} {
		get := do(a, "GET", target, "")
		tag, keep := get.Header().Get("ETag"), "immutable"
		if target == "/api/servers" || target == "/api/openapi.json" || strings.HasPrefix(target, "/api/scenarios") { // they change with the program
			keep = "no-cache"
		}
		if get.Code != 200 || !strings.HasPrefix(tag, `"`) || len(tag) < 12 || !strings.Contains(get.Header().Get("Cache-Control"), keep) ||
			get.Header().Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%s: %d %v", target, get.Code, get.Header())
		}
		head := do(a, "HEAD", target, "")
		if head.Code != 200 || head.Body.Len() != 0 || head.Header().Get("ETag") != tag || head.Header().Get("Content-Type") != get.Header().Get("Content-Type") {
			t.Errorf("HEAD %s: %d %v", target, head.Code, head.Header())
		}
		for _, tags := range []string{tag, "W/" + tag, `"x", ` + tag, "*"} {
			again := do(a, "GET", target, "", "If-None-Match", tags)
			if again.Code != 304 || again.Body.Len() != 0 || again.Header().Get("ETag") != tag {
				t.Errorf("%s with %s: %d", target, tags, again.Code)
			}
		}
		if again := do(a, "GET", target, "", "If-None-Match", `"other"`); again.Code != 200 || again.Body.String() != get.Body.String() {
			t.Errorf("%s: %d", target, again.Code)
		}
	}
	same := do(a, "GET", "/api/sweep?servers=9.1.2&value=5..5", "").Header().Get("ETag")
	if same != do(a, "GET", "/api/sweep?value=5&servers=9.1.2", "").Header().Get("ETag") {
		t.Error("two spellings of one specification have different tags")
	}
	if same == do(a, "GET", "/api/sweep?value=6&servers=9.1.2", "").Header().Get("ETag") ||
		same == do(a, "GET", "/api/sweep.csv?value=5&servers=9.1.2", "").Header().Get("ETag") ||
		same == do(New(Options{Version: "other"}), "GET", "/api/sweep?value=5&servers=9.1.2", "").Header().Get("ETag") {
		t.Error("different results have one tag")
	}
	if w := do(a, "POST", "/api/sweep", "{}"); w.Header().Get("ETag") != "" || w.Header().Get("Cache-Control") != "no-store" {
		t.Error(w.Header())
	}
}

func TestOptionsTellWhatAnAddressTakes(t *testing.T) {
	a, _ := newAPI()
	w := do(a, "OPTIONS", "/api/sweep", "", "Origin", "https://example.org", "Access-Control-Request-Method", "POST")
	if w.Code != 204 || w.Header().Get("Allow") != "GET, HEAD, POST, OPTIONS" || w.Header().Get("Access-Control-Allow-Origin") != "*" ||
		!strings.Contains(w.Header().Get("Access-Control-Allow-Methods"), "POST") || !strings.Contains(w.Header().Get("Access-Control-Allow-Headers"), "Content-Type") {
		t.Error(w.Code, w.Header())
	}
	w = do(a, "OPTIONS", "/api/links", "", "Origin", "https://example.org")
	if w.Code != 204 || w.Header().Get("Access-Control-Allow-Origin") != "" {
		t.Error("other pages may not make links:", w.Code, w.Header())
	}
}

func TestALinkIsKeptUnderItsContentAndOpensThePage(t *testing.T) {
	a, _ := newAPI()
	var ids []string
	for _, body := range []string{`{"value":"0..20","servers":["9.0.6","9.1.2"]}`, `{"servers":"9.0.6,9.1.2","value":"0..20","key":16}`,
		`{"sweep":{"value":"0..20","servers":["9.0.6","9.1.2"]}}`} {
		w := do(a, "POST", "/api/links", body)
		var got struct{ ID, URL string }
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != 201 || got.URL != "http://example.com/s/"+got.ID || w.Header().Get("Location") != "/s/"+got.ID {
			t.Fatalf("%d %s %v", w.Code, w.Body, err)
		}
		if len(got.ID) < 10 || strings.Trim(got.ID, "0123456789abcdefghjkmnpqrstvwxyz") != "" {
			t.Error(got.ID)
		}
		ids = append(ids, got.ID)
	}
	if ids[0] != ids[1] || ids[1] != ids[2] {
		t.Error("one content, several ids:", ids)
	}
	w := do(a, "GET", "/s/"+ids[0], "")
	where, err := url.Parse(w.Header().Get("Location"))
	if err != nil || w.Code != 302 || where.Path != "/" {
		t.Fatal(w.Code, w.Header(), err)
	}
	state, err := link.Parse(where.EscapedFragment())
	if err != nil {
		t.Fatal(err)
	}
	q, err := url.ParseQuery(state.Sweep)
	if err != nil || q.Get("value") != "0..20" || q.Get("servers") != "9.0.6,9.1.2" {
		t.Error(state.Sweep, err)
	}
	if w := do(a, "GET", "/s/"+strings.ToUpper(ids[0]), ""); w.Code != 302 {
		t.Error("an id in capitals:", w.Code)
	}
	if w := do(a, "GET", "/api/links/"+ids[0], ""); w.Code != 200 || !strings.HasPrefix(w.Body.String(), `{"sweep":{"type":"string","key":"16","value":"0..20"`) {
		t.Error(w.Code, w.Body)
	}
}

func TestThePagesStateIsKeptAsItIs(t *testing.T) {
	a, _ := newAPI()
	short := "v=1&s=9.0.6,9.1.2&run=SET+user:1+Alice&key=user:1"
	long := "v=1&z=" + strings.Repeat("abcd", 5000)
	for _, s := range []string{short, long} {
		body, _ := json.Marshal(map[string]string{"state": s})
		w := do(a, "POST", "/api/links", string(body))
		var got struct{ ID string }
		json.Unmarshal(w.Body.Bytes(), &got)
		if w.Code != 201 {
			t.Fatal(w.Code, w.Body)
		}
		want := "/#" + s
		if s == long {
			want = "/#v=1&link=" + got.ID
		}
		if w := do(a, "GET", "/s/"+got.ID, ""); w.Code != 302 || w.Header().Get("Location") != want {
			t.Errorf("%d %.200s", w.Code, w.Header().Get("Location"))
		}
		var k struct{ State string }
		if json.Unmarshal(do(a, "GET", "/api/links/"+got.ID, "").Body.Bytes(), &k); k.State != s {
			t.Errorf("%.100s", k.State)
		}
	}
	for _, s := range []string{"", "s=9.1.2", "v=0", "v=x", "v=1&a=\r\nSet-Cookie: x", "v=1&a=<script>", "v=1&%zz", "v=1#x", "https://evil.example/v=1"} {
		body, _ := json.Marshal(map[string]string{"state": s})
		failure(t, do(a, "POST", "/api/links", string(body)), 400, "bad_field", "state", "fragment")
	}
}

// The ids of links never change: those given out stay good for ever.
func TestTheIDsOfLinksAreFrozen(t *testing.T) {
	a, _ := newAPI()
	for body, id := range map[string]string{
		`{"value":"0..200","servers":["9.0.6","9.1.2"]}`:                         "d0n3q4tawds40n2n",
		`{"type":"hash","fields":"1..20","ttl":"field","servers":"9.0.6,9.1.2"}`: "7pzxs8vtesw0enb5",
		`{"state":"v=1&s=9.0.6,9.1.2&run=SET+user:1+Alice&key=user:1"}`:          "s3pm88487r6zjg2e",
	} {
		var got struct{ ID string }
		json.Unmarshal(do(a, "POST", "/api/links", body).Body.Bytes(), &got)
		if got.ID != id {
			t.Errorf("%s: %s, was %s", body, got.ID, id)
		}
	}
}

func TestAStoreThatFailsIsAnErrorAndNeverADeadLink(t *testing.T) {
	a, m := newAPI()
	m.fail = errors.New("disk full: /secret/path")
	w := do(a, "POST", "/api/links", `{"value":"5"}`)
	failure(t, w, 503, "not_kept", "", "could not be kept")
	if strings.Contains(w.Body.String(), "secret") {
		t.Error(w.Body)
	}
	failure(t, do(a, "GET", "/s/0123456789abcdef", ""), 503, "store_failed", "", "try again")
	m.fail = nil
	failure(t, do(a, "GET", "/s/0123456789abcdef", ""), 404, "not_found", "", "no such link")
	failure(t, do(a, "GET", "/s/short", ""), 404, "not_found", "", "16 letters")
	failure(t, do(a, "GET", "/api/links/..%2f..%2fetc", ""), 404, "not_found", "", "")
	html := do(a, "GET", "/s/0123456789abcdef", "", "Accept", "text/html,*/*")
	if html.Code != 404 || !strings.Contains(html.Body.String(), `<a href="/">`) {
		t.Error(html.Code, html.Body)
	}
	failure(t, do(New(Options{}), "POST", "/api/links", `{"value":"5"}`), 404, "not_found", "", "keeps no links")
	failure(t, do(New(Options{}), "GET", "/s/0123456789abcdef", ""), 404, "not_found", "", "no such link")
}

func TestALayoutShowsEveryByteOfEveryServer(t *testing.T) {
	a, _ := newAPI()
	w := do(a, "GET", "/api/layout?s=9.0.6,9.1.2&run=SET+user:1+Alice&key=user:1", "")
	var got layoutAnswer
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != 200 || len(got.Servers) != 2 || got.Key != `"user:1"` {
		t.Fatalf("%d %v %.300s", w.Code, err, w.Body)
	}
	for _, s := range got.Servers {
		size, covered := 0, 0
		for _, b := range s.Blocks {
			size += b.Size
			at := 0
			for _, f := range b.Fields {
				if f.Bits == 0 || f.Off+f.Len > at {
					covered += f.Off + f.Len - max(at, f.Off)
					at = max(at, f.Off+f.Len)
				}
			}
		}
		if size != s.Allocated || covered != size || s.Encoding != "embstr" || len(s.Replies) != 1 || s.Replies[0] != "OK" {
			t.Errorf("%+v: %d %d", s, size, covered)
		}
	}
	same := do(a, "POST", "/api/layout", `{"servers":["9.0.6","9.1.2"],"run":["SET user:1 Alice"],"key":"user:1"}`)
	if same.Body.String() != w.Body.String() {
		t.Errorf("%s", same.Body)
	}
	if w := do(a, "GET", "/api/layout?s=9.0.6,9.1.2&run="+url.QueryEscape("SET a b\r\n\nSET user:1 Alice"), ""); !strings.Contains(w.Body.String(), `"user:1\"`) {
		t.Errorf("without a key it is the last command's: %.200s", w.Body)
	}
	if w := do(a, "GET", "/api/layout.txt?run=SET+user:1+Alice", ""); w.Code != 200 || !strings.Contains(w.Body.String(), "# key") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := do(a, "GET", "/api/layout.svg?run=SET+user:1+Alice&theme=dark", ""); w.Code != 200 || !strings.HasPrefix(w.Body.String(), "<svg ") {
		t.Errorf("%d %.200s", w.Code, w.Body)
	}
}

func TestAHostileLayoutIsBounded(t *testing.T) {
	a, _ := newAPI()
	run := func(lines ...string) string {
		return "/api/layout?s=9.1.2&run=" + url.QueryEscape(strings.Join(lines, "\n"))
	}
	big := make([]string, 60)
	for i := range big {
		big[i] = fmt.Sprintf("SETRANGE k%d 131000 x", i)
	}
	many := make([]string, maxCommands+1)
	for i := range many {
		many[i] = "PING"
	}
	for _, c := range []struct {
		target            string
		status            int
		code, field, says string
	}{
		{"/api/layout", 400, "bad_field", "run", "no command"},
		{"/api/layout?run=PING", 422, "no_such_key", "key", "no key"},
		{"/api/layout?run=SET+a+b&key=c", 422, "no_such_key", "key", `no key "c"`},
		{"/api/layout?run=SET+a+%22b", 400, "bad_field", "run", "line 1"},
		{"/api/layout?run=SET+a+b&s=1.2.3", 400, "bad_field", "s", "unknown server"},
		{"/api/layout?run=SET+a+b&s=" + strings.Repeat("9.1.2,", 9) + "9.1.2", 422, "bad_field", "s", "at most 8"},
		{"/api/layout?run=SET+a+b&c=x", 400, "bad_field", "c", "name=value"},
		{"/api/layout?run=SET+a+b&seed=x", 400, "bad_field", "s", "32 hexadecimal digits"},
		{"/api/layout?run=SET+a+b&theme=dark", 400, "bad_field", "", "theme"},
		{run("SETRANGE a 500000000 x"), 422, "no_such_key", "key", "no key"},
		{run(big...), 422, "too_large", "run", "at most 2097152"},
		{run(many...), 422, "bad_field", "run", "at most 1000"},
		{run("DEBUG SLEEP 100"), 422, "bad_field", "run", "not for this interface"},
		{run("lcs a b"), 422, "bad_field", "run", "not for this interface"},
	} {
		failure(t, do(a, "GET", c.target, ""), c.status, c.code, c.field, c.says)
	}
}

func TestAClientThatGoesAwayStopsTheWork(t *testing.T) {
	a, _ := newAPI()
	ctx, cancel := context.WithCancel(t.Context())
	r := httptest.NewRequestWithContext(ctx, "GET", "/api/sweep.ndjson?value=0..49999", nil)
	w := &stopping{ResponseRecorder: httptest.NewRecorder(), stop: cancel}
	a.ServeHTTP(w, r)
	lines := strings.Split(strings.TrimSpace(w.Body.String()), "\n")
	if last := lines[len(lines)-1]; len(lines) > 20_000 || !strings.Contains(last, `"code":"stopped"`) {
		t.Errorf("%d rows, the last is %.200s", len(lines), last)
	}
	r = httptest.NewRequestWithContext(ctx, "GET", "/api/sweep.csv?value=0..49999", nil)
	defer func() {
		if v := recover(); v != http.ErrAbortHandler {
			t.Errorf("an answer cut short has to break the connection: %v", v)
		}
	}()
	a.ServeHTTP(&stopping{ResponseRecorder: httptest.NewRecorder(), stop: cancel}, r)
}

// stopping is a client that goes away after the first part.
type stopping struct {
	*httptest.ResponseRecorder
	stop func()
}

func (s *stopping) Write(b []byte) (int, error) {
	s.stop()
	return s.ResponseRecorder.Write(b)
}

func TestEveryRouteIsDescribedAndEveryDescriptionIsARoute(t *testing.T) {
	a, m := newAPI()
	content := []byte(`{"state":"v=1&s=9.1.2"}`)
	id := LinkID(content)
	m.of[id] = content
	var doc struct {
		OpenAPI string `json:"openapi"`
		Paths   map[string]map[string]struct {
			Summary    string
			Parameters []struct{ Name, In string }
			Responses  map[string]struct{ Content map[string]any }
		} `json:"paths"`
	}
	w := do(a, "GET", "/api/openapi.json", "")
	if err := json.Unmarshal(w.Body.Bytes(), &doc); err != nil || doc.OpenAPI != "3.1.0" {
		t.Fatal(err, doc.OpenAPI)
	}
	for _, r := range a.list {
		path := r.path
		if strings.HasSuffix(path, "/") {
			path += "{id}"
		}
		if doc.Paths[path] == nil {
			t.Errorf("%s is not described", path)
		}
	}
	methods := []string{"GET", "HEAD", "POST", "PUT", "DELETE", "PATCH"}
	for path, item := range doc.Paths {
		for _, method := range methods {
			body, target := "", strings.Replace(strings.Replace(path, "scenarios/{id}", "scenarios/P4", 1), "{id}", id, 1)
			if method == "POST" || method == "PUT" || method == "PATCH" {
				body = map[bool]string{true: `{"run":["SET a b"]}`, false: `{"value":"5"}`}[strings.HasPrefix(path, "/api/layout")]
			} else if strings.HasPrefix(path, "/api/layout") {
				target += "?run=SET+a+b"
			}
			w := do(a, method, target, body)
			op, described := item[strings.ToLower(method)]
			if !described {
				if w.Code != 405 {
					t.Errorf("%s %s is not described and answers %d", method, target, w.Code)
				}
				continue
			}
			answer, ok := op.Responses[fmt.Sprint(w.Code)]
			if !ok || w.Code >= 400 || op.Summary == "" {
				t.Errorf("%s %s: answers %d, which is not described", method, target, w.Code)
			}
			mediaType, _, _ := strings.Cut(w.Header().Get("Content-Type"), ";")
			if _, ok := answer.Content[mediaType]; !ok && w.Code != 302 {
				t.Errorf("%s %s: %q is not described", method, target, mediaType)
			}
			if method == "GET" {
				checkParameters(t, a, target, op.Parameters)
			}
		}
	}
}

// checkParameters holds the described parameters against what the handler takes.
func checkParameters(t *testing.T, a *API, target string, params []struct{ Name, In string }) {
	t.Helper()
	for _, p := range params {
		if p.In != "query" || p.Name == "run" {
			continue
		}
		sep := "?"
		if strings.Contains(target, "?") {
			sep = "&"
		}
		w := do(a, "GET", target+sep+p.Name+"=", "")
		if w.Code == 400 && strings.Contains(w.Body.String(), "no such") {
			t.Errorf("%s: parameter %s is described and not known", target, p.Name)
		}
	}
}

func TestTheServersAreThoseOfTheEngine(t *testing.T) {
	a, _ := newAPI()
	var got serversAnswer
	if err := json.Unmarshal(do(a, "GET", "/api/servers", "").Body.Bytes(), &got); err != nil || len(got.Lines) != 5 || got.Lines[4].Newest != "9.1.2" ||
		len(got.Builds) != 4 || len(got.Rules) < 20 {
		t.Errorf("%+v %v", got, err)
	}
	if w := do(a, "GET", "/healthz", ""); w.Code != 200 || w.Body.String() != "ok\n" {
		t.Error(w.Code, w.Body)
	}
}

func TestLongAnswersCanBeLeftToAnotherWay(t *testing.T) {
	a := New(Options{Stream: func(w http.ResponseWriter, points int) bool {
		if points < 1000 {
			return false
		}
		w.WriteHeader(http.StatusTeapot)
		return true
	}})
	if w := do(a, "GET", "/api/sweep.csv?value=0..10", ""); w.Code != 200 {
		t.Error(w.Code)
	}
	if w := do(a, "GET", "/api/sweep.csv?value=0..1000", ""); w.Code != http.StatusTeapot || w.Body.Len() > 0 {
		t.Error(w.Code)
	}
}

func BenchmarkSweep1000(b *testing.B) {
	a, _ := newAPI()
	b.ReportAllocs()
	for b.Loop() {
		r := httptest.NewRequest("GET", "/api/sweep?value=0..499&servers=9.0.6,9.1.2", nil)
		a.ServeHTTP(&discard{h: http.Header{}}, r)
	}
}

type discard struct{ h http.Header }

func (d *discard) Header() http.Header         { return d.h }
func (d *discard) WriteHeader(int)             {}
func (d *discard) Write(b []byte) (int, error) { return io.Discard.Write(b) }

func TestAScenarioHasThePublishedAndTheSimulatedFigures(t *testing.T) {
	a, _ := newAPI()
	var list struct {
		Scenarios []struct{ ID, Number, Finding string }
	}
	if err := json.Unmarshal(do(a, "GET", "/api/scenarios", "").Body.Bytes(), &list); err != nil || len(list.Scenarios) < 6 || list.Scenarios[0].ID != "97-bytes" {
		t.Fatal(err, list)
	}
	type figure struct {
		Server, Published, Simulated, State string
		Difference                          *float64
	}
	read := func(target string) figure {
		var r struct{ Tables []struct{ Figures []figure } }
		w := do(a, "GET", target, "")
		if err := json.Unmarshal(w.Body.Bytes(), &r); err != nil || len(r.Tables) == 0 {
			t.Fatal(target, err, w.Body)
		}
		return r.Tables[0].Figures[0]
	}
	for _, s := range list.Scenarios {
		if byID, byNumber := read("/api/scenarios/"+s.ID), read("/api/scenarios/"+s.Number); byID.Simulated != byNumber.Simulated {
			t.Errorf("%s and %s differ", s.ID, s.Number)
		}
	}
	if f := read("/api/scenarios/97-bytes"); f.Published != "133.7" || f.Simulated != "133.366" || f.State != "explained" || f.Difference == nil || *f.Difference != -0.334 {
		t.Errorf("%+v", f)
	}
	if f := read("/api/scenarios/97-bytes?servers=8.1.9@libc"); f.Server != "8.1.9@libc" || f.Published != "" || f.State != "alone" || f.Difference != nil {
		t.Errorf("%+v", f)
	}
	one, other := do(a, "HEAD", "/api/scenarios/P1", ""), do(a, "HEAD", "/api/scenarios/P1?servers=8.1.9", "")
	if one.Header().Get("ETag") == other.Header().Get("ETag") {
		t.Error("other servers have the same tag")
	}
}
