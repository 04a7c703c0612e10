//go:build js && wasm

package dom

import (
	"fmt"
	"slices"
	"sync"
	"syscall/js"

	"github.com/vugu/vugu"
	vjs "github.com/vugu/vugu/js"
)

// namespaces are those that Vugu's parser names by a short word.
var namespaces = map[string]string{"svg": "http://www.w3.org/2000/svg", "math": "http://www.w3.org/1998/Math/MathML"}

// Renderer shows build results inside one element.
type Renderer struct {
	doc, mount js.Value
	root       *node
	flats      map[any]flat
	gen        uint64

	mu        sync.RWMutex
	wanted    chan bool
	env       *vugu.EventEnvImpl
	rendering bool
	after     []func() // create and populate handlers, run when the tree stands
	pending   []func() // events fired by the DOM while it is being changed

	// Touched counts the DOM nodes and attributes written by the last Render.
	Touched int
	// Failed is told what an event handler or a callback panicked with. Nil prints it to the console.
	Failed func(any)
}

// New makes a renderer that replaces the children of the element that selector finds.
func New(selector string) (*Renderer, error) {
	r := &Renderer{doc: js.Global().Get("document"), wanted: make(chan bool, 1)}
	r.mount = r.doc.Call("querySelector", selector)
	if !r.mount.Truthy() {
		return nil, fmt.Errorf("dom: no element %q", selector)
	}
	r.env = vugu.NewEventEnvImpl(&r.mu, r.wanted)
	return r, nil
}

// EventEnv is the lock around the components' state; UnlockRender asks for a Render.
func (r *Renderer) EventEnv() vugu.EventEnv { return r.env }

// EventWait blocks until a render is wanted.
func (r *Renderer) EventWait() bool { return <-r.wanted }

// Render brings the DOM in line with built, whose root must be one element.
func (r *Renderer) Render(built *vugu.BuildResults) error {
	r.mu.RLock()
	err := r.render(built)
	r.mu.RUnlock()
	r.run(&r.after)
	r.run(&r.pending)
	return err
}

func (r *Renderer) render(built *vugu.BuildResults) error {
	r.rendering = true
	defer func() { r.rendering = false }()
	r.Touched = 0
	r.gen++
	f := &flattener{results: built, last: r.flats, now: make(map[any]flat, len(r.flats))}
	var top []*node
	for _, n := range built.Out.Out {
		top = f.node(n, top)
	}
	if len(top) != 1 || top[0].typ != vugu.ElementNode {
		return fmt.Errorf("dom: the root component must be one element, it is %d nodes", len(top))
	}
	r.flats = f.now
	if r.root != nil && same(r.root, top[0]) {
		r.patch(r.root, top[0])
	} else {
		if r.root != nil {
			r.drop(r.root)
		}
		r.mount.Call("replaceChildren", r.make(top[0]))
	}
	r.root = top[0]
	return nil
}

func (r *Renderer) run(queue *[]func()) {
	list := *queue
	*queue = nil
	for _, f := range list {
		r.guard(f)
	}
}

// make creates the DOM of n and what is in it.
func (r *Renderer) make(n *node) js.Value {
	r.Touched++
	r.release(n) // n may be shown elsewhere, when an unchanged component moves to another parent
	n.was, n.born = n.el, r.gen
	switch n.typ {
	case vugu.TextNode:
		n.el = r.doc.Call("createTextNode", n.tag)
		return n.el
	case vugu.CommentNode:
		n.el = r.doc.Call("createComment", n.tag)
		return n.el
	}
	if uri := namespaces[n.ns]; uri != "" {
		n.el = r.doc.Call("createElementNS", uri, n.tag)
	} else {
		n.el = r.doc.Call("createElement", n.tag)
	}
	for _, a := range n.attrs {
		setAttr(n.el, a)
	}
	if n.inner != "" {
		n.el.Set("innerHTML", n.inner)
	}
	for _, k := range n.kids {
		n.el.Call("appendChild", r.make(k))
	}
	r.setProps(n)
	r.listen(n)
	r.call(n.create, n.el)
	r.call(n.populate, n.el)
	return n.el
}

// element is the DOM node that n had before this render.
func (r *Renderer) element(n *node) js.Value {
	if n.born == r.gen {
		return n.was
	}
	return n.el
}

