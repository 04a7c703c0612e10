// Package fpconv writes and reads doubles as the server does: scores, distances, coordinates.
//
//	d2string              scores in replies and listpacks     3   1.5   1e+20   5e-324   inf   -0
//	fixedpoint_d2string   distances, four digits              166274.1516
//	ld2string human       coordinates, up to 17 digits        13.36138933897018433
//	ld2string auto        scores in ZSCAN, "%.17Lg"           0.10000000000000001
//	strtod, ffc           what a score argument may look like; differs by release
//
// The shortest form comes from Grisu2 (deps/fpconv of every release), which misses the shortest
// digits about once in a thousand numbers, so strconv can't take its place.
package fpconv

import (
	"math"
	"strconv"
)

// Int tells whether v is an integer that the server writes as one (util.c, double2ll).
func Int(v float64) (int64, bool) {
	const limit = math.MaxInt64 / 2
	if !(v >= -limit && v <= limit) {
		return 0, false
	}
	n := int64(v)
	return n, float64(n) == v
}

// Append writes v as a score (util.c, d2string).
func Append(dst []byte, v float64) []byte {
	switch {
	case math.IsNaN(v):
		return append(dst, "nan"...)
	case math.IsInf(v, 1):
		return append(dst, "inf"...)
	case math.IsInf(v, -1):
		return append(dst, "-inf"...)
	case v == 0 && math.Signbit(v):
		return append(dst, "-0"...)
	}
	if n, ok := Int(v); ok {
		return strconv.AppendInt(dst, n, 10)
	}
	return appendShortest(dst, v)
}

// AppendFixed writes v with that many digits after the dot (util.c, fixedpoint_d2string). What
// does not fit 64 bits after scaling, NaN included, becomes the smallest integer, as llrint has it
// on x86-64.
func AppendFixed(dst []byte, v float64, digits int) []byte {
	scale := math.Pow10(digits)
	scaled := math.RoundToEven(v * scale)
	n := int64(math.MinInt64)
	if scaled >= math.MinInt64 && scaled < math.MaxInt64 {
		n = int64(scaled)
	}
	u := uint64(n)
	if n < 0 {
		dst = append(dst, '-')
		u = -u
	}
	var tmp [24]byte
	s := strconv.AppendUint(tmp[:0], u, 10)
	if len(s) <= digits {
		dst = append(dst, '0', '.')
		for range digits - len(s) {
			dst = append(dst, '0')
		}
		return append(dst, s...)
	}
	dst = append(dst, s[:len(s)-digits]...)
	return append(append(dst, '.'), s[len(s)-digits:]...)
}

// AppendHuman writes v without an exponent, with at most 17 digits after the dot and no zeros at
// the end (util.c, ld2string with LD_STR_HUMAN).
func AppendHuman(dst []byte, v float64) []byte {
	switch {
	case math.IsInf(v, 0), math.IsNaN(v):
		return Append(dst, v)
	}
	at := len(dst)
	dst = strconv.AppendFloat(dst, v, 'f', 17, 64)
	for dst[len(dst)-1] == '0' {
		dst = dst[:len(dst)-1]
	}
	if dst[len(dst)-1] == '.' {
		dst = dst[:len(dst)-1]
	}
	if string(dst[at:]) == "-0" {
		dst = append(dst[:at], '0')
	}
	return dst
}

// AppendAuto writes v as "%.17Lg" does (util.c, ld2string with LD_STR_AUTO).
func AppendAuto(dst []byte, v float64) []byte {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return Append(dst, v)
	}
	return strconv.AppendFloat(dst, v, 'g', 17, 64)
}

// AppendShortest writes v in its shortest digits, integers too (fpconv_dtoa itself, as DEBUG DIGEST
// uses it).
func AppendShortest(dst []byte, v float64) []byte {
	word := ""
	switch {
	case v == 0:
		word = "0"
	case math.IsInf(v, 0):
		word = "inf"
	case math.IsNaN(v):
		word = "nan"
	default:
		return appendShortest(dst, v)
	}
	if math.Signbit(v) {
		dst = append(dst, '-')
	}
	return append(dst, word...)
}
