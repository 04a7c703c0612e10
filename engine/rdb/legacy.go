package rdb

import (
	"math"

	"github.com/keyloupe/keyloupe/engine/fpconv"
	"github.com/keyloupe/keyloupe/engine/release"
)

// Sizes of a ziplist: header, end.
//
//	| bytes 4 | offset of the last entry 4 | entries 2 | entry | entry | ... | 0xff |
//	entry  | size of the one before: 1, or 0xfe and 4 | encoding and length 1, 2 or 5 | text or integer |
const (
	ziplistHeader = 10
	ziplistEnd    = 0xff
	bigPrevious   = 254
)

// ziplist reads the elements of a ziplist, integers as digits (ziplist.c, ziplistValidateIntegrity
// with deep 1).
func ziplist(b []byte) (items [][]byte, ok bool) {
	last := len(b) - 1
	if len(b) < ziplistHeader+1 || int64(le.Uint32(b)) != int64(len(b)) || b[last] != ziplistEnd {
		return nil, false
	}
	tail, count := int64(le.Uint32(b[4:])), int(le.Uint16(b[8:]))
	if tail > int64(last) {
		return nil, false
	}
	at, before, size := ziplistHeader, -1, 0
	for b[at] != ziplistEnd {
		n, head, ok := ziplistEntry(b, at, size)
		if !ok {
			return nil, false
		}
		items = append(items, ziplistText(b[head:at+n], b[at+prefix(b[at])]))
		before, size = at, n
		at += n
	}
	if at != last || before >= 0 && int64(before) != tail || count != 0xffff && count != len(items) {
		return nil, false
	}
	return items, true
}

// prefix is the bytes of the size of the entry before.
func prefix(c byte) int {
	if c < bigPrevious {
		return 1
	}
	return 5
}

// ziplistEntry is the size of the entry at an offset, and the offset of its text or integer. previous
// is the size of the entry before.
func ziplistEntry(b []byte, at, previous int) (n, head int, ok bool) {
	last := len(b) - 1
	p := at + prefix(b[at])
	if p > last {
		return 0, 0, false
	}
	prev := int64(b[at])
	if prev >= bigPrevious {
		prev = int64(le.Uint32(b[at+1:]))
	}
	size := map[byte]int{0: 1, 1: 2, 2: 5}[b[p]>>6]
	body := 0
	switch c := b[p]; {
	case c>>6 < 3:
		if p+size > last {
			return 0, 0, false
		}
		body = ziplistLength(b[p:])
	case c == 0xc0:
		body = 2
	case c == 0xd0:
		body = 4
	case c == 0xe0:
		body = 8
	case c == 0xf0:
		body = 3
	case c == 0xfe:
		body = 1
	case c >= 0xf1 && c <= 0xfd: // 0 to 12, in the encoding itself
	default:
		return 0, 0, false
	}
	if size == 0 {
		size = 1
	}
	head = p + size
	if body < 0 || body > last-head || prev != int64(previous) {
		return 0, 0, false
	}
	return head + body - at, head, true
}

// ziplistLength is the length of a text.
func ziplistLength(e []byte) int {
	switch e[0] >> 6 {
	case 0:
		return int(e[0] & 0x3f)
	case 1:
		return int(e[0]&0x3f)<<8 | int(e[1])
	}
	return int(be.Uint32(e[1:]))
}

// ziplistText is an element as text; c is its encoding.
func ziplistText(d []byte, c byte) []byte {
	switch c {
	case 0xc0:
		return digits(int64(int16(le.Uint16(d))))
	case 0xd0:
		return digits(int64(int32(le.Uint32(d))))
	case 0xe0:
		return digits(int64(le.Uint64(d)))
	case 0xf0:
		return digits(int64(int32(uint32(d[0])<<8|uint32(d[1])<<16|uint32(d[2])<<24) >> 8))
	case 0xfe:
		return digits(int64(int8(d[0])))
	}
	if c > 0xf0 {
		return digits(int64(c&0x0f) - 1)
	}
	return d
}

// zipmap reads the fields and values of a zipmap: | count | length | field | length | free | value |
// ... | 0xff |, a length being one byte below 254, or 5 (zipmap.c).
func zipmap(b []byte) (items [][]byte, ok bool) {
	last := len(b) - 1
	if len(b) < 2 || b[last] != 0xff {
		return nil, false
	}
	at := 1
	for b[at] != 0xff {
		for value := range 2 {
			n, size := zipmapLength(b, at)
			at += size
			if size == 0 || at > last {
				return nil, false
			}
			free := 0
			if value == 1 {
				free = int(b[at])
				at++
			}
			if n+free > last-at {
				return nil, false
			}
			items = append(items, b[at:at+n:at+n])
			if at += n + free; at > last {
				return nil, false
			}
		}
	}
	n := len(items) / 2
	return items, n > 0 && at == last && (b[0] == 254 || int(b[0]) == n)
}

// zipmapLength reads a length and tells how many bytes it took; 0 where it is none.
func zipmapLength(b []byte, at int) (n, size int) {
	if b[at] < 254 {
		return int(b[at]), 1
	}
	if at+5 > len(b) {
		return 0, 0
	}
	if n = int(le.Uint32(b[at+1:])); n < 254 {
		return 0, 0
	}
	return n, 5
}

// What the length of a double as text says instead.
const (
	textNaN, textInf, textNegInf = 253, 254, 255
)

// c reads doubles as sscanf does.
var c = release.MustParse("7.2.0")

// score reads the score of a member.
func (r *Reader) score(t Type) (v float64, ok bool) {
	if t == Zset2 {
		return r.double()
	}
	n, ok := r.byte()
	if !ok {
		return 0, false
	}
	switch n {
	case textNaN:
		return math.NaN(), true
	case textInf:
		return math.Inf(1), true
	case textNegInf:
		return math.Inf(-1), true
	}
	b := r.take(uint64(n))
	if b == nil {
		return 0, false
	}
	d := fpconv.Strtod(c, b)
	return d.V, d.Len > 0
}
