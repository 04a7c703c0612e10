package command

import (
	"slices"

	"github.com/keyloupe/keyloupe/engine/object"
)

// transaction is a client's MULTI.
type transaction struct {
	on     bool
	inExec bool
	spoilt bool // a command could not be queued: EXEC aborts
	stale  bool // a watched key changed: EXEC does nothing
	queued [][][]byte

	keys []*watch

	// A queued command may need memory, is held by a pause of writes, writes, reads, wants data that are not old.
	denyOOM, writes, changes, reads, fresh bool
}

type watchedKey struct {
	db  int
	key string
}

// watch is one client's watching of one key.
type watch struct {
	watchedKey
	c       *Client
	expired bool // the key had expired when it was watched, and is still there
}

// watching is who watches which key.
type watching struct{ by map[watchedKey][]*watch }

var _ = add(map[string]handler{
	"multi": multiCommand, "exec": execCommand, "discard": discardCommand,
	"watch": watchCommand, "unwatch": func(c *Client) { c.unwatch(); c.OK() },
})

// InTransaction tells whether the client is between MULTI and EXEC, so that its commands are queued.
func (c *Client) InTransaction() bool { return c.multi.on }

// spoil makes EXEC fail after a command that could not be queued.
func (c *Client) spoil() {
	if c.multi.on && !c.multi.inExec {
		c.multi.spoilt = true
	}
}

// queue keeps a command for EXEC where the client is in a transaction (server.c, processCommand).
func (c *Client) queue() bool {
	if !c.multi.on || c.multi.inExec {
		return false
	}
	switch c.Cmd.FullName {
	case "exec", "discard", "multi", "watch", "quit", "reset":
		return false
	}
	args := make([][]byte, len(c.Args))
	for i, a := range c.Args {
		args[i] = append([]byte(nil), a...)
	}
	c.multi.queued = append(c.multi.queued, args)
	c.multi.denyOOM = c.multi.denyOOM || c.Cmd.HasFlag("denyoom")
	c.multi.writes = c.multi.writes || mayReplicate(c)
	c.multi.changes = c.multi.changes || c.Cmd.HasFlag("write")
	c.multi.reads = c.multi.reads || c.Cmd.HasFlag("readonly")
	c.multi.fresh = c.multi.fresh || !c.Cmd.HasFlag("stale")
	c.Status("QUEUED")
	return true
}

// Ways of telling that a command may not stand in a transaction.
const (
	ownError    = iota // MULTI and WATCH reply an error of their own, which spoils nothing
	commonError        // one error for all commands, which spoils the transaction
	namedError         // the same with the command's name
)

// notInTransaction is the error for a command that may not stand in a transaction, where the client is in one; "" else.
func (c *Client) notInTransaction() string {
	name := c.Cmd.FullName
	if !c.multi.on || c.multi.inExec || !c.Cmd.HasFlag("no_multi") || c.S.R.InTransactionError == ownError && (name == "multi" || name == "watch") {
		return ""
	}
	if c.S.R.InTransactionError == namedError {
		return "ERR Command '" + name + "' not allowed inside a transaction"
	}
	return "ERR Command not allowed inside a transaction"
}

func multiCommand(c *Client) {
	if c.multi.on { // 7.2 only, see queue
		c.Error("ERR MULTI calls can not be nested")
		return
	}
	c.multi.on, c.hadMulti = true, true
	c.OK()
}

func discardCommand(c *Client) {
	if !c.multi.on {
		c.Error("ERR DISCARD without MULTI")
		return
	}
	c.discard()
	c.OK()
}

func (c *Client) discard() {
	c.unwatch()
	c.multi = transaction{}
}

func execCommand(c *Client) {
	switch {
	case !c.multi.on:
		c.Error("ERR EXEC without MULTI")
		return
	case c.multi.spoilt:
		c.discard()
		c.Error("EXECABORT Transaction discarded because of previous errors.")
		return
	case c.multi.stale || c.watchedExpired():
		c.discard()
		c.NullArray()
		return
	}
	queued := c.multi.queued
	c.unwatch()
	c.multi.inExec = true
	args, cmd := c.Args, c.Cmd
	c.Array(len(queued))
	for _, q := range queued {
		c.Args, c.Cmd = q, c.S.lookup(q)
		at, silent := len(c.Buf), c.closing // nothing more is said to a client that is to be disconnected
		c.call()
		if silent {
			c.Buf = c.Buf[:at]
		}
	}
	c.Args, c.Cmd = args, cmd
	c.discard()
}

