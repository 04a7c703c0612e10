package command

// refused is the error for a command that this client may not run now, "" where it may. The order of
// the checks is the server's (server.c, processCommand).
func (c *Client) refused() string {
	s := c.S
	if !s.makeRoom() && c.deniesOOM() {
		return "OOM command not allowed when used memory > 'maxmemory'."
	}
	if s.needsReplicas && !s.replica() && c.changes() {
		return "NOREPLICAS Not enough good replicas to write."
	}
	if s.replica() && s.Conf.Yes("replica-read-only") && c.changes() {
		return "READONLY You can't write against a read only replica."
	}
	if c.Proto == 2 && c.Subscribed() && !inSubscription[c.Cmd.FullName] {
		return "ERR Can't execute '" + c.Cmd.FullName + "': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this context"
	}
	if s.replica() && !s.Conf.Yes("replica-serve-stale-data") && c.deniesStale() {
		return "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'."
	}
	return ""
}

// deniesStale tells whether the command, or a queued one that EXEC would run, wants data that are not old.
func (c *Client) deniesStale() bool {
	return !c.Cmd.HasFlag("stale") || c.Cmd.FullName == "exec" && c.multi.fresh
}

// redirected sends a client that can go to the primary there, and tells whether it did (server.c, processCommand).
func (c *Client) redirected() bool {
	if !c.S.replica() || !c.info.redirect || !c.changes() && (c.readonly || !c.reads()) {
		return false
	}
	if c.Cmd.FullName == "exec" {
		c.discard()
	} else {
		c.spoil()
	}
	c.refuse(c.S.redirection())
	return true
}

// deniesOOM tells whether the command, or a queued one that EXEC would run, may need memory.
func (c *Client) deniesOOM() bool {
	return c.Cmd.HasFlag("denyoom") || c.Cmd.FullName == "exec" && c.multi.denyOOM
}

// inSubscription are the commands that a client of RESP2 may use while it is subscribed.
var inSubscription = map[string]bool{"ping": true, "subscribe": true, "ssubscribe": true, "psubscribe": true,
	"unsubscribe": true, "sunsubscribe": true, "punsubscribe": true, "quit": true, "reset": true}

// reads tells whether the command, or a queued one that EXEC would run, is one that reads.
func (c *Client) reads() bool {
	return c.Cmd.HasFlag("readonly") || c.Cmd.FullName == "exec" && c.multi.reads
}

// changes tells whether the command, or a queued one that EXEC would run, is one that writes.
func (c *Client) changes() bool {
	return c.Cmd.HasFlag("write") || c.Cmd.FullName == "exec" && c.multi.changes
}
