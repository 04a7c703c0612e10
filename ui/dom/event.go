//go:build js && wasm

package dom

import (
	"fmt"
	"strings"
	"syscall/js"

	"github.com/vugu/vugu"
	vjs "github.com/vugu/vugu/js"
)

// listener is one registered DOM listener; the handler behind it changes with every build.
type listener struct {
	fn      js.Func
	handler func(vugu.DOMEvent)
}

// listen brings the listeners of n in line with its handlers. An event type may end in ".passive", for scrolling.
func (r *Renderer) listen(n *node) {
	for kind, l := range n.listeners {
		if !hasSpec(n.specs, kind) {
			unlisten(n, kind, l)
		}
	}
	for _, s := range n.specs {
		if l := n.listeners[s.EventType]; l != nil {
			l.handler = s.Func
			continue
		}
		l := &listener{handler: s.Func}
		l.fn = js.FuncOf(func(_ js.Value, args []js.Value) any { r.fire(l, args[0]); return nil })
		if n.listeners == nil {
			n.listeners = map[string]*listener{}
		}
		n.listeners[s.EventType] = l
		kind, passive := strings.CutSuffix(s.EventType, ".passive")
		n.el.Call("addEventListener", kind, l.fn, map[string]any{"passive": passive || s.Passive, "capture": s.Capture})
	}
}

func hasSpec(specs []vugu.DOMEventHandlerSpec, kind string) bool {
	for _, s := range specs {
		if s.EventType == kind {
			return true
		}
	}
	return false
}

func unlisten(n *node, kind string, l *listener) {
	name, _ := strings.CutSuffix(kind, ".passive")
	n.el.Call("removeEventListener", name, l.fn)
	l.handler = nil
	l.fn.Release()
	delete(n.listeners, kind)
}

// release takes the listeners off n's element.
func (r *Renderer) release(n *node) {
	for kind, l := range n.listeners {
		unlisten(n, kind, l)
	}
}

// fire runs a handler now or, when the DOM fired the event because we changed it (blur), after the render.
func (r *Renderer) fire(l *listener, ev js.Value) {
	run := func() {
		if l.handler == nil {
			return
		}
		r.mu.Lock()
		defer r.env.UnlockRender()
		r.guard(func() { l.handler(&event{v: ev, env: r.env}) })
	}
	if r.rendering {
		r.pending = append(r.pending, run)
		return
	}
	run()
}

// guard keeps the page alive when f panics.
func (r *Renderer) guard(f func()) {
	defer func() {
		p := recover()
		switch {
		case p == nil:
		case r.Failed != nil:
			r.Failed(p)
		default:
			js.Global().Get("console").Call("error", fmt.Sprint("dom: handler panicked: ", p))
		}
	}()
	f()
}

// event is a DOM event for Vugu handlers. Properties are read from the browser when asked for.
type event struct {
	v   js.Value
	env vugu.EventEnv
}

var _ vugu.DOMEvent = (*event)(nil)

func (e *event) Prop(keys ...string) any {
	v := e.v
	for _, k := range keys {
		if v.Type() != js.TypeObject && v.Type() != js.TypeFunction {
			return nil
		}
		v = v.Get(k)
	}
	switch v.Type() {
	case js.TypeString:
		return v.String()
	case js.TypeNumber:
		return v.Float()
	case js.TypeBoolean:
		return v.Bool()
	}
	return nil
}

func (e *event) PropString(keys ...string) string   { s, _ := e.Prop(keys...).(string); return s }
func (e *event) PropFloat64(keys ...string) float64 { f, _ := e.Prop(keys...).(float64); return f }
func (e *event) PropBool(keys ...string) bool       { b, _ := e.Prop(keys...).(bool); return b }
func (e *event) EventSummary() map[string]any       { return nil }
func (e *event) JSEvent() vjs.Value                 { return vjs.Value(e.v) }
func (e *event) JSEventTarget() vjs.Value           { return vjs.Value(e.v.Get("target")) }
func (e *event) JSEventCurrentTarget() vjs.Value    { return vjs.Value(e.v.Get("currentTarget")) }
func (e *event) EventEnv() vugu.EventEnv            { return e.env }
func (e *event) PreventDefault()                    { e.v.Call("preventDefault") }
func (e *event) StopPropagation()                   { e.v.Call("stopPropagation") }
