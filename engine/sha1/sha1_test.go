package sha1

import (
	"bytes"
	std "crypto/sha1"
	"testing"
)

func TestDigestsAreTheStandardLibrarys(t *testing.T) {
	for n := range 400 {
		m := bytes.Repeat([]byte{byte(n), 'x', 0xff}, n)[:n]
		if got, want := Sum(m), std.Sum(m); got != want {
			t.Fatalf("%d bytes: %x, want %x", n, got, want)
		}
	}
}
