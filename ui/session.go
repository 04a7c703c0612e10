package ui

import (
	"errors"
	"strings"

	"github.com/keyloupe/keyloupe/ui/store"
	"github.com/keyloupe/keyloupe/ui/wire"
)

// session is what was typed and what came of it.
type session struct {
	app     *App
	rev     int
	entries []*entry
	last    int // id of the newest entry
	cleared int // entries above the visible part of the log (Ctrl+L)
	older   int // how many more than logWindow are shown
	waiting []*entry
	sent    []*entry // given to the engine
	replays int      // lines still to be run again
	all     int      // lines to be run again in all, for the progress bar
	crashes int      // crashes since a line ran through
	done    int      // keys that a long command has dealt with, of of
	of      int
	careful bool // lines are given one at a time, to find the one that brings the engine down
}

// entry is one line of the log.
type entry struct {
	id      int
	line    string
	skipped bool     // it brought the engine down and is not run again
	local   []string // the page's own answer, such as help; not a command of the servers
	note    string   // said under it, such as why it was stopped
	result  *wire.Result
	replay  bool

	received bool // no line at all, but messages that came
	lost     int  // bytes of them that did not
}

// batch is how many lines are given to the engine at once, so that Ctrl+C loses little and the page shows progress.
const batch = 200

// logWindow is how many entries the log shows; older ones come on request.
const logWindow = 200

func (s *session) reset() {
	s.entries, s.waiting, s.sent = nil, nil, nil
	s.cleared, s.older, s.replays, s.all = 0, 0, 0, 0
	s.rev++
}

// lines are the commands that led to the present state, in order.
func (s *session) lines() []string {
	var out []string
	for _, e := range s.entries {
		if !e.skipped && e.local == nil {
			out = append(out, e.line)
		}
	}
	return out
}

// busy tells whether lines wait for the engine.
func (s *session) busy() bool { return len(s.waiting)+len(s.sent) > 0 }

// submit runs typed or pasted lines one by one and keeps them in the history.
func (s *session) submit(lines []string) {
	var kept []string
	for _, l := range lines {
		if s.app.prompt.history.Add(l) {
			kept = append(kept, l)
		}
		s.add(l, false)
	}
	s.app.keepHistory(kept)
	s.pump()
}

// replay runs lines again, or for the first time when they come from a link.
func (s *session) replay(lines []string) {
	s.replays, s.all = len(lines), len(lines)
	for _, l := range lines {
		s.add(l, true)
	}
	s.pump()
}

func (s *session) add(line string, replay bool) {
	s.last++
	e := &entry{id: s.last, line: line, replay: replay}
	s.entries = append(s.entries, e)
	s.rev++
	if !replay && s.app.answerLocally(e) {
		return
	}
	s.waiting = append(s.waiting, e)
}

// pump gives the engine the next lines when it has none. A typed line goes alone: what comes of it shows at once.
func (s *session) pump() {
	s.app.platform.ScrollTo("log", -1)
	if len(s.sent) > 0 || len(s.waiting) == 0 {
		return
	}
	n := min(batch, len(s.waiting))
	if s.careful || s.app.live.on {
		n = 1
	}
	s.sent, s.waiting = s.waiting[:n:n], s.waiting[n:]
	s.done, s.of = 0, 0
	lines := make([]string, n)
	for i, e := range s.sent {
		lines[i] = e.line
	}
	s.app.call(wire.Request{Run: &wire.Run{Lines: lines}}, func(r wire.Response) { s.ran(r.Ran) }, s.broke)
}

// ran takes what the lines did.
func (s *session) ran(r *wire.Ran) {
	s.rev++
	if n := len(r.Results); n > 0 && r.Results[n-1].Failed != "" {
		s.failed(s.sent[n-1], r.Results[n-1].Failed)
		return
	}
	s.crashes = 0
	c := s.app
	c.totals, c.db, c.expires, c.multi = r.Totals, r.DB, r.Expires, r.Multi
	var key []byte
	for i, e := range s.sent {
		if i < len(r.Results) {
			e.result = &r.Results[i]
			if e.result.Key != nil {
				key = e.result.Key
			}
		}
		if e.replay {
			s.replays--
		}
	}
	s.sent = nil
	s.careful = s.careful && len(s.waiting) > 0
	if key != nil && !c.inspect.pinned && string(key) != string(c.inspect.key) {
		c.inspect.show(key)
		c.budget.follow = true
	}
	if s.replays == 0 {
		c.inspect.pinned = false
	}
	c.changed()
	c.tick()
	s.pump()
}

