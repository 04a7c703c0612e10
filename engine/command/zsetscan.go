package command

import (
	"math"

	"github.com/keyloupe/keyloupe/engine/fpconv"
	"github.com/keyloupe/keyloupe/engine/object"
	"github.com/keyloupe/keyloupe/engine/zset"
)

var _ = add(map[string]handler{"zscan": zscanCommand, "zrandmember": zrandmemberCommand})

// ZSCAN key cursor [MATCH pattern] [COUNT count] [NOSCORES]. A listpack is scanned at once.
func zscanCommand(c *Client) {
	cursor, ok := c.parseCursor(c.Args[2])
	if !ok {
		return
	}
	p, ok := c.find(c.Args[1], object.Zset)
	if !ok {
		return
	}
	if p == 0 {
		c.scanReply(0, nil)
		return
	}
	o, ok := c.parseScan(3, false, false)
	if !ok {
		return
	}
	z := c.zset(p)
	var items [][]byte
	emit := func(score float64, member []byte, form func([]byte, float64) []byte) {
		if !o.matches(member) {
			return
		}
		items = append(items, append([]byte(nil), member...))
		if !o.noValues {
			items = append(items, form(nil, score))
		}
	}
	if z.Enc == object.Listpack {
		z.Each(func(v float64, m []byte) bool { emit(v, m, fpconv.Append); return true })
		c.scanReply(0, items)
		return
	}
	seen := int64(0)
	for left := o.buckets(c.S.R.ZscanRounds); ; left-- {
		cursor = z.Scan(cursor, func(v float64, m []byte) {
			seen++
			emit(v, m, fpconv.AppendAuto)
		})
		if cursor == 0 || left == 0 || seen >= o.count {
			break
		}
	}
	c.scanReply(cursor, items)
}

// buckets is how many buckets a scan may look at after the first one, so many for each element that
// is wanted.
func (o *scanOptions) buckets(each int) int64 {
	if o.count > math.MaxInt64/int64(each) {
		return math.MaxInt64
	}
	return o.count * int64(each)
}

// ZRANDMEMBER key [count [WITHSCORES]]. Which members come is random in the server; here it follows
// from the seed.
func zrandmemberCommand(c *Client) {
	if len(c.Args) < 3 {
		p, ok := c.find(c.Args[1], object.Zset)
		switch {
		case !ok:
		case p == 0:
			c.Null()
		default:
			z := c.zset(p)
			at := z.Random(c.S.random)
			c.Bulk(at.Member())
		}
		return
	}
	count, ok := c.rangeArg(c.Args[2], -math.MaxInt64, math.MaxInt64, "")
	if !ok {
		return
	}
	scores := len(c.Args) == 4 && is(c.Args[3], "WITHSCORES")
	switch {
	case len(c.Args) > 4 || len(c.Args) == 4 && !scores:
		c.Error(errSyntax)
		return
	case scores && (count < -math.MaxInt64/2 || count > math.MaxInt64/2):
		c.Error("ERR value is out of range")
		return
	}
	p, ok := c.find(c.Args[1], object.Zset)
	switch {
	case !ok:
	case p == 0 || count == 0:
		c.Array(0)
	default:
		z := c.zset(p)
		c.randomMembers(&z, count, scores)
	}
}

// randomMembers replies count members, none twice; a negative count allows repetitions.
func (c *Client) randomMembers(z *zset.Set, count int64, scores bool) {
	n := count
	switch {
	case count < 0:
		n = -count
	case count > int64(z.Len()):
		n = int64(z.Len())
	}
	if int64(z.Len()) < n && !c.room(n) {
		return
	}
	if scores && c.Proto < 3 {
		c.Array(int(2 * n))
	} else {
		c.Array(int(n))
	}
	switch {
	case count < 0 || count == 1:
		for range n {
			at := z.Random(c.S.random)
			c.replyMember(at.Score(), at.Member(), scores)
		}
	case n == int64(z.Len()): // all of them, from last to first
		for at := z.Last(); at.OK(); at.Prev() {
			c.replyMember(at.Score(), at.Member(), scores)
		}
	default:
		c.someMembers(z, int(n), scores)
	}
}

// room refuses a reply that no client could take: the server would go on until its client buffers
// are full.
func (c *Client) room(n int64) bool {
	const most = 10_000_000
	if n > most {
		c.Error("ERR not simulated: a reply of so many random members")
		return false
	}
	return true
}

// someMembers replies n different members of a set that has more.
func (c *Client) someMembers(z *zset.Set, n int, scores bool) {
	if z.Enc == object.Listpack { // in order
		left := z.Len()
		for at := z.First(); n > 0; at.Next() {
			if c.S.random()%uint64(left) < uint64(n) {
				c.replyMember(at.Score(), at.Member(), scores)
				n--
			}
			left--
		}
		return
	}
	seen := make(map[string]bool, n)
	for len(seen) < n {
		at := z.Random(c.S.random)
		if m := string(at.Member()); !seen[m] {
			seen[m] = true
			c.replyMember(at.Score(), at.Member(), scores)
		}
	}
}
