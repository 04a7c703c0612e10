package command

import (
	"math"

	"github.com/keyloupe/keyloupe/engine/hashtype"
	"github.com/keyloupe/keyloupe/engine/object"
)

var _ = add(map[string]handler{
	"hsetex": hsetexCommand, "hgetex": hgetexCommand, "hpersist": hpersistCommand,
	"hexpire":      func(c *Client) { c.hexpireGeneric(true, true) },
	"hpexpire":     func(c *Client) { c.hexpireGeneric(false, true) },
	"hexpireat":    func(c *Client) { c.hexpireGeneric(true, false) },
	"hpexpireat":   func(c *Client) { c.hexpireGeneric(false, false) },
	"httl":         func(c *Client) { c.httlGeneric(true, true) },
	"hpttl":        func(c *Client) { c.httlGeneric(false, true) },
	"hexpiretime":  func(c *Client) { c.httlGeneric(true, false) },
	"hpexpiretime": func(c *Client) { c.httlGeneric(false, false) },
})

// findFields is the index of the first argument from i on that is the word FIELDS and not the last
// one, or ok is false.
func (c *Client) findFields(i int) (at int, ok bool) {
	for ; i < len(c.Args)-1; i++ {
		if is(c.Args[i], "FIELDS") {
			return i, true
		}
	}
	return 0, false
}

// fieldTime reads an expiry as Unix ms; 0 and times in the past are allowed (expire.c,
// convertExpireArgumentToUnixTime).
func (c *Client) fieldTime(a []byte, seconds, relative bool) (at int64, ok bool) {
	at, ok = c.intArg(a)
	if !ok {
		return 0, false
	}
	base := int64(0)
	if relative {
		base = c.S.NowMS()
	}
	if at < 0 || seconds && at > math.MaxInt64/1000 {
		c.invalidExpire()
		return 0, false
	}
	if seconds {
		at *= 1000
	}
	if at > math.MaxInt64-base {
		c.invalidExpire()
		return 0, false
	}
	return at + base, true
}

func (c *Client) optionTime(o options) (at int64, ok bool) {
	return c.fieldTime(o.expire, o.flags&(optEX|optEXAT) != 0, o.flags&(optEX|optPX) != 0)
}

func hsetexCommand(c *Client) {
	i, ok := c.findFields(0)
	if !ok {
		c.Error(errNumFields)
		return
	}
	allowed := optFNX | optFXX | optKeepTTL | optTime
	if c.S.R.HsetexKeyConditions {
		allowed |= optNX | optXX
	}
	o, ok := c.parseOptions(2, i, allowed)
	if !ok {
		return
	}
	n, ok := c.intArg(c.Args[i+1])
	if !ok {
		return
	}
	pairs := c.Args[i+2:]
	if n == 0 || n > math.MaxInt64/2 || 2*n != int64(len(pairs)) {
		c.Error(errNumFields)
		return
	}
	e, ok := c.editHash(c.Args[1])
	if !ok {
		return
	}
	there := e.p != 0
	if o.flags&optNX != 0 && there || o.flags&optXX != 0 && !there {
		c.Int(0)
		return
	}
	at := hashtype.NoExpire
	if o.flags&optKeepTTL == 0 && o.expire != nil {
		if at, ok = c.optionTime(o); !ok {
			return
		}
	}
	if !e.fieldConditions(pairs, o.flags) {
		c.Int(0)
		return
	}
	e.make()
	if at != hashtype.NoExpire && c.past(at) {
		e.setPast(pairs)
		return
	}
	for i := 0; i < len(pairs); i += 2 {
		e.put(pairs[i], pairs[i+1], at, o.flags&optKeepTTL != 0)
	}
	e.track()
	e.changed(len(pairs)/2, "hset")
	if o.expire != nil {
		c.notify('h', "hexpire", e.key)
	}
	c.Int(1)
}

// fieldConditions tells whether FNX or FXX holds for every field.
func (e *hashEdit) fieldConditions(pairs [][]byte, flags int) bool {
	if flags&(optFNX|optFXX) == 0 {
		return true
	}
	if e.p == 0 {
		return flags&optFXX == 0
	}
	for i := 0; i < len(pairs); i += 2 {
		if e.Exists(pairs[i]) != (flags&optFXX != 0) {
			return false
		}
	}
	return true
}

