package command

import (
	"bytes"
	"fmt"

	"github.com/keyloupe/keyloupe/engine/object"
	"github.com/keyloupe/keyloupe/engine/stream"
)

var _ = add(map[string]handler{
	"xrange":    func(c *Client) { c.xrange(c.Args[2], c.Args[3], false) },
	"xrevrange": func(c *Client) { c.xrange(c.Args[3], c.Args[2], true) },
	"xread":     func(c *Client) { c.xread(false) },
	"xreadgroup": func(c *Client) {
		c.xread(true)
	},
})

// entry replies the current entry of a walk: its id and its fields.
func (c *Client) entry(it *stream.Iter) {
	c.Array(2)
	c.streamID(it.ID())
	n := it.Fields()
	c.Array(2 * n)
	for range n {
		f, v := it.Field()
		c.Bulk(f)
		c.Bulk(v)
	}
}

// entries replies the entries of a walk, no more than count if that is not 0, and calls each for
// every one.
func (c *Client) entries(it *stream.Iter, count int64, each func(id stream.ID)) (n int64) {
	at := len(c.Buf)
	for it.Next() {
		c.entry(it)
		if each != nil {
			each(it.ID())
		}
		if n++; n == count {
			break
		}
	}
	c.arrayAt(at, int(n))
	return n
}

// oneEntry replies the entry with an id, if there is one, and tells so.
func (c *Client) oneEntry(s stream.Stream, id stream.ID) bool {
	it := s.Range(id, id, false)
	if !it.Next() {
		return false
	}
	c.entry(it)
	return true
}

func (c *Client) xrange(first, last []byte, rev bool) {
	start, ok := c.boundArg(first, true)
	if !ok {
		return
	}
	end, ok := c.boundArg(last, false)
	if !ok {
		return
	}
	count := int64(-1)
	for i := 4; i < len(c.Args); i += 2 {
		if !is(c.Args[i], "COUNT") || i+1 >= len(c.Args) {
			c.Error(errSyntax)
			return
		}
		if count, ok = c.intArg(c.Args[i+1]); !ok {
			return
		}
		count = max(count, 0)
	}
	p, ok := c.find(c.Args[1], object.Stream)
	switch {
	case !ok:
	case p == 0:
		c.Array(0)
	case count == 0:
		c.NullArray()
	default:
		c.entries(c.stream(p).Range(start, end, rev), max(count, 0), nil)
	}
}

// readArgs is what XREAD and XREADGROUP take.
type readArgs struct {
	group           bool // XREADGROUP
	until           int64
	blocks          bool
	count           int64
	noack           bool
	name, consumer  []byte
	keys, ids       [][]byte
	from            []stream.ID    // where to read on, by key
	groups          []stream.Group // by key, where group is set
	firstID, served int
}

func (c *Client) parseRead(group bool) (r readArgs, ok bool) {
	r.group = group
	for i := 1; i < len(c.Args); i++ {
		a, more := c.Args[i], len(c.Args)-i-1
		switch {
		case is(a, "BLOCK") && more > 0:
			i++
			if r.until, ok = c.timeoutMS(c.Args[i]); !ok {
				return r, false
			}
			r.blocks = true
		case is(a, "COUNT") && more > 0:
			i++
			if r.count, ok = c.intArg(c.Args[i]); !ok {
				return r, false
			}
			r.count = max(r.count, 0)
		case is(a, "STREAMS") && more > 0:
			if more%2 != 0 {
				symbol := map[bool]string{true: ">", false: "$"}[group]
				c.Error(fmt.Sprintf("ERR Unbalanced '%s' list of streams: for each stream key an ID or '%s' must be specified.", c.Cmd.FullName, symbol))
				return r, false
			}
			r.firstID = i + 1 + more/2
			r.keys, r.ids = c.Args[i+1:r.firstID], c.Args[r.firstID:]
			i = len(c.Args)
		case is(a, "GROUP") && more >= 2:
			if !group {
				c.Error("ERR The GROUP option is only supported by XREADGROUP. You called XREAD instead.")
				return r, false
			}
			r.name, r.consumer = c.Args[i+1], c.Args[i+2]
			i += 2
		case is(a, "NOACK"):
			if !group {
				c.Error("ERR The NOACK option is only supported by XREADGROUP. You called XREAD instead.")
				return r, false
			}
			r.noack = true
		default:
			c.Error(errSyntax)
			return r, false
		}
	}
	if r.keys == nil {
		c.Error(errSyntax)
		return r, false
	}
	if group && r.name == nil {
		c.Error("ERR Missing GROUP option for XREADGROUP")
		return r, false
	}
	return r, true
}

