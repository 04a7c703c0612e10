package command

import (
	"math"

	"github.com/keyloupe/keyloupe/engine/fpconv"
	"github.com/keyloupe/keyloupe/engine/object"
	"github.com/keyloupe/keyloupe/engine/zset"
)

var _ = add(map[string]handler{
	"zrange":           func(c *Client) { c.zrange(1, false, byAny, false) },
	"zrevrange":        func(c *Client) { c.zrange(1, false, byRank, true) },
	"zrangebyscore":    func(c *Client) { c.zrange(1, false, byScore, false) },
	"zrevrangebyscore": func(c *Client) { c.zrange(1, false, byScore, true) },
	"zrangebylex":      func(c *Client) { c.zrange(1, false, byLex, false) },
	"zrevrangebylex":   func(c *Client) { c.zrange(1, false, byLex, true) },
	"zrangestore":      func(c *Client) { c.zrange(2, true, byAny, false) },
	"zcount": func(c *Client) {
		if r, ok := c.scoreRange(c.Args[2], c.Args[3]); ok {
			c.zcount(r)
		}
	},
	"zlexcount": func(c *Client) {
		if r, ok := c.lexRange(c.Args[2], c.Args[3]); ok {
			c.zcount(r)
		}
	},
})

// scoreRange reads an interval of scores; a bound after "(" is not part of it (t_zset.c,
// zslParseRange).
func (c *Client) scoreRange(lo, hi []byte) (r zset.Scores, ok bool) {
	if r.Min, r.MinEx, ok = c.scoreBound(lo); ok {
		r.Max, r.MaxEx, ok = c.scoreBound(hi)
	}
	if !ok {
		c.Error("ERR min or max is not a float")
	}
	return r, ok
}

// scoreBound reads to the end of the text or a NUL. Nothing at all is 0, and what is too large or
// too small for a double is taken for infinity or 0.
func (c *Client) scoreBound(a []byte) (v float64, exclusive, ok bool) {
	if len(a) > 0 && a[0] == '(' {
		exclusive, a = true, a[1:]
	}
	n := fpconv.Strtod(c.S.R, a)
	rest := a[n.Len:]
	return n.V, exclusive, !math.IsNaN(n.V) && (len(rest) == 0 || rest[0] == 0)
}

// lexRange reads an interval of members: [text, (text, - or + (t_zset.c, zsetParseLexRange).
func (c *Client) lexRange(lo, hi []byte) (r *zset.Members, ok bool) {
	r = &zset.Members{}
	if r.Min, ok = lexBound(lo); ok {
		r.Max, ok = lexBound(hi)
	}
	if !ok {
		c.Error("ERR min or max not valid string range item")
	}
	return r, ok
}

func lexBound(a []byte) (b zset.Bound, ok bool) {
	if len(a) == 0 {
		return b, false
	}
	alone := len(a) == 1 || a[1] == 0 // C takes the text up to a NUL
	switch a[0] {
	case '+':
		return zset.Bound{Inf: 1, Ex: true}, alone
	case '-':
		return zset.Bound{Inf: -1, Ex: true}, alone
	case '(':
		return zset.Bound{Text: a[1:], Ex: true}, true
	case '[':
		return zset.Bound{Text: a[1:]}, true
	}
	return b, false
}

func (c *Client) zcount(r zset.Range) {
	p, ok := c.find(c.Args[1], object.Zset)
	if !ok {
		return
	}
	n := 0
	if p != 0 {
		z := c.zset(p)
		n = z.Count(r)
	}
	c.Int(int64(n))
}

// What a range is by.
type rangeBy int

const (
	byAny rangeBy = iota // BYSCORE, BYLEX or rank
	byRank
	byScore
	byLex
)

// zrangeArgs is what ZRANGE and its kin ask for.
type zrangeArgs struct {
	by            rangeBy
	reverse       bool
	scores        bool // WITHSCORES, or the result is stored
	offset, limit int64

	start, end int64 // of byRank
	window     zset.Range
}

// zrange is ZRANGE, ZRANGESTORE and the older forms (t_zset.c, zrangeGenericCommand). at is where
// the source key stands.
func (c *Client) zrange(at int, store bool, by rangeBy, reverse bool) {
	o, ok := c.parseZrange(at+3, store, by, reverse)
	if !ok || !c.parseBounds(&o, c.Args[at+1], c.Args[at+2]) {
		return
	}
	p := c.lookupRead(c.Args[at])
	if _, ok := c.typed(p, object.Zset); !ok {
		return
	}
	if store {
		c.zrangestore(p, &o)
		return
	}
	from, n := c.Len(), 0
	c.eachInRange(p, &o, func(score float64, member []byte) {
		c.replyMember(score, member, o.scores)
		n++
	})
	if o.scores && c.Proto < 3 {
		n *= 2
	}
	c.arrayFrom(from, n)
}

