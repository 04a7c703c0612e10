package command

import (
	"errors"
	"math"

	"github.com/keyloupe/keyloupe/engine/keyspace"
	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/engine/object"
	"github.com/keyloupe/keyloupe/engine/stream"
)

var _ = add(map[string]handler{
	"xadd": xaddCommand, "xtrim": xtrimCommand, "xdel": xdelCommand, "xlen": xlenCommand,
	"xsetid": xsetidCommand,
})

func init() {
	families = append(families, func(s *Server) {
		s.types[object.Stream] = typeOps{
			free: func(_ object.Encoding, p ptr) { stream.Free(s.H, p) },
			dup:  func(e object.Encoding, p ptr) (object.Encoding, ptr) { return e, stream.Dup(s.H, p) },
			usage: func(_ object.Encoding, o, p ptr, samples int) int {
				base := robjSize
				if s.R.UsageCountsKey {
					base = s.H.Usable(o)
				}
				return stream.Open(s.H, p).Usage(base, samples) - base
			},
			count: func(_ object.Encoding, _, p ptr) int { return int(stream.Open(s.H, p).Len()) },
			picture: func(pic *layout.Picture, _ object.Encoding, p ptr, name string) {
				stream.Open(s.H, p).Picture(pic, name)
			},
		}
	})
}

// stream is the view of the stream in an object.
func (c *Client) stream(p ptr) stream.Stream { return stream.Open(c.S.H, c.value(p)) }

// newStream adds a key with an empty stream.
func (c *Client) newStream(key []byte) stream.Stream {
	return c.stream(c.DB.Add(key, keyspace.Structure(object.Stream, object.StreamRax, stream.New(c.S.H))))
}

const errStreamID = "ERR Invalid stream ID specified as stream command argument"

// idArg reads an id, in which - and + are not allowed; missing is the part behind the - where the
// argument has none.
func (c *Client) idArg(a []byte, missing uint64) (stream.ID, bool) {
	id, ok := stream.ParseID(a, missing, true, nil)
	if !ok {
		c.Error(errStreamID)
	}
	return id, ok
}

// boundArg reads one end of a range of ids: an id, - or +, or ( and an id that does not belong to
// the range (t_stream.c, streamParseIntervalIDOrReply).
func (c *Client) boundArg(a []byte, start bool) (id stream.ID, ok bool) {
	open := len(a) > 1 && a[0] == '('
	missing := uint64(0)
	if !start {
		missing = math.MaxUint64
	}
	if open {
		id, ok = stream.ParseID(a[1:], missing, true, nil)
	} else {
		id, ok = stream.ParseID(a, missing, false, nil)
	}
	if !ok {
		c.Error(errStreamID)
		return id, false
	}
	if !open {
		return id, true
	}
	if start {
		if id, ok = id.Next(); !ok {
			c.Error("ERR invalid start ID for the interval")
		}
		return id, ok
	}
	if id, ok = id.Prev(); !ok {
		c.Error("ERR invalid end ID for the interval")
	}
	return id, ok
}

// streamID replies an id.
func (c *Client) streamID(id stream.ID) {
	var room [48]byte
	c.Bulk(id.Append(room[:0]))
}

// addArgs is what XADD and XTRIM take before the fields.
type addArgs struct {
	id       stream.ID
	given    bool // an id other than *
	auto     bool // it ends in -*
	noCreate bool
	trim     stream.Trim
	trims    bool // a trimming strategy was given
	limited  bool // LIMIT was given
}

const (
	errTrimTwice = "ERR syntax error, MAXLEN and MINID options at the same time are not compatible"
	nodesLimit   = 100 // nodes that a trimming with ~ looks at
	limitDefault = 10000
	limitMost    = 1000000
)

