//go:build js && wasm

package main

import "syscall/js"

// toJS copies a message into a new Uint8Array; its buffer can be handed over to the other side without another copy.
func toJS(message []byte) (array, buffer js.Value) {
	array = js.Global().Get("Uint8Array").New(len(message))
	js.CopyBytesToJS(array, message)
	return array, array.Get("buffer")
}

// fromJS copies a message that the other side posted; ok is false for anything that is none.
func fromJS(v js.Value) (message []byte, ok bool) {
	if v.Type() != js.TypeObject || !v.InstanceOf(js.Global().Get("Uint8Array")) {
		return nil, false
	}
	message = make([]byte, v.Length())
	js.CopyBytesToGo(message, v)
	return message, true
}

// post gives a message to a worker, or to the page of one.
func post(to js.Value, message []byte) {
	array, buffer := toJS(message)
	to.Call("postMessage", array, []any{buffer})
}
