package fpconv

import (
	"math"
	"math/big"
	"strconv"

	"github.com/keyloupe/keyloupe/engine/release"
)

// Number is what reading a double from the front of a text gave.
type Number struct {
	V     float64 // 0 where nothing could be read, infinite where it was too large
	Len   int     // bytes read, white space and sign included
	Range bool    // errno would be ERANGE: too large, or too small (C: too small to be kept in full)
}

// Strtod reads the longest number at the front of s. Before 9.1 that is C's strtod: white space
// before the number, hexadecimal numbers, nan(...). From 9.1 on it is ffc (deps/fast_float), which
// knows none of these but nan(...).
func Strtod(r *release.Release, s []byte) Number {
	at := 0
	if r.StrtodC {
		for at < len(s) && isSpace(s[at]) {
			at++
		}
	}
	start := at
	if at < len(s) && (s[at] == '-' || s[at] == '+') {
		at++
	}
	neg := at > start && s[start] == '-'
	if v, n := special(s[at:]); n > 0 {
		if neg {
			v = -v
		}
		return Number{V: v, Len: at + n}
	}
	hex, n, text := 0, 0, ""
	if r.StrtodC {
		hex, text = hexadecimal(s[at:])
	}
	if n = hex; n == 0 {
		n = decimal(s[at:])
		text = string(s[at : at+n])
	}
	if n == 0 {
		return Number{}
	}
	v, _ := strconv.ParseFloat(text, 64) // too large comes back infinite
	out := Number{V: v, Len: at + n, Range: math.IsInf(v, 0) || v == 0 && nonzero(text) || r.StrtodC && inexact(v, text)}
	if neg {
		out.V = -v
	}
	return out
}

// Parse reads a score: the whole text must be one number, not NaN, nor one that becomes infinite
// or 0 for being out of range (util.c, string2d).
func Parse(r *release.Release, s []byte) (float64, bool) {
	if n, ok := fewDigits(s); ok {
		return float64(n), true
	}
	if len(s) == 0 || isSpace(s[0]) {
		return 0, false
	}
	n := Strtod(r, s)
	if n.Len != len(s) || math.IsNaN(n.V) || n.Range && (math.IsInf(n.V, 0) || n.V == 0) {
		return 0, false
	}
	return n.V, true
}

// fewDigits reads what most scores are, a number of few digits.
func fewDigits(s []byte) (n int64, ok bool) {
	if len(s) == 0 || len(s) > 15 {
		return 0, false
	}
	for _, c := range s {
		if !isDigit(c) {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, true
}

// isSpace is C's isspace.
func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// special reads inf, infinity, nan and nan(letters) in any case.
func special(s []byte) (float64, int) {
	switch {
	case hasFold(s, "infinity"):
		return math.Inf(1), 8
	case hasFold(s, "inf"):
		return math.Inf(1), 3
	case !hasFold(s, "nan"):
		return 0, 0
	}
	if len(s) > 3 && s[3] == '(' {
		for i := 4; i < len(s); i++ {
			if s[i] == ')' {
				return math.NaN(), i + 1
			}
			if c := s[i] | 0x20; !isDigit(s[i]) && s[i] != '_' && (c < 'a' || c > 'z') {
				break
			}
		}
	}
	return math.NaN(), 3
}

// hasFold tells whether s begins with the lower-case word in any case.
func hasFold(s []byte, word string) bool {
	if len(s) < len(word) {
		return false
	}
	for i := range len(word) {
		if s[i]|0x20 != word[i] {
			return false
		}
	}
	return true
}

// decimal is the length of the decimal number at the front of s.
func decimal(s []byte) int {
	at := 0
	for at < len(s) && isDigit(s[at]) {
		at++
	}
	digits := at
	if at < len(s) && s[at] == '.' {
		at++
		for at < len(s) && isDigit(s[at]) {
			at++
			digits++
		}
	}
	if digits == 0 {
		return 0
	}
	return at + exponent(s[at:], 'e')
}

// exponent is the length of the exponent at the front of s, 0 where there is no whole one.
func exponent(s []byte, letter byte) int {
	if len(s) == 0 || s[0]|0x20 != letter {
		return 0
	}
	at := 1
	if at < len(s) && (s[at] == '-' || s[at] == '+') {
		at++
	}
	first := at
	for at < len(s) && isDigit(s[at]) {
		at++
	}
	if at == first {
		return 0
	}
	return at
}

// hexadecimal is the length of the hexadecimal number at the front of s, and its text as
// strconv wants it, with an exponent.
func hexadecimal(s []byte) (int, string) {
	if len(s) < 2 || s[0] != '0' || s[1]|0x20 != 'x' {
		return 0, ""
	}
	at, digits := 2, 0
	for ; at < len(s) && isHex(s[at]); at++ {
		digits++
	}
	if at < len(s) && s[at] == '.' {
		at++
		for ; at < len(s) && isHex(s[at]); at++ {
			digits++
		}
	}
	if digits == 0 {
		return 0, ""
	}
	if e := exponent(s[at:], 'p'); e > 0 {
		return at + e, string(s[:at+e])
	}
	return at, string(s[:at]) + "p0"
}

func isHex(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }

// inexact tells whether a number below the smallest normal double differs from its text. Exact ones
// have about 1,080 digits at most; longer texts are taken for inexact.
func inexact(v float64, text string) bool {
	const smallestNormal = 0x1p-1022
	if v >= smallestNormal || v == 0 {
		return false
	}
	if len(text) > 2048 {
		return true
	}
	exact, ok := new(big.Rat).SetString(text)
	return !ok || exact.Cmp(new(big.Rat).SetFloat64(v)) != 0
}

// nonzero tells whether a digit before the exponent is not 0.
func nonzero(text string) bool {
	hex := len(text) > 1 && text[1]|0x20 == 'x'
	for i := range len(text) {
		c := text[i]
		switch {
		case hex && i < 2:
		case c|0x20 == 'p' || !hex && c|0x20 == 'e':
			return false
		case c != '0' && c != '.':
			return true
		}
	}
	return false
}
