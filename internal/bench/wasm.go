package main

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/keyloupe/keyloupe/internal/bench/loads"
	"github.com/keyloupe/keyloupe/internal/browser"
)

// runner is the page that runs the loads and keeps what they print.
//
//go:embed runner.html
var runner []byte

// wasm runs the loads in a real browser and in Node, whichever there is.
func wasm(b *bench) {
	const in = ", in WebAssembly"
	var names []string
	for _, l := range loads.All() {
		if b.wants(b.title(l) + in) {
			names = append(names, l.Name)
		}
	}
	for _, s := range loads.Sweeps() {
		if b.wants(s.Name + in) {
			names = append(names, s.Name)
		}
	}
	if names == nil {
		return
	}
	results, err := b.runWasm(names)
	if err != nil && len(results) > 0 { // one host of two
		b.measure("a host of WebAssembly", func(*Row) error { return err })
	}
	for _, l := range loads.All() {
		b.row(b.title(l)+in, func(r *Row) error {
			got, ok := results[l.Name]
			if !ok {
				return cmp.Or(err, errors.New("no result"))
			}
			budget := b.scaled(l.InPage)
			r.Measured = got.text(func(s float64) string { return fmt.Sprintf("%.2f s", s) })
			r.Budget, r.Verdict = seconds(budget, " s"), judge(got.wall(), got.node.cpu, budget)
			return nil
		})
	}
	for _, s := range loads.Sweeps() {
		b.row(s.Name+in, func(r *Row) error {
			got, ok := results[s.Name]
			if !ok {
				return cmp.Or(err, errors.New("no result"))
			}
			r.Measured = got.text(func(s float64) string { return fmt.Sprintf("%.1f M/s", 1e-6/s) })
			r.Budget, r.Verdict = fmt.Sprintf("≥ %.3g M/s", s.InPage/1e6), judge(got.wall(), got.node.cpu, 1/s.InPage)
			return nil
		})
	}
}

// inWasm is what a load took in a browser, and in Node, which has the same engine and tells the
// processor's time: in seconds, of a sweep for a point. Infinite is unknown.
type inWasm struct {
	browser float64
	node    spent
}

func (w inWasm) wall() float64 { return min(w.browser, w.node.wall) }

func (w inWasm) text(figure func(seconds float64) string) string {
	var s []string
	for _, f := range []struct {
		name    string
		seconds float64
	}{{"Chromium", w.browser}, {"Node", w.node.wall}, {"CPU", w.node.cpu}} {
		if !math.IsInf(f.seconds, 0) {
			s = append(s, f.name+" "+figure(f.seconds))
		}
	}
	return strings.Join(s, ", ")
}

// runWasm runs loads b.runs times wherever it can and keeps the best of each.
func (b *bench) runWasm(names []string) (map[string]inWasm, error) {
	program, err := os.ReadFile(b.inPage)
	if err != nil {
		return nil, skip{"not built: make bench builds " + b.inPage}
	}
	args := []string{"inpage", fmt.Sprint(b.n), (400 * time.Millisecond).String(), "^(" + strings.Join(names, "|") + ")$"}
	best := map[string]inWasm{}
	hosts := []func() (string, error){
		func() (string, error) { return inBrowser(program, args) },
		func() (string, error) { return inNode(b.inPage, args) },
	}
	for _, host := range hosts {
		for range b.runs {
			out, e := host()
			if e == nil {
				e = keepBest(best, out)
			}
			if e != nil {
				err = e
				break
			}
		}
	}
	return best, err
}

// keepBest reads results and keeps those better than what there was.
func keepBest(best map[string]inWasm, out string) error {
	for d := json.NewDecoder(strings.NewReader(out)); d.More(); {
		var r loads.Result
		if err := d.Decode(&r); err != nil {
			return fmt.Errorf("%w in %.200s", err, out)
		}
		if r.Error != "" {
			return errors.New(r.Error)
		}
		w, ok := best[r.Name]
		if !ok {
			inf := math.Inf(1)
			w = inWasm{inf, spent{wall: inf, cpu: inf}}
		}
		if strings.HasPrefix(r.Name, "sweep") { // as many points as fit the time
			r.Wall, r.CPU = r.Wall/float64(r.N), r.CPU/float64(r.N)
		}
		if r.CPU == 0 {
			w.browser = min(w.browser, r.Wall)
		} else {
			w.node.wall, w.node.cpu = min(w.node.wall, r.Wall), min(w.node.cpu, r.CPU)
		}
		best[r.Name] = w
	}
	return nil
}

// wasmFiles is the folder of Go's own JavaScript for its js/wasm programs.
func wasmFiles() (string, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	return filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm"), err
}

func inBrowser(program []byte, args []string) (out string, err error) {
	dir, err := wasmFiles()
	if err != nil {
		return "", err
	}
	mux := http.NewServeMux()
	serve := func(path, kind string, body []byte) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.Write(body)
		})
	}
	serve("/{$}", "text/html", runner)
	serve("/inpage.wasm", "application/wasm", program)
	mux.HandleFunc("/wasm_exec.js", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFile(w, r, filepath.Join(dir, "wasm_exec.js"))
	})
	srv := httptest.NewServer(mux)
	defer srv.Close()
	return out, withTab(func(tab *browser.Tab) {
		tab.Open(srv.URL)
		quoted, _ := json.Marshal(args)
		browser.Eval[bool](tab, "void start("+string(quoted)+") === undefined")
		for start := time.Now(); !browser.Eval[bool](tab, "code !== null"); time.Sleep(100 * time.Millisecond) {
			if time.Since(start) > 5*time.Minute {
				out = "the loads did not end"
				return
			}
		}
		out = browser.Eval[string](tab, "out")
	})
}

func inNode(program string, args []string) (string, error) {
	node, err := exec.LookPath("node")
	if err != nil {
		return "", skip{"neither Chromium nor Node found here"}
	}
	dir, err := wasmFiles()
	if err != nil {
		return "", err
	}
	var stderr bytes.Buffer
	cmd := exec.Command(node, append([]string{"--stack-size=8192", filepath.Join(dir, "wasm_exec_node.js"), program}, args[1:]...)...)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("node: %w: %.300s", err, stderr.Bytes())
	}
	return string(out), nil
}
