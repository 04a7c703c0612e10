package command

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/keyloupe/keyloupe/engine/decimal"

	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/keyspace"
	"github.com/keyloupe/keyloupe/engine/object"
	"github.com/keyloupe/keyloupe/engine/resp"
)

// Client is one connection: what a handler works on.
type Client struct {
	resp.Writer
	S     *Server
	DB    *keyspace.DB
	ID    int64
	Name  string
	Addr  string // as CLIENT LIST shows it
	Local string // the address it connected to; "" is that of the directive port

	Typed  bool // the command came as a typed line, not as an array of strings
	Unsent int  // bytes of replies that are being sent
	Unread int  // bytes that came and wait until a blocked command has its reply, or for the rest of one

	Args [][]byte // the command being executed, its name first
	Cmd  *Command

	multi       transaction
	blocked     *blockedOn
	held        []ptr  // objects that replies refer to which are not sent yet
	Wake        func() // called when a reply comes outside of Do; nil for nobody
	pubsub      subscriptions
	closing     bool
	unknown     bool          // it did not give the password that the server asked for when it came
	readonly    bool          // READONLY: it may read from a replica
	took        time.Duration // by the command being executed, which may have been tried before
	noTouch     bool
	noEvict     bool
	monitor     bool
	hadMulti    bool // MULTI or WATCH was ever used
	reply       replyMode
	pushes      []byte // messages that come while the client's own command runs: they go after its reply
	tracking    tracking
	executing   bool     // a handler runs
	invalidated [][]byte // keys that the client's own command changed, to be told after its reply
	info        clientInfo
	num         [24]byte // digits of an integer being replied
}

type handler func(c *Client)

// NewClient connects a client.
func (s *Server) NewClient() *Client {
	s.nextID++
	c := &Client{S: s, ID: s.nextID, DB: s.Space.DB(0), Writer: resp.Writer{Proto: 2}, Addr: "127.0.0.1:0"}
	c.info.created, c.info.seen = s.now, s.now
	c.unknown = s.password() != ""
	s.Clients = append(s.Clients, c)
	s.Stats.Connections++
	return c
}

// Close disconnects a client.
func (c *Client) Close() {
	c.Flushed()
	c.unwatch()
	c.unblock()
	c.unsubscribeAll()
	c.S.stopMonitor(c)
	c.stopTracking()
	for i, x := range c.S.Clients {
		if x == c {
			c.S.Clients = append(c.S.Clients[:i], c.S.Clients[i+1:]...)
			c.S.Stats.NetIn += c.info.netIn
			c.S.Stats.NetOut += c.info.netOut
			break
		}
	}
}

// Closing tells whether the client asked to be disconnected.
func (c *Client) Closing() bool { return c.closing }

// NoEvict tells whether the client asked to stay whatever maxmemory-clients says.
func (c *Client) NoEvict() bool { return c.noEvict }

// Until is when a blocked client waits no more, Unix ms; 0 for never.
func (c *Client) Until() int64 {
	switch {
	case c.blocked == nil:
		return 0
	case c.blocked.postponed:
		return c.S.pause.until
	}
	return c.blocked.until
}

// Blocked tells whether the client waits in a blocking command.
func (c *Client) Blocked() bool { return c.blocked != nil }

// StopWaiting ends a blocking command without a reply, as disconnecting does; one that CLIENT PAUSE holds back stays.
func (c *Client) StopWaiting() {
	if c.blocked != nil && !c.blocked.postponed {
		c.unblock()
	}
}

// Heard notes that bytes came from the client or went to it, so that it is not idle.
func (c *Client) Heard() { c.info.seen = c.S.options.Clock() }

// Do executes one command and appends its reply to the client's buffer. The arguments must stay
// unchanged until it returns. A panic becomes an error reply that says so: the data may then be
// wrong, and the caller should start afresh.
func (c *Client) Do(args [][]byte) {
	if len(args) == 0 {
		return
	}
	s := c.S
	s.tick()
	c.Args = args
	c.info.seen = s.now
	s.current = c
	s.Space.Source = c.info.importSource && !s.replica()
	s.Stats.Reads++
	at := len(c.Buf)
	c.Cmd = s.lookup(args)
	c.info.sent(c)
	c.info.replyAt = at
	c.execute()
	c.finish(at)
	c.cachingGiven()
	s.afterCommand()
	s.current = nil
	s.peak = max(s.peak, int64(s.H.Used()))
}

