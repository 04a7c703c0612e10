//go:build !js

package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/keyloupe/keyloupe/engine/catalog"
)

// derive works out a line of which no server can be had from a newer one: what the newer one says came later is left
// out, and what it does not say is undone by the edits of undo.go.
func derive(from catalog.Table, line string) catalog.Table {
	t := from
	t.Version, t.Derived = line, true
	t.Commands = nil
	for _, c := range from.Commands {
		if !after(c.Since, line) {
			t.Commands = append(t.Commands, olderCommand(c, line))
		}
	}
	t.Configs = cloneConfigs(from.Configs)
	undo[line](&editor{&t})
	return t
}

// after reports whether a release ("8.1.0") is of a later line than the line ("8.0").
func after(since, line string) bool {
	if since == "" {
		return false
	}
	a, b := numbers(since), numbers(line)
	return a[0] > b[0] || a[0] == b[0] && a[1] > b[1]
}

func numbers(release string) (n [2]int) {
	for i, s := range strings.SplitN(release, ".", 3)[:2] {
		n[i], _ = strconv.Atoi(s)
	}
	return n
}

// olderCommand copies a command without what is later than the line.
func olderCommand(c *catalog.Command, line string) *catalog.Command {
	o := *c
	o.Flags, o.Categories, o.Help = slices.Clone(c.Flags), slices.Clone(c.Categories), slices.Clone(c.Help)
	o.KeySpecs = slices.Clone(c.KeySpecs)
	for i := range o.KeySpecs {
		o.KeySpecs[i].Flags = slices.Clone(o.KeySpecs[i].Flags)
	}
	o.Subcommands, o.History = nil, nil
	for _, sub := range c.Subcommands {
		if !after(sub.Since, line) {
			o.Subcommands = append(o.Subcommands, olderCommand(sub, line))
		}
	}
	for _, h := range c.History {
		if !after(h.Since, line) {
			o.History = append(o.History, h)
		}
	}
	if after(c.DeprecatedSince, line) {
		o.DeprecatedSince, o.ReplacedBy = "", ""
		o.DocFlags = without(c.DocFlags, "deprecated")
	}
	o.Arguments = olderArguments(c.Arguments, line)
	return &o
}

func olderArguments(args []catalog.Argument, line string) (out []catalog.Argument) {
	for _, a := range args {
		if after(a.Since, line) {
			continue
		}
		a.Arguments = olderArguments(a.Arguments, line)
		if after(a.DeprecatedSince, line) {
			a.DeprecatedSince = ""
		}
		out = append(out, a)
	}
	return out
}

func cloneConfigs(configs []*catalog.Config) (out []*catalog.Config) {
	for _, g := range configs {
		c := *g
		out = append(out, &c)
	}
	return out
}

func without(list []string, words ...string) (out []string) {
	for _, x := range list {
		if !slices.Contains(words, x) {
			out = append(out, x)
		}
	}
	return out
}

// An editor changes a table in place. What it does not find is a mistake in the edits.
type editor struct{ t *catalog.Table }

func (e *editor) command(name string) *catalog.Command {
	top, sub, isSub := strings.Cut(name, "|")
	for _, c := range e.t.Commands {
		if c.FullName != top {
			continue
		}
		if !isSub {
			return c
		}
		if s := c.Subcommand(sub); s != nil {
			return s
		}
	}
	panic(fmt.Sprintf("%s has no command %s", e.t.Version, name))
}

func (e *editor) config(name string) *catalog.Config {
	for _, g := range e.t.Configs {
		if g.Name == name {
			return g
		}
	}
	panic(fmt.Sprintf("%s has no directive %s", e.t.Version, name))
}

// each visits all commands and subcommands.
func (e *editor) each(visit func(*catalog.Command)) {
	for _, c := range e.t.Commands {
		visit(c)
		for _, s := range c.Subcommands {
			visit(s)
		}
	}
}

// drop removes directives; a twin left behind stands alone.
func (e *editor) drop(names ...string) {
	for _, n := range names {
		e.config(n)
	}
	e.t.Configs = slices.DeleteFunc(e.t.Configs, func(g *catalog.Config) bool { return slices.Contains(names, g.Name) })
	for _, g := range e.t.Configs {
		if slices.Contains(names, g.Twin) {
			g.Twin = ""
		}
	}
}

func (e *editor) add(configs ...*catalog.Config) {
	e.t.Configs = append(e.t.Configs, configs...)
	slices.SortFunc(e.t.Configs, func(a, b *catalog.Config) int { return strings.Compare(a.Name, b.Name) })
}

func (e *editor) defaults(value string, names ...string) {
	for _, n := range names {
		e.config(n).Default = value
	}
}

// cut removes lines of a container's help, from the last one that reads so.
func (e *editor) cut(container, first string, lines int) {
	i := e.helpLine(container, first)
	c := e.command(container)
	c.Help = slices.Delete(c.Help, i, i+lines)
}

// insert puts a line of help after the last one that reads so.
func (e *editor) insert(container, after, line string) {
	i := e.helpLine(container, after)
	c := e.command(container)
	c.Help = slices.Insert(c.Help, i+1, line)
}

func (e *editor) helpLine(container, line string) int {
	help := e.command(container).Help
	for i := len(help) - 1; i >= 0; i-- {
		if help[i] == line {
			return i
		}
	}
	panic(fmt.Sprintf("%s HELP has no line %q", container, line))
}

// reword replaces text in a container's help.
func (e *editor) reword(container string, oldNew ...string) {
	c := e.command(container)
	r := strings.NewReplacer(oldNew...)
	for i := range c.Help {
		c.Help[i] = r.Replace(c.Help[i])
	}
}

// removeFlags removes flags of COMMAND INFO.
func (e *editor) removeFlags(flag string, names ...string) {
	for _, n := range names {
		c := e.command(n)
		c.Flags = without(c.Flags, flag)
	}
}

// dropArgument removes a top-level argument by name.
func (e *editor) dropArgument(command, name string) {
	c := e.command(command)
	c.Arguments = slices.DeleteFunc(c.Arguments, func(a catalog.Argument) bool { return a.Name == name })
}
