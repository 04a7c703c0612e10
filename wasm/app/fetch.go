//go:build js && wasm

package main

import (
	"errors"
	"reflect"
	"strings"
	"syscall/js"

	"github.com/keyloupe/keyloupe/engine/scenario"
	"github.com/keyloupe/keyloupe/ui"
)

// fetch asks the page's own site for a file of JSON. done runs in a goroutine, off the lock; its error is not for people.
func (b *browser) fetch(name string, done func(v js.Value, err error)) {
	var ok, body, bad js.Func
	release := func() { ok.Release(); body.Release(); bad.Release() }
	ok = js.FuncOf(func(_ js.Value, a []js.Value) any {
		if !a[0].Get("ok").Bool() {
			return js.Global().Get("Promise").Call("reject", a[0].Get("status"))
		}
		return a[0].Call("json")
	})
	body = js.FuncOf(func(_ js.Value, a []js.Value) any { release(); go done(a[0], nil); return nil })
	bad = js.FuncOf(func(_ js.Value, a []js.Value) any {
		release()
		go done(js.Undefined(), errors.New(js.Global().Get("String").Invoke(a[0]).String()))
		return nil
	})
	js.Global().Call("fetch", ui.Site(b.FullAddress())+name).Call("then", ok).Call("then", body, bad)
}

// Scenarios implements ui.Platform.
func (b *browser) Scenarios(done func([]*scenario.Report, error)) {
	b.fetch("scenarios.json", func(v js.Value, err error) {
		var all []*scenario.Report
		if err != nil {
			err = errors.New("the server answers no scenarios.json (" + err.Error() + ")")
		} else {
			fill(reflect.ValueOf(&all).Elem(), v)
		}
		b.locked(func() { done(all, err) })
	})
}

// fill copies what JSON held into a Go value, by the names in its tags; what is not there stays empty. encoding/json would be 45 KB
// more to download.
func fill(to reflect.Value, v js.Value) {
	if v.IsNull() || v.IsUndefined() {
		return
	}
	switch to.Kind() {
	case reflect.String:
		to.SetString(js.Global().Get("String").Invoke(v).String())
	case reflect.Bool:
		to.SetBool(v.Truthy())
	case reflect.Int:
		to.SetInt(int64(v.Int()))
	case reflect.Pointer:
		to.Set(reflect.New(to.Type().Elem()))
		fill(to.Elem(), v)
	case reflect.Slice:
		to.Set(reflect.MakeSlice(to.Type(), v.Length(), v.Length()))
		for i := range to.Len() {
			fill(to.Index(i), v.Index(i))
		}
	case reflect.Struct:
		for i := range to.NumField() {
			name, _, _ := strings.Cut(to.Type().Field(i).Tag.Get("json"), ",")
			fill(to.Field(i), v.Get(name))
		}
	}
}
