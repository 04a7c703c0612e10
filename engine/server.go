// Package engine simulates Valkey servers: a Server is one release in one build, a Lab several
// that are given the same commands.
//
//	line ─ resp.Split ─ Lab.Do ─ Server.Do ─ engine/command ─ engine/keyspace ─ structures ─ heap
//
// The engine is given its clock, hash seed and randomness, so the same commands give the same
// replies, sizes and bytes everywhere. Nothing here is safe for use by several goroutines at once.
package engine

import (
	"fmt"
	"maps"
	"slices"

	"github.com/keyloupe/keyloupe/engine/catalog"
	"github.com/keyloupe/keyloupe/engine/command"
	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/engine/release"
	"github.com/keyloupe/keyloupe/engine/resp"
	"github.com/keyloupe/keyloupe/engine/siphash"
)

// DefaultSeed is the hash seed of every table where none is given: the one under which the golden
// data was made.
const DefaultSeed = "f375180aba92888401f1919be4a8715a"

// Options is what a Server is given.
type Options struct {
	Clock    func() int64      // Unix time in µs; nil stands still at 2026-01-01
	SeedHex  string            // hash seed of every table, 32 hexadecimal digits; "" is DefaultSeed
	HashSeed string            // the directive hash-seed, 9.1: of the keyspace's tables; "" takes SeedHex
	Random   uint64            // seed of what is random in a server, such as skiplist heights
	Config   map[string]string // directives, as in valkey.conf
	MaxBulk  int               // longest string in bytes; 0 is the server's own limit
}

// Server is one simulated server with one client.
type Server struct {
	*command.Server
	Client  *command.Client
	Release *release.Release
	// Pipelined says that commands are sent without waiting for replies: the caller tells by
	// Client.Flushed when replies were sent.
	Pipelined bool
}

// NewServer starts an empty server. name is VERSION[@BUILD].
func NewServer(name string, o Options) (*Server, error) {
	rel, err := release.Parse(name)
	if err != nil {
		return nil, err
	}
	if !catalog.Known(rel.Line.String()) {
		return nil, fmt.Errorf("server %s is not simulated yet", rel.Name())
	}
	if o.SeedHex == "" {
		o.SeedHex = DefaultSeed
	}
	seed, err := siphash.ParseSeed(o.SeedHex)
	if err != nil {
		return nil, err
	}
	keySeed := seed
	if o.HashSeed != "" && rel.HashSeedDirective {
		keySeed = siphash.SeedFrom(o.HashSeed)
	}
	s := &Server{Release: rel}
	s.Server = command.New(rel, command.Options{Clock: o.Clock, HashSeed: seed, KeySeed: keySeed, Random: o.Random, MaxBulk: o.MaxBulk})
	for _, name := range slices.Sorted(maps.Keys(o.Config)) {
		if err := s.Server.SetDirective(name, o.Config[name]); err != nil {
			return nil, fmt.Errorf("server %s: %w", rel.Name(), err)
		}
	}
	s.Client = s.Server.NewClient()
	return s, nil
}

// View is the same server with another client, for looking on: one that no client list has, at
// database 0. Nothing is to be executed for it.
func (s *Server) View() *Server {
	return &Server{Server: s.Server, Release: s.Release, Client: &command.Client{S: s.Server, DB: s.Space.DB(0)}}
}

// Effect is what one command did on one server.
type Effect struct {
	Reply   resp.Value   `json:"reply"`
	Used    int64        `json:"used"`  // used_memory of the data after the command, bytes
	Delta   int64        `json:"delta"` // its change
	Why     []string     `json:"why,omitempty"`
	Events  []heap.Event `json:"events,omitempty"`
	Dropped int          `json:"dropped,omitempty"` // events beyond those kept
	Crashed string       `json:"crashed,omitempty"` // the simulator failed: what it said
}

// Do executes a command and tells what it did.
func (s *Server) Do(args ...string) Effect { return s.DoBytes(resp.Bytes(args)) }

// DoBytes is Do for arguments of bytes, which must stay unchanged until it returns.
func (s *Server) DoBytes(args [][]byte) (e Effect) {
	var t heap.Trace
	was := s.Used()
	s.H.StartTrace(&t)
	raw := s.raw(args, &e)
	s.H.StartTrace(nil)
	e.Used = s.Used()
	e.Delta = e.Used - was
	e.Why, e.Events, e.Dropped = t.Why, t.Events, t.Dropped
	if e.Crashed == "" && len(raw) > 0 {
		v, _, err := resp.Parse(raw)
		if err != nil {
			e.Crashed = err.Error()
		}
		e.Reply = v
	}
	return e
}

// raw executes a command and returns its reply as sent; a panic is told in e.
func (s *Server) raw(args [][]byte, e *Effect) []byte {
	defer func() {
		if p := recover(); p != nil {
			e.Crashed = fmt.Sprint(p)
			e.Reply = resp.Value{Kind: resp.ErrorReply, Str: "ERR the simulator failed: " + e.Crashed}
		}
	}()
	s.Client.Buf = s.Client.Buf[:0]
	s.Client.StopWaiting() // a client that waits sends nothing: without this its own push would serve it
	s.Client.Do(args)
	if !s.Pipelined {
		s.Client.Flushed()
	}
	return s.Client.Buf
}

// Layout is the picture of every block behind a key of the client's database, or an error where
// there is no such key.
func (s *Server) Layout(key string) (*KeyLayout, error) { return s.LayoutOf(key, 0) }

// KeyLayout is a key with its blocks, as golden images/ have it.
type KeyLayout struct {
	Key      string          `json:"key"`
	Type     string          `json:"type"`
	Encoding string          `json:"encoding"`
	Usage    int             `json:"usage"`  // MEMORY USAGE SAMPLES 0
	Expire   int64           `json:"expire"` // PEXPIRETIME
	Total    int             `json:"total"`  // sum of the blocks' usable sizes
	Blocks   []*layout.Block `json:"blocks"`
	Skipped  int             `json:"skipped,omitempty"` // blocks beyond the limit; Total counts them
	Vset     []string        `json:"vset,omitempty"`
}

// LayoutOf is Layout with at most limit blocks drawn, 0 for all: a key can have millions.
func (s *Server) LayoutOf(key string, limit int) (*KeyLayout, error) {
	pic := layout.Picture{Limit: limit}
	info, ok := s.Server.Picture(&pic, s.Client.DB, []byte(key))
	if !ok {
		return nil, fmt.Errorf("server %s has no key %s", s.Release.Name(), layout.Quote([]byte(key)))
	}
	return &KeyLayout{Key: key, Type: info.Type, Encoding: info.Encoding, Usage: info.Usage, Expire: info.Expire,
		Total: pic.Total(), Blocks: pic.Blocks, Skipped: pic.Skipped, Vset: pic.Vset}, nil
}

// EachKey calls f with every key of a database; f must not change it.
func (s *Server) EachKey(db int, f func(key []byte)) {
	if d := s.Space.Existing(db); d != nil {
		d.Each(func(key []byte, _ heap.Ptr) bool { f(key); return true })
	}
}

// KeyInfo tells of a key without touching it; ok is false where there is none.
func (s *Server) KeyInfo(db int, key []byte) (i command.KeyInfo, ok bool) {
	d := s.Space.Existing(db)
	if d == nil {
		return i, false
	}
	return s.Info(d, key)
}
