package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/keyloupe/keyloupe/internal/batch"
	"github.com/keyloupe/keyloupe/internal/term"
)

func init() { subcommands = append(subcommands, newPopulate) }

func newPopulate() *cobra.Command {
	var f targetFlags
	p := batch.Population{}
	cmd := &cobra.Command{
		Use:   "populate --keys N --shape SHAPE --value LEN [--ttl]",
		Short: "Build a population of keys and print what it takes",
		Long: `Populate really builds N keys key:%012d on an empty server and prints one JSON object with what they take:
delta (used_memory), the tables' overhead as MEMORY STATS tells it, their buckets and child buckets, and usage and
encoding of the first key.

Shapes: ` + strings.Join(batch.Shapes(), ", ") + `.`,
		Example: `  keyloupe populate --server 9.1.2 --keys 1000000 --shape string --value 16`,
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			t, err := f.target()
			if err != nil {
				return err
			}
			if err := p.Check(); err != nil {
				return usageError{err}
			}
			row, err := batch.Populate(t, p, progress(cmd.ErrOrStderr(), p.Keys))
			if err != nil {
				return err
			}
			return json.NewEncoder(cmd.OutOrStdout()).Encode(row)
		},
	}
	f.add(cmd)
	fl := cmd.Flags()
	fl.IntVar(&p.Keys, "keys", 1000, "number of keys")
	fl.StringVar(&p.Shape, "shape", "string", "shape of each key: "+strings.Join(batch.Shapes(), ", "))
	fl.IntVar(&p.Value, "value", 16, "bytes of each value")
	fl.BoolVar(&p.TTL, "ttl", false, "the keys expire (in 2100)")
	complete(cmd, map[string]completions{"shape": oneOf(batch.Shapes()...)})
	return cmd
}

// progress tells on a terminal how far a long piece of work is; elsewhere it is silent.
func progress(w io.Writer, total int) func(n int) {
	if !term.IsTerminal(w) {
		return nil
	}
	return func(n int) { fmt.Fprintf(w, "\r%3d %% of %d keys\r", 100*n/max(total, 1), total) }
}
