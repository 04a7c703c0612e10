package front

import (
	"fmt"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/keyloupe/keyloupe/engine/command"
)

// conn is one client's connection.
type conn struct {
	f       *Front
	net     net.Conn
	clients []*command.Client // one on each server

	run    sync.Mutex // held by the goroutine that executes and writes
	frames framer
	spare  []byte // the buffer of the last reply, for the next one

	// Under the front's lock:
	woken      bool // a goroutine is on its way to go on with what is there
	gone       bool
	held       int         // bytes kept for it, unexecuted ones and replies
	timer      *time.Timer // when a blocked client's time will come
	until      int64       // for which time it was set, ms
	unexecuted int         // bytes that came and are no whole command, or wait for one that blocks
	tooMuch    time.Time   // since when more is kept for it than the soft limit
}

const (
	// smallRead is what an idle connection keeps to read into; bigRead what a busy one may have.
	smallRead, bigRead = 512, 64 << 10
	// batch is how many commands of one connection are executed before the others have their turn.
	batch = 64
	// enough bytes of replies are sent before more commands are executed, so that a client that does not
	// read is not executed for.
	enough = 16 << 10
)

// serve is the goroutine of a connection.
func (f *Front) serve(nc net.Conn) {
	defer f.wg.Done()
	defer nc.Close()
	c, refusal := f.connect(nc)
	if c == nil {
		nc.SetWriteDeadline(time.Now().Add(time.Second))
		nc.Write([]byte(refusal))
		return
	}
	defer c.disconnect()
	buf := make([]byte, smallRead)
	for {
		n, err := nc.Read(buf)
		if n > 0 && !c.received(buf[:n]) || err != nil {
			return
		}
		buf = fitting(buf, n)
	}
}

// fitting is the buffer for the next read after one of n bytes.
func fitting(buf []byte, n int) []byte {
	switch {
	case n == len(buf) && n < bigRead:
		return make([]byte, 4*n)
	case n < len(buf)/8 && len(buf) > smallRead:
		return make([]byte, smallRead)
	}
	return buf
}

// connect makes the connection known to every server; it is nil where it is refused.
func (f *Front) connect(nc net.Conn) (c *conn, refusal string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	first := f.servers[0]
	switch {
	case f.closed:
		return nil, ""
	case int64(len(f.conns)) >= first.Conf.Int("maxclients"):
		for _, s := range f.servers {
			s.Stats.Refused++
		}
		return nil, "-ERR max number of clients reached\r\n"
	}
	f.clock.tick()
	keepAlive(nc, time.Duration(first.Conf.Int("tcp-keepalive"))*time.Second)
	c = &conn{f: f, net: nc}
	for _, s := range f.servers {
		cl := s.NewClient()
		cl.Addr, cl.Local = nc.RemoteAddr().String(), nc.LocalAddr().String()
		c.clients = append(c.clients, cl)
	}
	c.first().Wake = c.wake
	c.frames.strict, c.frames.oldQuotes = first.R.StrictCRLF, !first.R.QuotesInside
	f.conns[c] = true
	return c, ""
}

// keepAlive has the system find out, after so long a silence, whether the client is still there (anet.c, anetKeepAlive).
func keepAlive(nc net.Conn, after time.Duration) {
	if tcp, ok := nc.(*net.TCPConn); ok {
		tcp.SetKeepAliveConfig(net.KeepAliveConfig{Enable: after > 0, Idle: after, Interval: max(after/3, time.Second), Count: 3})
	}
}

func (c *conn) disconnect() {
	c.f.mu.Lock()
	defer c.f.mu.Unlock()
	c.f.clock.tick()
	if !c.gone {
		c.drop()
	}
	if c.timer != nil {
		c.timer.Stop()
	}
	for _, cl := range c.clients {
		cl.Close()
	}
	delete(c.f.conns, c)
}

func (c *conn) first() *command.Client { return c.clients[0] }

// received goes on with bytes that the client sent; it is false where the connection is to be closed.
func (c *conn) received(b []byte) bool {
	c.run.Lock()
	defer c.run.Unlock()
	c.frames.feed(b)
	return c.advance()
}

// wake is called under the lock when the client gets something outside of its own command, or is killed.
func (c *conn) wake() {
	switch {
	case c.gone:
		return
	case c.first().Closing() && len(c.first().Buf) == 0:
		c.net.Close()
		return
	case c.tooSlow():
		return
	case len(c.first().Buf) > messageLimit:
		c.dropSlow()
		return
	}
	c.kept()
	if c.woken || c.gone {
		return
	}
	c.woken = true
	c.f.wg.Add(1)
	go func() {
		defer c.f.wg.Done()
		c.run.Lock()
		defer c.run.Unlock()
		if !c.advance() {
			c.net.Close()
		}
	}()
}

