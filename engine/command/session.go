package command

import (
	"bytes"
	"strings"
)

var _ = add(map[string]handler{
	"hello": helloCommand, "reset": resetCommand, "quit": quitCommand,
	"client|id":      func(c *Client) { c.Int(c.ID) },
	"client|setname": clientSetnameCommand, "client|getname": clientGetnameCommand, "client|setinfo": clientSetinfoCommand,
	"client|reply":         clientReplyCommand,
	"client|no-evict":      func(c *Client) { c.onOff(&c.noEvict) },
	"client|no-touch":      func(c *Client) { c.onOff(&c.noTouch) },
	"client|capa":          clientCapaCommand,
	"client|import-source": clientImportSourceCommand,
})

// replyMode is what CLIENT REPLY asked for.
type replyMode struct{ off, skip, skipNext bool }

// clientInfo is what CLIENT LIST tells beside the connection itself.
type clientInfo struct {
	created, seen   int64 // µs
	libName, libVer string
	redirect        bool // CLIENT CAPA REDIRECT
	importSource    bool
	last            string // full name of the last command
	argvMem         int    // bytes of its arguments
	netIn, netOut   int64  // bytes, as in the protocol
	request         int64  // bytes of the last command
	replyAt         int    // where replies to it begin
	commands        int64
}

// sent notes a command that came: its bytes are counted as those of the protocol.
func (i *clientInfo) sent(c *Client) {
	i.argvMem = 0
	i.request = int64(headerLen(len(c.Args)))
	for _, a := range c.Args {
		i.argvMem += len(a)
		i.request += int64(headerLen(len(a)) + len(a) + len("\r\n"))
	}
	if c.Typed { // a blank between two arguments
		i.request = int64(i.argvMem + len(c.Args) - 1 + len("\r\n"))
	}
	i.netIn += i.request
	if i.last = "NULL"; c.Cmd != nil {
		i.last = c.Cmd.FullName
	}
}

// headerLen is the length of a line such as $12 with its end.
func headerLen(n int) int {
	digits := 1
	for ; n >= 10; n /= 10 {
		digits++
	}
	return len("$\r\n") + digits
}

// onOff reads the argument of CLIENT NO-EVICT and its like.
func (c *Client) onOff(flag *bool) {
	switch a := c.Args[2]; {
	case is(a, "ON"):
		*flag = true
	case is(a, "OFF"):
		*flag = false
	default:
		c.Error(errSyntax)
		return
	}
	c.OK()
}

// helloCommand changes nothing where any of its arguments is wrong (networking.c).
func helloCommand(c *Client) {
	proto := c.Proto
	if len(c.Args) > 1 {
		n, ok := c.intArgOr(c.Args[1], "ERR Protocol version is not an integer or out of range")
		if !ok {
			return
		}
		if n < 2 || n > 3 {
			c.Error("NOPROTO unsupported protocol version")
			return
		}
		proto = int(n)
	}
	var name, user, password []byte
	var named, auth bool
	for i := 2; i < len(c.Args); i++ {
		left := len(c.Args) - 1 - i
		switch a := c.Args[i]; {
		case is(a, "AUTH") && left >= 2:
			user, password, auth = c.Args[i+1], c.Args[i+2], true
			i += 2
		case is(a, "SETNAME") && left >= 1:
			if name, named = c.Args[i+1], true; !printableWord(name) {
				c.Error(errClientName)
				return
			}
			i++
		default:
			c.Error("ERR Syntax error in HELLO option '" + printable(a) + "'")
			return
		}
	}
	if auth && !c.authenticate(user, password) {
		return
	}
	if c.Stranger() {
		c.Error("NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO <proto> AUTH <user> <pass> option can be used to authenticate the client and select the RESP protocol version at the same time")
		return
	}
	if named {
		c.Name = string(name)
	}
	c.Proto = proto
	c.helloReply()
}

