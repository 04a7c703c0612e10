package report

import (
	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/engine/catalog"
	"github.com/keyloupe/keyloupe/engine/command"
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

// AddCommand makes KEYLOUPE known to every one of the servers. All reply the same, whichever a client talks to.
func AddCommand(servers []*engine.Server) {
	text := func(of func(c *command.Client) string) func(*command.Client) {
		return func(c *command.Client) { c.Verbatim("txt", of(c)) }
	}
	summary := text(func(*command.Client) string { return Summary(servers) })
	one := text(func(c *command.Client) string { return Compare(servers, c.DB.ID, c.Args[2]) })
	run := map[string]func(*command.Client){
		"keyloupe|summary": summary,
		"keyloupe|layout":  text(func(c *command.Client) string { return Layout(servers, c.DB.ID, c.Args[2]) }),
		"keyloupe|compare": func(c *command.Client) {
			switch len(c.Args) {
			case 2:
				summary(c)
			case 3:
				one(c)
			default:
				c.Error(c.Cmd.WrongArity())
			}
		},
	}
	for _, s := range servers {
		s.AddCommand(keyloupe, run)
	}
}
