package command

import (
	"fmt"
	"slices"
	"strings"

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

// Monitored tells whether MONITOR shows the command being executed.
func (c *Client) Monitored() bool {
	return !c.Cmd.HasFlag("skip_monitor") && !c.Cmd.HasFlag("admin")
}

// feedMonitors shows a command to those who asked for it (replication.c, replicationFeedMonitors).
func (s *Server) feedMonitors(c *Client) {
	line := fmt.Sprintf("%d.%06d [%d %s] %s", s.now/1_000_000, s.now%1_000_000, c.DB.ID, c.Addr, c.Shown(0))
	for _, m := range s.monitors {
		m.push(func() { m.Status(line) })
	}
}

// Shown is the command being executed as MONITOR shows it: quoted words, passwords left out. Where most
// is not 0 the line ends soon after so many bytes of it.
func (c *Client) Shown(most int) string {
	var b strings.Builder
	for i, a := range c.Args {
		if i > 0 {
			b.WriteByte(' ')
		}
		left := most - b.Len()
		switch {
		case most > 0 && left <= 0:
			b.WriteString("…")
			return b.String()
		case c.redacted(i):
			a = []byte(redactedArg)
		case most > 0 && len(a) > left:
			b.WriteString(layout.Quote(a[:left]))
			b.WriteString("…")
			return b.String()
		}
		b.WriteString(layout.Quote(a))
	}
	return b.String()
}
