package command

import (
	"github.com/keyloupe/keyloupe/engine/object"
	"github.com/keyloupe/keyloupe/engine/zset"
)

var _ = add(map[string]handler{
	"zrem": zremCommand, "zremrangebyrank": zremrangebyrankCommand,
	"zremrangebyscore": func(c *Client) {
		if r, ok := c.scoreRange(c.Args[2], c.Args[3]); ok {
			c.zremrange("zremrangebyscore", func(z *zset.Set) int { return z.DeleteIn(r) })
		}
	},
	"zremrangebylex": func(c *Client) {
		if r, ok := c.lexRange(c.Args[2], c.Args[3]); ok {
			c.zremrange("zremrangebylex", func(z *zset.Set) int { return z.DeleteIn(r) })
		}
	},
})

func zremCommand(c *Client) {
	key := c.Args[1]
	p, ok := c.findWrite(key, object.Zset)
	if !ok {
		return
	}
	if p == 0 {
		c.Int(0)
		return
	}
	z := c.zset(p)
	if c.S.R.ZremHoldsShrink {
		z.HoldShrink()
	}
	n := 0
	for _, m := range c.Args[2:] {
		if z.Del(m) {
			n++
		}
		if z.Len() == 0 {
			break
		}
	}
	if z.Len() > 0 && c.S.R.ZremHoldsShrink {
		z.LetShrink()
	}
	c.lostMembers(key, p, &z, "zrem", n)
}

// lostMembers writes back a sorted set that lost n members, or deletes its key, and replies n.
func (c *Client) lostMembers(key []byte, p ptr, z *zset.Set, event string, n int) {
	c.keepZset(p, z)
	gone := c.dropEmptyZset(key, z)
	if n > 0 {
		c.S.Dirty += int64(n)
		c.touched(key)
		c.notify('z', event, key)
		if gone {
			c.notify('g', "del", key)
		}
	}
	c.Int(int64(n))
}

func zremrangebyrankCommand(c *Client) {
	start, ok := c.intArg(c.Args[2])
	if !ok {
		return
	}
	end, ok := c.intArg(c.Args[3])
	if !ok {
		return
	}
	c.zremrange("zremrangebyrank", func(z *zset.Set) int {
		from, to, ok := ranks(start, end, z.Len())
		if !ok {
			return 0
		}
		return z.DeleteRanks(from, to)
	})
}

// ranks makes indices, of which negative ones count from the end, ranks from 0 that are there; ok
// is false where none is meant.
func ranks(start, end int64, n int) (from, to int, ok bool) {
	if start < 0 {
		start += int64(n)
	}
	if end < 0 {
		end += int64(n)
	}
	start = max(start, 0)
	if start > end || start >= int64(n) {
		return 0, 0, false
	}
	return int(start), int(min(end, int64(n)-1)), true
}

func (c *Client) zremrange(event string, remove func(z *zset.Set) int) {
	key := c.Args[1]
	p, ok := c.findWrite(key, object.Zset)
	if !ok {
		return
	}
	if p == 0 {
		c.Int(0)
		return
	}
	z := c.zset(p)
	n := remove(&z)
	c.lostMembers(key, p, &z, event, n)
}
