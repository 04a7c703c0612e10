package command

import (
	"math"

	"github.com/keyloupe/keyloupe/engine/hashtype"
)

var _ = add(map[string]handler{
	"hgetall": func(c *Client) { c.hgetallGeneric(true, true) },
	"hkeys":   func(c *Client) { c.hgetallGeneric(true, false) },
	"hvals":   func(c *Client) { c.hgetallGeneric(false, true) },
	"hscan":   hscanCommand, "hrandfield": hrandfieldCommand,
})

func (c *Client) hgetallGeneric(fields, values bool) {
	x, there, ok := c.readHash(c.Args[1])
	if !ok {
		return
	}
	n := 0
	if there {
		n = live(&x)
	}
	if fields && values {
		c.Map(n)
	} else {
		c.Array(n)
	}
	if !there {
		return
	}
	x.Each(func(field, value []byte, _ int64) bool {
		if fields {
			c.Bulk(field)
		}
		if values {
			c.Bulk(value)
		}
		return true
	})
}

// live is the number of fields that are not hidden.
func live(x *hashtype.Hash) (n int) {
	if !x.HasVolatile() {
		return x.Len()
	}
	x.Each(func(_, _ []byte, _ int64) bool { n++; return true })
	return n
}

func hscanCommand(c *Client) {
	cursor, ok := c.parseCursor(c.Args[2])
	if !ok {
		return
	}
	x, there, ok := c.readHash(c.Args[1])
	if !ok {
		return
	}
	if !there {
		c.scanReply(0, nil)
		return
	}
	o, ok := c.parseScan(3, false, true)
	if !ok {
		return
	}
	var items [][]byte
	rounds, seen := scanRounds(o.count), int64(0)
	for {
		cursor = x.Scan(cursor, func(field, value []byte) {
			seen++
			if !o.matches(field) {
				return
			}
			items = append(items, append([]byte(nil), field...))
			if !o.noValues {
				items = append(items, append([]byte(nil), value...))
			}
		})
		if cursor == 0 || rounds == 0 || seen >= o.count {
			break
		}
		rounds--
	}
	c.scanReply(cursor, items)
}

// scanRounds is how many buckets a scan looks at beyond the first before it replies with what it has.
func scanRounds(count int64) int64 {
	if count > math.MaxInt64/10 {
		return math.MaxInt64
	}
	return 10 * count
}

func hrandfieldCommand(c *Client) {
	if len(c.Args) == 2 {
		c.randomField()
		return
	}
	n, ok := c.rangeArg(c.Args[2], -math.MaxInt64, math.MaxInt64, "")
	if !ok {
		return
	}
	values := false
	if len(c.Args) > 4 || len(c.Args) == 4 && !is(c.Args[3], "WITHVALUES") {
		c.Error(errSyntax)
		return
	}
	if len(c.Args) == 4 {
		values = true
		if n < -math.MaxInt64/2 || n > math.MaxInt64/2 {
			c.Error("ERR value is out of range")
			return
		}
	}
	x, there, ok := c.readHash(c.Args[1])
	if !ok {
		return
	}
	if !there || n == 0 {
		c.Array(0)
		return
	}
	if n < -mostRepeats {
		c.Error("ERR Keyloupe replies at most " + itoa(mostRepeats) + " fields with repetitions, the count is " + string(c.Args[2]))
		return
	}
	c.randomFields(&x, n, values)
}

func (c *Client) randomField() {
	x, there, ok := c.readHash(c.Args[1])
	if !ok {
		return
	}
	if there {
		if pairs := c.pairs(&x); len(pairs) > 0 {
			c.Bulk(pairs[c.S.random()%uint64(len(pairs))].field)
			return
		}
	}
	c.Null()
}

type pair struct{ field, value []byte }

// mostRepeats bounds how many fields HRANDFIELD replies with repetitions; a real server would go on
// until its memory is used up.
const mostRepeats = 1 << 22

// pairs is a copy of all fields that are not hidden. Which of them a real server picks can't be
// foretold, so how it picks is not followed; what it may reply is.
func (c *Client) pairs(x *hashtype.Hash) (out []pair) {
	x.Each(func(field, value []byte, _ int64) bool {
		out = append(out, pair{append([]byte(nil), field...), append([]byte(nil), value...)})
		return true
	})
	return out
}

// randomFields replies n different fields, or with a negative n that many with repetitions.
func (c *Client) randomFields(x *hashtype.Hash, n int64, values bool) {
	pairs := c.pairs(x)
	all := uint64(len(pairs))
	var picked []pair
	switch {
	case all == 0:
	case n < 0:
		for range -n {
			picked = append(picked, pairs[c.S.random()%all])
		}
	case n >= int64(all):
		picked = pairs
	default:
		need := n
		for i, p := range pairs { // each with the odds that leave the wanted number
			if int64(c.S.random()%(all-uint64(i))) < need {
				picked = append(picked, p)
				need--
			}
		}
	}
	nested := values && c.Proto >= 3
	if values && !nested {
		c.Array(2 * len(picked))
	} else {
		c.Array(len(picked))
	}
	for _, p := range picked {
		if nested {
			c.Array(2)
		}
		c.Bulk(p.field)
		if values {
			c.Bulk(p.value)
		}
	}
}
