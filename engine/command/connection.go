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

// replyMode is what CLIENT REPLY asked for.
type replyMode uint8

// clientInfo is what CLIENT LIST tells beside the connection itself.
type clientInfo struct {
	created, seen int64 // µs
}

func pingCommand(c *Client) {
	if len(c.Args) > 2 {
		c.Error("ERR wrong number of arguments for 'ping' command")
		return
	}
	if len(c.Args) == 2 {
		c.Bulk(c.Args[1])
		return
	}
	c.Status("PONG")
}

// refused is the error for a command that this client may not run now, "" where it may.
func (c *Client) refused() string { return "" }

// ShuttingDown tells whether a client asked for SHUTDOWN.
func (s *Server) ShuttingDown() bool { return s.shutdown }
