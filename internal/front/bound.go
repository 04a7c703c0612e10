package front

import (
	"strconv"
	"strings"
)

// allLimit bounds what is kept for all clients together where maxmemory-clients does not: halves of commands, and replies
// and messages that are not read. The server has no such limit and would use up its memory.
const allLimit = 1 << 30

// limitOfAll is how many bytes may be kept for all clients together.
func (f *Front) limitOfAll() int {
	s := f.servers[0]
	text := s.Conf.Text("maxmemory-clients")
	n := s.Conf.Int("maxmemory-clients")
	if percent, ok := strings.CutSuffix(text, "%"); ok {
		p, _ := strconv.ParseInt(percent, 10, 64)
		n = s.Conf.Int("maxmemory") / 100 * p
	}
	if n <= 0 {
		return allLimit
	}
	return int(max(n-int64(len(f.conns)*s.R.Baseline().ClientCounted), 1))
}

// kept notes how many bytes are kept for the client now, and disconnects those with most where they are too many for all
// (networking.c, evictClients).
func (c *conn) kept() {
	f := c.f
	now := c.unexecuted
	if n := c.first().Unsent + len(c.first().Buf); n > replyBuffer {
		now += n
	}
	f.held += now - c.held
	c.held = now
	for f.held > 0 && f.held > f.limitOfAll() {
		var most *conn
		for x := range f.conns {
			if !x.gone && !x.first().NoEvict() && (most == nil || x.held > most.held) {
				most = x
			}
		}
		if most == nil || most.held == 0 {
			return
		}
		most.drop()
		for _, s := range f.servers {
			s.Stats.EvictedClients++
		}
	}
}

// drop disconnects a client; what is kept for it is let go.
func (c *conn) drop() {
	c.f.held -= c.held
	c.held, c.unexecuted = 0, 0
	c.first().Buf = nil
	c.gone = true
	c.net.Close()
}
