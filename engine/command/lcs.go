package command

import (
	"math"

	"github.com/keyloupe/keyloupe/engine/object"
	"github.com/keyloupe/keyloupe/engine/resp"
)

var _ = add(map[string]handler{"lcs": lcsCommand})

// lcsOptions is what LCS was asked for.
type lcsOptions struct {
	idx, length, matchLen bool
	least                 int64
}

func lcsCommand(c *Client) {
	a, b, ok := c.lcsStrings()
	if !ok {
		return
	}
	o, ok := c.lcsOptions()
	if !ok {
		return
	}
	if o.length && o.idx {
		c.Error("ERR If you want both the length and indexes, please just use IDX.")
		return
	}
	cells := uint64(len(a)+1) * uint64(len(b)+1)
	if len(a) >= math.MaxUint32-1 || len(b) >= math.MaxUint32-1 {
		c.Error("ERR String too long for LCS")
		return
	}
	if cells > uint64(c.S.limit())/4 {
		c.Error("ERR Insufficient memory, transient memory for LCS exceeds proto-max-bulk-len")
		return
	}
	c.lcsReply(a, b, o)
}

func (c *Client) lcsStrings() (a, b []byte, ok bool) {
	pa, pb := c.lookupRead(c.Args[1]), c.lookupRead(c.Args[2])
	for _, p := range []ptr{pa, pb} {
		if p != 0 && c.typeOf(p) != object.String {
			c.Error("ERR The specified keys must contain string values")
			return nil, nil, false
		}
	}
	if pa != 0 {
		a = append(a, c.text(pa)...)
	}
	if pb != 0 {
		b = append(b, c.text(pb)...)
	}
	return a, b, true
}

func (c *Client) lcsOptions() (o lcsOptions, ok bool) {
	for i := 3; i < len(c.Args); i++ {
		switch a := c.Args[i]; {
		case is(a, "IDX"):
			o.idx = true
		case is(a, "LEN"):
			o.length = true
		case is(a, "WITHMATCHLEN"):
			o.matchLen = true
		case is(a, "MINMATCHLEN") && i+1 < len(c.Args):
			i++
			if o.least, ok = c.intArg(c.Args[i]); !ok {
				return o, false
			}
		default:
			c.Error(errSyntax)
			return o, false
		}
	}
	return o, true
}

// lcsReply walks the table of common lengths back from its end, as the server does, so that of
// several longest subsequences it finds the same one (t_string.c, lcsCommand).
func (c *Client) lcsReply(a, b []byte, o lcsOptions) {
	w := len(b) + 1
	t := lcsTable(a, b)
	n := int(t[len(t)-1])
	text := make([]byte, n)
	ranges := resp.Writer{Proto: c.Proto}
	count, at := 0, n
	start, end, bStart, bEnd := len(a), 0, 0, 0 // start = len(a): no range is open
	for i, j := len(a), len(b); i > 0 && j > 0; {
		emit := false
		if a[i-1] == b[j-1] {
			at--
			text[at] = a[i-1]
			switch {
			case start == len(a):
				start, end, bStart, bEnd = i-1, i-1, j-1, j-1
			case start == i && bStart == j:
				start--
				bStart--
			default:
				emit = true
			}
			emit = emit || start == 0 || bStart == 0
			i--
			j--
		} else {
			if t[(i-1)*w+j] > t[i*w+j-1] {
				i--
			} else {
				j--
			}
			emit = start != len(a)
		}
		if !emit {
			continue
		}
		if length := int64(end - start + 1); length >= o.least {
			count++
			ranges.Array(2 + int(one(o.matchLen)))
			for _, r := range [2][2]int{{start, end}, {bStart, bEnd}} {
				ranges.Array(2)
				ranges.Int(int64(r[0]))
				ranges.Int(int64(r[1]))
			}
			if o.matchLen {
				ranges.Int(length)
			}
		}
		start = len(a)
	}
	switch {
	case o.idx:
		c.Map(2)
		c.BulkString("matches")
		c.Array(count)
		c.Buf = append(c.Buf, ranges.Buf...)
		c.BulkString("len")
		c.Int(int64(n))
	case o.length:
		c.Int(int64(n))
	default:
		c.Bulk(text)
	}
}

// lcsTable holds at row i, column j the length of the longest common subsequence of the first i
// bytes of a and the first j of b.
func lcsTable(a, b []byte) []uint32 {
	w := len(b) + 1
	t := make([]uint32, (len(a)+1)*w)
	for i := range a {
		for j := range b {
			if a[i] == b[j] {
				t[(i+1)*w+j+1] = t[i*w+j] + 1
			} else {
				t[(i+1)*w+j+1] = max(t[i*w+j+1], t[(i+1)*w+j])
			}
		}
	}
	return t
}
