//go:build js && wasm

package main

import (
	"errors"
	"fmt"
	"sort"
	"syscall/js"

	"github.com/keyloupe/keyloupe/ui"
	"github.com/keyloupe/keyloupe/ui/wire"
	"github.com/vugu/vugu"
)

// client is the engine behind a Web Worker.
type client struct {
	env    vugu.EventEnv
	module js.Value

	worker    js.Value
	callbacks []js.Func // listeners of worker
	ready     bool
	unsent    [][]byte // requests made before the worker was ready
	last      uint64
	waiting   map[uint64]func(wire.Response, error)
	lost      func(error)
	told      func(done, of int)
}

var (
	_ ui.Engine   = (*client)(nil)
	_ ui.Reporter = (*client)(nil)
)

func newClient(env vugu.EventEnv, module js.Value) *client {
	c := &client{env: env, module: module, waiting: map[uint64]func(wire.Response, error){}}
	c.spawn()
	return c
}

// Call implements ui.Engine.
func (c *client) Call(req wire.Request, done func(wire.Response, error)) {
	c.last++
	req.ID = c.last
	c.waiting[req.ID] = done
	if !c.ready {
		c.unsent = append(c.unsent, wire.Marshal(req))
		return
	}
	post(c.worker, wire.Marshal(req))
}

// OnCrash implements ui.Engine.
func (c *client) OnCrash(lost func(error)) { c.lost = lost }

// OnProgress implements ui.Reporter.
func (c *client) OnProgress(told func(done, of int)) { c.told = told }

// Restart implements ui.Engine.
func (c *client) Restart() { c.replace(ui.ErrStopped) }

// spawn starts a worker and gives it the compiled module.
func (c *client) spawn() {
	w := js.Global().Get("Worker").New("worker.js")
	c.worker, c.ready = w, false
	c.on("message", func(ev js.Value) { c.receive(ev.Get("data")) })
	c.on("error", func(ev js.Value) {
		ev.Call("preventDefault")
		c.replace(fmt.Errorf("%w: %s", ui.ErrCrashed, ev.Get("message").String()))
	})
	w.Call("postMessage", c.module)
}

// on adds a listener that runs under the state's lock and asks for a render.
func (c *client) on(kind string, f func(ev js.Value)) {
	fn := js.FuncOf(func(_ js.Value, args []js.Value) any {
		c.env.Lock()
		defer c.env.UnlockRender()
		f(args[0])
		return nil
	})
	c.callbacks = append(c.callbacks, fn)
	c.worker.Call("addEventListener", kind, fn)
}

func (c *client) receive(data js.Value) {
	if data.Type() == js.TypeString && data.String() == readyMessage {
		c.ready = true
		for _, m := range c.unsent {
			post(c.worker, m)
		}
		c.unsent = nil
		return
	}
	message, ok := fromJS(data)
	if !ok { // worker.js: the program ended
		c.replace(fmt.Errorf("%w: %s", ui.ErrCrashed, data.Get("ended").String()))
		return
	}
	var r wire.Response
	if err := wire.Unmarshal(message, &r); err != nil {
		c.replace(fmt.Errorf("%w: %v", ui.ErrCrashed, err))
		return
	}
	if r.Crash != "" {
		c.replace(fmt.Errorf("%w: %s", ui.ErrCrashed, r.Crash))
		return
	}
	if r.Progress != nil && c.told != nil {
		c.told(r.Progress.Done, r.Progress.Of)
	}
	if done := c.waiting[r.ID]; done != nil {
		delete(c.waiting, r.ID)
		done(r, nil)
	}
}

// replace ends the worker, starts another and tells the calls in flight why, oldest first.
func (c *client) replace(why error) {
	c.worker.Call("terminate")
	for _, fn := range c.callbacks {
		fn.Release()
	}
	c.callbacks, c.unsent = nil, nil
	waiting := c.waiting
	c.waiting = map[uint64]func(wire.Response, error){}
	c.spawn()
	ids := make([]uint64, 0, len(waiting))
	for id := range waiting {
		ids = append(ids, id)
	}
	sort.Slice(ids, func(i, j int) bool { return ids[i] < ids[j] })
	for _, id := range ids {
		waiting[id](wire.Response{}, why)
	}
	if errors.Is(why, ui.ErrCrashed) && c.lost != nil {
		c.lost(why)
	}
}
