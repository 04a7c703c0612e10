package console

import (
	"encoding/json"
	"strings"
)

// jsonCommand is a command with what came of it, as --format ndjson prints it. Sizes are in bytes.
type jsonCommand struct {
	Command string       `json:"command"`
	DB      int          `json:"db"`
	Servers []jsonServer `json:"servers"`
	Keys    []jsonKey    `json:"keys"`
}

type jsonServer struct {
	Server string   `json:"server"`
	Reply  string   `json:"reply"` // as valkey-cli prints it
	Error  bool     `json:"error,omitempty"`
	Used   int64    `json:"used_memory"` // what it grew by
	Why    []string `json:"why,omitempty"`
}

type jsonKey struct {
	Key     string      `json:"key"` // as it must be typed
	Servers []jsonState `json:"servers"`
}

type jsonState struct {
	Server    string `json:"server"`
	Type      string `json:"type,omitempty"` // none where the key is not there
	Encoding  string `json:"encoding,omitempty"`
	Usage     int    `json:"memory_usage"`
	Allocated *int   `json:"allocated"` // null where the blocks are too many to be counted after each command
	Change    int    `json:"change"`    // of allocated; of memory_usage where that was not counted
}

type jsonEnd struct {
	Done     bool        `json:"done"`
	Commands int         `json:"commands"`
	Errors   int         `json:"errors"`
	Servers  []jsonTotal `json:"servers"`
}

type jsonTotal struct {
	Server string `json:"server"`
	Keys   int    `json:"keys"`
	Used   int64  `json:"used_memory"` // grown since the server was empty
}

func (c *Console) printJSON(r *Result) {
	names := c.serverNames()
	out := jsonCommand{Command: Join(r.Args), DB: r.DB, Keys: []jsonKey{}}
	for i, n := range names {
		e := &r.Effects[i]
		out.Servers = append(out.Servers, jsonServer{n, c.said(e, r.Args), e.Error() != "", e.Delta, e.Why})
	}
	for _, k := range r.Keys {
		if !k.known() {
			continue
		}
		j := jsonKey{Key: Join([]string{k.Name})}
		for i, n := range names {
			is := k.After[i]
			state := jsonState{Server: n, Type: is.Type, Encoding: is.Encoding, Usage: is.Usage}
			if is.Allocated != Uncounted {
				state.Allocated = &is.Allocated
			}
			state.Change, _ = is.over(k.Before[i])
			j.Servers = append(j.Servers, state)
		}
		out.Keys = append(out.Keys, j)
	}
	c.encode(out)
}

// End prints what the servers keep in the end.
func (c *Console) End() {
	if !c.JSON {
		c.end()
		return
	}
	out := jsonEnd{Done: true, Commands: c.Commands, Errors: c.Errors}
	for i, n := range c.serverNames() {
		out.Servers = append(out.Servers, jsonTotal{n, c.Session.Keys(i), c.Session.Grown(i)})
	}
	c.encode(out)
}

func (c *Console) encode(v any) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // of our own types
	}
	c.write(b.String())
}
