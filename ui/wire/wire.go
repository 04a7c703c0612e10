// Package wire is what the page and the engine in its Web Worker say to each other: one request, one response, as JSON.
package wire

// Request asks the engine for one thing: exactly one of the pointers is set.
type Request struct {
	ID   uint64 `json:"id"`
	Ping *Ping  `json:"ping,omitempty"`
}

// Response answers the request with the same ID.
type Response struct {
	ID    uint64 `json:"id"`
	Error string `json:"error,omitempty"` // why the request could not be answered, for people
	Crash string `json:"crash,omitempty"` // the engine panicked and cannot be used any more
	Pong  *Pong  `json:"pong,omitempty"`
}

// Ping asks whether the engine lives.
type Ping struct{}

// Pong says that it does.
type Pong struct {
	Go string `json:"go"` // version of the Go run time
}
