package command

import (
	"fmt"
	"strings"
)

// arrayAt puts the beginning of an array of n replies in front of what was written from offset at
// on: for commands that count while they reply.
func (c *Client) arrayAt(at, n int) { c.headerAt(at, func() { c.Array(n) }) }

// mapAt is arrayAt for a map of n pairs, which RESP2 has as an array of n pairs (xreadCommand).
func (c *Client) mapAt(at, n int) { c.headerAt(at, func() { c.Map(n) }) }

// headerAt puts what write replies in front of what was written from offset at on.
func (c *Client) headerAt(at int, write func()) {
	end := len(c.Buf)
	write()
	var room [64]byte
	head := append(room[:0], c.Buf[end:]...)
	copy(c.Buf[at+len(head):], c.Buf[at:end])
	copy(c.Buf[at:], head)
}

// help replies the lines of a HELP subcommand (networking.c, addReplyHelp).
func (c *Client) help(lines ...string) {
	c.Array(len(lines) + 3)
	c.Status(fmt.Sprintf("%s <subcommand> [<arg> [value] [opt] ...]. Subcommands are:", c.container()))
	for _, l := range lines {
		c.Status(l)
	}
	c.Status("HELP")
	c.Status("    Print this help.")
}

// subcommandSyntax replies the error for a subcommand that is unknown or has wrong arguments.
func (c *Client) subcommandSyntax() {
	c.Error(fmt.Sprintf("ERR unknown subcommand or wrong number of arguments for '%.128s'. Try %s HELP.", printable(c.Args[1]), c.container()))
}

// container is the command's name, without a subcommand, in upper case.
func (c *Client) container() string { return strings.ToUpper(printable(c.Args[0])) }

// arityError replies that the number of arguments is wrong.
func (c *Client) arityError() {
	c.Error("ERR wrong number of arguments for '" + c.Cmd.FullName + "' command")
}