// timeoutMS reads the timeout of XREAD in ms; until is the server's time, 0 for ever.
func (c *Client) timeoutMS(a []byte) (until int64, ok bool) {
	n, ok := c.intArgOr(a, "ERR timeout is not an integer or out of range")
	switch {
	case !ok:
		return 0, false
	case n < 0:
		c.Error("ERR timeout is negative")
		return 0, false
	case n == 0:
		return 0, true
	case n+c.S.NowMS() < 0:
		c.Error("ERR timeout is out of range")
		return 0, false
	}
	return n + c.S.NowMS(), true
}

// resolve finds the groups and reads the ids.
func (c *Client) resolve(r *readArgs) bool {
	for i, key := range r.keys {
		p, ok := c.find(key, object.Stream)
		if !ok {
			return false
		}
		if r.group {
			var g stream.Group
			if ok = p != 0; ok {
				g, ok = c.stream(p).Group(r.name)
			}
			if !ok {
				c.Error(fmt.Sprintf("NOGROUP No such key '%s' or consumer group '%s' in XREADGROUP with GROUP option", printable(key), printable(r.name)))
				return false
			}
			r.groups = append(r.groups, g)
		}
		id, ok := c.readFrom(r, p, r.ids[i])
		if !ok {
			return false
		}
		r.from = append(r.from, id)
	}
	return true
}

// readFrom is the id after which a read begins: a given one, or what $, + or > stand for. p is the
// stream's object, 0 where there is none.
func (c *Client) readFrom(r *readArgs, p ptr, a []byte) (id stream.ID, ok bool) {
	word, _, _ := bytes.Cut(a, []byte{0})
	meaningless := func() (stream.ID, bool) {
		c.Error("ERR The " + string(word) + " ID is meaningless in the context of XREADGROUP: you want to read the history of this consumer by specifying a proper ID, or use the > ID to get new messages. The " + string(word) + " ID would just return an empty result set.")
		return id, false
	}
	switch {
	case string(word) == "$" && r.group:
		return meaningless()
	case string(word) == "$":
		if p != 0 {
			id = c.stream(p).LastID()
		}
		return id, true
	case string(word) == "+" && c.S.R.XreadPlus > 0 && r.group:
		return meaningless()
	case string(word) == "+" && c.S.R.XreadPlus > 0:
		return c.beforeLast(p)
	case string(word) == ">" && !r.group:
		c.Error("ERR The > ID can be specified only when calling XREADGROUP using the GROUP <group> <consumer> option.")
		return id, false
	case string(word) == ">":
		return stream.MaxID, true
	}
	return c.idArg(a, 0)
}

// beforeLast is the id before a stream's last one, so that a read gets that one.
func (c *Client) beforeLast(p ptr) (id stream.ID, ok bool) {
	if p == 0 || c.S.R.XreadPlus > 1 && c.stream(p).Len() == 0 {
		return id, true
	}
	if id, ok = c.stream(p).LastID().Prev(); !ok {
		c.Error("ERR the stream last element ID is 0-0")
	}
	return id, ok
}

