//go:build !js

package livediff

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/internal/realserver"
)

// databases that a history of runUsed may select: all of them have their tables before it begins.
const databases = 3

// runUsed compares a history and then what it added to used_memory. A connection of its own, whose buffers come and go,
// gives the commands, one after the reply to the other; the server's own connection only reads INFO.
func (g Target) runUsed(s *engine.Server, h History, o *Options) *difference {
	observer := g.Real.Client()
	for _, c := range [][]string{{"CONFIG", "SET", "latency-tracking", "no"}, {"CONFIG", "SET", "slowlog-log-slower-than", "-1"}, {"DEBUG", "REPLYBUFFER", "RESIZING", "0"}, {"DEBUG", "PAUSE-CRON", "1"}} {
		observer.Do(c...)
	}
	g.alone(s, append(prologue(), o.Begin...), &Options{Unsized: func([]string) bool { return true }, Equal: func([]string, []byte, []byte) bool { return true }})
	real, simulated := settled(observer), s.Used()
	if d := g.alone(s, h, o); d != nil {
		return d
	}
	simulated = s.Used() - simulated
	const patience = time.Second // a busy machine may let the server's other threads wait
	var grown int64
	for begin := time.Now(); time.Since(begin) < patience; {
		if grown = settled(observer) - real; grown == simulated {
			return nil
		}
	}
	return &difference{len(h) - 1, "growth of used_memory", []byte(fmt.Sprint(grown)), []byte(fmt.Sprint(simulated))}
}

// prologue gives every database new tables, which a flush in the background drops and one in the foreground keeps, and
// empties it.
func prologue() (h History) {
	for _, flush := range []string{"ASYNC", "SYNC"} {
		for db := range databases {
			h = append(h, []string{"SELECT", strconv.Itoa(db)}, []string{"SET", "k", "v", "PXAT", "4102444800000"}, []string{"HSETEX", "h", "PXAT", "4102444800000", "FIELDS", "1", "f", "v"})
		}
		h = append(h, []string{"FLUSHALL", flush})
	}
	return append(h, []string{"SELECT", "0"})
}

// alone gives a history over a connection that is closed after it.
func (g Target) alone(s *engine.Server, h History, o *Options) *difference {
	c := g.Real.Dial()
	defer c.Close()
	for i, cmd := range h {
		for _, q := range g.questions(s, i, cmd, o) {
			if d := g.ask(c, s, []question{q}, o); d != nil {
				return d
			}
			s.Client.Flushed()
		}
	}
	return nil
}

// settled is the real server's used_memory once it has stayed the same for a while and nothing waits to be freed: what its
// other threads free comes late on a busy machine. Counts of errors, which are kept in memory, are dropped first.
func settled(observer *realserver.Client) (n int64) {
	observer.Do("CONFIG", "RESETSTAT")
	const still = 10 * time.Millisecond
	for since := time.Now(); time.Since(since) < still; {
		info := fmt.Sprint(observer.Do("INFO", "memory", "clients"))
		m, _ := strconv.ParseInt(field(info, "used_memory"), 10, 64)
		if m != n || field(info, "lazyfree_pending_objects") != "0" || field(info, "connected_clients") != "1" {
			n, since = m, time.Now()
		}
	}
	return n
}

func field(info, name string) string {
	_, rest, _ := strings.Cut(info, "\r\n"+name+":")
	value, _, _ := strings.Cut(rest, "\r\n")
	return value
}
