package listpack

import "github.com/keyloupe/keyloupe/engine/decimal"

// First is the offset of the first element, 0 if there is none.
func First(lp []byte) int {
	if lp[header] == end {
		return 0
	}
	return header
}

// Last is the offset of the last element, 0 if there is none.
func Last(lp []byte) int { return Prev(lp, Bytes(lp)-1) }

// Next is the offset of the element after the one at an offset, 0 if there is none.
func Next(lp []byte, at int) int {
	at += entrySize(lp[at:])
	if lp[at] == end {
		return 0
	}
	return at
}

// Prev is the offset of the element before the one at an offset, 0 if there is none.
func Prev(lp []byte, at int) int {
	if at == header {
		return 0
	}
	n := backlen(lp, at-1)
	size := backlenSize(n)
	if atBound(n) && lp[at-size] >= 128 {
		size++
	}
	return at - n - size
}

// Seek is the offset of the i-th element, from 0; negative numbers count from the end, -1 being the
// last. It is 0 if there is no such element. It walks from the nearer end.
func Seek(lp []byte, i int) int {
	forward := i >= 0
	if n := int(le.Uint16(lp[4:])); n != unknown {
		if i < 0 {
			i += n
		}
		if i < 0 || i >= n {
			return 0
		}
		if forward = i <= n/2; !forward {
			i -= n
		}
	}
	if !forward {
		at := Last(lp)
		for ; i < -1 && at != 0; i++ {
			at = Prev(lp, at)
		}
		return at
	}
	at := First(lp)
	for ; i > 0 && at != 0; i-- {
		at = Next(lp, at)
	}
	return at
}

// Find is the offset of the first element from offset at on that equals s, comparing one element
// and leaving out the next skip of them; 0 if there is none or at is 0.
func Find(lp []byte, at int, s []byte, skip int) int {
	if at == 0 {
		return 0
	}
	v, isInt := decimal.Parse(s)
	for left := 0; lp[at] != end; left-- {
		if left == 0 {
			text, n := Value(lp, at)
			if text == nil && isInt && n == v || text != nil && string(text) == string(s) {
				return at
			}
			left = skip + 1
		}
		at += entrySize(lp[at:])
	}
	return 0
}
