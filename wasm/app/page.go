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

// runPage draws the page and keeps it in line with its state.
func runPage() {
	renderer, err := dom.New("#app")
	if err != nil {
		panic(err)
	}
	env := renderer.EventEnv()
	loc := js.Global().Get("location")
	embed := strings.HasSuffix(strings.TrimSuffix(loc.Get("pathname").String(), "/"), "/embed")
	b := newBrowser(env)
	app := ui.NewApp(newClient(env, js.Global().Get("keyloupe").Get("module")), b, embed)
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
	for {
		if err := renderer.Render(build.RunBuild(app)); err != nil {
			panic(fmt.Sprint("render: ", err))
		}
		b.rendered()
		renderer.EventWait()
	}
}
