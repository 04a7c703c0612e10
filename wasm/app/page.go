//go:build js && wasm

package main

import (
	"fmt"
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
	app := ui.NewApp(newClient(env, js.Global().Get("keyloupe").Get("module")))
	build, err := vugu.NewBuildEnv(env)
	if err != nil {
		panic(err)
	}
	env.Lock()
	app.Start()
	env.UnlockOnly()
	for {
		if err := renderer.Render(build.RunBuild(app)); err != nil {
			panic(fmt.Sprint("render: ", err))
		}
		renderer.EventWait()
	}
}
