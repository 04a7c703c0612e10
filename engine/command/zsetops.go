package command

import (
	"fmt"
	"math"
	"slices"

	"github.com/keyloupe/keyloupe/engine/object"
	"github.com/keyloupe/keyloupe/engine/settype"
	"github.com/keyloupe/keyloupe/engine/zset"
)

var _ = add(map[string]handler{
	"zunion":      func(c *Client) { c.combine(combineUnion, false, false) },
	"zinter":      func(c *Client) { c.combine(combineInter, false, false) },
	"zdiff":       func(c *Client) { c.combine(combineDiff, false, false) },
	"zunionstore": func(c *Client) { c.combine(combineUnion, true, false) },
	"zinterstore": func(c *Client) { c.combine(combineInter, true, false) },
	"zdiffstore":  func(c *Client) { c.combine(combineDiff, true, false) },
	"zintercard":  func(c *Client) { c.combine(combineInter, false, true) },
})

type combination int

const (
	combineUnion combination = iota
	combineInter
	combineDiff
)

// source is a key that a combination is made of: a sorted set, a set whose members all have score 1,
// or nothing.
type source struct {
	p      ptr
	weight float64
	z      zset.Set    // where it is a sorted set
	set    settype.Set // where it is a set
	isSet  bool
}

func (s *source) len() int {
	switch {
	case s.p == 0:
		return 0
	case s.isSet:
		return s.set.Len()
	}
	return s.z.Len()
}

// each calls f with the members until it returns false: of a sorted set from last to first, so that
// a new skiplist takes each at its front.
func (s *source) each(f func(score float64, member []byte) bool) {
	if s.p == 0 {
		return
	}
	if s.isSet {
		var num [24]byte
		s.set.Each(func(m settype.Member) bool { return f(1, m.Append(num[:0])) })
		return
	}
	for at := s.z.Last(); at.OK(); at.Prev() {
		if !f(at.Score(), at.Member()) {
			return
		}
	}
}

func (s *source) find(member []byte) (float64, bool) {
	switch {
	case s.p == 0:
		return 0, false
	case s.isSet:
		return 1, s.set.Has(settype.Member{Text: member})
	}
	return s.z.Score(member)
}

// combineArgs is what a combination is asked for.
type combineArgs struct {
	kind      combination
	store     bool
	cardinal  bool // only the number of members
	sources   []source
	aggregate func(a, b float64) float64
	scores    bool
	limit     int64 // of cardinal, 0 for none
}

// combine is ZUNION, ZINTER, ZDIFF, their STORE forms and ZINTERCARD (t_zset.c,
// zunionInterDiffGenericCommand).
func (c *Client) combine(kind combination, store, cardinal bool) {
	a := combineArgs{kind: kind, store: store, cardinal: cardinal, aggregate: aggregateSum}
	at := 1
	if store {
		at = 2
	}
	next, ok := c.combineSources(&a, at)
	if !ok || !c.combineOptions(&a, next) {
		return
	}
	if kind != combineDiff {
		slices.SortStableFunc(a.sources, func(x, y source) int { return x.len() - y.len() })
	}
	if cardinal {
		c.Int(a.intersect(nil))
		return
	}
	r := result{Set: c.S.zsets.NewSkiplist()}
	switch kind {
	case combineUnion:
		a.unite(&r)
	case combineInter:
		a.intersect(&r)
	default:
		a.subtract(&r)
	}
	if store {
		r.ToListpackIfFits(r.longest, r.total)
		c.storeZset(c.Args[1], &r.Set, [...]string{"zunionstore", "zinterstore", "zdiffstore"}[kind])
		return
	}
	c.replyMembers(&r.Set, a.scores)
	r.Free()
}

// combineSources reads the number of keys and the keys from argument at on.
func (c *Client) combineSources(a *combineArgs, at int) (next int, ok bool) {
	n, ok := c.intArg(c.Args[at])
	switch {
	case !ok:
		return 0, false
	case n < 1:
		c.Error(fmt.Sprintf("ERR at least 1 input key is needed for '%s' command", c.Cmd.FullName))
		return 0, false
	case n > int64(len(c.Args)-at-1):
		c.Error(errSyntax)
		return 0, false
	}
	next = at + 1 + int(n)
	for _, key := range c.Args[at+1 : next] {
		s := source{p: c.lookupRead(key), weight: 1}
		if s.p != 0 {
			switch c.typeOf(s.p) {
			case object.Zset:
				s.z = c.zset(s.p)
			case object.Set:
				s.set, s.isSet = c.S.setKind().Open(s.p), true
			default:
				c.Error(errWrongType)
				return 0, false
			}
		}
		a.sources = append(a.sources, s)
	}
	return next, true
}

