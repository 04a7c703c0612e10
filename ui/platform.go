package ui

import (
	"github.com/keyloupe/keyloupe/engine/scenario"
	"github.com/keyloupe/keyloupe/ui/store"
)

// Platform is what the page needs of its browser. Every callback runs under the lock of the components' state.
type Platform interface {
	Now() int64                              // Unix time in milliseconds
	SetFragment(fragment string) error       // of the address, without a history entry
	Copy(text string, done func(error))      // to the clipboard
	Address() string                         // of the page, fragment included
	FullAddress() string                     // of the same page outside an embed
	After(ms int, f func())                  // once
	Focus(id string)                         // after the next render
	Reveal(id string)                        // scrolls an element into view after the next render
	ScrollTo(id string, top int)             // of a scrolled element, after the next render; below 0 its end
	Width() int                              // of the window, in pixels
	Visible() bool                           // whether anybody can see the page; App.Seen is told when that begins
	Download(name, mime string, data []byte) // offers a file
	SetTheme(theme string)                   // light, dark or "" for the system's
	// Raster offers an SVG picture as a PNG file, drawn twice as large as it says.
	Raster(name string, svg []byte, done func(error))
	Scenarios(done func([]*scenario.Report, error)) // of the file that the build makes
	Storage(func(*store.Store) (done func()))       // runs off the lock, done under it
}
