package e2e

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/keyloupe/keyloupe/internal/browser"
)

// program builds keyloupe once a test run.
var program = sync.OnceValues(func() (string, error) {
	bin, err := filepath.Abs("../bin/e2e-keyloupe")
	if err != nil {
		return "", err
	}
	if out, err := exec.Command("go", "build", "-o", bin, "../cmd/keyloupe").CombinedOutput(); err != nil {
		return string(out), err
	}
	return bin, nil
})

// resp is a running `keyloupe resp --http`.
type resp struct {
	t    *testing.T
	cmd  *exec.Cmd
	addr string // of clients
	page string // the address of the page, with a slash at the end
}

// startResp starts it; web is the address of the page.
func startResp(t *testing.T, web string) *resp {
	t.Helper()
	public, err := built()
	if err != nil {
		t.Fatalf("make: %v\n%s", err, public)
	}
	bin, err := program()
	if err != nil {
		t.Fatalf("go build: %v\n%s", err, bin)
	}
	r := &resp{t: t, cmd: exec.Command(bin, "resp", "--listen", "127.0.0.1:0", "--http", web, "--public", public, "--server", "9.0.6,9.1.2")}
	out, err := r.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.stop)
	lines := bufio.NewScanner(out)
	for _, at := range []*string{&r.addr, &r.page} {
		if !lines.Scan() {
			t.Fatal("it did not print its addresses")
		}
		*at = lines.Text()
	}
	return r
}

// stop ends it as a person does.
func (r *resp) stop() {
	if r.cmd.ProcessState != nil {
		return
	}
	r.cmd.Process.Signal(syscall.SIGTERM)
	if err := r.cmd.Wait(); err != nil {
		r.t.Errorf("resp ended with %v", err)
	}
}

// send sends typed lines on a connection of their own and gives the first line of the last reply.
func (r *resp) send(lines ...string) string {
	r.t.Helper()
	c, err := net.DialTimeout("tcp", r.addr, 10*time.Second)
	if err != nil {
		r.t.Fatal(err)
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(time.Minute))
	go io.WriteString(c, strings.Join(lines, "\r\n")+"\r\n")
	in, last := bufio.NewReader(c), ""
	for range lines {
		if last, err = in.ReadString('\n'); err != nil {
			r.t.Fatal(err)
		}
		if last[0] == '$' && last != "$-1\r\n" {
			if last, err = in.ReadString('\n'); err != nil {
				r.t.Fatal(err)
			}
		}
	}
	return strings.TrimSpace(last)
}

// openLive opens the page in front of the servers.
func openLive(t *testing.T) (*browser.Tab, *resp) {
	t.Helper()
	r := startResp(t, "127.0.0.1:0")
	tab := browser.New(t)
	tab.Size(1500, 1000)
	tab.Open(r.page)
	tab.Wait(`document.querySelector('.state.on') !== null`)
	return tab, r
}

func TestThePageShowsWhatClientsOfRespDo(t *testing.T) {
	tab, r := openLive(t)
	if at := browser.Eval[string](tab, "location.pathname"); at != "/live" {
		t.Errorf("the page is at %s", at)
	}
	tab.WaitText(".clients", "Point a client at "+r.addr)
	r.send("SET user:1 Alice", "HSET user:2 name Bob", "EXPIRE user:1 900")
	tab.Wait(`document.querySelectorAll('.krows .row').length === 2`)
	tab.WaitText(".feed", `"EXPIRE" "user:1" "900"`)
	tab.Click(`.krows .row[data-key="user:1"]`)
	tab.WaitText(".insp .sub", "expires in")
	const cells = `[...document.querySelectorAll('.side:nth-child(2) .c.r-value')].map(c => c.dataset.c).join('')`
	tab.Wait(cells + ` === 'Alice'`)
	r.send("SET user:1 Carol")
	tab.Wait(cells + ` === 'Carol'`)
	tab.WaitText(".bud", "embstr")
	tab.Wait(`document.querySelectorAll('.tbl .bkt').length > 0`)

	r.send(many(1500)...)
	tab.WaitText(".totals", "1\u202f502 keys")
	tab.Shot("live-light")
}

func TestALoaderOfManyKeysIsWatched(t *testing.T) {
	tab, r := openLive(t)
	const n = 200_000
	done := make(chan bool)
	go func() { r.load(n); close(done) }()
	tab.WaitText(".clients .note", "A sample")
	tab.WaitText(".totals", "those that a scan finds first")
	tab.Shot("live-loading")
	<-done
	tab.WaitText(".totals", "of 200\u202f000 keys")
	tab.Wait(`document.querySelector('.facts span').textContent.startsWith('0 commands/s')`)
	browser.Eval[bool](tab, `(() => { const e = document.querySelector('.search'); e.value = 'key:000000199999'; e.dispatchEvent(new Event('input', {bubbles: true})); return true })()`)
	tab.Wait(`document.querySelectorAll('.krows .row').length === 1`)
	tab.Click(`.krows .row`)
	tab.WaitText(".insp h3", "key:000000199999")
}

