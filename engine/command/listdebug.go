package command

import (
	"math"
	"strings"

	"github.com/keyloupe/keyloupe/engine/object"
	"github.com/keyloupe/keyloupe/engine/quicklist"
)

var _ = addDebug(map[string]debugSub{
	"listpack": {3, 3, func(c *Client) {
		c.debugEncoding(object.Listpack, "ERR Not a listpack encoded object.", "Listpack structure printed on stdout")
	}},
	"quicklist": {3, 4, func(c *Client) {
		c.debugEncoding(object.Quicklist, "ERR Not a quicklist encoded object.", "Quicklist structure printed on stdout")
	}},
	"quicklist-packed-threshold": {3, 3, debugPackedThreshold},
})

// debugEncoding replies as the server does to DEBUG LISTPACK and DEBUG QUICKLIST. What the server
// prints on its own terminal, the picture of the key shows.
func (c *Client) debugEncoding(e object.Encoding, wrong, done string) {
	p := c.debugged()
	switch {
	case p == 0:
	case c.encodingOf(p) != e:
		c.Error(wrong)
	default:
		c.Status(done)
	}
}

// DEBUG QUICKLIST-PACKED-THRESHOLD size: from how many bytes on an element gets a plain node; 0
// leaves that to list-max-listpack-size again.
func debugPackedThreshold(c *Client) {
	n, ok := memorySize(c.Args[2])
	if !ok || !quicklist.ThresholdAllowed(n) {
		c.Error("ERR argument must be a memory value bigger than 1 and smaller than 4gb")
		return
	}
	c.S.packedThreshold = n
	c.OK()
}

// memoryUnits are the units of a size in bytes, in lower case (util.c, memtoull).
var memoryUnits = map[string]int{"": 1, "b": 1, "k": 1000, "kb": 1 << 10, "m": 1000 * 1000, "mb": 1 << 20, "g": 1000 * 1000 * 1000, "gb": 1 << 30}

// memorySize reads a size with an optional unit, such as 4mb. No digits are 0; what is larger than
// an int becomes the largest one.
func memorySize(a []byte) (n int, ok bool) {
	i := 0
	for ; i < len(a) && a[i] >= '0' && a[i] <= '9'; i++ {
		n = min(n*10+int(a[i]-'0'), math.MaxInt/16)
	}
	unit, ok := memoryUnits[strings.ToLower(string(a[i:]))]
	if n > math.MaxInt/max(unit, 1) {
		return math.MaxInt, ok
	}
	return n * unit, ok
}
