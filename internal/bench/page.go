package main

import (
	"fmt"
	"math"
	"net/http/httptest"
	"slices"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/keyloupe/keyloupe"
	"github.com/keyloupe/keyloupe/internal/browser"
	"github.com/keyloupe/keyloupe/internal/site"
)

// ready is true when the page can be typed at and its servers run.
const ready = `document.querySelector('#prompt') !== null && document.querySelector('.prompt .who').textContent.length > 1 && document.querySelector('.pending') === null && document.querySelector('.progress') === null`

// watch notes in every new page when it first was ready.
const watch = `globalThis.readyAt = 0;
const look = () => { let r = false; try { r = ` + ready + ` } catch (e) {} if (r) globalThis.readyAt = performance.now(); else setTimeout(look, 1) };
look();`

// page measures the built page in a real browser.
func page(b *bench) {
	b.row("interactive after the last byte", func(r *Row) error {
		best := math.Inf(1)
		for range b.runs {
			err := withPage("", func(tab *browser.Tab) {
				best = min(best, browser.Eval[float64](tab, `readyAt - performance.getEntriesByType('resource').find(e => e.name.endsWith('app.wasm')).responseEnd`)/1000)
			})
			if err != nil {
				return err
			}
		}
		r.Measured, r.Budget, r.Verdict = fmt.Sprintf("%.2f s in Chromium", best), "≤ 1 s", judge(best, 0, 1)
		return nil
	})
	b.row("keystroke → painted, p95", func(r *Row) error {
		const budget = 16.0
		var cells int
		best := keystroke{math.Inf(1), math.Inf(1), math.Inf(1)}
		for range b.runs {
			err := withPage("#v=1&s=9.0.6,9.1.2", func(tab *browser.Tab) {
				fill(tab)
				cells = browser.Eval[int](tab, `document.querySelectorAll('.c').length`)
				k := strokes(tab, b.quick)
				best = keystroke{min(best.handled, k.handled), min(best.painted, k.painted), min(best.cpu, k.cpu)}
			})
			if err != nil {
				return err
			}
		}
		r.Measured = fmt.Sprintf("%.1f ms, handled %.1f, mean CPU %.1f", best.painted, best.handled, best.cpu)
		r.Peer = fmt.Sprintf("with 1,000 keys and %d cells shown", cells)
		r.Budget, r.Verdict = fmt.Sprintf("≤ %.0f ms", budget), judge(best.painted, best.cpu, budget)
		return nil
	})
}

// withPage opens the built page in a browser that has never seen it and waits until it is ready.
func withPage(fragment string, work func(tab *browser.Tab)) error {
	if _, err := keyloupe.Public().Open("app.wasm"); err != nil {
		return skip{"the page is not built: run make build"}
	}
	srv := httptest.NewServer(site.New(keyloupe.Public()))
	defer srv.Close()
	return withTab(func(tab *browser.Tab) {
		tab.Size(1500, 1000)
		tab.BeforeLoad(watch)
		browser.Call(tab, performance.Enable, performance.EnableParams{TimeDomain: performance.EnableTimeDomainThreadTicks})
		tab.Open(srv.URL + "/" + fragment)
		tab.Wait("readyAt > 0")
		work(tab)
	})
}

// fill makes 1,000 keys and shows one of them in some 2,000 cells.
func fill(tab *browser.Tab) {
	for _, line := range []string{"DEBUG POPULATE 999", "RPUSH list " + text(9000) + " " + text(9000)} {
		tab.Do(chromedp.Focus(chromedp.CSS("#prompt")))
		browser.Eval[bool](tab, fmt.Sprintf(`document.execCommand('insertText', false, %q)`, line))
		tab.Key(kb.Enter)
		tab.Wait(`document.querySelector('#prompt').value === '' && ` + ready)
	}
	tab.Wait(`document.querySelectorAll('.c').length > 1000`)
}

func text(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = 'a' + byte(i%26)
	}
	return string(b)
}

// keystroke is what typing a character takes, in milliseconds.
type keystroke struct {
	handled float64 // until the page has done its work and knows its layout: 95th percentile
	painted float64 // until the next frame, which waits for the screen's turn, is made: 95th percentile
	cpu     float64 // of the page's thread, all in all: mean
}

// strokes types a line.
func strokes(tab *browser.Tab, quick bool) keystroke {
	browser.Eval[bool](tab, `(() => {
		globalThis.handled = []; globalThis.painted = [];
		const channel = new MessageChannel();
		let began = 0;
		channel.port1.onmessage = () => { painted.push(performance.now() - began) };
		addEventListener('keydown', e => {
			began = e.timeStamp;
			requestAnimationFrame(() => channel.port2.postMessage(0));
		}, true);
		document.querySelector('#prompt').addEventListener('input', () => setTimeout(() => {
			document.body.getBoundingClientRect();
			handled.push(performance.now() - began);
		}));
		return true;
	})()`)
	n := 200
	if quick {
		n = 40
	}
	const line = "SET user:1:session eyJhbGciOiJIUzI1NiJ9 "
	before := threadTime(tab)
	for i := range n {
		tab.Type(line[i%len(line) : i%len(line)+1])
		tab.Wait(fmt.Sprintf("painted.length === %d && handled.length === %d", i+1, i+1))
	}
	cpu := (threadTime(tab) - before) / float64(n) * 1000
	return keystroke{percentile95(browser.Eval[[]float64](tab, "handled")), percentile95(browser.Eval[[]float64](tab, "painted")), cpu}
}

func percentile95(v []float64) float64 {
	slices.Sort(v)
	return v[len(v)*95/100]
}

// threadTime is the processor time that the page's thread has spent on tasks, in seconds.
func threadTime(tab *browser.Tab) float64 {
	for _, m := range browser.Call(tab, performance.GetMetrics, cdp.Empty{}).Metrics {
		if m.Name == "TaskDuration" {
			return m.Value
		}
	}
	return 0
}
