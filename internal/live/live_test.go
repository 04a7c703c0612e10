package live

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/internal/front"
	"github.com/keyloupe/keyloupe/ui/wire"
)

// patient is how long a test waits for what must come.
const patient = 30 * time.Second

// world is a front with its page's server.
type world struct {
	t    testing.TB
	resp string // where clients connect
	web  string // where pages do, without a slash at the end
	stop func()
	f    *front.Front
}

func start(t testing.TB, names ...string) *world {
	t.Helper()
	clock := front.NewClock()
	var servers []*engine.Server
	for _, n := range names {
		s, err := engine.NewServer(n, engine.Options{Clock: clock.Now})
		if err != nil {
			t.Fatal(err)
		}
		servers = append(servers, s)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	f := front.New(servers, clock)
	s := New(ctx, f, l.Addr().String())
	files := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "file ", r.URL.Path) })
	web := httptest.NewUnstartedServer(nil)
	web.Config.Handler = s.Handler(web.Listener.Addr(), files)
	web.Start()
	done := make(chan error, 1)
	go func() { done <- f.Serve(ctx, l) }()
	t.Cleanup(func() {
		stop()
		web.Close()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return &world{t, l.Addr().String(), web.URL, stop, f}
}

// post sends a call as it is.
func (w *world) post(ctx context.Context, body io.Reader, change ...func(*http.Request)) (status int, answer []byte, err error) {
	w.t.Helper()
	r, err := http.NewRequestWithContext(ctx, "POST", w.web+"/live/call?v="+wire.Fingerprint(), body)
	if err != nil {
		w.t.Fatal(err)
	}
	r.Header.Set("Content-Type", mediaType)
	for _, f := range change {
		f(r)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer res.Body.Close()
	answer, err = io.ReadAll(res.Body)
	return res.StatusCode, answer, err
}

// page is an open page.
type page struct {
	*world
	opened *wire.Opened
	seen   *wire.Watched
}

func (w *world) open() *page {
	w.t.Helper()
	p := &page{world: w, opened: &wire.Opened{}, seen: &wire.Watched{}}
	p.opened = p.call(wire.Request{Open: &wire.Open{}}).Opened
	return p
}

func (p *page) call(req wire.Request) wire.Response {
	p.t.Helper()
	ctx, done := context.WithTimeout(context.Background(), patient)
	defer done()
	r, err := p.try(ctx, req)
	if err != nil {
		p.t.Fatal(err)
	}
	return r
}

func (p *page) try(ctx context.Context, req wire.Request) (out wire.Response, err error) {
	req.Session = p.opened.Session
	status, answer, err := p.post(ctx, bytes.NewReader(wire.Marshal(req)))
	switch {
	case err != nil:
		return out, err
	case status != 200:
		return out, failure{status, string(answer)}
	}
	return out, wire.Unmarshal(answer, &out)
}

// until watches until what the page is told fits.
func (p *page) until(what string, fits func(*wire.Watched) bool) *wire.Watched {
	p.t.Helper()
	for end := time.Now().Add(patient); time.Now().Before(end); {
		p.seen = p.call(wire.Request{Watch: &wire.Watch{Since: p.seen.Version}}).Watched
		if fits(p.seen) {
			return p.seen
		}
	}
	p.t.Fatalf("it never happens that %s: %+v", what, p.seen)
	return nil
}

func (p *page) run(line string) wire.Result {
	p.t.Helper()
	r := p.call(wire.Request{Run: &wire.Run{Lines: []string{line}}})
	if r.Error != "" || len(r.Ran.Results) != 1 {
		p.t.Fatalf("%s: %+v", line, r)
	}
	return r.Ran.Results[0]
}

func (p *page) says(line, want string) {
	p.t.Helper()
	if got := p.run(line).Replies[0].Text; got != want {
		p.t.Errorf("%s: %s, want %s", line, got, want)
	}
}

// client is a RESP connection that sends typed lines.
type client struct {
	t testing.TB
	net.Conn
	r *bufio.Reader
}

func (w *world) client() *client {
	w.t.Helper()
	c, err := net.Dial("tcp", w.resp)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { c.Close() })
	c.SetDeadline(time.Now().Add(2 * patient))
	return &client{w.t, c, bufio.NewReader(c)}
}

func (c *client) do(line, want string) {
	c.t.Helper()
	io.WriteString(c, line+"\r\n")
	if got, err := c.r.ReadString('\n'); strings.TrimSpace(got) != want {
		c.t.Fatalf("%s: %q, %v; want %q", line, got, err, want)
	}
}

func TestWhatClientsDoIsSeenInThePage(t *testing.T) {
	w := start(t, "9.0.6", "9.1.2")
	p := w.open()
	if len(p.opened.Servers) != 2 || p.opened.Servers[1].Name != "9.1.2" || p.opened.Listen != w.resp {
		t.Fatalf("%+v", p.opened)
	}
	c := w.client()
	c.do("SET user:1 Alice", "+OK")
	c.do("HSET h f v", ":1")
	seen := p.until("two keys are there", func(n *wire.Watched) bool { return n.Totals[0].Keys == 2 && len(n.Feed) > 0 })
	if seen.Clients != 1 || seen.Own || seen.Totals[1].Used <= 0 || len(seen.Databases) != 1 {
		t.Errorf("%+v", seen)
	}
	if last := seen.Feed[len(seen.Feed)-1]; last.Line != `"HSET" "h" "f" "v"` || last.Addr != c.LocalAddr().String() {
		t.Errorf("the last command is %+v", last)
	}
	l := p.call(wire.Request{Keys: &wire.Keys{Count: 10, Find: []byte("user:1")}}).Listed
	if l.Found != 2 || l.At != 1 || l.Part != 0 || string(l.Rows[0].Name) != "h" || l.Rows[1].Type != "string" || l.Rows[1].Sizes[0] <= 0 {
		t.Errorf("%+v", l)
	}
	i := p.call(wire.Request{Inspect: &wire.Inspect{Key: []byte("user:1")}}).Inspected
	if len(i.Side) != 2 || i.Side[0].Encoding != "embstr" || !bytes.Contains(i.Side[1].Blocks[0].Bytes, []byte("Alice")) {
		t.Errorf("%+v", i)
	}
	b := p.call(wire.Request{Table: &wire.Table{Server: 1, Kind: "keys", Count: 8, Open: -1, Key: []byte("h")}}).Buckets
	if b.At == nil || b.Arrays[0].Used != 2 {
		t.Errorf("%+v", b)
	}
	if e := p.call(wire.Request{Budget: &wire.Budget{Key: 16, Value: 97}}).Budgeted; e == nil || e.Servers[1].Encoding != "embstr" {
		t.Errorf("%+v", e)
	}
	if k := p.call(wire.Request{Complete: &wire.Complete{Prefix: []byte("us"), Limit: 5}}).Completed.Keys; len(k) != 1 {
		t.Errorf("completed %q", k)
	}
}

func TestAPageThatOnlyLooksIsNoClient(t *testing.T) {
	w := start(t, "9.1.2")
	p := w.open()
	p.call(wire.Request{Keys: &wire.Keys{Count: 10}})
	n := p.until("it is told something", func(*wire.Watched) bool { return true })
	if n.Clients != 0 || n.Commands != 0 {
		t.Errorf("%+v", n)
	}
}

func TestWhatIsTypedInThePageIsSeenByClients(t *testing.T) {
	w := start(t, "8.1.9", "9.1.2")
	p, c := w.open(), w.client()
	p.says("SET a 1", "OK")
	c.do("INCR a", ":2")
	r := p.run("HSETEX h EX 100 FIELDS 1 f v") // 8.1 does not know it
	if len(r.Replies) != 2 || !r.Replies[0].Error || r.Replies[1].Text != "(integer) 1" || r.Effects[1].Delta <= 0 {
		t.Errorf("%+v", r)
	}
	if r := p.run("KEYLOUPE SUMMARY"); len(r.Replies) != 1 || !strings.HasPrefix(r.Replies[0].Text, "8.1.9 ") {
		t.Errorf("%+v", r)
	}
	p.says("SELECT 3", "OK")
	p.says("SET b 1", "OK")
	c.do("SELECT 3", "+OK")
	c.do("EXISTS b", ":1")
	n := p.until("the page is a client", func(n *wire.Watched) bool { return n.Own })
	if n.Clients != 2 || n.DB != 3 || len(n.Databases) != 2 {
		t.Errorf("%+v", n)
	}
	c.do("CLIENT KILL SKIPME yes TYPE normal", ":1")
	p.says("DBSIZE", "(integer) 1") // it connects again, to the database that it shows
	p.says("QUIT", "OK")
	p.says("GET b", `"1"`)
}

func TestABlockingCommandGetsItsReplyFromAnotherClient(t *testing.T) {
	w := start(t, "9.0.6", "9.1.2")
	p, c := w.open(), w.client()
	got := make(chan wire.Response, 1)
	go func() {
		r, _ := p.try(t.Context(), wire.Request{Run: &wire.Run{Lines: []string{"BLPOP q 0"}}})
		got <- r
	}()
	until(t, w, blocked)
	p.call(wire.Request{Keys: &wire.Keys{Count: 10}}) // the rest of the page goes on
	c.do("RPUSH q x", ":1")
	select {
	case r := <-got:
		if len(r.Ran.Results) != 1 || r.Ran.Results[0].Replies[0].Text != "1) \"q\"\n2) \"x\"" || len(r.Ran.Results[0].Replies) != 1 {
			t.Errorf("%+v", r.Ran)
		}
	case <-time.After(patient):
		t.Fatal("no reply")
	}
	go func() {
		r, _ := p.try(t.Context(), wire.Request{Run: &wire.Run{Lines: []string{"BLPOP q 0"}}})
		got <- r
	}()
	until(t, w, blocked)
	c.do("*3\r\n$5\r\nRPUSH\r\n$1\r\nq\r\n$100000\r\n"+strings.Repeat("x", 100_000), ":1")
	if r := (<-got).Ran.Results[0].Replies[0]; len(r.Text)+r.More < 100_000 {
		t.Errorf("of a long element there are %d bytes", len(r.Text)+r.More)
	}
	if r := p.run("BLPOP q 0.01"); r.Replies[0].Text != "(nil)" {
		t.Errorf("after its time: %+v", r)
	}
}

func TestAWaitThatIsGivenUpTakesNothing(t *testing.T) {
	w := start(t, "9.1.2")
	p, c := w.open(), w.client()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := p.try(ctx, wire.Request{Run: &wire.Run{Lines: []string{"BLPOP q 0"}}})
		ended <- err
	}()
	until(t, w, blocked)
	stop()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	until(t, w, func(s *engine.Server) bool { return !blocked(s) })
	c.do("RPUSH q x", ":1")
	c.do("LLEN q", ":1")

	go p.try(t.Context(), wire.Request{Run: &wire.Run{Lines: []string{"BLPOP other 0"}}})
	until(t, w, blocked)
	p.says("LLEN q", "(integer) 1") // another command ends the wait
	until(t, w, func(s *engine.Server) bool { return !blocked(s) })
}

