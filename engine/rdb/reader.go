package rdb

import (
	"math"
	"strconv"

	"github.com/keyloupe/keyloupe/engine/lzf"
)

// Reader reads from a file or payload. Where the input ends too early all further reads fail, as
// those of the server do.
type Reader struct {
	b     []byte
	at    int
	short bool // the input ended too early
}

// NewReader reads from b, which must not change.
func NewReader(b []byte) *Reader { return &Reader{b: b} }

// Left is the number of bytes that were not read yet.
func (r *Reader) Left() int { return len(r.b) - r.at }

// lenError is what Len gives where it could not be read; no structure is that long.
const lenError = math.MaxUint64

// take reads n bytes, nil where there are fewer. They alias the input.
func (r *Reader) take(n uint64) []byte {
	if r.short || n > uint64(r.Left()) {
		r.short = true
		return nil
	}
	b := r.b[r.at : r.at+int(n) : r.at+int(n)]
	r.at += int(n)
	return b
}

func (r *Reader) byte() (byte, bool) {
	b := r.take(1)
	if b == nil {
		return 0, false
	}
	return b[0], true
}

// len reads a length; enc is true where it is the code of a string's form instead.
func (r *Reader) len() (n uint64, enc bool) {
	c, ok := r.byte()
	if !ok {
		return lenError, false
	}
	switch {
	case c>>6 == encoded:
		return uint64(c & 0x3f), true
	case c>>6 == 0:
		return uint64(c), false
	case c>>6 == len14:
		if d, ok := r.byte(); ok {
			return uint64(c&0x3f)<<8 | uint64(d), false
		}
	case c == len32:
		if b := r.take(4); b != nil {
			return uint64(be.Uint32(b)), false
		}
	case c == len64:
		if b := r.take(8); b != nil {
			return be.Uint64(b), false
		}
	}
	return lenError, false
}

// length reads a length where the code of a form counts as one, as the server has it.
func (r *Reader) length() uint64 {
	n, _ := r.len()
	return n
}

// count reads the number of items that follow, each of them at least size bytes. More than the input
// can hold is an error at once: the server would find it later, at the end of the input.
func (r *Reader) count(size int) (int, bool) {
	n := r.length()
	if n == lenError || n > uint64(r.Left()/size) {
		return 0, false
	}
	return int(n), true
}

// string reads a string; ok is false where it is none. It may alias the input.
func (r *Reader) string() (s []byte, ok bool) {
	n, enc := r.len()
	if n == lenError {
		return nil, false
	}
	if !enc {
		if n == 0 {
			return []byte{}, true
		}
		s = r.take(n)
		return s, s != nil
	}
	switch n {
	case encInt8:
		if b := r.take(1); b != nil {
			return digits(int64(int8(b[0]))), true
		}
	case encInt16:
		if b := r.take(2); b != nil {
			return digits(int64(int16(le.Uint16(b)))), true
		}
	case encInt32:
		if b := r.take(4); b != nil {
			return digits(int64(int32(le.Uint32(b)))), true
		}
	case encLZF:
		return r.lzf()
	}
	return nil, false
}

func digits(v int64) []byte { return strconv.AppendInt(nil, v, 10) }

func (r *Reader) lzf() (s []byte, ok bool) {
	size, n := r.length(), r.length()
	if size == lenError || n == lenError {
		return nil, false
	}
	z := r.take(size)
	if r.short || n > lzf.Ratio*size {
		return nil, false
	}
	return lzf.Decompress(z, int(n))
}

// uint64 reads 8 bytes, little endian; the greatest time where they are not there.
func (r *Reader) uint64() uint64 {
	b := r.take(8)
	if b == nil {
		return math.MaxInt64
	}
	return le.Uint64(b)
}

func (r *Reader) millis() int64 { return int64(r.uint64()) }

func (r *Reader) double() (float64, bool) {
	v := math.Float64frombits(r.uint64())
	return v, !r.short
}
