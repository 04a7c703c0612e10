package command

import (
	"bytes"
	"math"

	"github.com/keyloupe/keyloupe/engine/keyspace"
	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/engine/longdouble"
	"github.com/keyloupe/keyloupe/engine/object"
	"github.com/keyloupe/keyloupe/engine/sds"
)

var _ = add(map[string]handler{
	"set": setCommand, "setnx": setnxCommand,
	"setex": func(c *Client) {
		c.setGeneric(setArgs{flags: optEX, key: c.Args[1], val: c.Args[3], expire: c.Args[2]})
	},
	"psetex": func(c *Client) {
		c.setGeneric(setArgs{flags: optPX, key: c.Args[1], val: c.Args[3], expire: c.Args[2]})
	},
	"get":   func(c *Client) { c.get(c.Args[1]) },
	"getex": getexCommand, "getdel": getdelCommand, "getset": getsetCommand,
	"mget": mgetCommand, "mset": msetCommand, "msetnx": msetnxCommand, "msetex": msetexCommand,
	"append": appendCommand, "strlen": strlenCommand, "getrange": getrangeCommand, "substr": getrangeCommand,
	"setrange": setrangeCommand, "delifeq": delifeqCommand,
	"incr":        func(c *Client) { c.incrBy(1) },
	"decr":        func(c *Client) { c.incrBy(-1) },
	"incrby":      incrbyCommand,
	"decrby":      decrbyCommand,
	"incrbyfloat": incrbyfloatCommand,
})

func init() {
	families = append(families, func(s *Server) {
		s.types[object.String] = typeOps{
			free: func(_ object.Encoding, p ptr) { sds.Free(s.H, p) },
			usage: func(e object.Encoding, _, p ptr, _ int) int {
				if e != object.Raw {
					return 0
				}
				return sds.Usable(s.H, p)
			},
			picture: func(pic *layout.Picture, e object.Encoding, p ptr, name string) {
				if e == object.Raw {
					sds.Picture(pic, s.H, p, name, "value sds", layout.Value)
				}
			},
		}
	})
}

// Options of SET and its kin.
const (
	optNX = 1 << iota
	optXX
	optIFEQ
	optGet
	optKeepTTL
	optPersist
	optEX
	optPX
	optEXAT
	optPXAT
	optFNX
	optFXX

	optTime = optEX | optPX | optEXAT | optPXAT
)

// options is what the options of a command say.
type options struct {
	flags   int
	expire  []byte // the time of EX, PX, EXAT or PXAT
	compare []byte // the value of IFEQ
}

// parseOptions reads the options from argument i up to the end; allowed is what the command takes.
// A wrong one is a syntax error (server.c, parseExtendedCommandArgumentsOrReply).
func (c *Client) parseOptions(from, to, allowed int) (o options, ok bool) {
	for i := from; i < to; i++ {
		a := c.Args[i]
		last := i == to-1
		var f, not int
		takes := false
		switch {
		case is(a, "NX"):
			f, not = optNX, optXX|optIFEQ
		case is(a, "XX"):
			f, not = optXX, optNX|optIFEQ
		case is(a, "FNX"):
			f, not = optFNX, optFXX
		case is(a, "FXX"):
			f, not = optFXX, optFNX
		case is(a, "IFEQ"):
			f, not, takes = optIFEQ, optNX|optXX|optIFEQ, true
		case is(a, "GET"):
			f = optGet
		case is(a, "KEEPTTL"):
			f, not = optKeepTTL, optPersist|optTime
		case is(a, "PERSIST"):
			f, not = optPersist, optKeepTTL|optTime
		case is(a, "EX"):
			f, takes = optEX, true
		case is(a, "PX"):
			f, takes = optPX, true
		case is(a, "EXAT"):
			f, takes = optEXAT, true
		case is(a, "PXAT"):
			f, takes = optPXAT, true
		}
		if f&optTime != 0 {
			not = optKeepTTL | optPersist | optTime&^f
		}
		if f&allowed == 0 || o.flags&not != 0 || takes && last {
			c.Error(errSyntax)
			return o, false
		}
		o.flags |= f
		if takes {
			i++
			if f == optIFEQ {
				o.compare = c.Args[i]
			} else {
				o.expire = c.Args[i]
			}
		}
	}
	return o, true
}

// expireTime reads the time of an option as Unix ms (t_string.c, getExpireMillisecondsOrReply).
func (c *Client) expireTime(a []byte, flags int) (ms int64, ok bool) {
	n, ok := c.intArg(a)
	if !ok {
		return 0, false
	}
	seconds := flags&(optEX|optEXAT) != 0
	if n <= 0 || seconds && n > math.MaxInt64/1000 {
		c.invalidExpire()
		return 0, false
	}
	if seconds {
		n *= 1000
	}
	if flags&(optEX|optPX) != 0 {
		n += c.S.NowMS() // an overflow shows as a negative number
	}
	if n <= 0 {
		c.invalidExpire()
		return 0, false
	}
	return n, true
}

