package main

import (
	"github.com/spf13/cobra"

	"github.com/keyloupe/keyloupe/internal/term"
)

// addColor registers the flag that says when a command's output is coloured.
func addColor(cmd *cobra.Command, when *term.When) {
	cmd.Flags().Var(when, "color", "when to use colours: auto, always or never; auto heeds NO_COLOR and TERM=dumb")
	complete(cmd, map[string]completions{"color": oneOf(term.Whens...)})
}