// finish is done after a command whose reply begins at offset at: CLIENT REPLY may leave it out, and
// messages that came meanwhile follow it (networking.c, afterCommand and prepareClientToWrite).
func (c *Client) finish(at int) {
	if c.reply.off || c.reply.skip {
		c.Buf = c.Buf[:at]
	}
	c.reply.skip, c.reply.skipNext = c.reply.skipNext, false
	c.sendKept()
	c.info.netOut += int64(len(c.Buf) - at)
}

// afterCommand serves clients that the command may have unblocked, and evicts what new directives tell to.
func (s *Server) afterCommand() {
	if s.eviction.due {
		s.eviction.due = false
		s.makeRoom()
	}
	if s.blocking.ready() {
		s.serveBlocked()
	}
}

// execute checks the command as the server does before it runs it (server.c, processCommand).
func (c *Client) execute() {
	s := c.S
	noAuth := c.Stranger() && (c.Cmd == nil || !c.Cmd.HasFlag("no_auth"))
	if noAuth && s.R.AuthFirst {
		c.rejected(errNoAuth)
		return
	}
	if c.Cmd == nil {
		c.rejected(s.Cat.Unknown(c.Args))
		return
	}
	if !c.Cmd.ArityOK(len(c.Args)) {
		c.rejected(c.Cmd.WrongArity())
		return
	}
	if noAuth {
		c.rejected(errNoAuth)
		return
	}
	if msg := c.notInTransaction(); msg != "" {
		c.rejected(msg)
		return
	}
	if c.redirected() {
		return
	}
	if s.trackers.clients > 0 {
		s.limitTracked()
	}
	if msg := c.refused(); msg != "" {
		c.rejected(msg)
		return
	}
	if c.postponed() || c.queue() {
		return
	}
	c.call()
}

// call runs the command. Errors it replies are counted by their code.
func (c *Client) call() {
	s := c.S
	if c.Cmd.run == nil {
		c.rejected("ERR '" + c.Cmd.FullName + "' is not simulated: Keyloupe keeps data in memory and has no scripting, disk, replication, cluster, access control or modules")
		return
	}
	at := len(c.Buf)
	c.run(c.Cmd.run)
	if c.tracking.on {
		c.remember()
	}
	if len(s.monitors) > 0 && c.Monitored() {
		s.feedMonitors(c)
	}
	if s.Ran != nil {
		s.Ran(c)
	}
	if c.blocked == nil {
		c.called(at)
	}
}

// run calls a handler and takes the time.
func (c *Client) run(f handler) {
	begin := c.S.elapsed()
	c.executing = true
	f(c)
	c.executing = false
	took := c.S.elapsed() - begin
	c.took += took
	c.S.noteSpike(c, took)
}

// called counts a command that ran, whose reply begins at offset at. A command that waits counts when
// it has been served (server.c, call).
func (c *Client) called(at int) {
	s := c.S
	s.Stats.Commands++
	c.info.commands++
	calls := s.callsOf(c.Cmd)
	calls.Done++
	calls.took += c.took
	s.Stats.took += c.took
	if s.timesCommands {
		calls.durations.add(c.took.Truncate(time.Microsecond))
	}
	s.logCommand(c, c.info.replyAt)
	c.took = 0
	if len(c.Buf) > at && c.Buf[at] == '-' {
		calls.Failed++
		c.countError(c.Buf[at:])
	}
}

func (c *Client) countError(line []byte) {
	c.S.Stats.Errors++
	code, _, _ := strings.Cut(string(line[1:]), " ")
	c.S.Stats.ErrorCodes[strings.TrimRight(code, "\r\n")]++
}

// rejected replies an error to a command that does not run; a transaction is spoilt by it.
func (c *Client) rejected(msg string) {
	if c.Cmd != nil && c.Cmd.FullName == "exec" {
		c.discard()
		msg = "EXECABORT Transaction discarded because of: " + strings.TrimPrefix(msg, "ERR ")
	}
	c.refuse(msg)
	c.spoil()
}

// refuse replies an error to a command that does not run, and counts it.
func (c *Client) refuse(msg string) {
	at := len(c.Buf)
	c.Error(msg)
	c.countError(c.Buf[at:])
	if c.Cmd != nil {
		c.S.callsOf(c.Cmd).Rejected++
	}
}

// maxUnknownName is how many bytes of an unknown name an error repeats.
const maxUnknownName = 128

