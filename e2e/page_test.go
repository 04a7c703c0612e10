package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/keyloupe/keyloupe/internal/browser"
)

// ready is true when the servers run and no command is waiting.
const ready = `document.querySelector('#prompt') !== null && document.querySelector('.prompt .who').textContent.length > 1 && document.querySelector('.pending') === null && document.querySelector('.progress') === null`

// openPage opens the built page in a new browser context and waits until it is ready.
func openPage(t *testing.T, fragment string) (tab *browser.Tab, url string) {
	t.Helper()
	url = serve(t) // before the tab, so that it outlives it
	tab = browser.New(t)
	tab.Size(1500, 1000)
	tab.Open(url + fragment)
	tab.Wait(ready)
	return tab, url
}

var focusPrompt = chromedp.Focus(chromedp.CSS("#prompt"))

// enter types a line into the prompt and waits until it was run.
func enter(tab *browser.Tab, lines ...string) {
	const last = `(document.querySelector('.entry:last-child')?.dataset.key ?? '')`
	for _, l := range lines {
		before := browser.Eval[string](tab, last)
		tab.Do(focusPrompt)
		tab.Type(l)
		tab.Key(kb.Enter)
		tab.Wait(last + " !== '" + before + "' && " + ready)
	}
}

func prompt(tab *browser.Tab) string {
	return browser.Eval[string](tab, `document.querySelector('#prompt').value`)
}

func TestTypingACommandShowsItsBytesOnBothServers(t *testing.T) {
	tab, _ := openPage(t, "")
	enter(tab, "SET user:1:session:7 eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9", "EXPIRE user:1:session:7 900")
	tab.WaitText("#log", "(integer) 1")
	tab.WaitText(".insp h3", "user:1:session:7")
	tab.WaitText(".insp .sub", "expires in")
	tab.WaitText(".diff", "9.0.6 cannot embed it")
	if n := browser.Eval[int](tab, `document.querySelectorAll('.side').length`); n != 2 {
		t.Errorf("%d sides", n)
	}
	text := browser.Eval[string](tab, `[...document.querySelectorAll('.side:nth-child(2) .c.r-key')].map(c => c.dataset.c).join('')`)
	if text != "user:1:session:7" {
		t.Errorf("the key's cells of 9.1.2 spell %q", text)
	}
	enter(tab, "HSET user:123 name Alice", "SMEMBER tags")
	tab.WaitText("#log", "Did you mean SMEMBERS?")
	tab.Click(`.krows .row:nth-child(1)`)
	tab.WaitText(".insp h3", "user:123")
	tab.Type("MEMORY USAGE user:12")
	tab.Shot("start")
}

func TestWordsKeysAndHintsAreCompleted(t *testing.T) {
	tab, _ := openPage(t, "")
	enter(tab, "SET user:1:session:7 a", "SET user:2 b")
	tab.Type("memory us")
	tab.WaitText(".ghost", "age key [SAMPLES count]")
	tab.Key(kb.Tab)
	tab.Wait(`document.querySelector('#prompt').value === 'memory usage '`)
	tab.Type("use")
	tab.Key(kb.Tab)
	tab.Wait(`document.querySelectorAll('.menu .opt').length === 2`)
	tab.Shot("menu")
	tab.Key(kb.Tab)
	tab.Key(kb.Enter)
	tab.Wait(`document.querySelector('#prompt').value === 'memory usage user:1:session:7 '`)
	tab.Key(kb.Enter)
	tab.Wait(ready)
	tab.WaitText("#log .entry:last-child .rep", "(integer)")
}

func TestHistorySettingsAndStateSurviveAReload(t *testing.T) {
	tab, _ := openPage(t, "")
	enter(tab, "SET a 1", "SET b 2")
	browser.Eval[bool](tab, `(() => { const e = document.querySelector('.chip select'); e.value = '8.1.9'; e.dispatchEvent(new Event('change', {bubbles: true})); return true })()`)
	tab.Wait(`document.querySelector('.khead').textContent.includes('8.1.9')`)
	tab.Click(".top button.quiet") // the colours: auto → light
	tab.Wait(`document.documentElement.dataset.theme === 'light' && location.hash.includes('s=8.1.9,9.1.2') && location.hash.includes('run=SET+b+2')`)
	tab.Wait(`!('storing' in document.documentElement.dataset)`)
	tab.Do(chromedp.Reload())
	tab.Wait(ready)
	tab.Wait(`document.querySelectorAll('.krows .row').length === 2 && document.documentElement.dataset.theme === 'light'`)
	tab.Do(focusPrompt)
	tab.Key(kb.ArrowUp)
	tab.Key(kb.ArrowUp)
	tab.Wait(`document.querySelector('#prompt').value === 'SET a 1'`)
	tab.Key("r", chromedp.ModifierCtrl)
	tab.Type("B 2")
	tab.WaitText(".ghost", "SET b 2")
	tab.Key(kb.Enter)
	tab.Wait(ready)
	tab.Wait(`document.querySelectorAll('.entry').length === 3`)
}

