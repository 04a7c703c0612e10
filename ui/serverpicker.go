package ui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/keyloupe/keyloupe/engine/release"
	"github.com/keyloupe/keyloupe/ui/link"
)

// ServerPicker chooses which servers are compared.
type ServerPicker struct{ *App }

// line is the patch releases of one release line, the newest first.
type line struct {
	Name     string
	Versions []string
}

// lines are the known releases, the newest line first.
func (c *ServerPicker) lines() []line {
	var out []line
	names := release.Lines()
	for i := len(names) - 1; i >= 0; i-- {
		l := line{Name: names[i]}
		last, err := strconv.Atoi(strings.TrimPrefix(release.Newest(release.Line(i)), names[i]+"."))
		if err != nil {
			panic(err) // the newest patch of a line is a number
		}
		for p := last; p >= 0; p-- {
			l.Versions = append(l.Versions, fmt.Sprintf("%s.%d", names[i], p))
		}
		out = append(out, l)
	}
	return out
}

func (c *ServerPicker) builds() []release.Build { return release.Builds() }

func version(name string) string { v, _, _ := strings.Cut(name, "@"); return v }

func build(name string) string {
	if _, b, ok := strings.Cut(name, "@"); ok {
		return b
	}
	return release.BuildNames()[0]
}

// named puts a version and a build together; the default build is left out.
func named(version, build string) string {
	if build == release.BuildNames()[0] {
		return version
	}
	return version + "@" + build
}

// odd tells that a server's version is none of the list, such as a newer patch release from a link.
func (c *ServerPicker) odd(name string) bool {
	for _, l := range c.lines() {
		if slices.Contains(l.Versions, version(name)) {
			return false
		}
	}
	return true
}

func (c *ServerPicker) replace(i int, name string) {
	if slices.Contains(c.wanted, name) {
		c.notice = name + " is compared already."
		return
	}
	names := slices.Clone(c.wanted)
	names[i] = name
	c.setServers(names)
}

func (c *ServerPicker) setVersion(i int, v string) { c.replace(i, named(v, build(c.wanted[i]))) }
func (c *ServerPicker) setBuild(i int, b string)   { c.replace(i, named(version(c.wanted[i]), b)) }

func (c *ServerPicker) remove(i int) {
	c.setServers(slices.Delete(slices.Clone(c.wanted), i, i+1))
}

// candidates are offered by the + button, in this order.
var candidates = []string{"8.1.9", "8.0.10", "7.2.14", "9.1.2", "9.0.6", "9.1.2@libc", "9.1.2@managed", "9.1.2@distro", "9.1.1", "9.1.0", "9.0.0"}

func (c *ServerPicker) canAdd() bool { return len(c.wanted) < link.MaxServers }

func (c *ServerPicker) add() {
	for _, n := range candidates {
		if !slices.Contains(c.wanted, n) {
			c.setServers(append(slices.Clone(c.wanted), n))
			return
		}
	}
}

// label is what a server is taken for, where that is another release.
func (c *ServerPicker) label(i int) string {
	if i < len(c.servers) && c.servers[i].Name == c.wanted[i] {
		return c.servers[i].Label
	}
	return c.wanted[i]
}
