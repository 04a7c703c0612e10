package main

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/keyloupe/keyloupe/internal/browser"
)

// outcome is the testing.TB that package browser reports to: it ends the work instead of a test.
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

// withTab gives work a tab of a real browser; where there is none the error is a skip.
func withTab(work func(tab *browser.Tab)) error {
	o, done := &outcome{}, make(chan bool)
	go func() {
		defer close(done)
		defer func() {
			for i := len(o.cleanup) - 1; i >= 0; i-- {
				o.cleanup[i]()
			}
		}()
		work(browser.New(o))
	}()
	<-done
	return o.err
}
