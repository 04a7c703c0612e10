// Command tidygen tidies the Go code that vugugen made in a folder (*_gen.go): it leaves out the text nodes that only
// format a template, which ui/dom would drop at every build of the page, and formats the rest.
package main

import (
	"fmt"
	"go/format"
	"os"
	"path/filepath"
	"regexp"
)

// layout is a text node of white space with a line feed in it, and what hangs it into the tree.
var layout = regexp.MustCompile(`(?m)^\s*vgn = &vugu\.VGNode\{Type: vugu\.VGNodeType\(1\), Data: "\\n *"\}\n\s*vgparent\.AppendChild\(vgn\)\n`)

func main() {
	if len(os.Args) != 2 {
		fail(fmt.Errorf("usage: tidygen FOLDER"))
	}
	files, err := filepath.Glob(filepath.Join(os.Args[1], "*_gen.go"))
	if err != nil {
		fail(err)
	}
	for _, name := range files {
		if err := tidy(name); err != nil {
			fail(fmt.Errorf("%s: %w", name, err))
		}
	}
}

func tidy(name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if text, err = format.Source(layout.ReplaceAll(text, nil)); err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o644)
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
