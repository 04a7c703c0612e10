package main

import (
	"strings"
	"testing"
)

// made is what vugugen writes, in its own words.
const made = `package ui

import "fmt"
import "reflect"
import "github.com/vugu/vjson"
import "github.com/vugu/vugu"
import js "github.com/vugu/vugu/js"
import "log"

func (c *X) Build(vgin *vugu.BuildIn) (vgout *vugu.BuildOut) {
	vgn = &vugu.VGNode{Type: vugu.VGNodeType(3), Namespace: "", Data: "div", Attr: []vugu.VGAttribute{{Namespace: "", Key: "class", Val: "a \"b\""}}}
	vgout.Out = append(vgout.Out, vgn)	// root for output
	{
		vgparent := vgn
		vgn = &vugu.VGNode{Type: vugu.VGNodeType(1), Data: "\n  "}
		vgparent.AppendChild(vgn)
		vgn = &vugu.VGNode{Type: vugu.VGNodeType(1), Data: " "}
		vgparent.AppendChild(vgn)
		vgn = &vugu.VGNode{Type: vugu.VGNodeType(3), Namespace: "", Data: "b", Attr: []vugu.VGAttribute{{Namespace: "", Key: "class", Val: "x}y"}, vugu.VGAttribute{Namespace: "", Key: "id", Val: "z"}}}
		vgparent.AppendChild(vgn)
		vgn.SetInnerHTML(c.text(f(1)))
		vgn = &vugu.VGNode{Type: vugu.VGNodeType(3), Namespace: "svg", Data: "g", Attr: []vugu.VGAttribute(nil)}
		vgparent.AppendChild(vgn)
		vgn.SetInnerHTML(vugu.HTML("\x3Cb\x3E"))
		vgn.DOMEventHandlerSpecList = append(vgn.DOMEventHandlerSpecList, vugu.DOMEventHandlerSpec{
			EventType:	"click",
			Func:		func(event vugu.DOMEvent) { c.a(); c.b(event, func() {}) },
			// TODO: implement capture, etc. mostly need to decide syntax
		})
		vgn.JSCreateHandler = vugu.JSValueFunc(func(value js.Value) { c.made(value) })
	}
	return vgout
}

// 'fix' unused imports
var _ fmt.Stringer
var _ reflect.Type
var _ vjson.RawMessage
var _ js.Value
var _ log.Logger
`

const small = `package ui

import "github.com/vugu/vugu"
import js "github.com/vugu/vugu/js"

func (c *X) Build(vgin *vugu.BuildIn) (vgout *vugu.BuildOut) {
	vgn = &vugu.VGNode{Type: vugu.VGNodeType(3), Namespace: "", Data: "div", Attr: []vugu.VGAttribute{{Namespace: "", Key: "class", Val: "a \"b\""}}}
	vgout.Out = append(vgout.Out, vgn) // root for output
	{
		vgparent := vgn
		content(vgparent, " ")
		vgn = element(vgparent, "b", "class", "x}y", "id", "z")
		content(vgn, c.text(f(1)))
		vgn = &vugu.VGNode{Type: vugu.VGNodeType(3), Namespace: "svg", Data: "g", Attr: []vugu.VGAttribute(nil)}
		vgparent.AppendChild(vgn)
		vgn.SetInnerHTML(vugu.HTML("\x3Cb\x3E"))
		listen(vgn, "click", func(event vugu.DOMEvent) { c.a(); c.b(event, func() {}) })
		vgn.JSCreateHandler = vugu.JSValueFunc(func(value js.Value) { c.made(value) })
	}
	return vgout
}

var _ js.Value
`

func TestGeneratedCodeIsShrunk(t *testing.T) {
	got, err := Shrink([]byte(made))
	if err != nil {
		t.Fatal(err)
	}
	squash := func(s string) string {
		lines := strings.FieldsFunc(s, func(r rune) bool { return r == '\n' })
		return strings.Join(lines, "\n")
	}
	if squash(string(got)) != squash(small) {
		t.Errorf("got\n%s\nwant\n%s", got, small)
	}
}
