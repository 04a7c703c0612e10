package catalog

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"
)

//go:embed catalog.bin
var data []byte

// A Catalog is what one release knows. It is shared and must not be changed.
type Catalog struct {
	Table    // its commands and directives are in order of name
	byName   map[string]*Command
	byConfig map[string]*Config
}

var all = sync.OnceValue(func() []*Catalog {
	tables, err := decode(data)
	if err != nil {
		panic(err) // embedded: wrong only if the build is
	}
	catalogs := make([]*Catalog, len(tables))
	for i, t := range tables {
		catalogs[i] = newCatalog(t)
	}
	return catalogs
})

func newCatalog(t Table) *Catalog {
	c := &Catalog{Table: t, byName: make(map[string]*Command, len(t.Commands)), byConfig: make(map[string]*Config, len(t.Configs))}
	for _, m := range t.Commands {
		c.byName[m.FullName] = m
	}
	for _, g := range t.Configs {
		c.byConfig[g.Name] = g
	}
	return c
}

// For returns the catalog of a release line ("9.1") or a release ("9.1.0"). A line means its newest release asked;
// a release, the newest one asked of its line that is not newer. It panics on a line that is not known: see Known.
func For(release string) *Catalog {
	c := find(release)
	if c == nil {
		panic(fmt.Sprintf("catalog: no release line %q", release))
	}
	return c
}

// Known reports whether For has the line.
func Known(release string) bool { return find(release) != nil }

// Lines names the release lines known, oldest first.
func Lines() (names []string) {
	for _, c := range all() {
		if l := lineOf(c.Version); len(names) == 0 || names[len(names)-1] != l {
			names = append(names, l)
		}
	}
	return names
}

// find goes through the catalogs, which are in order of release.
func find(release string) *Catalog {
	line := lineOf(release)
	var best *Catalog
	for _, c := range all() {
		if lineOf(c.Version) != line {
			continue
		}
		if best == nil || release == line || patch(c.Version) <= patch(release) {
			best = c
		}
	}
	return best
}

func lineOf(release string) string {
	major, rest, ok := strings.Cut(release, ".")
	if !ok {
		return release
	}
	minor, _, _ := strings.Cut(rest, ".")
	return major + "." + minor
}

func patch(release string) int {
	n := 0
	for _, r := range release[strings.LastIndexByte(release, '.')+1:] {
		if r < '0' || r > '9' {
			break
		}
		n = n*10 + int(r-'0')
	}
	return n
}

// longestName is enough for every command's name; a longer one is not known.
const longestName = 64

// Lookup finds a command by name in any case, or a subcommand as "config|get"; nil if the release does not know it.
func (c *Catalog) Lookup(name string) *Command { return lookup(c, name) }

// LookupBytes is Lookup for bytes.
func (c *Catalog) LookupBytes(name []byte) *Command { return lookup(c, name) }

func lookup[S ~string | ~[]byte](c *Catalog, name S) *Command {
	for i := 0; i < len(name); i++ {
		if name[i] == '|' {
			parent := top(c, name[:i])
			if parent == nil {
				return nil
			}
			return parent.Subcommand(string(name[i+1:]))
		}
	}
	return top(c, name)
}

// top finds a command that is no subcommand.
func top[S ~string | ~[]byte](c *Catalog, name S) *Command {
	var buf [longestName]byte
	if len(name) > len(buf) {
		return nil
	}
	for i := 0; i < len(name); i++ {
		buf[i] = lower(name[i])
	}
	return c.byName[string(buf[:len(name)])]
}

// Find finds the command a line of arguments names: the subcommand where the command has some, nil where there is none.
func (c *Catalog) Find(argv [][]byte) *Command {
	if len(argv) == 0 {
		return nil
	}
	cmd := top(c, argv[0])
	if cmd == nil || len(cmd.Subcommands) == 0 || len(argv) == 1 {
		return cmd
	}
	return cmd.Subcommand(string(argv[1]))
}
