package engine

import (
	"fmt"

	"github.com/keyloupe/keyloupe/engine/resp"
)

// Lab is several servers that are given the same commands in step.
type Lab struct {
	Servers []*Server

	names []string // answer to the last query for keys
	stamp stamp    // what it was about
}

// NewLab starts one empty server for each name, VERSION[@BUILD].
func NewLab(names []string, o Options) (*Lab, error) {
	if len(names) == 0 {
		return nil, fmt.Errorf("no server named: name at least one, such as 9.1.2")
	}
	l := &Lab{}
	for _, n := range names {
		s, err := NewServer(n, o)
		if err != nil {
			return nil, err
		}
		l.Servers = append(l.Servers, s)
	}
	return l, nil
}

// Step is what one command did on every server.
type Step struct {
	Args    []string  `json:"args"`
	Effects []*Effect `json:"effects"` // in the order of the servers
	Keys    []string  `json:"keys"`    // the keys the command names
	Same    bool      `json:"same"`    // all servers replied the same
}

// DoLine executes a typed line. An empty line does nothing and gives nil; a line that can't be
// taken apart is an error.
func (l *Lab) DoLine(line string) (*Step, error) {
	args, err := resp.Split(line)
	if err != nil || len(args) == 0 {
		return nil, err
	}
	return l.Do(args), nil
}

// Do executes a command on every server.
func (l *Lab) Do(args []string) *Step {
	st := &Step{Args: args, Same: true}
	b := resp.Bytes(args)
	for _, s := range l.Servers {
		e := s.DoBytes(b)
		st.Effects = append(st.Effects, &e)
		st.Same = st.Same && e.Reply.Equal(st.Effects[0].Reply)
	}
	for _, k := range l.keysOf(b) {
		st.Keys = append(st.Keys, string(k))
	}
	return st
}

// keysOf is the keys that a command names, by the first server that knows it.
func (l *Lab) keysOf(args [][]byte) [][]byte {
	for _, s := range l.Servers {
		if keys := s.KeysOf(args); keys != nil {
			return keys
		}
	}
	return nil
}

// Tick does what the servers' cron does between commands; the caller decides when.
func (l *Lab) Tick() {
	for _, s := range l.Servers {
		s.Tick()
	}
}
