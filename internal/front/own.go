package front

import (
	"fmt"
	"strings"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/engine/command"
	"github.com/keyloupe/keyloupe/engine/layout"
)

// own tells whether a command is one of Keyloupe's.
func own(args [][]byte) bool { return strings.EqualFold(string(args[0]), "keyloupe") }

var ownHelp = []string{
	"KEYLOUPE <subcommand> [<arg> ...]. Subcommands are:",
	"COMPARE [key]",
	"    Size and encoding of a key, or used_memory of the data, on every server.",
	"LAYOUT key",
	"    Every byte behind a key, on every server.",
	"SUMMARY",
	"    Keys and memory of every server.",
	"HELP",
	"    Print this help.",
}

// own replies a command of Keyloupe's, which any client can send.
func (f *Front) own(c *command.Client, args [][]byte) {
	sub := ""
	if len(args) > 1 {
		sub = strings.ToUpper(string(args[1]))
	}
	switch {
	case sub == "COMPARE" && len(args) == 3:
		c.Verbatim("txt", f.compareKey(c.DB.ID, args[2]))
	case sub == "COMPARE" && len(args) == 2, sub == "SUMMARY" && len(args) == 2:
		c.Verbatim("txt", f.summary())
	case sub == "LAYOUT" && len(args) == 3:
		c.Verbatim("txt", f.layouts(c.DB.ID, args[2]))
	case sub == "HELP" && len(args) == 2:
		c.Array(len(ownHelp))
		for _, l := range ownHelp {
			c.Status(l)
		}
	default:
		c.Error("ERR unknown subcommand or wrong number of arguments for 'keyloupe'. Try KEYLOUPE HELP.")
	}
}

// Summary is a line for each server: its keys and what they take.
func (f *Front) Summary() (s string) {
	f.With(func([]*engine.Server) { s = f.summary() })
	return s
}

func (f *Front) summary() string {
	var b strings.Builder
	first := f.servers[0].Used()
	for i, s := range f.servers {
		keys := 0
		for d := range s.Space.Databases() {
			if db := s.Space.Existing(d); db != nil {
				keys += db.Len()
			}
		}
		fmt.Fprintf(&b, "%-14s %10d keys %14d bytes", s.Release.Name(), keys, s.Used())
		if i > 0 {
			fmt.Fprintf(&b, " %+d", s.Used()-first)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func (f *Front) compareKey(db int, key []byte) string {
	var b strings.Builder
	first := -1
	for _, s := range f.servers {
		i, ok := s.KeyInfo(db, key)
		if !ok {
			fmt.Fprintf(&b, "%-14s no such key\n", s.Release.Name())
			continue
		}
		fmt.Fprintf(&b, "%-14s %-10s MEMORY USAGE %8d", s.Release.Name(), i.Encoding, i.Usage)
		if first < 0 {
			first = i.Usage
		} else {
			fmt.Fprintf(&b, " %+d", i.Usage-first)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// layoutLimit bounds how many blocks of a key are printed.
const layoutLimit = 200

func (f *Front) layouts(db int, key []byte) string {
	var b strings.Builder
	for i, s := range f.servers {
		if i > 0 {
			b.WriteByte('\n')
		}
		d := s.Space.Existing(db)
		pic := layout.Picture{Limit: layoutLimit}
		if d == nil {
			fmt.Fprintf(&b, "%s: no such key\n", s.Release.Name())
			continue
		}
		info, ok := s.Picture(&pic, d, key)
		if !ok {
			fmt.Fprintf(&b, "%s: no such key\n", s.Release.Name())
			continue
		}
		fmt.Fprintf(&b, "%s: %s, %d bytes allocated, MEMORY USAGE %d\n\n", s.Release.Name(), info.Encoding, pic.Total(), info.Usage)
		pic.WriteText(&b)
		if pic.Skipped > 0 {
			fmt.Fprintf(&b, "\n… and %d more blocks\n", pic.Skipped)
		}
	}
	return b.String()
}
