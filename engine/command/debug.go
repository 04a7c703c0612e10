package command

import "strings"

var _ = add(map[string]handler{"debug": debugCommand})

// debugSub is one subcommand of DEBUG; lo and hi bound the arguments, DEBUG and its name included.
type debugSub struct {
	lo, hi int
	run    handler
}

// debugTable holds the subcommands by their names in lower case. Each family adds its own.
var debugTable = map[string]debugSub{}

func addDebug(m map[string]debugSub) bool {
	for name, sub := range m {
		if debugTable[name].run != nil {
			panic("command: two handlers for DEBUG " + name)
		}
		debugTable[name] = sub
	}
	return true
}

func debugCommand(c *Client) {
	sub := debugTable[strings.ToLower(string(c.Args[1]))]
	if sub.run == nil || len(c.Args) < sub.lo || len(c.Args) > sub.hi {
		c.debugUnknown()
		return
	}
	sub.run(c)
}

func (c *Client) debugUnknown() {
	name := printable(c.Args[1])
	c.Error("ERR unknown subcommand or wrong number of arguments for '" + name[:min(len(name), maxUnknownName)] + "'. Try DEBUG HELP.")
}

// debugged finds the key of a DEBUG subcommand without touching it; 0 where there is none, which is
// replied.
func (c *Client) debugged() ptr {
	p := c.DB.LookupRead(c.Args[2], lookupNoEffect...)
	if p == 0 {
		c.Error(errNoKey)
	}
	return p
}
