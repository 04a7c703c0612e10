package command

import (
	"cmp"
	"math"
	"slices"

	"github.com/keyloupe/keyloupe/engine/decimal"

	"github.com/keyloupe/keyloupe/engine/keyspace"
	"github.com/keyloupe/keyloupe/engine/object"
	"github.com/keyloupe/keyloupe/engine/settype"
)

var _ = add(map[string]handler{
	"sinter":      func(c *Client) { c.sinter(c.Args[1:], nil) },
	"smembers":    func(c *Client) { c.sinter(c.Args[1:], nil) },
	"sinterstore": func(c *Client) { c.sinter(c.Args[2:], c.Args[1]) },
	"sintercard":  sintercardCommand,
	"sunion":      func(c *Client) { c.sunionDiff(c.Args[1:], nil, true) },
	"sunionstore": func(c *Client) { c.sunionDiff(c.Args[2:], c.Args[1], true) },
	"sdiff":       func(c *Client) { c.sunionDiff(c.Args[1:], nil, false) },
	"sdiffstore":  func(c *Client) { c.sunionDiff(c.Args[2:], c.Args[1], false) },
})

// operands looks the sets up. A missing one is nil; ok is false where a key holds another type.
func (c *Client) operands(keys [][]byte) (sets []*settype.Set, missing, ok bool) {
	for _, key := range keys {
		s, found, ok := c.findSet(key)
		if !ok {
			return nil, false, false
		}
		if found {
			sets = append(sets, &s)
		} else {
			sets = append(sets, nil)
			missing = true
		}
	}
	return sets, missing, true
}

func same(a, b *settype.Set) bool { return a != nil && b != nil && a.P == b.P }

// size is the members of a set, none of a missing one.
func size(s *settype.Set) int {
	if s == nil {
		return 0
	}
	return s.Len()
}

// sinter is SINTER, or SINTERSTORE where dst is a key (t_set.c, sinterGenericCommand).
func (c *Client) sinter(keys [][]byte, dst []byte) {
	sets, missing, ok := c.operands(keys)
	switch {
	case !ok:
	case missing && dst != nil:
		c.storeNothing(dst)
	case missing:
		c.Set(0)
	case dst != nil:
		c.sinterStore(sets, dst)
	default:
		var out []settype.Member
		eachInAll(sets, func(m settype.Member) bool { out = append(out, m); return true })
		c.Set(len(out))
		for _, m := range out {
			c.bulkMember(m)
		}
	}
}

// eachInAll calls f with every member of the smallest set that all others have, until it returns
// false. The sets are put in order of size.
func eachInAll(sets []*settype.Set, f func(m settype.Member) bool) {
	slices.SortStableFunc(sets, func(a, b *settype.Set) int { return cmp.Compare(a.Len(), b.Len()) })
	sets[0].Each(func(m settype.Member) bool {
		for _, s := range sets[1:] {
			if !same(s, sets[0]) && !s.Has(m) {
				return true
			}
		}
		return f(m)
	})
}

func (c *Client) sinterStore(sets []*settype.Set, dst []byte) {
	k := c.S.setKind()
	var out *settype.Set
	integers := true
	begin := func() { // in the encoding of the smallest set, which is known when they are in order
		var s settype.Set
		switch sets[0].Enc {
		case object.Intset:
			s = k.NewIntset()
		case object.Listpack:
			s = k.NewListpack(sets[0].Bytes())
		default:
			s = k.NewListpack(0)
		}
		out = &s
	}
	eachInAll(sets, func(m settype.Member) bool {
		if out == nil {
			begin()
		}
		if m.Text != nil && integers {
			if n, ok := decimal.Parse(m.Text); ok && sets[0].Enc == object.Table {
				if out.Enc != object.Table {
					m = settype.Member{Int: n}
				}
			} else {
				integers = false
			}
		}
		out.Add(m)
		return true
	})
	if out == nil {
		c.storeNothing(dst)
		return
	}
	if integers {
		out.ToIntset()
	}
	out.Shrink()
	c.storeSet(dst, out, "sinterstore")
}

func setValue(s settype.Set) keyspace.Value { return keyspace.Structure(object.Set, s.Enc, s.P) }

