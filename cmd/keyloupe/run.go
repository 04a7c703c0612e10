package main

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/keyloupe/keyloupe/internal/console"
	"github.com/keyloupe/keyloupe/internal/progress"
)

func init() { subcommands = append(subcommands, newRun) }

const (
	// everything is a number of commands that is not reached.
	everything = math.MaxInt
	// defaultShown is how many commands run shows where it is not told.
	defaultShown = 100
)

var runFormats = []string{"text", "ndjson"}

func newRun() *cobra.Command {
	var f consoleFlags
	var o runOptions
	cmd := &cobra.Command{
		Use:   "run [flags] FILE...",
		Short: "Run the commands in files and compare what they make",
		Long: `Run gives the commands in files, - for standard input, to simulated servers, one a line as at the prompt. Blank lines and
lines that begin with # are skipped; the prompt's words, such as layout KEY, are known too.

It prints each command with its reply, the keys it is about on every server, and why sizes are what they are; in the end
what all of it takes. After ` + fmt.Sprint(defaultShown) + ` commands the rest runs without being shown, as fast as the servers can: --show N shows more or
fewer, --quiet the end alone. --format ndjson prints an object a command, all of them, and {"done":true,...} as the last.

Time stands still, so that the same file always gives the same; only a command that waits, such as DEBUG SLEEP or BLPOP,
lets it pass, at once.

A line that cannot be read, such as one with an open quote, ends the run with FILE:LINE and what is wrong. Error replies
do not; commands that are not shown tell theirs on standard error, and the status is 1 in the end.`,
		Example: `  keyloupe run session.txt
  keyloupe run --server 8.1.9,9.0.6,9.1.2 --quiet load.txt
  for i in $(seq 1000); do echo "SET user:$i $RANDOM EX 900"; done | keyloupe run -`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("name a file of commands, or - for standard input")
			}
			return nil
		},
		ValidArgsFunction: aFile,
		RunE: func(cmd *cobra.Command, files []string) error {
			if o.show < 0 {
				return usagef("--show: %d is negative", o.show)
			}
			if o.format != "text" && o.format != "ndjson" {
				return usagef("--format: %q is none of the formats %s", o.format, strings.Join(runFormats, ", "))
			}
			for _, name := range files {
				if _, err := os.Stat(name); err != nil && name != "-" {
					return asUsage(err) // before any of the others is run
				}
			}
			c, err := f.console(cmd, console.NewStandingTime(), false)
			if err != nil {
				return err
			}
			o.shownSet = cmd.Flags().Changed("show")
			return o.run(cmd, c, files)
		},
	}
	f.add(cmd)
	cmd.Flags().IntVar(&o.show, "show", defaultShown, "number of commands to show")
	cmd.Flags().BoolVarP(&o.quiet, "quiet", "q", false, "show no commands, and no progress")
	cmd.Flags().StringVar(&o.format, "format", "text", "format: "+strings.Join(runFormats, ", "))
	complete(cmd, map[string]completions{"format": oneOf(runFormats...)})
	return cmd
}

// runOptions say how much of a run is printed.
type runOptions struct {
	show     int
	shownSet bool
	quiet    bool
	format   string
}

func (o *runOptions) run(cmd *cobra.Command, c *console.Console, files []string) error {
	out := bufio.NewWriterSize(cmd.OutOrStdout(), 1<<16)
	defer out.Flush()
	c.Out = out
	shown := console.Shown{Commands: o.show, Echo: true, Errors: cmd.ErrOrStderr()}
	if o.format == "ndjson" {
		c.JSON = true
		if !o.shownSet {
			shown.Commands = everything
		}
	}
	if o.quiet {
		c.Out, shown.Commands = io.Discard, 0
	}
	for _, name := range files {
		if err := o.file(cmd, c, name, &shown); err != nil {
			return finished(c, err)
		}
	}
	c.Out = out
	c.End()
	return finished(c, nil)
}

// file runs one of the files.
func (o *runOptions) file(cmd *cobra.Command, c *console.Console, name string, shown *console.Shown) error {
	var in io.Reader
	size := int64(0)
	if name == "-" {
		name, in = "stdin", input(cmd)
	} else {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			size = info.Size()
		}
		in = f
	}
	if !o.quiet {
		meter := progress.New(cmd.ErrOrStderr(), "bytes", size)
		defer meter.End()
		shown.Progress = meter.At
	}
	before := c.Commands
	err := c.Run(cmd.Context(), name, in, *shown)
	if shown.Commands < everything {
		shown.Commands = max(0, shown.Commands-(c.Commands-before))
	}
	return err
}
