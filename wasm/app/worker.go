//go:build js && wasm

package main

import (
	"encoding/json"
	"fmt"
	"runtime/debug"
	"syscall/js"

	"github.com/keyloupe/keyloupe/ui/lab"
	"github.com/keyloupe/keyloupe/ui/wire"
)

// readyMessage is the worker's first message: requests posted before it would be lost.
const readyMessage = "ready"

// runEngine answers the page's messages, in order, until one of them makes it panic.
func runEngine() {
	self := js.Global()
	inbox := make(chan string, 1<<16)
	self.Call("addEventListener", "message", js.FuncOf(func(_ js.Value, args []js.Value) any {
		if d := args[0].Get("data"); d.Type() == js.TypeString {
			inbox <- d.String()
		}
		return nil
	}))
	self.Call("postMessage", readyMessage)
	var l lab.Lab
	for text := range inbox {
		out := answer(&l, text)
		data, err := json.Marshal(out)
		if err != nil {
			panic(err) // responses are plain data
		}
		self.Call("postMessage", string(data))
		if out.Crash != "" {
			return
		}
	}
}

// answer handles one request; a panic becomes the response's Crash.
func answer(l *lab.Lab, text string) (out wire.Response) {
	var req wire.Request
	defer func() {
		if p := recover(); p != nil {
			out = wire.Response{ID: req.ID, Crash: fmt.Sprintf("%v\n%s", p, debug.Stack())}
		}
	}()
	if err := json.Unmarshal([]byte(text), &req); err != nil {
		return wire.Response{Error: err.Error()}
	}
	return l.Handle(req)
}
