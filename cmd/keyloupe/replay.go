package main

import (
	"github.com/spf13/cobra"

	"github.com/keyloupe/keyloupe/internal/batch"
)

func init() { subcommands = append(subcommands, newReplay) }

func newReplay() *cobra.Command {
	var f targetFlags
	cmd := &cobra.Command{
		Use:   "replay [flags] < cases.jsonl",
		Short: "Run histories of commands and print replies and sizes",
		Long: `Replay reads cases from standard input, a JSON object a line, and runs each on an empty server.

A case is {"id":1,"cmds":[["SET","k","~v*100"]],"touch":[["k"]]}: ~v*100 stands for 100 times v, and every
character of a string is one byte. Its result is {"id","replies","after","keys"}: the reply to each command, the
encoding and MEMORY USAGE (SAMPLES 0) of each touched key after it, and every key of database 0 at the end as
[type, encoding, usage, expiry]. Replies without a defined order are sorted; an expiry that depends on the clock is
"rel". A malformed line ends the run with status 1; what was printed before it stays.`,
		Example: `  echo '{"id":1,"cmds":[["SET","k","~v*20"],["EXPIRE","k","900"]],"touch":[["k"],["k"]]}' | keyloupe replay --server 9.1.2`,
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			t, err := f.target()
			if err != nil {
				return err
			}
			return batch.Replay(input(cmd), cmd.OutOrStdout(), t)
		},
	}
	f.add(cmd)
	return cmd
}
