package command

import "github.com/keyloupe/keyloupe/engine/object"

// transaction is a client's MULTI.
type transaction struct {
	on     bool
	inExec bool
	spoilt bool // a command could not be queued: EXEC aborts
	stale  bool // a watched key changed: EXEC does nothing
	queued [][][]byte

	denyOOM, writes bool // a queued command may need memory, may change data
	keys            []watchedKey
}

type watchedKey struct {
	db  int
	key string
}

// watching is who watches which key, and which keys had expired already when they were.
type watching struct {
	by      map[watchedKey][]*Client
	expired map[watchedKey]bool
}

var _ = add(map[string]handler{
	"multi": multiCommand, "exec": execCommand, "discard": discardCommand,
	"watch": watchCommand, "unwatch": func(c *Client) { c.unwatch(); c.OK() },
})

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
	name := c.Cmd.FullName
	if c.Cmd.HasFlag("no_multi") && !(c.S.R.InTransactionError == ownError && (name == "multi" || name == "watch")) {
		c.rejected(c.notInTransaction())
		return true
	}
	switch name {
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
	c.Status("QUEUED")
	return true
}

// Ways of telling that a command may not stand in a transaction.
const (
	ownError    = iota // MULTI and WATCH reply an error of their own, which spoils nothing
	commonError        // one error for all commands, which spoils the transaction
	namedError         // the same with the command's name
)

func (c *Client) notInTransaction() string {
	if c.S.R.InTransactionError == namedError {
		return "ERR Command '" + c.Cmd.FullName + "' not allowed inside a transaction"
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
		c.Args, c.Cmd = q, c.S.Cat.Find(q)
		c.call()
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
	c.hadMulti = true
	w := &c.S.watch
	if w.by == nil {
		w.by, w.expired = map[watchedKey][]*Client{}, map[watchedKey]bool{}
	}
	for _, k := range c.Args[1:] {
		key := watchedKey{c.DB.ID, string(k)}
		if contains(w.by[key], c) {
			continue
		}
		p := c.DB.Peek(k)
		w.expired[key] = p != 0 && c.isExpired(k, p)
		w.by[key] = append(w.by[key], c)
		c.multi.keys = append(c.multi.keys, key)
	}
	c.OK()
}

func (c *Client) isExpired(key []byte, p ptr) bool {
	at := c.DB.Expire(key, p)
	return at != object.NoExpire && c.S.NowMS() > at
}

// watchedExpired tells whether a watched key has expired since, though nobody deleted it yet.
func (c *Client) watchedExpired() bool {
	for _, k := range c.multi.keys {
		db := c.S.Space.DB(k.db)
		p := db.Peek([]byte(k.key))
		if p == 0 || c.S.watch.expired[k] {
			continue
		}
		if at := db.Expire([]byte(k.key), p); at != object.NoExpire && c.S.NowMS() > at {
			return true
		}
	}
	return false
}

func contains(list []*Client, c *Client) bool {
	for _, x := range list {
		if x == c {
			return true
		}
	}
	return false
}

func (c *Client) unwatch() {
	for _, k := range c.multi.keys {
		list := c.S.watch.by[k]
		for i, x := range list {
			if x == c {
				list = append(list[:i:i], list[i+1:]...)
				break
			}
		}
		if len(list) == 0 {
			delete(c.S.watch.by, k)
			delete(c.S.watch.expired, k)
		} else {
			c.S.watch.by[k] = list
		}
	}
	c.multi.keys, c.multi.stale = nil, false
}

// keyModified makes the transactions of those who watch the key stale.
func (s *Server) keyModified(db int, key []byte) {
	if len(s.watch.by) == 0 {
		return
	}
	for _, c := range s.watch.by[watchedKey{db, string(key)}] {
		c.multi.stale = true
	}
}

// databaseModified is keyModified for every watched key that a flush or a swap touches.
func (s *Server) databaseModified(db int, touches func(key []byte) bool) {
	for k, list := range s.watch.by {
		if k.db == db && touches([]byte(k.key)) {
			for _, c := range list {
				c.multi.stale = true
			}
		}
	}
}
