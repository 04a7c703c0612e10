package main

import (
	"strings"

	"github.com/spf13/cobra"
)

func init() { subcommands = append(subcommands, newCompletion) }

// shells are those that completions can be made for.
var shells = []string{"bash", "zsh", "fish", "powershell"}

func newCompletion() *cobra.Command {
	return &cobra.Command{
		Use:   "completion " + strings.Join(shells, "|"),
		Short: "Print what completes commands, flags and values in your shell",
		Long: `Completion prints a script that lets your shell complete keyloupe's commands, flags, servers, formats and file names.

Bash needs the package bash-completion, zsh a line "autoload -Uz compinit; compinit" in ~/.zshrc.`,
		Example: `  keyloupe completion bash > ~/.local/share/bash-completion/completions/keyloupe
  keyloupe completion zsh > "${fpath[1]}/_keyloupe"
  keyloupe completion fish > ~/.config/fish/completions/keyloupe.fish
  keyloupe completion powershell >> $PROFILE`,
		ValidArgs: shells,
		Args:      oneShell,
		RunE: func(cmd *cobra.Command, args []string) error {
			root, out := cmd.Root(), cmd.OutOrStdout()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(out, true)
			case "zsh":
				return root.GenZshCompletion(out)
			case "fish":
				return root.GenFishCompletion(out, true)
			}
			return root.GenPowerShellCompletionWithDesc(out)
		},
	}
}

func oneShell(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return usagef("name one shell of %s", strings.Join(shells, ", "))
	}
	if cobra.OnlyValidArgs(cmd, args) != nil {
		return usagef("%q is none of the shells %s", args[0], strings.Join(shells, ", "))
	}
	return nil
}
