// Package lab answers the page's requests (ui/wire) on an engine.Lab. It is the engine's side of the page: in the browser
// it runs in a Web Worker, in tests in the same process.
//
// A Lab has servers of its own, which nobody else changes; a Guest looks on at servers that have clients of their own. It
// takes the servers' lock for every look, for a bounded time, and keeps nothing that a client may change.
package lab

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/engine/release"
	"github.com/keyloupe/keyloupe/engine/resp"
	"github.com/keyloupe/keyloupe/ui/wire"
)

// Lab holds the servers that are compared. The zero Lab has none.
type Lab struct {
	lab     *engine.Lab
	host    host    // of servers that are not the lab's own
	base    []int64 // used_memory of each server when it was empty
	now     int64   // µs, the clock of the lab's own servers; it never goes back
	keys    index
	changes changes
	scratch []*engine.Server // for shapes that nobody typed, made when first asked for
	options engine.Options

	// Progress, if not nil when servers are opened, is told now and then how far a long command is: keys, on all servers.
	Progress func(done, of int)
}

// errClosed answers requests that come before Open.
var errClosed = errors.New("no servers are open")

// maxServers bounds what one Open may start.
const maxServers = 8

// Handle answers one request. It panics where the engine does.
func (l *Lab) Handle(req wire.Request) wire.Response {
	out := wire.Response{ID: req.ID}
	if err := l.handle(&req, &out); err != nil {
		out.Error = err.Error()
	}
	return out
}

func (l *Lab) handle(req *wire.Request, out *wire.Response) (err error) {
	l.now = max(l.now, req.Now*1000)
	if req.Open != nil {
		out.Opened, err = l.open(req.Open)
		return err
	}
	if l.lab == nil {
		return errClosed
	}
	switch {
	case req.Run != nil:
		l.use(func() { out.Ran = l.run(req.Run) })
	case req.Keys != nil:
		out.Listed = l.list(req.Keys)
	case req.Inspect != nil:
		out.Inspected = l.inspect(req.Inspect, req.Now)
	case req.Table != nil:
		l.look(func() { out.Buckets, err = l.table(req.Table) })
	case req.Budget != nil:
		out.Budgeted, err = l.budget(req.Budget)
	case req.Complete != nil:
		out.Completed = l.complete(req.Complete)
	default:
		return errors.New("the request asks for nothing")
	}
	return err
}

// use calls do while nobody else is at the servers.
func (l *Lab) use(do func()) {
	if l.host != nil {
		l.host.use(do)
		return
	}
	do()
}

// look is use for what changes nothing.
func (l *Lab) look(do func()) {
	if l.host != nil {
		l.host.look(do)
		return
	}
	do()
}

// each looks n times; in turns with others where there are any.
func (l *Lab) each(n int, do func(i int)) {
	if l.host != nil {
		l.host.each(n, do)
		return
	}
	for i := range n {
		do(i)
	}
}

func (l *Lab) open(o *wire.Open) (*wire.Opened, error) {
	if l.host != nil {
		return l.opened(), nil
	}
	if len(o.Servers) > maxServers {
		return nil, fmt.Errorf("%d servers are more than the page compares: the limit is %d", len(o.Servers), maxServers)
	}
	config, err := directives(o.Config)
	if err != nil {
		return nil, err
	}
	for i, n := range o.Servers {
		if slices.Contains(o.Servers[:i], n) {
			return nil, fmt.Errorf("server %s is named twice", n)
		}
	}
	options := engine.Options{Clock: func() int64 { return l.now }, SeedHex: o.HashSeed, Config: config}
	lab, err := engine.NewLab(o.Servers, options)
	if err != nil {
		return nil, err
	}
	l.lab, l.options, l.scratch, l.base = lab, options, nil, nil
	for i, s := range lab.Servers {
		l.base = append(l.base, s.Used())
		if l.Progress != nil {
			s.Progress = func(done, of int) { l.Progress(i*of+done, of*len(lab.Servers)) }
		}
	}
	l.keys, l.changes = index{}, changes{}
	l.keys.rebuild(l.lab)
	out := &wire.Opened{}
	for i, s := range lab.Servers {
		out.Servers = append(out.Servers, describe(o.Servers[i], s.Release))
	}
	return out, nil
}

// opened describes servers that were there.
func (l *Lab) opened() *wire.Opened {
	out := &wire.Opened{}
	for _, s := range l.lab.Servers {
		out.Servers = append(out.Servers, describe(s.Release.Name(), s.Release))
	}
	return out
}

func directives(list []string) (map[string]string, error) {
	out := map[string]string{}
	for _, c := range list {
		name, value, ok := strings.Cut(c, "=")
		if !ok {
			return nil, fmt.Errorf("%q is no directive: it should be name=value", c)
		}
		out[name] = value
	}
	return out, nil
}

func describe(name string, r *release.Release) wire.Server {
	s := wire.Server{Name: name, Label: r.Label(), Release: r.Version, Build: r.Build.Name}
	if r.As != "" {
		s.Release = r.As
	}
	if r.Build.ID == release.Managed {
		s.Note = r.Build.What
	}
	return s
}

