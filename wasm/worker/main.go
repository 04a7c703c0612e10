//go:build js && wasm

// Command worker is the Cloudflare Worker: the HTTP interface of package api behind syumai/workers.
//
//	request ─ entry.mjs ─┬─ Cache API: a result that was asked for before
//	                     ├─ one Go instance for many requests (reusable): all that is short
//	                     └─ worker.mjs, an instance of its own: long answers, which stream
//
// entry.mjs gives the instance, in the object the module calls context: env (KV), reuse (whether it
// will serve more requests), version (part of every ETag) and body (the request's, already read).
package main

import (
	"net/http"
	"runtime/debug"
	"syscall/js"

	"github.com/syumai/workers"

	"github.com/keyloupe/keyloupe/api"
)

// inMemory is up to how many points an answer is made in memory as a whole, some 200 bytes each.
const inMemory = 5000

// gcPercent is how much more than what is in use an instance for many requests lets its heap grow: most
// of it is there for good, and would be looked through again every few answers.
const gcPercent = 400

// streamHeader tells entry.mjs that the answer is long and has to come from an instance of its own.
const streamHeader = "X-Keyloupe-Stream"

func main() {
	context := js.Global().Get("context")
	version := context.Get("version")
	if version.IsUndefined() { // an instance for one request has it in what stands for ctx
		version = context.Get("ctx").Get("version")
	}
	o := api.Options{Links: links{}, Version: version.String()}
	if !context.Get("reuse").Truthy() {
		workers.Serve(api.New(o))
		return
	}
	debug.SetGCPercent(gcPercent)
	o.Stream = func(w http.ResponseWriter, points int) bool {
		if points <= inMemory {
			return false
		}
		w.Header().Set(streamHeader, "1")
		w.WriteHeader(http.StatusOK)
		return true
	}
	workers.Serve(reusable(api.New(o)))
}
