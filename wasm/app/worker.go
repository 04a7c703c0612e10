//go:build js && wasm

package main

import (
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
	inbox := make(chan []byte, 1<<16)
	self.Call("addEventListener", "message", js.FuncOf(func(_ js.Value, args []js.Value) any {
		if m, ok := fromJS(args[0].Get("data")); ok {
			inbox <- m
		}
		return nil
	}))
	self.Call("postMessage", readyMessage)
	var l lab.Lab
	l.Progress = func(done, of int) {
		post(self, wire.Marshal(wire.Response{Progress: &wire.Progress{Done: done, Of: of}}))
	}
	for m := range inbox {
		out := answer(&l, m)
		post(self, wire.Marshal(out))
		if out.Crash != "" {
			return
		}
	}
}

// answer handles one request; a panic becomes the response's Crash.
func answer(l *lab.Lab, message []byte) (out wire.Response) {
	var req wire.Request
	defer func() {
		if p := recover(); p != nil {
			out = wire.Response{ID: req.ID, Crash: fmt.Sprintf("%v\n%s", p, debug.Stack())}
		}
	}()
	if err := wire.Unmarshal(message, &req); err != nil {
		return wire.Response{Error: err.Error()}
	}
	return l.Handle(req)
}
