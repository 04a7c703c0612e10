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
		Use:   "populate [flags]",
		Short: "Build a population of keys and print what it takes",
		Long: `Populate really builds keys key:000000000000, key:000000000001 and so on, of 16 bytes each, on an empty server and
prints one JSON object with what they take: delta, by how many bytes used_memory grew, per_key; the tables' overhead as
MEMORY STATS tells it, their buckets and child buckets; MEMORY USAGE (SAMPLES 0) and encoding of the first key.

The shapes, each with values of --value times the letter v:
  string      SET key v
  hash1       HSET key field0 v
  hash10      the same with field0 to field9
  hashtable1  as hash1, for values above 64 bytes: one field that makes the hash a table
  hashttl1    HSETEX key PXAT 4102444800000 FIELDS 1 field0 v; from 9.0 on`,
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
