package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/keyloupe/keyloupe/engine/release"
)

func init() { subcommands = append(subcommands, newVersion) }

func newVersion() *cobra.Command {
	var rules bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print which build this is, and the rules it simulates by",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if rules {
				return printRules(cmd.OutOrStdout())
			}
			_, err := fmt.Fprintln(cmd.OutOrStdout(), buildLine())
			return err
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

// buildLine names the module version or, in a build from a checkout, the commit.
func buildLine() string {
	version, commit, dirty := "(unknown)", "", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		version = info.Main.Version
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				commit = " commit " + s.Value
			case "vcs.modified":
				if s.Value == "true" {
					dirty = " (modified)"
				}
			}
		}
	}
	return fmt.Sprintf("keyloupe %s%s%s %s %s/%s", version, commit, dirty, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
