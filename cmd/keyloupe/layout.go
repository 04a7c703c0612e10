package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/keyloupe/keyloupe/internal/batch"
	"github.com/keyloupe/keyloupe/internal/report"
	"github.com/keyloupe/keyloupe/internal/term"
)

func init() { subcommands = append(subcommands, newLayout) }

func newLayout() *cobra.Command {
	var f targetFlags
	var key, format string
	var color term.When
	cmd := &cobra.Command{
		Use:   "layout [flags] < input",
		Short: "Show every byte behind a key",
		Long: `Layout shows the blocks that a server keeps for a key, byte by byte.

With --key it reads commands from standard input, one a line as typed at a prompt, runs them on an empty server and
prints the key's blocks: as annotated bytes (text), as a picture (svg), or as JSON.

Without --key it reads cases, a JSON object {"id":1,"key":"k","cmds":[["SET","k","v"]]} a line, and prints one line
for each: the key's type, encoding, usage, expiry and blocks with name, size, used bytes in hexadecimal, pointers,
masked bytes and fields.`,
		Example: `  echo 'SET user:1 Alice' | keyloupe layout --server 9.1.2 --key user:1
  echo 'SET user:1 Alice' | keyloupe layout --server 9.0.6 --key user:1 --format svg > user1.svg`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			t, err := f.target()
			if err != nil {
				return err
			}
			if !cmd.Flags().Changed("key") {
				if cmd.Flags().Changed("format") {
					return usagef("--format goes with --key: without it the input is cases and the output JSON lines")
				}
				return batch.Layout(input(cmd), cmd.OutOrStdout(), t)
			}
			if !slices.Contains(batch.Formats, format) {
				return usagef("--format: %q is none of %s", format, strings.Join(batch.Formats, ", "))
			}
			out := cmd.OutOrStdout()
			return batch.Show(input(cmd), out, cmd.ErrOrStderr(), t, key, format, report.Paint(color.Colors(out)))
		},
	}
	f.add(cmd)
	cmd.Flags().StringVar(&key, "key", "", "the key to show, as typed at a prompt")
	cmd.Flags().StringVar(&format, "format", "text", strings.Join(batch.Formats, ", "))
	addColor(cmd, &color)
	complete(cmd, map[string]completions{"format": oneOf(batch.Formats...)})
	return cmd
}
