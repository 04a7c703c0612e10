// Package sha1 is SHA-1 (FIPS 180-4) for DEBUG DIGEST. The standard library's would bring its FIPS module into the page: 32 MiB
// of memory in each of its two instances, and a fiftieth of its download.
package sha1

import (
	"encoding/binary"
	"math/bits"
)

// Size is how many bytes a digest has.
const Size = 20

// Sum is the digest of a message.
func Sum(message []byte) (sum [Size]byte) {
	h := [5]uint32{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0}
	full := len(message) &^ 63
	for at := 0; at < full; at += 64 {
		block(&h, message[at:at+64])
	}
	var tail [128]byte
	n := copy(tail[:], message[full:])
	tail[n] = 0x80
	end := 64
	if n >= 56 {
		end = 128
	}
	binary.BigEndian.PutUint64(tail[end-8:], uint64(len(message))*8)
	for at := 0; at < end; at += 64 {
		block(&h, tail[at:at+64])
	}
	for i, v := range h {
		binary.BigEndian.PutUint32(sum[4*i:], v)
	}
	return sum
}

func block(h *[5]uint32, p []byte) {
	var w [80]uint32
	for i := range 16 {
		w[i] = binary.BigEndian.Uint32(p[4*i:])
	}
	for i := 16; i < 80; i++ {
		w[i] = bits.RotateLeft32(w[i-3]^w[i-8]^w[i-14]^w[i-16], 1)
	}
	a, b, c, d, e := h[0], h[1], h[2], h[3], h[4]
	for i := range 80 {
		f, k := round(i, b, c, d)
		a, b, c, d, e = bits.RotateLeft32(a, 5)+f+e+k+w[i], a, bits.RotateLeft32(b, 30), c, d
	}
	h[0], h[1], h[2], h[3], h[4] = h[0]+a, h[1]+b, h[2]+c, h[3]+d, h[4]+e
}

// round is the function and the constant of round i.
func round(i int, b, c, d uint32) (f, k uint32) {
	switch i / 20 {
	case 0:
		return b&c | ^b&d, 0x5a827999
	case 1:
		return b ^ c ^ d, 0x6ed9eba1
	case 2:
		return b&c | b&d | c&d, 0x8f1bbcdc
	}
	return b ^ c ^ d, 0xca62c1d6
}