func blocked(s *engine.Server) bool {
	for _, c := range s.Clients {
		if c.Blocked() {
			return true
		}
	}
	return false
}

// until waits until something is true of the first server.
func until(t *testing.T, w *world, fits func(*engine.Server) bool) {
	t.Helper()
	for end := time.Now().Add(patient); time.Now().Before(end); time.Sleep(time.Millisecond) {
		ok := false
		w.f.With(func(s []*engine.Server) { ok = fits(s[0]) })
		if ok {
			return
		}
	}
	t.Fatal("it never happens")
}

func TestMessagesComeToThePage(t *testing.T) {
	w := start(t, "9.1.2")
	p, c := w.open(), w.client()
	p.run("SUBSCRIBE news other")
	c.do("PUBLISH news hello", ":1")
	var all []string
	p.until("the message is there", func(n *wire.Watched) bool {
		all = append(all, n.Messages...)
		return strings.Contains(strings.Join(all, "\n"), "hello")
	})
	if len(all) != 2 || !strings.Contains(all[0], `"other"`) { // the second confirmation, the message
		t.Errorf("%q", all)
	}
	for range 200 {
		c.do("PUBLISH news "+strings.Repeat("x", 1000), ":1")
	}
	p.until("it is told that some are lost", func(n *wire.Watched) bool { return n.Lost > 0 })
}

