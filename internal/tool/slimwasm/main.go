// Command slimwasm takes the line tables out of a Go WebAssembly module: what a panic prints then has the functions'
// names without files and lines. They are a sixth of a compressed module, and no visitor of a page reads them.
//
//	pcHeader | funcnametab | cutab | filetab | pctab | functab, _func...     (runtime/symtab.go, since Go 1.20)
//
// Each _func has offsets into pctab: of its stack map (pcsp), its files (pcfile), its lines (pcln) and more. The tool sets
// the offsets of files and lines to 0, which the runtime takes for "none", clears their tables where nothing else shares
// them, and writes the data section again without the zeroes. A module whose tables it does not know it leaves alone.
package main

import (
	"fmt"
	"os"
)

func main() {
	for _, name := range os.Args[1:] {
		if err := slimFile(name); err != nil {
			fmt.Fprintln(os.Stderr, "slimwasm:", err)
			os.Exit(1)
		}
	}
}

func slimFile(name string) error {
	module, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	slim, err := Slim(module)
	if err != nil {
		fmt.Printf("%s stays as it is: %v\n", name, err)
		return nil
	}
	fmt.Printf("%s %d bytes, without line tables %d\n", name, len(module), len(slim))
	return os.WriteFile(name, slim, 0o755)
}
