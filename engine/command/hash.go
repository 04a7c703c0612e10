package command

import (
	"math"
	"strconv"

	"github.com/keyloupe/keyloupe/engine/decimal"

	"github.com/keyloupe/keyloupe/engine/hashtype"
	"github.com/keyloupe/keyloupe/engine/keyspace"
	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/engine/longdouble"
	"github.com/keyloupe/keyloupe/engine/object"
)

var _ = add(map[string]handler{
	"hset": hsetCommand, "hmset": hsetCommand, "hsetnx": hsetnxCommand,
	"hget": hgetCommand, "hmget": hmgetCommand, "hgetdel": hgetdelCommand,
	"hdel": hdelCommand, "hlen": hlenCommand, "hexists": hexistsCommand, "hstrlen": hstrlenCommand,
	"hincrby": hincrbyCommand, "hincrbyfloat": hincrbyfloatCommand,
})

func init() {
	families = append(families, func(s *Server) {
		s.hashes = hashtype.NewKind(s.H, &s.Space.Seed, &s.Space.Now)
		view := func(e object.Encoding, p ptr) hashtype.Hash { return s.hashes.View(e, p) }
		s.types[object.Hash] = typeOps{
			free: func(e object.Encoding, p ptr) { x := view(e, p); x.Free() },
			dup: func(e object.Encoding, p ptr) (object.Encoding, ptr) {
				x := view(e, p)
				y := x.Dup()
				return y.Enc, y.P
			},
			usage: func(e object.Encoding, o, p ptr, samples int) int {
				x, n := view(e, p), s.objectUsage(o)
				return x.Usage(n, samples) - n
			},
			count: func(e object.Encoding, _, p ptr) int { x := view(e, p); return x.Len() },
			stats: func(e object.Encoding, p ptr, full bool) string {
				x := view(e, p)
				return x.Stats(full)
			},
			picture: func(pic *layout.Picture, e object.Encoding, p ptr, name string) {
				x := view(e, p)
				x.Picture(pic, name)
			},
		}
		s.cycle.more = append(s.cycle.more, s.expireFields)
		s.onConfig = append(s.onConfig, func() {
			s.hashes.MaxEntries = int(s.Conf.Int("hash-max-listpack-entries"))
			s.hashes.MaxValue = int(s.Conf.Int("hash-max-listpack-value"))
		})
	})
}

// hash is the hash of an object.
func (c *Client) hash(p ptr) hashtype.Hash { return c.S.hashOf(p) }

func (s *Server) hashOf(p ptr) hashtype.Hash {
	return s.hashes.Open(p)
}

// readHash finds the hash at a key; there is false where there is none. Where the type is another
// one the error is replied and ok is false.
func (c *Client) readHash(key []byte) (x hashtype.Hash, there, ok bool) {
	p, ok := c.find(key, object.Hash)
	if p == 0 || !ok {
		return x, false, ok
	}
	return c.hash(p), true, true
}

// hashEdit is a hash that a command changes, and what is to be told about it afterwards.
type hashEdit struct {
	c   *Client
	key []byte
	p   ptr // its object, 0 where there is none
	hashtype.Hash
	volatile bool // it had fields with an expiry
	expired  int  // fields that were found expired and overwritten
}

// editHash finds the hash at a key for writing.
func (c *Client) editHash(key []byte) (e hashEdit, ok bool) {
	p, ok := c.findWrite(key, object.Hash)
	if !ok {
		return e, false
	}
	e = hashEdit{c: c, key: key, p: p}
	if p != 0 {
		e.open(p)
	}
	return e, true
}

func (e *hashEdit) open(p ptr) {
	e.p, e.Hash = p, e.c.hash(p)
	e.volatile = e.HasVolatile()
}

// make adds an empty hash where there is none.
func (e *hashEdit) make() {
	if e.p == 0 {
		x := e.c.S.hashes.New()
		e.open(e.c.DB.Add(e.key, keyspace.Structure(object.Hash, x.Enc, x.P)))
	}
}