func printable(b []byte) string {
	if i := bytes.IndexByte(b, 0); i >= 0 {
		b = b[:i]
	}
	return string(b)
}

// The replies and errors that many commands share (server.c, createSharedObjects).
const (
	errWrongType = "WRONGTYPE Operation against a key holding the wrong kind of value"
	errSyntax    = "ERR syntax error"
	errNoKey     = "ERR no such key"
	errInt       = "ERR value is not an integer or out of range"
	errFloat     = "ERR value is not a valid float"
	errPositive  = "ERR value is out of range, must be positive"
	errIndex     = "ERR index out of range"
)

// find looks a key up for reading and checks its type; p is 0 where there is none. Where the type
// is another one the error is replied and ok is false.
func (c *Client) find(key []byte, t object.Type) (p heap.Ptr, ok bool) {
	return c.typed(c.lookupRead(key), t)
}

// findWrite is find for writing.
func (c *Client) findWrite(key []byte, t object.Type) (p heap.Ptr, ok bool) {
	return c.typed(c.DB.LookupWrite(key), t)
}

func (c *Client) lookupRead(key []byte) heap.Ptr {
	if c.noTouch {
		return c.DB.LookupRead(key, keyspace.NoTouch)
	}
	return c.DB.LookupRead(key)
}

func (c *Client) typed(p heap.Ptr, t object.Type) (heap.Ptr, bool) {
	if p != 0 && c.typeOf(p) != t {
		c.Error(errWrongType)
		return p, false
	}
	return p, true
}

func (c *Client) typeOf(p heap.Ptr) object.Type         { return object.TypeOf(c.S.H.Bytes(p)) }
func (c *Client) encodingOf(p heap.Ptr) object.Encoding { return object.EncodingOf(c.S.H.Bytes(p)) }

// value is the pointer to the value in an object.
func (c *Client) value(p heap.Ptr) heap.Ptr { return heap.Ptr(object.Val(c.S.H.Bytes(p))) }

// setValue points an object at its value, which moved.
func (c *Client) setValue(p, v heap.Ptr) { object.SetVal(c.S.H.Bytes(p), uint64(v)) }

// convert points an object at a value of another encoding.
func (c *Client) convert(p heap.Ptr, e object.Encoding, v heap.Ptr) {
	b := c.S.H.Bytes(p)
	object.SetTypeEncoding(b, object.TypeOf(b), e)
	object.SetVal(b, uint64(v))
}

// text is a string object's value; it aliases the heap or the client until the next command.
func (c *Client) text(p heap.Ptr) []byte { return object.Text(c.S.H, p, &c.num) }

// modified tells everybody who watches the key that it changed, and counts the change.
func (c *Client) modified(key []byte) {
	c.S.Dirty++
	c.touched(key)
}

// touched is modified without counting.
func (c *Client) touched(key []byte) { c.S.keyModified(c.DB.ID, key) }

// notify raises a keyspace event; class is the letter of notify-keyspace-events.
func (c *Client) notify(class byte, event string, key []byte) {
	c.S.notify(c.DB.ID, class, event, key)
}

// intArg reads an integer argument and replies an error where it is none.
func (c *Client) intArg(a []byte) (int64, bool) { return c.intArgOr(a, errInt) }

func (c *Client) intArgOr(a []byte, msg string) (int64, bool) {
	n, ok := decimal.Parse(a)
	if !ok {
		c.Error(msg)
	}
	return n, ok
}

// rangeArg reads an integer argument within bounds.
func (c *Client) rangeArg(a []byte, lo, hi int64, msg string) (int64, bool) {
	n, ok := decimal.Parse(a)
	if !ok {
		if msg == "" {
			msg = errInt
		}
		c.Error(msg)
		return 0, false
	}
	if n < lo || n > hi {
		if msg == "" {
			msg = fmt.Sprintf("ERR value is out of range, value must between %d and %d", lo, hi)
			if lo == 0 {
				msg = errPositive
			}
		}
		c.Error(msg)
		return 0, false
	}
	return n, true
}

// is tells whether an argument is the word, which is written in upper case.
func is(a []byte, word string) bool {
	if len(a) != len(word) {
		return false
	}
	for i := range a {
		x := a[i]
		if x >= 'a' && x <= 'z' {
			x -= 'a' - 'A'
		}
		if x != word[i] {
			return false
		}
	}
	return true
}
