package command

import (
	"bytes"
	"cmp"
	"math"
	"slices"

	"github.com/keyloupe/keyloupe/engine/decimal"

	"github.com/keyloupe/keyloupe/engine/fpconv"
	"github.com/keyloupe/keyloupe/engine/keyspace"
	"github.com/keyloupe/keyloupe/engine/object"
	"github.com/keyloupe/keyloupe/engine/quicklist"
	"github.com/keyloupe/keyloupe/engine/settype"
)

var _ = add(map[string]handler{
	"sort":    func(c *Client) { c.sort(true) },
	"sort_ro": func(c *Client) { c.sort(false) },
})

// sortArgs is what SORT is asked for.
type sortArgs struct {
	desc, alpha bool
	start       int64
	count       int64 // -1 for all
	by          []byte
	unsorted    bool // BY names one key, or none
	get         [][]byte
	target      []byte // of STORE
}

// sortItem is an element and what it is sorted by.
type sortItem struct {
	text  []byte
	score float64
	by    []byte // with BY and ALPHA; nil where there is no such key
}

// sort is SORT and SORT_RO (sort.c, sortCommandGeneric).
func (c *Client) sort(mayStore bool) {
	o, ok := c.parseSort(mayStore)
	if !ok {
		return
	}
	p := c.lookupRead(c.Args[1])
	if p != 0 {
		switch c.typeOf(p) {
		case object.List, object.Set:
		case object.Zset:
			z := c.zset(p)
			z.ToSkiplist() // for good
			c.keepZset(p, &z)
		default:
			c.Error(errWrongType)
			return
		}
	}
	if o.unsorted && o.target != nil && p != 0 && c.typeOf(p) == object.Set {
		o.unsorted, o.alpha, o.by = false, true, nil // so that replicas store the same list
	}
	items, from, to := c.sortItems(p, &o)
	if !o.unsorted {
		if !c.sortKeys(items, &o) {
			c.Error("ERR One or more scores can't be converted into double")
			return
		}
		o.arrange(items, from, to)
	}
	if from > to {
		items = nil
	} else {
		items = items[from : to+1]
	}
	if o.target == nil {
		c.sortReply(items, &o)
	} else {
		c.sortStore(items, &o)
	}
}

func (c *Client) parseSort(mayStore bool) (o sortArgs, ok bool) {
	o.count = -1
	for i := 2; i < len(c.Args); i++ {
		more := len(c.Args) - i - 1
		switch a := c.Args[i]; {
		case is(a, "ASC"):
			o.desc = false
		case is(a, "DESC"):
			o.desc = true
		case is(a, "ALPHA"):
			o.alpha = true
		case is(a, "LIMIT") && more >= 2:
			if o.start, ok = c.intArg(c.Args[i+1]); !ok {
				return o, false
			}
			if o.count, ok = c.intArg(c.Args[i+2]); !ok {
				return o, false
			}
			i += 2
		case mayStore && is(a, "STORE") && more >= 1:
			i++
			o.target = c.Args[i]
		case is(a, "BY") && more >= 1:
			i++
			o.by = c.Args[i]
			if bytes.IndexByte(cString(o.by), '*') < 0 {
				o.unsorted = true
			}
		case is(a, "GET") && more >= 1:
			i++
			o.get = append(o.get, c.Args[i])
		default:
			c.Error(errSyntax)
			return o, false
		}
	}
	return o, true
}

// cString is a text up to its first NUL, as C sees it.
func cString(b []byte) []byte {
	if i := bytes.IndexByte(b, 0); i >= 0 {
		return b[:i]
	}
	return b
}

// limits are the places of n elements that LIMIT leaves.
func (o *sortArgs) limits(n int) (from, to int) {
	start := min(max(o.start, 0), int64(n))
	count := min(max(o.count, -1), int64(n))
	end := start + count - 1
	if count < 0 {
		end = int64(n) - 1
	}
	if start >= int64(n) {
		return n - 1, n - 2
	}
	return int(start), int(min(end, int64(n)-1))
}

// sortItems is the elements, and the places among them that are wanted. Of a list or a sorted set
// that is not to be sorted only those are read, from the end with DESC.
func (c *Client) sortItems(p ptr, o *sortArgs) (items []sortItem, from, to int) {
	if p == 0 {
		return nil, 0, -1
	}
	add := func(text []byte) { items = append(items, sortItem{text: append([]byte{}, text...)}) }
	switch c.typeOf(p) {
	case object.List:
		l := list{c.S, p}
		from, to = o.limits(l.len())
		if !o.unsorted {
			eachOfList(l, 0, l.len(), false, add)
			break
		}
		first := from
		if o.desc {
			first = l.len() - 1 - from
		}
		eachOfList(l, first, to-from+1, o.desc, add)
		return items, 0, to - from
	case object.Set:
		s := c.S.setKind().Open(p)
		from, to = o.limits(s.Len())
		s.Each(func(m settype.Member) bool { add(m.Append(nil)); return true })
	default:
		z := c.zset(p)
		from, to = o.limits(z.Len())
		if !o.unsorted {
			z.EachByTable(func(_ float64, m []byte) bool { add(m); return true })
			break
		}
		if from <= to {
			eachRank(&z, from, to, o.desc, func(_ float64, m []byte) { add(m) })
		}
		return items, 0, to - from
	}
	return items, from, to
}