// put is Set that counts the expired fields it finds. It tells whether the field is new.
func (e *hashEdit) put(field, value []byte, at int64, keep bool) bool {
	was := e.Set(field, value, at, keep)
	if was == hashtype.Expired {
		e.expired++
	}
	return was != hashtype.There
}

// track notes in the database whether the hash has fields with an expiry, where that changed.
func (e *hashEdit) track() {
	switch has := e.HasVolatile(); {
	case has == e.volatile:
	case has:
		e.c.DB.Track(e.key, e.p)
	default:
		e.c.DB.Untrack(e.key, e.p)
	}
}

// changed tells everybody that n fields of the hash changed, with an event.
func (e *hashEdit) changed(n int, event string) {
	c := e.c
	c.touched(e.key)
	if e.expired > 0 {
		c.S.Space.Stats.ExpiredFields += int64(e.expired)
		c.notify('h', "hexpired", e.key)
	}
	c.notify('h', event, e.key)
	c.S.Dirty += int64(n)
}

// dropEmpty deletes the key of a hash without fields and tells whether it did.
func (e *hashEdit) dropEmpty() bool {
	if e.Len() > 0 {
		return false
	}
	if e.volatile {
		e.c.DB.Untrack(e.key, e.p)
	}
	e.c.DB.Delete(e.key)
	e.p = 0
	return true
}

func (c *Client) wrongArity() {
	c.Error("ERR wrong number of arguments for '" + c.Cmd.FullName + "' command")
}

func hsetCommand(c *Client) {
	if len(c.Args)%2 == 1 {
		c.wrongArity()
		return
	}
	e, ok := c.editHash(c.Args[1])
	if !ok {
		return
	}
	e.make()
	pairs := c.Args[2:]
	e.Prepare(pairs)
	created := 0
	for i := 0; i < len(pairs); i += 2 {
		if e.put(pairs[i], pairs[i+1], hashtype.NoExpire, false) {
			created++
		}
	}
	e.track()
	e.changed(len(pairs)/2, "hset")
	if c.Cmd.FullName == "hmset" {
		c.OK()
	} else {
		c.Int(int64(created))
	}
}

func hsetnxCommand(c *Client) {
	e, ok := c.editHash(c.Args[1])
	if !ok {
		return
	}
	e.make()
	if e.Exists(c.Args[2]) {
		c.Int(0)
		return
	}
	e.Prepare(c.Args[2:])
	e.put(c.Args[2], c.Args[3], hashtype.NoExpire, false)
	e.track()
	e.changed(1, "hset")
	c.Int(1)
}

func hgetCommand(c *Client) {
	x, there, ok := c.readHash(c.Args[1])
	switch {
	case !ok:
	case !there:
		c.Null()
	default:
		c.field(&x, c.Args[2])
	}
}

// field replies the value of a field, or nil.
func (c *Client) field(x *hashtype.Hash, field []byte) {
	if v, _, ok := x.Get(field); ok {
		c.Bulk(v)
		return
	}
	c.Null()
}

func hmgetCommand(c *Client) {
	x, there, ok := c.readHash(c.Args[1])
	if !ok {
		return
	}
	c.Array(len(c.Args) - 2)
	for _, f := range c.Args[2:] {
		if !there {
			c.Null()
			continue
		}
		c.field(&x, f)
	}
	if there && c.S.R.FieldTTL && x.Len() == 0 { // an empty hash that HSETEX of 9.0.0 left
		c.DB.Delete(c.Args[1])
	}
}

func hdelCommand(c *Client) {
	e, ok := c.editHash(c.Args[1])
	if !ok {
		return
	}
	if e.p == 0 {
		c.Int(0)
		return
	}
	e.HoldShrink()
	n := 0
	for _, f := range c.Args[2:] {
		if e.Delete(f) {
			n++
			if e.dropEmpty() {
				break
			}
		}
	}
	e.deleted(n)
	c.Int(int64(n))
}

// deleted ends a command that deleted n fields while shrinking was held.
func (e *hashEdit) deleted(n int) {
	if e.p != 0 {
		e.LetShrink()
	}
	if n == 0 {
		return
	}
	if e.p != 0 {
		e.track()
	}
	e.changed(n, "hdel")
	if e.p == 0 {
		e.c.notify('g', "del", e.key)
	}
}

