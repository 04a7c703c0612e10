// Package console runs commands as typed at a prompt on simulated servers, and tells what came of them.
//
//	line ─ Session.Do ─ engine.Lab ─ Result ─ Console ─ replies, the keys compared, why
//
// Session knows the servers, their time and what was done to them; Console knows words and prints. The prompt, keyloupe
// run and commands from a pipe are three ways to use them.
package console

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/engine/catalog"
	"github.com/keyloupe/keyloupe/engine/release"
	"github.com/keyloupe/keyloupe/engine/resp"
	"github.com/keyloupe/keyloupe/internal/report"
)

// Session is simulated servers that one client gives commands to.
//
// Time stands still while a command runs. Between commands the servers' cron does what it would have done meanwhile: it
// depends on the times of the commands only, so that giving them again at the same times brings the same state.
type Session struct {
	Lab *engine.Lab
	// Blind leaves the keys out of results: to look at them takes longer than most commands.
	Blind bool

	names   []string
	options engine.Options
	time    Time
	now     int64 // µs, what the servers' clocks show
	ticked  int64 // µs, when the cron ran last
	queued  []string
	past    []step             // what led to the present state
	seen    map[string][]State // keys looked at, while the stamp is seenAt
	seenAt  []int64
	base    []int64 // used_memory of each server when it was empty
	keep    bool
	again   bool // commands of the past are given again
	ctx     context.Context
}

// step is a command, how often it was given, and when, µs.
type step struct {
	args  []string
	times int
	at    int64
}

// Time is where a session's time comes from.
type Time interface {
	// Now is the time in Unix µs.
	Now() int64
	// Pass lets time pass: at a prompt by waiting for it. It ends early, with the context's error, when that is done.
	Pass(ctx context.Context, d time.Duration) error
}

// RealTime passes by itself.
type RealTime struct{}

// Now is the time of day.
func (RealTime) Now() int64 { return time.Now().UnixMicro() }

