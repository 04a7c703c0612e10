package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/keyloupe/keyloupe/engine/release"
	"github.com/keyloupe/keyloupe/internal/compare"
)

func init() { subcommands = append(subcommands, newCompare) }

func newCompare() *cobra.Command {
	var f targetFlags
	var addr string
	var force bool
	cmd := &cobra.Command{
		Use:   "compare [flags] < commands",
		Short: "Run commands on a real server and on the simulated one, and show what differs",
		Long: `Compare reads commands from standard input, one a line as valkey-cli takes them, and runs each on the target and on a
simulated server. It prints where replies, or encodings and MEMORY USAGE of the keys that a command names, differ, and
at the end how much used_memory grew on both.

The target must be empty, as what it holds already is not known here; --force compares all the same. Its release and
allocator are recognised from INFO, and its directives that shape values are set on the simulated server too. Its
latency-tracking is off meanwhile, as histograms take memory that is not the data's. The distribution's jemalloc names
itself as the bundled one does: say --server VERSION@distro there. What a large hash, set or sorted set takes hangs on
the hash seed too, and used_memory on the clients' buffers.

The exit status is 1 where something differs.`,
		Example: `  printf 'SET k v\nHSET h f 1\n' | keyloupe compare --target 127.0.0.1:6379`,
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			named := f.server != ""
			if !named { // the target says; for now one to check the other flags with
				f.server = release.Newest(release.V91)
			}
			t, err := f.target()
			if err != nil {
				return err
			}
			o := compare.Options{Force: force, Engine: t.Options}
			if named {
				o.Server = f.server
			}
			c, err := compare.Dial(addr)
			if err != nil {
				return fmt.Errorf("--target: %w", err)
			}
			defer c.Close()
			ctx := cmd.Context()
			defer context.AfterFunc(ctx, func() { c.Close() })() // ends a wait for the target too
			r, err := compare.Run(c, input(cmd), cmd.OutOrStdout(), o)
			if cause := context.Cause(ctx); cause != nil {
				return cause
			}
			if err != nil {
				return fmt.Errorf("--target %s: %w", addr, err)
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%d commands, %d looks at keys, %d differences; used_memory grew by %d, simulated %d (%+d)\n",
				r.Commands, r.Keys, r.Differ, r.Target, r.Simulated, r.Simulated-r.Target)
			if r.Differ > 0 {
				return fmt.Errorf("%d differences", r.Differ)
			}
			return nil
		},
	}
	f.addNamed(cmd, "", "the simulated server, "+serverSyntax+" (default: what the target says it is)")
	cmd.Flags().StringVar(&addr, "target", "127.0.0.1:6379", "address of the real server")
	cmd.Flags().BoolVar(&force, "force", false, "compare though the target holds keys")
	return cmd
}
