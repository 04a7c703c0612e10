package live

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/ui/lab"
	"github.com/keyloupe/keyloupe/ui/wire"
)

const (
	// often is the time between two looks of a page: four a second.
	often = 250 * time.Millisecond
	// seldom is that while so many commands a second run that nobody could follow them: drawing the page takes processors,
	// too, and they are most often the ones that the servers run on.
	seldom = 700 * time.Millisecond
	many   = 5000
	// patience is how long a page waits for news before it asks again, so that either side notices when the other is gone.
	patience = 25 * time.Second
)

// session is one open page.
type session struct {
	s      *Server
	id     string
	used   time.Time // under the server's lock
	expiry *time.Timer
	woken  chan struct{} // the page's client got something outside of its own commands

	mu      sync.Mutex // held while the lab works, not while it waits
	lab     *lab.Guest
	runs    int           // commands, to tell whether a wait is still the last one's
	abandon func()        // ends the wait of a command
	held    time.Duration // how long looks kept the servers from their clients since the last news
	news    news
}

// news is what the page was told last, and when.
type news struct {
	at       time.Time
	version  uint64
	pulse    uint64
	rate     int
	fed      uint64
	looked   time.Time // when commands were counted
	commands int
}

func newSession(s *Server, id, addr string) *session {
	x := &session{s: s, id: id, used: time.Now(), woken: make(chan struct{}, 1), abandon: func() {}}
	s.front.With(func(servers []*engine.Server) {
		x.lab = lab.Visit(servers, lab.Access{With: x.with, Wake: x.wake, Addr: addr, Base: s.base})
	})
	x.expiry = time.AfterFunc(idle, func() { s.drop(x) })
	return x
}

func (x *session) with(do func()) { x.s.front.With(func([]*engine.Server) { do() }) }

func (x *session) wake() {
	select {
	case x.woken <- struct{}{}:
	default:
	}
}

// close ends what the page's client waits for and disconnects it.
func (x *session) close() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.abandon()
	x.with(x.lab.Disconnect)
}

// handle answers a request that waits for nothing.
func (x *session) handle(req *wire.Request) wire.Response {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.answer(req)
}

// answer gives a request to the lab. A failure of the simulator is told, and is the end of that request only.
func (x *session) answer(req *wire.Request) (out wire.Response) {
	defer func() {
		if p := recover(); p != nil {
			out = wire.Response{Error: fmt.Sprint("the simulator failed: ", p)}
		}
	}()
	return x.lab.Handle(*req)
}

// run runs commands. One that blocks is waited for; where the page goes away meanwhile, or sends another, its client is
// disconnected, as Ctrl+C does it in a terminal.
func (x *session) run(ctx context.Context, req *wire.Request) (wire.Response, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.abandon()
	ctx, x.abandon = context.WithCancel(ctx)
	defer x.abandon()
	x.runs++
	mine, out := x.runs, x.answer(req)
	if out.Ran == nil || !x.waits() {
		return out, nil
	}
	for x.waits() {
		x.mu.Unlock()
		select {
		case <-x.woken:
		case <-ctx.Done():
		}
		x.mu.Lock()
		if ctx.Err() == nil {
			continue
		}
		if x.runs == mine {
			x.with(x.lab.Disconnect)
		}
		return wire.Response{}, errLeft
	}
	x.with(func() { x.lab.Served(out.Ran) })
	return out, nil
}

func (x *session) waits() (yes bool) {
	x.with(func() { yes = x.lab.Waits() })
	return yes
}

// watch waits for news, or until the page should ask again.
func (x *session) watch(ctx context.Context, w *wire.Watch) (wire.Response, error) {
	end := time.Now().Add(patience)
	for {
		out, wait := x.look(w.Since, time.Now().After(end))
		if out != nil {
			return wire.Response{Watched: out}, nil
		}
		t := time.NewTimer(wait)
		select {
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
			x.s.drop(x) // a page that stays open waits until it is answered
			return wire.Response{}, errLeft
		}
	}
}

// look tells the news; where there are none, or it is too early for them, it tells when to look again.
func (x *session) look(since uint64, anyway bool) (out *wire.Watched, wait time.Duration) {
	x.mu.Lock()
	defer x.mu.Unlock()
	n := &x.news
	x.held += x.lab.Held()
	pause := max(often, lab.Share*x.held)
	if n.rate > many {
		pause = max(pause, seldom)
	}
	if early := time.Until(n.at.Add(pause)); early > 0 && since != 0 {
		return nil, min(early, often)
	}
	now, pulse := time.Now(), uint64(0)
	x.with(func() {
		pulse = x.lab.Pulse()
		out = x.lab.Look()
		out.Feed, n.fed = x.s.feed.since(n.fed)
	})
	out.Rate = rate(out.Commands-n.commands, now.Sub(n.looked))
	n.looked, n.commands = now, out.Commands
	if pulse == n.pulse && out.Rate == n.rate && since == n.version && len(out.Messages) == 0 && out.Lost == 0 && !anyway {
		return nil, often
	}
	n.at, n.version, n.pulse, n.rate = now, n.version+1, pulse, out.Rate
	out.Version, out.Pause = n.version, int(pause.Milliseconds())
	x.held = 0
	return out, 0
}

// rate is commands a second.
func rate(commands int, d time.Duration) int {
	if d <= 0 || d > patience {
		return 0
	}
	return int(float64(commands) / d.Seconds())
}
