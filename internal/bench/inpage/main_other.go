//go:build !js

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "inpage runs in WebAssembly: `make bench` builds and runs it")
	os.Exit(2)
}
