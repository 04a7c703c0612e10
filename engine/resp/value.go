package resp

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/keyloupe/keyloupe/engine/layout"
)

// Kind is what a reply is.
type Kind byte

// The kinds, by the byte that begins them in the protocol.
const (
	StatusReply   Kind = '+'
	ErrorReply    Kind = '-'
	IntReply      Kind = ':'
	BulkReply     Kind = '$'
	ArrayReply    Kind = '*'
	NullReply     Kind = '_'
	MapReply      Kind = '%'
	SetReply      Kind = '~'
	PushReply     Kind = '>'
	BoolReply     Kind = '#'
	DoubleReply   Kind = ','
	BigReply      Kind = '('
	VerbatimReply Kind = '='
	AttrReply     Kind = '|'
)

// Value is a reply.
type Value struct {
	Kind  Kind    `json:"k"`
	Str   string  `json:"s,omitempty"` // text; of numbers their digits; of verbatim text without its format
	Int   int64   `json:"i,omitempty"`
	Items []Value `json:"a,omitempty"` // of a map key, value, key, value
}

// Limits on replies that are read back, so that a hostile one costs no more than its length.
const maxDepth = 64

var errShort = errors.New("resp: reply is cut short")

// Parse reads one reply and returns how many bytes it took.
func Parse(b []byte) (Value, int, error) { return parse(b, 0) }

func parse(b []byte, depth int) (v Value, n int, err error) {
	if depth > maxDepth {
		return v, 0, errors.New("resp: reply is nested too deeply")
	}
	end := bytes.Index(b, []byte("\r\n"))
	if len(b) == 0 || end < 0 {
		return v, 0, errShort
	}
	line := string(b[1:end])
	n = end + 2
	v.Kind = Kind(b[0])
	switch v.Kind {
	case StatusReply, ErrorReply, DoubleReply, BigReply:
		v.Str = line
	case BoolReply:
		if line == "t" {
			v.Int = 1
		}
	case NullReply:
	case IntReply:
		if v.Int, err = strconv.ParseInt(line, 10, 64); err != nil {
			return v, 0, fmt.Errorf("resp: bad integer %q", line)
		}
	case BulkReply, VerbatimReply:
		size, err := length(line)
		if err != nil {
			return v, 0, err
		}
		if size < 0 {
			v.Kind = NullReply
			return v, n, nil
		}
		if len(b)-n < size+2 {
			return v, 0, errShort
		}
		v.Str = string(b[n : n+size])
		if v.Kind == VerbatimReply && size >= 4 {
			v.Str = v.Str[4:]
		}
		return v, n + size + 2, nil
	case ArrayReply, SetReply, PushReply, MapReply, AttrReply:
		size, err := length(line)
		if err != nil {
			return v, 0, err
		}
		if size < 0 {
			v.Kind = NullReply
			return v, n, nil
		}
		if v.Kind == MapReply || v.Kind == AttrReply {
			size *= 2
		}
		v.Items = make([]Value, 0, min(size, len(b)/3))
		for range size {
			x, m, err := parse(b[n:], depth+1)
			if err != nil {
				return v, 0, err
			}
			v.Items = append(v.Items, x)
			n += m
		}
	default:
		return v, 0, fmt.Errorf("resp: unknown reply type %q", b[0])
	}
	return v, n, nil
}

// length reads the length of a string or an array; -1 stands for an absent one.
func length(line string) (int, error) {
	n, err := strconv.Atoi(line)
	if err != nil || n < -1 {
		return 0, fmt.Errorf("resp: bad length %q", line)
	}
	return n, nil
}

// Text prints a reply as valkey-cli does on a terminal, without the final line break.
func (v Value) Text() string {
	var s strings.Builder
	v.text(&s, "")
	return strings.TrimSuffix(s.String(), "\n")
}

func (v Value) text(s *strings.Builder, prefix string) {
	switch v.Kind {
	case ErrorReply:
		s.WriteString("(error) " + v.Str + "\n")
	case StatusReply, VerbatimReply:
		s.WriteString(v.Str + "\n")
	case IntReply:
		fmt.Fprintf(s, "(integer) %d\n", v.Int)
	case DoubleReply:
		s.WriteString("(double) " + v.Str + "\n")
	case BigReply:
		s.WriteString("(big number) " + v.Str + "\n")
	case BoolReply:
		s.WriteString(map[int64]string{0: "(false)\n", 1: "(true)\n"}[v.Int])
	case NullReply:
		s.WriteString("(nil)\n")
	case BulkReply:
		s.WriteString(layout.Quote([]byte(v.Str)) + "\n")
	case MapReply, AttrReply:
		v.textItems(s, prefix, 2, "#", "(empty hash)\n")
	case SetReply:
		v.textItems(s, prefix, 1, "~", "(empty set)\n")
	default:
		v.textItems(s, prefix, 1, ")", "(empty array)\n")
	}
}

func (v Value) textItems(s *strings.Builder, prefix string, each int, mark, none string) {
	n := len(v.Items) / each
	if n == 0 {
		s.WriteString(none)
		return
	}
	width := len(strconv.Itoa(n))
	inner := prefix + strings.Repeat(" ", width+2)
	for i := range n {
		if i > 0 {
			s.WriteString(prefix)
		}
		fmt.Fprintf(s, "%*d%s ", width, i+1, mark)
		v.Items[i*each].text(s, inner)
		if each == 2 { // the value goes on the key's line
			t := s.String()
			s.Reset()
			s.WriteString(strings.TrimSuffix(t, "\n") + " => ")
			v.Items[i*each+1].text(s, inner)
		}
	}
}

// Equal tells whether two replies are the same.
func (v Value) Equal(w Value) bool {
	if v.Kind != w.Kind || v.Str != w.Str || v.Int != w.Int || len(v.Items) != len(w.Items) {
		return false
	}
	for i := range v.Items {
		if !v.Items[i].Equal(w.Items[i]) {
			return false
		}
	}
	return true
}
