package command

import (
	"math"
	"math/bits"
	"strconv"

	"github.com/keyloupe/keyloupe/engine/decimal"

	"github.com/keyloupe/keyloupe/engine/glob"
	"github.com/keyloupe/keyloupe/engine/keyspace"
	"github.com/keyloupe/keyloupe/engine/object"
)

var _ = add(map[string]handler{
	"del": delCommand, "unlink": delCommand, "exists": existsCommand, "touch": touchCommand,
	"type": typeCommand, "keys": keysCommand, "scan": scanCommand, "randomkey": randomkeyCommand,
	"rename":   func(c *Client) { c.rename(false) },
	"renamenx": func(c *Client) { c.rename(true) },
	"copy":     copyCommand, "move": moveCommand, "select": selectCommand, "swapdb": swapdbCommand,
	"dbsize":  func(c *Client) { c.Int(int64(c.DB.Len())) },
	"flushdb": flushdbCommand, "flushall": flushallCommand,
})

func (c *Client) lookupReadNoTouch(key []byte) ptr { return c.DB.LookupRead(key, keyspace.NoTouch) }

func itoa(n int) string { return strconv.Itoa(n) }

func delCommand(c *Client) {
	n := 0
	for _, k := range c.Args[1:] {
		if c.DB.ExpireIfNeeded(k) {
			continue
		}
		if c.DB.Delete(k) {
			c.modified(k)
			c.notify('g', "del", k)
			n++
		}
	}
	c.Int(int64(n))
}

func existsCommand(c *Client) {
	n := 0
	for _, k := range c.Args[1:] {
		if c.lookupReadNoTouch(k) != 0 {
			n++
		}
	}
	c.Int(int64(n))
}

func touchCommand(c *Client) {
	n := 0
	for _, k := range c.Args[1:] {
		if c.DB.LookupRead(k) != 0 {
			n++
		}
	}
	c.Int(int64(n))
}

func typeCommand(c *Client) {
	p := c.lookupReadNoTouch(c.Args[1])
	if p == 0 {
		c.Status("none")
		return
	}
	c.Status(c.typeOf(p).String())
}

func keysCommand(c *Client) {
	pattern := c.Args[1]
	all := len(pattern) == 1 && pattern[0] == '*'
	var out [][]byte
	c.DB.Walk(func(key []byte, p ptr) bool {
		if (all || glob.Match(pattern, key, false)) && !c.isExpired(key, p) {
			out = append(out, key)
		}
		return true
	})
	c.Array(len(out))
	for _, k := range out {
		c.Bulk(k)
	}
}

// scanOptions is what SCAN and its kin take after the cursor.
type scanOptions struct {
	count    int64
	pattern  []byte // nil for all
	typeName []byte // of SCAN only
	noValues bool   // of HSCAN NOVALUES and ZSCAN NOSCORES
}

// parseCursor reads a cursor (db.c, parseScanCursorOrReply): a canonical integer that is not
// negative, or else what strtoull takes, which are blanks, a sign and zeros before it, too. 7.2 only
// knows the latter, but no blank.
func (c *Client) parseCursor(a []byte) (uint64, bool) {
	if c.S.R.CursorIsCanonical {
		if n, ok := decimal.Parse(a); ok {
			if n < 0 {
				return c.badCursor()
			}
			return uint64(n), true
		}
	}
	n, rest, ok := strtoull(a)
	blank := len(a) > 0 && isBlank(a[0])
	if !ok || len(rest) > 0 && rest[0] != 0 || c.S.R.CursorIsCanonical && (len(a) == 0 || a[0] == 0) || !c.S.R.CursorIsCanonical && blank {
		return c.badCursor()
	}
	return n, true
}

func (c *Client) badCursor() (uint64, bool) {
	c.Error("ERR invalid cursor")
	return 0, false
}

func isBlank(b byte) bool { return b == ' ' || b >= '\t' && b <= '\r' }

