package command

import (
	"bytes"

	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/engine/object"
	"github.com/keyloupe/keyloupe/engine/sds"
)

var _ = add(map[string]handler{
	"set": setCommand, "setnx": setnxCommand,
	"setex": func(c *Client) {
		c.setGeneric(setArgs{flags: optEX, key: c.Args[1], val: c.Args[3], expire: c.Args[2]})
	},
	"psetex": func(c *Client) {
		c.setGeneric(setArgs{flags: optPX, key: c.Args[1], val: c.Args[3], expire: c.Args[2]})
	},
	"get":   func(c *Client) { c.get(c.Args[1]) },
	"getex": getexCommand, "getdel": getdelCommand, "getset": getsetCommand,
	"mget": mgetCommand, "mset": msetCommand, "msetnx": msetnxCommand, "msetex": msetexCommand,
	"append": appendCommand, "strlen": strlenCommand, "getrange": getrangeCommand, "substr": getrangeCommand,
	"setrange": setrangeCommand, "delifeq": delifeqCommand,
	"incr":        func(c *Client) { c.incrBy(1) },
	"decr":        func(c *Client) { c.incrBy(-1) },
	"incrby":      incrbyCommand,
	"decrby":      decrbyCommand,
	"incrbyfloat": incrbyfloatCommand,
})

func init() {
	families = append(families, func(s *Server) {
		s.types[object.String] = typeOps{
			free: func(_ object.Encoding, p ptr) { sds.Free(s.H, p) },
			usage: func(e object.Encoding, _, p ptr, _ int) int {
				if e != object.Raw {
					return 0
				}
				return sds.Usable(s.H, p)
			},
			picture: func(pic *layout.Picture, e object.Encoding, p ptr, name string) {
				if e == object.Raw {
					sds.Picture(pic, s.H, p, name, "value sds", layout.Value)
				}
			},
		}
	})
}

type setArgs struct {
	flags                     int
	key, val, expire, compare []byte
	ok, abort                 func(c *Client) // replies other than OK and nil
}

func setCommand(c *Client) {
	allowed := optNX | optXX | optGet | optKeepTTL | optTime
	if c.S.R.SetIfeq {
		allowed |= optIFEQ
	}
	o, ok := c.parseOptions(3, len(c.Args), allowed)
	if !ok {
		return
	}
	c.setGeneric(setArgs{flags: o.flags, key: c.Args[1], val: c.Args[2], expire: o.expire, compare: o.compare})
}

func setnxCommand(c *Client) {
	c.setGeneric(setArgs{flags: optNX, key: c.Args[1], val: c.Args[2],
		ok: func(c *Client) { c.Int(1) }, abort: func(c *Client) { c.Int(0) }})
}

// setGeneric is SET and its kin (t_string.c, setGenericCommand).
func (c *Client) setGeneric(a setArgs) {
	var at int64
	if a.expire != nil {
		var ok bool
		if at, ok = c.expireTime(a.expire, a.flags); !ok {
			return
		}
	}
	get := a.flags&optGet != 0
	if get && !c.get(a.key) {
		return
	}
	p := c.DB.LookupWrite(a.key)
	found := p != 0
	abort := a.flags&optNX != 0 && found || a.flags&optXX != 0 && !found
	if a.flags&optIFEQ != 0 {
		if found && !get {
			if _, ok := c.typed(p, object.String); !ok {
				return
			}
		}
		abort = !found || !bytes.Equal(c.text(p), a.compare)
	}
	if abort {
		switch {
		case get:
		case a.abort != nil:
			a.abort(c)
		default:
			c.Null()
		}
		return
	}
	if a.expire != nil && c.past(at) {
		if found {
			c.deletePast(a.key)
		}
		if !get {
			c.OK()
		}
		return
	}
	c.DB.Set(a.key, c.S.Space.Encoded(a.val), found, a.flags&optKeepTTL != 0 || a.expire != nil)
	c.touched(a.key)
	if a.expire != nil {
		c.DB.SetExpire(a.key, at)
	}
	c.S.Dirty++
	c.notify('$', "set", a.key)
	if a.expire != nil {
		c.notify('g', "expire", a.key)
	}
	switch {
	case get:
	case a.ok != nil:
		a.ok(c)
	default:
		c.OK()
	}
}

