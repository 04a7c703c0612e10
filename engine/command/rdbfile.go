package command

import (
	"fmt"
	"io"

	"github.com/keyloupe/keyloupe/engine/object"
	"github.com/keyloupe/keyloupe/engine/rdb"
)

var _ = addDebug(map[string]debugSub{"reload": {2, maxDebugArgs, debugReload}})

// maxDebugArgs stands for any number of arguments.
const maxDebugArgs = 1 << 30

// rdbState is what a server keeps between dumps.
type rdbState struct {
	writer    rdb.Writer
	unchecked bool   // DEBUG SET-SKIP-CHECKSUM-VALIDATION
	saved     []byte // the file that DEBUG RELOAD wrote last; nil before
}

// SaveRDB is the server's data as a file of its release, which a real server can load.
func (s *Server) SaveRDB() []byte {
	w := rdb.Writer{Compress: s.Conf.Yes("rdbcompression")}
	w.Begin(s.R.RDBVersion)
	w.Aux("valkey-ver", s.R.Version)
	w.Aux("redis-bits", "64")
	for i := range s.Space.Databases() {
		d := s.Space.Existing(i)
		if d == nil || d.Len() == 0 {
			continue
		}
		w.Select(i, d.Len(), d.Expires())
		d.Walk(func(key []byte, p ptr) bool {
			if at := d.PeekExpire(key, p); at != object.NoExpire {
				w.ExpireAt(at)
			}
			s.saveUsed(&w, p)
			s.saveType(&w, p)
			w.String(key)
			s.saveValue(&w, p)
			return true
		})
	}
	w.End()
	return w.B
}

// saveUsed writes how a key was used, where the eviction policy takes that.
func (s *Server) saveUsed(w *rdb.Writer, p ptr) {
	lru := object.LRU(s.H.Bytes(p))
	switch {
	case s.lfu():
		w.Freq(byte(lru))
	case s.lru():
		w.Idle(uint64((s.Space.LRUClock() - lru) & (1<<24 - 1)))
	}
}

// Loaded tells what came out of a file.
type Loaded struct {
	Version       int
	Keys          int      // loaded
	Expired       int      // keys whose time had come, left out
	ExpiredHashes int      // hashes all of whose fields had expired, left out
	Empty         int      // keys without elements, left out
	Notes         []string // what has no place in a simulated server
}

// LoadRDB reads a file of a dump as a server does that starts with it. What was in the server goes;
// where the file is refused all stays as it was. Every byte of the input is held in memory.
func (s *Server) LoadRDB(r io.Reader) (Loaded, error) {
	b, err := io.ReadAll(r)
	if err != nil {
		return Loaded{}, fmt.Errorf("reading the RDB file: %w", err)
	}
	return s.LoadRDBBytes(b, nil)
}

// LoadRDBBytes is LoadRDB for a file in memory, which is read twice: to find out whether it can be
// loaded, and to load it. watch, if not nil, is told how many bytes are done of how many; its error ends
// the work and is returned.
func (s *Server) LoadRDBBytes(b []byte, watch func(done, of int) error) (Loaded, error) {
	s.tick()
	return s.load(b, true, false, watch)
}

// load is LoadRDBBytes; flush empties the server first; without it a key of the file that is
// there already is an error, or with merge takes the other's place.
func (s *Server) load(b []byte, flush, merge bool, watch func(done, of int) error) (Loaded, error) {
	if watch == nil {
		watch = func(int, int) error { return nil }
	}
	check := &fileCheck{s: s, done: func(at int) error { return watch(at, 2*len(b)) }}
	rules := s.rdbRules(false)
	rules.Now = s.NowMS()
	if err := rdb.Read(b, rules, check); err != nil {
		return Loaded{}, err
	}
	if flush {
		s.flushEverything(!s.R.ReloadFlushesFirst && s.Conf.Yes("replica-lazy-flush"))
	}
	l := &loader{s: s, merge: merge, done: func(at int) error { return watch(len(b)+at, 2*len(b)) }}
	l.Version, _ = rdb.Version(b)
	s.Space.Loading = true
	defer func() { s.Space.Loading = false }()
	err := rdb.Read(b, rules, l)
	return l.Loaded, err
}

