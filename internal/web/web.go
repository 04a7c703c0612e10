// Package web is what the built-in server puts around its handlers: compression, an access log,
// bounds on how much is done at once and how often a client may ask.
package web

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/keyloupe/keyloupe/api"
)

// recorder notes what an answer was.
type recorder struct {
	http.ResponseWriter
	status int
	bytes  int64
}

func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(b []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	n, err := r.ResponseWriter.Write(b)
	r.bytes += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController reach the writer below.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// Log writes a line for every request: time, client, method, path, status, bytes, duration. What is
// behind the question mark is the reader's own and stays out of it.
func Log(w io.Writer, h http.Handler) http.Handler {
	var mu sync.Mutex
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		start := time.Now()
		rec := &recorder{ResponseWriter: rw}
		defer func() {
			mu.Lock()
			defer mu.Unlock()
			status := fmt.Sprint(rec.status)
			if rec.status == 0 {
				status = "broken"
			}
			fmt.Fprintf(w, "%s %s %s %.200q %s %d %.1fms\n", start.UTC().Format(time.RFC3339), client(r), r.Method, r.URL.Path, status, rec.bytes, float64(time.Since(start).Microseconds())/1000)
		}()
		h.ServeHTTP(rec, r)
	})
}

// client is the address a request came from, without its port.
func client(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return "-"
	}
	return host
}

// Gate lets so many requests work at once; others wait, and are told to come again when that takes
// long.
func Gate(most int, patience time.Duration, h http.Handler) http.Handler {
	free := make(chan struct{}, most)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case free <- struct{}{}:
		default:
			late := time.NewTimer(patience)
			defer late.Stop()
			select {
			case free <- struct{}{}:
			case <-r.Context().Done():
				return
			case <-late.C:
				tooMany(w, r, "the server is busy: try again", 1)
				return
			}
		}
		defer func() { <-free }()
		h.ServeHTTP(w, r)
	})
}

// tooMany answers that a client should come again in so many seconds.
func tooMany(w http.ResponseWriter, r *http.Request, message string, seconds int) {
	h := w.Header()
	h.Set("Retry-After", fmt.Sprint(seconds))
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	h.Set("Access-Control-Allow-Origin", "*")
	w.WriteHeader(http.StatusTooManyRequests)
	if r.Method != http.MethodHead {
		w.Write(api.AppendError(nil, &api.Error{Code: "too_many_requests", Message: message}))
	}
}

// Rate lets every client ask so many times a second, and burst times at once.
func Rate(perSecond float64, burst int, h http.Handler) http.Handler {
	b := &buckets{rate: perSecond, burst: float64(burst), of: map[string]*bucket{}}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if wait := b.take(client(r), time.Now()); wait > 0 {
			tooMany(w, r, fmt.Sprintf("more than %g requests a second from one address: wait a little", perSecond), int(wait.Seconds())+1)
			return
		}
		h.ServeHTTP(w, r)
	})
}

// maxClients bounds how many clients are remembered; full buckets are forgotten first.
const maxClients = 100_000

type bucket struct {
	left float64
	at   time.Time
}

type buckets struct {
	mu    sync.Mutex
	rate  float64
	burst float64
	of    map[string]*bucket
}

// take takes one from a client's bucket, or tells how long until there is one.
func (b *buckets) take(who string, now time.Time) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	c := b.of[who]
	if c == nil {
		if len(b.of) >= maxClients {
			b.forget(now)
		}
		c = &bucket{b.burst, now}
		b.of[who] = c
	}
	c.left = min(b.burst, c.left+b.rate*now.Sub(c.at).Seconds())
	c.at = now
	if c.left < 1 {
		return time.Duration((1 - c.left) / b.rate * float64(time.Second))
	}
	c.left--
	return 0
}

// forget drops the clients whose buckets are full again, or all where every client is busy.
func (b *buckets) forget(now time.Time) {
	for who, c := range b.of {
		if c.left+b.rate*now.Sub(c.at).Seconds() >= b.burst {
			delete(b.of, who)
		}
	}
	if len(b.of) >= maxClients {
		clear(b.of)
	}
}