// setPast is HSETEX with a time that has come: the fields are deleted, and replied is 1, or, in the
// first releases, whether all of them were there.
func (e *hashEdit) setPast(pairs [][]byte) {
	c, n, del := e.c, 0, e.Delete
	if c.S.R.HsetexAlwaysOne {
		del = e.DeleteAny
	}
	for i := 0; i < len(pairs); i += 2 {
		if del(pairs[i]) {
			n++
		}
		c.S.Space.Stats.ExpiredFields++
	}
	all := n == len(pairs)/2
	if n > 0 {
		e.track()
		c.touched(e.key)
		c.S.Dirty += int64(n)
	}
	if c.S.R.HsetexAlwaysOne {
		c.notify('h', "hset", e.key)
		c.notify('h', "hexpire", e.key)
	}
	if n > 0 || c.S.R.HsetexAlwaysOne {
		c.notify('h', "hexpired", e.key)
	}
	if (n > 0 || c.S.R.HsetexFrees) && e.dropEmpty() {
		c.notify('g', "del", e.key)
	}
	if all || c.S.R.HsetexAlwaysOne {
		c.Int(1)
	} else {
		c.Int(0)
	}
}

func hgetexCommand(c *Client) {
	i, ok := c.findFields(0)
	if !ok {
		c.Error(errNumFields)
		return
	}
	o, ok := c.parseOptions(2, i, optPersist|optTime)
	if !ok {
		return
	}
	fields, ok := c.fieldsAt(i, false, errNumFields)
	if !ok {
		return
	}
	p, ok := c.find(c.Args[1], object.Hash)
	if !ok {
		return
	}
	e := hashEdit{c: c, key: c.Args[1]}
	if p != 0 {
		e.open(p)
	}
	var at int64
	if o.expire != nil {
		if at, ok = c.optionTime(o); !ok {
			return
		}
	}
	c.Array(len(fields))
	n, event := 0, ""
	for _, f := range fields {
		if p == 0 {
			c.Null()
			continue
		}
		c.field(&e.Hash, f)
		done := false
		switch {
		case o.flags&optPersist != 0:
			done, event = e.Persist(f) == hashtype.Done, "hpersist"
		case o.expire == nil:
		case c.past(at):
			if done, event = e.Delete(f), "hexpired"; done {
				c.S.Space.Stats.ExpiredFields++
			}
		default:
			done, event = e.SetExpire(f, at, 0) == hashtype.Done, "hexpire"
		}
		if done {
			n++
		}
	}
	e.finish(n, event)
}

// finish ends a command that changed the expiry of n fields, or deleted them.
func (e *hashEdit) finish(n int, event string) {
	if n == 0 {
		return
	}
	e.track()
	e.changed(n, event)
	if e.dropEmpty() {
		e.c.notify('g', "del", e.key)
	}
}

func (c *Client) hexpireGeneric(seconds, relative bool) {
	i, ok := c.findFields(3)
	if !ok {
		c.Error(errNumFields)
		return
	}
	nx, xx, gt, lt, ok := c.expireCondition(c.Args[3:i])
	if !ok {
		return
	}
	fields, ok := c.fieldsAt(i, false, errNumFields)
	if !ok {
		return
	}
	at, ok := c.fieldTime(c.Args[2], seconds, relative)
	if !ok {
		return
	}
	e, ok := c.editHash(c.Args[1])
	if !ok {
		return
	}
	var cond hashtype.Cond
	for _, x := range [...]struct {
		on bool
		c  hashtype.Cond
	}{{nx, hashtype.NX}, {xx, hashtype.XX}, {gt, hashtype.GT}, {lt, hashtype.LT}} {
		if x.on {
			cond |= x.c
		}
	}
	c.Array(len(fields))
	set, gone := 0, 0
	for _, f := range fields {
		res := hashtype.NoField
		if e.p != 0 {
			res = e.SetExpire(f, at, cond)
		}
		switch res {
		case hashtype.Done:
			set++
		case hashtype.Deleted:
			gone++
			c.S.Space.Stats.ExpiredFields++
		}
		c.Int(int64(res))
	}
	event := "hexpire"
	if gone > 0 {
		event = "hexpired"
	}
	e.finish(set+gone, event)
}

