package command

import (
	"math"

	"github.com/keyloupe/keyloupe/engine/object"
)

// endArg reads LEFT or RIGHT.
func (c *Client) endArg(a []byte) (head, ok bool) {
	switch {
	case is(a, "LEFT"):
		return true, true
	case is(a, "RIGHT"):
		return false, true
	}
	c.Error(errSyntax)
	return false, false
}

// LMOVE source destination LEFT | RIGHT LEFT | RIGHT, BLMOVE with a timeout behind
func lmoveCommand(c *Client, block bool) {
	from, ok := c.endArg(c.Args[3])
	if !ok {
		return
	}
	to, ok := c.endArg(c.Args[4])
	if !ok {
		return
	}
	if !block {
		c.moveElement(from, to)
		return
	}
	if until, ok := c.timeoutArg(c.Args[5]); ok {
		c.moveElementOrBlock(from, to, until)
	}
}

// moveElement takes an element from one end of a list to one end of another or the same one and
// replies it (lmoveGenericCommand).
func (c *Client) moveElement(fromHead, toHead bool) {
	key, dest := c.Args[1], c.Args[2]
	p, ok := c.findWrite(key, object.List)
	if !ok {
		return
	}
	if p == 0 {
		c.Null()
		return
	}
	q, ok := c.findWrite(dest, object.List)
	if !ok {
		return
	}
	from := list{c.S, p}
	text, counts := from.pop(fromHead)
	if q == 0 {
		q = c.DB.Add(dest, c.S.newList())
	}
	to := list{c.S, q}
	to.grow(counts, 1)
	to.push(text, toHead)
	c.touched(dest)
	c.notifyPush(dest, toHead)
	c.Bulk(text)
	c.removed(key, from, fromHead, 1)
}

// moveElementOrBlock is moveElement that waits for the source (blmoveGenericCommand).
func (c *Client) moveElementOrBlock(fromHead, toHead bool, until int64) {
	p, ok := c.findWrite(c.Args[1], object.List)
	switch {
	case !ok:
	case p != 0:
		c.moveElement(fromHead, toHead)
	case !c.mayBlock():
		c.Null()
	default:
		c.block(c.Args[1:2], until, (*Client).NullArray, object.List)
	}
}

// firstList finds the first of the keys that is there; ok is false where an error was replied.
func (c *Client) firstList(keys [][]byte) (key []byte, l list, ok bool) {
	for _, k := range keys {
		p, ok := c.findWrite(k, object.List)
		if !ok {
			return nil, l, false
		}
		if p != 0 {
			return k, list{c.S, p}, true
		}
	}
	return nil, l, true
}

// popWithKey replies the key and up to count elements taken from one end.
func (c *Client) popWithKey(key []byte, l list, head bool, count int64) {
	c.Array(2)
	c.Bulk(key)
	c.popRange(key, l, head, count)
}

// BLPOP key [key ...] timeout, BRPOP
func blockingPopCommand(c *Client, head bool) {
	keys := c.Args[1 : len(c.Args)-1]
	until, ok := c.timeoutArg(c.Args[len(c.Args)-1])
	if !ok {
		return
	}
	key, l, ok := c.firstList(keys)
	switch {
	case !ok:
	case l.p == 0:
		c.waitForList(keys, until)
	default:
		text, _ := l.pop(head)
		c.removed(key, l, head, 1)
		c.Array(2)
		c.Bulk(key)
		c.Bulk(text)
	}
}

// waitForList blocks the client, or replies at once where it must not wait.
func (c *Client) waitForList(keys [][]byte, until int64) {
	if !c.mayBlock() {
		c.NullArray()
		return
	}
	c.block(keys, until, (*Client).NullArray, object.List)
}

// LMPOP numkeys key [key ...] LEFT | RIGHT [COUNT count], BLMPOP with a timeout before; at is the
// argument numkeys
func lmpopCommand(c *Client, at int) {
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
	head, ok := c.endArg(c.Args[where])
	if !ok {
		return
	}
	count := int64(-1)
	for i := where + 1; i < len(c.Args); i += 2 {
		if count != -1 || !is(c.Args[i], "COUNT") || i+1 == len(c.Args) {
			c.Error(errSyntax)
			return
		}
		if count, ok = c.rangeArg(c.Args[i+1], 1, math.MaxInt64, "ERR count should be greater than 0"); !ok {
			return
		}
	}
	until := int64(0)
	if at == 2 {
		if until, ok = c.timeoutArg(c.Args[1]); !ok {
			return
		}
	}
	key, l, ok := c.firstList(keys)
	switch {
	case !ok:
	case l.p != 0:
		c.popWithKey(key, l, head, max(count, 1))
	case at == 2:
		c.waitForList(keys, until)
	default:
		c.NullArray()
	}
}
