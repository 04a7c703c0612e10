package catalog

import (
	"bytes"

	"github.com/keyloupe/keyloupe/engine/glob"
)

// Reply answers the COMMAND family: argv[0] is COMMAND, and what follows has passed the checks every command goes
// through (the subcommand is known, the number of arguments fits).
func (c *Catalog) Reply(s Sink, argv [][]byte) {
	if len(argv) == 1 {
		c.infoAll(s)
		return
	}
	args := argv[2:]
	switch sub := argv[1]; {
	case isWord(sub, "count"):
		s.Int(int64(len(c.Commands)))
	case isWord(sub, "info"):
		c.infoOf(s, args)
	case isWord(sub, "docs"):
		c.docsOf(s, args)
	case isWord(sub, "list"):
		c.list(s, args)
	case isWord(sub, "getkeys"):
		c.getKeys(s, args, false)
	case isWord(sub, "getkeysandflags"):
		c.getKeys(s, args, true)
	case isWord(sub, "help"):
		c.Lookup("command").WriteHelp(s)
	}
}

// WriteHelp writes what the container's HELP subcommand prints.
func (c *Command) WriteHelp(s Sink) {
	s.Array(len(c.Help))
	for _, line := range c.Help {
		s.Status(line)
	}
}

func (c *Catalog) infoAll(s Sink) {
	s.Array(len(c.Commands))
	for _, cmd := range c.Commands {
		c.Info(s, cmd)
	}
}

func (c *Catalog) infoOf(s Sink, names [][]byte) {
	if len(names) == 0 {
		c.infoAll(s)
		return
	}
	s.Array(len(names))
	for _, n := range names {
		c.Info(s, c.LookupBytes(n))
	}
}

func (c *Catalog) docsOf(s Sink, names [][]byte) {
	commands := c.Commands
	if len(names) > 0 {
		commands = nil
		for _, n := range names {
			if cmd := c.LookupBytes(n); cmd != nil {
				commands = append(commands, cmd)
			}
		}
	}
	s.Map(len(commands))
	for _, cmd := range commands {
		s.BulkString(cmd.FullName)
		Docs(s, cmd)
	}
}

const syntaxError = "ERR syntax error"

func (c *Catalog) list(s Sink, args [][]byte) {
	keep := func(*Command) bool { return true }
	if len(args) > 0 {
		if len(args) != 3 || !isWord(args[0], "filterby") {
			s.Error(syntaxError)
			return
		}
		arg := string(args[2])
		switch {
		case isWord(args[1], "module"):
			keep = func(*Command) bool { return false } // no modules here
		case isWord(args[1], "aclcat"):
			keep = func(cmd *Command) bool { return cmd.inCategory(arg) }
		case isWord(args[1], "pattern"):
			keep = func(cmd *Command) bool { return glob.Match(arg, cmd.FullName, true) }
		default:
			s.Error(syntaxError)
			return
		}
	}
	var names []string
	walk(c.Commands, func(cmd *Command) {
		if keep(cmd) {
			names = append(names, cmd.FullName)
		}
	})
	s.Array(len(names))
	for _, n := range names {
		s.BulkString(n)
	}
}

// inCategory takes the category as FILTERBY ACLCAT does: without @, in any case.
func (c *Command) inCategory(name string) bool {
	for _, cat := range c.Categories {
		if equalFold(cat[1:], name) {
			return true
		}
	}
	return false
}

// walk visits commands and their subcommands.
func walk(commands []*Command, visit func(*Command)) {
	for _, c := range commands {
		visit(c)
		walk(c.Subcommands, visit)
	}
}

func (c *Catalog) getKeys(s Sink, argv [][]byte, withFlags bool) {
	cmd := c.Find(argv)
	switch {
	case cmd == nil:
		s.Error("ERR Invalid command specified")
		return
	case !cmd.HasKeys():
		s.Error("ERR The command has no key arguments")
		return
	case !cmd.ArityOK(len(argv)):
		s.Error("ERR Invalid number of arguments specified for command")
		return
	}
	keys := cmd.Keys(argv)
	if len(keys) == 0 && !cmd.HasFlag("no_mandatory_keys") {
		s.Error("ERR Invalid arguments specified for command")
		return
	}
	s.Array(len(keys))
	for _, k := range keys {
		if withFlags {
			s.Array(2)
		}
		s.BulkString(string(argv[k.Pos]))
		if withFlags {
			statuses(s, k.Flags)
		}
	}
}

// Unknown is the error text for a command that Find does not find: a command or a subcommand that does not exist.
func (c *Catalog) Unknown(argv [][]byte) string {
	if cmd := c.LookupBytes(argv[0]); cmd != nil && len(cmd.Subcommands) > 0 {
		return oneLine("ERR unknown subcommand '" + clip(argv[1]) + "'. Try " + upper(cmd.FullName) + " HELP.")
	}
	text := "ERR unknown command '" + clip(argv[0]) + "', with args beginning with: "
	shown := ""
	for _, a := range argv[1:] {
		if len(shown) >= clipLength {
			break
		}
		shown += "'" + clipTo(a, clipLength-len(shown)) + "' "
	}
	return oneLine(text + shown)
}

// clipLength is how many bytes of a name an error repeats (server.c, processCommand: 128).
const clipLength = 128

func clip(b []byte) string { return clipTo(b, clipLength) }

// clipTo prints as C does: up to a zero byte.
func clipTo(b []byte, n int) string {
	if i := bytes.IndexByte(b, 0); i >= 0 {
		b = b[:i]
	}
	return string(b[:min(n, len(b))])
}

// WrongArity is the error text for a number of arguments that does not fit.
func (c *Command) WrongArity() string {
	return "ERR wrong number of arguments for '" + c.FullName + "' command"
}

// oneLine replaces what would break an error reply's line.
func oneLine(s string) string {
	b := []byte(s)
	for i := range b {
		if b[i] == '\r' || b[i] == '\n' {
			b[i] = ' '
		}
	}
	return string(b)
}

func upper(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'a' <= c && c <= 'z' {
			b[i] = c - 'a' + 'A'
		}
	}
	return string(b)
}
