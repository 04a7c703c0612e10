package command

import "strconv"

var _ = add(map[string]handler{
	"ping": pingCommand,
	"echo": func(c *Client) { c.Bulk(c.Args[1]) },
	"time": func(c *Client) {
		c.Array(2)
		c.BulkString(strconv.FormatInt(c.S.NowUS()/1_000_000, 10))
		c.BulkString(strconv.FormatInt(c.S.NowUS()%1_000_000, 10))
	},
})

func pingCommand(c *Client) {
	if len(c.Args) > 2 {
		c.Error("ERR wrong number of arguments for 'ping' command")
		return
	}
	if c.Subscribed() && c.Proto == 2 { // as a message, so that it is told from others
		c.Array(2)
		c.BulkString("pong")
		if len(c.Args) == 2 {
			c.Bulk(c.Args[1])
		} else {
			c.BulkString("")
		}
		return
	}
	if len(c.Args) == 2 {
		c.Bulk(c.Args[1])
		return
	}
	c.Status("PONG")
}
