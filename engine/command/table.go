package command

import "github.com/keyloupe/keyloupe/engine/catalog"

// table holds every handler by its command's full name, as the catalog spells it: "set",
// "object|encoding". Each family of commands adds its own.
var table = map[string]handler{}

// add is called by the families' files to put their handlers into the table.
func add(m map[string]handler) bool {
	for name, f := range m {
		if table[name] != nil {
			panic("command: two handlers for " + name)
		}
		table[name] = f
	}
	return true
}

// handlerOf is the handler of a command, nil where it is not simulated.
func (s *Server) handlerOf(m *catalog.Command) handler {
	if f := table[m.FullName]; f != nil {
		return f
	}
	return s.added[m.FullName]
}

// Simulated tells whether there is a handler for a command by its full name.
func Simulated(fullName string) bool { return table[fullName] != nil }
