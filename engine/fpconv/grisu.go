package fpconv

import (
	"math"
	"math/big"
	"math/bits"
	"sync"
)

// fp is frac times two to the exp.
type fp struct {
	frac uint64
	exp  int
}

// The cached powers of ten go from 1e-348 in steps of 1e8; a product's exponent is to land between
// expMin and expMax, so that its integer part fits 32 bits.
const (
	powers     = 87
	firstPower = -348
	powerStep  = 8
	expMax     = -32
	expMin     = -60
	mantissa   = 52
	hidden     = 1 << mantissa
)

// cached returns the powers of ten with 64-bit fractions, rounded half up.
var cached = sync.OnceValue(func() (out [powers]fp) {
	for i := range out {
		out[i] = power(firstPower + i*powerStep)
	}
	return out
})

func power(k int) fp {
	const spare = 1024 // bits that make the quotient of a negative power long enough
	n := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(k, -k))), nil)
	exp := 0
	if k < 0 {
		exp = -spare - n.BitLen()
		n.Quo(new(big.Int).Lsh(big.NewInt(1), uint(-exp)), n)
	}
	shift := n.BitLen() - 64
	if shift < 0 {
		return fp{n.Uint64() << uint(-shift), exp + shift}
	}
	half := shift > 0 && n.Bit(shift-1) == 1
	f := n.Rsh(n, uint(shift)).Uint64()
	if half {
		f++
	}
	return fp{f, exp + shift}
}

// findPower picks the cached power for a product with an exponent exp, and its decimal exponent.
// Two powers may do; the guess decides which is found first.
func findPower(exp int) (fp, int) {
	const log = 0.30102999566398114
	table := cached()
	guess := int(float64(-(exp + powers)) * log)
	for i := (guess - firstPower) / powerStep; ; {
		switch at := exp + table[i].exp + 64; {
		case at < expMin:
			i++
		case at > expMax:
			i--
		default:
			return table[i], firstPower + i*powerStep
		}
	}
}

// mul multiplies and rounds to 64 bits.
func (a fp) mul(b fp) fp {
	hi, lo := bits.Mul64(a.frac, b.frac)
	return fp{hi + lo>>63, a.exp + b.exp + 64}
}

func normal(f fp) fp {
	n := bits.LeadingZeros64(f.frac)
	return fp{f.frac << n, f.exp - n}
}

// shortest returns the digits Grisu2 finds for a finite v other than 0 and the power of ten of the
// last one. (Loitsch, "Printing Floating-Point Numbers Quickly and Accurately with Integers".)
func shortest(digits []byte, v float64) ([]byte, int) {
	b := math.Float64bits(v)
	w := fp{b & (hidden - 1), int(b >> mantissa & 0x7ff)}
	if w.exp != 0 {
		w.frac |= hidden
		w.exp -= 1023 + mantissa
	} else {
		w.exp = 1 - 1023 - mantissa
	}
	upper := normal(fp{w.frac<<1 + 1, w.exp - 1})
	lower := fp{w.frac<<1 - 1, w.exp - 1}
	if w.frac == hidden { // the neighbour below is half as far
		lower = fp{w.frac<<2 - 1, w.exp - 2}
	}
	lower = fp{lower.frac << (lower.exp - upper.exp), upper.exp}

	c, k := findPower(upper.exp)
	w, upper, lower = normal(w).mul(c), upper.mul(c), lower.mul(c)
	lower.frac++
	upper.frac--
	digits, dropped := generate(digits, w, upper, lower)
	return digits, dropped - k
}

// generate writes the digits of upper until what remains is inside the interval, and returns how
// many decimal places of the integer part were left.
func generate(digits []byte, w, upper, lower fp) ([]byte, int) {
	wide := upper.frac - w.frac
	delta := upper.frac - lower.frac
	shift := -upper.exp
	one := uint64(1) << shift
	part1, part2 := upper.frac>>shift, upper.frac&(one-1)

	div := uint64(1e9)
	for kappa := 9; kappa >= 0; kappa-- {
		digits = appendDigit(digits, part1/div)
		part1 %= div
		if rest := part1<<shift + part2; rest <= delta {
			weed(digits, delta, rest, div<<shift, wide)
			return digits, kappa
		}
		div /= 10
	}
	for kappa, unit := -1, uint64(10); ; kappa, unit = kappa-1, unit*10 {
		part2 *= 10
		delta *= 10
		digits = appendDigit(digits, part2>>shift)
		part2 &= one - 1
		if part2 < delta {
			weed(digits, delta, part2, one, wide*unit)
			return digits, kappa
		}
	}
}

func appendDigit(digits []byte, d uint64) []byte {
	if d == 0 && len(digits) == 0 {
		return digits
	}
	return append(digits, '0'+byte(d))
}

// weed lowers the last digit while that brings the number nearer to the exact one.
func weed(digits []byte, delta, rest, unit, wide uint64) {
	for rest < wide && delta-rest >= unit && (rest+unit < wide || wide-rest > rest+unit-wide) {
		digits[len(digits)-1]--
		rest += unit
	}
}

// appendShortest lays out the digits as fpconv_dtoa does.
func appendShortest(dst []byte, v float64) []byte {
	neg := math.Signbit(v)
	if neg {
		dst = append(dst, '-')
		v = -v
	}
	var buf [18]byte
	d, k := shortest(buf[:0], v)
	n := len(d)
	exp := k + n - 1
	size := max(exp, -exp)
	switch {
	case k >= 0 && size < n+7: // plain integer
		dst = append(dst, d...)
		return appendZeros(dst, k)
	case k < 0 && (k > -7 || size < 4): // plain decimal
		if before := n + k; before > 0 {
			dst = append(append(dst, d[:before]...), '.')
			return append(dst, d[before:]...)
		}
		dst = appendZeros(append(dst, '0', '.'), -n-k)
		return append(dst, d...)
	}
	most := 18
	if neg {
		most = 17
	}
	d = d[:min(n, most)]
	dst = append(dst, d[0])
	if len(d) > 1 {
		dst = append(append(dst, '.'), d[1:]...)
	}
	sign := byte('+')
	if exp < 0 {
		sign = '-'
	}
	dst = append(dst, 'e', sign)
	if size > 99 {
		dst = append(dst, '0'+byte(size/100))
	}
	if size > 9 {
		dst = append(dst, '0'+byte(size/10%10))
	}
	return append(dst, '0'+byte(size%10))
}

func appendZeros(dst []byte, n int) []byte {
	for range n {
		dst = append(dst, '0')
	}
	return dst
}