// strtoull is the C function for base 10: blanks, a sign, digits. A text without digits is 0 and all
// of it rest; ok is false where the number is too large.
func strtoull(a []byte) (n uint64, rest []byte, ok bool) {
	d, neg := a, false
	for len(d) > 0 && isBlank(d[0]) {
		d = d[1:]
	}
	if len(d) > 0 && (d[0] == '-' || d[0] == '+') {
		neg, d = d[0] == '-', d[1:]
	}
	if len(d) == 0 || d[0] < '0' || d[0] > '9' {
		return 0, a, true
	}
	ok = true
	for ; len(d) > 0 && d[0] >= '0' && d[0] <= '9'; d = d[1:] {
		hi, lo := bits.Mul64(n, 10)
		sum, carry := bits.Add64(lo, uint64(d[0]-'0'), 0)
		ok = ok && hi == 0 && carry == 0
		n = sum
	}
	if neg {
		n = -n
	}
	return n, d, ok
}

// parseScan reads the options of a scan from argument i on; kind is the type that is scanned, or
// none for the keyspace.
// typeKnown tells whether a name is that of a type, in any case.
func typeKnown(name []byte) bool {
	for _, t := range []string{"STRING", "LIST", "SET", "ZSET", "HASH", "STREAM", "MODULE"} {
		if is(name, t) {
			return true
		}
	}
	return false
}

func (c *Client) parseScan(i int, keyspaceScan, hash bool) (o scanOptions, ok bool) {
	o.count = 10
	for ; i < len(c.Args); i++ {
		a := c.Args[i]
		more := i+1 < len(c.Args)
		switch {
		case is(a, "COUNT") && more:
			i++
			n, ok := c.intArg(c.Args[i])
			if !ok {
				return o, false
			}
			if n < 1 {
				c.Error(errSyntax)
				return o, false
			}
			o.count = n
		case is(a, "MATCH") && more:
			i++
			o.pattern = c.Args[i]
			if len(o.pattern) == 1 && o.pattern[0] == '*' {
				o.pattern = nil
			}
		case is(a, "TYPE") && more && keyspaceScan:
			i++
			o.typeName = c.Args[i]
			if c.S.R.ScanKnowsTypes && !typeKnown(o.typeName) {
				c.Error("ERR unknown type name '" + printable(o.typeName) + "'")
				return o, false
			}
		case is(a, "NOVALUES") && c.S.R.ScanNoValues:
			if !hash {
				c.Error("ERR NOVALUES option can only be used in HSCAN")
				return o, false
			}
			o.noValues = true
		case is(a, "NOSCORES") && c.S.R.ScanNoValues:
			if c.Cmd.FullName != "zscan" {
				c.Error("ERR NOSCORES option can only be used in ZSCAN")
				return o, false
			}
			o.noValues = true
		default:
			c.Error(errSyntax)
			return o, false
		}
	}
	return o, true
}

// matches tells whether a scan wants an element.
func (o *scanOptions) matches(name []byte) bool {
	return o.pattern == nil || glob.Match(o.pattern, name, false)
}

// rounds scans from cursor on until count elements were seen, wanted or not, or ten times as many
// positions, and returns the cursor to go on from. step scans one position.
func (o *scanOptions) rounds(cursor uint64, step func(cursor uint64) (next uint64, seen int)) uint64 {
	most := o.count * 10
	if o.count > math.MaxInt64/10 {
		most = math.MaxInt64
	}
	total := int64(0)
	for i := int64(0); i <= most; i++ {
		next, seen := step(cursor)
		cursor, total = next, total+int64(seen)
		if cursor == 0 || total >= o.count {
			break
		}
	}
	return cursor
}

func scanCommand(c *Client) {
	cursor, ok := c.parseCursor(c.Args[1])
	if !ok {
		return
	}
	o, ok := c.parseScan(2, true, false)
	if !ok {
		return
	}
	var keys [][]byte
	cursor = o.rounds(cursor, func(cursor uint64) (next uint64, seen int) {
		next = c.DB.Scan(cursor, func(key []byte, p ptr) {
			seen++
			if o.typeName != nil && !sameType(o.typeName, c.typeOf(p)) || !o.matches(key) {
				return
			}
			keys = append(keys, append([]byte(nil), key...))
		})
		return next, seen
	})
	live := keys[:0]
	for _, k := range keys {
		if p := c.DB.Peek(k); p != 0 && c.isExpired(k, p) {
			c.DB.DeleteExpired(k)
			continue
		}
		live = append(live, k)
	}
	c.scanReply(cursor, live)
}

