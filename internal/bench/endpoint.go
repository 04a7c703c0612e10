package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/keyloupe/keyloupe/internal/load"
	"github.com/keyloupe/keyloupe/internal/worker"
)

// The budgets of the endpoint on workerd.
const (
	computedTime = 5 * time.Millisecond // p50, one client
	computedRate = 250                  // a second, 20 clients
	cachedTime   = 2 * time.Millisecond
	cachedRate   = 1000
)

// endpoints measures the HTTP interface, on workerd and of the built-in server.
func endpoints(b *bench) {
	const onWorkerd, builtIn = "workerd: ", "built-in server: "
	if b.wantsAny(onWorkerd, endpointNames()) {
		var hello string
		err := withTB(func(t testing.TB) {
			if w, err := startHello(t); err == nil {
				hello = "stock hello: " + brief(b.ask(w.URL, 1, same("/"))) + "; 20 clients " + rateOf(b.ask(w.URL, 20, same("/")))
			} else {
				hello = err.Error()
			}
		})
		if err != nil {
			hello = err.Error()
		}
		err = withTB(func(t testing.TB) {
			w := worker.Start(t, nil)
			b.endpoint(onWorkerd, w.URL, hello, func() float64 { return w.CPU().Seconds() })
		})
		worker.Cleanup()
		b.missed(onWorkerd, err)
	}
	if b.wantsAny(builtIn, endpointNames()) {
		dir, err := os.MkdirTemp("", "keyloupe-bench-")
		if err == nil {
			defer os.RemoveAll(dir)
			var url string
			var pid int
			var stop func()
			if url, pid, stop, err = b.program("serve", "--listen", "127.0.0.1:0", "--quiet", "--data", dir); err == nil {
				defer stop()
				b.endpoint(builtIn, strings.TrimSuffix(url, "/"), "-", func() float64 { user, system := cpuOf(pid); return user + system })
			}
		}
		b.missed(builtIn, err)
	}
}

// wantsAny tells whether one of the rows is wanted.
func (b *bench) wantsAny(prefix string, names []string) bool {
	for _, n := range names {
		if b.wants(prefix + n) {
			return true
		}
	}
	return false
}

// missed prints why a group of rows could not be measured.
func (b *bench) missed(prefix string, err error) {
	if err != nil {
		b.measure(prefix+"every row", func(*Row) error { return err })
	}
}

// question is what clients ask for a row.
type question struct {
	name string
	next func(client, n int) load.Request
	time time.Duration
	rate float64
}

func endpointNames() []string {
	var names []string
	for _, q := range questions("") {
		names = append(names, q.name)
	}
	return append(names, mixed)
}

const mixed = "50 clients, mixed requests"

func questions(link string) []question {
	return []question{
		{"1,000-point sweep, computed", func(c, n int) load.Request {
			return load.Request{Path: fmt.Sprintf("/api/sweep?value=0..499&servers=9.0.6,9.1.2&keys=%d", unique(c, n)), Check: wantStatus(200)}
		}, computedTime, computedRate},
		{"1,000-point sweep, repeated", same("/api/sweep?value=0..499&servers=9.0.6,9.1.2"), cachedTime, cachedRate},
		{"a link opened", same("/s/" + link), cachedTime, cachedRate},
	}
}

// asked numbers questions, so that none is asked twice.
var asked = 0

func unique(client, n int) int { return 1 + asked + client*100_000 + n }

func same(path string) func(int, int) load.Request {
	return func(int, int) load.Request { return load.Request{Path: path, Check: wantBelow(400)} }
}

func wantStatus(want int) func(int, []byte) error {
	return func(status int, body []byte) error {
		if status != want {
			return fmt.Errorf("status %d: %.100s", status, body)
		}
		return nil
	}
}

func wantBelow(limit int) func(int, []byte) error {
	return func(status int, body []byte) error {
		if status >= limit {
			return fmt.Errorf("status %d: %.100s", status, body)
		}
		return nil
	}
}

