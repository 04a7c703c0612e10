package rdb

import (
	"math"
	"strconv"

	"github.com/keyloupe/keyloupe/engine/lzf"
)

// Writer appends to a file or payload.
type Writer struct {
	B        []byte
	Compress bool // rdbcompression: strings of more than 20 bytes are tried with LZF

	lzf *lzf.Compressor
	num [20]byte
}

// Lengths that bound how a string is written (rdb.c, rdbSaveRawString).
const (
	longestInt = 11 // digits that may become an integer
	leastLZF   = 21
	lzfGain    = 4 // bytes that LZF must save
)

// Type writes the code of a value.
func (w *Writer) Type(t Type) { w.B = append(w.B, byte(t)) }

// Len writes a length.
func (w *Writer) Len(n uint64) {
	switch {
	case n < 1<<6:
		w.B = append(w.B, byte(n))
	case n < 1<<14:
		w.B = append(w.B, byte(n>>8)|len14<<6, byte(n))
	case n <= math.MaxUint32:
		w.B = be.AppendUint32(append(w.B, len32), uint32(n))
	default:
		w.B = be.AppendUint64(append(w.B, len64), n)
	}
}

// Raw writes bytes as they are.
func (w *Writer) Raw(b []byte) { w.B = append(w.B, b...) }

// Uint64 writes 8 bytes, little endian: a time in ms, a double.
func (w *Writer) Uint64(n uint64) { w.B = le.AppendUint64(w.B, n) }

// Millis writes a time, Unix ms.
func (w *Writer) Millis(ms int64) { w.Uint64(uint64(ms)) }

// Double writes a double as binary.
func (w *Writer) Double(v float64) { w.Uint64(math.Float64bits(v)) }

// Int writes an integer as a string.
func (w *Writer) Int(v int64) {
	if !w.int(v) {
		d := strconv.AppendInt(w.num[:0], v, 10)
		w.Len(uint64(len(d)))
		w.Raw(d)
	}
}

// int writes an integer of up to 32 bits in its own form and tells whether it did.
func (w *Writer) int(v int64) bool {
	switch {
	case v == int64(int8(v)):
		w.B = append(w.B, encoded<<6|encInt8, byte(v))
	case v == int64(int16(v)):
		w.B = le.AppendUint16(append(w.B, encoded<<6|encInt16), uint16(v))
	case v == int64(int32(v)):
		w.B = le.AppendUint32(append(w.B, encoded<<6|encInt32), uint32(v))
	default:
		return false
	}
	return true
}

// String writes a string: as an integer where it is the digits of one, compressed where that is
// shorter, or as it is.
func (w *Writer) String(s []byte) {
	if len(s) <= longestInt {
		if v, ok := canonicalInt(s); ok && w.int(v) {
			return
		}
	}
	if w.Compress && len(s) >= leastLZF && w.compressed(s) {
		return
	}
	w.Len(uint64(len(s)))
	w.Raw(s)
}

func (w *Writer) compressed(s []byte) bool {
	if w.lzf == nil {
		w.lzf = new(lzf.Compressor)
	}
	z := w.lzf.Compress(nil, s, len(s)-lzfGain)
	if len(z) == 0 {
		return false
	}
	w.B = append(w.B, encoded<<6|encLZF)
	w.Len(uint64(len(z)))
	w.Len(uint64(len(s)))
	w.Raw(z)
	return true
}

// canonicalInt reads up to 11 digits, a minus before them, no zeros in front.
func canonicalInt(s []byte) (v int64, ok bool) {
	d := s
	if len(d) > 1 && d[0] == '-' {
		d = d[1:]
	}
	if len(d) == 0 || d[0] == '0' && len(s) > 1 {
		return 0, false
	}
	for _, c := range d {
		if c < '0' || c > '9' {
			return 0, false
		}
		v = v*10 + int64(c-'0')
	}
	if len(d) < len(s) {
		v = -v
	}
	return v, true
}