// parseAdd reads the options of XADD or XTRIM and returns the place of XADD's id (t_stream.c,
// streamParseAddOrTrimArgsOrReply).
func (c *Client) parseAdd(xadd bool) (a addArgs, i int, ok bool) {
	for i = 2; i < len(c.Args); i++ {
		arg, more := c.Args[i], len(c.Args)-1-i
		if xadd && string(arg) == "*" {
			break
		}
		switch {
		case is(arg, "MAXLEN") && more > 0 || is(arg, "MINID") && more > 0:
			if i, ok = c.parseTrim(&a, i, is(arg, "MINID")); !ok {
				return a, i, false
			}
			continue
		case is(arg, "LIMIT") && more > 0:
			i++
			if a.trim.Limit, ok = c.intArg(c.Args[i]); !ok {
				return a, i, false
			}
			if a.trim.Limit < 0 {
				c.Error("ERR The LIMIT argument must be >= 0.")
				return a, i, false
			}
			a.limited = true
			continue
		case xadd && is(arg, "NOMKSTREAM"):
			a.noCreate = true
			continue
		case !xadd:
			c.Error(errSyntax)
			return a, i, false
		}
		if a.id, ok = stream.ParseID(arg, 0, true, &a.auto); !ok {
			c.Error(errStreamID)
			return a, i, false
		}
		a.given = true
		break
	}
	return a, i, c.checkTrim(&a, xadd)
}

// parseTrim reads MAXLEN or MINID at argument i and returns the place of its last argument.
func (c *Client) parseTrim(a *addArgs, i int, byID bool) (int, bool) {
	if a.trims {
		c.Error(errTrimTwice)
		return i, false
	}
	a.trims, a.trim.ByID, a.trim.Approx = true, byID, false
	if len(c.Args)-1-i >= 2 {
		switch string(c.Args[i+1]) {
		case "~":
			a.trim.Approx = true
			i++
		case "=":
			i++
		}
	}
	i++
	if byID {
		id, ok := c.idArg(c.Args[i], 0)
		a.trim.MinID = id
		return i, ok
	}
	n, ok := c.intArg(c.Args[i])
	if ok && n < 0 {
		c.Error("ERR The MAXLEN argument must be >= 0.")
		return i, false
	}
	a.trim.MaxLen = uint64(n)
	return i, ok
}

// checkTrim checks the options together and sets the limit of a trimming with ~.
func (c *Client) checkTrim(a *addArgs, xadd bool) bool {
	switch {
	case a.trim.Limit != 0 && !a.trims:
		c.Error("ERR syntax error, LIMIT cannot be used without specifying a trimming strategy")
	case !xadd && !a.trims:
		c.Error("ERR syntax error, XTRIM must be called with a trimming strategy")
	case a.limited && !a.trim.Approx:
		c.Error("ERR syntax error, LIMIT cannot be used without the special ~ option")
	case !a.limited && a.trim.Approx:
		n := nodesLimit * c.S.Conf.Int("stream-node-max-entries")
		if n <= 0 {
			n = limitDefault
		}
		a.trim.Limit = min(n, limitMost)
		return true
	default:
		return true
	}
	return false
}

func (c *Client) streamConfig() stream.Config {
	return stream.Config{NodeMaxBytes: c.S.Conf.Int("stream-node-max-bytes"), NodeMaxEntries: c.S.Conf.Int("stream-node-max-entries")}
}

func xaddCommand(c *Client) {
	a, at, ok := c.parseAdd(true)
	if !ok {
		return
	}
	key := c.Args[1]
	if n := len(c.Args) - at - 1; n < 2 || n%2 == 1 {
		c.arityError()
		return
	}
	if a.given && !a.auto && a.id.Zero() {
		c.Error("ERR The ID specified in XADD must be greater than 0-0")
		return
	}
	p, ok := c.findWrite(key, object.Stream)
	if !ok {
		return
	}
	var s stream.Stream
	switch {
	case p != 0:
		s = c.stream(p)
	case a.noCreate:
		c.Null()
		return
	default:
		s = c.newStream(key)
	}
	if s.LastID() == stream.MaxID {
		c.Error("ERR The stream has exhausted the last possible ID, unable to add more items")
		return
	}
	id := a.id
	switch {
	case !a.given:
		id = s.NextID(c.S.NowMS())
	case a.auto:
		id, _ = s.NextIn(id.Ms) // where there is no next one, the id is not greater than the last
	}
	if err := s.Append(id, c.Args[at+1:], c.streamConfig()); errors.Is(err, stream.ErrOrder) {
		c.Error("ERR The ID specified in XADD is equal or smaller than the target stream top item")
		return
	} else if err != nil {
		c.Error("ERR Elements are too large to be stored")
		return
	}
	c.notify('t', "xadd", key)
	c.streamID(id)
	if a.trims && s.Trim(a.trim) > 0 {
		c.notify('t', "xtrim", key)
	}
	c.modified(key)
	c.S.keyReady(c.DB.ID, key)
}

