// Package siphash is the hash of every table of the server: SipHash with one round a word and two
// at the end.
//
//	seed   | k0 8 | k1 8 |            little-endian words
//	input  | w 8 | w 8 | ... | rest up to 7, length mod 256 in the top byte |
//
// Source: siphash.c (7.2 to 9.1; the server defines the rounds 1 and 2). The seed of a process is
// random; in 9.1 the directive hash-seed sets that of the keyspace tables.
package siphash

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/bits"
)

// Seed is the key of the hash.
type Seed struct{ K0, K1 uint64 }

// SeedOf makes a seed from the 16 bytes the server keeps.
func SeedOf(b [16]byte) Seed {
	return Seed{binary.LittleEndian.Uint64(b[:8]), binary.LittleEndian.Uint64(b[8:])}
}

// ParseSeed reads a seed written as 32 hexadecimal digits.
func ParseSeed(s string) (Seed, error) {
	b, err := hex.DecodeString(s)
	if err != nil || len(b) != 16 {
		return Seed{}, fmt.Errorf("hash seed %q is not 32 hexadecimal digits", s)
	}
	return SeedOf([16]byte(b)), nil
}

// Bytes is the seed as the server keeps it.
func (s Seed) Bytes() (b [16]byte) {
	binary.LittleEndian.PutUint64(b[:8], s.K0)
	binary.LittleEndian.PutUint64(b[8:], s.K1)
	return b
}

func (s Seed) String() string { b := s.Bytes(); return hex.EncodeToString(b[:]) }

// Hash is the hash of p.
func (s Seed) Hash(p []byte) uint64 {
	v0, v1 := s.K0^0x736f6d6570736575, s.K1^0x646f72616e646f6d
	v2, v3 := s.K0^0x6c7967656e657261, s.K1^0x7465646279746573
	last := uint64(len(p)) << 56
	for ; len(p) >= 8; p = p[8:] {
		m := binary.LittleEndian.Uint64(p)
		v3 ^= m
		v0, v1, v2, v3 = round(v0, v1, v2, v3)
		v0 ^= m
	}
	for i, c := range p {
		last |= uint64(c) << (8 * i)
	}
	v3 ^= last
	v0, v1, v2, v3 = round(v0, v1, v2, v3)
	v0 ^= last
	v2 ^= 0xff
	v0, v1, v2, v3 = round(v0, v1, v2, v3)
	v0, v1, v2, v3 = round(v0, v1, v2, v3)
	return v0 ^ v1 ^ v2 ^ v3
}

// HashFold is the hash of p with ASCII letters taken as small ones, for names of commands and
// directives.
func (s Seed) HashFold(p []byte) uint64 {
	var buf [64]byte
	q := append(buf[:0], p...)
	for i, c := range q {
		if 'A' <= c && c <= 'Z' {
			q[i] = c + 'a' - 'A'
		}
	}
	return s.Hash(q)
}

func round(v0, v1, v2, v3 uint64) (uint64, uint64, uint64, uint64) {
	v0 += v1
	v2 += v3
	v1 = bits.RotateLeft64(v1, 13) ^ v0
	v3 = bits.RotateLeft64(v3, 16) ^ v2
	v0 = bits.RotateLeft64(v0, 32)
	v2 += v1
	v0 += v3
	v1 = bits.RotateLeft64(v1, 17) ^ v2
	v3 = bits.RotateLeft64(v3, 21) ^ v0
	v2 = bits.RotateLeft64(v2, 32)
	return v0, v1, v2, v3
}

// SeedFrom is what the directive hash-seed of 9.1 makes of a text: the first 16 bytes of its
// SHA-256.
func SeedFrom(text string) Seed {
	d := digest([]byte(text))
	return SeedOf([16]byte(d[:16]))
}
