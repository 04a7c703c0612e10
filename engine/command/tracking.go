package command

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/keyloupe/keyloupe/engine/resp"
)

// A client that caches what it read is told when that changes (tracking.c):
//
//	CLIENT TRACKING ON         key  ─ the clients that read it             told at once, and then forgotten
//	CLIENT TRACKING ON BCAST   prefix ─ its clients ─ keys changed since   told before the server sleeps
//
// What a real server's tables of keys and prefixes take of used_memory is not counted.

var _ = add(map[string]handler{
	"client|tracking": clientTrackingCommand, "client|caching": clientCachingCommand,
	"client|getredir": clientGetredirCommand, "client|trackinginfo": clientTrackingInfoCommand,
})

// tracking is what a client asked for with CLIENT TRACKING.
type tracking struct {
	on       bool
	redirect int64 // the client that is told in its place; 0 for none
	broken   bool  // that one is gone
	noLoop   bool  // it is not told of its own changes

	optIn, optOut bool
	caching       bool // CLIENT CACHING was given for the next command

	broadcast bool
	prefixes  map[string]bool
}

// trackers is who is told of what.
type trackers struct {
	clients  int                         // in tracking mode
	byKey    map[string]map[*Client]bool // who read it
	items    int                         // pairs of key and client
	oldest   []string                    // keys in the order in which they came, some gone since
	prefixes map[string]*broadcastedPrefix
}

type broadcastedPrefix struct {
	clients []*Client          // in the order in which they came
	changed map[string]*Client // keys, and who changed each last
}

func clientTrackingCommand(c *Client) {
	var t tracking
	var prefixes []string
	for i := 3; i < len(c.Args); i++ {
		more := i+1 < len(c.Args)
		switch a := c.Args[i]; {
		case is(a, "REDIRECT") && more:
			i++
			if t.redirect != 0 {
				c.Error("ERR A client can only redirect to a single other client")
				return
			}
			id, ok := c.intArg(c.Args[i])
			if !ok {
				return
			}
			if c.S.clientByID(id) == nil {
				c.Error("ERR The client ID you want redirect to does not exist")
				return
			}
			t.redirect = id
		case is(a, "PREFIX") && more:
			i++
			prefixes = append(prefixes, string(c.Args[i]))
		case is(a, "BCAST"):
			t.broadcast = true
		case is(a, "OPTIN"):
			t.optIn = true
		case is(a, "OPTOUT"):
			t.optOut = true
		case is(a, "NOLOOP"):
			t.noLoop = true
		default:
			c.Error(errSyntax)
			return
		}
	}
	switch {
	case is(c.Args[2], "OFF"):
		c.stopTracking()
		c.OK()
	case !is(c.Args[2], "ON"):
		c.Error(errSyntax)
	default:
		if msg := c.tracking.conflict(&t, prefixes); msg != "" {
			c.Error(msg)
			return
		}
		c.track(t, prefixes)
		c.OK()
	}
}

// conflict is the error for a mode that a client may not ask for in the one it is in; "" where it may.
func (was *tracking) conflict(t *tracking, prefixes []string) string {
	switch {
	case !t.broadcast && len(prefixes) > 0:
		return "ERR PREFIX option requires BCAST mode to be enabled"
	case was.on && was.broadcast != t.broadcast:
		return "ERR You can't switch BCAST mode on/off before disabling tracking for this client, and then re-enabling it with a different mode."
	case t.broadcast && (t.optIn || t.optOut):
		return "ERR OPTIN and OPTOUT are not compatible with BCAST"
	case t.optIn && t.optOut:
		return "ERR You can't specify both OPTIN mode and OPTOUT mode"
	case t.optIn && was.optOut, t.optOut && was.optIn:
		return "ERR You can't switch OPTIN/OPTOUT mode before disabling tracking for this client, and then re-enabling it with a different mode."
	}
	overlap := func(a, b string) bool { return strings.HasPrefix(a, b) || strings.HasPrefix(b, a) }
	text := func(p, what, q string) string {
		return "ERR Prefix '" + printable([]byte(p)) + "' overlaps with " + what + " prefix '" + printable([]byte(q)) + "'. Prefixes for a single client must not overlap."
	}
	for i, p := range prefixes {
		for _, q := range sortedKeys(was.prefixes) {
			if overlap(p, q) {
				return text(p, "an existing", q)
			}
		}
		for _, q := range prefixes[i+1:] {
			if overlap(p, q) {
				return text(p, "another provided", q)
			}
		}
	}
	return ""
}

