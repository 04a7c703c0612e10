// Package decimal reads integers as the server does wherever a text may be one: arguments, strings
// that become integers, elements of listpacks and intsets.
package decimal

import "math"

// maxText is the longest text of a 64-bit integer, with its sign.
const maxText = 20

// Parse reads a canonical decimal integer of 64 bits: no sign but one minus, no leading zeros, no
// blanks (util.c, string2ll). What is none of that is not an integer.
func Parse(b []byte) (n int64, ok bool) {
	if len(b) == 0 || len(b) > maxText {
		return 0, false
	}
	d, neg := b, b[0] == '-'
	if neg {
		d = b[1:]
	}
	if len(d) == 1 && d[0] == '0' {
		return 0, !neg
	}
	if len(d) == 0 || len(d) > 19 || d[0] < '1' || d[0] > '9' {
		return 0, false
	}
	var u uint64
	for _, c := range d {
		if c < '0' || c > '9' {
			return 0, false
		}
		u = u*10 + uint64(c-'0') // 19 digits fit
	}
	switch {
	case neg && u <= 1<<63:
		return -int64(u), true
	case !neg && u <= math.MaxInt64:
		return int64(u), true
	}
	return 0, false
}