func TestAPageWaitsForNewsAndIsNotToldTooOften(t *testing.T) {
	w := start(t, "9.1.2")
	p, c := w.open(), w.client()
	p.until("it is told something", func(*wire.Watched) bool { return true })
	ctx, stop := context.WithTimeout(t.Context(), 3*often)
	defer stop()
	quiet := w.open()
	quiet.until("it knows of the client", func(n *wire.Watched) bool { return n.Clients == 1 })
	if _, err := quiet.try(ctx, wire.Request{Watch: &wire.Watch{Since: quiet.seen.Version}}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("without news it was told something: %v", err)
	}
	begin, told := time.Now(), 0
	for time.Since(begin) < 2*time.Second {
		c.do("INCR n", fmt.Sprintf(":%d", told+1))
		p.seen = p.call(wire.Request{Watch: &wire.Watch{Since: p.seen.Version}}).Watched
		told++
	}
	if most := int(time.Since(begin)/often) + 1; told > most {
		t.Errorf("told %d times in two seconds", told)
	}
}

func TestManyKeysAreListedInPart(t *testing.T) {
	w := start(t, "9.1.2", "7.2.14")
	p := w.open()
	w.f.With(func(servers []*engine.Server) {
		for _, s := range servers {
			v := s.View()
			for n := range 30_000 {
				v.Do("SET", fmt.Sprintf("key:%05d", n), "v")
			}
		}
	})
	l := p.call(wire.Request{Keys: &wire.Keys{Count: 50}}).Listed
	if l.Found < 10_000 || l.Found > 10_200 || l.Part != l.Found || l.All[0].Keys != 30_000 || len(l.Rows) != 50 {
		t.Errorf("%d found, %d looked at", l.Found, l.Part)
	}
	if !slices.IsSortedFunc(l.Rows, func(a, b wire.Key) int { return bytes.Compare(a.Name, b.Name) }) {
		t.Error("the rows are not in order")
	}
	for search, want := range map[string]int{"key:0001?": 10, "029999": 0, "29999": 1, "KEY:1234": 10, "key:*5": 3000} {
		l := p.call(wire.Request{Keys: &wire.Keys{Count: 50, Search: search}}).Listed
		if l.Found != want || l.Part != 0 {
			t.Errorf("%s: %d found of %d", search, l.Found, l.Part)
		}
	}
	if k := p.call(wire.Request{Complete: &wire.Complete{Prefix: []byte("key:1234"), Limit: 5}}).Completed.Keys; len(k) != 5 {
		t.Errorf("completed %q", k)
	}
}

