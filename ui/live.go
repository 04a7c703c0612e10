package ui

import (
	"errors"
	"fmt"
	"net/url"

	"github.com/keyloupe/keyloupe/ui/wire"
)

// live is the page in front of servers that others talk to: keyloupe resp --http. It asks for what is new, one question
// after another while it is in sight, and shows it.
type live struct {
	app      *App
	on       bool
	rev      int
	listen   string // the address that clients talk to
	seen     wire.Watched
	feed     []wire.Fed // the newest first
	state    contact
	watching bool // a question is under way
}

// contact is what the page knows of the program behind it.
type contact int

const (
	joining contact = iota
	joined
	lost // it does not answer: the page tries again and again
)

const (
	fedShown      = 8  // commands of clients
	messagesShown = 50 // of a subscriber, in one entry of the log
)

// join asks for the servers, at first and when they were lost.
func (l *live) join() {
	c := l.app
	c.call(wire.Request{Open: &wire.Open{}}, func(r wire.Response) { l.joined(r.Opened) }, func(err error) {
		if !errors.Is(err, ErrLost) { // lose tries again
			c.fail(err)
		}
	})
}

// joined begins to watch servers. Those of a program that was started again may be others.
func (l *live) joined(o *wire.Opened) {
	c := l.app
	if l.state == lost || l.seen.Version > 0 {
		c.notice = "Connected again. What you see is what the servers have now; your connection is a new one."
	}
	l.state, l.seen, l.feed, l.listen = joined, wire.Watched{}, nil, o.Listen
	c.phase, c.servers, c.problem, c.detail = running, o.Servers, "", ""
	c.wanted = c.names()
	c.totals = make([]wire.Total, len(c.servers))
	c.table.choose()
	c.changed()
	l.watch()
}

// watch asks for what is new since the last answer, while somebody looks.
func (l *live) watch() {
	c := l.app
	if l.watching || l.state != joined || !c.platform.Visible() {
		return
	}
	l.watching = true
	c.call(wire.Request{Watch: &wire.Watch{Since: l.seen.Version}}, func(r wire.Response) {
		l.watching = false
		l.took(r.Watched)
		l.watch()
	}, func(err error) {
		l.watching = false
		if !errors.Is(err, ErrLost) && !errors.Is(err, ErrGone) { // lose goes on
			c.fail(err)
		}
	})
}

func (l *live) took(w *wire.Watched) {
	c := l.app
	l.rev++
	c.totals, c.db = w.Totals, w.DB
	for _, f := range w.Feed {
		l.feed = append([]wire.Fed{f}, l.feed...)
	}
	l.feed = l.feed[:min(len(l.feed), fedShown)]
	c.session.messages(w.Messages, w.Lost)
	changed := w.Version != l.seen.Version
	l.seen = *w
	if changed {
		c.changed()
	}
}

// lose notes that the program behind the page does not answer, or does not know the page any more, and joins again.
func (l *live) lose(err error) {
	c := l.app
	switch {
	case !l.on || l.state == lost:
		return
	case errors.Is(err, ErrGone):
		if l.state == joined { // and not on the way already
			l.state = joining
			l.join()
		}
		return
	}
	l.state = lost
	c.problem = "The server stopped; reconnecting… What you see is what it had when it was last heard of."
	c.touchAll()
	l.retry()
}

// retry asks every second until there is an answer.
func (l *live) retry() {
	l.app.platform.After(second, func() {
		if l.state != lost {
			return
		}
		l.app.call(wire.Request{Open: &wire.Open{}}, func(r wire.Response) { l.joined(r.Opened) }, func(err error) {
			if errors.Is(err, ErrLost) {
				l.retry()
				return
			}
			l.app.fail(err)
		})
	})
}

// Seen goes on after the page came into sight.
func (c *App) Seen() { c.live.watch() }

// count lets times to live count down; the servers' time passes by itself.
func (l *live) count() {
	c := l.app
	if c.ticking {
		return
	}
	c.ticking = true
	c.platform.After(second, func() {
		c.ticking = false
		if v := c.inspect.seen; v != nil {
			for _, s := range v.Side {
				if s.ExpireAt >= 0 {
					c.inspect.rev++
					l.count()
					return
				}
			}
		}
	})
}

// LivePane shows the clients of the servers and what they send.
type LivePane struct{ *App }

func (c *LivePane) clients() string {
	w := &c.live.seen
	s := plural(w.Clients, "client")
	switch {
	case w.Own && w.Clients == 1:
		s += ": this page"
	case w.Own:
		s += ", one of them this page"
	}
	return s
}

func (c *LivePane) commands() string {
	w := &c.live.seen
	return fmt.Sprintf("%s commands/s, %s in all", group(w.Rate), group(w.Commands))
}

// quiet says what to do while there is nothing to see.
func (c *LivePane) quiet() string {
	if len(c.live.feed) > 0 || c.live.state != joined {
		return ""
	}
	return "Nothing was sent yet. Point a client at " + c.live.listen + ", or type a command."
}

// sample says that the page does not show all.
func (c *LivePane) sample() string {
	w := &c.live.seen
	switch {
	case w.Rate > 100 && w.Pause > slowPause:
		return fmt.Sprintf("A sample of the commands. To leave the servers to their clients, the page looks every %.1f s now.", float64(w.Pause)/1000)
	case w.Rate > 100:
		return "A sample: the first commands after each look."
	case w.Pause > slowPause:
		return fmt.Sprintf("To leave the servers to their clients, the page looks every %.1f s now.", float64(w.Pause)/1000)
	}
	return ""
}

// slowPause is from when on it is told how seldom the page looks, in milliseconds.
const slowPause = 800

func (c *LivePane) from(f wire.Fed) string { return "[" + itoa(f.DB) + " " + f.Addr + "]" }

// databases are offered where there are several.
func (c *LivePane) databases() []wire.Database {
	if d := c.live.seen.Databases; len(d) > 1 {
		return d
	}
	return nil
}

func (c *LivePane) databaseText(d wire.Database) string {
	return itoa(d.ID) + " (" + plural(d.Keys, "key") + ")"
}

func (c *LivePane) choose(d wire.Database) { c.session.submit([]string{"SELECT " + itoa(d.ID)}) }

// pictureAddress is that of the selected key's picture, as it is when somebody asks for it.
func (c *InspectorPane) pictureAddress() string {
	return "live/layout.svg?db=" + itoa(c.db) + "&key=" + url.QueryEscape(string(c.inspect.seen.Key))
}

// stateText is the word in the page's head.
func (c *App) stateText() string {
	return [...]string{"connecting", "live", "no answer"}[c.live.state]
}

func (c *App) stateClass() string { return [...]string{"state", "state on", "state no"}[c.live.state] }
