package command

import (
	"math/bits"

	"github.com/keyloupe/keyloupe/engine/decimal"

	"github.com/keyloupe/keyloupe/engine/keyspace"
	"github.com/keyloupe/keyloupe/engine/object"
	"github.com/keyloupe/keyloupe/engine/sds"
)

var _ = add(map[string]handler{
	"setbit": setbitCommand, "getbit": getbitCommand, "bitcount": bitcountCommand, "bitpos": bitposCommand,
	"bitop": bitopCommand,
})

const errBitOffset = "ERR bit offset is not an integer or out of range"

// bitOffset reads a bit's place; width is that of the fields which #n counts, 0 where that can't be.
func (c *Client) bitOffset(a []byte, width int) (int64, bool) {
	times := int64(1)
	if width > 0 && len(a) > 0 && a[0] == '#' {
		a, times = a[1:], int64(width)
	}
	n, ok := decimal.Parse(a)
	if off := n * times; ok && off >= 0 && off>>3 < c.S.limit() {
		return off, true
	}
	c.Error(errBitOffset)
	return 0, false
}

// bitString makes the string at Args[1] writable up to a bit; grown tells whether it is new or
// longer than before.
func (c *Client) bitString(bit int64) (text []byte, grown, ok bool) {
	key := c.Args[1]
	p, ok := c.findWrite(key, object.String)
	if !ok {
		return nil, false, false
	}
	was := -1
	if p != 0 {
		was = len(c.text(p))
	}
	p = c.grow(key, p, int(bit>>3)+1)
	text = sds.Text(c.S.H, c.value(p))
	return text, len(text) != was, true
}

func setbitCommand(c *Client) {
	off, ok := c.bitOffset(c.Args[2], 0)
	if !ok {
		return
	}
	const errBit = "ERR bit is not an integer or out of range"
	on, ok := c.rangeArg(c.Args[3], 0, 1, errBit)
	if !ok {
		return
	}
	s, grown, ok := c.bitString(off)
	if !ok {
		return
	}
	mask := byte(0x80) >> (off & 7)
	was := s[off>>3]&mask != 0
	if grown || was != (on == 1) {
		s[off>>3] &^= mask
		if on == 1 {
			s[off>>3] |= mask
		}
		c.modified(c.Args[1])
		c.notify('$', "setbit", c.Args[1])
	}
	c.Int(one(was))
}

