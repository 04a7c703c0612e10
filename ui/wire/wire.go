// Package wire is what the page and its engine say to each other: one request, one response (codec.go). The engine is in a
// Web Worker of the page, or it is the servers of `keyloupe resp --http` behind HTTP.
//
// Keys are []byte because they need not be text. Slices with one element a server are in the order of Open.Servers.
package wire

import "github.com/keyloupe/keyloupe/engine/layout"

// What Inspected shows at once: the bytes of one block, the blocks of one key.
const (
	WindowBytes  = 512
	WindowBlocks = 24
)

// Request asks the engine for one thing: exactly one of the pointers is set.
type Request struct {
	ID       uint64
	Session  string // of a page that looks on at servers, as Opened told it
	Now      int64  // the page's clock, Unix time in milliseconds
	Open     *Open
	Run      *Run
	Keys     *Keys
	Inspect  *Inspect
	Table    *Table
	Budget   *Budget
	Complete *Complete
	Watch    *Watch
}

// Response answers the request with the same ID.
type Response struct {
	ID        uint64
	Error     string // why the request could not be answered, for people
	Crash     string // the engine panicked and cannot be used any more
	Opened    *Opened
	Ran       *Ran
	Listed    *Listed
	Inspected *Inspected
	Buckets   *Buckets
	Budgeted  *Budgeted
	Completed *Completed
	Watched   *Watched
	Progress  *Progress // the answer is still to come
}

// Progress is how far a long command is.
type Progress struct {
	Done, Of int // keys, on all servers
}

// Open starts servers, empty, in place of those there were. A page that looks on names none: the servers are there.
type Open struct {
	Servers  []string // VERSION[@BUILD]
	Config   []string
	HashSeed string
}

// Opened describes the servers.
type Opened struct {
	Servers []Server
	Session string // names the page in its further requests, where it looks on
	Listen  string // the address that clients of the servers talk to, where they can have any
}

// Server is one of the servers compared.
type Server struct {
	Name    string // as asked for
	Label   string // with what it is taken for: "9.0.9, as 9.0.6"
	Release string // the release whose commands and rules it has
	Build   string // its allocator
	Note    string // what to know about the build: that it is inferred
}

// Total is what one server holds in all.
type Total struct {
	Used int // used_memory above that of the empty server, bytes
	Keys int // in the database shown
}

// Run gives typed lines to every server, one after another. An empty one only lets time pass: keys expire.
type Run struct {
	Lines []string
}

// Ran is what the lines did.
type Ran struct {
	Results []Result
	Totals  []Total
	DB      int  // the database selected now
	Multi   bool // the next commands are queued, after MULTI
	Expires bool
}

// Result is what one line did.
type Result struct {
	Replies []Reply // one, or one a server where they differ
	Effects []Effect
	Key     []byte // the first key it named
	Write   bool
	Failed  string // the simulator panicked on it: no more lines ran, and the engine must be restarted
}

// Reply is a reply as valkey-cli prints it.
type Reply struct {
	Text  string
	Error bool
	More  int // bytes of Text left out
}

// Effect is what a line did to one server's memory.
type Effect struct {
	Delta  int // of used_memory, bytes
	Allocs int
	Frees  int
	Why    []string
}

// Keys asks for a window of the key list.
type Keys struct {
	Search string // part of a name, or a pattern where it has * ? or [
	Sort   string // "" by name, "size", "delta"
	From   int
	Count  int
	Find   []byte // also say where this key stands
}

// Listed is a window of the key list.
type Listed struct {
	Rows  []Key
	From  int
	Found int // keys that match the search
	At    int // where Keys.Find stands, -1 if nowhere
	Part  int // how many keys were looked at, where that is not all there are
	Age   int // seconds since, where the data has changed: going through many keys is not done for every change
	All   []Total
}

// Key is one row of the key list.
type Key struct {
	Name  []byte
	Type  string
	Sizes []int // allocated, bytes; -1 where the server has no such key
}

// Inspect asks for the picture of one key.
type Inspect struct {
	Key     []byte
	Windows []Window // of blocks that are not shown from their beginning
	Blocks  int      // index of the first block shown, for keys of very many
}

// Window moves what is shown of one large block.
type Window struct {
	Server int
	Block  string
	From   int // byte offset
}

// Inspected is the picture of one key.
type Inspected struct {
	Key  []byte
	Type string // empty where no server has the key
	Now  int64
	Side []Side
	Why  []string // what makes the difference between the servers
}

// Side is one server's picture of a key.
type Side struct {
	Exists    bool
	Type      string
	Encoding  string
	Length    int     // bytes of a string, elements of the rest
	Allocated int     // usable bytes of the key's blocks
	Usage     int     // what MEMORY USAGE prints
	Share     float64 // allocated plus the key's part of the tables
	ExpireAt  int64   // Unix time in milliseconds, -1 without
	Blocks    []Block
	Of        int // how many blocks there are in all
	Change    *Change
	First     int
}

