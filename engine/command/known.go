package command

import (
	"strings"

	"github.com/keyloupe/keyloupe/engine/catalog"
)

// Command is a command of the catalog with what a server looks up for it, which it does once.
type Command struct {
	*catalog.Command
	run    handler // nil where it is not simulated
	logged bool    // COMMANDLOG may show it
	calls  *Calls  // since the statistics were reset for the resets'th time
	resets int
}

// known are the commands that a server was asked for.
type known struct {
	commands map[*catalog.Command]*Command
	recent   [16]recent // by the name, as it was written
}

type recent struct {
	name string
	cmd  *Command // one that has no subcommands
}

// lookup finds the command a line of arguments names, nil where there is none.
func (s *Server) lookup(args [][]byte) *Command {
	name := args[0]
	var r *recent
	if len(name) > 0 {
		r = &s.known.recent[(int(name[0])+len(name))%len(s.known.recent)]
		if r.name == string(name) {
			return r.cmd
		}
	}
	m := s.Cat.Find(args)
	if m == nil {
		return nil
	}
	cmd := s.know(m)
	if len(m.Subcommands) == 0 && !strings.Contains(m.FullName, "|") {
		*r = recent{string(name), cmd}
	}
	return cmd
}

func (s *Server) know(m *catalog.Command) *Command {
	cmd := s.known.commands[m]
	if cmd == nil {
		cmd = &Command{Command: m, run: s.handlerOf(m), logged: !m.HasFlag("skip_slowlog") && !m.HasFlag("skip_commandlog"), resets: -1}
		if s.known.commands == nil {
			s.known.commands = map[*catalog.Command]*Command{}
		}
		s.known.commands[m] = cmd
	}
	return cmd
}

// callsOf are the calls of a command since the statistics were reset.
func (s *Server) callsOf(m *Command) *Calls {
	if m.resets != s.Stats.resets {
		m.calls, m.resets = s.Stats.of(m.FullName), s.Stats.resets
	}
	return m.calls
}
