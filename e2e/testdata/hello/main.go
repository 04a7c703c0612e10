// Command hello is the plainest program of syumai/workers: what the Worker is measured beside.
package main

import (
	"io"
	"net/http"

	"github.com/syumai/workers"
)

func main() {
	workers.Serve(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "hello\n") }))
}
