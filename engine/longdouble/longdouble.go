// Package longdouble is C's long double on x86-64, with which INCRBYFLOAT and HINCRBYFLOAT count.
//
//	| sign 1 | exponent 15 | integer bit 1 | fraction 63 |      the x87 format: 64 bits of precision
//
// It reads text as strtold does, adds with one rounding to nearest even, and prints as the server
// does (util.c, string2ld and ld2string with LD_STR_HUMAN). NaN can't be made: the server refuses it
// wherever it could come in.
package longdouble

import (
	"math"
	"math/big"
	"strings"
)

const (
	precision = 64
	maxExp    = 16384  // values from 2^maxExp on are infinite
	minExp    = -16381 // exponent, as big.Float has it, of the smallest normal number
	minBits   = -16445 // exponent of the last bit of a subnormal number
	maxText   = 5*1024 - 1
	decimals  = 17 // digits printed after the point, before zeros are cut
)

// F is a long double. Its zero value is 0.
type F struct {
	v   *big.Float // nil is 0
	inf int        // sign of an infinity, or 0
}

// FromInt is n; every 64-bit integer fits.
func FromInt(n int64) F { return F{v: new(big.Float).SetPrec(precision).SetInt64(n)} }

// IsInf tells whether f is an infinity.
func (f F) IsInf() bool { return f.inf != 0 }

// Parse reads all of s. It refuses what the server refuses: nothing, leading space, text behind the
// number, NaN, 5,120 bytes or more, and numbers too large or too small to be told from infinity or 0.
func Parse(s []byte) (F, bool) {
	if len(s) == 0 || len(s) > maxText {
		return F{}, false
	}
	t, neg := string(s), false
	switch t[0] {
	case '-':
		neg = true
		t = t[1:]
	case '+':
		t = t[1:]
	}
	f, ok := parseAbs(t)
	if neg {
		f = f.negated()
	}
	return f, ok
}

func (f F) negated() F {
	if f.v != nil {
		f.v.Neg(f.v)
	}
	f.inf = -f.inf
	return f
}

func parseAbs(t string) (F, bool) {
	if strings.EqualFold(t, "inf") || strings.EqualFold(t, "infinity") {
		return F{inf: 1}, true
	}
	base, marker := 10, "eE"
	if len(t) > 2 && t[0] == '0' && t[1]|32 == 'x' {
		base, marker, t = 16, "pP", t[2:]
	}
	digits, exp, ok := "", 0, true
	if i := strings.IndexAny(t, marker); i >= 0 {
		if exp, ok = exponent(t[i+1:]); !ok {
			return F{}, false
		}
		t = t[:i]
	}
	whole, frac, _ := strings.Cut(t, ".")
	digits = whole + frac
	if digits == "" || !allDigits(digits, base) {
		return F{}, false
	}
	scale := 1
	if base == 16 {
		scale = 4
	}
	return scaled(digits, base, exp-scale*len(frac))
}

// exponent reads a signed decimal number; what is far out of range is cut to what still is.
func exponent(s string) (n int, ok bool) {
	neg := false
	if s != "" && (s[0] == '-' || s[0] == '+') {
		neg, s = s[0] == '-', s[1:]
	}
	if s == "" || !allDigits(s, 10) {
		return 0, false
	}
	for _, c := range s {
		n = min(n*10+int(c-'0'), 1<<30)
	}
	if neg {
		n = -n
	}
	return n, true
}

func allDigits(s string, base int) bool {
	for _, c := range []byte(s) {
		if c >= '0' && c <= '9' || base == 16 && (c|32) >= 'a' && (c|32) <= 'f' {
			continue
		}
		return false
	}
	return true
}

// scaled is the number with these digits times 10 (or, in base 16, 2) to the power of exp.
func scaled(digits string, base, exp int) (F, bool) {
	m, _ := new(big.Int).SetString(digits, base)
	if m.Sign() == 0 {
		return F{}, true
	}
	// the number of bits or digits before the point decides what can't be in range, before any work
	if base == 16 {
		if n := m.BitLen() + exp; n > maxExp || n < minBits-1 {
			return F{}, false
		}
	} else if n := len(strings.TrimLeft(digits, "0")) + exp; n > 4934 || n < -4960 {
		return F{}, false
	}
	num, den := m, big.NewInt(1)
	pow := func(x *big.Int, n int) *big.Int {
		if base == 16 {
			return x.Lsh(x, uint(n))
		}
		return x.Mul(x, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil))
	}
	if exp >= 0 {
		num = pow(num, exp)
	} else {
		den = pow(den, -exp)
	}
	f := quotient(num, den)
	return f, f.inf == 0 && f.v.Sign() != 0
}

// quotient is num/den, rounded once: to 64 bits, or to what a subnormal number has.
func quotient(num, den *big.Int) F {
	a, b := new(big.Float).SetInt(num), new(big.Float).SetInt(den)
	z := new(big.Float).SetPrec(precision).Quo(a, b)
	switch e := z.MantExp(nil); {
	case e > maxExp:
		return F{inf: 1}
	case e < minExp:
		return F{v: subnormal(num, den)}
	}
	return F{v: z}
}

// subnormal rounds num/den to a multiple of 2^minBits.
func subnormal(num, den *big.Int) *big.Float {
	n := new(big.Int).Lsh(num, -minBits)
	q, rem := new(big.Int).QuoRem(n, den, new(big.Int))
	if c := rem.Lsh(rem, 1).Cmp(den); c > 0 || c == 0 && q.Bit(0) == 1 {
		q.Add(q, big.NewInt(1))
	}
	z := new(big.Float).SetPrec(precision).SetInt(q)
	return z.SetMantExp(z, minBits)
}

// Add is f+g. ok is false where the sum is NaN: infinities of different signs.
func (f F) Add(g F) (sum F, ok bool) {
	switch {
	case f.inf != 0 && g.inf != 0:
		return f, f.inf == g.inf
	case f.inf != 0:
		return f, true
	case g.inf != 0:
		return g, true
	}
	z := new(big.Float).SetPrec(precision).Add(f.value(), g.value())
	if z.MantExp(nil) > maxExp {
		return F{inf: z.Sign()}, true
	}
	return F{v: z}, true
}

func (f F) value() *big.Float {
	if f.v == nil {
		return new(big.Float).SetPrec(precision)
	}
	return f.v
}

// String prints f as the server replies and stores it: 17 digits after the point, then without the
// zeros at the end.
func (f F) String() string {
	if f.inf != 0 {
		return map[int]string{1: "inf", -1: "-inf"}[f.inf]
	}
	s := f.value().Text('f', decimals)
	s = strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
	if s == "-0" || s == "" {
		return "0"
	}
	return s
}

// ScaledCeil is f times n, rounded to a long double and then up to an integer. over tells that it
// is more than an int64 holds; what is less than that becomes the smallest one, as C's conversion
// has it on x86-64.
func (f F) ScaledCeil(n int64) (v int64, over bool) {
	switch {
	case f.inf > 0:
		return 0, true
	case f.inf < 0:
		return math.MinInt64, false
	}
	x := new(big.Float).SetPrec(precision).Mul(f.value(), FromInt(n).value())
	if x.Cmp(FromInt(math.MaxInt64).value()) > 0 {
		return 0, true
	}
	v, _ = x.Int64() // towards zero, and the smallest for what is too small
	if x.Sign() > 0 && !x.IsInt() {
		v++
	}
	return v, false
}
