package ui

import "github.com/vugu/vugu"

// clipboardText is the text of a paste event.
func clipboardText(e vugu.DOMEvent) string {
	data := e.JSEvent().Get("clipboardData")
	if !data.Truthy() {
		return ""
	}
	return data.Call("getData", "text").String()
}