func setAttr(el js.Value, a vugu.VGAttribute) {
	switch a.Key {
	case "xmlns":
	case "style":
		el.Get("style").Set("cssText", a.Val)
	default:
		el.Call("setAttribute", a.Key, a.Val)
	}
}

// call queues a component's create or populate handler.
func (r *Renderer) call(h vugu.JSValueHandler, el js.Value) {
	if h != nil {
		r.after = append(r.after, func() { h.JSValueHandle(vjs.Value(el)) })
	}
}

// drop forgets n and what is in it; its DOM nodes are removed by the caller.
func (r *Renderer) drop(n *node) {
	if n.born == r.gen { // shown anew in this render, in another place
		return
	}
	r.release(n)
	for _, k := range n.kids {
		r.drop(k)
	}
}

// patch gives n the DOM of old, which is of the same kind, and changes what differs.
func (r *Renderer) patch(old, n *node) {
	if old == n {
		return
	}
	n.el, n.born = old.el, old.born
	if n.typ != vugu.ElementNode {
		if n.tag != old.tag {
			r.Touched++
			n.el.Set("data", n.tag)
		}
		return
	}
	r.patchAttrs(old, n)
	if n.inner == "" {
		r.patchKids(n.el, old.kids, n.kids)
	} else if n.inner != old.inner {
		r.Touched++
		n.el.Set("innerHTML", n.inner)
	}
	r.setProps(n)
	n.listeners, old.listeners = old.listeners, nil
	r.listen(n)
	r.call(n.populate, n.el)
}

func (r *Renderer) patchAttrs(old, n *node) {
	if slices.Equal(old.attrs, n.attrs) {
		return
	}
	was := make(map[string]string, len(old.attrs))
	for _, a := range old.attrs {
		was[a.Key] = a.Val
	}
	for _, a := range n.attrs {
		if v, ok := was[a.Key]; !ok || v != a.Val {
			r.Touched++
			setAttr(n.el, a)
		}
		delete(was, a.Key)
	}
	for k := range was {
		r.Touched++
		n.el.Call("removeAttribute", k)
	}
}

// patchKids matches the common beginning and end by position, and what is between them by key.
func (r *Renderer) patchKids(el js.Value, old, kids []*node) {
	first := 0
	for first < len(old) && first < len(kids) && same(old[first], kids[first]) {
		r.patch(old[first], kids[first])
		first++
	}
	oldEnd, end := len(old), len(kids)
	for oldEnd > first && end > first && same(old[oldEnd-1], kids[end-1]) {
		oldEnd--
		end--
		r.patch(old[oldEnd], kids[end])
	}
	before := js.Null()
	if end < len(kids) {
		before = kids[end].el
	}
	r.replace(el, old[first:oldEnd], kids[first:end], before)
}

// replace turns old siblings into kids, all of them standing before the DOM node before.
func (r *Renderer) replace(el js.Value, old, kids []*node, before js.Value) {
	at := make(map[any]int, len(old)) // key → position in old
	for i, o := range old {
		if o.key != nil {
			at[o.key] = i
		}
	}
	from := make([]int, len(kids))
	kept := make([]bool, len(old))
	for i, k := range kids {
		from[i] = -1
		if k.key == nil {
			continue
		}
		if p, ok := at[k.key]; ok && !kept[p] && same(old[p], k) {
			from[i], kept[p] = p, true
		}
	}
	for p, o := range old {
		if !kept[p] {
			r.Touched++
			el.Call("removeChild", r.element(o)) // may fire blur, which waits for the render to end
			r.drop(o)
		}
	}
	next := len(old) // siblings from here on stand in order
	for i := len(kids) - 1; i >= 0; i-- {
		k := kids[i]
		switch p := from[i]; {
		case p < 0:
			el.Call("insertBefore", r.make(k), before)
		case p < next:
			r.patch(old[p], k)
			next = p
		default:
			r.patch(old[p], k)
			r.Touched++
			el.Call("insertBefore", k.el, before)
		}
		before = k.el
	}
}

// setProps writes the properties that differ from what the DOM has now.
func (r *Renderer) setProps(n *node) {
	for _, p := range n.props {
		if v := js.ValueOf(p.js()); !n.el.Get(p.name).Equal(v) {
			r.Touched++
			n.el.Set(p.name, v)
		}
	}
}
