package command

// refused is the error for a command that this client may not run now, "" where it may. The order of
// the checks is the server's (server.c, processCommand).
func (c *Client) refused() string {
	s := c.S
	if s.maxMemory != 0 && c.deniesOOM() && s.UsedMemory() > int64(s.maxMemory) {
		return "OOM command not allowed when used memory > 'maxmemory'."
	}
	if s.Conf.Int("min-replicas-to-write") > 0 && s.Conf.Int("min-replicas-max-lag") > 0 && c.changes() {
		return "NOREPLICAS Not enough good replicas to write."
	}
	if c.Proto == 2 && c.Subscribed() && !inSubscription[c.Cmd.FullName] {
		return "ERR Can't execute '" + c.Cmd.FullName + "': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this context"
	}
	return ""
}

// deniesOOM tells whether the command, or a queued one that EXEC would run, may need memory. No
// policy evicts here: what a real server would evict depends on chance.
func (c *Client) deniesOOM() bool {
	return c.Cmd.HasFlag("denyoom") || c.Cmd.FullName == "exec" && c.multi.denyOOM
}

// inSubscription are the commands that a client of RESP2 may use while it is subscribed.
var inSubscription = map[string]bool{"ping": true, "subscribe": true, "ssubscribe": true, "psubscribe": true,
	"unsubscribe": true, "sunsubscribe": true, "punsubscribe": true, "quit": true, "reset": true}

// changes tells whether the command, or a queued one that EXEC would run, is one that writes.
func (c *Client) changes() bool {
	return c.Cmd.HasFlag("write") || c.Cmd.FullName == "exec" && c.multi.changes
}
