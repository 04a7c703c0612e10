//go:build js && wasm

package dom

import (
	"fmt"
	"strings"
	"syscall/js"
	"testing"

	"github.com/vugu/vugu"
)

// view is a component whose output a test writes down as a tree.
type view struct {
	build func() []*vugu.VGNode
	same  bool // return the last output again
	last  *vugu.BuildOut
}

func (v *view) Build(*vugu.BuildIn) *vugu.BuildOut {
	if v.same && v.last != nil {
		return v.last
	}
	out := &vugu.BuildOut{Out: v.build()}
	for _, n := range out.Out {
		_ = n.Walk(func(n *vugu.VGNode) error {
			if c, ok := n.Component.(vugu.Builder); ok {
				out.Components = append(out.Components, c)
			}
			return nil
		})
	}
	v.last = out
	return out
}

// el makes an element; strings are text, "key=value" pairs before them attributes.
func el(tag string, parts ...any) *vugu.VGNode {
	n := &vugu.VGNode{Type: vugu.ElementNode, Data: tag}
	for _, p := range parts {
		switch p := p.(type) {
		case vugu.VGAttribute:
			n.Attr = append(n.Attr, p)
		case vugu.DOMEventHandlerSpec:
			n.DOMEventHandlerSpecList = append(n.DOMEventHandlerSpecList, p)
		case string:
			n.AppendChild(&vugu.VGNode{Type: vugu.TextNode, Data: p})
		case *vugu.VGNode:
			n.AppendChild(p)
		case vugu.Builder:
			n.AppendChild(&vugu.VGNode{Component: p})
		}
	}
	return n
}

func attr(k, v string) vugu.VGAttribute { return vugu.VGAttribute{Key: k, Val: v} }
func on(kind string, f func()) vugu.DOMEventHandlerSpec {
	return vugu.DOMEventHandlerSpec{EventType: kind, Func: func(vugu.DOMEvent) { f() }}
}

// page is a renderer on an empty mount.
type page struct {
	t     *testing.T
	r     *Renderer
	env   *vugu.BuildEnv
	root  vugu.Builder
	mount js.Value
}

func newPage(t *testing.T, root vugu.Builder) *page {
	t.Helper()
	js.Global().Get("document").Call("getElementById", "mount").Call("replaceChildren")
	r, err := New("#mount")
	if err != nil {
		t.Fatal(err)
	}
	r.Failed = func(p any) { t.Errorf("panic: %v", p) }
	env, err := vugu.NewBuildEnv(r.EventEnv())
	if err != nil {
		t.Fatal(err)
	}
	p := &page{t, r, env, root, r.mount}
	p.render()
	return p
}

func (p *page) render() {
	p.t.Helper()
	if err := p.r.Render(p.env.RunBuild(p.root)); err != nil {
		p.t.Fatal(err)
	}
}

func (p *page) want(html string) {
	p.t.Helper()
	if got := p.mount.Get("innerHTML").String(); got != html {
		p.t.Fatalf("the DOM is\n%s\nwant\n%s", got, html)
	}
}

func (p *page) find(selector string) js.Value { return p.mount.Call("querySelector", selector) }

func list(items string) []*vugu.VGNode {
	ul := el("ul")
	for _, s := range strings.Fields(items) {
		ul.AppendChild(el("li", attr("data-key", s), s))
	}
	return []*vugu.VGNode{ul}
}

func TestATreeBecomesDOM(t *testing.T) {
	markup := "x<b>y</b>"
	p := newPage(t, &view{build: func() []*vugu.VGNode {
		text := el("span", "a <b> & c")
		html := el("i")
		html.InnerHTML = &markup
		return []*vugu.VGNode{el("div", attr("class", "a"), "\n  ", el("p", "one ", "two"), "\n", text, html)}
	}})
	p.want(`<div class="a"><p>one two</p><span>a &lt;b&gt; &amp; c</span><i>x<b>y</b></i></div>`)
	if n := p.find("span").Get("childNodes").Length(); n != 1 {
		t.Errorf("content became %d nodes, want one text node", n)
	}
}

func TestOnlyWhatChangedIsTouched(t *testing.T) {
	n := 1
	p := newPage(t, &view{build: func() []*vugu.VGNode {
		div := el("div", attr("data-n", fmt.Sprint(n)))
		for i := range 500 {
			div.AppendChild(el("i", fmt.Sprint(i)))
		}
		div.AppendChild(el("b", fmt.Sprint(n)))
		return []*vugu.VGNode{div}
	}})
	p.render()
	if p.r.Touched != 0 {
		t.Errorf("an equal tree touched %d nodes", p.r.Touched)
	}
	n = 2
	p.render()
	if p.r.Touched != 2 {
		t.Errorf("one attribute and one text touched %d nodes", p.r.Touched)
	}
}

