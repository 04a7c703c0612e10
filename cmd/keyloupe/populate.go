package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/keyloupe/keyloupe/internal/batch"
	"github.com/keyloupe/keyloupe/internal/progress"
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
		Example: `  keyloupe populate --server 9.1.2 --keys 1M --shape string --value 16
  keyloupe populate --server 8.1.9@libc --keys 100k --shape hash10 --value 20 --ttl`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			t, err := f.target()
			if err != nil {
				return err
			}
			if err := p.Check(); err != nil {
				return usageError{err}
			}
			ctx, done := cmd.Context(), 0
			meter := progress.New(cmd.ErrOrStderr(), "commands", int64(p.Commands()))
			row, err := batch.Populate(t, p, func(n int) error {
				done = n
				meter.At(int64(n))
				return context.Cause(ctx)
			})
			meter.End()
			if err != nil && err == context.Cause(ctx) {
				err = fmt.Errorf("%w, after %d of %d commands", err, done, p.Commands())
			}
			if err != nil {
				return err
			}
			return json.NewEncoder(cmd.OutOrStdout()).Encode(row)
		},
	}
	f.add(cmd)
	fl := cmd.Flags()
	p.Keys, p.Value = 1000, 16
	fl.Var(number{&p.Keys, 1, batch.MaxKeys}, "keys", "number of keys")
	fl.StringVar(&p.Shape, "shape", "string", "shape of each key: "+strings.Join(batch.Shapes(), ", "))
	fl.Var(number{&p.Value, 0, batch.MaxRepeat}, "value", "length of each value, bytes")
	fl.BoolVar(&p.TTL, "ttl", false, "the keys expire (in 2100)")
	complete(cmd, map[string]completions{"shape": oneOf(batch.Shapes()...)})
	return cmd
}
