package command

var _ = add(map[string]handler{
	"role": roleCommand, "replicaof": replicaofCommand, "slaveof": replicaofCommand,
	"wait": waitCommand, "waitaof": waitaofCommand, "failover": failoverCommand,
})

// roleCommand is that of a primary without replicas.
func roleCommand(c *Client) {
	c.Array(3)
	c.BulkString("master")
	c.Int(0)
	c.Array(0)
}

func replicaofCommand(c *Client) {
	if is(c.Args[1], "NO") && is(c.Args[2], "ONE") {
		c.OK()
		return
	}
	if _, ok := c.rangeArg(c.Args[2], 0, 65535, "ERR Invalid master port"); ok {
		c.notSimulated()
	}
}

// waitCommand waits for replicas, of which there are none.
func waitCommand(c *Client) {
	until, ok := c.timeoutMS(c.Args[2])
	if !ok {
		return
	}
	n, ok := c.intArg(c.Args[1])
	if !ok {
		return
	}
	if n <= 0 || !c.mayBlock() {
		c.Int(0)
		return
	}
	c.block(nil, until, func(c *Client) { c.Int(0) })
}

func waitaofCommand(c *Client) {
	local, ok := c.rangeArg(c.Args[1], 0, 1, "ERR value is out of range, value must between 0 and 1")
	if !ok {
		return
	}
	replicas, ok := c.rangeArg(c.Args[2], 0, 1<<63-1, "")
	if !ok {
		return
	}
	until, ok := c.timeoutMS(c.Args[3])
	if !ok {
		return
	}
	if local > 0 {
		c.Error("ERR WAITAOF cannot be used when numlocal is set but appendonly is disabled.")
		return
	}
	none := func(c *Client) {
		c.Array(2)
		c.Int(0)
		c.Int(0)
	}
	if replicas == 0 || !c.mayBlock() {
		none(c)
		return
	}
	c.block(nil, until, none)
}

func failoverCommand(c *Client) {
	if len(c.Args) == 2 && is(c.Args[1], "ABORT") {
		c.Error("ERR No failover in progress.")
		return
	}
	c.Error("ERR FAILOVER requires connected replicas.")
}