func hpersistCommand(c *Client) {
	fields, ok := c.fieldsAt(2, c.S.R.FieldsWord, errNumFields)
	if !ok {
		return
	}
	if !c.S.R.HpersistTypeFirst {
		c.Array(len(fields)) // and then, on a key of another type, the error: the client is left waiting
	}
	e, ok := c.editHash(c.Args[1])
	if !ok {
		return
	}
	if c.S.R.HpersistTypeFirst {
		c.Array(len(fields))
	}
	n := 0
	for _, f := range fields {
		res := hashtype.NoField
		if e.p != 0 {
			res = e.Persist(f)
		}
		if res == hashtype.Done {
			n++
		}
		c.Int(int64(res))
	}
	if n > 0 {
		e.track()
		e.changed(n, "hpersist")
	}
}

// httlGeneric is HTTL and its kin.
func (c *Client) httlGeneric(seconds, relative bool) {
	fields, ok := c.fieldsAt(2, c.S.R.FieldsWord, errSyntax)
	if !ok {
		return
	}
	x, there, ok := c.readHash(c.Args[1])
	if !ok {
		return
	}
	c.Array(len(fields))
	for _, f := range fields {
		at, found := int64(0), false
		if there {
			_, at, found = x.Get(f)
		}
		switch {
		case !found:
			c.Int(hashtype.NoField)
			continue
		case at == hashtype.NoExpire:
			c.Int(hashtype.NoTTL)
			continue
		case relative:
			at = max(0, at-c.S.NowMS())
		}
		if seconds {
			at = (at + 500) / 1000
		}
		c.Int(at)
	}
}

// The work of one round of the expiry cycle (expire.c, activeExpireCycleJob, at effort 1).
const (
	cycleFields = 80      // fields of one hash before the next one's turn
	cycleLimit  = 100_000 // fields of one database in one Tick, for the server's time limit
)

// expireFields deletes fields whose time has come, in every database.
func (s *Server) expireFields() {
	if !s.R.FieldTTL {
		return
	}
	if s.cycle.fields == nil {
		s.cycle.fields = map[int]uint64{}
	}
	for i := range s.Space.Databases() {
		if s.Space.Existing(i) != nil {
			s.cycle.fields[i] = s.expireFieldsOf(i, s.cycle.fields[i])
		}
	}
}

// expireFieldsOf goes once round the hashes of a database that have fields with an expiry, or as
// far as the limit allows, and returns where to go on.
func (s *Server) expireFieldsOf(db int, cursor uint64) uint64 {
	d := s.Space.DB(db)
	for n := 0; n < cycleLimit; {
		var keys [][]byte
		next := d.ScanVolatile(cursor, func(key []byte, _ ptr) { keys = append(keys, append([]byte(nil), key...)) })
		full := false
		for _, k := range keys {
			gone := s.reclaim(db, k)
			full = full || gone == cycleFields
			n += gone
		}
		if full { // there may be more: the same hashes again
			continue
		}
		if cursor = next; cursor == 0 {
			break
		}
	}
	return cursor
}

// reclaim deletes expired fields of one hash, and the hash if none are left (db.c,
// dbReclaimExpiredFields).
func (s *Server) reclaim(db int, key []byte) int {
	d := s.Space.DB(db)
	p := d.Peek(key)
	if p == 0 || object.TypeOf(s.H.Bytes(p)) != object.Hash {
		return 0 // the key of an overwritten hash, which the first releases forget to take out
	}
	x := s.hashOf(p)
	n := x.DeleteExpired(s.NowMS(), cycleFields, func([]byte) { s.Space.Stats.ExpiredFields++ })
	if n == 0 {
		return 0
	}
	if !x.HasVolatile() {
		d.Untrack(key, p)
	}
	s.notify(db, 'x', "hexpired", key)
	if x.Len() == 0 {
		d.Delete(key)
		s.notify(db, 'g', "del", key)
	}
	s.keyModified(db, key)
	return n
}
