package command

import (
	"math"

	"github.com/keyloupe/keyloupe/engine/object"
)

var _ = add(map[string]handler{
	"expire":      func(c *Client) { c.expireGeneric(true, true) },
	"pexpire":     func(c *Client) { c.expireGeneric(false, true) },
	"expireat":    func(c *Client) { c.expireGeneric(true, false) },
	"pexpireat":   func(c *Client) { c.expireGeneric(false, false) },
	"ttl":         func(c *Client) { c.ttlGeneric(true, true) },
	"pttl":        func(c *Client) { c.ttlGeneric(false, true) },
	"expiretime":  func(c *Client) { c.ttlGeneric(true, false) },
	"pexpiretime": func(c *Client) { c.ttlGeneric(false, false) },
	"persist":     persistCommand,
})

// expireCondition reads NX XX GT LT from argument i on (expire.c, parseExtendedExpireArguments).
func (c *Client) expireCondition(args [][]byte) (nx, xx, gt, lt, ok bool) {
	for _, a := range args {
		switch {
		case is(a, "NX"):
			nx = true
		case is(a, "XX"):
			xx = true
		case is(a, "GT"):
			gt = true
		case is(a, "LT"):
			lt = true
		default:
			c.Error("ERR Unsupported option " + printable(a))
			return
		}
	}
	if nx && (xx || gt || lt) {
		c.Error("ERR NX and XX, GT or LT options at the same time are not compatible")
		return
	}
	if gt && lt {
		c.Error("ERR GT and LT options at the same time are not compatible")
		return
	}
	return nx, xx, gt, lt, true
}

// expireGeneric is EXPIRE and its kin (expire.c, expireGenericCommand).
func (c *Client) expireGeneric(seconds, relative bool) {
	nx, xx, gt, lt, ok := c.expireCondition(c.Args[3:])
	if !ok {
		return
	}
	at, ok := c.intArg(c.Args[2])
	if !ok {
		return
	}
	if seconds {
		if at > math.MaxInt64/1000 || at < math.MinInt64/1000 {
			c.invalidExpire()
			return
		}
		at *= 1000
	}
	if relative {
		if at > math.MaxInt64-c.S.NowMS() {
			c.invalidExpire()
			return
		}
		at += c.S.NowMS()
	}
	if at < 0 && c.S.R.NegativeExpireIsZero {
		at = 0
	}
	key := c.Args[1]
	p := c.DB.LookupWrite(key)
	if p == 0 {
		c.Int(0)
		return
	}
	was := object.NoExpire
	if nx || xx || gt || lt {
		was = c.DB.Expire(key, p)
	}
	has := was != object.NoExpire
	if nx && has || xx && !has || gt && (!has || at <= was) || lt && has && at >= was {
		c.Int(0)
		return
	}
	if c.past(at) {
		c.deletePast(key)
		c.Int(1)
		return
	}
	c.DB.SetExpire(key, at)
	c.modified(key)
	c.notify('g', "expire", key)
	c.Int(1)
}

// ttlGeneric is TTL and its kin (expire.c, ttlGenericCommand).
func (c *Client) ttlGeneric(seconds, relative bool) {
	p := c.lookupReadNoTouch(c.Args[1])
	if p == 0 {
		c.Int(-2)
		return
	}
	at := c.DB.Expire(c.Args[1], p)
	if at == object.NoExpire {
		c.Int(-1)
		return
	}
	if relative {
		at = max(0, at-c.S.NowMS())
	}
	if seconds {
		at = (at + 500) / 1000
	}
	c.Int(at)
}

func persistCommand(c *Client) {
	key := c.Args[1]
	if c.DB.LookupWrite(key) == 0 || !c.DB.RemoveExpire(key) {
		c.Int(0)
		return
	}
	c.modified(key)
	c.notify('g', "persist", key)
	c.Int(1)
}