func TestOnlyThePagesOwnCallsAreAnswered(t *testing.T) {
	w := start(t, "9.1.2")
	p := w.open()
	run := wire.Marshal(wire.Request{Session: p.opened.Session, Run: &wire.Run{Lines: []string{"SET a 1"}}})
	header := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	for what, c := range map[string]struct {
		body   []byte
		change func(*http.Request)
		want   int
	}{
		"another origin":           {run, header("Origin", "http://elsewhere.example"), http.StatusForbidden},
		"another site":             {run, header("Sec-Fetch-Site", "cross-site"), http.StatusForbidden},
		"a name made to lead here": {run, func(r *http.Request) { r.Host = "elsewhere.example" }, http.StatusMisdirectedRequest},
		"a form":                   {run, header("Content-Type", "text/plain"), http.StatusUnsupportedMediaType},
		"another version":          {run, func(r *http.Request) { r.URL.RawQuery = "v=1" }, http.StatusConflict},
		"no message":               {[]byte("nonsense"), func(*http.Request) {}, http.StatusBadRequest},
		"too much":                 {make([]byte, maxBody+1), func(*http.Request) {}, http.StatusRequestEntityTooLarge},
		"a page nobody knows":      {wire.Marshal(wire.Request{Session: "x", Keys: &wire.Keys{}}), func(*http.Request) {}, http.StatusGone},
		"a GET":                    {nil, func(r *http.Request) { r.Method = "GET" }, http.StatusMethodNotAllowed},
	} {
		status, answer, err := w.post(t.Context(), bytes.NewReader(c.body), c.change)
		if err != nil || status != c.want || len(answer) == 0 {
			t.Errorf("%s: %d %q %v, want %d", what, status, answer, err, c.want)
		}
	}
	p.says("EXISTS a", "(integer) 0")
	if r := p.call(wire.Request{}); r.Error == "" {
		t.Error("a call for nothing has no error")
	}
	if r := p.call(wire.Request{Table: &wire.Table{Server: 7}}); r.Error == "" {
		t.Error("a table of no server has no error")
	}
	for _, host := range []string{"localhost:1", "127.0.0.1", "[::1]:80", "keyloupe.localhost"} {
		if status, _, _ := w.post(t.Context(), bytes.NewReader(run), func(r *http.Request) { r.Host = host }); status != 200 {
			t.Errorf("%s: %d", host, status)
		}
	}
}

