package siphash

import (
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"testing"
)

// Seeds of the golden data: the first is that of a process whose /dev/urandom is zero bytes, the
// second what --hash-seed golden-seed-1 gives.
const (
	golden  = "f375180aba92888401f1919be4a8715a"
	golden1 = "b4bb5dfebe201bf25c35715da0f9f6dd"
)

func mustParse(t *testing.T, s string) Seed {
	seed, err := ParseSeed(s)
	if err != nil {
		t.Fatal(err)
	}
	return seed
}

func TestBucketsOfServersHaveTheChildrenThisHashPredicts(t *testing.T) {
	for _, c := range []struct {
		seed          string
		keys, buckets int
		children      int
	}{{golden, 20000, 4096, 500}, {golden1, 20000, 4096, 467}} {
		seed := mustParse(t, c.seed)
		in := make([]int, c.buckets)
		for i := range c.keys {
			in[seed.Hash(fmt.Appendf(nil, "key:%012d", i))&uint64(c.buckets-1)]++
		}
		children := 0
		for _, n := range in {
			if n > 7 {
				children += (n - 7 + 5) / 6
			}
		}
		if children != c.children {
			t.Errorf("seed %s: %d children, servers have %d", c.seed, children, c.children)
		}
	}
}

func TestTheGoldenSeedIsThatOfAProcessWithoutRandomness(t *testing.T) {
	m := hmac.New(sha256.New, make([]byte, 64))
	m.Write(make([]byte, 8))
	if got := fmt.Sprintf("%x", m.Sum(nil)[:16]); got != golden {
		t.Errorf("got %s", got)
	}
	if got := mustParse(t, golden).String(); got != golden {
		t.Errorf("a seed reads back as %s", got)
	}
}

func TestEveryLengthModuloEightHashesItsTail(t *testing.T) {
	seed := mustParse(t, golden)
	seen := map[uint64]int{}
	for n := range 64 {
		h := seed.Hash(make([]byte, n))
		if m, ok := seen[h]; ok {
			t.Errorf("lengths %d and %d of zero bytes collide", m, n)
		}
		seen[h] = n
	}
}

func TestFoldedHashTakesLettersAsSmallOnes(t *testing.T) {
	seed := mustParse(t, golden)
	for _, s := range []string{"", "GET", "Set-Max-Intset-Entries", "\xc4[@", string(make([]byte, 100)) + "Z"} {
		low := []byte(s)
		for i, c := range low {
			if c >= 'A' && c <= 'Z' {
				low[i] = c | 32
			}
		}
		if seed.HashFold([]byte(s)) != seed.Hash(low) {
			t.Errorf("%q", s)
		}
	}
}

func TestAMalformedSeedIsRefused(t *testing.T) {
	for _, s := range []string{"", "f375", golden + "00", golden[:31] + "g", golden[:30]} {
		if _, err := ParseSeed(s); err == nil {
			t.Errorf("%q was taken", s)
		}
	}
}

func BenchmarkHash16(b *testing.B) {
	seed, p := Seed{1, 2}, []byte("key:000000000001")
	for range b.N {
		seed.Hash(p)
	}
}