func (c *Client) invalidExpire() {
	c.Error("ERR invalid expire time in '" + c.Cmd.FullName + "' command")
}

// past tells whether a time has come already, so that nothing needs to be kept.
func (c *Client) past(at int64) bool { return at <= c.S.NowMS() && !c.S.Space.Import }

type setArgs struct {
	flags                     int
	key, val, expire, compare []byte
	ok, abort                 func(c *Client) // replies other than OK and nil
}

func setCommand(c *Client) {
	allowed := optNX | optXX | optGet | optKeepTTL | optTime
	if c.S.R.SetIfeq {
		allowed |= optIFEQ
	}
	o, ok := c.parseOptions(3, len(c.Args), allowed)
	if !ok {
		return
	}
	c.setGeneric(setArgs{flags: o.flags, key: c.Args[1], val: c.Args[2], expire: o.expire, compare: o.compare})
}

func setnxCommand(c *Client) {
	c.setGeneric(setArgs{flags: optNX, key: c.Args[1], val: c.Args[2],
		ok: func(c *Client) { c.Int(1) }, abort: func(c *Client) { c.Int(0) }})
}

// setGeneric is SET and its kin (t_string.c, setGenericCommand).
func (c *Client) setGeneric(a setArgs) {
	var at int64
	if a.expire != nil {
		var ok bool
		if at, ok = c.expireTime(a.expire, a.flags); !ok {
			return
		}
	}
	get := a.flags&optGet != 0
	if get && !c.get(a.key) {
		return
	}
	p := c.DB.LookupWrite(a.key)
	found := p != 0
	abort := a.flags&optNX != 0 && found || a.flags&optXX != 0 && !found
	if a.flags&optIFEQ != 0 {
		if found && !get {
			if _, ok := c.typed(p, object.String); !ok {
				return
			}
		}
		abort = !found || !bytes.Equal(c.text(p), a.compare)
	}
	if abort {
		switch {
		case get:
		case a.abort != nil:
			a.abort(c)
		default:
			c.Null()
		}
		return
	}
	if a.expire != nil && c.past(at) {
		if found {
			c.deletePast(a.key)
		}
		if !get {
			c.OK()
		}
		return
	}
	c.DB.Set(a.key, c.S.Space.Encoded(a.val), found, a.flags&optKeepTTL != 0 || a.expire != nil)
	c.touched(a.key)
	if a.expire != nil {
		c.DB.SetExpire(a.key, at)
	}
	c.S.Dirty++
	c.notify('$', "set", a.key)
	if a.expire != nil {
		c.notify('g', "expire", a.key)
	}
	switch {
	case get:
	case a.ok != nil:
		a.ok(c)
	default:
		c.OK()
	}
}

// deletePast deletes a key that was given a time that has come (db.c,
// deleteExpiredKeyFromOverwriteAndPropagate).
func (c *Client) deletePast(key []byte) {
	if !c.DB.Delete(key) {
		return
	}
	c.modified(key)
	if c.S.R.PastIsExpired {
		c.S.Space.Stats.Expired++
		c.notify('x', "expired", key)
	} else {
		c.notify('g', "del", key)
	}
}

// get replies a key's string and tells whether the type was right.
func (c *Client) get(key []byte) bool {
	p, ok := c.find(key, object.String)
	switch {
	case !ok:
		return false
	case p == 0:
		c.Null()
	default:
		c.bulkString(p)
	}
	return true
}

// bulkString replies a string object. A long one is not copied into the reply but referred to until
// the reply is sent (networking.c, isCopyAvoidPreferred, 9.0 and later), so that a command sent in the
// same batch finds it held.
func (c *Client) bulkString(p ptr) {
	text := c.text(p)
	c.Bulk(text)
	if least := c.S.R.ReplyRefersFrom; least > 0 && len(text) >= least && c.encodingOf(p) == object.Raw {
		c.S.Space.Hold(p)
		c.held = append(c.held, p)
	}
}

// Flushed tells that what the client's buffer held was sent.
func (c *Client) Flushed() {
	for _, p := range c.held {
		c.S.Space.Unhold(p)
	}
	c.held = c.held[:0]
}

