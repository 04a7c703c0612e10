package front

import (
	"strconv"
	"strings"
	"time"
)

// outputLimits are those of client-output-buffer-limit by class of clients: normal and pubsub.
type outputLimits struct {
	text    string // the directive they were read from
	classes map[string]outputLimit
}

// outputLimit bounds what is kept for a client that does not read, bytes; 0 for no bound.
type outputLimit struct {
	hard, soft int
	wait       time.Duration // that more than soft may last
}

const (
	// messageLimit bounds messages for a client whose class has no limit: MONITOR. The server has none either and would use
	// up its memory.
	messageLimit = 256 << 20
	// replyBuffer is what a client may always have (server.h, PROTO_REPLY_CHUNK_BYTES).
	replyBuffer = 16 << 10
	// strangerOutput bounds what is kept for a client that did not give its password.
	strangerOutput = 1 << 10
)

// read reads the limits again where the directive changed.
func (o *outputLimits) read(text string) {
	if text == o.text {
		return
	}
	*o = outputLimits{text: text, classes: map[string]outputLimit{}}
	words := strings.Fields(text)
	for i := 0; i+3 < len(words); i += 4 {
		var l outputLimit
		l.hard, _ = strconv.Atoi(words[i+1])
		l.soft, _ = strconv.Atoi(words[i+2])
		seconds, _ := strconv.Atoi(words[i+3])
		l.wait = time.Duration(seconds) * time.Second
		o.classes[words[i]] = l
	}
}

// outputLimit is the limit of a client's class.
func (f *Front) outputLimit(c *conn) outputLimit {
	f.limits.read(f.servers[0].Conf.Text("client-output-buffer-limit"))
	if c.first().Subscribed() {
		return f.limits.classes["pubsub"]
	}
	return f.limits.classes["normal"]
}

// output is how many bytes are kept for the client beyond what it may always have.
func (c *conn) output() int { return max(c.first().Unsent+len(c.first().Buf)-replyBuffer, 0) }

// tooSlow tells whether more is kept for the client than its class allows, and disconnects it then.
func (c *conn) tooSlow() bool {
	hard := c.f.outputLimit(c).hard
	if c.first().Stranger() {
		hard = strangerOutput
	}
	if hard == 0 || c.output() <= hard {
		return false
	}
	c.dropSlow()
	return true
}

// dropSlow disconnects clients that were above their soft limit for too long.
func (f *Front) dropSlow(now time.Time) {
	for c := range f.conns {
		l := f.outputLimit(c)
		switch {
		case l.soft == 0 || c.output() <= l.soft:
			c.tooMuch = time.Time{}
		case c.tooMuch.IsZero():
			c.tooMuch = now
		case now.Sub(c.tooMuch) > l.wait:
			c.dropSlow()
		}
	}
}

// dropSlow disconnects a client that does not read.
func (c *conn) dropSlow() {
	c.drop()
	for _, s := range c.f.servers {
		s.Stats.SlowReaders++
	}
}