func TestALinkOpensTheSameStateInAnotherBrowser(t *testing.T) {
	tab, url := openPage(t, "")
	enter(tab, "SET user:1 Alice", `SET "a b" "caf\xc3\xa9"`)
	tab.Click(`.krows .row[data-key="user:1"]`)
	browser.Eval[bool](tab, `navigator.clipboard.writeText = t => { window.copied = t; return Promise.resolve() }, true`)
	tab.Click(".top .pri")
	tab.WaitText(".toast", "Link copied")
	link := browser.Eval[string](tab, "window.copied")
	if !strings.HasPrefix(link, url+"#v=1&s=9.0.6,9.1.2&run=SET+user:1+Alice&") {
		t.Errorf("copied %q", link)
	}
	other := browser.New(t)
	other.Open(link)
	other.Wait(ready)
	other.WaitText(".insp h3", "user:1")
	if n := browser.Eval[int](other, `document.querySelectorAll('.krows .row').length`); n != 2 {
		t.Errorf("the other browser lists %d keys", n)
	}
	other.WaitText("#log", "Alice")
}

func TestTheSlidersMoveTheBudget(t *testing.T) {
	tab, _ := openPage(t, "")
	tab.WaitText(".bud .emb:nth-child(2) .say", "up to 97 bytes (89 with a TTL). One byte more costs 24")
	set := func(value string) {
		browser.Eval[bool](tab, `(() => { const e = document.querySelector('#b-value'); e.value = '`+value+`'; e.dispatchEvent(new Event('input', {bubbles: true})); return true })()`)
	}
	set("97")
	tab.Wait(`document.querySelector('.bud .emb:nth-child(2) .tag').textContent === 'embstr'`)
	set("98")
	tab.Wait(`document.querySelector('.bud .emb:nth-child(2) .tag').textContent === 'raw'`)
	tab.Click("#b-ttl")
	tab.Wait(`location.hash.includes('b=16,98,ttl')`)
	tab.Click(`#b-key`)
	tab.Shot("budget")
}

func TestThePageWorksByKeyboardAlone(t *testing.T) {
	tab, _ := openPage(t, "")
	focused := func(selector string) bool {
		return browser.Eval[bool](tab, fmt.Sprintf(`document.activeElement.matches(%q)`, selector))
	}
	reach := func(selector string) {
		t.Helper()
		for range 80 {
			if focused(selector) {
				return
			}
			tab.Key(kb.Tab)
		}
		t.Fatalf("Tab does not reach %s; it is on %s", selector, browser.Eval[string](tab, `document.activeElement.outerHTML.slice(0, 200)`))
	}
	reach("#prompt")
	for _, l := range []string{"SET user:1 " + strings.Repeat("x", 150), "SET user:2 b"} {
		tab.Type(l)
		tab.Key(kb.Enter)
		tab.Wait(ready)
	}
	reach(".ktall")
	tab.Key(kb.Home)
	tab.WaitText(".insp h3", "user:1")
	tab.Key(kb.ArrowDown)
	tab.WaitText(".insp h3", "user:2")
	tab.Key(kb.ArrowUp)
	tab.WaitText(".insp h3", "user:1")
	reach(".side:nth-child(1) .c")
	tab.WaitText(".readout", "byte 0")
	for range 30 {
		if browser.Eval[bool](tab, `document.activeElement.classList.contains('to')`) {
			break
		}
		tab.Key(kb.ArrowRight)
	}
	tab.WaitText(".readout", "→")
	tab.Shot("pointer")
	tab.Key(kb.Enter) // follow the pointer to the value's block
	tab.Wait(`document.activeElement.closest('.blk') !== null && document.activeElement.closest('.blk').matches(':nth-of-type(3)')`)
	tab.Key(kb.ArrowDown)
	tab.WaitText(".readout", "byte 16")
}

