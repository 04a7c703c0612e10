//go:build js && wasm

package dom

import (
	"slices"
	"strings"
	"syscall/js"

	"github.com/vugu/vugu"
)

// node is one rendered node: what Vugu asked for and the DOM node that shows it.
type node struct {
	typ       vugu.VGNodeType
	ns, tag   string // tag, or the text of a text node
	key       any    // identity among siblings, nil when matched by position
	class     string // the first word of its class: what it is
	attrs     []vugu.VGAttribute
	props     []property
	inner     string // markup known when the page was built, instead of children
	specs     []vugu.DOMEventHandlerSpec
	create    vugu.JSValueHandler
	populate  vugu.JSValueHandler
	kids      []*node
	el, was   js.Value // the DOM node, and the one before born
	listeners map[string]*listener
	born      uint64 // the render that made el
}

// property is a JavaScript property of an element, written in a template as the attribute prop-NAME. Vugu's own way,
// .NAME, passes the value through encoding/json, which alone would be a thirtieth of the page's download.
type property struct{ name, value string }

const propPrefix = "prop-"

// without is the attributes less number i; the first call copies them, as they belong to Vugu.
func without(attrs, all []vugu.VGAttribute, i int) []vugu.VGAttribute {
	if len(attrs) == len(all) {
		attrs = slices.Clone(attrs)
	}
	return slices.DeleteFunc(attrs, func(a vugu.VGAttribute) bool { return a == all[i] })
}

// js is the value as the property takes it.
func (p property) js() any {
	if p.name == "checked" {
		return p.value == "true"
	}
	return p.value
}

// componentKey is the identity of the i-th root node of a component.
type componentKey struct {
	component vugu.Builder
	i         int
}

// flat is what a component's output became, kept to recognise it when nothing changed.
type flat struct {
	out   *vugu.BuildOut
	nodes []*node
}

// flattener turns build results into trees of nodes, reusing those of components that did not change.
type flattener struct {
	results *vugu.BuildResults
	last    map[any]flat
	now     map[any]flat
}

func (f *flattener) component(c vugu.Builder, out []*node) []*node {
	built := f.results.ResultFor(c)
	if last, ok := f.last[c]; ok && last.out == built && len(built.Components) == 0 {
		f.now[c] = last
		return append(out, last.nodes...)
	}
	var nodes []*node
	for _, n := range built.Out {
		nodes = f.node(n, nodes)
	}
	for i, n := range nodes {
		if n.key == nil {
			n.key = componentKey{c, i}
		}
	}
	f.now[c] = flat{built, nodes}
	return append(out, nodes...)
}

func (f *flattener) node(n *vugu.VGNode, out []*node) []*node {
	switch {
	case n.Component != nil:
		return f.component(n.Component.(vugu.Builder), out)
	case n.IsTemplate():
		return f.children(n, out)
	case n.Type == vugu.TextNode && isLayout(n.Data):
		return out
	}
	m := &node{typ: n.Type, ns: n.Namespace, tag: n.Data, attrs: n.Attr,
		specs: n.DOMEventHandlerSpecList, create: n.JSCreateHandler, populate: n.JSPopulateHandler}
	for i, a := range n.Attr {
		switch {
		case a.Key == "data-key":
			m.key = a.Val
		case a.Key == "class":
			m.class, _, _ = strings.Cut(a.Val, " ")
		case strings.HasPrefix(a.Key, propPrefix):
			m.props = append(m.props, property{a.Key[len(propPrefix):], a.Val})
			m.attrs = without(m.attrs, n.Attr, i)
		}
	}
	switch {
	case n.InnerHTML == nil:
		m.kids = f.children(n, nil)
	default:
		m.inner = *n.InnerHTML
	}
	return append(out, m)
}

func (f *flattener) children(n *vugu.VGNode, out []*node) []*node {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		out = f.node(c, out)
	}
	return out
}

// isLayout tells white space that only formats the template from white space that somebody should see.
func isLayout(s string) bool {
	return strings.Contains(s, "\n") && strings.TrimSpace(s) == ""
}

// same tells whether the DOM node of a can become that of b.
func same(a, b *node) bool {
	return a.typ == b.typ && a.ns == b.ns && a.key == b.key && (a.inner == "") == (b.inner == "") &&
		(a.typ != vugu.ElementNode || a.tag == b.tag && (a.class == b.class || a.key != nil))
}
