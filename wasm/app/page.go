//go:build js && wasm

package main

import (
	"fmt"
	"strings"
	"syscall/js"

	"github.com/keyloupe/keyloupe/ui"
	"github.com/keyloupe/keyloupe/ui/dom"
	"github.com/vugu/vugu"
)

// newApp makes the page that is at a path of its site, with its engine.
func newApp(env vugu.EventEnv, b *browser, path string) *ui.App {
	path = strings.TrimSuffix(path, "/")
	if strings.HasSuffix(path, "/live") {
		return ui.NewApp(newRemote(env), b, ui.Live)
	}
	role := ui.Playground
	if strings.HasSuffix(path, "/embed") {
		role = ui.Embed
	}
	return ui.NewApp(newClient(env, js.Global().Get("keyloupe").Get("module")), b, role)
}

// runPage draws the page and keeps it in line with its state.
func runPage() {
	renderer, err := dom.New("#app")
	if err != nil {
		panic(err)
	}
	env := renderer.EventEnv()
	loc := js.Global().Get("location")
	b := newBrowser(env)
	app := newApp(env, b, loc.Get("pathname").String())
	build, err := vugu.NewBuildEnv(env)
	if err != nil {
		panic(err)
	}
	env.Lock()
	b.kept(loc.Get("hash").String(), func(fragment string, err error) {
		app.Start(fragment)
		app.Failed(err)
	})
	env.UnlockOnly()
	js.Global().Call("addEventListener", "hashchange", js.FuncOf(func(js.Value, []js.Value) any {
		b.locked(func() {
			b.kept(loc.Get("hash").String(), func(fragment string, err error) {
				app.Navigate(fragment)
				app.Failed(err)
			})
		})
		return nil
	}))
	js.Global().Call("addEventListener", "resize", js.FuncOf(func(js.Value, []js.Value) any {
		b.locked(app.Resized)
		return nil
	}))
	js.Global().Get("document").Call("addEventListener", "visibilitychange", js.FuncOf(func(js.Value, []js.Value) any {
		b.locked(app.Seen)
		return nil
	}))
	for {
		if err := renderer.Render(build.RunBuild(app)); err != nil {
			panic(fmt.Sprint("render: ", err))
		}
		b.rendered()
		renderer.EventWait()
	}
}
