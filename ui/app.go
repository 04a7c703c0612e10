package ui

import "github.com/keyloupe/keyloupe/ui/wire"

// App is the whole page.
type App struct {
	engine Engine
	status string
}

// NewApp makes the page in front of an engine.
func NewApp(e Engine) *App { return &App{engine: e, status: "starting the engine"} }

// Start makes the first calls. It runs under the lock of the components' state.
func (c *App) Start() {
	c.engine.Call(wire.Request{Ping: &wire.Ping{}}, func(r wire.Response, err error) {
		if err != nil {
			c.status = err.Error()
			return
		}
		c.status = "engine ready, " + r.Pong.Go
	})
}
