package command

import (
	"math"
	"sort"

	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/longdouble"
	"github.com/keyloupe/keyloupe/engine/object"
)

type ptr = heap.Ptr

// blockedOn is what a blocked client waits for. When a key it names is ready the command runs
// again with the same arguments, as from 7.2 on in the server (blocked.c).
type blockedOn struct {
	args    [][]byte
	keys    [][]byte
	db      int
	types   []object.Type // kinds of value that may serve it
	noKey   bool          // a key that goes, or becomes another type, serves it too: with an error
	until   int64         // ms, 0 for ever
	order   int64         // clients are served in the order in which they came
	timeout func(c *Client)

	postponed bool // by CLIENT PAUSE: the command waits for its end
}

type readyKey struct {
	db  int
	key string
}

// blocking is who waits for which key, and which keys became ready.
type blocking struct {
	waiting map[readyKey]int // clients that name the key
	keys    []readyKey
	order   int64
}

func (b *blocking) ready() bool { return len(b.keys) > 0 }

// MayBlock tells whether a blocking command may wait: not in a transaction.
func (c *Client) mayBlock() bool { return !c.multi.inExec && !c.multi.on }

// block makes the client wait until a value of one of the types is at one of the keys, or until
// the time (ms, 0 for ever) has come, when timeout replies.
func (c *Client) block(keys [][]byte, until int64, timeout func(*Client), types ...object.Type) {
	s := c.S
	if c.blocked != nil { // served again in vain: it goes on waiting in its place
		return
	}
	b := &blockedOn{db: c.DB.ID, types: types, until: until, order: s.blocking.order, timeout: timeout}
	s.blocking.order++
	for _, a := range c.Args {
		b.args = append(b.args, append([]byte(nil), a...))
	}
	if s.blocking.waiting == nil {
		s.blocking.waiting = map[readyKey]int{}
	}
	seen := map[string]bool{}
	for _, k := range keys {
		if !seen[string(k)] {
			seen[string(k)] = true
			b.keys = append(b.keys, append([]byte(nil), k...))
			s.blocking.waiting[readyKey{b.db, string(k)}]++
		}
	}
	c.blocked = b
}

// unblock takes the client out of the waiting ones without a reply.
func (c *Client) unblock() {
	if c.blocked == nil {
		return
	}
	w := c.S.blocking.waiting
	for _, k := range c.blocked.keys {
		key := readyKey{c.blocked.db, string(k)}
		if w[key]--; w[key] <= 0 {
			delete(w, key)
		}
	}
	c.blocked = nil
}

// keyReady notes that a key may serve somebody who waits.
func (s *Server) keyReady(db int, key []byte) {
	if len(s.blocking.waiting) == 0 {
		return
	}
	k := readyKey{db, string(key)}
	if s.blocking.waiting[k] == 0 {
		return
	}
	for _, x := range s.blocking.keys {
		if x == k {
			return
		}
	}
	s.blocking.keys = append(s.blocking.keys, k)
}

// keysGone notes that those keys of a database that somebody waits for and are there will go.
func (s *Server) keysGone(db int, there func(key []byte) bool) {
	var keys []string
	for k := range s.blocking.waiting {
		if k.db == db && there([]byte(k.key)) {
			keys = append(keys, k.key)
		}
	}
	sort.Strings(keys)
	for _, k := range keys {
		s.keyReady(db, []byte(k))
	}
}

// serveBlocked runs the commands of those who wait for the keys that became ready.
func (s *Server) serveBlocked() {
	s.tick() // a command that took long may have let keys expire
	for len(s.blocking.keys) > 0 {
		keys := s.blocking.keys
		s.blocking.keys = nil
		for _, k := range keys {
			s.serveKey(k)
		}
	}
}

func (s *Server) serveKey(k readyKey) {
	var list []*Client
	for _, c := range s.Clients {
		if c.blocked != nil && c.blocked.db == k.db && c.blocked.names(k.key) {
			list = append(list, c)
		}
	}
	sort.Slice(list, func(i, j int) bool { return list[i].blocked.order < list[j].blocked.order })
	for _, c := range list {
		b := c.blocked
		if b == nil {
			continue
		}
		p := s.Space.DB(k.db).Peek([]byte(k.key))
		if b.noKey || p != 0 && b.takes(object.TypeOf(s.H.Bytes(p))) {
			c.again()
		}
	}
}

func (b *blockedOn) names(key string) bool {
	for _, k := range b.keys {
		if string(k) == key {
			return true
		}
	}
	return false
}

func (b *blockedOn) takes(t object.Type) bool {
	for _, x := range b.types {
		if x == t {
			return true
		}
	}
	return false
}

// again runs a blocked client's command; where it replies, the client waits no more.
func (c *Client) again() {
	at := len(c.Buf)
	args, cmd := c.Args, c.Cmd
	c.Args = c.blocked.args
	c.Cmd = c.S.lookup(c.Args)
	other := c.S.current
	c.S.current = c
	c.run(c.Cmd.run)
	replied := len(c.Buf) > at
	if replied {
		c.info.replyAt = at
		c.called(at)
		c.unblock()
	}
	c.sendKept()
	c.info.netOut += int64(len(c.Buf) - at)
	c.S.current = other
	c.Args, c.Cmd = args, cmd
	if replied {
		c.wake()
	}
}

// wake tells the caller that a client got a reply outside of its own Do.
func (c *Client) wake() {
	if c.Wake != nil {
		c.Wake()
	}
}

// timeouts replies to those whose time has come.
func (s *Server) timeouts() {
	for _, c := range s.Clients {
		if b := c.blocked; b != nil && b.until != 0 && s.NowMS() >= b.until {
			c.timeUp(b)
		}
	}
}

// timeUp replies to a blocked client that it waited in vain, and counts its command.
func (c *Client) timeUp(b *blockedOn) { c.stopWaiting(b, func() { b.timeout(c) }) }

// sendAway ends a client's waiting with an error. Its command counts as rejected.
func (c *Client) sendAway(b *blockedOn, msg string) {
	c.stopWaiting(b, func() { c.Error(msg) })
	calls := c.S.Stats.of(c.S.Cat.Find(b.args).FullName)
	calls.Failed--
	calls.Rejected++
}

// stopWaiting ends a client's waiting with a reply.
func (c *Client) stopWaiting(b *blockedOn, reply func()) {
	c.unblock()
	at, args, cmd := len(c.Buf), c.Args, c.Cmd
	c.Args, c.Cmd = b.args, c.S.lookup(b.args)
	reply()
	c.info.replyAt = at
	c.called(at)
	c.info.netOut += int64(len(c.Buf) - at)
	c.Args, c.Cmd = args, cmd
	c.wake()
}

// timeoutArg reads the timeout of a blocking command, in seconds with a fraction; until is the
// server's time in ms, 0 for ever (timeout.c, getTimeoutFromObjectOrReply).
func (c *Client) timeoutArg(a []byte) (until int64, ok bool) {
	f, ok := longdouble.Parse(a)
	if !ok {
		c.Error("ERR timeout is not a float or out of range")
		return 0, false
	}
	ms, over := f.ScaledCeil(1000)
	switch {
	case over || ms > math.MaxInt64-c.S.NowMS():
		c.Error("ERR timeout is out of range")
		return 0, false
	case ms < 0:
		c.Error("ERR timeout is negative")
		return 0, false
	case ms == 0:
		return 0, true
	}
	return c.S.NowMS() + ms, true
}
