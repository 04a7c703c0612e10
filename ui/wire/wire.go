// Package wire is what the page and the engine in its Web Worker say to each other: one request, one response, as JSON.
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
	ID       uint64    `json:"id"`
	Now      int64     `json:"now"` // the page's clock, Unix time in milliseconds
	Open     *Open     `json:"open,omitempty"`
	Run      *Run      `json:"run,omitempty"`
	Keys     *Keys     `json:"keys,omitempty"`
	Inspect  *Inspect  `json:"inspect,omitempty"`
	Table    *Table    `json:"table,omitempty"`
	Budget   *Budget   `json:"budget,omitempty"`
	Complete *Complete `json:"complete,omitempty"`
}

// Response answers the request with the same ID.
type Response struct {
	ID        uint64     `json:"id"`
	Error     string     `json:"error,omitempty"` // why the request could not be answered, for people
	Crash     string     `json:"crash,omitempty"` // the engine panicked and cannot be used any more
	Opened    *Opened    `json:"opened,omitempty"`
	Ran       *Ran       `json:"ran,omitempty"`
	Listed    *Listed    `json:"listed,omitempty"`
	Inspected *Inspected `json:"inspected,omitempty"`
	Buckets   *Buckets   `json:"buckets,omitempty"`
	Budgeted  *Budgeted  `json:"budgeted,omitempty"`
	Completed *Completed `json:"completed,omitempty"`
}

// Open starts servers, empty, in place of those there were.
type Open struct {
	Servers  []string `json:"servers"` // VERSION[@BUILD]
	Config   []string `json:"config,omitempty"`
	HashSeed string   `json:"seed,omitempty"`
}

// Opened describes the servers.
type Opened struct {
	Servers []Server `json:"servers"`
}

// Server is one of the servers compared.
type Server struct {
	Name    string `json:"name"`           // as asked for
	Label   string `json:"label"`          // with what it is taken for: "9.0.9, as 9.0.6"
	Release string `json:"release"`        // the release whose commands and rules it has
	Build   string `json:"build"`          // its allocator
	Note    string `json:"note,omitempty"` // what to know about the build: that it is inferred
}

// Total is what one server holds in all.
type Total struct {
	Used int `json:"used"` // used_memory above that of the empty server, bytes
	Keys int `json:"keys"` // in the database shown
}

// Run gives typed lines to every server, one after another. An empty one only lets time pass: keys expire.
type Run struct {
	Lines []string `json:"lines,omitempty"`
}

// Ran is what the lines did.
type Ran struct {
	Results []Result `json:"results,omitempty"`
	Totals  []Total  `json:"totals"`
	DB      int      `json:"db"` // the database selected now
	Expires bool     `json:"expires,omitempty"`
}

// Result is what one line did.
type Result struct {
	Replies []Reply  `json:"replies"` // one, or one a server where they differ
	Effects []Effect `json:"effects,omitempty"`
	Key     []byte   `json:"key,omitempty"` // the first key it named
	Write   bool     `json:"write,omitempty"`
	Failed  string   `json:"failed,omitempty"` // the simulator panicked on it: no more lines ran, and the engine must be restarted
}

// Reply is a reply as valkey-cli prints it.
type Reply struct {
	Text  string `json:"text"`
	Error bool   `json:"error,omitempty"`
	More  int    `json:"more,omitempty"` // bytes of Text left out
}

// Effect is what a line did to one server's memory.
type Effect struct {
	Delta  int      `json:"delta"` // of used_memory, bytes
	Allocs int      `json:"allocs,omitempty"`
	Frees  int      `json:"frees,omitempty"`
	Why    []string `json:"why,omitempty"`
}

// Keys asks for a window of the key list.
type Keys struct {
	Search string `json:"search,omitempty"` // part of a name, or a pattern where it has * ? or [
	Sort   string `json:"sort,omitempty"`   // "" by name, "size", "delta"
	From   int    `json:"from"`
	Count  int    `json:"count"`
	Find   []byte `json:"find,omitempty"` // also say where this key stands
}

// Listed is a window of the key list.
type Listed struct {
	Rows  []Key   `json:"rows"`
	From  int     `json:"from"`
	Found int     `json:"found"` // keys that match the search
	At    int     `json:"at"`    // where Keys.Find stands, -1 if nowhere
	All   []Total `json:"totals"`
}

// Key is one row of the key list.
type Key struct {
	Name  []byte `json:"name"`
	Type  string `json:"type"`
	Sizes []int  `json:"sizes"` // allocated, bytes; -1 where the server has no such key
}

// Inspect asks for the picture of one key.
type Inspect struct {
	Key     []byte   `json:"key"`
	Windows []Window `json:"windows,omitempty"` // of blocks that are not shown from their beginning
	Blocks  int      `json:"blocks,omitempty"`  // index of the first block shown, for keys of very many
}

// Window moves what is shown of one large block.
type Window struct {
	Server int    `json:"server"`
	Block  string `json:"block"`
	From   int    `json:"from"` // byte offset
}

// Inspected is the picture of one key.
type Inspected struct {
	Key  []byte   `json:"key"`
	Type string   `json:"type,omitempty"` // empty where no server has the key
	Now  int64    `json:"now"`
	Side []Side   `json:"sides"`
	Why  []string `json:"why,omitempty"` // what makes the difference between the servers
}

