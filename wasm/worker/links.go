//go:build js && wasm

package main

import (
	"context"
	"errors"
	"syscall/js"

	"github.com/keyloupe/keyloupe/api"
)

// links keeps links in Workers KV, under the binding LINKS.
type links struct{}

const keyPrefix = "link:"

var errNoBinding = errors.New("the KV namespace LINKS is not bound")

// namespace is the binding of the request being served.
func namespace() (js.Value, error) {
	ns := js.Global().Get("context").Get("env").Get("LINKS")
	if ns.IsUndefined() || ns.IsNull() {
		return ns, errNoBinding
	}
	return ns, nil
}

// Get returns what is kept under an id.
func (links) Get(_ context.Context, id string) ([]byte, error) {
	ns, err := namespace()
	if err != nil {
		return nil, err
	}
	v, err := call(ns, "get", keyPrefix+id)
	switch {
	case err != nil:
		return nil, err
	case v.IsNull():
		return nil, api.ErrNoLink
	}
	return []byte(v.String()), nil
}

// Put keeps content under an id. It writes without reading first: a read that finds nothing would be
// remembered for a minute where it was made, and hide the link. KV refuses a second write of a key
// within a second; when the same content is there, all is well.
func (l links) Put(ctx context.Context, id string, content []byte) error {
	ns, err := namespace()
	if err != nil {
		return err
	}
	if _, err = call(ns, "put", keyPrefix+id, string(content)); err == nil {
		return nil
	}
	if old, getErr := l.Get(ctx, id); getErr == nil && string(old) == string(content) {
		return nil
	}
	return err
}

// call calls a method that returns a promise and waits for it. (The module's own wait leaves one of
// its two callbacks behind on every call, which a lasting instance can't afford.)
func call(v js.Value, method string, args ...any) (result js.Value, err error) {
	done := make(chan struct{})
	var promise js.Value
	if err := catch(func() { promise = v.Call(method, args...) }); err != nil {
		return result, err
	}
	then := js.FuncOf(func(_ js.Value, args []js.Value) any {
		result = args[0]
		close(done)
		return nil
	})
	defer then.Release()
	failed := js.FuncOf(func(_ js.Value, args []js.Value) any {
		err = errors.New(args[0].Call("toString").String())
		close(done)
		return nil
	})
	defer failed.Release()
	promise.Call("then", then, failed)
	<-done
	return result, err
}

// catch turns an exception into an error.
func catch(f func()) (err error) {
	defer func() {
		if v := recover(); v != nil {
			e, ok := v.(js.Error)
			if !ok {
				panic(v)
			}
			err = e
		}
	}()
	f()
	return nil
}