// run gives lines to the servers. It ends after a line that the simulator failed on.
func (l *Lab) run(r *wire.Run) *wire.Ran {
	out := &wire.Ran{}
	if len(r.Lines) == 0 && l.host == nil {
		l.lab.Tick()
	}
	for _, line := range r.Lines {
		res := l.line(line)
		out.Results = append(out.Results, res)
		if res.Failed != "" {
			break
		}
	}
	if l.host == nil {
		l.keys.check(l.lab)
	}
	l.reached(out)
	return out
}

// reached says what the servers are at after commands.
func (l *Lab) reached(out *wire.Ran) {
	out.Totals = l.totals()
	out.DB = l.lab.Servers[0].Client.DB.ID
	out.Multi = l.lab.Servers[0].Client.InTransaction()
	out.Expires = false
	for _, s := range l.lab.Servers {
		out.Expires = out.Expires || s.Client.DB.Expires() > 0
	}
}

func (l *Lab) line(line string) wire.Result {
	l.changes.step++
	args, err := resp.Split(line)
	if err != nil {
		return wire.Result{Replies: []wire.Reply{{Text: "I" + err.Error()[1:], Error: true}}}
	}
	if len(args) == 0 {
		return wire.Result{}
	}
	step := l.do(line, args)
	res := wire.Result{Write: l.writes(step.Args)}
	lines := repliesLines(args)
	for i, e := range step.Effects {
		if e.Crashed != "" {
			res.Failed = l.lab.Servers[i].Release.Name() + ": " + e.Crashed
		}
		res.Effects = append(res.Effects, effect(e))
		if i == 0 || !step.Same {
			res.Replies = append(res.Replies, reply(e.Reply, lines, l.lab.Servers[i].Client.Blocked()))
		}
	}
	if len(step.Keys) > 0 {
		res.Key = []byte(step.Keys[0])
	}
	if l.host == nil {
		l.follow(step, res.Write)
	}
	return res
}

// do executes a command. What it converted is remembered where nobody else can convert it again.
func (l *Lab) do(line string, args []string) *engine.Step {
	if l.host != nil {
		return l.host.send(args)
	}
	before := l.before(args)
	step := l.lab.Do(args)
	l.changes.note(l.lab, line, before, step)
	return step
}

// follow brings what is kept about keys in line with a command.
func (l *Lab) follow(step *engine.Step, write bool) {
	for _, k := range step.Keys {
		l.keys.touch(l.lab, k)
		if l.keys.has[k] == 0 {
			l.changes.forget(k)
		}
	}
	if len(step.Keys) == 0 && write { // FLUSHALL, SWAPDB and the like
		l.keys.unsure = true
		l.changes.last = nil
	}
}

// writes tells whether a command may change data without naming the keys it changes.
func (l *Lab) writes(args []string) bool {
	b := make([][]byte, len(args))
	for i, a := range args {
		b[i] = []byte(a)
	}
	for _, s := range l.lab.Servers {
		if m := s.Cat.Find(b); m != nil && (m.HasFlag("write") || slices.Contains(indirect, m.FullName)) {
			return true
		}
	}
	return false
}

// indirect are commands without the flag write that change data, or which data is shown.
var indirect = []string{"exec", "select", "debug", "reset"}

func effect(e *engine.Effect) wire.Effect {
	out := wire.Effect{Delta: int(e.Delta), Why: e.Why}
	for _, v := range e.Events {
		switch v.Op.String() {
		case "alloc":
			out.Allocs++
		case "free":
			out.Frees++
		}
	}
	return out
}

// longestReply is how much of a reply is sent to the page, in bytes.
const longestReply = 16 << 10

// linesOf are the commands that reply lines of text, which valkey-cli prints as they are and not in quotes.
var linesOf = []string{"info", "lolwut", "keyloupe", "client list", "client info", "cluster info", "cluster nodes", "debug htstats", "debug htstats-key",
	"latency doctor", "latency graph", "memory doctor", "memory malloc-stats"}

func repliesLines(args []string) bool {
	name := strings.ToLower(args[0])
	return slices.Contains(linesOf, name) || len(args) > 1 && slices.Contains(linesOf, name+" "+strings.ToLower(args[1]))
}

func reply(v resp.Value, lines, waits bool) wire.Reply {
	text := v.Text()
	switch {
	case v.Kind == resp.BulkReply && lines:
		text = strings.TrimSuffix(strings.ReplaceAll(v.Str, "\r\n", "\n"), "\n")
	case v.Kind != 0:
	case waits:
		text = "(no reply: this waits for another client; the next command ends the wait)"
	default:
		text = "(no reply)"
	}
	r := wire.Reply{Text: text, Error: v.Kind == resp.ErrorReply}
	if len(text) > longestReply {
		r.Text, r.More = strings.ToValidUTF8(text[:longestReply], ""), len(text)-longestReply
	}
	return r
}

func (l *Lab) totals() []wire.Total {
	out := make([]wire.Total, len(l.lab.Servers))
	for i, s := range l.lab.Servers {
		out[i] = wire.Total{Used: int(s.Used() - l.base[i]), Keys: s.Client.DB.Len()}
	}
	return out
}
