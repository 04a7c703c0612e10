package geohash

import (
	"math"
	"math/big"
)

const (
	asinSeriesMax = 0.125
	asinTableMax  = 0.96875
	asinTerms     = 13 // more than glibc's 6 to 10, whose last ones are fitted instead
	asinPoints    = 256
)

// arc is the arc sine around the middle of an interval of 2^-8: its value in two parts, the first a
// multiple of 2^-51, and the series in the distance from the middle.
type arc struct {
	mid, hi, lo float64
	k           [asinTerms]float64
}

// arcs is filled as intervals are met; it is 0 at mid where one was not.
var arcs [asinPoints]arc

// asin is the arc sine of a number from 0 to 1. NaN comes of what is beyond.
func asin(x float64) float64 {
	switch {
	case x < tiny:
		return x
	case x < asinSeriesMax:
		return asinSeries(x)
	case x < asinTableMax:
		return arcOf(int(x * asinPoints)).at(x)
	case x <= 1:
		return asinNearOne((1 - x) / 2)
	}
	return math.NaN()
}

// asinNearOne is pi/2 less twice the arc sine of the root of z, which is taken in two parts.
func asinNearOne(z float64) float64 {
	const shift = 0x1.8p24
	root := math.Sqrt(z)
	y := (root + shift) - shift
	rest := 0.0
	if root+y > 0 {
		rest = math.FMA(-y, y, z) / (root + y)
	}
	p := float64(asinPoly(z) * z)
	return (halfPi - 2*y) + math.FMA(-2*(y+rest), p, halfPiLow-2*rest)
}

func asinSeries(x float64) float64 {
	xx := float64(x * x)
	return math.FMA(asinPoly(xx), float64(xx*x), x)
}

// asinPoly is what the arc sine adds to x, over x³; xx is x².
func asinPoly(xx float64) float64 {
	p := 0.018138290340456505
	for _, k := range [...]float64{0.022355121102652562, 0.03038212685821193, 0.044642856142105974, 0.07500000000261227, 0.1666666666666641} {
		p = math.FMA(p, xx, k)
	}
	return p
}

func (a *arc) at(x float64) float64 {
	d := x - a.mid
	p := a.k[asinTerms-1]
	for i := asinTerms - 2; i > 0; i-- {
		p = math.FMA(p, d, a.k[i])
	}
	return math.FMA(d, a.k[0], math.FMA(p, float64(d*d), a.lo)) + a.hi
}

func arcOf(i int) *arc {
	a := &arcs[i]
	if a.mid == 0 {
		a.fill((float64(i) + 0.5) / asinPoints)
	}
	return a
}

// fill works out the value and the series at a point: with g the derivative, (1-x²) g' = x g.
func (a *arc) fill(mid float64) {
	x := newBig(mid)
	rest := new(big.Float).Sub(newBig(1), new(big.Float).Mul(x, x)) // 1 - x²
	g := []*big.Float{new(big.Float).Quo(newBig(1), new(big.Float).Sqrt(rest))}
	for n := range asinTerms - 1 {
		sum := new(big.Float).Mul(x, g[n])
		sum.Mul(sum, newBig(float64(2*n+1)))
		if n > 0 {
			sum.Add(sum, new(big.Float).Mul(g[n-1], newBig(float64(n))))
		}
		g = append(g, sum.Quo(sum, new(big.Float).Mul(rest, newBig(float64(n+1)))))
	}
	for n := range g {
		a.k[n], _ = new(big.Float).Quo(g[n], newBig(float64(n+1))).Float64()
	}
	v := bigAsin(x, rest)
	full, _ := v.Float64()
	a.hi = math.RoundToEven(full*0x1p51) / 0x1p51
	a.lo, _ = new(big.Float).Sub(v, newBig(a.hi)).Float64()
	a.mid = mid
}

// bigAsin is the arc sine of x, rest being 1-x²: that of the tangent of half the angle, halved
// again until the series of the arc tangent is short.
func bigAsin(x, rest *big.Float) *big.Float {
	one := newBig(1)
	half := func(t, square *big.Float) *big.Float { // t / (1 + sqrt(square))
		d := new(big.Float).Sqrt(square)
		return new(big.Float).Quo(t, d.Add(d, one))
	}
	t := half(x, rest)
	const halvings = 8
	for range halvings {
		t = half(t, new(big.Float).Add(one, new(big.Float).Mul(t, t)))
	}
	sum, power, tt := newBig(0), new(big.Float).Copy(t), new(big.Float).Mul(t, t)
	for n := 1; n < 30; n += 2 {
		term := new(big.Float).Quo(power, newBig(float64(n)))
		if n%4 == 1 {
			sum.Add(sum, term)
		} else {
			sum.Sub(sum, term)
		}
		power.Mul(power, tt)
	}
	return sum.Mul(sum, newBig(2<<halvings))
}
