package sweep

// Chances are computed with nothing but +, -, * and /, each rounded by a conversion: a processor
// that fuses operations, or has its own exp, would give other last digits than others.

// expectedChildren is how many child buckets a table of b buckets, a power of two, has on average
// when n entries fall into it at random: the number in one bucket is binomial(n, 1/b).
func expectedChildren(n, b int) float64 {
	if b == 1 {
		return float64(childCount(n))
	}
	x := 1 / float64(b)
	p := expNeg(float64(float64(n) * negLog1m(x))) // chance of an empty bucket
	sum := 0.0
	for m := 0; m < n; m++ {
		p = float64(float64(p*float64(n-m)) / float64(float64(m+1)*float64(b-1)))
		if m+1 > positions {
			sum += float64(p * float64(childCount(m+1)))
		}
		if m > 4*n/b+positions && p < 1e-22 {
			break
		}
	}
	return float64(sum * float64(b))
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
