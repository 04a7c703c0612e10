// Package command is the server's commands: one file a family, one table of handlers.
//
//	Server ── keyspace.Space (databases, heap) · configuration · clients · statistics
//	Client ── arguments, database, reply buffer: what a handler works on
//
// Which commands a release knows, their arity and flags come from engine/catalog; what they do is
// in the handlers of the table in table.go. Replies are written as the server writes them, in
// RESP2 or RESP3.
package command

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/keyloupe/keyloupe/engine/catalog"
	"github.com/keyloupe/keyloupe/engine/hashtype"
	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/keyspace"
	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/engine/object"
	"github.com/keyloupe/keyloupe/engine/release"
	"github.com/keyloupe/keyloupe/engine/settype"
	"github.com/keyloupe/keyloupe/engine/siphash"
	"github.com/keyloupe/keyloupe/engine/zset"
)

// Options is what a simulated server is given from outside, so that the same commands give the
// same bytes everywhere.
type Options struct {
	Clock    func() int64 // Unix time in µs; nil stands still at 2026-01-01
	HashSeed siphash.Seed // of every table
	KeySeed  siphash.Seed // of the keyspace's tables; zero takes HashSeed
	Random   uint64       // seed of what is random in the server: skiplist heights, SPOP, RANDOMKEY
	MaxBulk  int          // longest string; 0 takes proto-max-bulk-len
}

// start2026 is the time of a server whose clock nobody gave: 2026-01-01 in µs.
const start2026 = 1767225600 * 1_000_000

// Server is one simulated server.
type Server struct {
	H       *heap.Heap
	R       *release.Release
	Space   *keyspace.Space
	Cat     *catalog.Catalog // what COMMAND tells
	Rand    *rand.Rand
	Conf    *catalog.Settings
	Clients []*Client
	Stats   Stats
	Dirty   int64 // changes to the data so far

	types    [8]typeOps         // by object.Type
	added    map[string]handler // of AddCommand
	hashes   *hashtype.Kind
	zsets    *zset.Type
	sets     *settype.Kind
	options  Options
	now      int64 // µs, of the command being executed
	known    known
	started  int64
	nextID   int64
	cycle    cycle
	eviction eviction
	blocking blocking
	watch    watching

	// Progress, if not nil, is told now and then how far a long command is; so far DEBUG POPULATE, of its keys.
	Progress func(done, of int)
	// Stopwatch is a time that only grows, which tells how long commands take; with nil they take none.
	Stopwatch func() time.Duration
	// Active is how long commands were executed, which the front measures; the engine has no clock.
	Active time.Duration
	// Ran is called with the client of each command that ran, its arguments and Cmd still set; nil for nobody.
	Ran func(c *Client)
	// Sleep is called by DEBUG SLEEP; nil sleeps not at all.
	Sleep func(time.Duration)
	// Shutdown is called by the command SHUTDOWN; nil refuses it.
	Shutdown func()

	current   *Client // whose command is running
	monitors  []*Client
	logs      [3]commandLog
	spikes    map[string]*spikes // by event
	spikeFrom time.Duration      // latency-monitor-threshold; 0 for none
	pause     pause
	topics    topics
	trackers  trackers
	rates     rates
	lastSave  int64 // Unix time in s, of the last SAVE or of the start
	saved     int64 // Dirty at that time
	saves     int64
	peak      int64  // most that the data ever took, bytes
	empty     int64  // bytes the heap holds of an empty server
	runID     string // 40 hexadecimal digits
	replID    string // of the history of replication, and of the one before
	replID2   string
	primary   *primary // nil unless the server is a replica
	onConfig  []func() // what the families keep of the settings
	maxMemory uint64   // maxmemory, bytes; 0 for no limit
	events    string   // notify-keyspace-events

	timesCommands bool // latency-tracking
	needsReplicas bool // min-replicas-to-write
	rdb           rdbState

	packedThreshold int  // DEBUG QUICKLIST-PACKED-THRESHOLD, bytes; 0 if it was not used
	simdOff         bool // PFDEBUG SIMD
}

