//go:build js && wasm

package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"syscall/js"
	"time"

	"github.com/keyloupe/keyloupe/ui"
	"github.com/keyloupe/keyloupe/ui/store"
	"github.com/vugu/vugu"
)

// browser is the page's window.
type browser struct {
	env   vugu.EventEnv
	doc   js.Value
	after []func() // to do when the next render is done

	jobs chan job
	once sync.Once
}

// job is work on the stored documents; what it returns runs under the lock.
type job func(*store.Store) func()

var _ ui.Platform = (*browser)(nil)

func newBrowser(env vugu.EventEnv) *browser {
	return &browser{env: env, doc: js.Global().Get("document"), jobs: make(chan job, 1024)}
}

func (b *browser) Now() int64 { return time.Now().UnixMilli() }

// SetFragment implements ui.Platform. Browsers throw where the address changes too often or is too long.
func (b *browser) SetFragment(f string) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the browser refused to change the address: %v", p)
		}
	}()
	if f != "" {
		f = "#" + f
	}
	loc := js.Global().Get("location")
	js.Global().Get("history").Call("replaceState", nil, "", loc.Get("pathname").String()+loc.Get("search").String()+f)
	return nil
}

func (b *browser) Address() string { return js.Global().Get("location").Get("href").String() }

func (b *browser) FullAddress() string {
	loc := js.Global().Get("location")
	path := loc.Get("pathname").String()
	if site, ok := strings.CutSuffix(strings.TrimSuffix(path, "/"), "/embed"); ok {
		path = site + "/"
	}
	return loc.Get("origin").String() + path + loc.Get("hash").String()
}

// Copy implements ui.Platform.
func (b *browser) Copy(text string, done func(error)) {
	clip := js.Global().Get("navigator").Get("clipboard")
	if !clip.Truthy() {
		done(errors.New("no clipboard"))
		return
	}
	var ok, bad js.Func
	finish := func(err error) any {
		ok.Release()
		bad.Release()
		b.locked(func() { done(err) })
		return nil
	}
	ok = js.FuncOf(func(js.Value, []js.Value) any { return finish(nil) })
	bad = js.FuncOf(func(_ js.Value, a []js.Value) any { return finish(fmt.Errorf("%v", a[0].Call("toString"))) })
	clip.Call("writeText", text).Call("then", ok, bad)
}

// After implements ui.Platform.
func (b *browser) After(ms int, f func()) {
	var fn js.Func
	fn = js.FuncOf(func(js.Value, []js.Value) any {
		fn.Release()
		b.locked(f)
		return nil
	})
	js.Global().Call("setTimeout", fn, ms)
}

func (b *browser) locked(f func()) {
	b.env.Lock()
	defer b.env.UnlockRender()
	f()
}

func (b *browser) Focus(id string) {
	b.with(id, func(el js.Value) { el.Call("focus", map[string]any{"preventScroll": false}) })
}

func (b *browser) Reveal(id string) {
	b.with(id, func(el js.Value) { el.Call("scrollIntoView", map[string]any{"block": "nearest"}) })
}

func (b *browser) ScrollTo(id string, top int) {
	b.with(id, func(el js.Value) {
		if top < 0 {
			top = el.Get("scrollHeight").Int()
		}
		el.Set("scrollTop", top)
	})
}

func (b *browser) with(id string, f func(el js.Value)) {
	b.after = append(b.after, func() {
		if el := b.doc.Call("getElementById", id); el.Truthy() {
			f(el)
		}
	})
}

// rendered does what waited for the document to be in line with the state.
func (b *browser) rendered() {
	list := b.after
	b.after = nil
	for _, f := range list {
		f()
	}
}

func (b *browser) Visible() bool { return b.doc.Get("visibilityState").String() != "hidden" }

func (b *browser) Width() int { return js.Global().Get("innerWidth").Int() }

// Download implements ui.Platform.
func (b *browser) Download(name, mime string, data []byte) { b.save(name, blob(mime, data)) }

func blob(mime string, data []byte) js.Value {
	bytes := js.Global().Get("Uint8Array").New(len(data))
	js.CopyBytesToJS(bytes, data)
	return js.Global().Get("Blob").New([]any{bytes}, map[string]any{"type": mime})
}

// save offers a blob as a file.
func (b *browser) save(name string, data js.Value) {
	url := js.Global().Get("URL").Call("createObjectURL", data)
	a := b.doc.Call("createElement", "a")
	a.Set("href", url)
	a.Set("download", name)
	a.Call("click")
	b.After(revokeAfter, func() { js.Global().Get("URL").Call("revokeObjectURL", url) })
}

// revokeAfter is how long a file may take to be on its way, in milliseconds.
const revokeAfter = 60_000

// Raster implements ui.Platform.
func (b *browser) Raster(name string, svg []byte, done func(error)) {
	url := js.Global().Get("URL").Call("createObjectURL", blob("image/svg+xml", svg))
	img := js.Global().Get("Image").New()
	var loaded, refused, drawn js.Func
	finish := func(err error) {
		js.Global().Get("URL").Call("revokeObjectURL", url)
		for _, f := range []js.Func{loaded, refused, drawn} {
			f.Release()
		}
		b.locked(func() { done(err) })
	}
	drawn = js.FuncOf(func(_ js.Value, a []js.Value) any {
		if !a[0].Truthy() {
			finish(errors.New("the browser made no picture"))
			return nil
		}
		b.save(name, a[0])
		finish(nil)
		return nil
	})
	loaded = js.FuncOf(func(js.Value, []js.Value) any {
		canvas := b.doc.Call("createElement", "canvas")
		w, h := 2*img.Get("naturalWidth").Int(), 2*img.Get("naturalHeight").Int()
		canvas.Set("width", w)
		canvas.Set("height", h)
		canvas.Call("getContext", "2d").Call("drawImage", img, 0, 0, w, h)
		canvas.Call("toBlob", drawn)
		return nil
	})
	refused = js.FuncOf(func(js.Value, []js.Value) any {
		finish(errors.New("the browser cannot draw the picture"))
		return nil
	})
	img.Set("onload", loaded)
	img.Set("onerror", refused)
	img.Set("src", url)
}

func (b *browser) SetTheme(theme string) {
	root := b.doc.Get("documentElement")
	if theme == "" {
		root.Call("removeAttribute", "data-theme")
		return
	}
	root.Call("setAttribute", "data-theme", theme)
}

// Storage implements ui.Platform. IndexedDB must be waited for in a goroutine: one does all the work, in order.
func (b *browser) Storage(f func(*store.Store) func()) {
	b.once.Do(func() { go b.work() })
	b.doc.Get("documentElement").Call("setAttribute", storing, "")
	b.jobs <- f
}

// storing marks the document while something is not stored yet: what leaves the page then is lost.
const storing = "data-storing"

func (b *browser) work() {
	s := store.OpenBrowser(context.Background(), "keyloupe")
	for f := range b.jobs {
		b.locked(f(s))
		if len(b.jobs) == 0 {
			b.doc.Get("documentElement").Call("removeAttribute", storing)
		}
	}
}
