//go:build js && wasm

// Command hello is the least that syumai/workers can do: the endpoint's peer on workerd.
package main

import (
	"io"
	"net/http"

	"github.com/syumai/workers"
)

func main() {
	workers.Serve(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "hello\n") }))
}
