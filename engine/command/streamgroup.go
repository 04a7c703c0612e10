package command

import (
	"fmt"

	"github.com/keyloupe/keyloupe/engine/object"
	"github.com/keyloupe/keyloupe/engine/stream"
)

var _ = add(map[string]handler{
	"xgroup|create": xgroupCreateCommand, "xgroup|setid": xgroupSetidCommand,
	"xgroup|destroy": xgroupDestroyCommand, "xgroup|createconsumer": xgroupCreateConsumerCommand,
	"xgroup|delconsumer": xgroupDelConsumerCommand, "xgroup|help": xgroupHelpCommand,
	"xack": xackCommand, "xpending": xpendingCommand,
})

func xgroupHelpCommand(c *Client) {
	c.help("CREATE <key> <groupname> <id|$> [option]",
		"    Create a new consumer group. Options are:",
		"    * MKSTREAM",
		"      Create the empty stream if it does not exist.",
		"    * ENTRIESREAD entries_read",
		"      Set the group's entries_read counter (internal use).",
		"CREATECONSUMER <key> <groupname> <consumer>",
		"    Create a new consumer in the specified group.",
		"DELCONSUMER <key> <groupname> <consumer>",
		"    Remove the specified consumer.",
		"DESTROY <key> <groupname>",
		"    Remove the specified group.",
		"SETID <key> <groupname> <id|$> [ENTRIESREAD entries_read]",
		"    Set the current group ID and entries_read counter.")
}

// groupArgs is what the subcommands of XGROUP work on.
type groupArgs struct {
	s     stream.Stream
	there bool // the key is
	g     stream.Group
	found bool // the group is there
	make  bool
	read  int64
}

// parseGroup reads the options behind argument 4, finds the key and the group, and replies the
// errors of those that are missing (t_stream.c, xgroupCommand).
func (c *Client) parseGroup(create, setid, needsGroup bool) (a groupArgs, ok bool) {
	a.read = stream.Unknown
	for i := 5; i < len(c.Args); i++ {
		switch {
		case create && is(c.Args[i], "MKSTREAM"):
			a.make = true
		case (create || setid) && is(c.Args[i], "ENTRIESREAD") && i+1 < len(c.Args):
			i++
			if a.read, ok = c.intArg(c.Args[i]); !ok {
				return a, false
			}
			if a.read < 0 && a.read != stream.Unknown {
				c.Error("ERR value for ENTRIESREAD must be positive or -1")
				return a, false
			}
		default:
			c.subcommandSyntax()
			return a, false
		}
	}
	key, name := c.Args[2], c.Args[3]
	p, ok := c.findWrite(key, object.Stream)
	if !ok {
		return a, false
	}
	if a.there = p != 0; a.there {
		a.s = c.stream(p)
	}
	if a.make {
		return a, true
	}
	if !a.there {
		c.Error("ERR The XGROUP subcommand requires the key to exist. Note that for CREATE you may want to use the MKSTREAM option to create an empty stream automatically.")
		return a, false
	}
	a.g, a.found = a.s.Group(name)
	if !a.found && needsGroup {
		c.noGroup(name, key)
		return a, false
	}
	return a, true
}

func (c *Client) noGroup(name, key []byte) {
	c.Error(fmt.Sprintf("NOGROUP No such consumer group '%s' for key name '%s'", printable(name), printable(key)))
}

func xgroupCreateCommand(c *Client) {
	a, ok := c.parseGroup(true, false, false)
	if !ok {
		return
	}
	if len(c.Args) > 8 {
		c.subcommandSyntax()
		return
	}
	key := c.Args[2]
	var id stream.ID
	if printable(c.Args[4]) == "$" {
		if a.there {
			id = a.s.LastID()
		}
	} else if id, ok = c.idArg(c.Args[4], 0); !ok {
		return
	}
	if !a.there {
		a.s = c.newStream(key)
		c.touched(key)
	}
	if _, ok = a.s.CreateGroup(c.Args[3], id, a.read); !ok {
		c.Error("BUSYGROUP Consumer Group name already exists")
		return
	}
	c.S.Dirty++
	c.notify('t', "xgroup-create", key)
	c.OK()
}

func xgroupSetidCommand(c *Client) {
	a, ok := c.parseGroup(false, true, true)
	if !ok {
		return
	}
	if n := len(c.Args); n != 5 && n != 7 {
		c.subcommandSyntax()
		return
	}
	id := stream.ID{}
	if printable(c.Args[4]) == "$" {
		id = a.s.LastID()
	} else if id, ok = stream.ParseID(c.Args[4], 0, false, nil); !ok {
		c.Error(errStreamID)
		return
	}
	a.g.SetLastID(id)
	a.g.SetRead(a.read)
	c.S.Dirty++
	c.notify('t', "xgroup-setid", c.Args[2])
	c.OK()
}

func xgroupDestroyCommand(c *Client) {
	a, ok := c.parseGroup(false, false, false)
	if !ok {
		return
	}
	if !a.found {
		c.Int(0)
		return
	}
	a.s.DestroyGroup(c.Args[3])
	c.S.Dirty++
	c.notify('t', "xgroup-destroy", c.Args[2])
	c.Int(1)
	c.S.keyReady(c.DB.ID, c.Args[2]) // those who wait for the group get an error
}

