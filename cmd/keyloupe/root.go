package main

import "github.com/spf13/cobra"

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
		Args:              cobra.NoArgs,
		RunE:              func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	for _, make := range subcommands {
		root.AddCommand(make())
	}
	return root
}
