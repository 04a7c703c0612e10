package command

import (
	"bytes"
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
	readonly := func(on bool) handler {
		return func(c *Client) {
			if !c.S.R.ReadonlyAlways {
				refuse(c)
				return
			}
			c.readonly = on
			c.OK()
		}
	}
	m := map[string]handler{"asking": refuse, "readonly": readonly(true), "readwrite": readonly(false)}
	for _, line := range catalog.Lines() {
		for _, sub := range catalog.For(line).Lookup("cluster").Subcommands {
			m[sub.FullName] = refuse
		}
	}
	m["cluster|keyslot"] = func(c *Client) {
		if !c.S.R.KeyslotAlways {
			refuse(c)
			return
		}
		c.Int(int64(keySlot(c.Args[2])))
	}
	return m
}

// keySlot is the cluster's slot of a key: CRC16 of the key, or of the part in braces.
func keySlot(key []byte) uint16 {
	if i := bytes.IndexByte(key, '{'); i >= 0 {
		if n := bytes.IndexByte(key[i+1:], '}'); n > 0 {
			key = key[i+1 : i+1+n]
		}
	}
	var crc uint16
	for _, b := range key {
		crc ^= uint16(b) << 8
		for range 8 {
			if carry := crc&0x8000 != 0; carry {
				crc = crc<<1 ^ 0x1021
			} else {
				crc <<= 1
			}
		}
	}
	return crc % 16384
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