// storeSet makes a set the value of a key, and replies its size.
func (c *Client) storeSet(dst []byte, s *settype.Set, event string) {
	n := s.Len()
	c.DB.SetKey(dst, setValue(*s))
	c.touched(dst)
	c.notify('s', event, dst)
	c.S.Dirty++
	c.Int(int64(n))
}

// storeNothing deletes the key that an empty result would be stored at.
func (c *Client) storeNothing(dst []byte) {
	if c.DB.Delete(dst) {
		c.modified(dst)
		c.notify('g', "del", dst)
	}
	c.Int(0)
}

// SINTERCARD numkeys key [key ...] [LIMIT limit]
func sintercardCommand(c *Client) {
	n, ok := c.rangeArg(c.Args[1], 1, math.MaxInt64, "ERR numkeys should be greater than 0")
	if !ok {
		return
	}
	if n > int64(len(c.Args)-2) {
		c.Error("ERR Number of keys can't be greater than number of args")
		return
	}
	limit := int64(0)
	for i := 2 + int(n); i < len(c.Args); i++ {
		if !is(c.Args[i], "LIMIT") || i+1 == len(c.Args) {
			c.Error(errSyntax)
			return
		}
		i++
		if limit, ok = c.rangeArg(c.Args[i], 0, math.MaxInt64, "ERR LIMIT can't be negative"); !ok {
			return
		}
	}
	sets, missing, ok := c.operands(c.Args[2 : 2+n])
	if !ok {
		return
	}
	count := int64(0)
	if !missing {
		eachInAll(sets, func(settype.Member) bool { count++; return limit == 0 || count < limit })
	}
	c.Int(count)
}

// sunionDiff is SUNION or SDIFF, or their STORE form where dst is a key (t_set.c,
// sunionDiffGenericCommand). The result is gathered in a set of its own, which decides its order.
func (c *Client) sunionDiff(keys [][]byte, dst []byte, union bool) {
	sets, _, ok := c.operands(keys)
	if !ok {
		return
	}
	k := c.S.setKind()
	out := k.NewIntset()
	if dst == nil && c.S.R.UnionStartsAsTable && slices.ContainsFunc(sets, func(s *settype.Set) bool { return s != nil && s.Enc != object.Intset }) {
		out.Free()
		out = k.NewTable(0)
	}
	if union {
		for _, s := range sets {
			addAll(&out, s)
		}
	} else {
		diff(&out, sets)
	}
	event := "sdiffstore"
	if union {
		event = "sunionstore"
	}
	switch {
	case dst != nil && out.Len() > 0:
		c.storeSet(dst, &out, event)
		return
	case dst != nil:
		c.storeNothing(dst)
	default:
		c.replySet(&out)
	}
	out.Free()
}

func (c *Client) replySet(s *settype.Set) {
	c.Set(s.Len())
	s.Each(func(m settype.Member) bool { c.bulkMember(m); return true })
}

func addAll(out, s *settype.Set) {
	if s != nil {
		s.Each(func(m settype.Member) bool { out.Add(m); return true })
	}
}

// diff adds to out what the first set has and no other one. Which of the server's two ways it goes
// decides the order.
func diff(out *settype.Set, sets []*settype.Set) {
	first := sets[0]
	if first == nil || slices.ContainsFunc(sets[1:], func(s *settype.Set) bool { return same(first, s) }) {
		return
	}
	one, two := 0, 0
	for _, s := range sets {
		if s != nil {
			one += first.Len()
			two += s.Len()
		}
	}
	if one/2 > two {
		diffBySubtracting(out, sets)
		return
	}
	others := sets[1:]
	slices.SortStableFunc(others, func(a, b *settype.Set) int { return cmp.Compare(size(b), size(a)) })
	first.Each(func(m settype.Member) bool {
		if !slices.ContainsFunc(others, func(s *settype.Set) bool { return s != nil && s.Has(m) }) {
			out.Add(m)
		}
		return true
	})
}

func diffBySubtracting(out *settype.Set, sets []*settype.Set) {
	addAll(out, sets[0])
	for _, s := range sets[1:] {
		if out.Len() == 0 {
			return
		}
		if s != nil {
			s.Each(func(m settype.Member) bool { out.Remove(m); return true })
		}
	}
}