func TestHoveringAByteExplainsItAndLightsItsRoleOnBothSides(t *testing.T) {
	tab, _ := openPage(t, "#v=1&run=SET+user:1+Alice")
	tab.WaitText(".insp h3", "user:1")
	tab.Wait(`document.querySelectorAll('.side').length === 2 && document.querySelectorAll('.c.r-value').length > 0`)
	at := browser.Eval[[]float64](tab, `(() => { const r = document.querySelector('.side .c.r-value').getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] })()`)
	tab.Do(chromedp.MouseEvent("mouseMoved", at[0], at[1]))
	tab.Wait(`document.querySelector('.sides').dataset.lit === 'value'`)
	tab.WaitText(".readout", "9.0.6")
	lit := browser.Eval[int](tab, `[...document.querySelectorAll('.side')].filter(s => [...s.querySelectorAll('.c.r-value')].every(c => !c.matches('.x'))).length`)
	if lit != 2 {
		t.Errorf("%d sides have the role", lit)
	}
	tab.Shot("hover")
}

func TestACrashOfTheWorkerIsSaidAndRepaired(t *testing.T) {
	url := serve(t)
	tab := browser.New(t)
	// keep a hand on the workers that the page starts
	tab.BeforeLoad(`const W = Worker; window.workers = []; window.Worker = class extends W { constructor(...a) { super(...a); window.workers.push(this) } }`)
	tab.Open(url)
	tab.Wait(ready)
	enter(tab, "SET a 1", "SET b 2")
	browser.Eval[bool](tab, `window.workers.at(-1).dispatchEvent(new MessageEvent('message', {data: {ended: 'killed by the test'}}))`)
	enter(tab, "GET b")
	tab.WaitText("#log .entry:last-child .rep", `"2"`)
	tab.WaitText(".banner", "The engine crashed")
	if n := browser.Eval[int](tab, `window.workers.length`); n < 2 {
		t.Errorf("%d workers were started", n)
	}
	tab.Shot("crash")
}

func TestALongCommandIsStoppedWithCtrlC(t *testing.T) {
	tab, _ := openPage(t, "")
	enter(tab, "SET a 1")
	var lines strings.Builder
	for n := range 30_000 {
		fmt.Fprintf(&lines, "SET key:%d %d\n", n, n)
	}
	paste(tab, lines.String())
	tab.Wait(`document.querySelector('.progress') !== null`)
	tab.Do(focusPrompt)
	tab.Key("c", chromedp.ModifierCtrl)
	tab.Wait(ready)
	tab.WaitText("#log", "stopped: not run")
	enter(tab, "GET a")
	tab.WaitText("#log .entry:last-child .rep", `"1"`)
}

// paste pastes text into the prompt.
func paste(tab *browser.Tab, text string) {
	tab.Do(focusPrompt)
	browser.Eval[bool](tab, fmt.Sprintf(`(() => { const d = new DataTransfer(); d.setData('text/plain', %q); document.querySelector('#prompt').dispatchEvent(new ClipboardEvent('paste', {clipboardData: d, bubbles: true, cancelable: true})); return true })()`, text))
}

func TestRefusedStorageIsSaidAndThePageWorks(t *testing.T) {
	url := serve(t)
	tab := browser.New(t)
	tab.BeforeLoad(`Object.defineProperty(window, 'indexedDB', { get() { throw new DOMException('denied', 'SecurityError') } })`)
	tab.Open(url)
	tab.Wait(ready)
	tab.WaitText(".hint", "refuses storage")
	enter(tab, "SET a 1")
	tab.WaitText("#log", "OK")
}

func TestABrowserWithoutWebAssemblyIsToldSo(t *testing.T) {
	url := serve(t)
	tab := browser.New(t)
	tab.BeforeLoad(`delete window.WebAssembly`)
	tab.Open(url)
	tab.WaitText("#app", "cannot run WebAssembly")
}

func TestBadInputGivesAMessageAndLosesNothing(t *testing.T) {
	tab, url := openPage(t, "")
	enter(tab, `SET a "b`)
	tab.WaitText("#log .entry:last-child .err", "Invalid argument(s)")
	enter(tab, `SET bin "\x00\xff\n"`, "GET bin")
	tab.WaitText("#log .entry:last-child .rep", `"\x00\xff\n"`)
	tab.Type("SET half")
	browser.Eval[bool](tab, `(() => { const e = document.querySelector('#prompt'); e.value = 'SET a ' + 'x'.repeat(10 << 20); e.dispatchEvent(new Event('input', {bubbles: true})); return true })()`)
	tab.WaitText(".toast", "the prompt takes up to")
	if got := prompt(tab); got != "SET half" {
		t.Errorf("the prompt has %.40q", got)
	}
	for fragment, words := range map[string]string{
		"#v=7&run=PING":         "newer Keyloupe",
		"#v=1&z=K7Ytts":         "cut off",
		"#v=1&s=11.0.0&run=GET": "unknown server",
	} {
		other := browser.New(t)
		other.Open(url + fragment)
		other.Wait(ready)
		other.WaitText(".banner", words)
	}
}

