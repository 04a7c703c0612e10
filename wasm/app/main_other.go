//go:build !js

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "app runs in a browser: build it with GOOS=js GOARCH=wasm, or run `make run`")
	os.Exit(2)
}
