package command

import (
	"slices"
	"strconv"
	"strings"
)

// Nothing is replicated here. A server told to be a replica is one whose primary cannot be reached:
// what it keeps stays as it is, and it says what the server says while it tries to connect.

// primary is whom a replica replicates.
type primary struct {
	host string
	port int64
}

var _ = add(map[string]handler{
	"role": roleCommand, "replicaof": replicaofCommand, "slaveof": replicaofCommand,
	"wait": waitCommand, "waitaof": waitaofCommand, "failover": failoverCommand,
})

// parsePrimary reads the directive replicaof: a host and a port, or nothing.
func parsePrimary(directive string) *primary {
	host, port, ok := strings.Cut(directive, " ")
	if !ok {
		return nil
	}
	n, _ := strconv.ParseInt(port, 10, 64) // the directive was checked when it was set
	return &primary{host, n}
}

// replica tells whether the server is one.
func (s *Server) replica() bool { return s.primary != nil }

// follow makes the server a replica, or with nil a primary.
func (s *Server) follow(p *primary) {
	s.primary = p
	text := ""
	if p != nil {
		text = p.host + " " + strconv.FormatInt(p.port, 10)
	}
	s.Conf.Show("replicaof", text)
	s.configured()
}

// importing tells whether the server is a primary in import mode.
func (s *Server) importing() bool { return !s.replica() && s.Conf.Yes("import-mode") }

// roleCommand is that of a primary without replicas, or of a replica whose primary does not answer.
func roleCommand(c *Client) {
	if p := c.S.primary; p != nil {
		c.Array(5)
		c.BulkString("slave")
		c.BulkString(p.host)
		c.Int(p.port)
		c.BulkString("connecting")
		c.Int(-1)
		return
	}
	c.Array(3)
	c.BulkString("master")
	c.Int(0)
	c.Array(0)
}

func replicaofCommand(c *Client) {
	s := c.S
	if is(c.Args[1], "NO") && is(c.Args[2], "ONE") {
		if s.replica() {
			s.replID2, s.replID = s.replID, randomID(s.random(), 2)
			s.follow(nil)
		}
		c.OK()
		return
	}
	port, ok := c.rangeArg(c.Args[2], 0, 65535, "ERR Invalid master port")
	if !ok {
		return
	}
	host := printable(c.Args[1])
	if s.replica() && strings.EqualFold(host, s.primary.host) && port == s.primary.port {
		c.Status("OK Already connected to specified master")
		return
	}
	s.follow(&primary{host, port})
	s.disconnectBlocked()
	c.OK()
}

// disconnectBlocked ends the waiting of clients when a primary becomes a replica; a command that CLIENT PAUSE holds back
// is looked at afresh later (blocked.c, disconnectOrRedirectAllBlockedClients).
func (s *Server) disconnectBlocked() {
	for _, c := range slices.Clone(s.Clients) {
		b := c.blocked
		switch {
		case b == nil || b.postponed:
		case s.R.RedirectBlocked && c.readonly && !s.Cat.Find(b.args).HasFlag("write"):
		case s.R.RedirectBlocked && c.info.redirect && len(b.keys) > 0:
			c.sendAway(b, s.redirection())
		default:
			c.closing = true
			c.sendAway(b, "UNBLOCKED force unblock from blocking operation, instance state changed (master -> replica?)")
		}
	}
}

// redirection is the error that tells a client which asked for it where the primary is.
func (s *Server) redirection() string {
	return "REDIRECT " + s.primary.host + ":" + strconv.FormatInt(s.primary.port, 10)
}

// waitCommand waits for replicas, of which there are none.
func waitCommand(c *Client) {
	if c.S.replica() {
		c.Error("ERR WAIT cannot be used with replica instances. Please also note that if a replica is configured to be writable (which is not the default) writes to replicas are just local and are not propagated.")
		return
	}
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
	if c.S.replica() {
		c.Error("ERR WAITAOF cannot be used with replica instances. Please also note that writes to replicas are just local and are not propagated.")
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
	if c.S.replica() {
		c.Error("ERR FAILOVER is not valid when server is a replica.")
		return
	}
	c.Error("ERR FAILOVER requires connected replicas.")
}
