package command

import (
	"fmt"
	"math"

	"github.com/keyloupe/keyloupe/engine/object"
	"github.com/keyloupe/keyloupe/engine/stream"
)

var _ = add(map[string]handler{"xclaim": xclaimCommand, "xautoclaim": xautoclaimCommand})

// claimArgs is what XCLAIM takes behind its ids.
type claimArgs struct {
	minIdle       int64
	ids           []stream.ID
	retry         int64 // -1: count up
	time          int64 // of the delivery
	force, justID bool
	last          stream.ID
}

func (c *Client) noKeyOrGroup() {
	c.Error(fmt.Sprintf("NOGROUP No such key '%s' or consumer group '%s'", printable(c.Args[1]), printable(c.Args[2])))
}

// parseClaim reads the ids, as far as they are any, and the options behind them.
func (c *Client) parseClaim() (a claimArgs, ok bool) {
	a.retry, a.time = -1, -1
	if a.minIdle, ok = c.intArgOr(c.Args[4], "ERR Invalid min-idle-time argument for XCLAIM"); !ok {
		return a, false
	}
	a.minIdle = max(a.minIdle, 0)
	i := 5
	for ; i < len(c.Args); i++ {
		id, ok := stream.ParseID(c.Args[i], 0, true, nil)
		if !ok {
			break
		}
		a.ids = append(a.ids, id)
	}
	now := c.S.NowMS()
	for ; i < len(c.Args); i++ {
		opt, more := c.Args[i], i+1 < len(c.Args)
		switch {
		case is(opt, "FORCE"):
			a.force = true
			continue
		case is(opt, "JUSTID"):
			a.justID = true
			continue
		case is(opt, "IDLE") && more:
			if a.time, ok = c.intArgOr(c.Args[i+1], "ERR Invalid IDLE option argument for XCLAIM"); ok {
				a.time = now - a.time
			}
		case is(opt, "TIME") && more:
			a.time, ok = c.intArgOr(c.Args[i+1], "ERR Invalid TIME option argument for XCLAIM")
		case is(opt, "RETRYCOUNT") && more:
			a.retry, ok = c.intArgOr(c.Args[i+1], "ERR Invalid RETRYCOUNT option argument for XCLAIM")
		case is(opt, "LASTID") && more:
			a.last, ok = c.idArg(c.Args[i+1], 0)
		default:
			c.Error("ERR Unrecognized XCLAIM option '" + printable(opt) + "'")
			return a, false
		}
		if !ok {
			return a, false
		}
		i++
	}
	if a.time == -1 || a.time < 0 || a.time > now {
		a.time = now
	}
	return a, true
}

func xclaimCommand(c *Client) {
	s, g, found, ok := c.group(c.Args[1], c.Args[2])
	if !ok {
		return
	}
	if !found {
		c.noKeyOrGroup()
		return
	}
	a, ok := c.parseClaim()
	if !ok {
		return
	}
	told := a.last.Compare(g.LastID()) > 0 // the new last id is a change of its own
	if told {
		g.SetLastID(a.last)
	}
	x := c.consumer(g, c.Args[1], c.Args[3])
	x.SetSeen(c.S.NowMS())
	at, n := len(c.Buf), 0
	for _, id := range a.ids {
		claimed, changed := c.claim(s, g, x, id, &a)
		if changed {
			c.S.Dirty++
			told = false
		}
		if claimed {
			n++
		}
	}
	if told {
		c.S.Dirty++
	}
	c.arrayAt(at, n)
}

// claim gives one pending entry to a consumer and replies it. An entry that the stream no longer
// has stops to be pending.
func (c *Client) claim(s stream.Stream, g stream.Group, x stream.Consumer, id stream.ID, a *claimArgs) (claimed, changed bool) {
	nack, pending := g.Find(id)
	if !s.Exists(id) {
		return false, pending && g.Drop(id)
	}
	if !pending {
		if !a.force {
			return false, false
		}
		nack = g.Create(id, c.S.NowMS())
	}
	if _, owned := nack.Owner(); owned && a.minIdle > 0 && c.S.NowMS()-nack.Time() < a.minIdle {
		return false, false
	}
	g.Release(id, nack, x)
	nack.SetTime(a.time)
	if a.retry >= 0 {
		nack.SetCount(uint64(a.retry))
	} else if !a.justID {
		nack.SetCount(nack.Count() + 1)
	}
	g.Assign(id, nack, x)
	if a.justID {
		c.streamID(id)
	} else {
		c.oneEntry(s, id)
	}
	x.SetActive(c.S.NowMS())
	return true, true
}

const (
	claimCount    = 100 // entries XAUTOCLAIM claims without COUNT
	claimAttempts = 10  // entries it looks at for each it may claim
	claimMost     = math.MaxInt64 / 16
	// claimRoom is the COUNT whose room for deleted ids, 16 bytes each, no allocator grants: 64 TiB
	// here. Where a real server's line is depends on the machine.
	claimRoom = 1 << 46 / 16
)

func xautoclaimCommand(c *Client) {
	p := c.lookupRead(c.Args[1])
	a := claimArgs{retry: -1, time: c.S.NowMS()}
	var ok bool
	if a.minIdle, ok = c.intArgOr(c.Args[4], "ERR Invalid min-idle-time argument for XAUTOCLAIM"); !ok {
		return
	}
	a.minIdle = max(a.minIdle, 0)
	start, ok := c.boundArg(c.Args[5], true)
	if !ok {
		return
	}
	count := int64(claimCount)
	for i := 6; i < len(c.Args); i++ {
		switch {
		case is(c.Args[i], "COUNT") && i+1 < len(c.Args):
			i++
			if count, ok = c.rangeArg(c.Args[i], 1, claimMost, "ERR COUNT must be > 0"); !ok {
				return
			}
		case is(c.Args[i], "JUSTID"):
			a.justID = true
		default:
			c.Error(errSyntax)
			return
		}
	}
	if _, ok = c.typed(p, object.Stream); !ok {
		return
	}
	s, g, found := c.groupOf(p, c.Args[2])
	if !found {
		c.noKeyOrGroup()
		return
	}
	if count >= claimRoom {
		c.Error("ERR Insufficient memory, failed allocating transient memory, COUNT too high.")
		return
	}
	x := c.consumer(g, c.Args[1], c.Args[3])
	x.SetSeen(c.S.NowMS())
	c.autoclaim(s, g, x, start, count, &a)
}

// autoclaim claims pending entries from an id on. It replies where to go on, the entries, and the
// ids of those that the stream no longer has.
func (c *Client) autoclaim(s stream.Stream, g stream.Group, x stream.Consumer, start stream.ID, count int64, a *claimArgs) {
	var gone []stream.ID
	c.Array(3)
	at, n := len(c.Buf), 0
	it := g.PendingEntries()
	more := it.Seek(start)
	for left := count * claimAttempts; left > 0 && count > 0 && more; left-- {
		id := it.ID()
		claimed, changed := c.claim(s, g, x, id, a)
		if changed {
			c.S.Dirty++
			count--
		}
		switch {
		case claimed:
			n++
		case changed:
			gone = append(gone, id)
			more = it.Seek(id)
			continue
		}
		more = it.Next()
	}
	next := stream.ID{}
	if more {
		next = it.ID()
	}
	c.arrayAt(at, n)
	c.headerAt(at, func() { c.streamID(next) })
	c.Array(len(gone))
	for _, id := range gone {
		c.streamID(id)
	}
}