func (c *Client) helloReply() {
	zone, n := c.S.Conf.Text("availability-zone"), 7
	if zone != "" {
		n++
	}
	c.Map(n)
	c.BulkString("server")
	c.BulkString(c.S.serverName())
	c.BulkString("version")
	c.BulkString(c.S.helloVersion())
	c.BulkString("proto")
	c.Int(int64(c.Proto))
	c.BulkString("id")
	c.Int(c.ID)
	c.BulkString("mode")
	c.BulkString("standalone")
	c.BulkString("role")
	if c.S.replica() {
		c.BulkString("replica")
	} else {
		c.BulkString("master")
	}
	c.BulkString("modules")
	moduleListCommand(c)
	if zone != "" {
		c.BulkString("availability_zone")
		c.BulkString(zone)
	}
}

// redisVersion is the Redis that every release here says it is compatible with.
const redisVersion = "7.2.4"

// compat tells whether the server poses as Redis: extended-redis-compatibility.
func (s *Server) compat() bool { return s.Conf.Yes("extended-redis-compatibility") }

func (s *Server) serverName() string {
	if s.R.HelloSaysRedis || s.compat() {
		return "redis"
	}
	return "valkey"
}

func (s *Server) helloVersion() string {
	if s.R.HelloSaysRedis || s.compat() {
		return redisVersion
	}
	return s.R.Version
}

func resetCommand(c *Client) {
	c.discard()
	c.unsubscribeAll()
	c.S.stopMonitor(c)
	c.stopTracking()
	c.DB = c.S.Space.DB(0)
	c.Proto, c.Name, c.unknown = 2, "", c.S.password() != ""
	c.readonly, c.noTouch, c.noEvict, c.info.importSource = false, false, false, false
	c.reply = replyMode{}
	c.Status("RESET")
}

func quitCommand(c *Client) {
	c.OK()
	c.closing = true
}

const errClientName = "ERR Client names cannot contain spaces, newlines or special characters."

// printableWord tells whether a name can stand in CLIENT LIST, which is split at blanks.
func printableWord(b []byte) bool {
	if i := bytes.IndexByte(b, 0); i >= 0 {
		b = b[:i]
	}
	for _, x := range b {
		if x < '!' || x > '~' {
			return false
		}
	}
	return true
}

func clientSetnameCommand(c *Client) {
	if !printableWord(c.Args[2]) {
		c.Error(errClientName)
		return
	}
	c.Name = string(c.Args[2])
	c.OK()
}

func clientGetnameCommand(c *Client) {
	if c.Name == "" {
		c.Null()
		return
	}
	c.BulkString(c.Name)
}

func clientSetinfoCommand(c *Client) {
	field := &c.info.libName
	switch a := c.Args[2]; {
	case is(a, "LIB-NAME"):
	case is(a, "LIB-VER"):
		field = &c.info.libVer
	default:
		c.Error("ERR Unrecognized option '" + printable(a) + "'")
		return
	}
	if !printableWord(c.Args[3]) {
		c.Error("ERR " + printable(c.Args[2]) + " cannot contain spaces, newlines or special characters.")
		return
	}
	*field = string(c.Args[3])
	c.OK()
}

func clientReplyCommand(c *Client) {
	switch a := c.Args[2]; {
	case is(a, "ON"):
		c.reply = replyMode{}
		c.OK()
	case is(a, "OFF"):
		c.reply.off = true
	case is(a, "SKIP"):
		c.reply.skipNext = !c.reply.off
	default:
		c.Error(errSyntax)
	}
}

func clientCapaCommand(c *Client) {
	for _, a := range c.Args[2:] {
		c.info.redirect = c.info.redirect || is(a, "REDIRECT")
	}
	c.OK()
}

func clientImportSourceCommand(c *Client) {
	if !c.S.Conf.Yes("import-mode") && !is(c.Args[2], "OFF") {
		c.Error("ERR Server is not in import mode")
		return
	}
	c.onOff(&c.info.importSource)
}

// notSimulated replies that a command, or what it is asked for, is not simulated.
func (c *Client) notSimulated() {
	c.Error("ERR '" + strings.Join(strings.Split(c.Cmd.FullName, "|"), " ") + "' is not simulated: Keyloupe keeps data in memory and has no scripting, disk, replication, cluster, access control or modules")
}