func TestThePageIsAtLive(t *testing.T) {
	w := start(t, "9.1.2")
	for path, want := range map[string]string{"/": "/live file /", "/live": "/live file /", "/app.css": "/app.css file /app.css"} {
		r, err := http.Get(w.web + path)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(r.Body)
		r.Body.Close()
		if got := r.Request.URL.Path + " " + string(text); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

func TestAKeysPictureIsTheServers(t *testing.T) {
	w := start(t, "9.0.6", "9.1.2")
	c := w.client()
	c.do("SELECT 2", "+OK")
	c.do(`SET <key> "<script>"`, "+OK")
	c.do("SETRANGE big 100000 x", ":100001")
	for query, want := range map[string]string{
		"db=2&key=%3Ckey%3E": "200 &lt;key&gt;", "db=0&key=a": "422 there is no key", "db=2&key=big": "422 too many for one picture",
		"db=x&key=a": "400 no number", "db=-1&key=a": "422 no database", "db=99&key=a": "422 no database", "db=7&key=a": "422 no key", "": "400 no number",
	} {
		r, err := http.Get(w.web + "/live/layout.svg?" + query)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(r.Body)
		r.Body.Close()
		status, words, _ := strings.Cut(want, " ")
		if fmt.Sprint(r.StatusCode) != status || !strings.Contains(string(text), words) || strings.Contains(string(text), "<script") {
			t.Errorf("%s: %d %.300s", query, r.StatusCode, text)
		}
	}
}

func TestAnswersEndWhenTheServerStops(t *testing.T) {
	w := start(t, "9.1.2")
	p, waiting := w.open(), w.open()
	p.until("it is told something", func(*wire.Watched) bool { return true })
	ended := make(chan error, 2)
	go func() {
		_, err := p.try(t.Context(), wire.Request{Watch: &wire.Watch{Since: p.seen.Version}})
		ended <- err
	}()
	go func() {
		_, err := waiting.try(t.Context(), wire.Request{Run: &wire.Run{Lines: []string{"BLPOP q 0"}}})
		ended <- err
	}()
	until(t, w, blocked)
	w.stop()
	for range 2 {
		var f failure
		if err := <-ended; !errors.As(err, &f) || f.status != http.StatusServiceUnavailable && f.status != http.StatusRequestTimeout {
			t.Errorf("it ended with %v", err)
		}
	}
}

func TestAPageThatGoesAwayIsForgottenWithItsClient(t *testing.T) {
	w := start(t, "9.1.2")
	p := w.open()
	p.says("PING", "PONG")
	until(t, w, func(s *engine.Server) bool { return len(s.Clients) == 1 })
	p.until("it is told something", func(*wire.Watched) bool { return true })
	ctx, stop := context.WithTimeout(t.Context(), 2*often)
	defer stop()
	p.try(ctx, wire.Request{Watch: &wire.Watch{Since: p.seen.Version}})
	until(t, w, func(s *engine.Server) bool { return len(s.Clients) == 0 })
	var f failure
	if _, err := p.try(t.Context(), wire.Request{Keys: &wire.Keys{}}); !errors.As(err, &f) || f.status != http.StatusGone {
		t.Errorf("it is answered: %v", err)
	}
}

func TestMoreAndMorePagesMakeTheQuietestGo(t *testing.T) {
	w := start(t, "9.1.2")
	first := w.open()
	var last *page
	for range maxSessions {
		last = w.open()
	}
	var f failure
	if _, err := first.try(t.Context(), wire.Request{Keys: &wire.Keys{}}); !errors.As(err, &f) || f.status != http.StatusGone {
		t.Errorf("the first page is answered: %v", err)
	}
	last.call(wire.Request{Keys: &wire.Keys{}})
}
