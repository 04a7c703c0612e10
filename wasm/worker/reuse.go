//go:build js && wasm

package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"syscall/js"

	"github.com/keyloupe/keyloupe/api"
)

// rawBodyWriter is implemented by the module's ResponseWriter. A body handed over this way skips its
// pipe, whose Close ends the program after the first answer.
type rawBodyWriter interface{ WriteRawJSBody(js.Value) }

// collected is an answer held in memory.
type collected struct {
	http.ResponseWriter
	status int
	body   *bytes.Buffer
}

// buffers are those of answers before: most have the size of the next one.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func (c *collected) WriteHeader(status int) {
	if c.status == 0 {
		c.status = status
	}
}

func (c *collected) Write(p []byte) (int, error) {
	c.WriteHeader(http.StatusOK)
	return c.body.Write(p)
}

var uint8Array = js.Global().Get("Uint8Array")

// reusable lets one instance answer many requests: it takes the body that JavaScript has read,
// collects the whole answer and hands it over as one Uint8Array. A panic becomes a 500 in place of
// the end of the instance.
func reusable(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.NoBody
		if b := js.Global().Get("context").Get("body"); b.Truthy() {
			text := make([]byte, b.Length())
			js.CopyBytesToGo(text, b)
			r.Body = io.NopCloser(bytes.NewReader(text))
		}
		c := &collected{ResponseWriter: w, body: buffers.Get().(*bytes.Buffer)}
		defer buffers.Put(c.body)
		c.body.Reset()
		serve(h, c, r)
		c.WriteHeader(http.StatusOK)
		if r.Method != http.MethodHead && c.status != http.StatusNotModified && c.status != http.StatusNoContent {
			w.Header().Set("Content-Length", strconv.Itoa(c.body.Len()))
		}
		w.WriteHeader(c.status)
		array := uint8Array.New(c.body.Len())
		js.CopyBytesToJS(array, c.body.Bytes())
		w.(rawBodyWriter).WriteRawJSBody(array)
	})
}

func serve(h http.Handler, c *collected, r *http.Request) {
	defer func() {
		v := recover()
		if v == nil {
			return
		}
		fmt.Println("panic serving", r.URL.Path, v)
		clear(c.Header())
		c.body.Reset()
		c.status = http.StatusInternalServerError
		c.Header().Set("Content-Type", "application/json")
		c.Header().Set("Cache-Control", "no-store")
		c.body.Write(api.AppendError(nil, &api.Error{Code: "internal", Message: "internal error"}))
	}()
	h.ServeHTTP(c, r)
}