func TestKeyedChildrenKeepTheirElements(t *testing.T) {
	items := "a b c d e f"
	p := newPage(t, &view{build: func() []*vugu.VGNode { return list(items) }})
	cases := []struct {
		items   string
		touched int
	}{
		{"z a b c d e f", 2},     // one li and its text
		{"a b c d e f", 1},       // one removal
		{"b c d e f g", 3},       // a window moves on
		{"g b c d e f", 1},       // the last becomes the first
		{"f e d c b g", 5},       // reversed but for one
		{"", 6},                  // all gone
		{"x y", 4},               // and new ones
		{"y new x other", 5},     // swapped with new ones between
		{"a b c d e f g h i", 0}, // any number
	}
	for _, c := range cases {
		was := map[string]js.Value{}
		for _, s := range strings.Fields(items) {
			was[s] = p.find(`[data-key="` + s + `"]`)
		}
		items = c.items
		p.render()
		var html strings.Builder
		for _, s := range strings.Fields(items) {
			fmt.Fprintf(&html, `<li data-key="%s">%s</li>`, s, s)
			if e, ok := was[s]; ok && !e.Equal(p.find(`[data-key="`+s+`"]`)) {
				t.Errorf("%q: %s got a new element", items, s)
			}
		}
		p.want("<ul>" + html.String() + "</ul>")
		if c.touched > 0 && p.r.Touched != c.touched {
			t.Errorf("%q touched %d nodes, want %d", items, p.r.Touched, c.touched)
		}
	}
}

func TestAnElementThatAppearsBeforeAnotherDoesNotTakeItsFocus(t *testing.T) {
	busy := false
	p := newPage(t, &view{build: func() []*vugu.VGNode {
		div := el("div")
		if busy {
			div.AppendChild(el("div", attr("class", "progress"), "running"))
		}
		div.AppendChild(el("div", attr("class", "prompt wide"), el("input")))
		return []*vugu.VGNode{div}
	}})
	p.find("input").Call("focus")
	for range 2 {
		busy = !busy
		p.render()
		if !js.Global().Get("document").Get("activeElement").Equal(p.find("input")) {
			t.Fatalf("busy %v: the input lost the focus", busy)
		}
	}
}

func TestAnUnchangedComponentCostsNothingAndMayMove(t *testing.T) {
	clicks := 0
	inner := &view{same: true, build: func() []*vugu.VGNode {
		return []*vugu.VGNode{el("button", on("click", func() { clicks++ }), "hit"), el("hr")}
	}}
	before := 0
	p := newPage(t, &view{build: func() []*vugu.VGNode {
		div := el("div")
		for i := range before {
			div.AppendChild(el("button", fmt.Sprint(i)))
		}
		div.AppendChild(&vugu.VGNode{Component: inner})
		return []*vugu.VGNode{div}
	}})
	p.render()
	if p.r.Touched != 0 {
		t.Errorf("an unchanged component touched %d nodes", p.r.Touched)
	}
	before = 2
	p.render()
	p.want(`<div><button>0</button><button>1</button><button>hit</button><hr></div>`)
	p.find("button:nth-of-type(3)").Call("click")
	p.find("button:nth-of-type(1)").Call("click")
	if clicks != 1 {
		t.Errorf("the moved button was clicked once, its handler ran %d times", clicks)
	}
}

func TestAComponentThatMovesToAnotherParentStillListens(t *testing.T) {
	clicks, right := 0, false
	inner := &view{same: true, build: func() []*vugu.VGNode {
		return []*vugu.VGNode{el("button", on("click", func() { clicks++ }), "hit")}
	}}
	p := newPage(t, &view{build: func() []*vugu.VGNode {
		a, b := el("p"), el("div")
		if right {
			b.AppendChild(&vugu.VGNode{Component: inner})
		} else {
			a.AppendChild(&vugu.VGNode{Component: inner})
		}
		return []*vugu.VGNode{el("main", a, b)}
	}})
	for _, want := range []string{`<p></p><div><button>hit</button></div>`, `<p><button>hit</button></p><div></div>`} {
		right = !right
		p.render()
		p.want("<main>" + want + "</main>")
		p.find("button").Call("click")
	}
	if clicks != 2 {
		t.Errorf("two clicks ran the handler %d times", clicks)
	}
}

