// Package ui is the page: Vugu components and their state. It computes no sizes; every number comes from the engine.
//
// The *_gen.go files are made from the .vugu files by `make generate` and are committed, so that a bare clone builds.
package ui

//go:generate go run github.com/keyloupe/keyloupe/internal/tool/vugu .