// endpoint measures the rows of one server, whose processor time so far is cpu, in seconds.
func (b *bench) endpoint(prefix, url, peer string, cpu func() float64) {
	link, err := postLink(url)
	if err != nil {
		b.missed(prefix, err)
		return
	}
	for _, q := range questions(link) {
		b.row(prefix+q.name, func(r *Row) error {
			var one, many load.Result
			each := math.Inf(1) // processor time of a request, seconds
			for i := range b.runs {
				if a := b.ask(url, 1, q.next); i == 0 || a.P50 < one.P50 {
					one = a
				}
				before := cpu()
				a := b.ask(url, 20, q.next)
				each = min(each, (cpu()-before)/float64(a.Requests))
				if i == 0 || a.Rate > many.Rate {
					many = a
				}
			}
			if err := errors.Join(one.First, many.First); err != nil {
				return err
			}
			r.Measured = fmt.Sprintf("%s; 20 clients %s, CPU %.2f ms each", brief(one), rateOf(many), 1000*each)
			r.Budget = fmt.Sprintf("≤ %d ms; ≥ %.0f/s", q.time.Milliseconds(), q.rate)
			r.Peer = peer
			r.Verdict = worse(judge(one.P50.Seconds(), each, q.time.Seconds()), judge(1/many.Rate, each, 1/q.rate))
			return nil
		})
	}
	b.row(prefix+mixed, func(r *Row) error {
		a := b.ask(url, 50, mixture(link))
		if a.First != nil {
			return fmt.Errorf("%d of %d failed: %w", a.Failures, a.Requests, a.First)
		}
		r.Measured, r.Budget, r.Verdict = fmt.Sprintf("%d requests, 0 failed, %s", a.Requests, a), "no failure", Within
		return nil
	})
}

// mixture is what a crowd asks: sweeps new and old, links made and opened, pictures, mistakes.
func mixture(link string) func(c, n int) load.Request {
	return func(c, n int) load.Request {
		switch n % 6 {
		case 0:
			return load.Request{Path: fmt.Sprintf("/api/sweep?value=0..499&keys=%d", unique(c, n)), Check: wantStatus(200)}
		case 1:
			return load.Request{Method: http.MethodPost, Path: "/api/links", Body: fmt.Sprintf(`{"value":5,"keys":%d}`, unique(c, n)), Check: wantStatus(201)}
		case 2:
			return load.Request{Path: fmt.Sprintf("/api/layout.svg?run=SET+a+%d", unique(c, n)), Check: wantStatus(200)}
		case 3:
			return load.Request{Path: "/s/" + link, Check: wantStatus(302)}
		case 4:
			return load.Request{Path: "/api/cliffs?value=x", Check: wantStatus(400)}
		}
		return load.Request{Path: "/api/sweep.csv?value=0..99", Check: wantStatus(200)}
	}
}

// ask is what so many clients get in a while.
func (b *bench) ask(url string, clients int, next func(client, n int) load.Request) load.Result {
	d := 1500 * time.Millisecond
	if b.quick {
		d = 500 * time.Millisecond
	}
	asked += 10_000_000
	return load.Run(context.Background(), url, clients, d, next)
}

func brief(r load.Result) string {
	return fmt.Sprintf("p50 %.1f ms", float64(r.P50.Microseconds())/1000)
}

func rateOf(r load.Result) string { return fmt.Sprintf("%.0f/s", r.Rate) }

// postLink stores a specification and returns its id.
func postLink(url string) (string, error) {
	res, err := http.Post(url+"/api/links", "application/json", bytes.NewReader([]byte(`{"value":"0..20"}`)))
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	var got struct{ ID string }
	if err := json.NewDecoder(res.Body).Decode(&got); err != nil || got.ID == "" {
		return "", fmt.Errorf("no link made: status %d, %v", res.StatusCode, err)
	}
	return got.ID, nil
}

// startHello builds and starts the peer.
func startHello(t testing.TB) (*worker.Server, error) {
	dir := t.TempDir()
	for _, args := range [][]string{
		{"tool", "workers-assets-gen", "-mode=go", "-o", dir},
		{"build", "-trimpath", "-ldflags=-s -w", "-o", filepath.Join(dir, "app.wasm"), "./internal/bench/hello"},
	} {
		cmd := exec.Command("go", args...)
		cmd.Dir = worker.Root()
		if args[0] == "build" {
			cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
		}
		if out, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("hello: %w: %.300s", err, out)
		}
	}
	return worker.Start(t, nil, "BUILD="+dir, "ENTRY=worker.mjs"), nil
}
