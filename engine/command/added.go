package command

import "github.com/keyloupe/keyloupe/engine/catalog"

// AddCommand makes a command known that is not the server's own, as a module does: COMMAND lists it, it is queued by MULTI,
// counted by INFO and shown by MONITOR. run has what answers it, or each of its subcommands, by full name; HELP is
// answered from the command's own text.
func (s *Server) AddCommand(m *catalog.Command, run map[string]func(*Client)) {
	s.Cat = s.Cat.With(m)
	s.known = known{}
	if s.added == nil {
		s.added = map[string]handler{}
	}
	for name, f := range run {
		s.added[name] = f
	}
	if len(m.Help) > 0 {
		s.added[m.FullName+"|help"] = helpCommand
	}
}
