package front

import (
	"strconv"
	"strings"
	"time"

	"github.com/keyloupe/keyloupe/engine/command"
)

// outputLimits are the limits of client-output-buffer-limit for subscribers, bytes; 0 for none.
type outputLimits struct {
	text       string // the directive they were read from
	hard, soft int
	wait       time.Duration // that more than soft may last
}

// messageLimit bounds what is kept for a client that gets messages and is no subscriber: MONITOR. The
// server has no limit of its own here and would use up its memory.
const messageLimit = 256 << 20

// read reads the limits again where the directive changed.
func (o *outputLimits) read(text string) {
	if text == o.text {
		return
	}
	*o = outputLimits{text: text}
	words := strings.Fields(text)
	for i := 0; i+3 < len(words); i += 4 {
		if words[i] == "pubsub" {
			o.hard, _ = strconv.Atoi(words[i+1])
			o.soft, _ = strconv.Atoi(words[i+2])
			seconds, _ := strconv.Atoi(words[i+3])
			o.wait = time.Duration(seconds) * time.Second
		}
	}
}

// hardLimit is how many bytes of messages are kept for a client that does not read, before it is
// disconnected.
func (f *Front) hardLimit(c *conn) int {
	f.limits.read(f.servers[0].Conf.Text("client-output-buffer-limit"))
	if f.limits.hard == 0 || !c.first().Subscribed() {
		return messageLimit
	}
	return f.limits.hard
}

// dropSlow disconnects subscribers that were above the soft limit for too long.
func (f *Front) dropSlow(now time.Time) {
	f.limits.read(f.servers[0].Conf.Text("client-output-buffer-limit"))
	if f.limits.soft == 0 {
		return
	}
	for c := range f.conns {
		switch {
		case len(c.first().Buf) <= f.limits.soft || !c.first().Subscribed():
			c.tooMuch = time.Time{}
		case c.tooMuch.IsZero():
			c.tooMuch = now
		case now.Sub(c.tooMuch) > f.limits.wait:
			c.dropSlow()
		}
	}
}

// dropSlow disconnects a client that does not read.
func (c *conn) dropSlow() {
	if c.gone {
		return
	}
	c.gone = true
	c.f.count(func(n *command.Stats) { n.SlowReaders++ })
	c.net.Close()
}

// count counts something on every server.
func (f *Front) count(add func(*command.Stats)) {
	for _, s := range f.servers {
		add(&s.Stats)
	}
}