// Change is the last time that a value was converted to another encoding.
type Change struct {
	Step   int // number of the line, from 1
	Line   string
	From   string // encodings
	To     string
	Before []Piece
	After  []Piece
	Why    []string
}

// Piece is a block, or several of a kind, in a summary.
type Piece struct {
	Kind string
	Size int // usable bytes
}

// Block is a window of one block: Bytes begin at From, Fields are those that touch it.
type Block struct {
	Name   string
	Kind   string
	Addr   uint64
	Size   int // usable bytes
	Used   int // requested: bytes that mean something
	Shared bool
	From   int
	Bytes  []byte
	Fields []layout.Field
	// Buckets is how full the 64-byte buckets among Bytes are, where the block is a value's table.
	Buckets []Bucket
}

// Table asks for a window of the buckets of one server's table.
type Table struct {
	Server int
	Kind   string // keys, expires or volatile items
	From   int    // bucket
	Count  int
	Open   int    // bucket shown in full, -1 for none
	Array  int    // which of the two arrays Open is in
	Key    []byte // the key to point out
}

// Buckets is a window of a table.
type Buckets struct {
	Server int
	Kind   string
	Chains bool    // a dict of 7.2 or 8.0: slots with chains instead of buckets
	Arrays []Array // two while rehashing
	Rehash int     // the next bucket of the first array to move, -1 when not rehashing
	Grows  int     // number of entries at which the table grows, 0 if unknown
	Shrink int     // number of entries at which it shrinks, 0 if it cannot
	At     *Place  // where Table.Key is
	Opened *Opening
}

// Array is one array of buckets.
type Array struct {
	Buckets  int
	Children int
	Used     int
	Bytes    int
	From     int
	Window   []Bucket
}

// Bucket is how full one bucket and its children are: a bit a position, one element a bucket of the chain. Of a dict it is
// one element, the length of the chain.
type Bucket struct {
	Chain []int
}

// Place is where a key is in a table.
type Place struct {
	Array    int
	Bucket   int
	Link     int // 0 the bucket itself, 1 its first child, ...
	Position int
}

// Opening is one bucket with its children, in full.
type Opening struct {
	Array  int
	Bucket int
	Links  []Link
}

// Link is one 64-byte bucket of a chain, or the entries of a dict's slot.
type Link struct {
	Offset  int // from the start of the array; of a child, its own block's start
	Addr    uint64
	Chained bool
	Bytes   []byte
	Slots   []Slot
}

// Slot is one position of a bucket.
type Slot struct {
	Used bool
	Tag  uint8
	Ptr  uint64
	Key  []byte
}

// Budget asks how a string of the given shape is kept.
type Budget struct {
	Key   int // bytes of the key
	Value int // bytes of the value
	TTL   bool
}

// Budgeted is the answer, one element a server.
type Budgeted struct {
	Servers []Embedding
}

// Embedding is how one server keeps a shape, and where that changes.
type Embedding struct {
	Encoding string
	Parts    []Part // of the object as it would be with the value in it
	Limit    int    // most bytes that Parts may have for the value to be embedded
	Total    int    // allocated, bytes
	Cutoff   int    // longest embedded value for this key, without a TTL; -1: none
	TTLOff   int    // the same with a TTL
	Jump     int    // what one byte more than the cutoff costs, with a TTL as asked
}

// Part is one part of an object.
type Part struct {
	Name  string
	Role  layout.Role
	Bytes int
}

// Complete asks for key names that begin with something.
type Complete struct {
	Prefix []byte
	Limit  int
}

// Completed is the names, in order.
type Completed struct {
	Keys [][]byte
}

// Watch waits until something happened that the page does not show yet. It is for pages that look on.
type Watch struct {
	Since uint64 // the Version last seen, 0 for none
}

// Watched is what the servers and their clients are at, a few times a second at most.
type Watched struct {
	Version   uint64
	DB        int // shown
	Clients   int
	Own       bool // the page is one of them: a command was typed in it
	Commands  int  // that ran since the servers started
	Rate      int  // commands a second
	Feed      []Fed
	Messages  []string // what came for the page as a subscriber, or as a monitor
	Lost      int      // bytes of such messages that were too many to keep
	Totals    []Total
	Databases []Database // with keys, or shown
	Pause     int        // ms until the next look, where looking takes the servers long
}

// Fed is a command that a client sent.
type Fed struct {
	DB   int
	Addr string
	Line string // its words, quoted where they need it; only the beginning of a long one
}

// Database is one of the first server's databases.
type Database struct {
	ID   int
	Keys int
}
