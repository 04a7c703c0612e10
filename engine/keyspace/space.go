// Package keyspace is a server's databases: the tables of keys, of keys that expire and of hashes
// with fields that expire, and the rules by which a value becomes a key's object.
//
//	Space ── DB ── store ─┬─ buckets   8.1 and later: hashtables of objects that hold their keys
//	                      └─ chains    7.2 and 8.0: dicts whose entries hold or point to the key
//
// What happens to a key follows db.c of each release: how often a table is looked at matters,
// since each look moves a bucket while that table grows.
package keyspace

import (
	"bytes"

	"github.com/keyloupe/keyloupe/engine/dict"
	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/object"
	"github.com/keyloupe/keyloupe/engine/release"
	"github.com/keyloupe/keyloupe/engine/siphash"
)

// Space is what the databases of one server share.
type Space struct {
	H *heap.Heap
	R *release.Release

	KeySeed siphash.Seed // of keys, expires and volatile items: the directive hash-seed of 9.1
	Seed    siphash.Seed // of every other table

	Now      int64                                             // Unix time in ms, set by the caller before each command
	FreeFn   [8]func(e object.Encoding, val heap.Ptr)          // frees the value of a type, by object.Type
	Event    func(db int, class byte, name string, key []byte) // keyspace events; nil for nobody
	Unlink   func(db int, key []byte, t object.Type)           // a key is about to go or be overwritten
	Added    func(db int, key []byte, t object.Type)           // a key was added
	Expired  func(db int, key []byte)                          // a key went because its time had come; nil for nobody
	Grow     func(bytes int) bool                              // may a key table take that many bytes; nil allows all
	LFU      LFU                                               // counts how often objects are used
	Unshared bool                                              // small integers get objects of their own: maxmemory with an LRU or LFU policy (7.2, 8.0)
	Loading  bool                                              // keys come out of a dump, not as arguments (8.0 keeps their sds header)
	Import   bool                                              // import-mode, or a replica: expired keys are kept until they are written
	Source   bool                                              // the client is the source of an import: nothing is expired for it
	Frozen   bool                                              // expired keys are kept: no expiry while clients are paused

	Stats  Stats
	shared object.Shared
	holds  map[heap.Ptr]bool // objects that replies refer to which are not sent yet
	dbs    []*DB
	memo   struct {
		key  [96]byte
		n    int
		hash uint64
	}
}

// Stats counts what INFO tells of the keyspace.
type Stats struct {
	Hits, Misses, Expired, ExpiredFields int64
}

// NewSpace makes n empty databases.
func NewSpace(h *heap.Heap, n int, keySeed, seed siphash.Seed) *Space {
	s := &Space{H: h, R: h.Rel, KeySeed: keySeed, Seed: seed}
	s.memo.n = -1
	s.SetDatabases(n)
	return s
}

// SetDatabases makes n empty databases, before any has data: the directive databases.
func (s *Space) SetDatabases(n int) {
	s.dbs = make([]*DB, n)
	for i := range s.dbs {
		if i == 0 || !s.R.LazyDatabases {
			s.dbs[i] = s.newDB(i)
		}
	}
}

// Databases is the number of databases.
func (s *Space) Databases() int { return len(s.dbs) }

// DB returns database i, making it at its first use where the release does so.
func (s *Space) DB(i int) *DB {
	if s.dbs[i] == nil {
		s.dbs[i] = s.newDB(i)
		s.allocDatabase()
	}
	return s.dbs[i]
}

// allocDatabase takes the blocks of a database's own structs: the server's are there before the
// first command, those of others come with their first use (server.c, createDatabase).
func (s *Space) allocDatabase() {
	const (
		serverDb = 96
		stores   = 3 // keys, expires, volatile items
		list     = 48
		dicts    = 4 // of keys that clients wait for or watch
	)
	s.H.Alloc(serverDb)
	for range stores {
		s.H.Alloc(s.R.KvstoreSize)
		s.H.Alloc(8)                   // array of one pointer to a table
		s.H.Alloc(s.R.HashtableStruct) // slots being imported
		s.H.Alloc(list)                // tables being moved
	}
	for range dicts {
		s.H.Alloc(dict.StructSize)
	}
}

// Existing is DB for reading: nil where the database was never used.
func (s *Space) Existing(i int) *DB { return s.dbs[i] }

// Swap exchanges the contents of two databases.
func (s *Space) Swap(i, j int) {
	a, b := s.DB(i), s.DB(j)
	a.store, b.store = b.store, a.store
}

func (s *Space) newDB(i int) *DB {
	d := &DB{ID: i, s: s}
	if s.R.KeyTable == release.Hashtable {
		d.store = newBuckets(s)
	} else {
		d.store = newChains(s)
	}
	return d
}

// hash is the hash of a key in the tables of the keyspace. A command asks for the same key several
// times in a row; the last answer is kept.
func (s *Space) hash(key []byte) uint64 {
	m := &s.memo
	if m.n == len(key) && bytes.Equal(m.key[:m.n], key) {
		return m.hash
	}
	h := s.KeySeed.Hash(key)
	if len(key) <= len(m.key) {
		m.n, m.hash = copy(m.key[:], key), h
	}
	return h
}

// free frees an object and its value.
func (s *Space) free(p heap.Ptr) {
	b := s.H.At(p)
	if object.IsShared(s.R, b) {
		return
	}
	t, e := object.TypeOf(b), object.EncodingOf(b)
	if e != object.Embstr && e != object.Int {
		if v := object.Val(b); v != 0 {
			s.FreeFn[t](e, heap.Ptr(v))
		}
	}
	s.Unhold(p)
	s.H.Free(p)
}

func (s *Space) event(db int, class byte, name string, key []byte) {
	if s.Event != nil {
		s.Event(db, class, name, key)
	}
}
