package main

import (
	"fmt"
	"os"
	"runtime"
	"testing"

	"github.com/keyloupe/keyloupe/internal/browser"
)

// outcome is the testing.TB that packages browser and worker report to: it ends the work instead of a test.
type outcome struct {
	testing.TB // has a method that nobody else can write; none of it is called
	err        error
	cleanup    []func()
}

func (o *outcome) Helper()          {}
func (o *outcome) Log(...any)       {}
func (o *outcome) Cleanup(f func()) { o.cleanup = append(o.cleanup, f) }

func (o *outcome) Errorf(format string, args ...any) {
	if o.err == nil {
		o.err = fmt.Errorf(format, args...)
	}
}

func (o *outcome) Fatalf(format string, args ...any) {
	o.Errorf(format, args...)
	runtime.Goexit()
}

func (o *outcome) Fatal(args ...any) { o.Fatalf("%s", fmt.Sprint(args...)) }

func (o *outcome) Skip(args ...any) {
	o.err = skip{fmt.Sprint(args...)}
	runtime.Goexit()
}

func (o *outcome) TempDir() string {
	dir, err := os.MkdirTemp("", "keyloupe-bench-")
	if err != nil {
		o.Fatal(err)
	}
	o.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// withTB gives work what the test helpers report to, and returns what they said: a skip where
// something cannot be had.
func withTB(work func(t testing.TB)) error {
	o, done := &outcome{}, make(chan bool)
	go func() {
		defer close(done)
		defer func() {
			for i := len(o.cleanup) - 1; i >= 0; i-- {
				o.cleanup[i]()
			}
		}()
		work(o)
	}()
	<-done
	return o.err
}

// withTab gives work a tab of a real browser.
func withTab(work func(tab *browser.Tab)) error {
	return withTB(func(t testing.TB) { work(browser.New(t)) })
}
