package front

import (
	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/engine/catalog"
	"github.com/keyloupe/keyloupe/engine/command"
	"github.com/keyloupe/keyloupe/internal/report"
)

// keyloupe is the command of ours that any client can send. COMMAND describes it as it does the server's, so that
// valkey-cli completes it.
var keyloupe = &catalog.Command{
	FullName: "keyloupe", Arity: -2, Categories: []string{"@slow"},
	Summary: "A container for commands of Keyloupe, the simulator that answers here.", Group: "server",
	Complexity: "Depends on subcommand.",
	Subcommands: []*catalog.Command{
		own("compare", -2, "Shows size and encoding of a key, or keys and memory of the data, on every server.",
			"O(N) where N is the number of elements of the key.", key(true)),
		own("help", 2, "Returns helpful text about the different subcommands.", "O(1)"),
		own("layout", 3, "Shows every byte behind a key, on every server.",
			"O(N) where N is the number of elements of the key.", key(false)),
		own("summary", 2, "Shows keys and memory of the data, on every server.", "O(1)"),
	},
	Help: []string{
		"KEYLOUPE <subcommand> [<arg> [value] [opt] ...]. Subcommands are:",
		"COMPARE [<key>]",
		"    Show size and encoding of a key, or keys and memory of the data, on every server.",
		"LAYOUT <key>",
		"    Show every byte behind a key, on every server.",
		"SUMMARY",
		"    Show keys and memory of the data, on every server.",
		"HELP",
		"    Print this help.",
	},
}

// own describes a subcommand of KEYLOUPE.
func own(name string, arity int, summary, complexity string, args ...catalog.Argument) *catalog.Command {
	c := &catalog.Command{FullName: "keyloupe|" + name, Arity: arity, Flags: []string{"loading", "stale"}, Categories: []string{"@slow"},
		Summary: summary, Group: "server", Complexity: complexity, Arguments: args}
	if len(args) == 0 {
		return c
	}
	c.Flags = []string{"readonly"}
	if args[0].Optional {
		c.Flags = append(c.Flags, "no_mandatory_keys")
	}
	c.Categories = []string{"@keyspace", "@read", "@slow"}
	c.FirstKey, c.LastKey, c.KeyStep = 2, 2, 1
	c.KeySpecs = []catalog.KeySpec{{Flags: []string{"RO"}, Begin: catalog.BeginSearch{Type: "index", Index: 2},
		Find: catalog.FindKeys{Type: "range", KeyStep: 1}}}
	return c
}

func key(optional bool) catalog.Argument {
	return catalog.Argument{Name: "key", Type: catalog.ArgKey, DisplayText: "key", Optional: optional}
}

// addKeyloupe makes KEYLOUPE known to every server; the first one's clients get its replies.
func (f *Front) addKeyloupe() {
	for i, s := range f.servers {
		run := map[string]func(*command.Client){"keyloupe|compare": f.compare, "keyloupe|layout": f.layout, "keyloupe|summary": f.summarize}
		if i > 0 {
			for name := range run {
				run[name] = (*command.Client).OK // nobody reads it
			}
		}
		s.AddCommand(keyloupe, run)
	}
}

// Summary is a line for each server: its keys and what they take.
func (f *Front) Summary() (s string) {
	f.With(func(servers []*engine.Server) { s = report.Summary(servers) })
	return s
}

func (f *Front) compare(c *command.Client) {
	switch len(c.Args) {
	case 2:
		f.summarize(c)
	case 3:
		c.Verbatim("txt", report.Compare(f.servers, c.DB.ID, c.Args[2]))
	default:
		c.Error(c.Cmd.WrongArity())
	}
}

func (f *Front) layout(c *command.Client) {
	c.Verbatim("txt", report.Layout(f.servers, c.DB.ID, c.Args[2]))
}

func (f *Front) summarize(c *command.Client) { c.Verbatim("txt", report.Summary(f.servers)) }