// load sets keys on one connection, without waiting for replies.
func (r *resp) load(n int) {
	c, err := net.Dial("tcp", r.addr)
	if err != nil {
		r.t.Error(err)
		return
	}
	defer c.Close()
	go func() {
		out := bufio.NewWriter(c)
		for i := range n {
			fmt.Fprintf(out, "SET key:%012d vvvvvvvvvvvvvvvv\r\n", i)
		}
		out.Flush()
	}()
	if _, err := io.CopyN(io.Discard, c, int64(n*len("+OK\r\n"))); err != nil {
		r.t.Error(err)
	}
}

// many is commands that make a picture worth looking at.
func many(n int) (lines []string) {
	for i := range n {
		lines = append(lines, fmt.Sprintf("SET session:%05d %s", i, strings.Repeat("v", 1+i%90)))
	}
	return lines
}

func TestACommandTypedInThePageIsSeenByClients(t *testing.T) {
	tab, r := openLive(t)
	enter(tab, "SET typed here", "HGETALL none")
	if got := r.send("GET typed"); got != "here" {
		t.Errorf("a client reads %q", got)
	}
	tab.WaitText(".clients .facts", "this page")
	tab.Do(focusPrompt)
	tab.Type("BLPOP queue 0")
	tab.Key(kb.Enter)
	tab.WaitText(".progress", "Stop")
	r.send("SET meanwhile 1")
	tab.Wait(`document.querySelector('.krows .row[data-key="meanwhile"]') !== null`)
	r.send("RPUSH queue job")
	tab.WaitText("#log .entry:last-child", `2) "job"`)
	enter(tab, "SELECT 5", "SET b 1")
	tab.WaitText(".dbs", "5 (1 key)")
	tab.Click(`.dbs button:first-of-type`)
	tab.Wait(`document.querySelectorAll('.krows .row').length === 2`)
	tab.Do(focusPrompt)
	tab.Type("BLPOP queue 0")
	tab.Key(kb.Enter)
	tab.WaitText(".progress", "Stop")
	tab.Key("c", chromedp.ModifierCtrl)
	tab.WaitText("#log .entry:last-child", "connection was closed")
	tab.Wait(`!document.querySelector('.facts').textContent.includes('this page')`)
	if got := r.send("RPUSH queue x", "LLEN queue"); got != ":1" {
		t.Errorf("the command that was stopped took an element: %s", got)
	}
	enter(tab, "LLEN queue")
	tab.WaitText("#log .entry:last-child", "(integer) 1")
}

func TestAServerThatStopsIsSaidAndAnotherIsFound(t *testing.T) {
	tab, r := openLive(t)
	tab.AllowError("Failed to load resource") // what the browser says of calls to nobody
	r.send("SET a 1")
	tab.Wait(`document.querySelectorAll('.krows .row').length === 1`)
	r.stop()
	tab.WaitText(".banner", "The server stopped; reconnecting…")
	tab.Shot("live-stopped")
	again := startResp(t, strings.TrimSuffix(strings.TrimPrefix(r.page, "http://"), "/"))
	tab.WaitText(".toast", "Connected again")
	tab.Wait(`document.querySelector('.banner') === null && document.querySelectorAll('.krows .row').length === 0`)
	again.send("SET b 1")
	tab.Wait(`document.querySelector('.krows .row').dataset.key === 'b'`)
}

func TestTheLivePageFitsDarkAndNarrow(t *testing.T) {
	tab, r := openLive(t)
	r.send("SET user:1:session:7 eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9", "EXPIRE user:1:session:7 900", "SELECT 3", "SET other 1")
	enter(tab, "OBJECT ENCODING user:1:session:7")
	tab.WaitText(".dbs", "3 (1 key)")
	tab.Click(`.krows .row:first-child`)
	tab.WaitText(".insp h3", "user:1")
	browser.Call(tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}})
	tab.Shot("live-dark")
	for _, width := range []int64{1500, 800, 400, 320} {
		tab.Size(width, 900)
		tab.Wait(fmt.Sprintf(`innerWidth === %d`, width))
		if over := browser.Eval[int](tab, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
			t.Errorf("at %d pixels the page is %d too wide", width, over)
		}
	}
	tab.Size(400, 900)
	tab.ShotAll("live-narrow")
}
