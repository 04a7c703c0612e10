package keyspace

import (
	"github.com/keyloupe/keyloupe/engine/decimal"

	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/object"
	"github.com/keyloupe/keyloupe/engine/sds"
)

// Value is a value on its way into the keyspace.
type Value struct {
	Type object.Type
	Enc  object.Encoding
	Text []byte   // of a string whose text is not in the heap yet
	Int  int64    // of an integer
	Own  bool     // of an integer: it has an object of its own, though small ones are shared
	Ptr  heap.Ptr // the value in the heap: a structure, or the text of a raw string
	// Held says that the object which is there is still held by the arguments of the command that
	// sets the key again, so that its block can't be kept.
	Held bool
}

// Arg is a command's argument as an object, before anybody tries to make it an integer.
func (s *Space) Arg(text []byte) Value {
	v := Value{Type: object.String, Enc: object.Raw, Text: text}
	if len(text) <= s.R.ArgEmbed {
		v.Enc = object.Embstr
	}
	return v
}

// Encoded is an argument that becomes an integer where it is one (object.c, tryObjectEncoding).
func (s *Space) Encoded(text []byte) Value {
	if n, ok := decimal.Parse(text); ok && len(text) <= 20 {
		return Value{Type: object.String, Enc: object.Int, Int: n}
	}
	return s.Arg(text)
}

// Integer is the value n.
func Integer(n int64) Value { return Value{Type: object.String, Enc: object.Int, Int: n} }

// RawText is a string that is kept apart however short it is: what SETRANGE and SETBIT make.
func RawText(text []byte) Value {
	return Value{Type: object.String, Enc: object.Raw, Text: text}
}

// Structure is a value of any other type, already in the heap.
func Structure(t object.Type, e object.Encoding, p heap.Ptr) Value {
	return Value{Type: t, Enc: e, Ptr: p}
}

// bigArg is the length from which an argument can come straight out of the query buffer
// (networking.c, PROTO_MBULK_BIG_ARG).
const bigArg = 32 << 10

// payload is the raw string of a value: where it is, or made.
func (s *Space) payload(v Value) heap.Ptr {
	if v.Ptr != 0 {
		return v.Ptr
	}
	if len(v.Text) >= bigArg {
		return s.bigPayload(v.Text)
	}
	return sds.New(s.H, v.Text)
}

// bigPayload makes the block that a long argument leaves: it was read with its CRLF into a string
// made for both, and is cut only where a tenth of it would be spare (object.c, trimStringObjectIfNeeded).
func (s *Space) bigPayload(text []byte) heap.Ptr {
	const crlf = 2
	t := sds.NewType(s.R, len(text)+s.R.BigArgRoom)
	p := s.H.Alloc(sds.Req(t, len(text)+crlf))
	p += heap.Ptr(sds.Write(s.H.Bytes(p), sds.Raised(s.H, t, p), text))
	if sds.Avail(s.H, p) > len(text)/10 {
		p = sds.Trim(s.H, p)
	}
	return p
}

// Text is the value of a string object. It aliases the heap, or num for an integer.
func (s *Space) Text(p heap.Ptr, num *[24]byte) []byte { return object.Text(s.H, p, num) }

// Take empties an object that is about to go and returns its value, to become another key's.
func (s *Space) Take(p heap.Ptr) Value {
	b := s.H.Bytes(p)
	v := Value{Type: object.TypeOf(b), Enc: object.EncodingOf(b)}
	switch v.Enc {
	case object.Int:
		v.Int, v.Own = int64(object.Val(b)), true
	case object.Embstr:
		var num [24]byte
		v.Text = append([]byte(nil), object.Text(s.H, p, &num)...)
	default:
		v.Ptr = heap.Ptr(object.Val(b))
		object.SetVal(b, 0)
	}
	return v
}

// Dup is a copy of a string object's value, as COPY makes it.
func (s *Space) Dup(p heap.Ptr) Value {
	b := s.H.At(p)
	v := Value{Type: object.String, Enc: object.EncodingOf(b)}
	if v.Enc == object.Int {
		v.Int, v.Own = int64(object.Val(b)), true
		return v
	}
	var num [24]byte
	v.Text = append([]byte(nil), object.Text(s.H, p, &num)...)
	if v.Enc == object.Raw {
		v.Ptr = sds.New(s.H, v.Text)
	}
	return v
}

// Hold notes that a reply which is not sent yet refers to an object, so that the object's block
// can't be kept for another value; Unhold that it was sent.
func (s *Space) Hold(p heap.Ptr) {
	if s.holds == nil {
		s.holds = map[heap.Ptr]bool{}
	}
	s.holds[p] = true
}

func (s *Space) Unhold(p heap.Ptr) { delete(s.holds, p) }

// Holds tells whether a reply that is not sent yet refers to an object.
func (s *Space) Holds(p heap.Ptr) bool { return len(s.holds) > 0 && s.holds[p] }
