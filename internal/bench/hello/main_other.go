//go:build !js

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "hello runs on workerd: `make bench` builds and runs it")
	os.Exit(2)
}
