package command

// There are no scripts, functions and modules here: what asks for them, or throws them away, is
// answered as by a server that has none.
var _ = add(map[string]handler{
	"script|flush": flushNothing, "function|flush": flushNothing,
	"script|exists": func(c *Client) {
		c.Array(len(c.Args) - 2)
		for range c.Args[2:] {
			c.Int(0)
		}
	},
	"script|kill": noScript, "function|kill": noScript,
	"function|list": func(c *Client) { c.Array(0) },
	"module|list":   moduleListCommand,
})

func flushNothing(c *Client) {
	if len(c.Args) > 3 || len(c.Args) == 3 && !is(c.Args[2], "SYNC") && !is(c.Args[2], "ASYNC") {
		if c.Cmd.FullName == "script|flush" {
			c.Error("ERR SCRIPT FLUSH only support SYNC|ASYNC option")
		} else {
			c.Error("ERR FUNCTION FLUSH only supports SYNC|ASYNC option")
		}
		return
	}
	c.OK()
}

func noScript(c *Client) { c.Error("NOTBUSY No scripts in execution right now.") }

// moduleListCommand lists the module that is the Lua engine in 9.1.
func moduleListCommand(c *Client) {
	if !c.S.R.LuaIsModule {
		c.Array(0)
		return
	}
	c.Array(1)
	c.Map(4)
	c.BulkString("name")
	c.BulkString("lua")
	c.BulkString("ver")
	c.Int(1)
	c.BulkString("path")
	c.BulkString("lua")
	c.BulkString("args")
	c.Array(0)
}
