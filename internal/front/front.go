// Package front puts the server's protocol in front of simulated servers, so that valkey-cli,
// client libraries and test-suites can talk to them.
//
//	connection ─ framer ─ command.Client of each server ─ the first one's replies ─ connection
//
// One lock lets one command at a time at the servers, as the real one's single thread does. A
// connection is served by one goroutine, with a second one that reads.
package front

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/engine/command"
)

// Front serves simulated servers that are kept in step; clients get the first one's replies.
type Front struct {
	mu      sync.Mutex
	servers []*engine.Server
	conns   map[*conn]bool
	stop    context.CancelFunc
	wg      sync.WaitGroup
}

// New makes a front of servers whose clocks run.
func New(servers []*engine.Server) *Front {
	for _, s := range servers {
		s.Client.Close() // nobody types at it
	}
	return &Front{servers: servers, conns: map[*conn]bool{}}
}

// Clock is the time of a server behind a front, Unix µs.
func Clock() int64 { return time.Now().UnixMicro() }

// With calls f while no command runs.
func (f *Front) With(do func(servers []*engine.Server)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	do(f.servers)
}

const (
	tickEvery = 100 * time.Millisecond // as hz 10
	readSize  = 16 << 10 // an idle connection keeps this much
	backlog   = 8 // chunks read ahead of the command being executed
	// outputLimit closes the connection of a client that does not read what it asked for.
	outputLimit = 256 << 20
	writeLimit  = 60 * time.Second
)

// Serve accepts connections until the context ends, a client asks for SHUTDOWN, or the listener
// fails. It closes the listener and every connection.
func (f *Front) Serve(ctx context.Context, l net.Listener) error {
	ctx, f.stop = context.WithCancel(ctx)
	defer f.stop()
	f.servers[0].Shutdown = f.stop
	context.AfterFunc(ctx, func() { l.Close() })
	f.wg.Add(1)
	go f.tick(ctx)
	var err error
	for {
		c, e := l.Accept()
		if e != nil {
			if !errors.Is(e, net.ErrClosed) {
				err = e
			}
			break
		}
		f.wg.Add(1)
		go f.serve(ctx, c)
	}
	f.stop()
	f.wg.Wait()
	return err
}

// tick does the servers' background work.
func (f *Front) tick(ctx context.Context) {
	defer f.wg.Done()
	t := time.NewTicker(tickEvery)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
			f.With(func(servers []*engine.Server) {
				for _, s := range servers {
					s.Tick()
				}
			})
		}
	}
}

// conn is one client's connection.
type conn struct {
	f       *Front
	net     net.Conn
	clients []*command.Client // one on each server
	in      chan []byte       // what it sent; closed when it is gone
	woken   chan struct{}
	frames  framer
}

func (f *Front) serve(ctx context.Context, nc net.Conn) {
	defer f.wg.Done()
	c := &conn{f: f, net: nc, in: make(chan []byte, backlog), woken: make(chan struct{}, 1)}
	f.With(func(servers []*engine.Server) {
		for _, s := range servers {
			cl := s.NewClient()
			cl.Addr = nc.RemoteAddr().String()
			c.clients = append(c.clients, cl)
		}
		c.clients[0].Wake = c.wake
		c.frames.maxBulk = servers[0].Conf.Int("proto-max-bulk-len")
		f.conns[c] = true
	})
	done := make(chan struct{})
	go c.read(done)
	c.loop(ctx)
	close(done)
	nc.Close()
	f.With(func([]*engine.Server) {
		for _, cl := range c.clients {
			cl.Close()
		}
		delete(f.conns, c)
	})
}

func (c *conn) wake() {
	select {
	case c.woken <- struct{}{}:
	default:
	}
}

func (c *conn) read(done <-chan struct{}) {
	defer close(c.in)
	for {
		b := make([]byte, readSize)
		n, err := c.net.Read(b)
		if n > 0 {
			select {
			case c.in <- b[:n]:
			case <-done:
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// loop executes the client's commands in order. While it is blocked in one, the next ones wait.
func (c *conn) loop(ctx context.Context) {
	for {
		more, err := c.execute()
		if c.write() != nil || err != nil || !more {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-c.woken:
		case b, ok := <-c.in:
			if !ok {
				return
			}
			c.frames.feed(b)
		}
	}
}

// execute runs every whole command that has arrived, up to one that blocks. more is false where
// the client is to be disconnected.
func (c *conn) execute() (more bool, err error) {
	for {
		c.f.mu.Lock()
		if c.clients[0].Blocked() {
			c.f.mu.Unlock()
			return !c.clients[0].Closing(), nil
		}
		args, err := c.frames.next()
		if err != nil {
			c.clients[0].Error(err.Error())
			c.f.mu.Unlock()
			c.write()
			return false, err
		}
		if args == nil {
			closing := c.clients[0].Closing()
			c.f.mu.Unlock()
			return !closing, nil
		}
		c.do(args)
		closing, full := c.clients[0].Closing(), len(c.clients[0].Buf) > readSize
		c.f.mu.Unlock()
		if closing {
			return false, nil
		}
		if full && c.write() != nil {
			return false, nil
		}
	}
}

// do executes a command on every server.
func (c *conn) do(args [][]byte) {
	if own(args) {
		c.f.own(c.clients[0], args)
		return
	}
	for i, cl := range c.clients {
		cl.Do(args)
		if i > 0 {
			cl.Buf = cl.Buf[:0]
		}
	}
}

// write sends what the first server replied.
func (c *conn) write() error {
	c.f.mu.Lock()
	out := c.clients[0].Buf
	c.clients[0].Buf = nil
	c.f.mu.Unlock()
	if len(out) > outputLimit {
		return errors.New("front: the client does not read its replies")
	}
	if len(out) == 0 {
		return nil
	}
	c.net.SetWriteDeadline(time.Now().Add(writeLimit))
	_, err := c.net.Write(out)
	return err
}