func sameType(name []byte, t object.Type) bool {
	want := t.String()
	if len(name) != len(want) {
		return false
	}
	for i := range name {
		if name[i]|0x20 != want[i] {
			return false
		}
	}
	return true
}

func (c *Client) scanReply(cursor uint64, items [][]byte) {
	c.Array(2)
	c.BulkString(strconv.FormatUint(cursor, 10))
	c.Array(len(items))
	for _, k := range items {
		c.Bulk(k)
	}
}

// randomTries bounds how often RANDOMKEY looks for a key that has not expired.
const randomTries = 100

func randomkeyCommand(c *Client) {
	kept := c.S.Space.Import || c.S.Space.Frozen // expired keys are not deleted
	for try := 1; try <= randomTries; try++ {
		k, ok := c.DB.Sample(c.S.random)
		if !ok {
			break
		}
		key := append([]byte(nil), k...)
		if p := c.DB.Peek(key); p != 0 && c.isExpired(key, p) {
			switch {
			case !kept:
				c.DB.DeleteExpired(key)
				continue
			case try < randomTries:
				continue
			} // there may be no other: the server gives up too
		}
		c.Bulk(key)
		return
	}
	c.Null()
}

func (c *Client) rename(nx bool) {
	from, to := c.Args[1], c.Args[2]
	p := c.DB.LookupWrite(from)
	if p == 0 {
		c.Error(errNoKey)
		return
	}
	if string(from) == string(to) {
		if nx {
			c.Int(0)
		} else {
			c.OK()
		}
		return
	}
	at := c.DB.Expire(from, p)
	if c.DB.LookupWrite(to) != 0 {
		if nx {
			c.Int(0)
			return
		}
		c.DB.Delete(to)
	}
	v, _ := c.DB.Remove(from)
	c.DB.Add(to, v)
	if at != object.NoExpire {
		c.DB.SetExpire(to, at)
	}
	c.touched(from)
	c.touched(to)
	c.S.Dirty++
	c.notify('g', "rename_from", from)
	c.notify('g', "rename_to", to)
	if nx {
		c.Int(1)
	} else {
		c.OK()
	}
}

// dbArg reads the number of a database.
func (c *Client) dbArg(a []byte, msg string) (int, bool) {
	n, ok := c.rangeArg(a, math.MinInt32, math.MaxInt32, msg)
	if !ok {
		return 0, false
	}
	if n < 0 || int(n) >= c.S.Space.Databases() {
		c.Error("ERR DB index is out of range")
		return 0, false
	}
	return int(n), true
}

func selectCommand(c *Client) {
	if n, ok := c.dbArg(c.Args[1], ""); ok {
		c.DB = c.S.Space.DB(n)
		c.OK()
	}
}

func moveCommand(c *Client) {
	n, ok := c.rangeArg(c.Args[2], math.MinInt32, math.MaxInt32, errInt)
	if !ok {
		return
	}
	if n < 0 || int(n) >= c.S.Space.Databases() {
		c.Error("ERR DB index is out of range")
		return
	}
	dst := c.S.Space.DB(int(n))
	if dst == c.DB {
		c.Error("ERR source and destination objects are the same")
		return
	}
	key := c.Args[1]
	p := c.DB.LookupWrite(key)
	if p == 0 || dst.LookupWrite(key) != 0 {
		c.Int(0)
		return
	}
	at := c.DB.Expire(key, p)
	v, _ := c.DB.Remove(key)
	dst.Add(key, v)
	if at != object.NoExpire {
		dst.SetExpire(key, at)
	}
	c.S.keyModified(c.DB.ID, key)
	c.S.keyModified(dst.ID, key)
	c.S.Dirty++
	c.notify('g', "move_from", key)
	c.S.notify(dst.ID, 'g', "move_to", key)
	c.Int(1)
}