func xgroupCreateConsumerCommand(c *Client) {
	a, ok := c.parseGroup(false, false, true)
	if !ok {
		return
	}
	if _, ok = a.g.CreateConsumer(c.Args[4], c.S.NowMS()); !ok {
		c.Int(0)
		return
	}
	c.S.Dirty++
	c.notify('t', "xgroup-createconsumer", c.Args[2])
	c.Int(1)
}

func xgroupDelConsumerCommand(c *Client) {
	a, ok := c.parseGroup(false, false, true)
	if !ok {
		return
	}
	x, ok := a.g.Consumer(c.Args[4])
	if !ok {
		c.Int(0)
		return
	}
	pending := x.Pending()
	a.g.DeleteConsumer(x)
	c.S.Dirty++
	c.notify('t', "xgroup-delconsumer", c.Args[2])
	c.Int(int64(pending))
}

// group finds a key's group for reading. Where key or group is missing ok is true and found false.
func (c *Client) group(key, name []byte) (s stream.Stream, g stream.Group, found, ok bool) {
	p, ok := c.find(key, object.Stream)
	if ok {
		s, g, found = c.groupOf(p, name)
	}
	return s, g, found, ok
}

// groupOf finds a group of the stream in an object, which may be none.
func (c *Client) groupOf(p ptr, name []byte) (s stream.Stream, g stream.Group, found bool) {
	if p == 0 {
		return s, g, false
	}
	s = c.stream(p)
	g, found = s.Group(name)
	return s, g, found
}

func xackCommand(c *Client) {
	_, g, found, ok := c.group(c.Args[1], c.Args[2])
	if !ok {
		return
	}
	if !found {
		c.Int(0)
		return
	}
	ids, ok := c.idArgs(3)
	if !ok {
		return
	}
	n := int64(0)
	for _, id := range ids {
		if g.Drop(id) {
			n++
		}
	}
	c.S.Dirty += n
	c.Int(n)
}

// pendingArgs is what XPENDING takes behind the group.
type pendingArgs struct {
	start, end stream.ID
	count      int64
	minIdle    int64
	consumer   []byte // nil for all
}

func (c *Client) parsePending() (a pendingArgs, ok bool) {
	i := 3
	if is(c.Args[i], "IDLE") {
		if a.minIdle, ok = c.intArg(c.Args[4]); !ok {
			return a, false
		}
		if len(c.Args) < 8 {
			c.Error(errSyntax)
			return a, false
		}
		i += 2
	}
	if a.count, ok = c.intArg(c.Args[i+2]); !ok {
		return a, false
	}
	a.count = max(a.count, 0)
	if a.start, ok = c.boundArg(c.Args[i], true); !ok {
		return a, false
	}
	if a.end, ok = c.boundArg(c.Args[i+1], false); !ok {
		return a, false
	}
	if i+3 < len(c.Args) {
		a.consumer = c.Args[i+3]
	}
	return a, true
}

func xpendingCommand(c *Client) {
	n := len(c.Args)
	if n != 3 && (n < 6 || n > 9) {
		c.Error(errSyntax)
		return
	}
	var a pendingArgs
	if n >= 6 {
		var ok bool
		if a, ok = c.parsePending(); !ok {
			return
		}
	}
	_, g, found, ok := c.group(c.Args[1], c.Args[2])
	switch {
	case !ok:
	case !found:
		c.Error(fmt.Sprintf("NOGROUP No such key '%s' or consumer group '%s'", printable(c.Args[1]), printable(c.Args[2])))
	case n == 3:
		c.pendingSummary(g)
	default:
		c.pendingRange(g, a)
	}
}

func (c *Client) pendingSummary(g stream.Group) {
	c.Array(4)
	c.Int(int64(g.Pending()))
	it := g.PendingEntries()
	if !it.Seek(stream.MinID) {
		c.Null()
		c.Null()
		c.NullArray()
		return
	}
	c.streamID(it.ID())
	it.Last()
	c.streamID(it.ID())
	at, n := len(c.Buf), 0
	g.EachConsumer(func(x stream.Consumer) bool {
		if x.Pending() > 0 {
			c.Array(2)
			c.Bulk(x.Name())
			c.BulkInt(int64(x.Pending()))
			n++
		}
		return true
	})
	c.arrayAt(at, n)
}

func (c *Client) pendingRange(g stream.Group, a pendingArgs) {
	it := g.PendingEntries()
	if a.consumer != nil {
		x, ok := g.Consumer(a.consumer)
		if !ok {
			c.Array(0)
			return
		}
		it = x.PendingEntries()
	}
	at, n, now := len(c.Buf), int64(0), c.S.NowMS()
	for ok := it.Seek(a.start); ok && n < a.count && it.ID().Compare(a.end) <= 0; ok = it.Next() {
		nack := it.NACK()
		idle := now - nack.Time()
		if a.minIdle != 0 && idle < a.minIdle {
			continue
		}
		n++
		owner, _ := nack.Owner()
		c.Array(4)
		c.streamID(it.ID())
		c.Bulk(owner.Name())
		c.Int(max(idle, 0))
		c.Int(int64(nack.Count()))
	}
	c.arrayAt(at, int(n))
}