// track puts the client into tracking mode. Prefixes are added to those it has; none at all stand for every key.
func (c *Client) track(t tracking, prefixes []string) {
	all := &c.S.trackers
	if !c.tracking.on {
		all.clients++
	}
	t.on, t.prefixes = true, c.tracking.prefixes
	if t.broadcast {
		if len(prefixes) == 0 {
			prefixes = []string{""}
		}
		if t.prefixes == nil {
			t.prefixes = map[string]bool{}
		}
		for _, p := range prefixes {
			if !t.prefixes[p] {
				t.prefixes[p] = true
				all.join(p, c)
			}
		}
	}
	c.tracking = t
}

func (all *trackers) join(prefix string, c *Client) {
	if all.prefixes == nil {
		all.prefixes = map[string]*broadcastedPrefix{}
	}
	b := all.prefixes[prefix]
	if b == nil {
		b = &broadcastedPrefix{changed: map[string]*Client{}}
		all.prefixes[prefix] = b
	}
	b.clients = append(b.clients, c)
}

func (c *Client) stopTracking() {
	if !c.tracking.on {
		return
	}
	all := &c.S.trackers
	all.clients--
	for p := range c.tracking.prefixes {
		b := all.prefixes[p]
		if b.clients = slices.DeleteFunc(b.clients, func(x *Client) bool { return x == c }); len(b.clients) == 0 {
			delete(all.prefixes, p)
		}
	}
	c.tracking = tracking{}
}

// remember notes the keys that a command of the client reads, where its mode says so.
func (c *Client) remember() {
	t := &c.tracking
	if !t.on || t.broadcast || t.optIn && !t.caching || t.optOut && t.caching || !c.Cmd.HasFlag("readonly") || c.Cmd.HasFlag("pubsub") {
		return
	}
	all := &c.S.trackers
	for _, k := range c.Cmd.Keys(c.Args) {
		key := string(c.Args[k.Pos])
		clients := all.byKey[key]
		if clients == nil {
			if all.byKey == nil {
				all.byKey = map[string]map[*Client]bool{}
			}
			clients = map[*Client]bool{}
			all.byKey[key] = clients
			all.oldest = append(all.oldest, key)
		}
		if !clients[c] {
			clients[c] = true
			all.items++
		}
	}
}

// forget tells those who read a key that they must not rely on it any more.
func (s *Server) forget(key string) {
	all := &s.trackers
	clients := all.byKey[key]
	if clients == nil {
		return
	}
	delete(all.byKey, key)
	all.items -= len(clients)
	for _, c := range slices.SortedFunc(maps.Keys(clients), func(a, b *Client) int { return int(a.ID - b.ID) }) {
		if !c.tracking.on || c.tracking.broadcast || c.tracking.noLoop && c == s.current {
			continue
		}
		c.invalidate(arrayOf(key))
	}
}

// keyChanged tells everybody who wants to know that a key was changed by a client, or by nobody.
func (s *Server) keyChanged(key []byte, by *Client) {
	if s.trackers.clients == 0 {
		return
	}
	for p, b := range s.trackers.prefixes {
		if bytes.HasPrefix(key, []byte(p)) {
			b.changed[string(key)] = by
		}
	}
	s.forget(string(key))
}

// everythingChanged tells every client in tracking mode of a flush.
func (s *Server) everythingChanged() {
	all := &s.trackers
	if all.clients > 0 {
		for _, c := range s.Clients {
			if c.tracking.on {
				c.invalidate(nil)
			}
		}
	}
	all.byKey, all.oldest, all.items = nil, nil, 0
}

// Broadcast tells clients in broadcasting mode what changed since the last time. The server does so when it has executed
// all that had arrived.
func (s *Server) Broadcast() {
	for _, p := range sortedKeys(s.trackers.prefixes) {
		b := s.trackers.prefixes[p]
		if len(b.changed) == 0 {
			continue
		}
		keys := sortedKeys(b.changed)
		for _, c := range b.clients {
			mine := keys
			if c.tracking.noLoop {
				mine = slices.DeleteFunc(slices.Clone(keys), func(k string) bool { return b.changed[k] == c })
			}
			if len(mine) > 0 {
				c.sendInvalidation(arrayOf(mine...))
			}
		}
		clear(b.changed)
	}
}

// limitTracked forgets keys beyond tracking-table-max-keys. The server picks them at random, here the oldest go.
func (s *Server) limitTracked() {
	all := &s.trackers
	most := s.Conf.Int("tracking-table-max-keys")
	for most > 0 && int64(len(all.byKey)) > most && len(all.oldest) > 0 {
		key := all.oldest[0]
		all.oldest = all.oldest[1:]
		s.forget(key)
	}
	if len(all.oldest) > 2*len(all.byKey)+1000 {
		all.oldest = slices.DeleteFunc(all.oldest, func(key string) bool { return all.byKey[key] == nil })
	}
}

