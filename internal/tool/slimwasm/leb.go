package main

import "encoding/binary"

// uleb reads an unsigned number; n is how many bytes it takes, 0 or less where there is none.
func uleb(b []byte) (v uint64, n int) { return binary.Uvarint(b) }

// sleb reads a signed number of at most 64 bits.
func sleb(b []byte) (v int64, n int) {
	for shift := uint(0); n < len(b) && shift < 64; shift += 7 {
		c := b[n]
		n++
		v |= int64(c&0x7f) << shift
		if c&0x80 == 0 {
			if c&0x40 != 0 && shift < 57 {
				v |= -1 << (shift + 7)
			}
			return v, n
		}
	}
	return 0, 0
}

func appendUleb(b []byte, v uint64) []byte { return binary.AppendUvarint(b, v) }

func appendSleb(b []byte, v int64) []byte {
	for {
		c := byte(v & 0x7f)
		v >>= 7
		if v == 0 && c&0x40 == 0 || v == -1 && c&0x40 != 0 {
			return append(b, c)
		}
		b = append(b, c|0x80)
	}
}
