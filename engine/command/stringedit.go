package command

import (
	"github.com/keyloupe/keyloupe/engine/keyspace"
	"github.com/keyloupe/keyloupe/engine/object"
	"github.com/keyloupe/keyloupe/engine/sds"
)

// tooLong replies the error for a string that would exceed the limit, n bytes with add more.
func (c *Client) tooLong(n, add int64) bool {
	if total := n + add; total > c.S.limit() || total < n || total < add {
		c.Error("ERR string exceeds maximum allowed size (proto-max-bulk-len)")
		return true
	}
	return false
}

// unshare makes sure that a string object can be changed in place: its value becomes a raw string
// of its own (db.c, dbUnshareStringValue). It returns the object, which may be another one.
func (c *Client) unshare(key []byte, p ptr) ptr {
	if c.encodingOf(p) == object.Raw && !c.S.Space.Holds(p) {
		return p
	}
	text := append([]byte(nil), c.text(p)...)
	return c.DB.Replace(key, keyspace.Value{Type: object.String, Enc: object.Raw, Ptr: sds.New(c.S.H, text)})
}

func appendCommand(c *Client) {
	key, val := c.Args[1], c.Args[2]
	p, ok := c.findWrite(key, object.String)
	if !ok {
		return
	}
	var n int
	if p == 0 {
		p = c.DB.Add(key, c.S.Space.Encoded(val))
		n = len(c.text(p))
	} else {
		if c.tooLong(int64(len(c.text(p))), int64(len(val))) {
			return
		}
		p = c.unshare(key, p)
		s := sds.Append(c.S.H, c.value(p), val)
		c.setValue(p, s)
		n = sds.Len(c.S.H, s)
	}
	c.modified(key)
	c.notify('$', "append", key)
	c.Int(int64(n))
}

func strlenCommand(c *Client) {
	p, ok := c.find(c.Args[1], object.String)
	if !ok {
		return
	}
	if p == 0 {
		c.Int(0)
		return
	}
	c.Int(int64(len(c.text(p))))
}

func getrangeCommand(c *Client) {
	start, ok := c.intArg(c.Args[2])
	if !ok {
		return
	}
	end, ok := c.intArg(c.Args[3])
	if !ok {
		return
	}
	p, ok := c.find(c.Args[1], object.String)
	if !ok {
		return
	}
	if p == 0 {
		c.Bulk(nil)
		return
	}
	s := c.text(p)
	n := int64(len(s))
	if start < 0 && end < 0 && start > end {
		c.Bulk(nil)
		return
	}
	if start < 0 {
		start = max(0, n+start)
	}
	if end < 0 {
		end = max(0, n+end)
	}
	end = min(end, n-1)
	if start > end || n == 0 {
		c.Bulk(nil)
		return
	}
	c.Bulk(s[start : end+1])
}

func setrangeCommand(c *Client) {
	key, val := c.Args[1], c.Args[3]
	off, ok := c.intArg(c.Args[2])
	if !ok {
		return
	}
	if off < 0 {
		c.Error("ERR offset is out of range")
		return
	}
	p, ok := c.findWrite(key, object.String)
	if !ok {
		return
	}
	if len(val) == 0 {
		n := 0
		if p != 0 {
			n = len(c.text(p))
		}
		c.Int(int64(n))
		return
	}
	if c.tooLong(off, int64(len(val))) {
		return
	}
	end := int(off) + len(val)
	p = c.grow(key, p, end)
	s := c.value(p)
	copy(sds.Text(c.S.H, s)[off:], val)
	c.modified(key)
	c.notify('$', "setrange", key)
	c.Int(int64(sds.Len(c.S.H, s)))
}

// grow makes the string at key, whose object is p or 0, a raw one of at least n bytes, filled with
// zeros, and returns its object.
func (c *Client) grow(key []byte, p ptr, n int) ptr {
	if p == 0 {
		return c.DB.Add(key, keyspace.Value{Type: object.String, Enc: object.Raw, Ptr: sds.New(c.S.H, make([]byte, n))})
	}
	p = c.unshare(key, p)
	c.setValue(p, sds.Grow(c.S.H, c.value(p), n))
	return p
}
