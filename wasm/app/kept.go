//go:build js && wasm

package main

import (
	"errors"
	"net/url"
	"syscall/js"

	"github.com/keyloupe/keyloupe/engine/sweep"
	"github.com/keyloupe/keyloupe/ui"
	"github.com/keyloupe/keyloupe/ui/link"
)

// kept gives the fragment that a page opens with: of one that names a kept link, what is kept under
// its id, asked of the server that the page came from. then runs under the lock.
func (b *browser) kept(fragment string, then func(fragment string, err error)) {
	s, err := link.Parse(fragment)
	if err != nil || s.Link == "" {
		then(fragment, nil)
		return
	}
	failed := errors.New("the link " + s.Link + " could not be read: there is none of that name here, or the server does not answer")
	done := func(fragment string, err error) { b.locked(func() { then(fragment, err) }) }
	promise := js.Global().Call("fetch", ui.Site(b.FullAddress())+"api/links/"+url.PathEscape(s.Link))
	read := func(v js.Value) {
		fragment, err := keptFragment(v)
		if err != nil {
			done("", err)
			return
		}
		done(fragment, nil)
	}
	var ok, body, bad js.Func
	release := func() { ok.Release(); body.Release(); bad.Release() }
	ok = js.FuncOf(func(_ js.Value, a []js.Value) any {
		if !a[0].Get("ok").Bool() {
			return js.Global().Get("Promise").Call("reject", "status")
		}
		return a[0].Call("json")
	})
	body = js.FuncOf(func(_ js.Value, a []js.Value) any { release(); go read(a[0]); return nil })
	bad = js.FuncOf(func(js.Value, []js.Value) any { release(); go done("", failed); return nil })
	promise.Call("then", ok).Call("then", body, bad)
}

// keptFragment is the fragment of what /api/links/ID answers: the state of a page, or a sweep.
func keptFragment(v js.Value) (string, error) {
	if state := v.Get("state"); state.Type() == js.TypeString {
		return state.String(), nil
	}
	spec, err := sweep.ParseJSON([]byte(js.Global().Get("JSON").Call("stringify", v.Get("sweep")).String()))
	if err != nil {
		return "", err
	}
	return link.State{Sweep: spec.Query()}.String(), nil
}
