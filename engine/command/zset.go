package command

import (
	"slices"
	"strconv"

	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/keyspace"
	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/engine/object"
	"github.com/keyloupe/keyloupe/engine/zset"
)

var _ = add(map[string]handler{
	"zcard": zcardCommand, "zscore": zscoreCommand, "zmscore": zmscoreCommand,
	"zrank":    func(c *Client) { c.zrank(false) },
	"zrevrank": func(c *Client) { c.zrank(true) },
})

func init() {
	families = append(families, func(s *Server) {
		s.zsets = zset.NewType(s.H, &s.Space.Seed, s.Rand,
			func() int { return int(s.Conf.Int("zset-max-listpack-entries")) },
			func() int { return int(s.Conf.Int("zset-max-listpack-value")) })
		s.types[object.Zset] = typeOps{
			free: func(e object.Encoding, p heap.Ptr) {
				v := s.zsets.Open(e, p)
				v.Free()
			},
			dup: func(e object.Encoding, p heap.Ptr) (object.Encoding, heap.Ptr) {
				v := s.zsets.Open(e, p)
				d := v.Dup()
				return d.Enc, d.P
			},
			usage: func(e object.Encoding, o, p heap.Ptr, samples int) int {
				v, n := s.zsets.Open(e, p), s.objectUsage(o)
				return v.Usage(n, samples) - n
			},
			count: func(e object.Encoding, _, p heap.Ptr) int { v := s.zsets.Open(e, p); return v.Len() },
			stats: func(e object.Encoding, p heap.Ptr, full bool) string {
				v := s.zsets.Open(e, p)
				return v.Stats(full)
			},
			picture: func(pic *layout.Picture, e object.Encoding, p heap.Ptr, name string) {
				v := s.zsets.Open(e, p)
				v.Picture(pic, name)
			},
		}
	})
}

// zset views the sorted set of an object.
func (c *Client) zset(p ptr) zset.Set { return c.S.zsets.Open(c.encodingOf(p), c.value(p)) }

// keepZset points an object at its sorted set after a change.
func (c *Client) keepZset(p ptr, z *zset.Set) { c.convert(p, z.Enc, z.P) }

// zsetValue is a new sorted set on its way to a key.
func zsetValue(z *zset.Set) keyspace.Value { return keyspace.Structure(object.Zset, z.Enc, z.P) }

// storeZset puts a new sorted set at a key, or deletes the key where the set is empty, and replies
// the number of members.
func (c *Client) storeZset(key []byte, z *zset.Set, event string) {
	n := z.Len()
	if n == 0 {
		z.Free()
		c.deleteStored(key)
		c.Int(0)
		return
	}
	c.DB.SetKey(key, zsetValue(z))
	c.modified(key)
	c.notify('z', event, key)
	c.Int(int64(n))
}

// deleteStored deletes the key that an empty result was to be stored at.
func (c *Client) deleteStored(key []byte) {
	if c.DB.Delete(key) {
		c.modified(key)
		c.notify('g', "del", key)
	}
}

// dropEmptyZset deletes the key of a sorted set that has lost its last member and tells whether it
// did.
func (c *Client) dropEmptyZset(key []byte, z *zset.Set) bool {
	return z.Len() == 0 && c.DB.Delete(key)
}

// arrayFrom makes what was written since at an array of n replies.
func (c *Client) arrayFrom(at, n int) {
	head := append(strconv.AppendInt([]byte{'*'}, int64(n), 10), '\r', '\n')
	c.Buf = slices.Insert(c.Buf, at, head...)
}

func zcardCommand(c *Client) {
	p, ok := c.find(c.Args[1], object.Zset)
	if !ok {
		return
	}
	if p == 0 {
		c.Int(0)
		return
	}
	z := c.zset(p)
	c.Int(int64(z.Len()))
}

func zscoreCommand(c *Client) {
	p, ok := c.find(c.Args[1], object.Zset)
	if ok {
		c.replyScore(p, c.Args[2])
	}
}

func zmscoreCommand(c *Client) {
	p, ok := c.find(c.Args[1], object.Zset)
	if !ok {
		return
	}
	c.Array(len(c.Args) - 2)
	for _, m := range c.Args[2:] {
		c.replyScore(p, m)
	}
}

// replyScore replies a member's score, nil where there is none; p may be 0.
func (c *Client) replyScore(p ptr, member []byte) {
	if p != 0 {
		z := c.zset(p)
		if v, ok := z.Score(member); ok {
			c.Double(v)
			return
		}
	}
	c.Null()
}

func (c *Client) zrank(reverse bool) {
	withScore := false
	switch {
	case len(c.Args) > 4:
		c.Error("ERR wrong number of arguments for '" + c.Cmd.FullName + "' command")
		return
	case len(c.Args) == 4 && !is(c.Args[3], "WITHSCORE"):
		c.Error(errSyntax)
		return
	case len(c.Args) == 4:
		withScore = true
	}
	p, ok := c.find(c.Args[1], object.Zset)
	if !ok {
		return
	}
	rank, score, found := 0, 0.0, false
	if p != 0 {
		z := c.zset(p)
		if rank, score, found = z.Rank(c.Args[2]); reverse {
			rank = z.Len() - 1 - rank
		}
	}
	switch {
	case !found && withScore:
		c.NullArray()
	case !found:
		c.Null()
	case withScore:
		c.Array(2)
		c.Int(int64(rank))
		c.Double(score)
	default:
		c.Int(int64(rank))
	}
}
