package e2e

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/keyloupe/keyloupe/internal/browser"
)

// loaded are the files that a first visit loads.
var loaded = []string{"index.html", "app.css", "boot.js", "worker.js", "wasm_exec.js", "icon.svg", "app.wasm"}

// BenchmarkFirstLoad counts the bytes of a first visit, and how long the page takes once they are there.
func BenchmarkFirstLoad(b *testing.B) {
	public, err := built()
	if err != nil {
		b.Fatal(public, err)
	}
	if out, err := exec.Command("make", "-C", filepath.Dir(public), "public/app.wasm.br").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	sum := 0
	for _, name := range loaded {
		data, err := os.ReadFile(filepath.Join(public, name+".br"))
		if os.IsNotExist(err) {
			data, err = os.ReadFile(filepath.Join(public, name))
			data = squeeze(data)
		}
		if err != nil {
			b.Fatal(err)
		}
		sum += len(data)
	}
	url := serve(b)
	var times []float64
	for range 5 {
		tab := browser.New(b)
		tab.BeforeLoad(`new MutationObserver((_, o) => { const w = document.querySelector('.prompt .who'); if (w && w.textContent.length > 1) { window.readyAt = performance.now(); o.disconnect() } }).observe(document, { subtree: true, childList: true, characterData: true })`)
		tab.Open(url)
		tab.Wait("window.readyAt > 0")
		times = append(times, browser.Eval[float64](tab, `window.readyAt - performance.getEntriesByType('resource').find(e => e.name.endsWith('app.wasm')).responseEnd`))
	}
	slices.Sort(times)
	b.ReportMetric(float64(sum)/1e6, "MB-brotli")
	b.ReportMetric(times[len(times)/2]/1e3, "s-to-interactive")
	b.ReportMetric(0, "ns/op")
	b.Log("budget: 1.5 MB, 1 s")
}

func squeeze(data []byte) []byte {
	var out bytes.Buffer
	w := brotli.NewWriterLevel(&out, brotli.BestCompression)
	if _, err := w.Write(data); err != nil {
		panic(err) // a buffer takes everything
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return out.Bytes()
}

// BenchmarkKeystroke types into the prompt with a thousand keys in the list and two thousand byte cells shown.
func BenchmarkKeystroke(b *testing.B) {
	var run strings.Builder
	for n := range 1000 {
		fmt.Fprintf(&run, "&run=SET+key:%04d+%d", n, n)
	}
	url := serve(b)
	tab := browser.New(b)
	tab.Size(1500, 1000)
	tab.Open(url + "#v=1&s=8.1.9,9.0.6,9.1.2,9.1.2@libc" + run.String() + "&run=SETRANGE+zbig+5000+x&key=zbig")
	tab.Wait(ready)
	tab.Wait(`document.querySelectorAll('.c').length >= 2000`)
	got := browser.Eval[[]float64](tab, `(async () => {
		const input = document.querySelector('#prompt'), text = 'SET key:0001 abcdefghijklmnopqrstuvwxyz MEMORY USAGE key:0500 more', work = [], painted = [];
		const frame = () => new Promise(done => requestAnimationFrame(at => { const c = new MessageChannel(); c.port1.onmessage = () => done(performance.now() - at); c.port2.postMessage(0) }));
		await frame();
		for (let i = 1; i <= text.length; i++) {
			const t = performance.now();
			input.value = text.slice(0, i);
			input.dispatchEvent(new InputEvent('input', { bubbles: true }));
			document.body.offsetHeight;
			const w = performance.now() - t;
			work.push(w);
			painted.push(w + await frame());
		}
		const p95 = a => a.sort((x, y) => x - y)[Math.floor(a.length * .95)];
		return [p95(work), p95(painted)];
	})()`)
	b.ReportMetric(got[0], "ms-work-p95")
	b.ReportMetric(got[1], "ms-painted-p95")
	b.ReportMetric(0, "ns/op")
	b.Log("budget: 16 ms at p95 from the keystroke to the painted frame, without the wait for it")
}

// BenchmarkEngineInTheBrowser runs the engine's own benchmark of a million SETs as WebAssembly.
func BenchmarkEngineInTheBrowser(b *testing.B) {
	out := browser.RunGoBenchmarks(b, "github.com/keyloupe/keyloupe/engine", "SetMillion", "-test.benchtime=1x")
	for line := range strings.SplitSeq(out, "\n") {
		if strings.Contains(line, "s/1M-SET") {
			b.Log(line)
		}
	}
	b.ReportMetric(0, "ns/op")
}
