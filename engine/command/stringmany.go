package command

import "math"

func (c *Client) oddPairs() bool {
	if len(c.Args)%2 == 0 {
		c.Error("ERR wrong number of arguments for '" + c.Cmd.FullName + "' command")
		return true
	}
	return false
}

// held is the objects that the command being executed made and still holds as its arguments.
type held map[ptr]bool

// set sets a key, whose object is was or 0, and returns its object.
func (h held) set(c *Client, key, val []byte, was ptr, keepTTL bool) ptr {
	v := c.S.Space.Encoded(val)
	v.Held = h[was]
	p := c.DB.Set(key, v, was != 0, keepTTL)
	h[p] = true
	return p
}

func msetCommand(c *Client) {
	if c.oddPairs() {
		return
	}
	held := held{}
	for i := 1; i < len(c.Args); i += 2 {
		p := c.DB.LookupWrite(c.Args[i])
		held.set(c, c.Args[i], c.Args[i+1], p, false)
		c.modified(c.Args[i])
		c.notify('$', "set", c.Args[i])
	}
	c.OK()
}

func msetnxCommand(c *Client) {
	if c.oddPairs() {
		return
	}
	for i := 1; i < len(c.Args); i += 2 {
		if c.DB.LookupWrite(c.Args[i]) != 0 {
			c.Int(0)
			return
		}
	}
	held := held{}
	for i := 1; i < len(c.Args); i += 2 {
		p := ptr(0)
		if i > 1 { // a key may be named twice
			p = c.DB.Peek(c.Args[i])
		}
		held.set(c, c.Args[i], c.Args[i+1], p, false)
		c.modified(c.Args[i])
		c.notify('$', "set", c.Args[i])
	}
	c.Int(1)
}

func msetexCommand(c *Client) {
	n, ok := c.rangeArg(c.Args[1], 1, math.MaxInt32, "ERR invalid numkeys value or out of range")
	if !ok {
		return
	}
	end := 2 + 2*int(n)
	if end > len(c.Args) {
		c.Error(errSyntax)
		return
	}
	o, ok := c.parseOptions(end, len(c.Args), optNX|optXX|optKeepTTL|optTime)
	if !ok {
		return
	}
	var at int64
	if o.expire != nil {
		if at, ok = c.expireTime(o.expire, o.flags); !ok {
			return
		}
	}
	if o.flags&(optNX|optXX) != 0 {
		for i := 2; i < end; i += 2 {
			if there := c.DB.LookupWrite(c.Args[i]) != 0; there == (o.flags&optNX != 0) {
				c.Int(0)
				return
			}
		}
	}
	held := held{}
	for i := 2; i < end; i += 2 {
		key := c.Args[i]
		p := held.set(c, key, c.Args[i+1], c.DB.LookupWrite(key), o.flags&optKeepTTL != 0 || o.expire != nil)
		if o.expire != nil {
			held[p] = false
			held[c.DB.SetExpire(key, at)] = true
		}
		c.modified(key)
		c.notify('$', "set", key)
		if o.expire != nil {
			c.notify('g', "expire", key)
		}
	}
	c.Int(1)
}