// Side is one server's picture of a key.
type Side struct {
	Exists    bool    `json:"exists"`
	Type      string  `json:"type,omitempty"`
	Encoding  string  `json:"encoding,omitempty"`
	Length    int     `json:"length"`    // bytes of a string, elements of the rest
	Allocated int     `json:"allocated"` // usable bytes of the key's blocks
	Usage     int     `json:"usage"`     // what MEMORY USAGE prints
	Share     float64 `json:"share"`     // allocated plus the key's part of the tables
	ExpireAt  int64   `json:"expire"`    // Unix time in milliseconds, -1 without
	Blocks    []Block `json:"blocks,omitempty"`
	Of        int     `json:"of"` // how many blocks there are in all
	Change    *Change `json:"change,omitempty"`
	First     int     `json:"first,omitempty"`
}

// Change is the last time that a value was converted to another encoding.
type Change struct {
	Step   int      `json:"step"` // number of the line, from 1
	Line   string   `json:"line"`
	From   string   `json:"from"` // encodings
	To     string   `json:"to"`
	Before []Piece  `json:"before"`
	After  []Piece  `json:"after"`
	Why    []string `json:"why,omitempty"`
}

// Piece is a block, or several of a kind, in a summary.
type Piece struct {
	Kind string `json:"kind"`
	Size int    `json:"size"` // usable bytes
}

// Block is a window of one block: Bytes begin at From, Fields are those that touch it.
type Block struct {
	Name   string         `json:"name"`
	Kind   string         `json:"kind"`
	Addr   uint64         `json:"addr"`
	Size   int            `json:"size"` // usable bytes
	Used   int            `json:"used"` // requested: bytes that mean something
	Shared bool           `json:"shared,omitempty"`
	From   int            `json:"from,omitempty"`
	Bytes  []byte         `json:"bytes"`
	Fields []layout.Field `json:"fields"`
	// Buckets is how full the 64-byte buckets among Bytes are, where the block is a value's table.
	Buckets []Bucket `json:"buckets,omitempty"`
}

// Table asks for a window of the buckets of one server's table.
type Table struct {
	Server int    `json:"server"`
	Kind   string `json:"kind"` // keys, expires or volatile items
	From   int    `json:"from"` // bucket
	Count  int    `json:"count"`
	Open   int    `json:"open"`          // bucket shown in full, -1 for none
	Array  int    `json:"array"`         // which of the two arrays Open is in
	Key    []byte `json:"key,omitempty"` // the key to point out
}

// Buckets is a window of a table.
type Buckets struct {
	Server int      `json:"server"`
	Kind   string   `json:"kind"`
	Chains bool     `json:"chains,omitempty"` // a dict of 7.2 or 8.0: slots with chains instead of buckets
	Arrays []Array  `json:"arrays"`           // two while rehashing
	Rehash int      `json:"rehash"`           // the next bucket of the first array to move, -1 when not rehashing
	Grows  int      `json:"grows"`            // number of entries at which the table grows, 0 if unknown
	Shrink int      `json:"shrinks"`          // number of entries at which it shrinks, 0 if it cannot
	At     *Place   `json:"at,omitempty"`     // where Table.Key is
	Opened *Opening `json:"opened,omitempty"`
}

// Array is one array of buckets.
type Array struct {
	Buckets  int      `json:"buckets"`
	Children int      `json:"children"`
	Used     int      `json:"used"`
	Bytes    int      `json:"bytes"`
	From     int      `json:"from"`
	Window   []Bucket `json:"window"`
}

// Bucket is how full one bucket and its children are: a bit a position, one element a bucket of the chain. Of a dict it is
// one element, the length of the chain.
type Bucket struct {
	Chain []int `json:"chain"`
}

// Place is where a key is in a table.
type Place struct {
	Array    int `json:"array"`
	Bucket   int `json:"bucket"`
	Link     int `json:"link"` // 0 the bucket itself, 1 its first child, ...
	Position int `json:"position"`
}

// Opening is one bucket with its children, in full.
type Opening struct {
	Array  int    `json:"array"`
	Bucket int    `json:"bucket"`
	Links  []Link `json:"links"`
}

// Link is one 64-byte bucket of a chain, or the entries of a dict's slot.
type Link struct {
	Offset  int    `json:"offset"` // from the start of the array; of a child, its own block's start
	Addr    uint64 `json:"addr"`
	Chained bool   `json:"chained"`
	Bytes   []byte `json:"bytes"`
	Slots   []Slot `json:"slots"`
}

// Slot is one position of a bucket.
type Slot struct {
	Used bool   `json:"used"`
	Tag  uint8  `json:"tag"`
	Ptr  uint64 `json:"ptr"`
	Key  []byte `json:"key,omitempty"`
}

// Budget asks how a string of the given shape is kept.
type Budget struct {
	Key   int  `json:"key"`   // bytes of the key
	Value int  `json:"value"` // bytes of the value
	TTL   bool `json:"ttl"`
}

// Budgeted is the answer, one element a server.
type Budgeted struct {
	Servers []Embedding `json:"servers"`
}

// Embedding is how one server keeps a shape, and where that changes.
type Embedding struct {
	Encoding string `json:"encoding"`
	Parts    []Part `json:"parts"`      // of the object as it would be with the value in it
	Limit    int    `json:"limit"`      // most bytes that Parts may have for the value to be embedded
	Total    int    `json:"total"`      // allocated, bytes
	Cutoff   int    `json:"cutoff"`     // longest embedded value for this key, without a TTL; -1: none
	TTLOff   int    `json:"ttl_cutoff"` // the same with a TTL
	Jump     int    `json:"jump"`       // what one byte more than the cutoff costs, with a TTL as asked
}

// Part is one part of an object.
type Part struct {
	Name  string      `json:"name"`
	Role  layout.Role `json:"role"`
	Bytes int         `json:"bytes"`
}

// Complete asks for key names that begin with something.
type Complete struct {
	Prefix []byte `json:"prefix"`
	Limit  int    `json:"limit"`
}

// Completed is the names, in order.
type Completed struct {
	Keys [][]byte `json:"keys"`
}
