// Command app is the program of the page, built for js/wasm.
//
// The one binary has two roles. In a window it is the page: package ui, drawn by ui/dom. In a Web Worker it is the engine:
// it answers the page's requests (ui/wire), so that a long command never stops the page from painting. The page compiles
// the module once and posts it to the worker (public/boot.js, public/worker.js).
package main