// arrayOf is an array of keys as it is sent.
func arrayOf(keys ...string) []byte {
	var w resp.Writer
	w.Array(len(keys))
	for _, k := range keys {
		w.BulkString(k)
	}
	return w.Buf
}

// invalidate tells the client that keys, sent as they are, changed; nil stands for all. Its own command gets its reply
// first.
func (c *Client) invalidate(keys []byte) {
	if keys == nil {
		w := resp.Writer{Proto: c.Proto}
		w.Null()
		keys = w.Buf
	}
	if c == c.S.current && c.executing {
		c.invalidated = append(c.invalidated, keys)
		return
	}
	c.sendInvalidation(keys)
}

// sendKept sends what was kept while the client's command ran: what it changed, then other messages.
func (c *Client) sendKept() {
	for _, keys := range c.invalidated {
		c.sendInvalidation(keys)
	}
	c.invalidated = nil
	c.Buf = append(c.Buf, c.pushes...)
	c.pushes = c.pushes[:0]
}

const invalidateChannel = "__redis__:invalidate"

// sendInvalidation sends a message to the client or to the one it redirects to, if that can be told of it: by RESP3, or as
// a subscriber that is redirected to.
func (c *Client) sendInvalidation(keys []byte) {
	to := c
	if id := c.tracking.redirect; id != 0 {
		if to = c.S.clientByID(id); to == nil || to.closing {
			c.tracking.broken = true
			if c.Proto > 2 {
				c.push(func() {
					c.Push(2)
					c.BulkString("tracking-redir-broken")
					c.Int(id)
				})
			}
			return
		}
	}
	switch {
	case to.Proto > 2:
		to.push(func() {
			to.Push(2)
			to.BulkString("invalidate")
			to.Buf = append(to.Buf, keys...)
		})
	case to != c && to.Subscribed():
		to.push(func() {
			to.Push(3)
			to.BulkString("message")
			to.BulkString(invalidateChannel)
			to.Buf = append(to.Buf, keys...)
		})
	}
}

// cachingGiven ends what CLIENT CACHING asked for, which is for one command or transaction.
func (c *Client) cachingGiven() {
	if !c.multi.on && (c.Cmd == nil || !strings.HasPrefix(c.Cmd.FullName, "client|")) {
		c.tracking.caching = false
	}
}

func clientCachingCommand(c *Client) {
	t := &c.tracking
	switch a := c.Args[2]; {
	case !t.on:
		c.Error("ERR CLIENT CACHING can be called only when the client is in tracking mode with OPTIN or OPTOUT mode enabled")
	case !is(a, "YES") && !is(a, "NO"):
		c.Error(errSyntax)
	case is(a, "YES") && !t.optIn:
		c.Error("ERR CLIENT CACHING YES is only valid when tracking is enabled in OPTIN mode.")
	case is(a, "NO") && !t.optOut:
		c.Error("ERR CLIENT CACHING NO is only valid when tracking is enabled in OPTOUT mode.")
	default:
		t.caching = true
		c.OK()
	}
}

func clientGetredirCommand(c *Client) { c.Int(c.redirectID()) }

// redirectID is the client that messages go to: 0 for none, -1 where the client is not in tracking mode.
func (c *Client) redirectID() int64 {
	if !c.tracking.on {
		return -1
	}
	return c.tracking.redirect
}

func clientTrackingInfoCommand(c *Client) {
	t := &c.tracking
	flags := []string{"off"}
	if t.on {
		flags[0] = "on"
	}
	for _, f := range []struct {
		on   bool
		name string
	}{{t.broadcast, "bcast"}, {t.optIn, "optin"}, {t.optIn && t.caching, "caching-yes"}, {t.optOut, "optout"}, {t.optOut && t.caching, "caching-no"},
		{t.noLoop, "noloop"}, {t.broken, "broken_redirect"}} {
		if f.on {
			flags = append(flags, f.name)
		}
	}
	c.Map(3)
	c.BulkString("flags")
	c.Set(len(flags))
	for _, f := range flags {
		c.BulkString(f)
	}
	c.BulkString("redirect")
	clientGetredirCommand(c)
	c.BulkString("prefixes")
	c.Array(len(t.prefixes))
	for _, p := range sortedKeys(t.prefixes) {
		c.BulkString(p)
	}
}