func TestAHugeValueIsDrawnInWindows(t *testing.T) {
	tab, _ := openPage(t, "#v=1&run=SETRANGE+big+10485760+end")
	tab.WaitText(".pager", "of 1") // 10 485 763 bytes
	cells := browser.Eval[int](tab, `document.querySelectorAll('.c').length`)
	if cells > 1500 {
		t.Errorf("%d cells are drawn", cells)
	}
	tab.Click(`.blk:nth-of-type(3) .pager button[aria-label="Later bytes"]`)
	tab.WaitText(".blk:nth-of-type(3) .pager", "bytes 512")
	tab.Shot("huge")
}

func TestTheEmbedHasNoChromeAndKeepsItsAddress(t *testing.T) {
	url := serve(t)
	tab := browser.New(t)
	tab.Open(url + "embed#v=1&s=9.1.2&run=SET+a+1&ro=1")
	tab.WaitText("#log", "OK")
	tab.WaitText(".insp h3", "a")
	if browser.Eval[bool](tab, `document.querySelector('.top') !== null || document.querySelector('#prompt') !== null`) {
		t.Error("a read-only embed has a header or a prompt")
	}
	tab.Click(`.krows .row`)
	tab.Wait(`document.querySelector('footer a').href.endsWith('/#v=1&s=9.1.2&run=SET+a+1&key=a')`)
	if got := browser.Eval[string](tab, "location.hash"); got != "#v=1&s=9.1.2&run=SET+a+1&ro=1" {
		t.Errorf("the address became %s", got)
	}
}

func TestTheKeysTableShowsBothArraysWhileRehashing(t *testing.T) {
	var run strings.Builder
	for n := range 57 {
		fmt.Fprintf(&run, "&run=SET+k:%d+v", n)
	}
	tab, _ := openPage(t, "#v=1&s=9.1.2&t=9.1.2/keys"+run.String())
	tab.Wait(`document.querySelectorAll('.arr').length === 2`)
	tab.WaitText(".tbl", "Moving to the new array")
	tab.Shot("rehash")
}

func TestLightDarkNarrowAndManyServersLookRight(t *testing.T) {
	const state = "#v=1&s=9.0.6,9.1.2&run=SET+user:1:session:7+eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9&run=EXPIRE+user:1:session:7+900&run=HSETEX+user:123+EX+900+FIELDS+1+auth_token+3f9c71d2aa40be17&run=SADD+tags+a+b+c&run=SMEMBER+tags&key=user:1:session:7"
	tab, url := openPage(t, state)
	tab.WaitText(".insp h3", "user:1:session:7")
	tab.Wait(`document.querySelectorAll('.c').length > 100 && document.querySelectorAll('.bkt').length > 0 && document.querySelectorAll('.emb').length === 2`)
	scheme := func(value string) {
		browser.Call(tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: value}}})
	}
	for _, s := range []string{"light", "dark"} {
		scheme(s)
		tab.Shot(s)
		tab.Size(390, 844)
		if wide := browser.Eval[int](tab, `document.documentElement.scrollWidth`); wide > 390 {
			t.Errorf("%s: a page of %d pixels on a screen of 390", s, wide)
		}
		tab.ShotAll("narrow-" + s)
		tab.Size(1500, 1000)
	}
	tab.Open(url + strings.Replace(state, "s=9.0.6,9.1.2", "s=7.2.14,8.0.10,8.1.9,9.0.6,9.1.2,9.1.2@managed", 1))
	tab.Wait(`!('storing' in document.documentElement.dataset)`)
	tab.Do(chromedp.Reload())
	tab.Wait(ready)
	tab.Wait(`document.querySelectorAll('.side').length === 6 && document.querySelectorAll('.emb').length === 6`)
	if wide := browser.Eval[int](tab, `document.documentElement.scrollWidth`); wide > 1500 {
		t.Errorf("six servers make the page %d pixels wide", wide)
	}
	tab.ShotAll("six")
}

