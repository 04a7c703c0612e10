package live

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/keyloupe/keyloupe/ui/wire"
)

// BenchmarkLoad is a loader of new keys on eight connections, alone and with a page that looks on: commands a second of one
// beside the other say what the page costs.
func BenchmarkLoad(b *testing.B) {
	for _, watched := range []bool{false, true} {
		b.Run(map[bool]string{false: "alone", true: "watched"}[watched], func(b *testing.B) {
			w := start(b, "9.0.6", "9.1.2")
			if watched {
				ctx, stop := context.WithCancel(b.Context())
				gone := make(chan struct{})
				go func() { w.open().look(ctx); close(gone) }()
				defer func() { stop(); <-gone }()
			}
			const conns, pipeline = 8, 64
			rounds := b.N/(conns*pipeline) + 1
			b.ResetTimer()
			before := processor()
			var wg sync.WaitGroup
			for c := range conns {
				conn := w.client()
				wg.Go(func() {
					replies := make([]byte, pipeline*len("+OK\r\n"))
					for r := range rounds {
						var out bytes.Buffer
						for n := range pipeline {
							fmt.Fprintf(&out, "*3\r\n$3\r\nSET\r\n$16\r\nkey:%012d\r\n$8\r\nvvvvvvvv\r\n", (r*conns+c)*pipeline+n)
						}
						conn.Write(out.Bytes())
						if _, err := io.ReadFull(conn.r, replies); err != nil {
							b.Error(err)
							return
						}
					}
				})
			}
			wg.Wait()
			b.ReportMetric(float64((processor()-before).Nanoseconds())/float64(rounds*conns*pipeline), "cpu-ns/command")
			b.ReportMetric(float64(rounds*conns*pipeline)/b.Elapsed().Seconds(), "commands/s")
		})
	}
}

// processor is the time that the process had.
func processor() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// look asks as a page does, until ctx ends.
func (p *page) look(ctx context.Context) {
	var since uint64
	for ctx.Err() == nil {
		r, err := p.try(ctx, wire.Request{Watch: &wire.Watch{Since: since}})
		if err != nil {
			return
		}
		since = r.Watched.Version
		key := []byte("key:000000000000")
		for _, q := range []wire.Request{
			{Keys: &wire.Keys{Count: 40, Find: key}}, {Inspect: &wire.Inspect{Key: key}},
			{Table: &wire.Table{Server: 1, Kind: "keys", Count: 64, Open: -1, Key: key}}, {Budget: &wire.Budget{Key: 16, Value: 64}},
		} {
			if _, err := p.try(ctx, q); err != nil {
				return
			}
		}
	}
}
