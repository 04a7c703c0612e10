package command

import (
	"github.com/keyloupe/keyloupe/engine/decimal"
	"github.com/keyloupe/keyloupe/engine/object"
)

var _ = add(map[string]handler{
	"bitfield":    func(c *Client) { c.bitfield(false) },
	"bitfield_ro": func(c *Client) { c.bitfield(true) },
})

// What an integer that does not fit its field becomes.
const (
	overflowWrap = iota
	overflowSat
	overflowFail
)

// fieldOp is one operation of BITFIELD.
type fieldOp struct {
	get, set bool // neither: INCRBY
	signed   bool
	width    int
	at       int64 // first bit
	value    int64
	overflow int
}

// bitfield is BITFIELD, or BITFIELD_RO where it may only read (bitops.c, bitfieldGeneric).
func (c *Client) bitfield(readOnly bool) {
	ops, ok := c.fieldOps()
	if !ok {
		return
	}
	last, writes := int64(0), false
	for _, o := range ops {
		if !o.get {
			writes = true
			last = max(last, o.at+int64(o.width)-1)
		}
	}
	var s []byte
	grown := false
	if writes {
		if readOnly {
			c.Error("ERR BITFIELD_RO only supports the GET subcommand")
			return
		}
		if s, grown, ok = c.bitString(last); !ok {
			return
		}
	} else {
		p, ok := c.find(c.Args[1], object.String)
		if !ok {
			return
		}
		if p != 0 {
			s = c.text(p)
		}
	}
	changes := int64(0)
	c.Array(len(ops))
	for _, o := range ops {
		if c.fieldOp(s, o) || grown && !o.get {
			changes++
		}
	}
	if changes > 0 {
		c.touched(c.Args[1])
		c.S.Dirty += changes
		c.notify('$', "setbit", c.Args[1])
	}
}

// fieldOps reads the operations.
func (c *Client) fieldOps() (ops []fieldOp, ok bool) {
	overflow := overflowWrap
	for i := 2; i < len(c.Args); i++ {
		a, left := c.Args[i], len(c.Args)-i-1
		o := fieldOp{overflow: overflow}
		n := 3
		switch {
		case is(a, "GET") && left >= 2:
			o.get, n = true, 2
		case is(a, "SET") && left >= 3:
			o.set = true
		case is(a, "INCRBY") && left >= 3:
		case is(a, "OVERFLOW") && left >= 1:
			i++
			switch b := c.Args[i]; {
			case is(b, "WRAP"):
				overflow = overflowWrap
			case is(b, "SAT"):
				overflow = overflowSat
			case is(b, "FAIL"):
				overflow = overflowFail
			default:
				c.Error("ERR Invalid OVERFLOW type specified")
				return nil, false
			}
			continue
		default:
			c.Error(errSyntax)
			return nil, false
		}
		if o.signed, o.width, ok = c.fieldType(c.Args[i+1]); !ok {
			return nil, false
		}
		if o.at, ok = c.bitOffset(c.Args[i+2], o.width); !ok {
			return nil, false
		}
		if !o.get {
			if o.value, ok = c.intArg(c.Args[i+3]); !ok {
				return nil, false
			}
		}
		ops = append(ops, o)
		i += n
	}
	return ops, true
}

func (c *Client) fieldType(a []byte) (signed bool, width int, ok bool) {
	if len(a) > 0 && (a[0] == 'i' || a[0] == 'u') {
		signed = a[0] == 'i'
		if n, ok := decimal.Parse(a[1:]); ok && n >= 1 && (n <= 63 || n == 64 && signed) {
			return signed, int(n), true
		}
	}
	c.Error("ERR Invalid bitfield type. Use something like i16 u8. Note that u64 is not supported but i64 is.")
	return false, 0, false
}

// fieldOp does one operation, replies, and tells whether a value changed.
func (c *Client) fieldOp(s []byte, o fieldOp) bool {
	old := getField(s, o.at, o.width)
	if o.signed {
		old = extend(old, o.width)
	}
	if o.get {
		c.Int(old)
		return false
	}
	var now int64
	var over bool
	switch {
	case o.set:
		now, over = o.fit(o.value, 0)
	default:
		now, over = o.fit(old, o.value)
	}
	if over && o.overflow == overflowFail {
		c.Null()
		return false
	}
	if o.set {
		c.Int(old)
	} else {
		c.Int(now)
	}
	putField(s, o.at, o.width, now)
	return now != old
}

// fit is value+by as the field holds it, and whether it did not fit as it is.
func (o fieldOp) fit(value, by int64) (int64, bool) {
	if o.signed {
		return o.fitSigned(value, by)
	}
	top := int64(1)<<o.width - 1 // at most 63 bits
	room, low := top-value, -value
	switch {
	case uint64(value) > uint64(top) || by > 0 && by > room:
		if o.overflow == overflowSat {
			return top, true
		}
	case by < 0 && by < low:
		if o.overflow == overflowSat {
			return 0, true
		}
	default:
		return value + by, false
	}
	return (value + by) & top, true
}

func (o fieldOp) fitSigned(value, by int64) (int64, bool) {
	top := int64(1)<<(o.width-1) - 1
	bottom := -top - 1
	room, low := top-value, bottom-value // wrap around for 64 bits, as the server's do
	narrow := o.width != 64
	switch {
	case value > top || narrow && by > room || value >= 0 && by > 0 && by > room:
		if o.overflow == overflowSat {
			return top, true
		}
	case value < bottom || narrow && by < low || value < 0 && by < 0 && by < low:
		if o.overflow == overflowSat {
			return bottom, true
		}
	default:
		return value + by, false
	}
	return extend((value+by)&(top<<1|1), o.width), true
}

// extend makes the low bits of v a signed number.
func extend(v int64, width int) int64 { return v << (64 - width) >> (64 - width) }

// getField reads width bits from bit at on; beyond the string are zeros.
func getField(s []byte, at int64, width int) (v int64) {
	for i := at; i < at+int64(width); i++ {
		v <<= 1
		if i>>3 < int64(len(s)) {
			v |= int64(s[i>>3] >> (7 - i&7) & 1)
		}
	}
	return v
}

func putField(s []byte, at int64, width int, v int64) {
	for i := at + int64(width) - 1; i >= at; i-- {
		mask := byte(0x80) >> (i & 7)
		s[i>>3] &^= mask
		if v&1 != 0 {
			s[i>>3] |= mask
		}
		v >>= 1
	}
}
