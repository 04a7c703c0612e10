package command

import (
	"math"

	"github.com/keyloupe/keyloupe/engine/object"
)

var _ = add(map[string]handler{
	"lpush":  func(c *Client) { pushCommand(c, true, false) },
	"rpush":  func(c *Client) { pushCommand(c, false, false) },
	"lpushx": func(c *Client) { pushCommand(c, true, true) },
	"rpushx": func(c *Client) { pushCommand(c, false, true) },
	"lpop":   func(c *Client) { popCommand(c, true) },
	"rpop":   func(c *Client) { popCommand(c, false) },
	"lrange": lrangeCommand, "lindex": lindexCommand, "linsert": linsertCommand, "llen": llenCommand, "lset": lsetCommand,
	"lrem": lremCommand, "ltrim": ltrimCommand, "lpos": lposCommand,
	"lmove":     func(c *Client) { lmoveCommand(c, false) },
	"blmove":    func(c *Client) { lmoveCommand(c, true) },
	"rpoplpush": func(c *Client) { c.moveElement(false, true) },
	"brpoplpush": func(c *Client) {
		if until, ok := c.timeoutArg(c.Args[3]); ok {
			c.moveElementOrBlock(false, true, until)
		}
	},
	"lmpop":  func(c *Client) { lmpopCommand(c, 1) },
	"blmpop": func(c *Client) { lmpopCommand(c, 2) },
	"blpop":  func(c *Client) { blockingPopCommand(c, true) },
	"brpop":  func(c *Client) { blockingPopCommand(c, false) },
})

// LPUSH key element [element ...], RPUSH, LPUSHX, RPUSHX
func pushCommand(c *Client, head, onlyExisting bool) {
	key := c.Args[1]
	p, ok := c.findWrite(key, object.List)
	if !ok {
		return
	}
	if p == 0 {
		if onlyExisting {
			c.Int(0)
			return
		}
		p = c.DB.Add(key, c.S.newList())
	}
	l := list{c.S, p}
	texts := c.Args[2:]
	l.growBy(texts)
	for _, t := range texts {
		l.push(t, head)
	}
	c.S.Dirty += int64(len(texts))
	c.touched(key)
	c.notifyPush(key, head)
	c.Int(int64(l.len()))
}

func (c *Client) notifyPush(key []byte, head bool) {
	if head {
		c.notify('l', "lpush", key)
	} else {
		c.notify('l', "rpush", key)
	}
}

// removed does what is to be done after n elements were taken from one end (listElementsRemoved).
func (c *Client) removed(key []byte, l list, head bool, n int) {
	if head {
		c.notify('l', "lpop", key)
	} else {
		c.notify('l', "rpop", key)
	}
	c.emptied(key, l)
	c.touched(key)
	c.S.Dirty += int64(n)
}

// emptied deletes a list that has no elements left, or fits its encoding to fewer.
func (c *Client) emptied(key []byte, l list) {
	if l.len() == 0 {
		c.DB.Delete(key)
		c.notify('g', "del", key)
		return
	}
	l.shrunk()
}

// LPOP key [count], RPOP
func popCommand(c *Client, head bool) {
	if len(c.Args) > 3 {
		c.Error("ERR wrong number of arguments for '" + c.Cmd.FullName + "' command")
		return
	}
	hasCount := len(c.Args) == 3
	count := int64(1)
	if hasCount {
		var ok bool
		if count, ok = c.rangeArg(c.Args[2], 0, math.MaxInt64, errPositive); !ok {
			return
		}
	}
	key := c.Args[1]
	p, ok := c.findWrite(key, object.List)
	switch {
	case !ok:
		return
	case p == 0 && hasCount:
		c.NullArray()
		return
	case p == 0:
		c.Null()
		return
	case count == 0:
		c.Array(0)
		return
	}
	l := list{c.S, p}
	if hasCount {
		c.popRange(key, l, head, count)
		return
	}
	text, _ := l.pop(head)
	c.removed(key, l, head, 1)
	c.Bulk(text)
}

// popRange takes up to count elements from one end and replies them as an array.
func (c *Client) popRange(key []byte, l list, head bool, count int64) {
	n := int(min(count, int64(l.len())))
	start := 0
	if !head {
		start = -n
	}
	c.replyRange(l, start, start+n-1, !head)
	l.deleteRange(start, n)
	c.removed(key, l, head, n)
}

