//go:build man

package main

import (
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"
)

// Only a build with -tags man writes manual pages: what makes them (doc) does not get into the
// program that people run.
func init() { subcommands = append(subcommands, newMan) }

func newMan() *cobra.Command {
	return &cobra.Command{
		Use:    "man DIR",
		Short:  "Write a manual page for every command into a folder",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			date, err := pageDate()
			if err != nil {
				return err
			}
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return err
			}
			forManual(cmd.Root())
			return doc.GenManTree(cmd.Root(), &doc.GenManHeader{Section: "1", Source: "Keyloupe", Manual: "Keyloupe", Date: &date}, args[0])
		},
	}
}

// pageDate is the date in the pages: SOURCE_DATE_EPOCH, Unix time in seconds, so that the same commit
// gives the same pages; today without it.
func pageDate() (time.Time, error) {
	epoch := os.Getenv("SOURCE_DATE_EPOCH")
	if epoch == "" {
		return time.Now(), nil
	}
	seconds, err := strconv.ParseInt(epoch, 10, 64)
	return time.Unix(seconds, 0).UTC(), err
}

// forManual writes a command's texts, and those of the commands below it, as the Markdown that doc
// expects.
func forManual(cmd *cobra.Command) {
	cmd.Short, cmd.Long = escaped(cmd.Short), markdown(cmd.Long)
	cmd.Flags().VisitAll(func(f *pflag.Flag) { f.Usage = escaped(f.Usage) })
	for _, c := range cmd.Commands() {
		forManual(c)
	}
}

// markdown keeps the lines that are indented as they are, and the rest free of what Markdown would
// take for marks.
func markdown(text string) string {
	lines, verbatim := strings.Split(text, "\n"), false
	var out []string
	for _, l := range lines {
		indented := strings.HasPrefix(l, "  ")
		if indented != verbatim {
			out = append(out, "```")
		}
		if verbatim = indented; !indented {
			l = escaped(l)
		}
		out = append(out, l)
	}
	if verbatim {
		out = append(out, "```")
	}
	return strings.Join(out, "\n")
}

var escaped = strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "`", "\\`", "<", `\<`, "|", `\|`, "~", `\~`, "#", `\#`).Replace
