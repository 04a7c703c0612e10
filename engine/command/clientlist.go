package command

import (
	"fmt"
	"strings"
)

var _ = add(map[string]handler{
	"client|info": func(c *Client) { c.Verbatim("txt", c.Line()+"\n") },
	"client|list": clientListCommand, "client|kill": clientKillCommand, "client|unblock": clientUnblockCommand,
})

// Line is the client's line of CLIENT LIST. Its reply buffer and what it takes are those of a
// client at rest (networking.c, catClientInfoString).
func (c *Client) Line() string {
	s, r := c.S, c.S.R
	now := s.now / 1_000_000
	var b strings.Builder
	fmt.Fprintf(&b, "id=%d addr=%s laddr=%s fd=%d name=%s age=%d idle=%d flags=%s", c.ID, c.Addr, c.local(), c.ID+firstFD, c.Name,
		now-c.info.created/1_000_000, now-c.info.seen/1_000_000, c.flags())
	if r.ClientListCapa {
		capa := ""
		if c.info.redirect {
			capa = "r"
		}
		fmt.Fprintf(&b, " capa=%s", capa)
	}
	multi, memory := -1, 0
	if c.multi.on || r.ClientListMulti && c.hadMulti {
		multi = len(c.multi.queued)
	}
	for _, q := range c.multi.queued {
		for _, a := range q {
			memory += len(a) + pointerSize
		}
	}
	fmt.Fprintf(&b, " db=%d sub=%d psub=%d ssub=%d multi=%d", c.DB.ID, len(c.pubsub.channels), len(c.pubsub.patterns), len(c.pubsub.shards), multi)
	if r.ClientListWatch {
		fmt.Fprintf(&b, " watch=%d", len(c.multi.keys))
	}
	out := c.unsent()
	fmt.Fprintf(&b, " qbuf=%d qbuf-free=0 argv-mem=%d multi-mem=%d rbs=%d rbp=0 obl=%d oll=%d omem=%d tot-mem=%d events=%s cmd=%s user=%s redir=%d resp=%d lib-name=%s lib-ver=%s",
		c.Unread, c.info.argvMem, memory, restingReplyBuffer, out.inBuffer, out.blocks, out.memory, r.Baseline().ClientCounted+out.memory, out.events, c.info.last, defaultUser, c.redirectID(), c.Proto, c.info.libName, c.info.libVer)
	if r.ClientListTotals {
		fmt.Fprintf(&b, " tot-net-in=%d tot-net-out=%d tot-cmds=%d", c.info.netIn, c.info.netOut, c.info.commands)
	}
	return b.String()
}

// unsent is what waits for a client that does not read: the first of it in a buffer that the client has anyway, the rest in
// blocks.
type unsent struct {
	inBuffer, blocks, memory int // bytes, blocks, bytes
	events                   string
}

func (c *Client) unsent() (u unsent) {
	n := c.Unsent
	if c != c.S.current {
		n += len(c.Buf)
	}
	u.inBuffer, u.events = min(n, replyBlock), "r"
	if n > 0 {
		u.events = "rw"
	}
	if over := n - replyBlock; over > 0 {
		u.blocks = (over + replyBlock - 1) / replyBlock
		u.memory = over + u.blocks*replyBlockHeader
	}
	return u
}

const (
	replyBlock         = 16 << 10 // bytes of a block of replies (PROTO_REPLY_CHUNK_BYTES)
	replyBlockHeader   = 40       // a list's node and the block's own header
	pointerSize        = 8
	firstFD            = 7    // files the server has open before its first client, less one
	restingReplyBuffer = 1024 // bytes to which cron shrinks the reply buffer of a quiet client
)

// local is the address that the client connected to.
func (c *Client) local() string {
	if c.Local == "" {
		return "127.0.0.1:" + c.S.Conf.Text("port")
	}
	return c.Local
}

