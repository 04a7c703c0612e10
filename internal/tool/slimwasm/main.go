// Command slimwasm makes a Go WebAssembly module smaller and quicker. The program does what it did, but for what a panic
// prints: functions' names without files, lines and arguments. What is taken out:
//
//   - the tables of files and lines, and those that only a trace prints or only a preempting signal asks for (pclntab.go)
//   - the table that leads from addresses to functions, the same in each program: 320 bytes a function, made when the module
//     starts (unpack.go)
//   - repetition in what is known of each function (pack.go)
//   - the detour that jumps between the blocks of a function take, and the labels that nothing then needs (jumps.go)
//   - sums of 64 bits for addresses of 32 in the stack frame (stack.go)
//   - what makes the same code of calls differ from place to place (calls.go)
//
// The last four it does with knowledge of what Go's assembler writes (body.go); functions of any other make stay as they are,
// and so does a module with tables of another make than Go 1.20's and later.
package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: slimwasm MODULE SLIMMED")
		os.Exit(2)
	}
	if err := slimFile(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "slimwasm:", err)
		os.Exit(1)
	}
}

// slimFile writes to another file, because go build takes a program that it finds as it would link it for up to date.
func slimFile(from, to string) error {
	module, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	slim, err := Slim(module)
	if err != nil {
		fmt.Printf("%s stays as it is: %v\n", from, err)
		slim = module
	} else {
		fmt.Printf("%s %d bytes, slimmed %d\n", from, len(module), len(slim))
	}
	return os.WriteFile(to, slim, 0o755)
}
