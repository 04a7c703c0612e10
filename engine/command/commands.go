package command

import (
	"strings"

	"github.com/keyloupe/keyloupe/engine/catalog"
)

func init() {
	reply := func(c *Client) { c.S.Cat.Reply(c, c.Args) }
	m := map[string]handler{"command": reply}
	for _, sub := range []string{"count", "info", "docs", "list", "getkeys", "getkeysandflags"} {
		m["command|"+sub] = reply
	}
	add(m)
	add(helps())
	add(clusterCommands())
}

// clusterCommands are what a server that is no part of a cluster refuses.
func clusterCommands() map[string]handler {
	refuse := func(c *Client) { c.Error("ERR This instance has cluster support disabled") }
	m := map[string]handler{"asking": refuse, "readonly": refuse, "readwrite": refuse}
	for _, line := range catalog.Lines() {
		for _, sub := range catalog.For(line).Lookup("cluster").Subcommands {
			m[sub.FullName] = refuse
		}
	}
	return m
}

// helps are the HELP subcommands of the containers of any release; what a family answers itself is
// left to it.
func helps() map[string]handler {
	m := map[string]handler{}
	for _, line := range catalog.Lines() {
		for _, container := range catalog.For(line).Commands {
			name := container.FullName + "|help"
			if len(container.Help) > 0 && container.Subcommand("help") != nil && table[name] == nil {
				m[name] = helpCommand
			}
		}
	}
	return m
}

func helpCommand(c *Client) {
	container, _, _ := strings.Cut(c.Cmd.FullName, "|")
	c.S.Cat.Lookup(container).WriteHelp(c)
}