func watchCommand(c *Client) {
	if c.multi.on { // 7.2 only, see queue
		c.Error("ERR WATCH inside MULTI is not allowed")
		return
	}
	if c.multi.stale {
		c.OK()
		return
	}
	w := &c.S.watch
	if w.by == nil {
		w.by = map[watchedKey][]*watch{}
	}
	for _, k := range c.Args[1:] {
		key := watchedKey{c.DB.ID, string(k)}
		if slices.ContainsFunc(w.by[key], func(x *watch) bool { return x.c == c }) {
			continue
		}
		x := &watch{watchedKey: key, c: c, expired: c.S.keyExpired(key)}
		w.by[key] = append(w.by[key], x)
		c.multi.keys = append(c.multi.keys, x)
	}
	c.OK()
}

func (c *Client) isExpired(key []byte, p ptr) bool {
	at := c.DB.Expire(key, p)
	return at != object.NoExpire && c.S.NowMS() > at && !(c.S.Space.Import && c.S.Space.Source)
}

// keyThere tells whether a key is in its database, expired or not.
func (s *Server) keyThere(k watchedKey) bool {
	db := s.Space.Existing(k.db)
	return db != nil && db.Peek([]byte(k.key)) != 0
}

// keyExpired tells whether a key is there though its time has come.
func (s *Server) keyExpired(k watchedKey) bool {
	db := s.Space.Existing(k.db)
	if db == nil {
		return false
	}
	p := db.Peek([]byte(k.key))
	if p == 0 {
		return false
	}
	at := db.Expire([]byte(k.key), p)
	return at != object.NoExpire && s.NowMS() > at
}

// watchedExpired tells whether a watched key has expired since, though nobody deleted it yet.
func (c *Client) watchedExpired() bool {
	return slices.ContainsFunc(c.multi.keys, func(x *watch) bool { return !x.expired && c.S.keyExpired(x.watchedKey) })
}

func (c *Client) unwatch() {
	for _, k := range c.multi.keys {
		rest := slices.DeleteFunc(slices.Clone(c.S.watch.by[k.watchedKey]), func(x *watch) bool { return x == k })
		if c.S.watch.by[k.watchedKey] = rest; len(rest) == 0 {
			delete(c.S.watch.by, k.watchedKey)
		}
	}
	c.multi.keys, c.multi.stale = nil, false
}

// keyModified makes the transactions of those who watch the key stale, and tells those who track it (db.c,
// signalModifiedKey).
func (s *Server) keyModified(db int, key []byte) {
	s.touchWatched(db, key)
	s.keyChanged(key, s.current)
}

// keyTimedOut is keyModified for a key that nobody changed: its time had come.
func (s *Server) keyTimedOut(db int, key []byte) {
	s.touchWatched(db, key)
	s.keyChanged(key, nil)
}

// touchWatched makes the transactions of those who watch the key stale (multi.c, touchWatchedKey).
func (s *Server) touchWatched(db int, key []byte) {
	if len(s.watch.by) == 0 {
		return
	}
	k := watchedKey{db, string(key)}
	for _, x := range s.watch.by[k] {
		if !x.expired {
			x.c.unwatch()
			x.c.multi.stale = true
			continue
		}
		if s.keyThere(k) { // the server looks no further then
			return
		}
		x.expired = false // it only went, which it had to all observers before
	}
}

// databaseModified is keyModified for every watched key that a flush removes, or a swap replaces by
// that of another database; with is -1 for a flush. It is called before (multi.c,
// touchAllWatchedKeysInDb).
func (s *Server) databaseModified(db, with int) {
	for k, list := range s.watch.by {
		if k.db != db {
			continue
		}
		there, other := s.keyThere(k), watchedKey{with, k.key}
		otherThere := with >= 0 && s.keyThere(other)
		if !there && !otherThere {
			continue
		}
		for _, x := range list {
			switch {
			case x.expired && !otherThere:
				x.expired = false
			case x.expired && s.keyExpired(other):
			case !x.expired && !there && s.keyExpired(other):
				x.expired = true
			default:
				x.c.multi.stale = true
			}
		}
	}
}
