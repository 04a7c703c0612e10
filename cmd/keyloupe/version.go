package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/keyloupe/keyloupe/engine/release"
)

func init() { subcommands = append(subcommands, newVersion) }

func newVersion() *cobra.Command {
	var rules bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print which build this is, and the rules it simulates by",
		Long: `Version prints the version of this program, the commit it was built from, the Go that built it, whether the page is
in it, and the releases it simulates.

--rules prints every rule that differs between releases: its value from each release on, the pull request, the file it is
written in, and whether it was measured, read or assumed.`,
		Example: "  keyloupe version\n  keyloupe version --rules",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if rules {
				return printRules(cmd.OutOrStdout())
			}
			return printBuild(cmd.OutOrStdout())
		},
	}
	cmd.Flags().BoolVar(&rules, "rules", false, "print every rule that differs between releases: its values, who says so, how sure it is")
	return cmd
}

// printRules prints each rule with its value from each release on.
func printRules(w io.Writer) error {
	for _, r := range release.Rules() {
		if _, err := fmt.Fprintf(w, "%s: %s\n  source: %s\n", r.ID, r.What, r.Source); err != nil {
			return err
		}
		for _, s := range r.Steps {
			line := fmt.Sprintf("  from %s: %d, %s", s.From, s.Value, s.Evidence)
			if s.PR != "" {
				line += ", " + s.PR
			}
			if s.Note != "" {
				line += " (" + s.Note + ")"
			}
			if _, err := fmt.Fprintln(w, line); err != nil {
				return err
			}
		}
	}
	return nil
}

// build tells programs apart.
type build struct {
	version  string // of the module; "(devel)" from a checkout without version control
	commit   string // "" where it is not known
	time     string // of the commit
	modified bool   // something was not committed
}

func thisBuild() build {
	b := build{version: "(unknown)"}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	b.version = info.Main.Version
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.commit = s.Value
		case "vcs.time":
			b.time = s.Value
		case "vcs.modified":
			b.modified = s.Value == "true"
		}
	}
	return b
}

// printBuild prints what a report of a fault should say.
func printBuild(w io.Writer) error {
	b := thisBuild()
	text := "keyloupe " + b.version + "\n"
	if b.commit != "" {
		text += "commit   " + b.commit + ", " + b.time
		if b.modified {
			text += ", and changes that are not committed"
		}
		text += "\n"
	}
	page := "built in"
	if _, err := pageFiles(""); err != nil {
		page = "not built in: make build puts it there"
	}
	lines := make([]string, 0, len(release.Lines()))
	for l := range release.Lines() {
		lines = append(lines, release.Newest(release.Line(l)))
	}
	text += fmt.Sprintf("go       %s %s/%s\npage     %s\nservers  every release up to %s\n",
		runtime.Version(), runtime.GOOS, runtime.GOARCH, page, strings.Join(lines, ", "))
	_, err := io.WriteString(w, text)
	return err
}