// deletePast deletes a key that was given a time that has come (db.c,
// deleteExpiredKeyFromOverwriteAndPropagate).
func (c *Client) deletePast(key []byte) {
	if !c.DB.Delete(key) {
		return
	}
	c.modified(key)
	if c.S.R.PastIsExpired {
		c.S.Space.Stats.Expired++
		c.notify('x', "expired", key)
	} else {
		c.notify('g', "del", key)
	}
}

// get replies a key's string and tells whether the type was right.
func (c *Client) get(key []byte) bool {
	p, ok := c.find(key, object.String)
	switch {
	case !ok:
		return false
	case p == 0:
		c.Null()
	default:
		c.bulkString(p)
	}
	return true
}

// bulkString replies a string object. A long one is not copied into the reply but referred to until
// the reply is sent (networking.c, isCopyAvoidPreferred, 9.0 and later), so that a command sent in the
// same batch finds it held.
func (c *Client) bulkString(p ptr) {
	text := c.text(p)
	c.Bulk(text)
	if least := c.S.R.ReplyRefersFrom; least > 0 && len(text) >= least && c.encodingOf(p) == object.Raw {
		c.S.Space.Hold(p)
		c.held = append(c.held, p)
	}
}

// Flushed tells that what the client's buffer held was sent.
func (c *Client) Flushed() {
	for _, p := range c.held {
		c.S.Space.Unhold(p)
	}
	c.held = c.held[:0]
}

func getexCommand(c *Client) {
	o, ok := c.parseOptions(2, len(c.Args), optPersist|optTime)
	if !ok {
		return
	}
	var at int64
	check := func() bool {
		if o.expire == nil {
			return true
		}
		var ok bool
		at, ok = c.expireTime(o.expire, o.flags)
		return ok
	}
	key := c.Args[1]
	if c.S.R.GetexChecksFirst && !check() {
		return
	}
	p, ok := c.find(key, object.String)
	if !ok {
		return
	}
	if p == 0 {
		c.Null()
		return
	}
	if !c.S.R.GetexChecksFirst && !check() {
		return
	}
	c.bulkString(p)
	switch {
	case o.flags&(optPXAT|optEXAT) != 0 && c.past(at):
		c.deletePast(key)
	case o.expire != nil:
		c.DB.SetExpire(key, at)
		c.modified(key)
		c.notify('g', "expire", key)
	case o.flags&optPersist != 0 && c.DB.RemoveExpire(key):
		c.modified(key)
		c.notify('g', "persist", key)
	}
}

func getdelCommand(c *Client) {
	key := c.Args[1]
	p, ok := c.find(key, object.String)
	if !ok {
		return
	}
	if p == 0 {
		c.Null()
		return
	}
	c.Bulk(c.text(p))
	c.DB.Delete(key)
	c.modified(key)
	c.notify('g', "del", key)
}

func getsetCommand(c *Client) {
	key := c.Args[1]
	if !c.get(key) {
		return
	}
	c.DB.SetKey(key, c.S.Space.Encoded(c.Args[2]))
	c.modified(key)
	c.notify('$', "set", key)
}

func mgetCommand(c *Client) {
	c.Array(len(c.Args) - 1)
	for _, k := range c.Args[1:] {
		p := c.lookupRead(k)
		if p == 0 || c.typeOf(p) != object.String {
			c.Null()
			continue
		}
		c.bulkString(p)
	}
}

func delifeqCommand(c *Client) {
	key := c.Args[1]
	p, ok := c.findWrite(key, object.String)
	if !ok {
		return
	}
	if p == 0 || !bytes.Equal(c.text(p), c.Args[2]) {
		c.Int(0)
		return
	}
	c.DB.Delete(key)
	c.modified(key)
	c.notify('g', "del", key)
	c.Int(1)
}
