package command

import (
	"github.com/keyloupe/keyloupe/engine/object"
	"github.com/keyloupe/keyloupe/engine/stream"
)

var _ = add(map[string]handler{
	"xinfo|stream": xinfoStreamCommand, "xinfo|groups": xinfoGroupsCommand,
	"xinfo|consumers": xinfoConsumersCommand, "xinfo|help": xinfoHelpCommand,
})

func xinfoHelpCommand(c *Client) {
	c.help("CONSUMERS <key> <groupname>",
		"    Show consumers of <groupname>.",
		"GROUPS <key>",
		"    Show the stream consumer groups.",
		"STREAM <key> [FULL [COUNT <count>]",
		"    Show information about the stream.")
}

// infoStream finds the stream of an XINFO subcommand; where there is none it replies the error.
func (c *Client) infoStream() (s stream.Stream, ok bool) {
	p, ok := c.find(c.Args[2], object.Stream)
	if ok && p == 0 {
		c.Error(errNoKey)
		return s, false
	}
	if !ok {
		return s, false
	}
	return c.stream(p), true
}

func (c *Client) intField(name string, n int64) {
	c.BulkString(name)
	c.Int(n)
}

func (c *Client) idField(name string, id stream.ID) {
	c.BulkString(name)
	c.streamID(id)
}

func (c *Client) bulkField(name string, v []byte) {
	c.BulkString(name)
	c.Bulk(v)
}

const infoEntries = 10 // entries that XINFO STREAM FULL lists without COUNT

func xinfoStreamCommand(c *Client) {
	s, ok := c.infoStream()
	if !ok {
		return
	}
	opts := c.Args[3:]
	if len(opts) == 0 {
		c.streamSummary(s)
		return
	}
	count := int64(infoEntries)
	if len(opts) != 1 && len(opts) != 3 || !is(opts[0], "FULL") || len(opts) == 3 && !is(opts[1], "COUNT") {
		c.subcommandSyntax()
		return
	}
	if len(opts) == 3 {
		if count, ok = c.intArg(opts[2]); !ok {
			return
		}
		if count < 0 {
			count = infoEntries
		}
	}
	c.streamFull(s, count)
}

// streamCounts replies the fields that both forms of XINFO STREAM begin with.
func (c *Client) streamCounts(s stream.Stream) {
	c.intField("length", int64(s.Len()))
	c.intField("radix-tree-keys", int64(s.Nodes()))
	c.intField("radix-tree-nodes", int64(s.TreeNodes()))
	c.idField("last-generated-id", s.LastID())
	c.idField("max-deleted-entry-id", s.MaxDeletedID())
	c.intField("entries-added", int64(s.Added()))
	c.idField("recorded-first-entry-id", s.FirstID())
}

func (c *Client) streamSummary(s stream.Stream) {
	c.Map(10)
	c.streamCounts(s)
	c.intField("groups", int64(s.Groups()))
	for _, rev := range []bool{false, true} {
		c.BulkString(map[bool]string{false: "first-entry", true: "last-entry"}[rev])
		if it := s.Range(stream.MinID, stream.MaxID, rev); it.Next() {
			c.entry(it)
		} else {
			c.Null()
		}
	}
}

func (c *Client) streamFull(s stream.Stream, count int64) {
	c.Map(9)
	c.streamCounts(s)
	c.BulkString("entries")
	c.entries(s.Range(stream.MinID, stream.MaxID, false), count, nil)
	c.BulkString("groups")
	c.Array(s.Groups())
	s.EachGroup(func(name []byte, g stream.Group) bool {
		c.Map(7)
		c.bulkField("name", name)
		c.groupProgress(s, g)
		c.intField("pel-count", int64(g.Pending()))
		c.pendingList(g.PendingEntries(), count, true)
		c.BulkString("consumers")
		c.Array(g.Consumers())
		g.EachConsumer(func(x stream.Consumer) bool {
			c.Map(5)
			c.bulkField("name", x.Name())
			c.intField("seen-time", x.Seen())
			c.intField("active-time", x.Active())
			c.intField("pel-count", int64(x.Pending()))
			c.pendingList(x.PendingEntries(), count, false)
			return true
		})
		return true
	})
}

// groupProgress replies how far a group has read.
func (c *Client) groupProgress(s stream.Stream, g stream.Group) {
	c.idField("last-delivered-id", g.LastID())
	c.BulkString("entries-read")
	if g.Read() == stream.Unknown {
		c.Null()
	} else {
		c.Int(g.Read())
	}
	c.BulkString("lag")
	if lag, ok := s.Lag(g); ok {
		c.Int(lag)
	} else {
		c.Null()
	}
}

// pendingList replies pending entries, no more than count if that is not 0.
func (c *Client) pendingList(it stream.PendingIter, count int64, owners bool) {
	c.BulkString("pending")
	at, n := len(c.Buf), int64(0)
	for ok := it.Seek(stream.MinID); ok && (count == 0 || n < count); ok = it.Next() {
		nack := it.NACK()
		c.Array(map[bool]int{true: 4, false: 3}[owners])
		c.streamID(it.ID())
		if owners {
			owner, _ := nack.Owner()
			c.Bulk(owner.Name())
		}
		c.Int(nack.Time())
		c.Int(int64(nack.Count()))
		n++
	}
	c.arrayAt(at, int(n))
}

func xinfoGroupsCommand(c *Client) {
	s, ok := c.infoStream()
	if !ok {
		return
	}
	c.Array(s.Groups())
	s.EachGroup(func(name []byte, g stream.Group) bool {
		c.Map(6)
		c.bulkField("name", name)
		c.intField("consumers", int64(g.Consumers()))
		c.intField("pending", int64(g.Pending()))
		c.groupProgress(s, g)
		return true
	})
}

func xinfoConsumersCommand(c *Client) {
	s, ok := c.infoStream()
	if !ok {
		return
	}
	g, ok := s.Group(c.Args[3])
	if !ok {
		c.noGroup(c.Args[3], c.Args[2])
		return
	}
	now := c.S.NowMS()
	c.Array(g.Consumers())
	g.EachConsumer(func(x stream.Consumer) bool {
		inactive := x.Active()
		if inactive != -1 {
			inactive = now - inactive
		}
		c.Map(4)
		c.bulkField("name", x.Name())
		c.intField("pending", int64(x.Pending()))
		c.intField("idle", max(now-x.Seen(), 0))
		c.intField("inactive", inactive)
		return true
	})
}