func one(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func getbitCommand(c *Client) {
	off, ok := c.bitOffset(c.Args[2], 0)
	if !ok {
		return
	}
	p, ok := c.find(c.Args[1], object.String)
	if !ok {
		return
	}
	set := false
	if p != 0 {
		s := c.text(p)
		set = off>>3 < int64(len(s)) && s[off>>3]&(0x80>>(off&7)) != 0
	}
	c.Int(one(set))
}

// bitRange is the part of a string that BITCOUNT and BITPOS look at, in bits.
type bitRange struct {
	from, to int64 // the first bit, and the one after the last
	byBit    bool
}

// unit reads BIT or BYTE.
func (c *Client) unit(a []byte) (byBit, ok bool) {
	switch {
	case is(a, "BIT"):
		return true, true
	case is(a, "BYTE"):
		return false, true
	}
	c.Error(errSyntax)
	return false, false
}

// clamp makes offsets that may be negative, in bytes or bits, a range of bits.
func clamp(start, end, n int64, byBit bool) bitRange {
	if byBit {
		n *= 8
	}
	if start < 0 {
		start = max(0, n+start)
	}
	if end < 0 {
		end = max(0, n+end)
	}
	r := bitRange{min(start, n), min(end, n-1) + 1, byBit}
	if !byBit {
		r.from, r.to = 8*r.from, 8*r.to
	}
	return r
}

func bitcountCommand(c *Client) {
	n := len(c.Args)
	if n > 5 || n == 3 && !c.S.R.BitcountStartOnly {
		c.Error(errSyntax)
		return
	}
	start, end, byBit, ok := int64(0), int64(-1), false, true
	if n >= 3 {
		if start, ok = c.intArg(c.Args[2]); !ok {
			return
		}
		if n == 5 {
			if byBit, ok = c.unit(c.Args[4]); !ok {
				return
			}
		}
		if n >= 4 {
			if end, ok = c.intArg(c.Args[3]); !ok {
				return
			}
		}
	}
	p, ok := c.find(c.Args[1], object.String)
	if !ok {
		return
	}
	if p == 0 || n >= 4 && start < 0 && end < 0 && start > end {
		c.Int(0)
		return
	}
	s := c.text(p)
	c.Int(countBits(s, clamp(start, end, int64(len(s)), byBit)))
}

func countBits(s []byte, r bitRange) (n int64) {
	for i := r.from; i < r.to; {
		if i&7 == 0 && i+8 <= r.to {
			n += int64(bits.OnesCount8(s[i>>3]))
			i += 8
			continue
		}
		n += int64(s[i>>3] >> (7 - i&7) & 1)
		i++
	}
	return n
}

func bitposCommand(c *Client) {
	n := len(c.Args)
	bit, ok := c.intArg(c.Args[2])
	if !ok {
		return
	}
	if bit != 0 && bit != 1 {
		c.Error("ERR The bit argument must be 1 or 0.")
		return
	}
	if n > 6 {
		c.Error(errSyntax)
		return
	}
	start, end, byBit := int64(0), int64(-1), false
	if n >= 4 {
		if start, ok = c.intArg(c.Args[3]); !ok {
			return
		}
		if n == 6 {
			if byBit, ok = c.unit(c.Args[5]); !ok {
				return
			}
		}
		if n >= 5 {
			if end, ok = c.intArg(c.Args[4]); !ok {
				return
			}
		}
	}
	p, ok := c.find(c.Args[1], object.String)
	if !ok {
		return
	}
	if p == 0 {
		c.Int(-bit)
		return
	}
	s := c.text(p)
	r := clamp(start, end, int64(len(s)), byBit)
	if r.from >= r.to {
		c.Int(-1)
		return
	}
	for i := r.from; i < r.to; i++ {
		if i&7 == 0 && i+8 <= r.to && s[i>>3] == 0xff*byte(1-bit) { // eight of the other kind
			i += 7
			continue
		}
		if int64(s[i>>3]>>(7-i&7)&1) == bit {
			c.Int(i)
			return
		}
	}
	if bit == 0 && n < 5 { // the string counts as followed by zeros where no end was given
		c.Int(r.to)
		return
	}
	c.Int(-1)
}

func bitopCommand(c *Client) {
	op := c.Args[1]
	combine := func(x, y byte) byte { return x }
	switch {
	case is(op, "AND"):
		combine = func(x, y byte) byte { return x & y }
	case is(op, "OR"):
		combine = func(x, y byte) byte { return x | y }
	case is(op, "XOR"):
		combine = func(x, y byte) byte { return x ^ y }
	case !is(op, "NOT"):
		c.Error(errSyntax)
		return
	}
	if is(op, "NOT") && len(c.Args) != 4 {
		c.Error("ERR BITOP NOT must be called with a single source key.")
		return
	}
	var res []byte
	var src [][]byte
	for _, k := range c.Args[3:] {
		p, ok := c.find(k, object.String)
		if !ok {
			return
		}
		var s []byte
		if p != 0 {
			s = append(s, c.text(p)...)
		}
		src = append(src, s)
		if len(s) > len(res) {
			res = make([]byte, len(s))
		}
	}
	copy(res, src[0])
	for _, s := range src[1:] {
		for i := range res {
			x := byte(0)
			if i < len(s) {
				x = s[i]
			}
			res[i] = combine(res[i], x)
		}
	}
	if is(op, "NOT") {
		for i := range res {
			res[i] = ^res[i]
		}
	}
	dst := c.Args[2]
	if len(res) > 0 {
		c.DB.SetKey(dst, keyspace.RawText(res))
		c.modified(dst)
		c.notify('$', "set", dst)
	} else if c.DB.Delete(dst) {
		c.modified(dst)
		c.notify('g', "del", dst)
	}
	c.Int(int64(len(res)))
}