// broke ends the lines that shared servers gave no answer to. Of servers of its own the page is told otherwise.
func (s *session) broke(err error) {
	if !s.app.live.on || errors.Is(err, ErrStopped) {
		return
	}
	for i, e := range append(s.sent, s.waiting...) {
		e.skipped, e.note = true, "not run: "+err.Error()
		if i < len(s.sent) {
			e.note = "no answer, so that it may have run or not: " + err.Error()
		}
	}
	s.sent, s.waiting = nil, nil
	s.rev++
}

// messages shows what came for the page as a subscriber.
func (s *session) messages(texts []string, lost int) {
	if len(texts) == 0 && lost == 0 {
		return
	}
	if n := len(s.entries); n == 0 || !s.entries[n-1].received {
		s.last++
		s.entries = append(s.entries, &entry{id: s.last, line: "messages", received: true, local: []string{}})
	}
	e := s.entries[len(s.entries)-1]
	e.local = append(e.local, texts...)
	e.local = e.local[max(0, len(e.local)-messagesShown):]
	if e.lost += lost; e.lost > 0 {
		e.note = bytesText(e.lost) + " of messages came too fast to be shown"
	}
	s.rev++
	s.app.platform.ScrollTo("log", -1)
}

// progressed takes how far a long command is.
func (s *session) progressed(done, of int) { s.done, s.of = done, of }

// interrupt stops the lines that are running or waiting; those that ran before are run again in a new engine.
func (s *session) interrupt() {
	if !s.busy() {
		return
	}
	for _, e := range append(s.sent, s.waiting...) {
		e.skipped, e.note = true, "stopped: not run"
	}
	if s.app.live.on {
		for _, e := range s.sent {
			e.note = "stopped: the page's connection was closed, the next command opens another"
		}
	}
	s.app.engine.Restart()
	if s.app.live.on {
		s.sent, s.waiting = nil, nil
		s.rev++
		return
	}
	s.recover()
}

// failed goes on without a line that the simulator panicked on.
func (s *session) failed(e *entry, why string) {
	if s.app.live.on {
		e.note, s.sent = "The simulator failed on this command: "+why+". Please report it. Its data may be wrong now.", nil
		s.pump()
		return
	}
	e.skipped, e.note = true, "The simulator failed on this command, so it was left out. Please report it."
	s.app.problem, s.app.detail = crashText, why
	s.app.engine.Restart()
	s.recover()
}

const crashText = "The engine crashed. It was restarted, and what you typed before was run again."

// maxCrashes is how often the engine may crash in a row before the page gives up.
const maxCrashes = 3

// crashed brings a new engine to where the old one was, without the line that was running; where there were several,
// they are given one at a time from then on to find which it was.
func (s *session) crashed(err error) {
	s.crashes++
	if s.crashes > maxCrashes {
		s.app.fail(err)
		return
	}
	s.app.problem = crashText
	_, s.app.detail, _ = strings.Cut(err.Error(), ": ")
	if len(s.sent) == 1 {
		s.sent[0].skipped, s.sent[0].note = true, "The engine crashed on this command, so it was left out."
	}
	s.careful = true
	s.recover()
}

// recover opens new servers and runs everything again that is not left out; the log keeps its entries.
func (s *session) recover() {
	s.sent, s.waiting = nil, nil
	for _, e := range s.entries {
		if !e.skipped && e.local == nil {
			e.replay = true
			s.waiting = append(s.waiting, e)
		}
	}
	s.replays, s.all = len(s.waiting), len(s.waiting)
	s.rev++
	c := s.app
	c.call(c.opening(c.wanted), func(r wire.Response) {
		c.phase, c.servers = running, r.Opened.Servers
		c.changed()
		s.pump()
	}, func(err error) {
		if !errors.Is(err, ErrCrashed) && !errors.Is(err, ErrStopped) {
			c.fail(err)
		}
	})
}

// visible are the entries the log shows, the oldest first.
func (s *session) visible() []*entry {
	from := max(s.cleared, len(s.entries)-logWindow-s.older)
	return s.entries[min(from, len(s.entries)):]
}

// hidden is how many older entries could be shown.
func (s *session) hidden() int { return max(0, len(s.entries)-logWindow-s.older-s.cleared) }

func (s *session) showOlder() { s.older += logWindow; s.rev++ }

// clear empties the visible log, as Ctrl+L does in a terminal.
func (s *session) clear() { s.cleared = len(s.entries); s.rev++ }

// keepHistory writes lines to the store.
func (c *App) keepHistory(lines []string) {
	if len(lines) == 0 {
		return
	}
	c.platform.Storage(func(s *store.Store) func() {
		err := s.AddHistory(lines...)
		return func() {
			if err != nil {
				c.unsaved = "Your history could not be kept: " + err.Error()
			}
		}
	})
}
