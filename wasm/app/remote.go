//go:build js && wasm

package main

import (
	"errors"
	"syscall/js"

	"github.com/keyloupe/keyloupe/ui"
	"github.com/keyloupe/keyloupe/ui/wire"
	"github.com/vugu/vugu"
)

// remote is the engine behind the server that the page came from: `keyloupe resp --http`. boot.js has the fetch.
type remote struct {
	env     vugu.EventEnv
	answer  js.Func
	session string
	last    int
	calls   map[int]*call
}

// call is a request on its way.
type call struct {
	stop js.Value // an AbortController
	run  bool     // of commands: ending it closes the connection that they run on
	done func(wire.Response, error)
}

var _ ui.Engine = (*remote)(nil)

func newRemote(env vugu.EventEnv) *remote {
	r := &remote{env: env, calls: map[int]*call{}}
	r.answer = js.FuncOf(func(_ js.Value, a []js.Value) any {
		env.Lock()
		defer env.UnlockRender()
		data, _ := fromJS(a[2])
		r.answered(a[0].Int(), a[1].Int(), data)
		return nil
	})
	return r
}

// Call implements ui.Engine.
func (r *remote) Call(req wire.Request, done func(wire.Response, error)) {
	r.last++
	req.Session = r.session
	body, _ := toJS(wire.Marshal(req))
	stop := js.Global().Get("keyloupe").Call("call", "live/call?v="+wire.Fingerprint(), body, r.last, r.answer)
	r.calls[r.last] = &call{stop, req.Run != nil, done}
}

// answered takes the answer to a call, of HTTP status 0 where there is none; of others than 200 it is text.
func (r *remote) answered(id, status int, data []byte) {
	c := r.calls[id]
	if c == nil { // it was stopped
		return
	}
	delete(r.calls, id)
	var out wire.Response
	var err error
	switch status {
	case 200:
		err = wire.Unmarshal(data, &out)
	case 410:
		err = ui.ErrGone
	case 0, 408, 502, 503, 504: // it stops, or is behind something that cannot reach it
		err = ui.ErrLost
	default:
		err = errors.New(string(data))
	}
	if out.Opened != nil {
		r.session = out.Opened.Session
	}
	c.done(out, err)
}

// OnCrash implements ui.Engine: what crashes behind HTTP does not answer.
func (r *remote) OnCrash(func(error)) {}

// Restart implements ui.Engine.
func (r *remote) Restart() {
	for id, c := range r.calls {
		if c.run {
			delete(r.calls, id)
			c.stop.Call("abort")
			c.done(wire.Response{}, ui.ErrStopped)
		}
	}
}
