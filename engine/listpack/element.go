package listpack

import (
	"strconv"

	"github.com/keyloupe/keyloupe/engine/decimal"

	"github.com/keyloupe/keyloupe/engine/release"
)

// The first bytes of the encodings; of the first four only some bits count.
const (
	encText6  = 0x80 // 10xxxxxx
	encInt13  = 0xc0 // 110xxxxx
	encText12 = 0xe0 // 1110xxxx
	encText32 = 0xf0
	encInt16  = 0xf1
	encInt24  = 0xf2
	encInt32  = 0xf3
	encInt64  = 0xf4
)

// element is an element about to be written: head, then text, then the backlen.
type element struct {
	head [9]byte // the integer, or what tells the length of the text
	n    int     // bytes of head in use
	text []byte
	back int // bytes of the backlen
}

// fromText encodes text as the server does: as an integer where it is one.
func fromText(r *release.Release, s []byte) element {
	if v, ok := decimal.Parse(s); ok {
		return fromInt(v)
	}
	e := element{text: s}
	switch n := len(s); {
	case n < 64:
		e.head[0], e.n = encText6|byte(n), 1
	case n < 4096:
		e.head[0], e.head[1], e.n = encText12|byte(n>>8), byte(n), 2
	default:
		e.head[0], e.n = encText32, 5
		le.PutUint32(e.head[1:], uint32(n))
	}
	e.back = newBacklenSize(r, e.n+len(s))
	return e
}

func fromInt(v int64) (e element) {
	e.back = 1
	switch {
	case v >= 0 && v <= 127:
		e.head[0], e.n = byte(v), 1
	case v >= -4096 && v <= 4095:
		e.head[0], e.head[1], e.n = encInt13|byte(v>>8)&31, byte(v), 2
	default:
		le.PutUint64(e.head[1:], uint64(v))
		switch {
		case v == int64(int16(v)):
			e.head[0], e.n = encInt16, 3
		case v >= -1<<23 && v < 1<<23:
			e.head[0], e.n = encInt24, 4
		case v == int64(int32(v)):
			e.head[0], e.n = encInt32, 5
		default:
			e.head[0], e.n = encInt64, 9
		}
	}
	return e
}

// size is what the element takes, backlen included.
func (e *element) size() int { return e.n + len(e.text) + e.back }

// put writes the element to the start of b.
func (e *element) put(b []byte) {
	n := copy(b, e.head[:e.n])
	n += copy(b[n:], e.text)
	putBacklen(b[n:n+e.back], n)
}

// backlenSize is the least room that the backlen of an element of n bytes takes.
func backlenSize(n int) int {
	switch {
	case n < 1<<7:
		return 1
	case n < 1<<14:
		return 2
	case n < 1<<21:
		return 3
	case n < 1<<28:
		return 4
	}
	return 5
}

// atBound tells whether n is the last number that its backlen can tell; releases differ there.
func atBound(n int) bool { return n == 1<<14-1 || n == 1<<21-1 || n == 1<<28-1 }

// newBacklenSize is the room that a release takes for the backlen of an element of n bytes.
func newBacklenSize(r *release.Release, n int) int {
	if atBound(n) && !r.BacklenWhole {
		return backlenSize(n) + 1
	}
	return backlenSize(n)
}

// putBacklen fills b with n so that it can be read backwards: the last byte holds the low 7 bits,
// and every byte but the first says with its top bit that more are before it.
func putBacklen(b []byte, n int) {
	for i := len(b) - 1; i > 0; i-- {
		b[i] = byte(n) | 128
		n >>= 7
	}
	b[0] = byte(n)
}

// backlen reads the backlen whose last byte is at offset at; -1 where it is longer than 5 bytes.
func backlen(lp []byte, at int) int {
	n := 0
	for shift := 0; shift <= 28 && at >= 0; shift += 7 {
		n |= int(lp[at]&127) << shift
		if lp[at]&128 == 0 {
			return n
		}
		at--
	}
	return -1
}

// headSize is the size of what tells an element's length: its encoding byte and the bytes of a
// text's length. 0 where no encoding begins with c.
func headSize(c byte) int {
	switch {
	case c < encText12 || c >= encInt16 && c <= encInt64 || c == end:
		return 1
	case c < encText32:
		return 2
	case c == encText32:
		return 5
	}
	return 0
}

// dataSize is the size of an element's encoding and data; the end counts as 1 byte, and what is no
// encoding as 0. It reads up to headSize bytes.
func dataSize(e []byte) int {
	switch c := e[0]; {
	case c < encText6:
		return 1
	case c < encInt13:
		return 1 + int(c&63)
	case c < encText12:
		return 2
	case c < encText32:
		return 2 + int(c&15)<<8 + int(e[1])
	case c == encText32:
		return 5 + int(le.Uint32(e[1:]))
	case c == encInt16:
		return 3
	case c == encInt24:
		return 4
	case c == encInt32:
		return 5
	case c == encInt64:
		return 9
	case c == end:
		return 1
	}
	return 0
}

// entrySize is the size of the whole element at the start of e.
func entrySize(e []byte) int {
	n := dataSize(e)
	if atBound(n) && e[n] == 0 { // one byte more, which is needed for nothing
		return n + backlenSize(n) + 1
	}
	return n + backlenSize(n)
}

// Value reads the element at an offset: its text, which aliases lp and is never nil, or for an
// integer nil and the number.
func Value(lp []byte, at int) (text []byte, v int64) {
	e := lp[at:]
	switch c := e[0]; {
	case c < encText6:
		return nil, int64(c)
	case c < encInt13:
		n := 1 + int(c&63)
		return e[1:n:n], 0
	case c < encText12:
		return nil, int64(int16(c)<<11|int16(e[1])<<3) >> 3
	case c < encText32:
		n := 2 + int(c&15)<<8 + int(e[1])
		return e[2:n:n], 0
	case c == encText32:
		n := 5 + int(le.Uint32(e[1:]))
		return e[5:n:n], 0
	case c == encInt16:
		return nil, int64(int16(le.Uint16(e[1:])))
	case c == encInt24:
		return nil, int64(int32(uint32(e[1])<<8|uint32(e[2])<<16|uint32(e[3])<<24) >> 8)
	case c == encInt32:
		return nil, int64(int32(le.Uint32(e[1:])))
	}
	return nil, int64(le.Uint64(e[1:]))
}

// Get reads the element at an offset as text: it aliases lp, or num for the digits of an integer.
func Get(lp []byte, at int, num *[24]byte) []byte {
	s, v := Value(lp, at)
	if s == nil {
		s = strconv.AppendInt(num[:0], v, 10)
	}
	return s
}

// Equal tells whether the element at an offset is s.
func Equal(lp []byte, at int, s []byte) bool {
	text, v := Value(lp, at)
	if text != nil {
		return string(text) == string(s)
	}
	n, ok := decimal.Parse(s)
	return ok && n == v
}

// SizeOf is the size that an element for s takes.
func SizeOf(r *release.Release, s []byte) int { e := fromText(r, s); return e.size() }

// SizeOfInt is the size that an element for v takes.
func SizeOfInt(v int64) int { e := fromInt(v); return e.size() }

// SizeOfInts is the size of a listpack of n elements that are all v
// (lpEstimateBytesRepeatedInteger).
func SizeOfInts(v int64, n int) int { return Empty + n*SizeOfInt(v) }