func (c *Client) combineOptions(a *combineArgs, i int) bool {
	weighs := a.kind != combineDiff && !a.cardinal
	for ; i < len(c.Args); i++ {
		left := len(c.Args) - i
		switch w := c.Args[i]; {
		case weighs && left > len(a.sources) && is(w, "WEIGHTS"):
			for j := range a.sources {
				i++
				var ok bool
				if a.sources[j].weight, ok = c.floatArg(c.Args[i], "ERR weight value is not a float"); !ok {
					return false
				}
			}
		case weighs && left >= 2 && is(w, "AGGREGATE"):
			i++
			switch how := c.Args[i]; {
			case is(how, "SUM"):
				a.aggregate = aggregateSum
			case is(how, "MIN"):
				a.aggregate = aggregateMin
			case is(how, "MAX"):
				a.aggregate = aggregateMax
			default:
				c.Error(errSyntax)
				return false
			}
		case !a.store && !a.cardinal && is(w, "WITHSCORES"):
			a.scores = true
		case a.cardinal && left >= 2 && is(w, "LIMIT"):
			i++
			var ok bool
			if a.limit, ok = c.rangeArg(c.Args[i], 0, math.MaxInt64, "ERR LIMIT can't be negative"); !ok {
				return false
			}
		default:
			c.Error(errSyntax)
			return false
		}
	}
	return true
}

// aggregateSum takes the sum of both infinities for 0.
func aggregateSum(a, b float64) float64 { return numberOr0(a + b) }

func aggregateMin(a, b float64) float64 {
	if b < a {
		return b
	}
	return a
}

func aggregateMax(a, b float64) float64 {
	if b > a {
		return b
	}
	return a
}

func numberOr0(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return v
}

// result is the sorted set that a combination makes, with the lengths of its members.
type result struct {
	zset.Set
	longest, total int
}

func (r *result) add(score float64, member []byte) {
	r.Insert(score, member)
	r.count(member)
}

func (r *result) count(member []byte) {
	r.longest, r.total = max(r.longest, len(member)), r.total+len(member)
}

// intersect adds the members that all sources have to r, or where that is nil counts them up to the
// limit.
func (a *combineArgs) intersect(r *result) (n int64) {
	first := &a.sources[0]
	first.each(func(score float64, member []byte) bool {
		sum := numberOr0(first.weight * score)
		for i := range a.sources[1:] {
			s := &a.sources[1+i]
			v, ok := score, s.p == first.p
			if !ok {
				v, ok = s.find(member)
			}
			if !ok {
				return true
			}
			sum = a.aggregate(sum, v*s.weight)
		}
		n++
		if r != nil {
			r.add(sum, member)
		}
		return r != nil || a.limit == 0 || n < a.limit
	})
	return n
}

// unite adds the members of any source to r.
func (a *combineArgs) unite(r *result) {
	u := r.NewUnion(a.sources[len(a.sources)-1].len())
	for i := range a.sources {
		s := &a.sources[i]
		s.each(func(score float64, member []byte) bool {
			score = numberOr0(s.weight * score)
			if u.Add(score, member, a.aggregate) {
				r.count(member)
			}
			return true
		})
	}
	u.Finish()
}

// subtract adds the members of the first source that no other has to r.
func (a *combineArgs) subtract(r *result) {
	first := &a.sources[0]
	if first.len() == 0 {
		return
	}
	one, two := 0, 0
	for i := range a.sources {
		if i > 0 && a.sources[i].p == first.p {
			return
		}
		one += first.len()
		two += a.sources[i].len()
	}
	if one/2 <= two {
		a.subtractByLookup(r)
	} else {
		a.subtractByRemoval(r)
	}
}

// subtractByLookup looks each member up in the other sources, the largest first.
func (a *combineArgs) subtractByLookup(r *result) {
	others := a.sources[1:]
	slices.SortStableFunc(others, func(x, y source) int { return y.len() - x.len() })
	a.sources[0].each(func(score float64, member []byte) bool {
		for i := range others {
			if _, ok := others[i].find(member); ok {
				return true
			}
		}
		r.add(score, member)
		return true
	})
}

// subtractByRemoval adds all members and takes those of the other sources out again.
func (a *combineArgs) subtractByRemoval(r *result) {
	r.HoldShrink()
	for i := range a.sources {
		a.sources[i].each(func(score float64, member []byte) bool {
			if i == 0 {
				r.Insert(score, member)
			} else {
				r.Remove(append([]byte(nil), member...))
			}
			return r.Len() > 0
		})
		if r.Len() == 0 {
			break
		}
	}
	r.LetShrink()
	r.Each(func(_ float64, member []byte) bool { r.count(member); return true })
}

// replyMembers replies a whole sorted set in order.
func (c *Client) replyMembers(z *zset.Set, scores bool) {
	n := z.Len()
	if scores && c.Proto < 3 {
		n *= 2
	}
	c.Array(n)
	z.Each(func(score float64, member []byte) bool { c.replyMember(score, member, scores); return true })
}
