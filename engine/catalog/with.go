package catalog

import (
	"maps"
	"slices"
	"strings"
)

// With is the catalog with one more command, as a server has that loaded a module. The command must be complete, its
// subcommands in order of name.
func (c *Catalog) With(m *Command) *Catalog {
	more := *c
	at, _ := slices.BinarySearchFunc(c.Commands, m.FullName, func(x *Command, name string) int { return strings.Compare(x.FullName, name) })
	more.Commands = slices.Insert(slices.Clone(c.Commands), at, m)
	more.byName = maps.Clone(c.byName)
	more.byName[m.FullName] = m
	return &more
}
