// Package load asks a server from many clients at once and says how long it took.
package load

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// Request is what to ask, and what the answer has to be.
type Request struct {
	Method, Path, Body string
	Header             http.Header
	Check              func(status int, body []byte) error // nil: any status below 500
}

// Result is how it went.
type Result struct {
	Requests int
	Failures int
	First    error // the first failure
	P50, P99 time.Duration
	Rate     float64 // requests a second
	Bytes    int64
}

func (r Result) String() string {
	return fmt.Sprintf("p50 %.2f ms, p99 %.2f ms, %.0f requests/s", ms(r.P50), ms(r.P99), r.Rate)
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// Run asks base from so many clients for so long. next makes request n of a client.
func Run(ctx context.Context, base string, clients int, d time.Duration, next func(client, n int) Request) Result {
	transport := &http.Transport{MaxIdleConnsPerHost: clients, DisableCompression: true}
	defer transport.CloseIdleConnections()
	c := &http.Client{Transport: transport, Timeout: 30 * time.Second, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	var mu sync.Mutex
	var out Result
	var took []time.Duration
	var wg sync.WaitGroup
	start := time.Now()
	for i := range clients {
		wg.Go(func() {
			var mine []time.Duration
			for n := 0; ctx.Err() == nil; n++ {
				begin := time.Now()
				size, err := ask(c, base, next(i, n))
				mine = append(mine, time.Since(begin))
				mu.Lock()
				out.Requests++
				out.Bytes += size
				if err != nil {
					if out.Failures++; out.First == nil {
						out.First = err
					}
				}
				mu.Unlock()
			}
			mu.Lock()
			took = append(took, mine...)
			mu.Unlock()
		})
	}
	wg.Wait()
	out.Rate = float64(out.Requests) / time.Since(start).Seconds()
	slices.SortFunc(took, cmp.Compare)
	if len(took) > 0 {
		out.P50, out.P99 = took[len(took)/2], took[len(took)*99/100]
	}
	return out
}

func ask(c *http.Client, base string, q Request) (int64, error) {
	r, err := http.NewRequest(cmp.Or(q.Method, http.MethodGet), base+q.Path, strings.NewReader(q.Body))
	if err != nil {
		return 0, err
	}
	for name, v := range q.Header {
		r.Header[name] = v
	}
	if q.Body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	res, err := c.Do(r)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return 0, err
	}
	if q.Check != nil {
		err = q.Check(res.StatusCode, body)
	} else if res.StatusCode >= 500 {
		err = fmt.Errorf("%s: status %d: %.200s", q.Path, res.StatusCode, body)
	}
	return int64(len(body)), err
}