// replyRange replies the elements from one index to another, both counted from the end where they
// are negative (addListRangeReply).
func (c *Client) replyRange(l list, start, end int, reverse bool) {
	n := l.len()
	start, end = clampRange(start, end, n)
	if start > end {
		c.Array(0)
		return
	}
	from := start
	if reverse {
		from = end
	}
	c.Array(end - start + 1)
	it := l.iterate(from, reverse)
	var e listEntry
	for i := start; i <= end && it.next(&e); i++ {
		if e.Text != nil {
			c.Bulk(e.Text)
		} else {
			c.BulkInt(e.Int)
		}
	}
	it.done()
}

// clampRange turns a range of indexes of n elements into one from 0 on; start > end if it is empty.
func clampRange(start, end, n int) (int, int) {
	if start < 0 {
		start = max(start+n, 0)
	}
	if end < 0 {
		end += n
	}
	if start > end || start >= n {
		return 0, -1
	}
	return start, min(end, n-1)
}

// rangeArgs reads the two indexes of LRANGE and LTRIM.
func (c *Client) rangeArgs() (start, end int, ok bool) {
	a, ok := c.intArg(c.Args[2])
	if !ok {
		return 0, 0, false
	}
	b, ok := c.intArg(c.Args[3])
	return int(a), int(b), ok
}

// LRANGE key start stop
func lrangeCommand(c *Client) {
	start, end, ok := c.rangeArgs()
	if !ok {
		return
	}
	p, ok := c.find(c.Args[1], object.List)
	switch {
	case !ok:
	case p == 0:
		c.Array(0)
	default:
		c.replyRange(list{c.S, p}, start, end, false)
	}
}

// LTRIM key start stop
func ltrimCommand(c *Client) {
	start, end, ok := c.rangeArgs()
	if !ok {
		return
	}
	key := c.Args[1]
	p, ok := c.findWrite(key, object.List)
	if !ok {
		return
	}
	if p == 0 {
		c.OK()
		return
	}
	l := list{c.S, p}
	n := l.len()
	left, right := n, 0
	if start, end = clampRange(start, end, n); start <= end {
		left, right = start, n-end-1
	}
	l.deleteRange(0, left)
	l.deleteRange(-right, right)
	c.notify('l', "ltrim", key)
	c.emptied(key, l)
	if left+right > 0 || c.S.R.TrimAlwaysSignals {
		c.touched(key)
	}
	c.S.Dirty += int64(left + right)
	c.OK()
}

// LLEN key
func llenCommand(c *Client) {
	p, ok := c.find(c.Args[1], object.List)
	switch {
	case !ok:
	case p == 0:
		c.Int(0)
	default:
		c.Int(int64(list{c.S, p}.len()))
	}
}

// LINDEX key index
func lindexCommand(c *Client) {
	p, ok := c.find(c.Args[1], object.List)
	if !ok {
		return
	}
	if p == 0 {
		c.Null()
		return
	}
	i, ok := c.intArg(c.Args[2])
	if !ok {
		return
	}
	it := list{c.S, p}.iterate(int(i), false)
	var e listEntry
	switch {
	case !it.next(&e):
		c.Null()
	case e.Text != nil:
		c.Bulk(e.Text)
	default:
		c.BulkInt(e.Int)
	}
	it.done()
}

// LINSERT key BEFORE | AFTER pivot element
func linsertCommand(c *Client) {
	after := is(c.Args[2], "AFTER")
	if !after && !is(c.Args[2], "BEFORE") {
		c.Error(errSyntax)
		return
	}
	key := c.Args[1]
	p, ok := c.findWrite(key, object.List)
	if !ok {
		return
	}
	if p == 0 {
		c.Int(0)
		return
	}
	l := list{c.S, p}
	l.growBy(c.Args[4:5]) // before the pivot is looked for, so also where there is none
	it := l.iterate(0, false)
	var e listEntry
	for it.next(&e) {
		if e.Equal(c.Args[3]) {
			l.insert(&e, c.Args[4], after)
			c.modified(key)
			c.notify('l', "linsert", key)
			c.Int(int64(l.len()))
			return
		}
	}
	c.Int(-1)
}

