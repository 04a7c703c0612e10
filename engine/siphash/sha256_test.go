package siphash

import (
	"bytes"
	std "crypto/sha256"
	"testing"
)

func TestSHA256IsTheStandardLibrarys(t *testing.T) {
	for n := range 300 {
		text := bytes.Repeat([]byte{byte(n), 0xff, 'x'}, n)[:n]
		if got, want := digest(text), std.Sum256(text); got != want {
			t.Fatalf("%d bytes: %x, want %x", n, got, want)
		}
	}
}
