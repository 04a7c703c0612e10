package command

import (
	"math"

	"github.com/keyloupe/keyloupe/engine/object"
	"github.com/keyloupe/keyloupe/engine/settype"
)

var _ = add(map[string]handler{"spop": spopCommand, "srandmember": srandmemberCommand})

// popMoves is how many times as many members must be taken as are left for SPOP to make a new set
// of those left (t_set.c, SPOP_MOVE_STRATEGY_MUL).
const popMoves = 5

// SPOP key [count]
func spopCommand(c *Client) {
	if len(c.Args) > 3 {
		c.Error(errSyntax)
		return
	}
	if len(c.Args) == 3 {
		c.spopCount()
		return
	}
	key := c.Args[1]
	s, found, ok := c.findSetWrite(key)
	if !ok {
		return
	}
	if !found {
		c.Null()
		return
	}
	m := s.Pop(c.S.random)
	c.notify('s', "spop", key)
	c.bulkMember(m)
	if s.Len() == 0 {
		c.DB.Delete(key)
		c.notify('g', "del", key)
	}
	c.modified(key)
}

func (c *Client) spopCount() {
	count, ok := c.rangeArg(c.Args[2], 0, math.MaxInt64, errPositive)
	if !ok {
		return
	}
	key := c.Args[1]
	s, found, ok := c.findSetWrite(key)
	if !ok {
		return
	}
	if !found || count == 0 {
		c.Set(0)
		return
	}
	n := int64(s.Len())
	c.notify('s', "spop", key)
	c.S.Dirty += min(count, n)
	if count >= n {
		c.sunionDiff([][]byte{key}, nil, true)
		c.DB.Delete(key)
		c.notify('g', "del", key)
		c.touched(key)
		return
	}
	if left := n - count; left*popMoves > count {
		c.popSome(&s, int(count))
	} else {
		c.popMost(key, &s, int(left))
	}
	c.touched(key)
}

// popSome takes members out one by one; of a listpack, in the order they are in it.
func (c *Client) popSome(s *settype.Set, count int) {
	c.Set(count)
	if s.Enc == object.Listpack {
		for _, m := range s.PopPacked(count, c.S.random) {
			c.bulkMember(m)
		}
		return
	}
	for range count {
		c.bulkMember(s.Pop(c.S.random))
	}
}

// popMost moves the members that are to be left into a new set and replies the rest.
func (c *Client) popMost(key []byte, s *settype.Set, left int) {
	var kept settype.Set
	if s.Enc == object.Listpack {
		kept = s.K.NewListpack(0)
		for _, m := range s.PopPacked(left, c.S.random) {
			kept.Add(m)
		}
	} else {
		if s.Enc == object.Intset {
			kept = s.K.NewIntset()
		} else {
			kept = s.K.NewListpack(0)
		}
		for range left {
			m := s.Random(c.S.random).Copy()
			kept.Add(m)
			s.Remove(m)
		}
	}
	c.replySet(s)
	c.DB.Replace(key, setValue(kept))
}

// SRANDMEMBER key [count]
func srandmemberCommand(c *Client) {
	if len(c.Args) > 3 {
		c.Error(errSyntax)
		return
	}
	if len(c.Args) == 3 {
		c.srandmemberCount()
		return
	}
	s, found, ok := c.findSet(c.Args[1])
	switch {
	case !ok:
	case !found:
		c.Null()
	default:
		c.bulkMember(s.Random(c.S.random))
	}
}

// srandmemberCount replies count different members, or with a negative count any members.
func (c *Client) srandmemberCount() {
	count, ok := c.rangeArg(c.Args[2], -math.MaxInt64, math.MaxInt64, "")
	if !ok {
		return
	}
	s, found, ok := c.findSet(c.Args[1])
	if !ok {
		return
	}
	switch n := int64(s0len(&s, found)); {
	case n == 0 || count == 0:
		c.Array(0)
	case count < 0 || count == 1:
		count = max(count, -count)
		c.Array(int(count))
		for range count {
			c.bulkMember(s.Random(c.S.random))
		}
	case count >= n:
		c.Array(int(n))
		s.Each(func(m settype.Member) bool { c.bulkMember(m); return true })
	default:
		c.distinctOfSet(&s, int(count))
	}
}

func s0len(s *settype.Set, found bool) int {
	if !found {
		return 0
	}
	return s.Len()
}

// srandSubtracts is how many times fewer members there must be than that many times the count for
// SRANDMEMBER to take them all and drop some, instead of drawing again and again (t_set.c,
// SRANDMEMBER_SUB_STRATEGY_MUL).
const srandSubtracts = 3

// distinctOfSet replies count of the members, each as likely as any other. Drawing from a table
// that is being moved moves it on; going through it does not.
func (c *Client) distinctOfSet(s *settype.Set, count int) {
	c.Array(count)
	if s.Enc != object.Listpack && count*srandSubtracts <= s.Len() {
		c.drawMembers(s, count)
		return
	}
	left := s.Len()
	s.Each(func(m settype.Member) bool {
		if c.S.random()%uint64(left) < uint64(count) {
			c.bulkMember(m)
			count--
		}
		left--
		return count > 0
	})
}

func (c *Client) drawMembers(s *settype.Set, count int) {
	drawn := make(map[string]bool, count)
	for len(drawn) < count {
		m := s.Random(c.S.random)
		if text := string(m.Append(nil)); !drawn[text] {
			drawn[text] = true
			c.bulkMember(m)
		}
	}
}
