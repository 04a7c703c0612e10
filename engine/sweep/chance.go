package sweep

import "math"

// Chances are computed with nothing but +, -, * and /, each rounded by a conversion: a processor
// that fuses operations, or has its own exp, would give other last digits than others.

// expectedChildren is how many child buckets a table of b buckets, a power of two, has on average
// when n entries fall into it at random.
func expectedChildren(n, b int) float64 {
	sum, _ := childMoments(n, b)
	return float64(sum * float64(b))
}

// childMoments are the mean of the number of children of a bucket, and of its square: the number of
// entries in one bucket is binomial(n, 1/b).
func childMoments(n, b int) (mean, square float64) {
	if b == 1 {
		c := float64(childCount(n))
		return c, float64(c * c)
	}
	x := 1 / float64(b)
	p := expNeg(float64(float64(n) * negLog1m(x))) // chance of an empty bucket
	for m := 0; m < n; m++ {
		p = float64(float64(p*float64(n-m)) / float64(float64(m+1)*float64(b-1)))
		if m+1 > positions {
			c := float64(childCount(m + 1))
			mean += float64(p * c)
			square += float64(float64(p*c) * c)
		}
		if m > 4*n/b+positions && p < 1e-22 {
			break
		}
	}
	return mean, square
}

// childDeviation is the standard deviation of the number of children of the whole table, or a little
// more: that its buckets share the entries is left out.
func childDeviation(n, b int) float64 {
	mean, square := childMoments(n, b)
	return math.Sqrt(float64(float64(square-float64(mean*mean)) * float64(b)))
}

// negLog1m is -log(1-x) for 0 < x <= 1/2.
func negLog1m(x float64) float64 {
	sum, power := 0.0, x
	for k := 1.0; power > 1e-20*x; k++ {
		sum += float64(power / k)
		power = float64(power * x)
	}
	return sum
}

// expNeg is exp(-y) for y of up to about 40.
func expNeg(y float64) float64 {
	const halvings = 8
	r := y / (1 << halvings)
	sum, term := 1.0, 1.0
	for k := 1.0; term > 1e-18 || term < -1e-18; k++ {
		term = float64(term * float64(-r/k))
		sum += term
	}
	for range halvings {
		sum = float64(sum * sum)
	}
	return sum
}
