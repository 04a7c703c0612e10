package hyperloglog

import "math"

const alphaInf = 0.721347520444481703680 // 0.5 / ln 2

// Products are converted where they are added, so that no platform joins the two in one rounding.

func sigma(x float64) float64 {
	if x == 1 {
		return math.Inf(1)
	}
	y, z := 1.0, x
	for {
		x *= x
		was := z
		z += float64(x * y)
		y += y
		if z == was {
			return z
		}
	}
}

func tau(x float64) float64 {
	if x == 0 || x == 1 {
		return 0
	}
	y, z := 1.0, 1-x
	for {
		x = math.Sqrt(x)
		was := z
		y *= 0.5
		d := 1 - x
		z -= float64(float64(d*d) * y)
		if z == was {
			return z / 3
		}
	}
}

// estimate is the cardinality for a histogram of register values (Otmar Ertl, arXiv:1702.01284).
func estimate(histo *[64]int) uint64 {
	const m = float64(Registers)
	z := m * tau((m-float64(histo[hashBits+1]))/m)
	for j := hashBits; j >= 1; j-- {
		z += float64(histo[j])
		z *= 0.5
	}
	z += float64(m * sigma(float64(histo[0])/m))
	e := math.Round(alphaInf * m * m / z)
	if !(e < 1<<63) { // the server's conversion of what is too large
		return 1 << 63
	}
	return uint64(e)
}

// Count estimates the cardinality; ok is false where the runs are not right.
func Count(s []byte) (n uint64, ok bool) {
	var histo [64]int
	ok = eachRun(s, true, func(_, n int, v byte) { histo[v] += n })
	return estimate(&histo), ok
}

// CountRegisters estimates the cardinality of registers.
func CountRegisters(regs *[Registers]byte) uint64 {
	var histo [64]int
	for _, v := range regs {
		histo[v&63]++
	}
	return estimate(&histo)
}
