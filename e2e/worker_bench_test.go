package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/keyloupe/keyloupe/api"
	"github.com/keyloupe/keyloupe/internal/linkstore"
	"github.com/keyloupe/keyloupe/internal/load"
	"github.com/keyloupe/keyloupe/internal/worker"
)

// loadTime is how long each kind of request is sent.
const loadTime = 3 * time.Second

// kinds are the requests of the design's budgets: most milliseconds at the median with one client, least
// requests a second with twenty; 0 = no budget.
var kinds = []struct {
	name      string
	p50, rate float64
	next      func(base string, links []string) func(client, n int) load.Request
}{
	{"computed", 5, 250, func(string, []string) func(int, int) load.Request {
		return func(c, n int) load.Request {
			return load.Request{Path: fmt.Sprintf("/api/sweep?value=0..499&servers=9.0.6,9.1.2&keys=%d", 1+c*1_000_000+n), Check: ends(200, "]}\n")}
		}
	}},
	{"cached", 2, 1000, func(string, []string) func(int, int) load.Request {
		return func(int, int) load.Request {
			return load.Request{Path: "/api/sweep?value=0..499&servers=9.0.6,9.1.2", Check: ends(200, "]}\n")}
		}
	}},
	{"link", 2, 1000, func(_ string, links []string) func(int, int) load.Request {
		return func(c, n int) load.Request {
			return load.Request{Path: "/s/" + links[(c+n)%len(links)], Check: ends(302, "")}
		}
	}},
}

func makeLinks(b *testing.B, base string) (ids []string) {
	b.Helper()
	for i := range 20 {
		res, err := http.Post(base+"/api/links", "application/json", strings.NewReader(fmt.Sprintf(`{"value":%d}`, i)))
		if err != nil {
			b.Fatal(err)
		}
		var got struct{ ID string }
		err = json.NewDecoder(res.Body).Decode(&got)
		res.Body.Close()
		if err != nil || got.ID == "" {
			b.Fatal(res.Status, err)
		}
		ids = append(ids, got.ID)
	}
	return ids
}

func benchmarkServer(b *testing.B, base string, cpu func() time.Duration, budgets bool) {
	links := makeLinks(b, base)
	for _, k := range kinds {
		for _, clients := range []int{1, 20} {
			b.Run(fmt.Sprintf("%s/%d", k.name, clients), func(b *testing.B) {
				next := k.next(base, links)
				load.Run(b.Context(), base, clients, loadTime/10, next) // warm
				before := cpu()
				var r load.Result
				for b.Loop() {
					r = load.Run(b.Context(), base, clients, loadTime, func(c, n int) load.Request { return next(c+50, n) })
				}
				report(b, r, cpu()-before)
				if budgets && clients == 1 {
					b.ReportMetric(k.p50, "p50-ms-budget")
				} else if budgets {
					b.ReportMetric(k.rate, "req/s-budget")
				}
			})
		}
	}
}

func report(b *testing.B, r load.Result, cpu time.Duration) {
	if r.Failures > 0 {
		b.Errorf("%d of %d requests failed: %v", r.Failures, r.Requests, r.First)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(r.P50.Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(r.P99.Microseconds())/1000, "p99-ms")
	b.ReportMetric(r.Rate, "req/s")
	if cpu > 0 {
		b.ReportMetric(float64(cpu.Microseconds())/1000/float64(r.Requests), "cpu-ms/req")
	}
}

func BenchmarkWorker(b *testing.B) {
	w := worker.Start(b, nil)
	benchmarkServer(b, w.URL, w.CPU, true)
}

func BenchmarkBuiltInServer(b *testing.B) {
	links, err := linkstore.Open(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	srv := httptest.NewServer(api.New(api.Options{Links: links}))
	b.Cleanup(srv.Close)
	benchmarkServer(b, srv.URL, func() time.Duration { return 0 }, true)
}

// BenchmarkWorkerHello is the peer: the plainest program of the module the Worker stands on.
func BenchmarkWorkerHello(b *testing.B) {
	dir := b.TempDir()
	for _, cmd := range []*exec.Cmd{
		exec.Command("go", "tool", "workers-assets-gen", "-mode=go", "-o", dir),
		exec.Command("env", "GOOS=js", "GOARCH=wasm", "go", "build", "-trimpath", "-ldflags=-s -w", "-o", filepath.Join(dir, "app.wasm"), "./e2e/testdata/hello"),
	} {
		cmd.Dir = worker.Root()
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
	}
	w := worker.Start(b, nil, "BUILD="+dir, "ENTRY=worker.mjs")
	for _, clients := range []int{1, 20} {
		b.Run(strconv.Itoa(clients), func(b *testing.B) {
			before := w.CPU()
			var r load.Result
			for b.Loop() {
				r = load.Run(b.Context(), w.URL, clients, loadTime, func(int, int) load.Request { return load.Request{Path: "/", Check: ends(200, "hello\n")} })
			}
			report(b, r, w.CPU()-before)
		})
	}
}

// BenchmarkFiftyClients is the load of the issue: mixed requests, no failure, memory flat.
func BenchmarkFiftyClients(b *testing.B) {
	w := worker.Start(b, nil)
	load.Run(b.Context(), w.URL, 50, loadTime, mixedRequest)
	before := w.RSS()
	var r load.Result
	for b.Loop() {
		r = load.Run(b.Context(), w.URL, 50, 30*time.Second, func(c, n int) load.Request { return mixedRequest(c+100, n) })
	}
	report(b, r, 0)
	b.ReportMetric(float64(before)/1e6, "MB-before")
	b.ReportMetric(float64(w.RSS())/1e6, "MB-after")
}

var metric = regexp.MustCompile(`(?m)^Benchmark(\w+)\S*\s.*?([\d.]+) (Mpoints/s|Mrows/s)\b`)

// BenchmarkSweepInWasm runs the engine's benchmarks in V8, which browsers and workerd have.
func BenchmarkSweepInWasm(b *testing.B) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		b.Fatal(err)
	}
	run := filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "go_js_wasm_exec")
	cmd := exec.Command("go", "test", "-run", "^$", "-bench", "Arithmetic|CSV", "-benchtime", "1x", "-exec", run, "./engine/sweep")
	cmd.Dir = worker.Root()
	cmd.Env = append(cmd.Environ(), "GOOS=js", "GOARCH=wasm")
	for b.Loop() {
		out, err := cmd.CombinedOutput()
		if err != nil {
			b.Skipf("%v\n%s", err, out)
		}
		for _, m := range metric.FindAllSubmatch(out, -1) {
			v, err := strconv.ParseFloat(string(m[2]), 64)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(v, string(m[1])+"-"+string(m[3]))
		}
	}
	b.ReportMetric(15, "Mpoints/s-budget")
	b.ReportMetric(0.5, "Mrows/s-budget")
}