func TestReducedMotionIsKept(t *testing.T) {
	tab, _ := openPage(t, "")
	browser.Call(tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}}})
	enter(tab, "SET a 1")
	moving := browser.Eval[int](tab, `[...document.querySelectorAll('*')].filter(e => { const s = getComputedStyle(e); return s.animationName !== 'none' || parseFloat(s.transitionDuration) > 0 }).length`)
	if moving != 0 {
		t.Errorf("%d elements move", moving)
	}
}

func TestAListpackIsShownByElementAndItsConversionBeforeAndAfter(t *testing.T) {
	tab, _ := openPage(t, "#v=1&run=HSET+user:123+auth_token+3f9c71d2aa40be17+n+12")
	tab.Wait(`document.querySelectorAll('.side:nth-child(1) .lp .el').length === 6`)
	tab.WaitText(".side:nth-child(1) .lp", "3f9c71d2aa40be17")
	tab.Shot("listpack")
	enter(tab, "HEXPIRE user:123 900 FIELDS 1 auth_token")
	tab.WaitText(".side:nth-child(2) .change", "changed listpack to hashtable")
	tab.Wait(`document.querySelectorAll('.side:nth-child(2) .bk.own .bkt').length === 1`)
	tab.ShotAll("conversion")
}

func TestAHundredThousandKeysAreListedAndScrolled(t *testing.T) {
	tab, _ := openPage(t, "#v=1&run=DEBUG+POPULATE+100000+key+10")
	tab.WaitText(".totals", "100\u202f000 keys")
	tab.Wait(`document.querySelector('.ktall').offsetHeight > 1e6`)
	if n := browser.Eval[int](tab, `document.querySelectorAll('.krows .row').length`); n > 60 {
		t.Errorf("%d rows are drawn", n)
	}
	browser.Eval[bool](tab, `(() => { const e = document.querySelector('#keys'); e.scrollTop = e.scrollHeight; return true })()`)
	tab.Wait(`[...document.querySelectorAll('.krows .row')].at(-1).dataset.key === 'key:99999'`)
	tab.Wait(`(r => r.bottom > 0 && r.top < innerHeight && document.elementFromPoint(r.x + 20, r.y + 5)?.closest('.row')?.dataset.key === 'key:99999')([...document.querySelectorAll('.krows .row')].at(-1).getBoundingClientRect())`)
	enter(tab, "SET key:5 changed")
	tab.WaitText(".insp h3", "key:5")
	tab.Wait(`document.querySelector('.row.sel')?.dataset.key === 'key:5' && document.querySelector('.bkt.sel') !== null`)
	tab.Do(chromedp.Focus(chromedp.CSS(".search")))
	tab.Type("9999")
	tab.WaitText(".totals", "of 100\u202f000 keys")
	tab.Wait(`document.querySelectorAll('.krows .row').length === 19`) // key:9999, key:99990 to 99999, key:x9999
	tab.Shot("many")
}

func TestALinkTooLongForAnAddressIsKeptAndOpened(t *testing.T) {
	url := serveAll(t) + "/"
	state := "v=1&s=9.0.6,9.1.2"
	for i := range 100 {
		state += fmt.Sprintf("&run=SET+key:%03d+%s", i, strings.Repeat("v", 30))
	}
	body, _ := json.Marshal(map[string]string{"state": state})
	r, err := http.Post(url+"api/links", "application/json", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	var kept struct{ ID, URL string }
	if err := json.NewDecoder(r.Body).Decode(&kept); err != nil || kept.ID == "" {
		t.Fatalf("%s: %v", r.Status, err)
	}
	tab := browser.New(t)
	tab.Open(url + "s/" + kept.ID)
	tab.Wait(ready)
	tab.WaitText(".krows", "key:000")
	tab.Wait(`location.hash.includes('run=SET+key:099') || location.hash.includes('z=')`)

	lost := browser.New(t)
	lost.AllowError("404")
	lost.Open(url + "#v=1&link=" + strings.Repeat("0", 16))
	lost.WaitText(".banner", "could not be read")
}

func TestALongCommandShowsHowFarItIs(t *testing.T) {
	tab, _ := openPage(t, "")
	tab.Do(focusPrompt)
	tab.Type("DEBUG POPULATE 1000000")
	tab.Key(kb.Enter)
	tab.Wait(`document.querySelector('.progress progress')?.value > 0`)
	tab.WaitText(".progress", "2\u202f000\u202f000 keys")
	tab.Shot("populate")
	tab.Key("c", chromedp.ModifierCtrl)
	tab.WaitText("#log", "stopped: not run")
}
