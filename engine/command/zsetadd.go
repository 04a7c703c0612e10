package command

import (
	"github.com/keyloupe/keyloupe/engine/fpconv"
	"github.com/keyloupe/keyloupe/engine/object"
	"github.com/keyloupe/keyloupe/engine/zset"
)

var _ = add(map[string]handler{
	"zadd":    func(c *Client) { c.zadd(c.Args, 0) },
	"zincrby": func(c *Client) { c.zadd(c.Args, zset.Incr) },
})

// floatArg reads a double and replies an error where it is none.
func (c *Client) floatArg(a []byte, msg string) (float64, bool) {
	v, ok := fpconv.Parse(c.S.R, a)
	if !ok {
		c.Error(msg)
	}
	return v, ok
}

// zaddOptions is what stands between the key and the first score; at is where that is.
type zaddOptions struct {
	flags zset.Flags
	ch    bool
	at    int
}

func parseZadd(args [][]byte, f zset.Flags) (o zaddOptions) {
	o.flags = f
	for o.at = 2; o.at < len(args); o.at++ {
		switch a := args[o.at]; {
		case is(a, "NX"):
			o.flags |= zset.NX
		case is(a, "XX"):
			o.flags |= zset.XX
		case is(a, "CH"):
			o.ch = true
		case is(a, "INCR"):
			o.flags |= zset.Incr
		case is(a, "GT"):
			o.flags |= zset.GT
		case is(a, "LT"):
			o.flags |= zset.LT
		default:
			return o
		}
	}
	return o
}

// wrong is the error of options that do not go together, "" for none.
func (o *zaddOptions) wrong(pairs int) string {
	has := func(f zset.Flags) bool { return o.flags&f != 0 }
	switch {
	case has(zset.NX) && has(zset.XX):
		return "ERR XX and NX options at the same time are not compatible"
	case has(zset.GT) && has(zset.NX) || has(zset.LT) && has(zset.NX) || has(zset.GT) && has(zset.LT):
		return "ERR GT, LT, and/or NX options at the same time are not compatible"
	case has(zset.Incr) && pairs > 1:
		return "ERR INCR option supports a single increment-element pair"
	}
	return ""
}

// zadd is ZADD, ZINCRBY, and GEOADD with the scores it worked out (t_zset.c, zaddGenericCommand).
func (c *Client) zadd(args [][]byte, f zset.Flags) {
	o := parseZadd(args, f)
	pairs := args[o.at:]
	if len(pairs)%2 != 0 || len(pairs) == 0 {
		c.Error(errSyntax)
		return
	}
	if msg := o.wrong(len(pairs) / 2); msg != "" {
		c.Error(msg)
		return
	}
	var few [8]float64
	scores, longest := few[:0], 0
	for i := 0; i < len(pairs); i += 2 {
		v, ok := c.floatArg(pairs[i], errFloat)
		if !ok {
			return
		}
		scores, longest = append(scores, v), max(longest, len(pairs[i+1]))
	}
	key := args[1]
	p, ok := c.findWrite(key, object.Zset)
	if !ok {
		return
	}
	if p == 0 && o.flags&zset.XX != 0 {
		c.replyAdded(o, zaddResult{})
		return
	}
	p, z := c.zsetToAdd(key, p, len(scores), longest, len(pairs[1]))
	r := zaddResult{}
	for i, v := range scores {
		if !r.add(&z, v, pairs[2*i+1], o.flags) {
			break
		}
	}
	c.keepZset(p, &z)
	if n := r.added + r.updated; n > 0 {
		c.S.Dirty += int64(n)
		c.touched(key)
		event := "zadd"
		if o.flags&zset.Incr != 0 {
			event = "zincr"
		}
		c.notify('z', event, key)
	}
	c.replyAdded(o, r)
}

// zsetToAdd is the sorted set at a key, made where there is none, in the encoding that so many
// members of up to that many bytes call for.
func (c *Client) zsetToAdd(key []byte, p ptr, members, longest, first int) (ptr, zset.Set) {
	hint := longest
	if p == 0 {
		if !c.S.R.ZaddHintLongest {
			hint = first
		}
		z := c.S.zsets.New(members, hint)
		return c.DB.Add(key, zsetValue(&z)), z
	}
	if !c.S.R.ZaddHintLongest {
		hint = 0
	}
	z := c.zset(p)
	z.MaybeConvert(members, hint)
	return p, z
}

// zaddResult counts what became of the pairs.
type zaddResult struct {
	added, updated int
	score          float64 // of the last member
	done           bool    // a pair was not passed over by the options
	nan            bool
}

func (r *zaddResult) add(z *zset.Set, score float64, member []byte, f zset.Flags) bool {
	out, v := z.Add(score, member, f)
	switch out {
	case zset.NaN:
		r.nan = true
		return false
	case zset.Added:
		r.added++
	case zset.Updated:
		r.updated++
	}
	if out != zset.Nop {
		r.done = true
	}
	r.score = v
	return true
}

func (c *Client) replyAdded(o zaddOptions, r zaddResult) {
	switch {
	case r.nan:
		c.Error("ERR resulting score is not a number (NaN)")
	case o.flags&zset.Incr != 0 && r.done:
		c.Double(r.score)
	case o.flags&zset.Incr != 0:
		c.Null()
	case o.ch:
		c.Int(int64(r.added + r.updated))
	default:
		c.Int(int64(r.added))
	}
}
