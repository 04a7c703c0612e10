package command

// The logs of slow commands and of latency are those of a server in which nothing was slow: time
// stands still during a command here.
var _ = add(map[string]handler{
	"slowlog|get": slowlogGetCommand, "slowlog|len": func(c *Client) { c.Int(0) }, "slowlog|reset": func(c *Client) { c.OK() },
	"commandlog|get": commandlogGetCommand, "commandlog|len": func(c *Client) { c.commandlog(func() { c.Int(0) }) },
	"commandlog|reset": func(c *Client) { c.commandlog(c.OK) },
	"latency|latest":   func(c *Client) { c.Array(0) }, "latency|history": func(c *Client) { c.Array(0) },
	"latency|reset": func(c *Client) { c.Int(0) }, "latency|graph": latencyGraphCommand,
	"latency|doctor": latencyDoctorCommand, "latency|histogram": func(c *Client) { c.Map(0) },
})

const errLogCount = "ERR count should be greater than or equal to -1"

func slowlogGetCommand(c *Client) {
	if len(c.Args) > 3 {
		c.subcommandSyntax()
		return
	}
	if len(c.Args) == 3 {
		if _, ok := c.rangeArg(c.Args[2], -1, 1<<63-1, errLogCount); !ok {
			return
		}
	}
	c.Array(0)
}

func commandlogGetCommand(c *Client) {
	if _, ok := c.rangeArg(c.Args[2], -1, 1<<63-1, errLogCount); ok {
		c.commandlog(func() { c.Array(0) })
	}
}

// commandlog replies where the last argument names one of the logs.
func (c *Client) commandlog(reply func()) {
	a := c.Args[len(c.Args)-1]
	if !is(a, "SLOW") && !is(a, "LARGE-REQUEST") && !is(a, "LARGE-REPLY") {
		c.Error("ERR type should be one of the following: slow, large-request, large-reply")
		return
	}
	reply()
}

func latencyGraphCommand(c *Client) {
	c.Error("ERR No samples available for event '" + printable(c.Args[2]) + "'")
}

func latencyDoctorCommand(c *Client) {
	text := "Dave, no latency spike was observed during the lifetime of this " + c.S.productName() + " instance, not in the slightest bit. I honestly think you ought to sit down calmly, take a stress pill, and think things over.\n"
	if c.S.Conf.Int("latency-monitor-threshold") == 0 {
		text = "I'm sorry, Dave, I can't do that. Latency monitoring is disabled in this " + c.S.productName() + " instance. You may use \"CONFIG SET latency-monitor-threshold <milliseconds>.\" in order to enable it.\n"
	}
	c.Verbatim("txt", text)
}

func (s *Server) productName() string { return "Valkey" }