const errNumFields = "ERR numfields should be greater than 0 and match the provided number of fields"

// fieldsAt reads FIELDS and the number of fields at argument i, which all arguments after it must
// match in number. mismatch is the error where they don't.
func (c *Client) fieldsAt(i int, word bool, mismatch string) (fields [][]byte, ok bool) {
	if word && !is(c.Args[i], "FIELDS") {
		c.Error(errSyntax)
		return nil, false
	}
	n, ok := c.intArg(c.Args[i+1])
	if !ok {
		return nil, false
	}
	fields = c.Args[i+2:]
	if n == 0 || n != int64(len(fields)) {
		c.Error(mismatch)
		return nil, false
	}
	return fields, true
}

func hgetdelCommand(c *Client) {
	fields, ok := c.fieldsAt(2, c.S.R.FieldsWordHgetdel, errNumFields)
	if !ok {
		return
	}
	e, ok := c.editHash(c.Args[1])
	if !ok {
		return
	}
	if e.p != 0 {
		e.HoldShrink()
	}
	c.Array(len(fields))
	n := 0
	for _, f := range fields {
		if e.p == 0 {
			c.Null()
			continue
		}
		c.field(&e.Hash, f)
		if e.Delete(f) {
			n++
			e.dropEmpty()
		}
	}
	e.deleted(n)
}

func hlenCommand(c *Client) {
	x, there, ok := c.readHash(c.Args[1])
	switch {
	case !ok:
	case !there:
		c.Int(0)
	default:
		c.Int(int64(x.Len()))
	}
}

func hexistsCommand(c *Client) {
	x, there, ok := c.readHash(c.Args[1])
	if !ok {
		return
	}
	if there && x.Exists(c.Args[2]) {
		c.Int(1)
		return
	}
	c.Int(0)
}

func hstrlenCommand(c *Client) {
	x, there, ok := c.readHash(c.Args[1])
	if !ok {
		return
	}
	n := 0
	if there {
		v, _, _ := x.Get(c.Args[2])
		n = len(v)
	}
	c.Int(int64(n))
}

func hincrbyCommand(c *Client) {
	by, ok := c.intArg(c.Args[3])
	if !ok {
		return
	}
	e, ok := c.editHash(c.Args[1])
	if !ok {
		return
	}
	e.make()
	n, at := int64(0), hashtype.NoExpire
	if v, until, there := e.Get(c.Args[2]); there {
		if n, ok = decimal.Parse(v); !ok {
			c.Error("ERR hash value is not an integer")
			return
		}
		at = until
	}
	if by < 0 && n < 0 && by < math.MinInt64-n || by > 0 && n > 0 && by > math.MaxInt64-n {
		c.Error("ERR increment or decrement would overflow")
		return
	}
	n += by
	e.increment(strconv.AppendInt(nil, n, 10), at, "hincrby")
	c.Int(n)
}

// increment stores the sum at the field, whose expiry stays.
func (e *hashEdit) increment(sum []byte, at int64, event string) {
	e.put(e.c.Args[2], sum, at, false)
	if e.c.S.R.HincrTracks {
		e.track()
	}
	e.changed(1, event)
}

func hincrbyfloatCommand(c *Client) {
	by, ok := longdouble.Parse(c.Args[3])
	if !ok {
		c.Error(errFloat)
		return
	}
	if by.IsInf() {
		c.Error("ERR value is NaN or Infinity")
		return
	}
	e, ok := c.editHash(c.Args[1])
	if !ok {
		return
	}
	e.make()
	f, at := longdouble.FromInt(0), hashtype.NoExpire
	if v, until, there := e.Get(c.Args[2]); there {
		if f, ok = longdouble.Parse(v); !ok {
			c.Error("ERR hash value is not a float")
			return
		}
		at = until
	}
	sum, ok := f.Add(by)
	if !ok || sum.IsInf() {
		c.Error("ERR increment would produce NaN or Infinity")
		return
	}
	text := []byte(sum.String())
	e.increment(text, at, "hincrbyfloat")
	c.Bulk(text)
}
