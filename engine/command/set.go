package command

import (
	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/engine/object"
	"github.com/keyloupe/keyloupe/engine/settype"
)

var _ = add(map[string]handler{
	"sadd": saddCommand, "srem": sremCommand, "smove": smoveCommand, "scard": scardCommand,
	"sismember": sismemberCommand, "smismember": smismemberCommand, "sscan": sscanCommand,
})

func init() {
	families = append(families, func(s *Server) {
		s.sets = settype.NewKind(s.H, &s.Space.Seed)
		view := func(e object.Encoding, p ptr) *settype.Set { v := s.sets.View(e, p); return &v }
		s.types[object.Set] = typeOps{
			free: func(e object.Encoding, p ptr) { view(e, p).Free() },
			dup: func(e object.Encoding, p ptr) (object.Encoding, ptr) {
				d := view(e, p).Dup()
				return d.Enc, d.P
			},
			usage: func(e object.Encoding, o, p ptr, samples int) int {
				return view(e, p).Usage(s.objectUsage(o), samples)
			},
			count:   func(e object.Encoding, _, p ptr) int { return view(e, p).Len() },
			stats:   func(e object.Encoding, p ptr, full bool) string { return view(e, p).Stats(full) },
			picture: func(pic *layout.Picture, e object.Encoding, p ptr, name string) { view(e, p).Picture(pic, name) },
		}
		s.onConfig = append(s.onConfig, func() {
			s.sets.MaxIntset = int(s.Conf.Int("set-max-intset-entries"))
			s.sets.MaxListpack = int(s.Conf.Int("set-max-listpack-entries"))
			s.sets.MaxValue = int(s.Conf.Int("set-max-listpack-value"))
		})
	})
}

// setKind is the server's sets with the limits of the moment.
func (s *Server) setKind() *settype.Kind { return s.sets }

// findSet looks a set up for reading; ok is false where nothing more is to be replied, because
// there is another type of value at the key.
func (c *Client) findSet(key []byte) (s settype.Set, found, ok bool) {
	p, ok := c.find(key, object.Set)
	return c.openSet(p, ok)
}

// findSetWrite is findSet for writing.
func (c *Client) findSetWrite(key []byte) (s settype.Set, found, ok bool) {
	p, ok := c.findWrite(key, object.Set)
	return c.openSet(p, ok)
}

func (c *Client) openSet(p ptr, ok bool) (s settype.Set, found, _ bool) {
	if !ok || p == 0 {
		return s, false, ok
	}
	return c.S.setKind().Open(p), true, true
}

// addSet makes a key of a new set, which is of the key's object from then on.
func (c *Client) addSet(key []byte, s settype.Set) settype.Set {
	return s.K.Open(c.DB.Add(key, setValue(s)))
}

// SADD key member [member ...]
func saddCommand(c *Client) {
	key, members := c.Args[1], c.Args[2:]
	s, found, ok := c.findSetWrite(key)
	if !ok {
		return
	}
	if found {
		s.Expect(len(members))
	} else {
		s = c.addSet(key, c.S.setKind().New(members[0], len(members)))
	}
	n := 0
	for _, m := range members {
		if s.Add(member(m)) {
			n++
		}
	}
	if n > 0 {
		c.touched(key)
		c.notify('s', "sadd", key)
	}
	c.S.Dirty += int64(n)
	c.Int(int64(n))
}

// member is an argument as a member. It is a text even if empty.
func member(arg []byte) settype.Member {
	if arg == nil {
		arg = []byte{}
	}
	return settype.Member{Text: arg}
}

// SREM key member [member ...]
func sremCommand(c *Client) {
	key := c.Args[1]
	s, found, ok := c.findSetWrite(key)
	if !ok {
		return
	}
	if !found {
		c.Int(0)
		return
	}
	n, gone := 0, false
	s.HoldShrink()
	for _, m := range c.Args[2:] {
		if !s.Remove(member(m)) {
			continue
		}
		n++
		if gone = s.Len() == 0; gone {
			c.DB.Delete(key)
			break
		}
	}
	if !gone {
		s.LetShrink()
	}
	if n > 0 {
		c.touched(key)
		c.notify('s', "srem", key)
		if gone {
			c.notify('g', "del", key)
		}
		c.S.Dirty += int64(n)
	}
	c.Int(int64(n))
}

// SMOVE source destination member
func smoveCommand(c *Client) {
	from, to, m := c.Args[1], c.Args[2], member(c.Args[3])
	src, dst := c.DB.LookupWrite(from), c.DB.LookupWrite(to)
	if src == 0 {
		c.Int(0)
		return
	}
	if _, ok := c.typed(src, object.Set); !ok {
		return
	}
	if _, ok := c.typed(dst, object.Set); !ok {
		return
	}
	k := c.S.setKind()
	a := k.Open(src)
	if src == dst {
		c.setReplyBool(a.Has(m))
		return
	}
	if !a.Remove(m) {
		c.Int(0)
		return
	}
	c.notify('s', "srem", from)
	if a.Len() == 0 {
		c.DB.Delete(from)
		c.notify('g', "del", from)
	}
	var b settype.Set
	if dst == 0 {
		b = c.addSet(to, k.New(m.Text, 1))
	} else {
		b = k.Open(dst)
	}
	c.modified(from)
	if b.Add(m) {
		c.modified(to)
		c.notify('s', "sadd", to)
	}
	c.Int(1)
}

func (c *Client) setReplyBool(is bool) {
	if is {
		c.Int(1)
	} else {
		c.Int(0)
	}
}

// SISMEMBER key member
func sismemberCommand(c *Client) {
	if s, found, ok := c.findSet(c.Args[1]); ok {
		c.setReplyBool(found && s.Has(member(c.Args[2])))
	}
}

// SMISMEMBER key member [member ...]
func smismemberCommand(c *Client) {
	s, found, ok := c.findSet(c.Args[1])
	if !ok {
		return
	}
	c.Array(len(c.Args) - 2)
	for _, m := range c.Args[2:] {
		c.setReplyBool(found && s.Has(member(m)))
	}
}

// SCARD key
func scardCommand(c *Client) {
	s, found, ok := c.findSet(c.Args[1])
	switch {
	case !ok:
	case !found:
		c.Int(0)
	default:
		c.Int(int64(s.Len()))
	}
}

// SSCAN key cursor [MATCH pattern] [COUNT count]
func sscanCommand(c *Client) {
	cursor, ok := c.parseCursor(c.Args[2])
	if !ok {
		return
	}
	s, found, ok := c.findSet(c.Args[1])
	if !ok {
		return
	}
	if !found {
		c.scanReply(0, nil)
		return
	}
	o, ok := c.parseScan(3, false, false)
	if !ok {
		return
	}
	var members [][]byte
	cursor = o.rounds(cursor, func(cursor uint64) (next uint64, seen int) {
		next = s.Scan(cursor, func(m settype.Member) {
			seen++
			if text := m.Append(nil); o.matches(text) {
				members = append(members, text)
			}
		})
		return next, seen
	})
	c.scanReply(cursor, members)
}

// bulkMember replies a member.
func (c *Client) bulkMember(m settype.Member) {
	if m.Text == nil {
		c.BulkInt(m.Int)
	} else {
		c.Bulk(m.Text)
	}
}
