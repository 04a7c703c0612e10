package ui

import (
	"errors"

	"github.com/keyloupe/keyloupe/ui/wire"
)

// Engine is the engine as the page sees it: behind a Web Worker in the browser, in the same process in tests, behind HTTP
// where the page looks on at servers.
type Engine interface {
	// Call sends a request. done is called once, under the lock of the components' state, with the response or the
	// reason why none will come.
	Call(req wire.Request, done func(wire.Response, error))
	// OnCrash sets who is told, under the same lock, that the engine crashed: after the calls in flight ended with
	// ErrCrashed, and when a new, empty engine can be called.
	OnCrash(lost func(error))
	// Restart ends what the engine is doing; calls in flight end with ErrStopped and the next ones meet a new engine. Behind
	// HTTP it ends the commands only.
	Restart()
}

// Reporter is an Engine that tells how far a long command is.
type Reporter interface {
	// OnProgress sets who is told, under the lock of the components' state: of so many keys on all servers so many are done.
	OnProgress(told func(done, of int))
}

// Reasons for a call without a response.
var (
	ErrStopped = errors.New("stopped")
	ErrCrashed = errors.New("the engine crashed")
	ErrLost    = errors.New("the server does not answer")
	ErrGone    = errors.New("the server does not know the page any more")
)