func getexCommand(c *Client) {
	o, ok := c.parseOptions(2, len(c.Args), optPersist|optTime)
	if !ok {
		return
	}
	var at int64
	check := func() bool {
		if o.expire == nil {
			return true
		}
		var ok bool
		at, ok = c.expireTime(o.expire, o.flags)
		return ok
	}
	key := c.Args[1]
	if c.S.R.GetexChecksFirst && !check() {
		return
	}
	p, ok := c.find(key, object.String)
	if !ok {
		return
	}
	if p == 0 {
		c.Null()
		return
	}
	if !c.S.R.GetexChecksFirst && !check() {
		return
	}
	c.bulkString(p)
	switch {
	case o.flags&(optPXAT|optEXAT) != 0 && c.past(at):
		c.deletePast(key)
	case o.expire != nil:
		c.DB.SetExpire(key, at)
		c.modified(key)
		c.notify('g', "expire", key)
	case o.flags&optPersist != 0 && c.DB.RemoveExpire(key):
		c.modified(key)
		c.notify('g', "persist", key)
	}
}

func getdelCommand(c *Client) {
	key := c.Args[1]
	p, ok := c.find(key, object.String)
	if !ok {
		return
	}
	if p == 0 {
		c.Null()
		return
	}
	c.Bulk(c.text(p))
	c.DB.Delete(key)
	c.modified(key)
	c.notify('g', "del", key)
}

func getsetCommand(c *Client) {
	key := c.Args[1]
	if !c.get(key) {
		return
	}
	c.DB.SetKey(key, c.S.Space.Encoded(c.Args[2]))
	c.modified(key)
	c.notify('$', "set", key)
}

func mgetCommand(c *Client) {
	c.Array(len(c.Args) - 1)
	for _, k := range c.Args[1:] {
		p := c.lookupRead(k)
		if p == 0 || c.typeOf(p) != object.String {
			c.Null()
			continue
		}
		c.bulkString(p)
	}
}

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

func delifeqCommand(c *Client) {
	key := c.Args[1]
	p, ok := c.findWrite(key, object.String)
	if !ok {
		return
	}
	if p == 0 || !bytes.Equal(c.text(p), c.Args[2]) {
		c.Int(0)
		return
	}
	c.DB.Delete(key)
	c.modified(key)
	c.notify('g', "del", key)
	c.Int(1)
}

func incrbyCommand(c *Client) {
	if n, ok := c.intArg(c.Args[2]); ok {
		c.incrBy(n)
	}
}

func decrbyCommand(c *Client) {
	n, ok := c.intArg(c.Args[2])
	if !ok {
		return
	}
	if n == math.MinInt64 {
		c.Error("ERR decrement would overflow")
		return
	}
	c.incrBy(-n)
}

func (c *Client) incrBy(by int64) {
	key := c.Args[1]
	p, ok := c.findWrite(key, object.String)
	if !ok {
		return
	}
	var n int64
	if p != 0 {
		if n, ok = keyspace.ParseInt(c.text(p)); !ok {
			c.Error(errInt)
			return
		}
	}
	if by < 0 && n < 0 && by < math.MinInt64-n || by > 0 && n > 0 && by > math.MaxInt64-n {
		c.Error("ERR increment or decrement would overflow")
		return
	}
	n += by
	switch {
	case p == 0:
		c.DB.Add(key, keyspace.Integer(n))
	case c.inPlace(p, n):
		c.setValue(p, ptr(n))
	default:
		c.DB.Replace(key, keyspace.Integer(n))
	}
	c.modified(key)
	c.notify('$', "incrby", key)
	c.Int(n)
}

// inPlace tells whether an integer can be put into the object that is there: not into a shared one,
// nor where the new one would be shared.
func (c *Client) inPlace(p ptr, n int64) bool {
	b := c.S.H.Bytes(p)
	if object.EncodingOf(b) != object.Int || object.IsShared(c.S.R, b) {
		return false
	}
	return n < 0 || n >= int64(c.S.R.SharedIntegers)
}

func incrbyfloatCommand(c *Client) {
	key := c.Args[1]
	p, ok := c.findWrite(key, object.String)
	if !ok {
		return
	}
	var value longdouble.F
	if p != 0 {
		if value, ok = longdouble.Parse(c.text(p)); !ok {
			c.Error(errFloat)
			return
		}
	}
	by, ok := longdouble.Parse(c.Args[2])
	if !ok {
		c.Error(errFloat)
		return
	}
	if p == 0 {
		value = longdouble.FromInt(0)
	}
	sum, ok := value.Add(by)
	if !ok || sum.IsInf() {
		c.Error("ERR increment would produce NaN or Infinity")
		return
	}
	text := []byte(sum.String())
	v := c.S.Space.Arg(text)
	if p != 0 {
		c.DB.Replace(key, v)
	} else {
		c.DB.Add(key, v)
	}
	c.modified(key)
	c.notify('$', "incrbyfloat", key)
	c.Bulk(text)
}
