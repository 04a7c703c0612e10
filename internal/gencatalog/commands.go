//go:build !js

package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/keyloupe/keyloupe/engine/catalog"
	"github.com/keyloupe/keyloupe/internal/realserver"
)

// readCommands joins the replies of COMMAND and COMMAND DOCS in RESP3. What it does not expect is an error: a new
// release may tell something that the catalog has no place for.
func readCommands(info, docs any) (commands []*catalog.Command, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("reading COMMAND and COMMAND DOCS: %v", r)
		}
	}()
	for _, entry := range info.(realserver.Array) {
		commands = append(commands, readInfo(entry.(realserver.Array)))
	}
	byName := map[string]*catalog.Command{}
	for _, c := range commands {
		byName[c.FullName] = c
	}
	for _, p := range docs.(realserver.Map) {
		readDocs(byName[text(p.Key)], p.Value.(realserver.Map))
	}
	sortCommands(commands)
	return commands, nil
}

func sortCommands(commands []*catalog.Command) {
	slices.SortFunc(commands, func(a, b *catalog.Command) int { return strings.Compare(a.FullName, b.FullName) })
}

func readInfo(f realserver.Array) *catalog.Command {
	if len(f) != 10 {
		panic(fmt.Sprintf("a COMMAND INFO entry has %d fields, not 10", len(f)))
	}
	c := &catalog.Command{
		FullName: text(f[0]), Arity: number(f[1]), Flags: texts(f[2]), FirstKey: number(f[3]), LastKey: number(f[4]),
		KeyStep: number(f[5]), Categories: texts(f[6]), Tips: texts(f[7]),
	}
	for _, k := range f[8].(realserver.Set) {
		c.KeySpecs = append(c.KeySpecs, readKeySpec(k.(realserver.Map)))
	}
	for _, s := range elements(f[9]) {
		c.Subcommands = append(c.Subcommands, readInfo(s.(realserver.Array)))
	}
	sortCommands(c.Subcommands)
	return c
}

func readKeySpec(m realserver.Map) (k catalog.KeySpec) {
	for _, p := range m {
		switch text(p.Key) {
		case "notes":
			k.Notes = text(p.Value)
		case "flags":
			k.Flags = texts(p.Value)
		case "begin_search":
			k.Begin.Type = readSpec(p.Value, map[string]func(any){
				"index":     func(v any) { k.Begin.Index = number(v) },
				"keyword":   func(v any) { k.Begin.Keyword = text(v) },
				"startfrom": func(v any) { k.Begin.StartFrom = number(v) },
			})
		case "find_keys":
			k.Find.Type = readSpec(p.Value, map[string]func(any){
				"lastkey":   func(v any) { k.Find.LastKey = number(v) },
				"limit":     func(v any) { k.Find.Limit = number(v) },
				"keystep":   func(v any) { k.Find.KeyStep = number(v) },
				"keynumidx": func(v any) { k.Find.KeyNumIdx = number(v) },
				"firstkey":  func(v any) { k.Find.FirstKey = number(v) },
			})
		default:
			panic(fmt.Sprintf("key spec has a field %v", p.Key))
		}
	}
	return k
}

// readSpec reads {type, spec} and hands each field of spec to its place.
func readSpec(v any, fields map[string]func(any)) (kind string) {
	for _, p := range v.(realserver.Map) {
		switch text(p.Key) {
		case "type":
			kind = text(p.Value)
		case "spec":
			for _, f := range p.Value.(realserver.Map) {
				fields[text(f.Key)](f.Value)
			}
		default:
			panic(fmt.Sprintf("search has a field %v", p.Key))
		}
	}
	return kind
}

func readDocs(c *catalog.Command, m realserver.Map) {
	for _, p := range m {
		switch text(p.Key) {
		case "summary":
			c.Summary = text(p.Value)
		case "since":
			c.Since = text(p.Value)
		case "group":
			c.Group = text(p.Value)
		case "complexity":
			c.Complexity = text(p.Value)
		case "doc_flags":
			c.DocFlags = texts(p.Value)
		case "deprecated_since":
			c.DeprecatedSince = text(p.Value)
		case "replaced_by":
			c.ReplacedBy = text(p.Value)
		case "history":
			for _, h := range p.Value.(realserver.Set) {
				h := h.(realserver.Array)
				c.History = append(c.History, catalog.Change{Since: text(h[0]), Text: text(h[1])})
			}
		case "arguments":
			c.Arguments = readArguments(p.Value)
		case "subcommands":
			for _, s := range p.Value.(realserver.Map) {
				_, name, _ := strings.Cut(text(s.Key), "|")
				readDocs(c.Subcommand(name), s.Value.(realserver.Map))
			}
		default:
			panic(fmt.Sprintf("%s: COMMAND DOCS has a field %v", c.FullName, p.Key))
		}
	}
}

func readArguments(v any) []catalog.Argument {
	list := v.(realserver.Array)
	args := make([]catalog.Argument, len(list))
	for i, a := range list {
		args[i] = readArgument(a.(realserver.Map))
	}
	return args
}

func readArgument(m realserver.Map) catalog.Argument {
	a := catalog.Argument{KeySpec: -1}
	for _, p := range m {
		switch text(p.Key) {
		case "name":
			a.Name = text(p.Value)
		case "type":
			kind, ok := catalog.ParseArgType(text(p.Value))
			if !ok {
				panic(fmt.Sprintf("argument type %v", p.Value))
			}
			a.Type = kind
		case "display_text":
			a.DisplayText = text(p.Value)
		case "key_spec_index":
			a.KeySpec = number(p.Value)
		case "token":
			a.HasToken, a.Token = true, text(p.Value)
		case "summary":
			a.Summary = text(p.Value)
		case "since":
			a.Since = text(p.Value)
		case "deprecated_since":
			a.DeprecatedSince = text(p.Value)
		case "flags":
			for _, f := range texts(p.Value) {
				switch f {
				case "optional":
					a.Optional = true
				case "multiple":
					a.Multiple = true
				case "multiple_token":
					a.MultipleToken = true
				default:
					panic("argument flag " + f)
				}
			}
		case "arguments":
			a.Arguments = readArguments(p.Value)
		default:
			panic(fmt.Sprintf("argument has a field %v", p.Key))
		}
	}
	return a
}

// readHelp asks each container for its HELP; CLUSTER answers that it is disabled.
func readHelp(s *realserver.Server, commands []*catalog.Command) {
	for _, c := range commands {
		if c.Subcommand("help") == nil {
			continue
		}
		if lines, ok := s.Do(c.FullName, "HELP").(realserver.Array); ok {
			for _, l := range lines {
				c.Help = append(c.Help, text(l))
			}
		}
	}
}

func text(v any) string {
	switch v := v.(type) {
	case realserver.Bulk:
		return string(v)
	case realserver.Status:
		return string(v)
	}
	panic(fmt.Sprintf("%#v is no text", v))
}

// elements of subcommands: releases before 9.1.1 write none as a set, some as an array.
func elements(v any) []any {
	if set, ok := v.(realserver.Set); ok && len(set) == 0 {
		return nil
	}
	return v.(realserver.Array)
}

func number(v any) int { return int(v.(realserver.Int)) }

func texts(v any) []string {
	list := []any(v.(realserver.Set))
	out := make([]string, len(list))
	for i, x := range list {
		out[i] = text(x)
	}
	return out
}
