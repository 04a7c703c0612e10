package front

import (
	"strings"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/engine/command"
	"github.com/keyloupe/keyloupe/internal/report"
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
		c.Verbatim("txt", report.Compare(f.servers, c.DB.ID, args[2]))
	case sub == "COMPARE" && len(args) == 2, sub == "SUMMARY" && len(args) == 2:
		c.Verbatim("txt", report.Summary(f.servers))
	case sub == "LAYOUT" && len(args) == 3:
		c.Verbatim("txt", report.Layout(f.servers, c.DB.ID, args[2]))
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
	f.With(func(servers []*engine.Server) { s = report.Summary(servers) })
	return s
}
