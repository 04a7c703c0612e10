// Package front puts the server's protocol in front of simulated servers, so that valkey-cli,
// client libraries and test-suites can talk to them.
//
//	connection ─ framer ─ command.Client of each server ─ the first one's replies ─ connection
//
// One lock lets one connection at a time at the servers, as the real one's single thread does. Each
// connection has a goroutine that reads, executes and writes; another one is started for it only
// when it gets something outside of its own commands: a message, or the reply to a command that
// blocked.
package front

import (
	"context"
	"errors"
	"net"
	"sync"
	"syscall"
	"time"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/internal/report"
)

// Front serves simulated servers that are kept in step; clients get the first one's replies.
type Front struct {
	mu      sync.Mutex // held while anything is done to the servers
	servers []*engine.Server
	clock   *Clock
	conns   map[*conn]bool
	closed  bool
	limits  outputLimits
	held    int // bytes kept for all connections
	stop    context.CancelFunc
	wg      sync.WaitGroup
}

// New makes a front of servers that were given the clock's Now.
func New(servers []*engine.Server, clock *Clock) *Front {
	for _, s := range servers {
		s.Client.Close() // nobody types at it
	}
	f := &Front{servers: servers, clock: clock, conns: map[*conn]bool{}, stop: func() {}}
	report.AddCommand(servers)
	return f
}

// Clock is the time that the servers of a front share. It stands still while they execute a
// command, so that what expires on one of them expires on all.
type Clock struct{ us int64 }

// NewClock makes a clock that shows the time.
func NewClock() *Clock {
	c := &Clock{}
	c.tick()
	return c
}

// Now is the time, Unix µs.
func (c *Clock) Now() int64 { return c.us }

func (c *Clock) tick() { c.us = time.Now().UnixMicro() }

// With calls do while no command runs, at the time that is then. What it reads of the servers is not to
// be kept: bytes may alias their memory.
func (f *Front) With(do func(servers []*engine.Server)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.clock.tick()
	do(f.servers)
}

const (
	tickEvery  = 100 * time.Millisecond // as hz 10
	acceptWait = 20 * time.Millisecond  // before the next try where the system has no descriptor to give
)

// Serve accepts connections until the context ends, a client asks for SHUTDOWN, or the listener
// fails. It closes the listener and every connection.
func (f *Front) Serve(ctx context.Context, l net.Listener) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	begin := time.Now()
	f.With(func(servers []*engine.Server) {
		f.stop = stop
		for _, s := range servers {
			s.Stopwatch = func() time.Duration { return time.Since(begin) }
			if _, port, err := net.SplitHostPort(l.Addr().String()); err == nil {
				s.Conf.Listening = port
				s.Conf.Load("port", port)
			}
		}
		servers[0].Shutdown = stop
		servers[0].Sleep = func(d time.Duration) { f.sleep(ctx, d) }
	})
	context.AfterFunc(ctx, func() { l.Close() })
	f.wg.Add(1)
	go f.tick(ctx)
	err := f.accept(ctx, l)
	stop()
	f.closeAll()
	f.wg.Wait()
	return err
}

func (f *Front) accept(ctx context.Context, l net.Listener) error {
	for {
		c, err := l.Accept()
		switch {
		case err == nil:
			f.wg.Add(1)
			go f.serve(c)
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE), errors.Is(err, syscall.ECONNABORTED):
			select {
			case <-ctx.Done():
			case <-time.After(acceptWait):
			}
		default:
			return err
		}
	}
}

func (f *Front) closeAll() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	for c := range f.conns {
		c.net.Close()
	}
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
		case now := <-t.C:
			f.With(func(servers []*engine.Server) {
				for _, s := range servers {
					s.Tick()
				}
				f.dropSlow(now)
			})
		}
	}
}

// sleep holds everything up, as DEBUG SLEEP does.
func (f *Front) sleep(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
	f.clock.tick()
}

// timeouts serves blocked clients whose time has come.
func (f *Front) timeouts() {
	f.With(func(servers []*engine.Server) {
		for _, s := range servers {
			s.Timeouts()
		}
	})
}

// Summary is a line for each server: its keys and what they take.
func (f *Front) Summary() (s string) {
	f.With(func(servers []*engine.Server) { s = report.Summary(servers) })
	return s
}
