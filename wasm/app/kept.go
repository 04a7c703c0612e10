//go:build js && wasm

package main

import (
	"errors"
	"net/url"
	"syscall/js"

	"github.com/keyloupe/keyloupe/engine/sweep"
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
	b.fetch("api/links/"+url.PathEscape(s.Link), func(v js.Value, err error) {
		if err == nil {
			fragment, err = keptFragment(v)
		} else {
			fragment, err = "", errors.New("the link "+s.Link+" could not be read: there is none of that name here, or the server does not answer")
		}
		b.locked(func() { then(fragment, err) })
	})
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
