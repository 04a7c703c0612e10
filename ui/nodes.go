package ui

import "github.com/vugu/vugu"

// What the generated code builds nodes with (internal/tool/vugu).

// element appends an element with attributes, name and value in turn, to its parent.
func element(parent *vugu.VGNode, tag string, attrs ...string) *vugu.VGNode {
	n := node(tag, attrs...)
	parent.AppendChild(n)
	return n
}

// listen adds a handler for an event.
func listen(n *vugu.VGNode, event string, f func(vugu.DOMEvent)) {
	n.DOMEventHandlerSpecList = append(n.DOMEventHandlerSpecList, vugu.DOMEventHandlerSpec{EventType: event, Func: f})
}

// content makes a text an element's content.
func content(n *vugu.VGNode, text string) {
	n.AppendChild(&vugu.VGNode{Type: vugu.TextNode, Data: text})
}

func node(tag string, attrs ...string) *vugu.VGNode {
	n := &vugu.VGNode{Type: vugu.ElementNode, Data: tag}
	if len(attrs) > 0 {
		n.Attr = make([]vugu.VGAttribute, 0, len(attrs)/2+2)
	}
	for i := 0; i < len(attrs); i += 2 {
		n.Attr = append(n.Attr, vugu.VGAttribute{Key: attrs[i], Val: attrs[i+1]})
	}
	return n
}

func textNode(tag, class, text string) *vugu.VGNode {
	n := node(tag, "class", class)
	content(n, text)
	return n
}