func xtrimCommand(c *Client) {
	a, _, ok := c.parseAdd(false)
	if !ok {
		return
	}
	key := c.Args[1]
	p, ok := c.findWrite(key, object.Stream)
	if !ok {
		return
	}
	if p == 0 {
		c.Int(0)
		return
	}
	n := c.stream(p).Trim(a.trim)
	if n > 0 {
		c.notify('t', "xtrim", key)
		c.touched(key)
		c.S.Dirty += n
	}
	c.Int(n)
}

// idArgs reads the arguments from i on as ids.
func (c *Client) idArgs(i int) (ids []stream.ID, ok bool) {
	for _, a := range c.Args[i:] {
		id, ok := c.idArg(a, 0)
		if !ok {
			return nil, false
		}
		ids = append(ids, id)
	}
	return ids, true
}

func xdelCommand(c *Client) {
	key := c.Args[1]
	p, ok := c.findWrite(key, object.Stream)
	if !ok {
		return
	}
	if p == 0 {
		c.Int(0)
		return
	}
	ids, ok := c.idArgs(2)
	if !ok {
		return
	}
	n := c.stream(p).Delete(ids)
	if n > 0 {
		c.touched(key)
		c.notify('t', "xdel", key)
		c.S.Dirty += int64(n)
	}
	c.Int(int64(n))
}

func xlenCommand(c *Client) {
	p, ok := c.find(c.Args[1], object.Stream)
	switch {
	case !ok:
	case p == 0:
		c.Int(0)
	default:
		c.Int(int64(c.stream(p).Len()))
	}
}

func xsetidCommand(c *Client) {
	id, ok := c.idArg(c.Args[2], 0)
	if !ok {
		return
	}
	added, deleted := int64(-1), stream.ID{}
	for i := 3; i < len(c.Args); i += 2 {
		more := i+1 < len(c.Args)
		switch {
		case is(c.Args[i], "ENTRIESADDED") && more:
			if added, ok = c.intArg(c.Args[i+1]); !ok {
				return
			}
			if added < 0 {
				c.Error("ERR entries_added must be positive")
				return
			}
		case is(c.Args[i], "MAXDELETEDID") && more:
			if deleted, ok = c.idArg(c.Args[i+1], 0); !ok {
				return
			}
			if id.Compare(deleted) < 0 {
				c.Error("ERR The ID specified in XSETID is smaller than the provided max_deleted_entry_id")
				return
			}
		default:
			c.Error(errSyntax)
			return
		}
	}
	key := c.Args[1]
	p, ok := c.findWrite(key, object.Stream)
	if !ok {
		return
	}
	if p == 0 {
		c.Error(errNoKey)
		return
	}
	s := c.stream(p)
	switch {
	case id.Compare(s.MaxDeletedID()) < 0:
		c.Error("ERR The ID specified in XSETID is smaller than current max_deleted_entry_id")
		return
	case s.Len() > 0 && id.Compare(s.LastValidID()) < 0:
		c.Error("ERR The ID specified in XSETID is smaller than the target stream top item")
		return
	case s.Len() > 0 && added != -1 && s.Len() > uint64(added):
		c.Error("ERR The entries_added specified in XSETID is smaller than the target stream length")
		return
	}
	s.SetLastID(id)
	if added != -1 {
		s.SetAdded(uint64(added))
	}
	if !deleted.Zero() {
		s.SetMaxDeletedID(deleted)
	}
	c.S.Dirty++
	c.notify('t', "xsetid", key)
	c.OK()
}
