package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// subcommands is filled by the file of each subcommand, so that adding one touches no other file.
var subcommands []func() *cobra.Command

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "keyloupe",
		Short: "A magnifying glass for Valkey's memory",
		Long: `Keyloupe simulates, byte by byte, what each Valkey release keeps in memory.

Start the page with "keyloupe serve", or see the other subcommands for work in a terminal.`,
		SilenceUsage:      true,
		DisableAutoGenTag: true,
		Args:              known,
		RunE:              func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	for _, make := range subcommands {
		root.AddCommand(make())
	}
	root.SetFlagErrorFunc(suggestFlag)
	return root
}

// known refuses an unknown subcommand and names the one that was probably meant.
func known(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	cmd.SuggestionsMinimumDistance = 2
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		return fmt.Errorf("unknown command %q: did you mean %s?", args[0], strings.Join(near, " or "))
	}
	return fmt.Errorf("unknown command %q: keyloupe --help lists them", args[0])
}

// suggestFlag adds to the error about an unknown flag the flag that begins alike, such as --server for --servers.
func suggestFlag(cmd *cobra.Command, err error) error {
	name, found := strings.CutPrefix(err.Error(), "unknown flag: --")
	if !found {
		return err
	}
	near := ""
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if near == "" && (strings.HasPrefix(f.Name, name) || strings.HasPrefix(name, f.Name)) {
			near = f.Name
		}
	})
	if near == "" {
		return fmt.Errorf("%w: %s --help lists the flags", err, cmd.CommandPath())
	}
	return fmt.Errorf("%w: did you mean --%s?", err, near)
}
