package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/keyloupe/keyloupe/engine/catalog"
	"github.com/keyloupe/keyloupe/engine/release"
)

// completions is what completes the value of a flag.
type completions = cobra.CompletionFunc

// oneOf completes one word of several.
func oneOf(words ...string) completions {
	return cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
}

// listOf completes the last word of a list separated by commas, with those that are not in it yet.
func listOf(words ...string) completions {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		before := typed[:strings.LastIndexByte(typed, ',')+1]
		named := strings.Split(before, ",")
		var out []string
		for _, w := range words {
			if !slices.Contains(named, w) {
				out = append(out, before+w)
			}
		}
		return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
}

// aFile and aDir leave it to the shell.
func aFile(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveDefault
}

func aDir(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// directives completes the names of the directives that the servers named by --server know.
func directives(cmd *cobra.Command, _ []string, _ string) (names []string, _ cobra.ShellCompDirective) {
	server, _ := cmd.Flags().GetString("server")
	server, _, _ = strings.Cut(server, ",")
	rel, err := release.Parse(server)
	if err != nil {
		rel = release.MustParse(release.Newest(release.V91))
	}
	for _, c := range catalog.For(rel.Version).Configs {
		names = append(names, c.Name+"=")
	}
	return names, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// serverNames is the newest release of each line in each build.
func serverNames() (names []string) {
	for l := range release.Lines() {
		newest := release.Newest(release.Line(l))
		names = append(names, newest)
		for _, b := range release.BuildNames()[1:] {
			names = append(names, newest+"@"+b)
		}
	}
	return names
}

// complete says what completes the values of a command's flags.
func complete(cmd *cobra.Command, flags map[string]completions) {
	for name, f := range flags {
		if err := cmd.RegisterFlagCompletionFunc(name, f); err != nil {
			panic(err) // a flag that is not there
		}
	}
}

// completeNothing has the shell offer no file names where cmd, and every command below it, does not
// say what completes an argument or a flag.
func completeNothing(cmd *cobra.Command) {
	if cmd.ValidArgsFunction == nil && len(cmd.ValidArgs) == 0 {
		cmd.ValidArgsFunction = cobra.NoFileCompletions
	}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if _, known := cmd.GetFlagCompletionFunc(f.Name); !known {
			complete(cmd, map[string]completions{f.Name: cobra.NoFileCompletions})
		}
	})
	for _, c := range cmd.Commands() {
		completeNothing(c)
	}
}
