package command

import (
	"math"

	"github.com/keyloupe/keyloupe/engine/object"
)

var _ = add(map[string]handler{
	"zpopmin":  func(c *Client) { c.zpop(false) },
	"zpopmax":  func(c *Client) { c.zpop(true) },
	"bzpopmin": func(c *Client) { c.bzpop(false) },
	"bzpopmax": func(c *Client) { c.bzpop(true) },
	"zmpop":    func(c *Client) { c.zmpop(1) },
	"bzmpop":   func(c *Client) { c.zmpop(2) },
})

// firstZset is the first of the keys that has a sorted set; p is 0 where none has, ok false where
// one before has a value of another type.
func (c *Client) firstZset(keys [][]byte) (key []byte, p ptr, ok bool) {
	for _, k := range keys {
		if p, ok = c.findWrite(k, object.Zset); !ok || p != 0 {
			return k, p, ok
		}
	}
	return nil, 0, true
}

// popMembers takes up to count members from one end, replies each by emit, and deletes the key
// where none is left.
func (c *Client) popMembers(key []byte, p ptr, highest bool, count int, emit func(score float64, member []byte)) {
	z := c.zset(p)
	event := "zpopmin"
	if highest {
		event = "zpopmax"
	}
	n := min(count, z.Len())
	for i := range n {
		at := z.First()
		if highest {
			at = z.Last()
		}
		score, member := at.Score(), append([]byte(nil), at.Member()...)
		z.Del(member)
		if i == 0 {
			c.notify('z', event, key)
		}
		emit(score, member)
	}
	c.keepZset(p, &z)
	if c.dropEmptyZset(key, &z) {
		c.notify('g', "del", key)
	}
	c.S.Dirty += int64(n)
	c.touched(key)
}

func (c *Client) zsetLen(p ptr) int {
	z := c.zset(p)
	return z.Len()
}

// ZPOPMIN key [count], ZPOPMAX. One member, or any number in RESP2, is a flat array.
func (c *Client) zpop(highest bool) {
	if len(c.Args) > 3 {
		c.Error(errSyntax)
		return
	}
	count, pairs := int64(1), false
	if len(c.Args) == 3 {
		var ok bool
		if count, ok = c.rangeArg(c.Args[2], 0, math.MaxInt64, errPositive); !ok {
			return
		}
		pairs = c.Proto >= 3
	}
	p, ok := c.findWrite(c.Args[1], object.Zset)
	if !ok {
		return
	}
	if p == 0 || count == 0 {
		c.Array(0)
		return
	}
	n := int(min(count, int64(c.zsetLen(p))))
	if pairs {
		c.Array(n)
	} else {
		c.Array(2 * n)
	}
	c.popMembers(c.Args[1], p, highest, n, func(score float64, member []byte) {
		c.replyMember(score, member, pairs)
		if !pairs {
			c.Double(score)
		}
	})
}

// BZPOPMIN key [key ...] timeout, BZPOPMAX
func (c *Client) bzpop(highest bool) {
	last := len(c.Args) - 1
	keys := c.Args[1:last]
	until, ok := c.timeoutArg(c.Args[last])
	if !ok {
		return
	}
	key, p, ok := c.firstZset(keys)
	switch {
	case !ok:
	case p == 0:
		c.waitForZset(keys, until)
	default:
		c.Array(3)
		c.Bulk(key)
		c.popMembers(key, p, highest, 1, func(score float64, member []byte) {
			c.Bulk(member)
			c.Double(score)
		})
	}
}

// waitForZset blocks the client, or replies at once where it must not wait.
func (c *Client) waitForZset(keys [][]byte, until int64) {
	if !c.mayBlock() {
		c.NullArray()
		return
	}
	c.block(keys, until, (*Client).NullArray, object.Zset)
}

// ZMPOP numkeys key [key ...] MIN | MAX [COUNT count], BZMPOP with a timeout before; at is the
// argument numkeys
func (c *Client) zmpop(at int) {
	n, ok := c.rangeArg(c.Args[at], 1, math.MaxInt64, "ERR numkeys should be greater than 0")
	if !ok {
		return
	}
	if n >= int64(len(c.Args)-at-1) {
		c.Error(errSyntax)
		return
	}
	where := at + int(n) + 1
	keys := c.Args[at+1 : where]
	highest := is(c.Args[where], "MAX")
	if !highest && !is(c.Args[where], "MIN") {
		c.Error(errSyntax)
		return
	}
	count, ok := c.popCount(where + 1)
	if !ok {
		return
	}
	until := int64(0)
	if at == 2 {
		if until, ok = c.timeoutArg(c.Args[1]); !ok {
			return
		}
	}
	key, p, ok := c.firstZset(keys)
	switch {
	case !ok:
	case p != 0:
		c.popWithPairs(key, p, highest, count)
	case at == 2:
		c.waitForZset(keys, until)
	default:
		c.NullArray()
	}
}

// popCount reads COUNT from argument i on; it is 1 where there is none.
func (c *Client) popCount(i int) (count int64, ok bool) {
	for count = -1; i < len(c.Args); i += 2 {
		if count != -1 || !is(c.Args[i], "COUNT") || i+1 == len(c.Args) {
			c.Error(errSyntax)
			return 0, false
		}
		if count, ok = c.rangeArg(c.Args[i+1], 1, math.MaxInt64, "ERR count should be greater than 0"); !ok {
			return 0, false
		}
	}
	if count == -1 {
		count = 1
	}
	return count, true
}

// popWithPairs replies the key and pairs of member and score.
func (c *Client) popWithPairs(key []byte, p ptr, highest bool, count int64) {
	n := int(min(count, int64(c.zsetLen(p))))
	c.Array(2)
	c.Bulk(key)
	c.Array(n)
	c.popMembers(key, p, highest, n, func(score float64, member []byte) {
		c.Array(2)
		c.Bulk(member)
		c.Double(score)
	})
}