// replyMember replies a member, and with scores its score too: beside it in RESP2, as a pair in
// RESP3.
func (c *Client) replyMember(score float64, member []byte, scores bool) {
	if scores && c.Proto >= 3 {
		c.Array(2)
	}
	c.Bulk(member)
	if scores {
		c.Double(score)
	}
}

func (c *Client) parseZrange(i int, store bool, by rangeBy, reverse bool) (o zrangeArgs, ok bool) {
	o = zrangeArgs{by: by, reverse: reverse, limit: -1}
	free := by == byAny
	mayReverse := free // only ZRANGE and ZRANGESTORE choose
	for ; i < len(c.Args); i++ {
		switch a := c.Args[i]; {
		case !store && is(a, "WITHSCORES"):
			o.scores = true
		case is(a, "LIMIT") && i+2 < len(c.Args):
			if o.offset, ok = c.intArg(c.Args[i+1]); !ok {
				return o, false
			}
			if o.limit, ok = c.intArg(c.Args[i+2]); !ok {
				return o, false
			}
			i += 2
		case mayReverse && !o.reverse && is(a, "REV"):
			o.reverse = true
		case o.by == byAny && is(a, "BYLEX"):
			o.by = byLex
		case o.by == byAny && is(a, "BYSCORE"):
			o.by = byScore
		default:
			c.Error(errSyntax)
			return o, false
		}
	}
	if o.by == byAny {
		o.by = byRank
	}
	switch {
	case o.limit != -1 && o.by == byRank:
		c.Error("ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX")
		return o, false
	case o.scores && o.by == byLex:
		c.Error("ERR syntax error, WITHSCORES not supported in combination with BYLEX")
		return o, false
	}
	return o, true
}

func (c *Client) parseBounds(o *zrangeArgs, lo, hi []byte) (ok bool) {
	if o.reverse && o.by != byRank { // given as max, min
		lo, hi = hi, lo
	}
	switch o.by {
	case byRank:
		if o.start, ok = c.intArg(lo); ok {
			o.end, ok = c.intArg(hi)
		}
	case byScore:
		o.window, ok = c.scoreRange(lo, hi)
	default:
		o.window, ok = c.lexRange(lo, hi)
	}
	return ok
}

// eachInRange calls f with the members asked for; p may be 0.
func (c *Client) eachInRange(p ptr, o *zrangeArgs, f func(score float64, member []byte)) {
	if p == 0 {
		return
	}
	z := c.zset(p)
	if o.by == byRank {
		if from, to, ok := ranks(o.start, o.end, z.Len()); ok {
			eachRank(&z, from, to, o.reverse, f)
		}
		return
	}
	if o.by == byScore && o.offset > 0 && o.offset >= int64(z.Len()) {
		return
	}
	at := z.Window(o.window, o.reverse, int(o.offset))
	for n := o.limit; at.OK() && n != 0; n-- {
		score, m := at.Score(), at.Member()
		if o.reverse && o.window.Below(score, m) || !o.reverse && o.window.Above(score, m) {
			return
		}
		f(score, m)
		step(&at, o.reverse)
	}
}

func eachRank(z *zset.Set, from, to int, reverse bool, f func(score float64, member []byte)) {
	first := from
	if reverse {
		first = z.Len() - 1 - from
	}
	at := z.Seek(first)
	for range to - from + 1 {
		f(at.Score(), at.Member())
		step(&at, reverse)
	}
}

func step(at *zset.Cursor, reverse bool) {
	if reverse {
		at.Prev()
	} else {
		at.Next()
	}
}

// zrangestore stores what a range holds. Its size is known before only where it is by rank.
func (c *Client) zrangestore(p ptr, o *zrangeArgs) {
	size := 0
	if p != 0 && o.by == byRank {
		src := c.zset(p)
		if from, to, ok := ranks(o.start, o.end, src.Len()); ok {
			size = to - from + 1
		}
	}
	z := c.S.zsets.New(size, 0)
	c.eachInRange(p, o, func(score float64, member []byte) { z.Add(score, member, 0) })
	c.storeZset(c.Args[1], &z, "zrangestore")
}
