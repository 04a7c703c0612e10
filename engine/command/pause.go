package command

import "sort"

var _ = add(map[string]handler{
	"client|pause":   clientPauseCommand,
	"client|unpause": func(c *Client) { c.S.unpause(); c.OK() },
})

// pause is what CLIENT PAUSE asked for: commands, or those that write, wait until it ends.
type pause struct {
	until int64 // ms; 0 for no pause
	all   bool
}

func clientPauseCommand(c *Client) {
	all := true
	switch {
	case len(c.Args) > 4:
		c.subcommandSyntax()
		return
	case len(c.Args) == 4 && is(c.Args[3], "WRITE"):
		all = false
	case len(c.Args) == 4 && !is(c.Args[3], "ALL"):
		c.Error("ERR CLIENT PAUSE mode must be WRITE or ALL")
		return
	}
	until, ok := c.timeoutMS(c.Args[2])
	if !ok {
		return
	}
	s := c.S
	p := pause{until, all}
	// a pause under way is only made longer and stricter (networking.c, pauseActions)
	s.pause = pause{max(p.until, s.pause.until), p.all || s.pausing() && s.pause.all}
	s.Space.Frozen = true
	c.OK()
}

func (s *Server) pausing() bool { return s.pause.until > s.NowMS() }

// mayReplicate tells whether a pause of writes holds the command.
func mayReplicate(c *Client) bool { return c.Cmd.HasFlag("write") || replicates[c.Cmd.FullName] }

// replicates are the commands that write nothing and yet have replicas do something. COMMAND INFO hides this flag.
var replicates = map[string]bool{"pfcount": true, "publish": true, "spublish": true}

// postponed keeps a command for the end of a pause, before it is queued for EXEC (server.c,
// processCommand).
func (c *Client) postponed() bool {
	s := c.S
	if s.pause.until == 0 {
		return false
	}
	if !s.pausing() {
		s.unpause()
		return false
	}
	if !s.pause.all && !c.writes() || c.monitor {
		return false
	}
	b := &blockedOn{db: c.DB.ID, order: s.blocking.order, postponed: true}
	s.blocking.order++
	for _, a := range c.Args {
		b.args = append(b.args, append([]byte(nil), a...))
	}
	c.blocked = b
	return true
}

// writes tells whether the command, or a queued one that EXEC would run, may write.
func (c *Client) writes() bool {
	return mayReplicate(c) || c.Cmd.FullName == "exec" && c.multi.writes
}

// unpause ends a pause and runs what was kept, in the order in which it came.
func (s *Server) unpause() {
	s.pause = pause{}
	s.Space.Frozen = false
	var list []*Client
	for _, c := range s.Clients {
		if c.blocked != nil && c.blocked.postponed {
			list = append(list, c)
		}
	}
	sort.Slice(list, func(i, j int) bool { return list[i].blocked.order < list[j].blocked.order })
	for _, c := range list {
		args, cmd, kept, other := c.Args, c.Cmd, c.blocked.args, s.current
		c.blocked, s.current = nil, c
		c.Args, c.Cmd = kept, s.lookup(kept)
		at := len(c.Buf)
		c.execute()
		c.finish(at)
		c.Args, c.Cmd, s.current = args, cmd, other
		c.wake()
	}
}
