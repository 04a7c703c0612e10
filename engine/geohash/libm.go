package geohash

import (
	"math"
	"math/big"
	"sync"
)

// The server's sines come from glibc, and the last digit of a stored distance shows which. These
// functions follow the method of its libm of x86-64 with fused multiplication (sysdeps/ieee754/
// dbl-64, s_sin.c and e_asin.c, 2.36): a table of exact values at points 2^-7 or 2^-8 apart and a
// short polynomial between them. The tables are worked out here. sin and cos agree with glibc on
// every argument that was tried; asin differs in the last bit for about one in ten thousand.

const (
	tableBits = 7 // sines at multiples of 2^-7
	tableSize = 112
	tiny      = 0x1p-26
	small     = 0x1.b6p-1    // below, no argument reduction: high word 0x3feb6000
	middleArg = 0x1.368fdp+1 // below, one reduction by pi/2: high word 0x400368fd
)

// halfPi is pi/2 in two parts.
const halfPi, halfPiLow = 0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54

// sincos is a sine and a cosine, each in two parts.
type sincos struct{ sin, sinLow, cos, cosLow float64 }

var sines = sync.OnceValue(func() *[tableSize]sincos {
	t := new([tableSize]sincos)
	for i := range t {
		s, c := bigSincos(i, tableBits)
		t[i].sin, t[i].sinLow = split(s)
		t[i].cos, t[i].cosLow = split(c)
	}
	return t
})

const precision = 200

func newBig(v float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(v) }

// split is a number as a double and what that leaves.
func split(v *big.Float) (hi, lo float64) {
	hi, _ = v.Float64()
	lo, _ = new(big.Float).SetPrec(precision).Sub(v, newBig(hi)).Float64()
	return hi, lo
}

// bigSincos sums the series at i * 2^-bits.
func bigSincos(i, bits int) (s, c *big.Float) {
	x := newBig(math.Ldexp(float64(i), -bits))
	s, c = newBig(0), newBig(0)
	term := newBig(1)
	for n := 0; n < 60; n++ {
		sum := c
		if n%2 == 1 {
			sum = s
		}
		if n%4 < 2 {
			sum.Add(sum, term)
		} else {
			sum.Sub(sum, term)
		}
		term.Mul(term, x)
		term.Quo(term, newBig(float64(n+1)))
	}
	return s, c
}

// nearest is the entry of the table nearest to |x| and how far x is beyond it.
func nearest(x float64) (*sincos, float64) {
	const shift = 0x1.8p45
	u := shift + math.Abs(x)
	return &sines()[uint32(math.Float64bits(u))], math.Abs(x) - (u - shift)
}

// oddPart and evenPart are what sine and cosine add to x and 1 for an x below 2^-8, less the first
// powers of x; xx is x².
func oddPart(xx float64) float64 {
	return math.FMA(xx, 8.33333214285722277379541354343671e-03, -1.66666666666664880952546298448555e-01)
}

func evenPart(xx float64) float64 {
	p := math.FMA(xx, 1.38888874007937613028114285595617e-03, -4.16666666666664434524222570944589e-02)
	return math.FMA(xx, p, 4.99999999999999999999950396842453e-01)
}

// cosNear is the cosine of x + dx for x below small.
func cosNear(x, dx float64) float64 {
	if x < 0 {
		dx = -dx
	}
	t, d := nearest(x)
	d += dx
	xx := float64(d * d)
	s := math.FMA(float64(d*xx), oddPart(xx), d)
	c := float64(xx * evenPart(xx))
	cor := math.FMA(-t.cos, c, math.FMA(-s, t.sinLow, t.cosLow))
	return t.cos + math.FMA(-t.sin, s, cor)
}

// sinNear is the sine of x + dx for x below small.
func sinNear(x, dx float64) float64 {
	if math.Abs(x) < 0.126 {
		return sinSeries(x, dx)
	}
	if x <= 0 {
		dx = -dx
	}
	t, d := nearest(x)
	xx := float64(d * d)
	s := d + math.FMA(float64(d*xx), oddPart(xx), dx)
	c := math.FMA(d, dx, float64(xx*evenPart(xx)))
	cor := math.FMA(-t.sin, c, math.FMA(s, t.cosLow, t.sinLow))
	return math.Copysign(t.sin+math.FMA(t.cos, s, cor), x)
}

func sinSeries(x, dx float64) float64 {
	xx := float64(x * x)
	p := -0x1.addffc2fcdf59p-26
	for _, k := range [...]float64{0x1.71de27b9a7ed9p-19, -0x1.a01a019db08b8p-13, 0x1.11111111110ecep-7, -0x1.5555555555555p-3} {
		p = math.FMA(p, xx, k)
	}
	return x + math.FMA(math.FMA(p, x, float64(-0.5*dx)), xx, dx)
}

// reduce is x less a multiple n of pi/2, in two parts.
func reduce(x float64) (a, da float64, n int) {
	const (
		twoOverPi = 0x1.45f306dc9c883p-1
		toInt     = 0x1.8p52
		p1, p2    = 0x1.921fb58000000p+0, -0x1.dde973c000000p-27
		p3, p4    = -0x1.cb3b398000000p-55, -0x1.d747f23e32ed7p-83
	)
	t := math.FMA(x, twoOverPi, toInt)
	k := t - toInt
	n = int(math.Float64bits(t) & 3)
	y := math.FMA(-k, p2, math.FMA(-k, p1, x))
	t1 := float64(k * p3)
	t2 := math.FMA(-k, p3, y)
	da = (y - t2) - t1
	t1 = float64(k * p4)
	a = t2 - t1
	return a, da + ((t2 - a) - t1), n
}

func quadrant(a, da float64, n int) float64 {
	v := 0.0
	if n&1 != 0 {
		v = cosNear(a, da)
	} else {
		v = sinNear(a, da)
	}
	if n&2 != 0 {
		return -v
	}
	return v
}

// sin is the sine of an angle of up to a few turns.
func sin(x float64) float64 {
	switch m := math.Abs(x); {
	case !(m < 1e8):
		return math.Sin(x)
	case m < tiny:
		return x
	case m < small:
		return sinNear(x, 0)
	case m < middleArg:
		return math.Copysign(cosNear(halfPi-m, halfPiLow), x)
	}
	return quadrant(reduce(x))
}

// cos is the cosine of an angle of up to a few turns.
func cos(x float64) float64 {
	switch m := math.Abs(x); {
	case !(m < 1e8):
		return math.Cos(x)
	case m < tiny/2:
		return 1
	case m < small:
		return cosNear(x, 0)
	case m < middleArg:
		y := halfPi - m
		a := y + halfPiLow
		return sinNear(a, (y-a)+halfPiLow)
	}
	a, da, n := reduce(x)
	return quadrant(a, da, (n+1)&3)
}
