// Package lzf is the compression of texts in dumps and of the inner nodes of lists: LibLZF, as the server carries it.
//
//	0 to 31, then as many bytes and one more | length and distance of a copy of what was before
//
// Rules: lzf_c.c, lzf_d.c.
package lzf

// Bounds of LZF: a control byte below 32 begins that many literals and one more; another has the
// length of a copy in its upper 3 bits, and its distance below and in the next byte.
const (
	lzfBits    = 16
	maxLiteral = 1 << 5
	maxOffset  = 1 << 13
	maxCopy    = 1<<8 + 1<<3
	Ratio      = 88 // most bytes that a byte of a compressed text stands for: 3 bytes become 264 at most
)

// A Compressor has the table of where three bytes were last seen: base + offset. What is not above base
// is of an earlier string; the server takes offset 0 for none, too.
type Compressor struct {
	table [1 << lzfBits]uint32
	base  uint32
}

// at is the place of the three bytes in h.
func (z *Compressor) at(h uint32) *uint32 { return &z.table[(h>>(3*8-lzfBits)-h*5)&(1<<lzfBits-1)] }

// begin makes the table as if empty.
func (z *Compressor) begin() {
	if z.base > 1<<31 {
		*z = Compressor{}
	}
}

func three(b []byte) uint32 { return uint32(b[0])<<16 | uint32(b[1])<<8 | uint32(b[2]) }

// Compress appends the LZF form of in to dst, or returns nil where it would be longer than room
// bytes (lzf_c.c with HLOG 16 and VERY_FAST). The server does not clear its table before it begins,
// so the places of an earlier string may let it find a copy that is not found here; that takes three
// bytes that were inside a copy before, since only there places are not noted.
func (z *Compressor) Compress(dst, in []byte, room int) []byte {
	z.begin()
	base := z.base
	defer func() { z.base = base + uint32(len(in)) }()
	end := len(dst) + room
	out := append(dst, 0) // of the first run's length
	lit, ip := 0, 0
	for ip < len(in)-2 {
		h := three(in[ip:])
		slot := z.at(h)
		last := *slot
		*slot = base + uint32(ip)
		ref := int(last) - int(base)
		off := ip - ref - 1
		if ref <= 0 || off >= maxOffset || three(in[ref:]) != h {
			if len(out) >= end {
				return nil
			}
			out, lit = literal(out, in[ip], lit)
			ip++
			continue
		}
		if len(out)+4 >= end && (lit > 0 || len(out)+3 >= end) {
			return nil
		}
		out = closeRun(out, lit)
		n := matched(in, ref, ip) - 2
		if n < 7 {
			out = append(out, byte(off>>8+n<<5))
		} else {
			out = append(out, byte(off>>8+7<<5), byte(n-7))
		}
		out = append(out, byte(off), 0)
		lit = 0
		ip += n + 2
		if ip >= len(in)-2 {
			break
		}
		*z.at(three(in[ip-2:])) = base + uint32(ip-2)
		*z.at(three(in[ip-1:])) = base + uint32(ip-1)
	}
	if len(out)+3 > end {
		return nil
	}
	for ; ip < len(in); ip++ {
		out, lit = literal(out, in[ip], lit)
	}
	return closeRun(out, lit)
}

// literal appends a byte to a run of lit, and begins another run where that one is full.
func literal(out []byte, c byte, lit int) ([]byte, int) {
	out = append(out, c)
	lit++
	if lit == maxLiteral {
		out[len(out)-lit-1] = byte(lit - 1)
		return append(out, 0), 0
	}
	return out, lit
}

// closeRun writes the length of a run, or takes its byte away where it is empty.
func closeRun(out []byte, lit int) []byte {
	if lit == 0 {
		return out[:len(out)-1]
	}
	out[len(out)-lit-1] = byte(lit - 1)
	return out
}

// matched is how many bytes at ip repeat those at ref: at least 3, at most 264, and it leaves the
// last two bytes of the input alone unless there are no others.
func matched(in []byte, ref, ip int) int {
	most := min(len(in)-ip-2, maxCopy)
	n := 2
	if most > 16 {
		for range 16 {
			n++
			if in[ref+n] != in[ip+n] {
				return n
			}
		}
	}
	for {
		n++
		if n >= most || in[ref+n] != in[ip+n] {
			return n
		}
	}
}

// Decompress gives the n bytes that in stands for; ok is false where it does not stand for n bytes
// (lzf_d.c).
func Decompress(in []byte, n int) (out []byte, ok bool) {
	if n == 0 { // whatever in is: the server's decoder gives 0 for an error, too
		return []byte{}, true
	}
	if n > Ratio*len(in) {
		return nil, false
	}
	out = make([]byte, 0, n)
	for ip := 0; ip < len(in); {
		c := int(in[ip])
		ip++
		if c < maxLiteral {
			if len(out)+c+1 > n || ip+c+1 > len(in) {
				return nil, false
			}
			out = append(out, in[ip:ip+c+1]...)
			ip += c + 1
			continue
		}
		size, off := c>>5, c&0x1f<<8
		if size == 7 {
			if ip >= len(in) {
				return nil, false
			}
			size += int(in[ip])
			ip++
		}
		if ip >= len(in) {
			return nil, false
		}
		ref := len(out) - off - 1 - int(in[ip])
		ip++
		if size += 2; len(out)+size > n || ref < 0 {
			return nil, false
		}
		for range size {
			out = append(out, out[ref])
			ref++
		}
	}
	return out, len(out) == n
}
