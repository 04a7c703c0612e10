package decimal

import (
	"math/rand/v2"
	"strconv"
	"testing"
)

func TestOnlyTheOneWayToWriteAnIntegerIsRead(t *testing.T) {
	for text, want := range map[string]int64{"0": 0, "7": 7, "-1": -1, "9223372036854775807": 9223372036854775807, "-9223372036854775808": -9223372036854775808} {
		if n, ok := Parse([]byte(text)); !ok || n != want {
			t.Errorf("%q: %d, %v", text, n, ok)
		}
	}
	for _, text := range []string{"", "-", "-0", "+1", "00", "01", "-01", " 1", "1 ", "1.0", "x", "0x1", "9223372036854775808", "-9223372036854775809", "99999999999999999999", "-99999999999999999999", "100000000000000000000"} {
		if n, ok := Parse([]byte(text)); ok {
			t.Errorf("%q is read as %d", text, n)
		}
	}
}

func TestEveryIntegerIsReadBack(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 10000 {
		want := int64(r.Uint64()) >> r.IntN(64)
		if n, ok := Parse(strconv.AppendInt(nil, want, 10)); !ok || n != want {
			t.Fatalf("%d: %d, %v", want, n, ok)
		}
	}
}