// flushEverything empties all databases. lazy leaves the old tables to another thread and begins with none.
func (s *Server) flushEverything(lazy bool) {
	for i := range s.Space.Databases() {
		if s.Space.Existing(i) != nil {
			s.flush(i, lazy)
		}
	}
	s.everythingChanged()
}

// fileCheck reads a file to find out whether it can be loaded.
type fileCheck struct {
	s    *Server
	done func(at int) error
}

func (f *fileCheck) Select(db int) error {
	if n := f.s.Space.Databases(); db >= n {
		return fmt.Errorf("the RDB file has a database %d, the server is configured for %d", db, n)
	}
	return nil
}
func (f *fileCheck) Resize(int, int)        {}
func (f *fileCheck) Key(e *rdb.Entry) error { return f.done(e.End) }
func (f *fileCheck) Note(string)            {}

// loader puts the keys of a file into the server.
type loader struct {
	Loaded
	s     *Server
	merge bool
	done  func(at int) error
	db    int
}

func (l *loader) Select(db int) error {
	l.db = db
	l.s.Space.DB(db)
	return nil
}

func (l *loader) Resize(keys, expires int) { l.s.Space.DB(l.db).Reserve(keys, expires) }

func (l *loader) Note(text string) { l.Notes = append(l.Notes, text) }

func (l *loader) Key(e *rdb.Entry) error {
	switch {
	case e.Err == rdb.ErrEmpty:
		l.Empty++
		return nil
	case e.Err == rdb.ErrExpired:
		l.ExpiredHashes++
		return nil
	case e.ExpireAt != -1 && e.ExpireAt < l.s.NowMS():
		l.Expired++
		return nil
	}
	d := l.s.Space.DB(e.DB)
	if d.Peek(e.Key) != 0 {
		if !l.merge {
			return fmt.Errorf("the key %.64q of database %d is there twice", e.Key, e.DB)
		}
		d.Delete(e.Key)
	}
	p := d.Load(e.Key, l.s.loadValue(&e.Value))
	if e.ExpireAt != -1 {
		p = d.SetExpire(e.Key, e.ExpireAt)
	}
	l.s.setUsed(p, e.Idle, int64(e.Freq))
	l.Keys++
	return l.done(e.End)
}

// DEBUG RELOAD [MERGE] [NOFLUSH] [NOSAVE]: writes the data to a file, in memory here, and reads it.
func debugReload(c *Client) {
	flush, save, merge := true, true, false
	for _, a := range c.Args[2:] {
		switch {
		case is(a, "MERGE"):
			merge = true
		case is(a, "NOFLUSH"):
			flush = false
		case is(a, "NOSAVE"):
			save = false
		default:
			c.Error("ERR DEBUG RELOAD only supports the MERGE, NOFLUSH and NOSAVE options.")
			return
		}
	}
	s := c.S
	if save {
		s.rdb.saved = s.SaveRDB()
		s.Dirty = 0
	}
	if flush && s.R.ReloadFlushesFirst {
		s.flushEverything(false)
		flush = false
	}
	if s.rdb.saved == nil {
		c.Error("ERR Error trying to load the RDB dump, check server logs.")
		return
	}
	if _, err := s.load(s.rdb.saved, flush, merge, nil); err != nil {
		c.Error("ERR Error trying to load the RDB dump, check server logs.")
		return
	}
	c.OK()
}

// debugLoadaof loads what the append-only file holds. It is not written here: what is loaded is what
// a rewrite at this moment would have put into it, which with aof-use-rdb-preamble is an RDB file.
func debugLoadaof(c *Client) {
	s := c.S
	if !s.Conf.Yes("appendonly") || !s.Conf.Yes("aof-use-rdb-preamble") {
		c.Error("ERR DEBUG LOADAOF is not simulated without appendonly and aof-use-rdb-preamble")
		return
	}
	b := s.SaveRDB()
	s.flushEverything(false)
	if _, err := s.load(b, false, false, nil); err != nil {
		c.Error("ERR Error trying to load the AOF files, check server logs.")
		return
	}
	c.OK()
}