// advance executes what has arrived, up to a command that blocks, and sends the replies.
func (c *conn) advance() bool {
	for {
		more, open := c.execute()
		if !c.send() || !open {
			return false
		}
		if !more {
			c.frames.idle()
			return true
		}
	}
}

// execute executes commands until there is no whole one, one blocks, or it is time to send replies
// and go on; more tells the last. open is false where the connection is to be closed then.
func (c *conn) execute() (more, open bool) {
	c.f.mu.Lock()
	defer c.f.mu.Unlock()
	c.woken = false
	c.f.clock.tick()
	for _, cl := range c.clients {
		cl.Heard()
	}
	defer func(begin time.Time) {
		for _, s := range c.f.servers {
			s.Broadcast()
			s.Stats.Cycles++
		}
		c.first().Unread = c.frames.waiting()
		c.unexecuted = c.frames.memory()
		if !c.gone {
			c.kept()
		}
		c.f.servers[0].Active += time.Since(begin)
	}(time.Now())
	c.frames.maxBulk = c.f.servers[0].Conf.Int("proto-max-bulk-len")
	for n := 0; ; n++ {
		if c.gone || c.first().Closing() {
			return false, false
		}
		if c.first().Blocked() {
			c.setTimer()
			return false, !c.unread()
		}
		if n == batch || len(c.first().Buf) > enough {
			return true, true
		}
		c.frames.stranger = c.first().Stranger()
		args, err := c.frames.next()
		if err != nil {
			c.first().Error(err.Error())
			return false, false
		}
		if args == nil {
			return false, !c.unread()
		}
		if !c.do(args) || c.tooSlow() {
			return false, false
		}
	}
}

// unread tells whether the client sent more than may wait to be executed.
func (c *conn) unread() bool {
	over := int64(c.frames.waiting()) > c.f.servers[0].Conf.Int("client-query-buffer-limit")
	if over {
		for _, s := range c.f.servers {
			s.Stats.LongRequests++
		}
	}
	return over
}

// do executes a command on every server; it is false where the connection is to be closed.
func (c *conn) do(args [][]byte) (ok bool) {
	defer func() {
		if p := recover(); p != nil {
			c.first().Error(fmt.Sprint("ERR the simulator failed: ", p))
			ok = false
		}
	}()
	if isHTTP(args[0]) {
		c.first().Buf = nil
		return false
	}
	c.f.clock.tick()
	for i, cl := range c.clients {
		cl.Typed = c.frames.typed
		cl.Do(args)
		if i > 0 {
			cl.Buf = cl.Buf[:0]
		}
	}
	return true
}

// isHTTP tells whether a command is how a browser begins that was led to send a request here: the
// server disconnects it without a word (server.c, securityWarningCommand).
func isHTTP(name []byte) bool {
	return strings.EqualFold(string(name), "post") || strings.EqualFold(string(name), "host:")
}

// setTimer has a blocked client served when its time comes.
func (c *conn) setTimer() {
	until := c.first().Until()
	if until == c.until && c.timer != nil || until == 0 {
		return
	}
	if c.timer != nil {
		c.timer.Stop()
	}
	wait := time.Duration(until*1000-c.f.clock.Now()) * time.Microsecond
	c.until, c.timer = until, time.AfterFunc(wait, c.f.timeouts)
}

// send sends what the first server replied.
func (c *conn) send() bool {
	c.f.mu.Lock()
	out := c.first().Buf
	if len(out) > 0 {
		c.first().Buf = c.spare
		c.spare = nil
		for _, cl := range c.clients[1:] {
			cl.Buf = cl.Buf[:0] // messages
		}
		for _, cl := range c.clients {
			cl.Flushed()
		}
	}
	if len(out) > replyBuffer {
		c.first().Unsent = len(out)
	}
	c.f.mu.Unlock()
	if len(out) == 0 {
		return true
	}
	_, err := c.net.Write(out)
	if len(out) > replyBuffer {
		c.f.mu.Lock()
		c.first().Unsent = 0
		if !c.gone {
			c.kept()
		}
		c.f.mu.Unlock()
	}
	if cap(out) <= enough {
		c.spare = out[:0]
	}
	return err == nil
}
