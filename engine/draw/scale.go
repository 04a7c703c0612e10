package draw

import "math"

// Scale maps values to places, such as tenths of a pixel.
type Scale struct {
	Low, High float64
	From, To  int // places of Low and High
	Log       bool
}

// At is the place of a value.
func (s *Scale) At(v float64) int {
	low, high := s.Low, s.High
	if s.Log {
		v, low, high = log2(v), log2(low), log2(high)
	}
	if high == low {
		return s.From
	}
	return s.From + int(math.Floor(float64(float64(v-low)/float64(high-low)*float64(s.To-s.From))+0.5))
}

// log2 takes binary digits one after another: nothing but multiplications, so that every processor
// gives the same digits. Values below one count as one.
func log2(v float64) float64 {
	if v < 1 {
		return 0
	}
	m, e := math.Frexp(v) // 1/2 <= m < 1
	m, out, bit := m*2, float64(e-1), 0.5
	for range 24 {
		m = float64(m * m)
		if m >= 2 {
			m /= 2
			out += bit
		}
		bit /= 2
	}
	return out
}

// Ticks are round values between low and high: at most most of them.
func (s *Scale) Ticks(most int) []float64 {
	if s.Log {
		return s.powers(most)
	}
	span := s.High - s.Low
	if span <= 0 {
		return []float64{s.Low}
	}
	step := 1.0
	for n := 0; span/step > float64(most); n++ {
		step = float64(step * [...]float64{2, 2.5, 2}[n%3]) // 1, 2, 5, 10, ...
	}
	var out []float64
	for k := math.Ceil(s.Low / step); float64(k*step) <= s.High; k++ {
		out = append(out, float64(k*step))
	}
	return out
}

// powers are the powers of ten, or of two where the range is short.
func (s *Scale) powers(most int) (out []float64) {
	for base := 2.0; ; base = float64(base * base) {
		if base == 4 {
			base = 10
		}
		out = out[:0]
		for v := 1.0; v <= s.High; v = float64(v * base) {
			if v >= s.Low {
				out = append(out, v)
			}
		}
		if len(out) <= most {
			return out
		}
	}
}
