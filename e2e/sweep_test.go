package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/keyloupe/keyloupe/engine/sweep"
	"github.com/keyloupe/keyloupe/internal/browser"
)

// openSweep opens the built page with a sweep and waits for its chart.
func openSweep(t *testing.T, path string, width, height int64) (tab *browser.Tab, url string) {
	t.Helper()
	tab, url = browser.New(t), serve(t)
	tab.Size(width, height)
	tab.Open(url + path)
	tab.Wait(`document.querySelector('.chart svg path.s1') !== null`)
	return tab, url
}

// fill replaces what an input holds, as typing would.
func fill(tab *browser.Tab, selector, text string) {
	browser.Eval[bool](tab, `(() => { const e = document.querySelector('`+selector+`'); e.value = '`+text+`'; e.dispatchEvent(new Event('input', {bubbles: true})); return true })()`)
}

func TestFromTheFormToTheChartToTheBytesAndBack(t *testing.T) {
	tab, _ := openPage(t, "")
	tab.Click(".top nav button:nth-child(2)")
	tab.Wait(`document.querySelector('.chart svg path.s1') !== null`)
	tab.WaitText(".at h2", "At value 100 B")
	tab.Shot("sweep")
	fill(tab, "#f-value", "0..300")
	tab.WaitText(".chart svg", "300")
	fill(tab, "#f-value", "9..3")
	tab.WaitText("#e-value", "ends before it starts: write 3..9")
	tab.Wait(`document.querySelector('#f-value').getAttribute('aria-invalid') === 'true' && document.querySelector('.right').dataset.stale === 'stale'`)
	tab.Shot("sweep-wrong")
	fill(tab, "#f-value", "0..200")
	tab.WaitText(".cl", "97 | 98")
	tab.Click(`.cl li:nth-last-child(1) button`)
	tab.Wait(`document.querySelector('.cl .on') !== null`)
	at := browser.Eval[string](tab, `document.querySelector('.at h2').textContent`)
	cost := browser.Eval[string](tab, `document.querySelector('.at tr:nth-child(3) td:nth-child(3)').textContent`)
	tab.Click(".bytewise")
	tab.Wait(ready)
	tab.Wait(`document.querySelectorAll('.side').length === 2`)
	tab.WaitText(".hint", strings.TrimPrefix(at, "At "))
	tab.WaitText(".side:nth-child(2) .srv .num", cost)
	tab.Shot("sweep-bytes")
	tab.Click(".hint button")
	tab.WaitText(".at h2", strings.TrimPrefix(at, "At "))
}

func TestTheSweepIsSharedAndReopenedInAnotherBrowser(t *testing.T) {
	tab, url := openSweep(t, "#v=1&s=8.1.9,9.1.2,9.1.2@libc&sweep=type=hash%26fields=10%26field=12%26value=0..128%26show=total", 1500, 1000)
	tab.Do(chromedp.Focus(chromedp.CSS("#crosshair")))
	tab.Key(kb.Home)
	tab.Key(kb.ArrowRight)
	tab.Key(kb.ArrowRight)
	tab.WaitText(".at h2", "At value 2 B")
	browser.Eval[bool](tab, `navigator.clipboard.writeText = t => { window.copied = t; return Promise.resolve() }, true`)
	tab.Click(".top .pri")
	tab.WaitText(".toast", "Link copied")
	link := browser.Eval[string](tab, "window.copied")
	if !strings.HasPrefix(link, url+"#v=1&s=8.1.9,9.1.2,9.1.2@libc&sweep=type=hash%26") {
		t.Errorf("copied %q", link)
	}
	other := browser.New(t)
	other.Size(1500, 1000)
	other.Open(link)
	other.WaitText(".at h2", "At value 2 B")
	other.Wait(`document.querySelectorAll('.at tr').length === 4 && document.querySelector('select[aria-label="What the chart shows"]').value === 'total'`)
	other.Shot("sweep-hash")
}

