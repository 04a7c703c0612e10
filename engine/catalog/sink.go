package catalog

import "strconv"

// A Sink takes a reply in the order it is written, lengths first. Package resp's Writer is one.
type Sink interface {
	Array(n int)
	Map(n int) // n pairs follow
	Set(n int)
	BulkString(s string)
	Status(s string)
	Int(n int64)
	Null()
	Error(text string) // with its code: "ERR …"
}

// Wire is a Sink that writes the protocol's bytes.
type Wire struct {
	Proto int // 2 or 3
	Bytes []byte
}

func (w *Wire) head(kind byte, n int64) {
	w.Bytes = append(strconv.AppendInt(append(w.Bytes, kind), n, 10), '\r', '\n')
}

func (w *Wire) line(kind byte, s string) {
	w.Bytes = append(append(append(w.Bytes, kind), s...), '\r', '\n')
}

// Array begins an array.
func (w *Wire) Array(n int) { w.head('*', int64(n)) }

// Map begins a map: in RESP2 an array of twice the length.
func (w *Wire) Map(n int) {
	if w.Proto == 3 {
		w.head('%', int64(n))
		return
	}
	w.head('*', 2*int64(n))
}

// Set begins a set: in RESP2 an array.
func (w *Wire) Set(n int) {
	if w.Proto == 3 {
		w.head('~', int64(n))
		return
	}
	w.head('*', int64(n))
}

// BulkString writes a string.
func (w *Wire) BulkString(s string) {
	w.head('$', int64(len(s)))
	w.Bytes = append(append(w.Bytes, s...), '\r', '\n')
}

// Status writes a simple string.
func (w *Wire) Status(s string) { w.line('+', s) }

// Error writes an error.
func (w *Wire) Error(s string) { w.line('-', s) }

// Int writes an integer.
func (w *Wire) Int(n int64) { w.head(':', n) }

// Null writes null: in RESP2 the null bulk string.
func (w *Wire) Null() {
	if w.Proto == 3 {
		w.Bytes = append(w.Bytes, "_\r\n"...)
		return
	}
	w.Bytes = append(w.Bytes, "$-1\r\n"...)
}
