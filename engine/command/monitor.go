package command

import (
	"fmt"
	"slices"

	"github.com/keyloupe/keyloupe/engine/layout"
)

var _ = add(map[string]handler{"monitor": monitorCommand})

func monitorCommand(c *Client) {
	if c.multi.inExec {
		c.Error("ERR MONITOR isn't allowed for DENY BLOCKING client")
		return
	}
	if c.monitor {
		return
	}
	c.monitor = true
	c.S.monitors = append(c.S.monitors, c)
	c.OK()
}

func (s *Server) stopMonitor(c *Client) {
	c.monitor = false
	s.monitors = slices.DeleteFunc(s.monitors, func(x *Client) bool { return x == c })
}

// feedMonitors shows a command to those who asked for it (replication.c, replicationFeedMonitors).
func (s *Server) feedMonitors(c *Client) {
	line := fmt.Sprintf("%d.%06d [%d %s]", s.now/1_000_000, s.now%1_000_000, c.DB.ID, c.Addr)
	for i, a := range c.Args {
		if c.redacted(i) {
			a = []byte(redactedArg)
		}
		line += " " + layout.Quote(a)
	}
	for _, m := range s.monitors {
		m.push(func() { m.Status(line) })
	}
}
