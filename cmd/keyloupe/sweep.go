package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/keyloupe/keyloupe/engine/sweep"
	"github.com/keyloupe/keyloupe/internal/term"
)

func init() { subcommands = append(subcommands, newSweep) }

// maxRows bounds a sweep on the command line: hours of work are a slip of the hand.
const maxRows = 10_000_000_000

// sweepFormats are the formats of --format.
var sweepFormats = append(slices.Clone(sweep.Formats), "svg", "chart")

// sweeper is the flags of a sweep that say how it is printed.
type sweeper struct {
	pictureFlags
	format string
	cliffs bool
	quiet  bool
	color  term.When
}

func newSweep() *cobra.Command {
	var file string
	s := sweeper{}
	cmd := &cobra.Command{
		Use:   "sweep [flags]",
		Short: "Sweep lengths, counts and releases: what does each shape cost?",
		Long: `Sweep key, value and field lengths, numbers of fields and keys, TTLs and servers: a row for each shape and server.

Lengths are in bytes. Lengths and counts are a number (16, 200k, 1M), a range (0..200), a range with a step (0..4096/64),
or a list of them (8,16,32..64). Every row keeps three numbers apart: memory_usage is what MEMORY USAGE of that release
prints, allocated the usable bytes of the key's blocks, table the share of the keyspace's tables for that many keys. Their
growth of used_memory per key is bytes_per_key; delta compares it with the first server's.

On a terminal it prints a chart, and a table in which shapes that cost the same are one row; to a pipe or a file, or with
--format text, every row. --cliffs prints, for each pair of servers, the value lengths at which an encoding or the
difference changes, and why.`,
		Example: `  keyloupe sweep --key 16 --value 0..200 --servers 9.0.6,9.1.2
  keyloupe sweep --key 16 --ttl none,key --servers 9.0.6,9.1.2 --cliffs
  keyloupe sweep --type hash --fields 1..20 --field 8 --value 12 --ttl field --servers 9.0.6,9.1.2 --format csv
  keyloupe sweep --value 16 --keys 1k..1M/1k --servers 9.1.2 --log y
  keyloupe sweep --value 16 --keys 1k..1M/1k --servers 9.1.2 --format svg > sawtooth.svg
  echo '{"value":"0..200","servers":["8.1.9","9.1.2"]}' | keyloupe sweep --spec - --format ndjson`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			spec, err := specOf(cmd, file)
			if err != nil {
				return err
			}
			plan, err := sweep.New(spec, maxRows)
			if err != nil {
				return sweepError(err)
			}
			return s.print(cmd, plan)
		},
	}
	defaults := sweep.Default()
	for _, f := range sweep.Fields() {
		cmd.Flags().String(flagOf(f.Name), defaults.Get(f.Name), f.What)
	}
	cmd.Flags().StringVar(&file, "spec", "", "read the specification as JSON from this file, - for standard input; flags change it no further")
	cmd.Flags().StringVar(&s.format, "format", "", "format: "+strings.Join(sweepFormats, ", ")+" (default: chart on a terminal, text elsewhere)")
	cmd.Flags().BoolVar(&s.cliffs, "cliffs", false, "print the cliffs instead of the rows")
	cmd.Flags().BoolVarP(&s.quiet, "quiet", "q", false, "no progress on standard error")
	s.register(cmd.Flags())
	addColor(cmd, &s.color)
	cmd.Flags().SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if name == "server" { // as the other subcommands have it
			name = "servers"
		}
		return pflag.NormalizedName(flagOf(name)) // fields may be spelled as in JSON
	})
	complete(cmd, map[string]completions{
		"type": oneOf("string", "hash"), "ttl": listOf("none", "key", "field"), "value-kind": oneOf("text", "int"),
		"history": listOf("set", "set+pexpire", "hset", "hsetex", "hset+hexpire"), "servers": listOf(serverNames()...),
		"spec": aFile, "format": oneOf(sweepFormats...), "x": oneOf("value", "keys", "key", "fields", "field"),
		"show": oneOf("bytes_per_key", "total", "memory_usage", "allocated", "table"), "theme": oneOf("auto", "light", "dark"), "log": oneOf("x", "y", "xy"),
	})
	return cmd
}

func flagOf(field string) string { return strings.ReplaceAll(field, "_", "-") }

// specOf makes the specification of the flags, or of the file.
func specOf(cmd *cobra.Command, file string) (*sweep.Spec, error) {
	spec := sweep.Default()
	for _, f := range sweep.Fields() {
		flag := cmd.Flags().Lookup(flagOf(f.Name))
		if !flag.Changed {
			continue
		}
		if file != "" {
			return nil, usagef("--%s: with --spec the specification comes from the file alone", flag.Name)
		}
		if err := spec.Set(f.Name, flag.Value.String()); err != nil {
			return nil, sweepError(err)
		}
	}
	if file == "" {
		return spec, nil
	}
	text, err := readSpec(cmd, file)
	if err != nil {
		return nil, err
	}
	if spec, err = sweep.ParseJSON(text); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return spec, nil
}

// maxSpec bounds the text of a specification.
const maxSpec = 1 << 20

func readSpec(cmd *cobra.Command, file string) ([]byte, error) {
	var in io.Reader
	if file == "-" {
		in = input(cmd)
	} else {
		f, err := os.Open(file)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	text, err := io.ReadAll(io.LimitReader(in, maxSpec+1))
	if err == nil && len(text) > maxSpec {
		err = fmt.Errorf("%s: a specification has at most %d bytes", file, maxSpec)
	}
	return text, err
}

// sweepError writes a field as the flag it is.
func sweepError(err error) error {
	var field *sweep.FieldError
	var many *sweep.TooManyError
	switch {
	case errors.As(err, &field):
		return usagef("--%s: %s", flagOf(field.Field), field.Message)
	case errors.As(err, &many):
		return usageError{err}
	}
	return err
}
