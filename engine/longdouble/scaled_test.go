package longdouble

import (
	"math"
	"testing"
)

// The timeouts of blocking commands, as 9.1.2 takes them: 1e400 is out of range, -1e400 negative.
func TestATimeoutInSecondsBecomesMillisecondsRoundedUp(t *testing.T) {
	for _, c := range []struct {
		text string
		want int64
		over bool
	}{
		{"0", 0, false}, {"1", 1000, false}, {"0.0001", 1, false}, {"-0.0001", 0, false}, {"-1", -1000, false}, {"1.0015", 1002, false}, {"0.1", 100, false},
		{"9223372036854775.807", math.MaxInt64, false}, {"9223372036854775.808", 0, true}, {"1e400", 0, true}, {"-1e400", math.MinInt64, false}, {"inf", 0, true}, {"-inf", math.MinInt64, false}, {"1e-400", 1, false},
	} {
		f, ok := Parse([]byte(c.text))
		if !ok {
			t.Errorf("%s is not read", c.text)
			continue
		}
		if v, over := f.ScaledCeil(1000); v != c.want || over != c.over {
			t.Errorf("%s: %d %v, want %d %v", c.text, v, over, c.want, c.over)
		}
	}
}