// LSET key index element
func lsetCommand(c *Client) {
	key := c.Args[1]
	p, ok := c.findWrite(key, object.List)
	if !ok {
		return
	}
	if p == 0 {
		c.Error(errNoKey)
		return
	}
	i, ok := c.intArg(c.Args[2])
	if !ok {
		return
	}
	l := list{c.S, p}
	l.growBy(c.Args[3:4]) // as if the element were added to the old one
	it := l.iterate(int(int32(i)), false)
	var e listEntry
	if !it.next(&e) {
		c.Error(errIndex)
		return
	}
	l.replace(&e, c.Args[3])
	l.shrunk()
	c.modified(key)
	c.notify('l', "lset", key)
	c.OK()
}

// LREM key count element
func lremCommand(c *Client) {
	count, ok := c.rangeArg(c.Args[2], -math.MaxInt64, math.MaxInt64, "")
	if !ok {
		return
	}
	key := c.Args[1]
	p, ok := c.findWrite(key, object.List)
	if !ok {
		return
	}
	if p == 0 {
		c.Int(0)
		return
	}
	l := list{c.S, p}
	start, back := 0, count < 0
	if back {
		start, count = -1, -count
	}
	it := l.iterate(start, back)
	var e listEntry
	gone := int64(0)
	for it.next(&e) {
		if !e.Equal(c.Args[3]) {
			continue
		}
		it.delete(&e)
		if gone++; gone == count {
			break
		}
	}
	it.done()
	if gone > 0 {
		c.S.Dirty += gone
		c.notify('l', "lrem", key)
		c.emptied(key, l)
		c.touched(key)
	}
	c.Int(gone)
}

// position is what LPOS is asked for.
type position struct {
	rank, count, limit int64 // count -1: one position, not an array; 0: all. limit 0: none
	back               bool
}

func (c *Client) positionArgs() (q position, ok bool) {
	q = position{rank: 1, count: -1}
	for i := 3; i < len(c.Args); i += 2 {
		opt := c.Args[i]
		if i+1 == len(c.Args) {
			c.Error(errSyntax)
			return q, false
		}
		val := c.Args[i+1]
		switch {
		case is(opt, "RANK"):
			q.rank, ok = c.rangeArg(val, -math.MaxInt64, math.MaxInt64, "")
			if ok && q.rank == 0 {
				c.Error("ERR RANK can't be zero: use 1 to start from the first match, 2 from the second ... or use negative to start from the end of the list")
				return q, false
			}
		case is(opt, "COUNT"):
			q.count, ok = c.rangeArg(val, 0, math.MaxInt64, "ERR COUNT can't be negative")
		case is(opt, "MAXLEN"):
			q.limit, ok = c.rangeArg(val, 0, math.MaxInt64, "ERR MAXLEN can't be negative")
		default:
			c.Error(errSyntax)
			return q, false
		}
		if !ok {
			return q, false
		}
	}
	if q.back = q.rank < 0; q.back {
		q.rank = -q.rank
	}
	return q, true
}

// LPOS key element [RANK rank] [COUNT num-matches] [MAXLEN len]
func lposCommand(c *Client) {
	q, ok := c.positionArgs()
	if !ok {
		return
	}
	p, ok := c.find(c.Args[1], object.List)
	if !ok {
		return
	}
	var found []int64
	if p != 0 {
		found = list{c.S, p}.positions(q, c.Args[2])
	}
	if q.count >= 0 {
		c.Array(len(found))
		for _, i := range found {
			c.Int(i)
		}
		return
	}
	if len(found) == 0 {
		c.Null()
		return
	}
	c.Int(found[0])
}

// positions finds the indexes of the elements that are s.
func (l list) positions(q position, s []byte) (found []int64) {
	start, most := 0, max(q.count, 1)
	if q.back {
		start = -1
	}
	if q.count == 0 {
		most = math.MaxInt64
	}
	it := l.iterate(start, q.back)
	var e listEntry
	matches := int64(0)
	for i := int64(0); (q.limit == 0 || i < q.limit) && it.next(&e); i++ {
		if !e.Equal(s) {
			continue
		}
		if matches++; matches < q.rank {
			continue
		}
		at := i
		if q.back {
			at = int64(l.len()) - i - 1
		}
		if found = append(found, at); int64(len(found)) == most {
			break
		}
	}
	it.done()
	return found
}
