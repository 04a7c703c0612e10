package stream

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math"
	"strconv"
)

// ID is an entry's id: milliseconds and a number within the millisecond.
type ID struct{ Ms, Seq uint64 }

// The least and the greatest id.
var (
	MinID = ID{}
	MaxID = ID{math.MaxUint64, math.MaxUint64}
)

// Compare orders ids: -1, 0 or 1.
func (a ID) Compare(b ID) int { return cmp.Or(cmp.Compare(a.Ms, b.Ms), cmp.Compare(a.Seq, b.Seq)) }

// Zero tells whether the id is 0-0.
func (a ID) Zero() bool { return a == ID{} }

// Next is the id after a; after the greatest comes 0-0, and ok is false.
func (a ID) Next() (b ID, ok bool) {
	a.Seq++
	if a.Seq == 0 {
		a.Ms++
	}
	return a, !a.Zero()
}

// Prev is the id before a; before 0-0 comes the greatest, and ok is false.
func (a ID) Prev() (b ID, ok bool) {
	ok = !a.Zero()
	if a.Seq == 0 {
		a.Ms--
	}
	a.Seq--
	return a, ok
}

// Append adds the id as text, "ms-seq".
func (a ID) Append(dst []byte) []byte {
	dst = strconv.AppendUint(dst, a.Ms, 10)
	return strconv.AppendUint(append(dst, '-'), a.Seq, 10)
}

func (a ID) String() string { return string(a.Append(nil)) }

const keySize = 16

// key is the id as the radix trees keep it: two big-endian numbers, so that bytes order as ids do.
func (a ID) key() (k [keySize]byte) {
	binary.BigEndian.PutUint64(k[:], a.Ms)
	binary.BigEndian.PutUint64(k[8:], a.Seq)
	return k
}

// AppendKey appends the id as the radix trees and dumps have it.
func (a ID) AppendKey(dst []byte) []byte {
	k := a.key()
	return append(dst, k[:]...)
}

func fromKey(k []byte) ID {
	return ID{binary.BigEndian.Uint64(k), binary.BigEndian.Uint64(k[8:])}
}

// maxIDText is the longest text that is read as an id, in bytes.
const maxIDText = 127

// ParseID reads an id as commands take it (t_stream.c, streamGenericParseIDOrReply): "ms-seq", or
// "ms" alone, whose seq is then missing; - and + are the least and the greatest unless strict.
// Where auto is not nil, "ms-*" is taken too and *auto says that seq was not given. A NUL ends the
// text, as it does for the server.
func ParseID(s []byte, missing uint64, strict bool, auto *bool) (id ID, ok bool) {
	if len(s) > maxIDText {
		return ID{}, false
	}
	s, _, _ = bytes.Cut(s, []byte{0})
	switch string(s) {
	case "-":
		return MinID, !strict
	case "+":
		return MaxID, !strict
	}
	ms, seq, has := bytes.Cut(s, []byte{'-'})
	if id.Ms, ok = parseUint(ms); !ok {
		return ID{}, false
	}
	id.Seq = missing
	switch {
	case has && auto != nil && string(seq) == "*":
		id.Seq, *auto = 0, true
	case has:
		id.Seq, ok = parseUint(seq)
	}
	return id, ok
}

// parseUint reads a number as util.c's string2ull does: what it does not take as a plain number it
// gives to strtoull, which allows white space, a sign and leading zeros in front. A minus sign in
// front of a plain number is refused, but "-0" and " -1" are not plain numbers.
func parseUint(s []byte) (uint64, bool) {
	t := bytes.TrimLeft(s, " \t\n\v\f\r")
	minus := false
	if len(t) > 0 && (t[0] == '-' || t[0] == '+') {
		minus = t[0] == '-'
		t = t[1:]
	}
	if len(t) == 0 || t[0] == '-' || t[0] == '+' {
		return 0, false
	}
	v, err := strconv.ParseUint(string(t), 10, 64)
	if err != nil {
		return 0, false
	}
	if !minus {
		return v, true
	}
	plain := s[0] == '-' && t[0] != '0' && v <= 1<<63
	return -v, !plain
}