// xread is XREAD and XREADGROUP (t_stream.c, xreadCommand).
func (c *Client) xread(group bool) {
	r, ok := c.parseRead(group)
	if !ok || !c.resolve(&r) {
		return
	}
	at := len(c.Buf)
	for i, key := range r.keys {
		if p := c.DB.LookupRead(key); p != 0 {
			c.readOne(&r, i, c.stream(p))
		}
	}
	switch {
	case r.served > 0 && c.Proto == 2:
		c.arrayAt(at, r.served)
	case r.served > 0:
		c.mapAt(at, r.served)
	case r.blocks && c.mayBlock():
		c.blockRead(&r)
	default:
		c.NullArray()
	}
}

// readOne replies the entries of one stream that are new, or those pending for the consumer.
func (c *Client) readOne(r *readArgs, i int, s stream.Stream) {
	key, from := r.keys[i], r.from[i]
	var consumer stream.Consumer
	serve, history := false, false
	switch {
	case !r.group:
		serve = s.Len() > 0 && s.LastValidID().Compare(from) > 0
	case from != stream.MaxID:
		serve, history = true, true
	case s.Len() > 0:
		if last := r.groups[i].LastID(); s.LastValidID().Compare(last) > 0 {
			serve, from = true, last
		}
	}
	if r.group {
		consumer = c.consumer(r.groups[i], key, r.consumer)
		consumer.SetSeen(c.S.NowMS())
	}
	if !serve {
		return
	}
	r.served++
	if c.Proto == 2 {
		c.Array(2)
	}
	c.Bulk(key)
	start, _ := from.Next()
	switch {
	case history:
		c.historyOf(s, consumer, start, r.count)
	case r.group:
		c.deliver(s, r.groups[i], consumer, start, r)
	default:
		c.entries(s.Range(start, stream.MaxID, false), r.count, nil)
	}
	if r.group {
		c.S.Dirty++
	}
}

// consumer finds a consumer or makes it.
func (c *Client) consumer(g stream.Group, key, name []byte) stream.Consumer {
	x, ok := g.Consumer(name)
	if !ok {
		x, _ = g.CreateConsumer(name, c.S.NowMS())
		c.S.Dirty++
		c.notify('t', "xgroup-createconsumer", key)
	}
	return x
}

// deliver replies new entries to a consumer and makes them pending.
func (c *Client) deliver(s stream.Stream, g stream.Group, consumer stream.Consumer, start stream.ID, r *readArgs) {
	c.entries(s.Range(start, stream.MaxID, false), r.count, func(id stream.ID) {
		s.Advance(g, id)
		if !r.noack {
			g.Deliver(id, consumer, c.S.NowMS())
		}
	})
}

// historyOf replies the entries pending for a consumer; of one that was deleted only the id is left.
func (c *Client) historyOf(s stream.Stream, consumer stream.Consumer, start stream.ID, count int64) {
	at, n := len(c.Buf), int64(0)
	it := consumer.PendingEntries()
	for ok := it.Seek(start); ok && (count == 0 || n < count); ok = it.Next() {
		if c.oneEntry(s, it.ID()) {
			nack := it.NACK()
			nack.SetTime(c.S.NowMS())
			nack.SetCount(nack.Count() + 1)
		} else {
			c.Array(2)
			c.streamID(it.ID())
			c.NullArray()
		}
		n++
	}
	c.arrayAt(at, int(n))
}

// blockRead makes the client wait for entries. What $ stands for now is what it waits from.
func (c *Client) blockRead(r *readArgs) {
	if c.blocked == nil {
		args := append([][]byte(nil), c.Args...)
		for i, id := range r.from {
			if word, _, _ := bytes.Cut(r.ids[i], []byte{0}); string(word) == "$" {
				args[r.firstID+i] = []byte(id.String())
			}
		}
		c.Args = args
	}
	c.block(r.keys, r.until, (*Client).noEntries, object.Stream)
	if r.group && c.blocked != nil {
		c.blocked.noKey = true
	}
}

func (c *Client) noEntries() { c.NullArray() }