func copyCommand(c *Client) {
	from, to, dst, replace := c.Args[1], c.Args[2], c.DB, false
	for i := 3; i < len(c.Args); i++ {
		switch a := c.Args[i]; {
		case is(a, "REPLACE"):
			replace = true
		case is(a, "DB") && i+1 < len(c.Args):
			i++
			n, ok := c.dbArg(c.Args[i], "ERR value is not an integer or out of range")
			if !ok {
				return
			}
			dst = c.S.Space.DB(n)
		default:
			c.Error(errSyntax)
			return
		}
	}
	if dst == c.DB && string(from) == string(to) {
		c.Error("ERR source and destination objects are the same")
		return
	}
	p := c.lookupRead(from)
	if p == 0 {
		c.Int(0)
		return
	}
	at := c.DB.Expire(from, p)
	there := dst.LookupWrite(to) != 0
	if there && !replace {
		c.Int(0)
		return
	}
	v := c.dup(p)
	if there {
		dst.Delete(to)
	}
	dst.Add(to, v)
	if at != object.NoExpire {
		dst.SetExpire(to, at)
	}
	c.S.keyModified(dst.ID, to)
	c.S.Dirty++
	c.S.notify(dst.ID, 'g', "copy_to", to)
	c.Int(1)
}

// dup copies a value for COPY.
func (c *Client) dup(p ptr) keyspace.Value {
	t := c.typeOf(p)
	if t == object.String {
		return c.S.Space.Dup(p)
	}
	e, v := c.S.types[t].dup(c.encodingOf(p), c.value(p))
	return keyspace.Structure(t, e, v)
}

func swapdbCommand(c *Client) {
	a, ok := c.rangeArg(c.Args[1], math.MinInt32, math.MaxInt32, "ERR invalid first DB index")
	if !ok {
		return
	}
	b, ok := c.rangeArg(c.Args[2], math.MinInt32, math.MaxInt32, "ERR invalid second DB index")
	if !ok {
		return
	}
	n := int64(c.S.Space.Databases())
	if a < 0 || b < 0 || a >= n || b >= n {
		c.Error("ERR DB index is out of range")
		return
	}
	if a != b {
		c.S.swap(int(a), int(b))
	}
	c.S.Dirty++
	c.OK()
}

// swap exchanges two databases; a watched key that differs in them counts as changed.
func (s *Server) swap(a, b int) {
	s.databaseModified(a, b)
	s.databaseModified(b, a)
	s.Space.Swap(a, b)
	// what is there now may serve somebody, what no longer is may too: with an error
	for k := range s.blocking.waiting {
		if (k.db == a || k.db == b) && (s.keyThere(watchedKey{a, k.key}) || s.keyThere(watchedKey{b, k.key})) {
			s.keyReady(k.db, []byte(k.key))
		}
	}
}

// flushMode reads SYNC or ASYNC; without either the directive lazyfree-lazy-user-flush decides.
func (c *Client) flushMode() (async, ok bool) {
	switch {
	case len(c.Args) == 1:
		return c.S.Conf.Yes("lazyfree-lazy-user-flush"), true
	case len(c.Args) == 2 && is(c.Args[1], "SYNC"):
		return false, true
	case len(c.Args) == 2 && is(c.Args[1], "ASYNC"):
		return true, true
	}
	c.Error(errSyntax)
	return false, false
}

func flushdbCommand(c *Client) {
	if async, ok := c.flushMode(); ok {
		c.S.Dirty += int64(c.S.flush(c.DB.ID, async))
		c.S.everythingChanged()
		c.OK()
	}
}

func flushallCommand(c *Client) {
	async, ok := c.flushMode()
	if !ok {
		return
	}
	for i := range c.S.Space.Databases() {
		if c.S.Space.Existing(i) != nil {
			c.S.Dirty += int64(c.S.flush(i, async))
		}
	}
	c.S.everythingChanged()
	c.S.Dirty++
	c.OK()
}

func (s *Server) flush(db int, async bool) int {
	d := s.Space.DB(db)
	s.databaseModified(db, -1)
	s.keysGone(db, func(k []byte) bool { return d.Peek(k) != 0 })
	return d.Flush(async)
}
