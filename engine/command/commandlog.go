package command

import (
	"slices"
	"strconv"
)

var _ = add(map[string]handler{
	"slowlog|get": slowlogGetCommand,
	"slowlog|len": func(c *Client) { c.Int(int64(len(c.S.logs[slowLog].entries))) },
	"slowlog|reset": func(c *Client) {
		c.S.logs[slowLog].entries = nil
		c.OK()
	},
	"commandlog|get": commandlogGetCommand,
	"commandlog|len": func(c *Client) { c.commandlog(func(l *commandLog) { c.Int(int64(len(l.entries))) }) },
	"commandlog|reset": func(c *Client) {
		c.commandlog(func(l *commandLog) { l.entries = nil; c.OK() })
	},
})

// The logs of commands: of what took long, µs, and of what was long, bytes.
const (
	slowLog = iota
	largeRequestLog
	largeReplyLog
)

// logDirectives name what is logged, and how much of it is kept. Releases that have no COMMANDLOG know the first by its
// old names, and have no others.
var logDirectives = [...]struct{ name, threshold, most string }{
	slowLog:         {"SLOW", "slowlog-log-slower-than", "slowlog-max-len"},
	largeRequestLog: {"LARGE-REQUEST", "commandlog-request-larger-than", "commandlog-large-request-max-len"},
	largeReplyLog:   {"LARGE-REPLY", "commandlog-reply-larger-than", "commandlog-large-reply-max-len"},
}

// commandLog is one log, the newest entry last.
type commandLog struct {
	entries         []logEntry
	next            int64 // number of the next entry
	threshold, most int64 // threshold < 0, or none to be kept: nothing is logged
}

type logEntry struct {
	id, time, value int64 // time is Unix time in s
	args            [][]byte
	addr, name      string
}

const (
	loggedArgs   = 32  // COMMANDLOG_ENTRY_MAX_ARGC
	loggedLength = 128 // COMMANDLOG_ENTRY_MAX_STRING, bytes
)

// readLogDirectives is called after directives were set.
func (s *Server) readLogDirectives() {
	for i, d := range logDirectives {
		l := &s.logs[i]
		l.threshold, l.most = -1, 0
		if s.Conf.Known(d.threshold) {
			l.threshold, l.most = s.Conf.Int(d.threshold), s.Conf.Int(d.most)
		}
	}
}

// logCommand logs a command that ran, whose replies since the client's last request begin at offset at.
func (s *Server) logCommand(c *Client, at int) {
	if !c.Cmd.logged {
		return
	}
	replied := 0
	if !c.reply.off && !c.reply.skip {
		replied = len(c.Buf) - at
	}
	for i, value := range [...]int64{int64(c.took.Microseconds()), c.info.request, int64(replied)} {
		if l := &s.logs[i]; l.threshold >= 0 && l.most > 0 && value >= l.threshold {
			l.push(s, c, value)
		}
	}
}

func (l *commandLog) push(s *Server, c *Client, value int64) {
	l.entries = append(l.entries, logEntry{l.next, s.now / 1_000_000, value, c.loggedArgs(), c.Addr, c.Name})
	l.next++
	if over := len(l.entries) - int(l.most); over > 0 {
		l.entries = slices.Delete(l.entries, 0, over)
	}
}

// loggedArgs is a copy of the arguments with what is secret or too long left out.
func (c *Client) loggedArgs() [][]byte {
	args := make([][]byte, min(len(c.Args), loggedArgs))
	for i := range args {
		switch a := c.Args[i]; {
		case i == loggedArgs-1 && len(c.Args) > loggedArgs:
			args[i] = []byte("... (" + strconv.Itoa(len(c.Args)-loggedArgs+1) + " more arguments)")
		case c.redacted(i):
			args[i] = []byte(redactedArg)
		case len(a) > loggedLength:
			args[i] = []byte(string(a[:loggedLength]) + "... (" + strconv.Itoa(len(a)-loggedLength) + " more bytes)")
		default:
			args[i] = slices.Clone(a)
		}
	}
	return args
}

const redactedArg = "(redacted)"

// redacted tells whether an argument is a password.
func (c *Client) redacted(i int) bool {
	switch c.Cmd.FullName {
	case "auth":
		return i > 0
	case "hello":
		return i > 2 && is(c.Args[i-1], "AUTH") || i > 3 && is(c.Args[i-2], "AUTH")
	case "config|set":
		return i > 2 && i%2 == 1 && c.S.Cat.Secret(string(c.Args[i-1]))
	}
	return false
}

const (
	errLogCount = "ERR count should be greater than or equal to -1"
	shownLogged = 10 // entries that SLOWLOG GET shows where it is not told
)

func slowlogGetCommand(c *Client) {
	n := int64(shownLogged)
	switch len(c.Args) {
	case 2:
	case 3:
		var ok bool
		if n, ok = c.rangeArg(c.Args[2], -1, 1<<63-1, errLogCount); !ok {
			return
		}
	default:
		c.subcommandSyntax()
		return
	}
	c.S.logs[slowLog].reply(c, n)
}

func commandlogGetCommand(c *Client) {
	if n, ok := c.rangeArg(c.Args[2], -1, 1<<63-1, errLogCount); ok {
		c.commandlog(func(l *commandLog) { l.reply(c, n) })
	}
}

// reply writes the n newest entries, all of them for -1.
func (l *commandLog) reply(c *Client, n int64) {
	if n < 0 || n > int64(len(l.entries)) {
		n = int64(len(l.entries))
	}
	c.Array(int(n))
	for i := range n {
		e := &l.entries[int64(len(l.entries))-1-i]
		c.Array(6)
		c.Int(e.id)
		c.Int(e.time)
		c.Int(e.value)
		c.Array(len(e.args))
		for _, a := range e.args {
			c.Bulk(a)
		}
		c.BulkString(e.addr)
		c.BulkString(e.name)
	}
}

// commandlog calls f with the log that the last argument names.
func (c *Client) commandlog(f func(*commandLog)) {
	for i, d := range logDirectives {
		if is(c.Args[len(c.Args)-1], d.name) {
			f(&c.S.logs[i])
			return
		}
	}
	c.Error("ERR type should be one of the following: slow, large-request, large-reply")
}