func (c *Client) flags() string {
	var f []byte
	for _, x := range []struct {
		on     bool
		letter byte
	}{{c.monitor, 'O'}, {c.Subscribed(), 'P'}, {c.multi.on, 'x'}, {c.blocked != nil, 'b'}, {c.tracking.on, 't'}, {c.tracking.broken, 'R'}, {c.tracking.broadcast, 'B'}, {c.multi.stale, 'd'}, {c.closing, 'c'}, {c.readonly, 'r'},
		{c.noEvict, 'e'}, {c.noTouch, 'T'}, {c.info.importSource, 'I'}} {
		if x.on {
			f = append(f, x.letter)
		}
	}
	if len(f) == 0 {
		return "N"
	}
	return string(f)
}

func clientListCommand(c *Client) {
	f := clientFilter{}
	switch {
	case len(c.Args) == 2:
	case len(c.Args) == 3:
		c.Error(errSyntax)
		return
	case c.S.R.ClientFilters < filtersShared:
		if !c.oldListFilter(&f) {
			return
		}
	case !c.clientFilter(c.Args[2:], &f):
		return
	}
	var b strings.Builder
	for _, x := range c.S.Clients {
		if f.matches(c, x) {
			b.WriteString(x.Line())
			b.WriteByte('\n')
		}
	}
	c.Verbatim("txt", b.String())
}

// oldListFilter reads TYPE or ID, which CLIENT LIST had alone before 8.1.
func (c *Client) oldListFilter(f *clientFilter) bool {
	switch {
	case is(c.Args[2], "TYPE") && len(c.Args) == 4:
		return c.filterOption(f, "TYPE", c.Args[3])
	case is(c.Args[2], "ID"):
		f.ids = map[int64]bool{}
		for _, a := range c.Args[3:] {
			id, ok := c.intArgOr(a, "ERR Invalid client ID")
			if !ok {
				return false
			}
			f.ids[id] = true
		}
		return true
	}
	c.Error(errSyntax)
	return false
}

func clientKillCommand(c *Client) {
	f := clientFilter{skipMe: true}
	if len(c.Args) == 3 { // the old form, which may name the client itself
		addr := printable(c.Args[2])
		f = clientFilter{}
		f.add("ADDR", func(x *Client) bool { return x.Addr == addr })
	} else if !c.clientFilter(c.Args[2:], &f) {
		return
	}
	killed := 0
	for _, x := range append([]*Client(nil), c.S.Clients...) {
		if f.matches(c, x) {
			killed++
			x.kill()
		}
	}
	switch {
	case len(c.Args) > 3:
		c.Int(int64(killed))
	case killed == 0:
		c.Error("ERR No such client")
	default:
		c.OK()
	}
}

// kill disconnects a client; one that runs the command itself gets its reply first, another nothing more.
func (c *Client) kill() {
	c.closing = true
	if c != c.S.current {
		c.Close()
		c.Buf = c.Buf[:0]
		c.wake()
	}
}

func clientUnblockCommand(c *Client) {
	fail := false
	if len(c.Args) == 4 {
		switch a := c.Args[3]; {
		case is(a, "TIMEOUT"):
		case is(a, "ERROR"):
			fail = true
		default:
			c.Error("ERR CLIENT UNBLOCK reason should be TIMEOUT or ERROR")
			return
		}
	} else if len(c.Args) > 4 {
		c.subcommandSyntax()
		return
	}
	id, ok := c.intArg(c.Args[2])
	if !ok {
		return
	}
	x := c.S.clientByID(id)
	if x == nil || x.blocked == nil || x.blocked.timeout == nil {
		c.Int(0)
		return
	}
	if b := x.blocked; fail {
		x.sendAway(b, "UNBLOCKED client unblocked via CLIENT UNBLOCK")
	} else {
		x.timeUp(b)
	}
	c.Int(1)
}

func (s *Server) clientByID(id int64) *Client {
	for _, x := range s.Clients {
		if x.ID == id {
			return x
		}
	}
	return nil
}