// rows are those of the default sweep as the native program writes them.
func rows(t *testing.T, format string) string {
	t.Helper()
	p, err := sweep.New(sweep.Default(), 0)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := p.Write(&b, format, nil); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestCsvJsonSvgAndPngCanBeTakenAway(t *testing.T) {
	tab, _ := openSweep(t, "#v=1&s=9.0.6,9.1.2&sweep=value=0..200", 1500, 1000)
	browser.Eval[bool](tab, `navigator.clipboard.writeText = t => { window.copied = t; return Promise.resolve() }, true`)
	tab.Click(".files button:nth-child(3)")
	tab.WaitText(".toast", "402 rows copied as CSV")
	if got, want := browser.Eval[string](tab, `window.copied`), rows(t, "csv"); got != want {
		t.Errorf("copied as CSV:\n%.300s\nwant\n%.300s", got, want)
	}
	tab.Click(".files button:nth-child(4)")
	tab.WaitText(".toast", "402 rows copied as JSON")
	if got, want := browser.Eval[string](tab, `window.copied`), rows(t, "json"); got != want {
		t.Errorf("copied as JSON:\n%.300s\nwant\n%.300s", got, want)
	}
	// what is offered is kept for the test to look at
	browser.Eval[bool](tab, `(() => { window.files = []; const was = URL.createObjectURL; URL.createObjectURL = b => { window.files.push(b); return was(b) };
		HTMLAnchorElement.prototype.click = function() { window.files.push(this.download) }; return true })()`)
	tab.Click(".files button:nth-child(1)")
	tab.Wait(`window.files.length === 2 && window.files[1] === 'keyloupe-sweep.svg'`)
	if svg := browser.Eval[string](tab, `window.files[0].text()`); !strings.HasPrefix(svg, "<svg ") || !strings.Contains(svg, "saving ends") {
		t.Errorf("the SVG is %.200s", svg)
	}
	tab.Click(".files button:nth-child(2)")
	tab.Wait(`window.files.length === 5 && window.files[4] === 'keyloupe-sweep.png'`)
	colours := browser.Eval[int](tab, `createImageBitmap(window.files[3]).then(b => { const c = new OffscreenCanvas(b.width, b.height), x = c.getContext('2d'); x.drawImage(b, 0, 0);
		const d = x.getImageData(0, 0, b.width, b.height).data, s = new Set(); for (let i = 0; i < d.length; i += 4) s.add(d[i] << 16 | d[i + 1] << 8 | d[i + 2]); return b.width === 1800 ? s.size : -1 })`)
	if colours < 20 {
		t.Errorf("the PNG has %d colours", colours)
	}
}

func TestTheSweepWorksByKeyboardAlone(t *testing.T) {
	tab, _ := openPage(t, "")
	reach := func(selector string) {
		t.Helper()
		for range 120 {
			if browser.Eval[bool](tab, `document.activeElement.matches('`+selector+`')`) {
				return
			}
			tab.Key(kb.Tab)
		}
		t.Fatalf("Tab does not reach %s", selector)
	}
	reach(".top nav button:nth-child(2)")
	tab.Key(kb.Enter)
	tab.Wait(`document.querySelector('.chart svg path.s1') !== null`)
	reach(".presets button:nth-child(2)")
	tab.Key(kb.Enter)
	tab.Wait(`document.querySelector('#f-value').value === '32..512'`)
	reach("#crosshair")
	tab.Key(kb.End)
	tab.WaitText(".at h2", "At value 512 B")
	tab.Wait(`document.activeElement.getAttribute('aria-valuetext').includes('9.1.2 raw')`)
	reach(".cl li:nth-child(1) button")
	tab.Key(kb.Enter)
	tab.Wait(`document.querySelector('.cl .on') !== null`)
	reach("#embed")
	tab.Key(kb.Enter)
	tab.Wait(`document.activeElement.id === 'embed-html'`)
	tab.Shot("embed-dialog")
	tab.Key(kb.Escape)
	tab.Wait(`document.querySelector('.dialog') === null && document.activeElement.id === 'embed'`)
}

func TestTheTableShowsAnyOfManyRows(t *testing.T) {
	tab, _ := openSweep(t, "#v=1&sweep=value=0..20000", 1500, 1000)
	tab.Wait(`document.querySelectorAll('.stable .krows .row').length < 60`)
	browser.Eval[bool](tab, `(() => { const e = document.querySelector('.stable'); e.scrollTop = e.scrollHeight; return true })()`)
	tab.Wait(`[...document.querySelectorAll('.stable .krows .row')].at(-1).firstElementChild.textContent === '20000'`)
	browser.Eval[bool](tab, `document.querySelector('.stable').scrollIntoView(), true`)
	tab.Shot("sweep-table")
}

func TestAnEmbedOfASweepFitsNarrowAndWideFrames(t *testing.T) {
	for _, w := range []int64{320, 600, 900} {
		tab, _ := openSweep(t, "embed#v=1&s=9.0.6,9.1.2&ro=1&sweep=value=0..200%26at=97", w, 640)
		tab.WaitText("footer a", "Open in full")
		if over := browser.Eval[int](tab, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
			t.Errorf("%d pixels wide: %d pixels stick out", w, over)
		}
		if browser.Eval[bool](tab, `document.querySelector('.top, .form, .cl') !== null`) {
			t.Error("there is chrome")
		}
		before := browser.Eval[string](tab, "location.href")
		tab.Do(chromedp.Focus(chromedp.CSS("#crosshair")))
		tab.Key(kb.ArrowRight)
		tab.WaitText(".at h2", "At value 98 B")
		browser.Eval[bool](tab, `new Promise(done => setTimeout(() => done(true), 600))`)
		if now := browser.Eval[string](tab, "location.href"); now != before {
			t.Errorf("the embed changed its address to %s", now)
		}
		tab.Wait(`document.querySelector('footer a').href.includes('/#v=1&s=9.0.6,9.1.2&sweep=') && document.querySelector('footer a').href.includes('at=98')`)
		tab.Shot("embed-" + map[int64]string{320: "320", 600: "600", 900: "900"}[w])
	}
}

func TestTheSweepIsShownInTheDarkAndOnAPhone(t *testing.T) {
	tab, _ := openSweep(t, "#v=1&theme=dark&s=7.2.14,8.1.9,9.0.6,9.1.2&sweep=value=0..200%26ttl=none,key%26at=120", 1500, 1000)
	tab.Wait(`document.documentElement.dataset.theme === 'dark'`)
	tab.Shot("sweep-dark")
	tab.Size(360, 740)
	tab.Wait(`document.querySelector('.chart svg').viewBox.baseVal.width < 400`)
	if over := browser.Eval[int](tab, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
		t.Errorf("%d pixels stick out", over)
	}
	tab.ShotAll("sweep-phone")
}

func TestTheTablesShareIsSweptOverTheNumberOfKeys(t *testing.T) {
	tab, _ := openSweep(t, "#v=1&sweep=value=0..200", 1500, 1000)
	tab.Click(".presets button:nth-child(5)")
	tab.WaitText(".chart svg", "number of keys")
	tab.WaitText(".at h2", "keys")
	tab.WaitText("section[aria-label=Cliffs]", "give it a range")
	tab.Shot("sweep-keys")
}

// BenchmarkSweepDrag is a step of a slider to the frame that shows it.
func BenchmarkSweepDrag(b *testing.B) {
	tab, url := browser.New(b), serve(b)
	tab.Size(1500, 1000)
	for name, fragment := range map[string]string{"402": "value=0..200", "100k": "value=0..49000"} {
		b.Run(name, func(b *testing.B) {
			tab.Open(url + "?" + name + "#v=1&sweep=" + fragment)
			tab.Wait(`document.querySelector('.chart svg path.s1') !== null`)
			n := 0
			for b.Loop() {
				n++
			}
			ms := browser.Eval[float64](tab, `(async () => { const all = []; for (let i = 0; i < 40; i++) {
				const e = document.querySelector('input[type=range][aria-label^="Key length"]'), t = performance.now();
				e.value = String(10 + i); e.dispatchEvent(new Event('input', {bubbles: true}));
				await new Promise(requestAnimationFrame); await new Promise(r => setTimeout(r)); all.push(performance.now() - t) }
				return all.sort((a, b) => a - b)[37] })()`)
			b.ReportMetric(ms, "ms-p95-frame")
		})
	}
}