func TestHandlersAreReplacedAndRemoved(t *testing.T) {
	var heard []string
	name, listening := "first", true
	p := newPage(t, &view{build: func() []*vugu.VGNode {
		b := el("button")
		if listening {
			n := name
			b.DOMEventHandlerSpecList = []vugu.DOMEventHandlerSpec{on("click", func() { heard = append(heard, n) })}
		}
		return []*vugu.VGNode{el("div", b)}
	}})
	p.find("button").Call("click")
	name = "second"
	p.render()
	p.find("button").Call("click")
	listening = false
	p.render()
	p.find("button").Call("click")
	if got := strings.Join(heard, " "); got != "first second" {
		t.Errorf("heard %q", got)
	}
}

func TestRemovingAFocusedInputRunsItsBlurAfterTheRender(t *testing.T) {
	shown, blurred := true, 0
	p := newPage(t, &view{build: func() []*vugu.VGNode {
		div := el("div")
		if shown {
			div.AppendChild(el("input", on("blur", func() { blurred++ })))
		}
		return []*vugu.VGNode{div}
	}})
	p.find("input").Call("focus")
	shown = false
	p.render() // must not deadlock; whether a removed element still hears its blur is the browser's affair
	p.want(`<div></div>`)
	if blurred > 1 {
		t.Errorf("blur ran %d times", blurred)
	}
}

func TestStyleAttributesGoThroughTheObjectModel(t *testing.T) {
	width := "6.25%"
	p := newPage(t, &view{build: func() []*vugu.VGNode {
		return []*vugu.VGNode{el("div", el("i", attr("style", "width:"+width)))}
	}})
	width = "50%"
	p.render()
	if got := p.find("i").Get("style").Get("width").String(); got != "50%" {
		t.Errorf("width is %q", got)
	}
}

func TestValuePropertiesWinOverWhatWasTyped(t *testing.T) {
	p := newPage(t, &view{build: func() []*vugu.VGNode {
		return []*vugu.VGNode{el("div", el("input", attr("prop-value", "state"), attr("prop-checked", "true"), attr("type", "text")))}
	}})
	p.find("input").Set("value", "typed")
	p.render()
	if got := p.find("input").Get("value").String(); got != "state" {
		t.Errorf("value is %q", got)
	}
	if !p.find("input").Get("checked").Bool() || p.find("input").Call("hasAttribute", "prop-value").Bool() {
		t.Error("a property was set as an attribute")
	}
}

func TestLongAttributesAndTextsArriveWhole(t *testing.T) {
	long := strings.Repeat("é<&\x00ß", 20_000)
	p := newPage(t, &view{build: func() []*vugu.VGNode {
		return []*vugu.VGNode{el("div", attr("title", long), long)}
	}})
	if got := p.find("div").Get("title").String(); got != long {
		t.Errorf("the attribute has %d bytes, want %d", len(got), len(long))
	}
	if got := p.find("div").Get("textContent").String(); got != long {
		t.Errorf("the text has %d bytes, want %d", len(got), len(long))
	}
}

func TestAPanickingHandlerLeavesThePageAlive(t *testing.T) {
	clicks := 0
	p := newPage(t, &view{build: func() []*vugu.VGNode {
		return []*vugu.VGNode{el("div", el("button", on("click", func() { clicks++; panic("boom") })))}
	}})
	var failed []any
	p.r.Failed = func(v any) { failed = append(failed, v) }
	p.find("button").Call("click")
	p.find("button").Call("click")
	if clicks != 2 || len(failed) != 2 {
		t.Errorf("%d clicks, %d reports", clicks, len(failed))
	}
}

func TestSVGElementsLiveInTheirNamespace(t *testing.T) {
	p := newPage(t, &view{build: func() []*vugu.VGNode {
		svg := el("svg", attr("viewBox", "0 0 1 1"))
		svg.Namespace = "svg"
		return []*vugu.VGNode{el("div", svg)}
	}})
	if uri := p.find("svg").Get("namespaceURI").String(); uri != namespaces["svg"] {
		t.Errorf("namespace %q", uri)
	}
}

func BenchmarkRenderTwoThousandCellsUnchanged(b *testing.B) {
	js.Global().Get("document").Call("getElementById", "mount").Call("replaceChildren")
	r, err := New("#mount")
	if err != nil {
		b.Fatal(err)
	}
	env, err := vugu.NewBuildEnv(r.EventEnv())
	if err != nil {
		b.Fatal(err)
	}
	root := &view{build: func() []*vugu.VGNode {
		div := el("div")
		for i := range 2000 {
			div.AppendChild(el("i", attr("class", "c"), attr("data-c", "x"), fmt.Sprint(i)))
		}
		return []*vugu.VGNode{div}
	}}
	for b.Loop() {
		if err := r.Render(env.RunBuild(root)); err != nil {
			b.Fatal(err)
		}
	}
}
