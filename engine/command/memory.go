package command

import (
	"math"

	"github.com/keyloupe/keyloupe/engine/keyspace"
	"github.com/keyloupe/keyloupe/engine/object"
	"github.com/keyloupe/keyloupe/engine/release"
)

var _ = add(map[string]handler{
	"memory|usage":    memoryUsageCommand,
	"object|encoding": objectEncodingCommand, "object|refcount": objectRefcountCommand,
	"object|idletime": objectIdletimeCommand, "object|freq": objectFreqCommand,
})

const defaultSamples = 5

// lookupNoEffect is how OBJECT and MEMORY look a key up: without touching or counting it.
var lookupNoEffect = []int{keyspace.NoTouch, keyspace.NoStats, keyspace.NoNotify}

func memoryUsageCommand(c *Client) {
	samples := int64(defaultSamples)
	for i := 3; i < len(c.Args); i++ {
		if !is(c.Args[i], "SAMPLES") || i+1 >= len(c.Args) {
			c.Error(errSyntax)
			return
		}
		i++
		n, ok := c.intArg(c.Args[i])
		if !ok {
			return
		}
		if n < 0 {
			c.Error(errSyntax)
			return
		}
		if samples = n; n == 0 {
			samples = math.MaxInt64
		}
	}
	p := c.DB.LookupRead(c.Args[2], lookupNoEffect...)
	if p == 0 {
		c.Null()
		return
	}
	c.Int(int64(c.S.usage(c.DB, c.Args[2], p, int(samples))))
}

// usage is what MEMORY USAGE prints: the object and its value, and the key's own block or entry
// where the release counts those (object.c, objectComputeSize and memoryCommand).
func (s *Server) usage(db *keyspace.DB, key []byte, p ptr, samples int) int {
	b := s.H.Bytes(p)
	t, e := object.TypeOf(b), object.EncodingOf(b)
	n := s.objectUsage(p)
	if e != object.Int && e != object.Embstr {
		n += s.types[t].usage(e, p, ptr(object.Val(b)), samples)
	}
	if s.R.KeyTable != release.Hashtable {
		n += db.EntrySize(key)
	}
	return n
}

// objectUsage is what MEMORY USAGE counts of an object without its value.
func (s *Server) objectUsage(p ptr) int {
	e := object.EncodingOf(s.H.Bytes(p))
	switch {
	case s.R.KeyTable != release.Hashtable:
		return objectSize(s, e, p)
	case !s.R.UsageCountsKey && e != object.Embstr:
		return robjSize
	}
	return s.H.Usable(p)
}

const robjSize = 16 // sizeof(robj)

// objectSize is what 7.2 and 8.0 count of the object itself.
func objectSize(s *Server, e object.Encoding, p ptr) int {
	if e == object.Embstr {
		return s.H.Usable(p)
	}
	return robjSize
}

// object finds the key of an OBJECT subcommand and replies nil where there is none.
func (c *Client) object() ptr {
	p := c.DB.LookupRead(c.Args[2], lookupNoEffect...)
	if p == 0 {
		c.Null()
	}
	return p
}

func objectEncodingCommand(c *Client) {
	if p := c.object(); p != 0 {
		c.BulkString(c.encodingOf(p).String())
	}
}

func objectRefcountCommand(c *Client) {
	p := c.object()
	if p == 0 {
		return
	}
	if object.IsShared(c.S.R, c.S.H.Bytes(p)) {
		c.Int(math.MaxInt32)
		return
	}
	c.Int(1)
}

func (c *Client) lfu() bool { return c.S.lfu() }

func (s *Server) lfu() bool {
	p := s.Conf.Text("maxmemory-policy")
	return p == "allkeys-lfu" || p == "volatile-lfu"
}

func (s *Server) lru() bool {
	p := s.Conf.Text("maxmemory-policy")
	return p == "allkeys-lru" || p == "volatile-lru"
}

func objectIdletimeCommand(c *Client) {
	p := c.object()
	if p == 0 {
		return
	}
	if c.lfu() {
		c.Error("ERR An LFU maxmemory policy is selected, idle time not tracked. Please note that when switching between policies at runtime LRU and LFU data will take some time to adjust.")
		return
	}
	c.Int(int64(c.S.Space.Idle(object.LRU(c.S.H.Bytes(p)))))
}

func objectFreqCommand(c *Client) {
	p := c.object()
	if p == 0 {
		return
	}
	if !c.lfu() {
		c.Error("ERR An LFU maxmemory policy is not selected, access frequency not tracked. Please note that when switching between policies at runtime LRU and LFU data will take some time to adjust.")
		return
	}
	c.Int(int64(c.S.Space.Frequency(object.LRU(c.S.H.Bytes(p)))))
}
