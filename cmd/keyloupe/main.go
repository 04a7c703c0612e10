// Command keyloupe serves the Keyloupe page and does its work on the command line.
package main

import (
	"context"
	"os"
)

func main() {
	os.Exit(exitCode(newRoot().ExecuteContext(untilSignal(context.Background()))))
}