// Pass waits.
func (RealTime) Pass(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// StandingTime passes only when a command waits for it, and then at once, so that the same commands always give the same.
type StandingTime struct{ us int64 }

// NewStandingTime begins on 1 January 2026, as the other programs without a clock do.
func NewStandingTime() *StandingTime {
	return &StandingTime{time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro()}
}

// Now is the time it has got to.
func (t *StandingTime) Now() int64 { return t.us }

// Pass does not wait.
func (t *StandingTime) Pass(ctx context.Context, d time.Duration) error {
	t.us += d.Microseconds()
	return ctx.Err()
}

// New starts empty servers, VERSION[@BUILD] each. keep says whether the commands are kept, for Undo, Replace and Lines.
func New(names []string, o engine.Options, t Time, keep bool) (*Session, error) {
	s := &Session{time: t, keep: keep, ctx: context.Background()}
	o.Clock = func() int64 { return s.now }
	s.options = o
	return s, s.open(names)
}

// open starts the servers anew.
func (s *Session) open(names []string) error {
	now := s.now
	s.now = s.time.Now()
	lab, err := engine.NewLab(names, s.options)
	if err != nil {
		s.now = now
		return err
	}
	report.AddCommand(lab.Servers)
	s.Lab, s.names, s.ticked, s.queued, s.seenAt = lab, names, s.now, nil, nil
	s.base = nil
	for _, x := range lab.Servers {
		s.base = append(s.base, x.Used())
	}
	lab.Servers[0].Sleep = func(d time.Duration) {
		if !s.again {
			s.time.Pass(s.ctx, d)
		}
	}
	return nil
}

// Names are the servers' names as they were asked for.
func (s *Session) Names() []string { return s.names }

// DB is the number of the client's database.
func (s *Session) DB() int { return s.Lab.Servers[0].Client.DB.ID }

// Catalog is the commands of the newest of the servers, which knows the most.
func (s *Session) Catalog() *catalog.Catalog {
	newest := s.Lab.Servers[0]
	for _, x := range s.Lab.Servers {
		if x.Release.Line > newest.Release.Line {
			newest = x
		}
	}
	return newest.Cat
}

const (
	tickEvery = 100 * time.Millisecond // as hz 10
	// maxTicks bounds what is made up for after a long silence: by then the cron has nothing left to do.
	maxTicks = 600
)

// advance brings the servers to a time, with the cron's work on the way there.
func (s *Session) advance(to int64) {
	every := tickEvery.Microseconds()
	if n := (to - s.ticked) / every; n > maxTicks {
		s.ticked += (n - maxTicks) * every
	}
	for s.ticked+every <= to {
		s.ticked += every
		s.now = max(s.now, s.ticked)
		s.Lab.Tick()
	}
	s.now = max(s.now, to)
}

// Do gives a command to every server, as often as times says. It ends early, where the command waits or is repeated, when
// ctx does. The result tells of all of them, with the replies to the last.
func (s *Session) Do(ctx context.Context, args []string, times int) *Result {
	st := step{args, times, s.time.Now()}
	r := s.do(ctx, st)
	st.times = r.Times
	switch {
	case !s.keep:
	case r.Crashed() != "":
		s.rebuild(ctx, s.names, s.past)
	case r.changedNothing() && !s.InTransaction():
	default:
		s.past = append(s.past, st)
	}
	return r
}

func (s *Session) do(ctx context.Context, st step) *Result {
	s.advance(st.at)
	if s.Blind {
		return s.give(ctx, st)
	}
	keys := s.keys(st.args)
	before := s.look(keys)
	r := s.give(ctx, st)
	after := s.look(keys)
	for i, k := range keys {
		r.Keys = append(r.Keys, Key{Name: k, Before: before[i], After: after[i]})
	}
	return r
}

// give gives a command to the servers.
func (s *Session) give(ctx context.Context, st step) *Result {
	s.ctx = ctx
	r := &Result{Args: st.args, DB: s.DB(), Effects: make([]Effect, len(s.Lab.Servers))}
	for r.Times < st.times && r.Crashed() == "" && (r.Times == 0 || ctx.Err() == nil) {
		done := s.Lab.Do(st.args)
		r.Times++
		for i, e := range done.Effects {
			r.Effects[i].add(s.Lab.Servers[i], e)
		}
		s.wait(ctx, r)
		s.follow(st.args, done)
	}
	return r
}

// keys are the keys that a command is about: those it names, and of EXEC those of the commands it runs.
func (s *Session) keys(args []string) []string {
	if s.InTransaction() && strings.EqualFold(args[0], "exec") {
		return s.queued
	}
	return s.named(args)
}

func (s *Session) named(args []string) (keys []string) {
	b := resp.Bytes(args)
	for _, x := range s.Lab.Servers {
		for _, k := range x.KeysOf(b) {
			if !slices.Contains(keys, string(k)) {
				keys = append(keys, string(k))
			}
		}
		if keys != nil {
			break
		}
	}
	return keys
}

// InTransaction tells whether commands are queued.
func (s *Session) InTransaction() bool { return s.Lab.Servers[0].Client.InTransaction() }

// follow keeps the keys of queued commands.
func (s *Session) follow(args []string, st *engine.Step) {
	if !s.InTransaction() {
		s.queued = nil
		return
	}
	if v := st.Effects[0].Reply; v.Kind != resp.StatusReply || v.Str != "QUEUED" {
		return
	}
	for _, k := range s.named(args) {
		if !slices.Contains(s.queued, k) {
			s.queued = append(s.queued, k)
		}
	}
}

// wait lets the time pass that a blocking command waits for, where it has an end: nobody else is there to serve it.
func (s *Session) wait(ctx context.Context, r *Result) {
	for {
		until := int64(0)
		for _, x := range s.Lab.Servers {
			if u := x.Client.Until(); u > 0 && (until == 0 || u < until) {
				until = u
			}
		}
		if until == 0 {
			return
		}
		if d := time.Duration(until*1000-s.now) * time.Microsecond; d > 0 && !s.again && s.time.Pass(ctx, d) != nil {
			for i, x := range s.Lab.Servers {
				x.Client.StopWaiting()
				r.Effects[i].Waits, r.Effects[i].Stopped = false, r.Effects[i].Waits
			}
			return
		}
		s.advance(until * 1000)
		for i, x := range s.Lab.Servers {
			x.Timeouts()
			r.Effects[i].take(x)
		}
	}
}

// look is what every server keeps of keys.
func (s *Session) look(keys []string) [][]State {
	if now := s.stamp(); !slices.Equal(now, s.seenAt) {
		s.seen, s.seenAt = map[string][]State{}, now
	}
	out := make([][]State, len(keys))
	for i, k := range keys {
		if s.seen[k] == nil {
			for _, x := range s.Lab.Servers {
				s.seen[k] = append(s.seen[k], stateOf(x, k))
			}
		}
		out[i] = s.seen[k]
	}
	return out
}

// stamp is what changes whenever a key does: to look at a large one takes long.
func (s *Session) stamp() []int64 {
	at := []int64{int64(s.DB())}
	for _, x := range s.Lab.Servers {
		at = append(at, x.Dirty, x.Space.Stats.Expired, x.Used())
	}
	return at
}

// Errors of what needs the commands so far.
var (
	ErrNothing = errors.New("no command has changed anything yet")
	ErrNotKept = errors.New("this is known at the prompt only: elsewhere the commands so far are not kept")
)

// Undo takes the last command back that may have changed something, and those after it, by giving the others again. It
// returns what it took back.
func (s *Session) Undo(ctx context.Context) ([]string, error) {
	if !s.keep {
		return nil, ErrNotKept
	}
	for i, st := range slices.Backward(s.past) {
		if s.changes(st.args) {
			return st.args, s.rebuild(ctx, s.names, s.past[:i])
		}
	}
	return nil, ErrNothing
}

// changes tells whether a command may change data or the client's state.
func (s *Session) changes(args []string) bool {
	b := resp.Bytes(args)
	for _, x := range s.Lab.Servers {
		if m := x.Cat.Find(b); m != nil && !m.HasFlag("readonly") && (m.HasFlag("write") || slices.Contains(stateful, m.FullName)) {
			return true
		}
	}
	return false
}

// stateful are commands without the flag write that change what later ones do.
var stateful = []string{"multi", "exec", "discard", "select", "debug", "reset", "hello", "config|set", "swapdb", "watch", "unwatch", "client|reply", "monitor", "subscribe", "psubscribe", "ssubscribe", "unsubscribe", "punsubscribe", "sunsubscribe"}

// Replace goes on with other servers, that are given all the commands so far.
func (s *Session) Replace(ctx context.Context, names []string) error {
	if !s.keep {
		return ErrNotKept
	}
	return s.rebuild(ctx, names, s.past)
}

// rebuild gives commands to new servers. Where ctx ends before it is done, all is as before.
func (s *Session) rebuild(ctx context.Context, names []string, past []step) error {
	was := *s
	began := s.time.Now()
	if len(past) > 0 {
		began = past[0].at
	}
	if err := s.open(names); err != nil {
		return err
	}
	s.again = true
	defer func() { s.again = false }()
	s.now, s.ticked = began, began
	for _, st := range past {
		if ctx.Err() != nil {
			*s = was
			return ctx.Err()
		}
		s.advance(st.at)
		s.give(ctx, st)
	}
	s.past = slices.Clone(past)
	return nil
}

// Lines are the commands that led to the present state, as they can be typed.
func (s *Session) Lines() (lines []string, err error) {
	switch {
	case !s.keep:
		return nil, ErrNotKept
	case len(s.past) == 0:
		return nil, ErrNothing
	}
	for _, st := range s.past {
		line := Join(st.args)
		if st.times > 1 {
			line = fmt.Sprintf("%d %s", st.times, line)
		}
		lines = append(lines, line)
	}
	return lines, nil
}

// ParseServers takes a list of servers apart, separated by commas.
func ParseServers(list string) (names []string, err error) {
	for n := range strings.SplitSeq(list, ",") {
		n = strings.TrimSpace(n)
		if _, err := release.Parse(n); err != nil {
			return nil, err
		}
		if slices.Contains(names, n) {
			return nil, fmt.Errorf("%s is listed twice", n)
		}
		names = append(names, n)
	}
	return names, nil
}