// New starts an empty server.
func New(rel *release.Release, o Options) *Server {
	if o.Clock == nil {
		o.Clock = func() int64 { return start2026 }
	}
	if o.KeySeed == (siphash.Seed{}) {
		o.KeySeed = o.HashSeed
	}
	s := &Server{R: rel, H: heap.New(rel), options: o, Cat: catalog.For(fmt.Sprintf("%s.%d", rel.Line, rel.Patch)), Rand: rand.New(rand.NewPCG(o.Random, 0x6b65796c6f757065))}
	s.Conf = newSettings(rel, s.Cat)
	s.Stats.reset()
	s.Space = keyspace.NewSpace(s.H, int(s.Conf.Int("databases")), o.KeySeed, o.HashSeed)
	for _, f := range families {
		f(s)
	}
	for t := range s.types {
		s.Space.FreeFn[t] = s.types[t].free
	}
	s.Space.Added = func(db int, key []byte, _ object.Type) { s.keyReady(db, key) }
	s.Space.Unlink = s.Space.Added
	s.Space.Event = s.notify
	s.Space.Expired = s.keyTimedOut
	s.Space.Grow = func(n int) bool { return !s.overMemory(n) }
	s.configured()
	s.tick()
	s.noteEmpty()
	s.runID, s.replID, s.replID2 = randomID(o.Random, 1), randomID(o.Random, 2), noID
	s.started, s.lastSave = s.now, s.now/1_000_000
	return s
}

// noID is the name of nothing.
const noID = "0000000000000000000000000000000000000000"

// elapsed is the time that the stopwatch shows.
func (s *Server) elapsed() time.Duration {
	if s.Stopwatch == nil {
		return 0
	}
	return s.Stopwatch()
}

// randomID makes one of the server's random names without taking from what its commands draw.
func randomID(seed, which uint64) (id string) {
	r := rand.New(rand.NewPCG(seed, which))
	for range 40 {
		id += string("0123456789abcdef"[r.IntN(16)])
	}
	return id
}

// typeOps is what the server must know of the values of one type. The values are in the heap; e is
// their encoding, p where they are.
type typeOps struct {
	free func(e object.Encoding, p heap.Ptr)
	// dup makes a copy for COPY.
	dup func(e object.Encoding, p heap.Ptr) (object.Encoding, heap.Ptr)
	// usage is what MEMORY USAGE counts of a value, the object itself apart; samples is how many
	// elements it looks at, 0 for all. p is the value, o its object.
	usage func(e object.Encoding, o, p heap.Ptr, samples int) int
	// count is the number of elements of a value; nil for strings. p is the value, o its object.
	count func(e object.Encoding, o, p heap.Ptr) int
	// stats is what DEBUG HTSTATS-KEY tells of the value's table, full with the lengths of chains; ""
	// where its encoding has none. nil where the type has none.
	stats func(e object.Encoding, p heap.Ptr, full bool) string
	// picture adds the value's blocks; name is the first one's.
	picture func(pic *layout.Picture, e object.Encoding, p heap.Ptr, name string)
}

// families lets each file of commands set up what it needs of a new server: how its values are
// freed, its own state.
var families []func(*Server)

// NowMS is the server's time, Unix ms; NowUS the same in µs. It stands still during a command.
func (s *Server) NowMS() int64 { return s.now / 1000 }
func (s *Server) NowUS() int64 { return s.now }

func (s *Server) tick() {
	s.now = s.options.Clock()
	s.Space.Now = s.now / 1000
}

// random is the source of 64-bit numbers for what is random in the server.
func (s *Server) random() uint64 { return s.Rand.Uint64() }

// Used is the used_memory that the data takes; an empty server's is its baseline.
func (s *Server) Used() int64 { return int64(s.H.Used()) }

// limit is the longest string a command may make, in bytes.
func (s *Server) limit() int64 {
	n := s.Conf.Int("proto-max-bulk-len")
	if m := int64(s.options.MaxBulk); m > 0 && m < n {
		return m
	}
	return n
}

func (s *Server) String() string { return fmt.Sprintf("server %s", s.R.Label()) }
