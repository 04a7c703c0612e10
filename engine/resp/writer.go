// Package resp is the server's protocol, seen from both ends: a Writer makes replies in RESP2 or
// RESP3 as the server words them, Parse reads them back, Text prints them as valkey-cli does, and
// Split takes a typed line apart as valkey-cli does.
package resp

import (
	"strconv"

	"github.com/keyloupe/keyloupe/engine/fpconv"
)

// Writer collects replies. Proto is 2 or 3.
type Writer struct {
	Buf   []byte
	Proto int
}

// Len is the number of bytes so far; Truncate takes back what was written after.
func (w *Writer) Len() int       { return len(w.Buf) }
func (w *Writer) Truncate(n int) { w.Buf = w.Buf[:n] }

func (w *Writer) line(t byte, s string) {
	w.Buf = append(w.Buf, t)
	w.Buf = append(w.Buf, s...)
	w.Buf = append(w.Buf, '\r', '\n')
}

func (w *Writer) header(t byte, n int) {
	w.Buf = append(w.Buf, t)
	w.Buf = strconv.AppendInt(w.Buf, int64(n), 10)
	w.Buf = append(w.Buf, '\r', '\n')
}

// Status is a simple string, such as OK.
func (w *Writer) Status(s string) { w.line('+', s) }

// OK is the status OK.
func (w *Writer) OK() { w.Buf = append(w.Buf, "+OK\r\n"...) }

// Error is an error with its code first: "ERR no such key". Line breaks become spaces, as in the
// server.
func (w *Writer) Error(s string) {
	b := []byte(s)
	for i, c := range b {
		if c == '\r' || c == '\n' {
			b[i] = ' '
		}
	}
	w.line('-', string(b))
}

// Int is an integer.
func (w *Writer) Int(n int64) {
	w.Buf = append(w.Buf, ':')
	w.Buf = strconv.AppendInt(w.Buf, n, 10)
	w.Buf = append(w.Buf, '\r', '\n')
}

// Bulk is a string of any bytes.
func (w *Writer) Bulk(b []byte) {
	w.header('$', len(b))
	w.Buf = append(w.Buf, b...)
	w.Buf = append(w.Buf, '\r', '\n')
}

// BulkString is Bulk.
func (w *Writer) BulkString(s string) {
	w.header('$', len(s))
	w.Buf = append(w.Buf, s...)
	w.Buf = append(w.Buf, '\r', '\n')
}

// BulkInt is an integer as a string.
func (w *Writer) BulkInt(n int64) {
	var num [24]byte
	w.Bulk(strconv.AppendInt(num[:0], n, 10))
}

// Null is the absent value.
func (w *Writer) Null() {
	if w.Proto >= 3 {
		w.Buf = append(w.Buf, "_\r\n"...)
	} else {
		w.Buf = append(w.Buf, "$-1\r\n"...)
	}
}

// NullArray is the absent array, which RESP3 does not tell from the absent value.
func (w *Writer) NullArray() {
	if w.Proto >= 3 {
		w.Buf = append(w.Buf, "_\r\n"...)
	} else {
		w.Buf = append(w.Buf, "*-1\r\n"...)
	}
}

// Array begins an array of n replies.
func (w *Writer) Array(n int) { w.header('*', n) }

// Map begins a map of n pairs; in RESP2 an array of twice as many replies.
func (w *Writer) Map(n int) {
	if w.Proto >= 3 {
		w.header('%', n)
	} else {
		w.header('*', 2*n)
	}
}

// Set begins a set of n replies; in RESP2 an array.
func (w *Writer) Set(n int) {
	if w.Proto >= 3 {
		w.header('~', n)
	} else {
		w.header('*', n)
	}
}

// Push begins an out-of-band message of n replies; in RESP2 an array.
func (w *Writer) Push(n int) {
	if w.Proto >= 3 {
		w.header('>', n)
	} else {
		w.header('*', n)
	}
}

// Attribute begins n pairs of RESP3 that go before a reply.
func (w *Writer) Attribute(n int) { w.header('|', n) }

// Bool is true or false; in RESP2 1 or 0.
func (w *Writer) Bool(b bool) {
	switch {
	case w.Proto >= 3 && b:
		w.Buf = append(w.Buf, "#t\r\n"...)
	case w.Proto >= 3:
		w.Buf = append(w.Buf, "#f\r\n"...)
	case b:
		w.Int(1)
	default:
		w.Int(0)
	}
}

// Verbatim is text with a three-letter format, such as "txt"; in RESP2 a string.
func (w *Writer) Verbatim(format, text string) {
	if w.Proto < 3 {
		w.BulkString(text)
		return
	}
	w.header('=', len(text)+4)
	w.Buf = append(w.Buf, format...)
	w.Buf = append(w.Buf, ':')
	w.Buf = append(w.Buf, text...)
	w.Buf = append(w.Buf, '\r', '\n')
}

// BigNumber is an integer of any size; in RESP2 a string.
func (w *Writer) BigNumber(digits string) {
	if w.Proto < 3 {
		w.BulkString(digits)
		return
	}
	w.line('(', digits)
}

// Double is a floating-point number; in RESP2 a string.
func (w *Writer) Double(f float64) {
	var buf [32]byte
	s := fpconv.Append(buf[:0], f)
	if w.Proto < 3 {
		w.Bulk(s)
		return
	}
	w.line(',', string(s))
}
