package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// subcommands is filled by the file of each subcommand, so that adding one touches no other file.
var subcommands []func() *cobra.Command

// groups are the headings that the subcommands are listed under.
var groups = []struct {
	title    string
	commands []string
}{
	{"What do keys take?", []string{"run", "layout", "sweep", "import", "scenario"}},
	{"For browsers and clients:", []string{"serve", "resp"}},
	{"Measure and check:", []string{"populate", "replay", "compare"}},
}

func newRoot() *cobra.Command {
	var f consoleFlags
	root := &cobra.Command{
		Use:   "keyloupe",
		Short: "A magnifying glass for Valkey's memory",
		Long: `Keyloupe simulates, byte by byte, what each Valkey release keeps in memory.

Without a subcommand it is a prompt like valkey-cli's, in front of simulated servers: after each command it shows the
keys that the command is about, on every server. Commands from a pipe or a file get bare replies, as from valkey-cli,
and the status is 1 where one fails. What is typed is kept in ` + "$XDG_STATE_HOME/keyloupe/history" + `.

Start the page with "keyloupe serve"; the other subcommands are for work in a terminal.

A server is written VERSION[@BUILD]. VERSION is any release of 7.2, 8.0, 8.1, 9.0 or 9.1, such as 9.1.2. BUILD is its
allocator: jemalloc, the bundled one (the default: builds from source, official images), distro (packages of Debian and
Ubuntu), libc, or managed (a managed service, inferred from published figures).

` + exitHelp,
		Example: `  keyloupe
  keyloupe --server 8.1.9,9.1.2@libc --config hash-max-listpack-entries=64
  echo 'MEMORY USAGE k' | keyloupe --server 9.1.2
  keyloupe serve`,
		SilenceUsage:      true,
		DisableAutoGenTag: true,
		Args:              known,
		RunE:              func(cmd *cobra.Command, _ []string) error { return runPrompt(cmd, &f) },
	}
	f.add(root)
	groupOf := map[string]string{}
	for _, g := range groups {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title})
		for _, name := range g.commands {
			groupOf[name] = g.title
		}
	}
	for _, make := range subcommands {
		cmd := make()
		cmd.GroupID = groupOf[cmd.Name()]
		root.AddCommand(cmd)
	}
	root.SetErrPrefix("keyloupe:")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return usageError{flagError(cmd, err)} })
	root.SetHelpCommand(newHelp(root))
	root.InitDefaultHelpCmd()
	checkUse(root)
	completeNothing(root)
	return root
}

// checkUse has cmd and every command below it tell a wrong argument as an error of usage.
func checkUse(cmd *cobra.Command) {
	if check := cmd.Args; check != nil {
		cmd.Args = func(cmd *cobra.Command, args []string) error { return asUsage(check(cmd, args)) }
	}
	for _, c := range cmd.Commands() {
		checkUse(c)
	}
}

// noArgs is for the commands that take flags and standard input only.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usagef("%q: %s takes flags only; %[2]s --help lists them", args[0], cmd.CommandPath())
}

// known refuses an unknown subcommand and names the one that was probably meant.
func known(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	cmd.SuggestionsMinimumDistance = 2
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		return usagef("unknown command %q: did you mean %s?", args[0], strings.Join(near, " or "))
	}
	return usagef("unknown command %q: %s --help lists them", args[0], cmd.CommandPath())
}

// newHelp is the command help, which refuses what it does not know.
func newHelp(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Explain a command",
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) (names []string, _ cobra.ShellCompDirective) {
			if at, rest, err := root.Find(args); err == nil && len(rest) == 0 {
				for _, c := range at.Commands() {
					if c.IsAvailableCommand() {
						names = append(names, c.Name()+"\t"+c.Short)
					}
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			cmd, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return known(root, args)
			}
			cmd.InitDefaultHelpFlag()
			return cmd.Help()
		},
	}
}

// flagError says what is wrong with a flag, and what would be right.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var value *pflag.InvalidValueError
	switch {
	case errors.As(err, &value):
		f := value.GetFlag()
		if takes := kinds[f.Value.Type()]; takes != "" {
			return usagef("--%s: %q is not %s", f.Name, value.GetValue(), takes)
		}
		return usagef("--%s: %w", f.Name, value.Unwrap())
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "":
		if near := nearFlag(cmd, unknown.GetSpecifiedName()); near != "" {
			return usagef("%w: did you mean --%s?", err, near)
		}
		return usagef("%w: %s --help lists the flags", err, cmd.CommandPath())
	}
	return err
}

// kinds are what flags of a type take.
var kinds = map[string]string{"int": "a whole number", "uint": "a whole number that is not negative", "float64": "a number", "bool": "true or false",
	"duration": "a duration, such as 500ms or 2s"}

// nearFlag is the longest flag that begins like name, such as --servers for --server.
func nearFlag(cmd *cobra.Command, name string) (near string) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if len(f.Name) > len(near) && (strings.HasPrefix(f.Name, name) || strings.HasPrefix(name, f.Name)) {
			near = f.Name
		}
	})
	return near
}