func eachOfList(l list, first, n int, back bool, f func(text []byte)) {
	if n <= 0 {
		return
	}
	it := l.iterate(first, back)
	var e listEntry
	var num [24]byte
	for ; n > 0 && it.next(&e); n-- {
		f(e.Bytes(&num))
	}
	it.done()
}

// sortKeys works out what each element is sorted by; ok is false where one is no number.
func (c *Client) sortKeys(items []sortItem, o *sortArgs) (ok bool) {
	ok = true
	for i := range items {
		by := items[i].text
		if o.by != nil {
			if by = c.lookupPattern(o.by, items[i].text); by == nil {
				continue
			}
		}
		if o.alpha {
			if o.by != nil {
				items[i].by = by
			}
			continue
		}
		v, number := c.sortScore(by)
		items[i].score = v
		ok = ok && number
	}
	return ok
}

// sortScore reads a number up to the end of the text or a NUL; what is out of a double's range is
// none.
func (c *Client) sortScore(text []byte) (float64, bool) {
	if v, ok := decimal.Parse(text); ok {
		return float64(v), true
	}
	n := fpconv.Strtod(c.S.R, text)
	rest := text[n.Len:]
	ok := (len(rest) == 0 || rest[0] == 0) && !n.Range && !math.IsNaN(n.V)
	return n.V, ok && (n.Len > 0 || c.S.R.StrtodC)
}

// lookupPattern is the value of the key, or of the hash field after "->", that a pattern names with
// an element in the place of its first asterisk; nil where there is none (lookupKeyByPattern).
func (c *Client) lookupPattern(pattern, element []byte) []byte {
	if len(pattern) > 0 && pattern[0] == '#' && (len(pattern) == 1 || pattern[1] == 0) {
		return element
	}
	text := cString(pattern)
	star := bytes.IndexByte(text, '*')
	if star < 0 {
		return nil
	}
	end, field := len(pattern), []byte(nil)
	if i := bytes.Index(text[star+1:], []byte("->")); i >= 0 && star+1+i+2 < len(text) {
		end = star + 1 + i
		field = pattern[end+2:]
	}
	key := slices.Concat(pattern[:star], element, pattern[star+1:end])
	p := c.lookupRead(key)
	if p == 0 {
		return nil
	}
	if field != nil {
		return c.fieldText(p, field)
	}
	if c.typeOf(p) != object.String {
		return nil
	}
	return append([]byte{}, c.text(p)...)
}

func (c *Client) fieldText(p ptr, field []byte) []byte {
	if c.typeOf(p) != object.Hash {
		return nil
	}
	x := c.hash(p)
	v, _, ok := x.Get(field)
	if !ok {
		return nil
	}
	return append([]byte{}, v...)
}

// arrange sorts, with BY and LIMIT only as far as needed.
func (o *sortArgs) arrange(items []sortItem, from, to int) {
	by := func(x, y *sortItem) int {
		if o.desc {
			return -o.compare(x, y)
		}
		return o.compare(x, y)
	}
	if o.by != nil && (from != 0 || to != len(items)-1) && len(items) > 0 {
		partialSort(items, from, to, by)
		return
	}
	slices.SortStableFunc(items, func(x, y sortItem) int { return by(&x, &y) })
}

// compare orders elements (sort.c, sortCompare). Texts are compared up to a NUL, as strcoll does in
// the C locale, unless the result is stored.
func (o *sortArgs) compare(x, y *sortItem) int {
	text := func(a, b []byte) int {
		if o.target == nil {
			a, b = cString(a), cString(b)
		}
		return bytes.Compare(a, b)
	}
	switch {
	case !o.alpha:
		return cmp.Or(cmp.Compare(x.score, y.score), bytes.Compare(x.text, y.text))
	case o.by == nil:
		return text(x.text, y.text)
	case x.by == nil && y.by == nil:
		return 0
	case x.by == nil:
		return -1
	case y.by == nil:
		return 1
	}
	return text(x.by, y.by)
}

func (c *Client) sortReply(items []sortItem, o *sortArgs) {
	c.Array(len(items) * max(1, len(o.get)))
	for _, it := range items {
		if len(o.get) == 0 {
			c.Bulk(it.text)
		}
		for _, g := range o.get {
			if v := c.lookupPattern(g, it.text); v != nil {
				c.Bulk(v)
			} else {
				c.Null()
			}
		}
	}
}

// sortStore makes a list of the result, or deletes the key where it is empty.
func (c *Client) sortStore(items []sortItem, o *sortArgs) {
	n := len(items) * max(1, len(o.get))
	if n == 0 {
		c.deleteStored(o.target)
		c.Int(0)
		return
	}
	q := quicklist.New(c.S.H, c.S.listFill(), int(c.S.Conf.Int("list-compress-depth")), c.S.packedThreshold)
	for _, it := range items {
		if len(o.get) == 0 {
			q.Push(it.text, false)
		}
		for _, g := range o.get {
			q.Push(c.lookupPattern(g, it.text), false)
		}
	}
	p := c.DB.SetKey(o.target, keyspace.Structure(object.List, object.Quicklist, q.P))
	list{c.S, p}.fit(false)
	c.touched(o.target)
	c.notify('l', "sortstore", o.target)
	c.S.Dirty += int64(n)
	c.Int(int64(n))
}
