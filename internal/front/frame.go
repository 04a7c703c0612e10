package front

import (
	"bytes"

	"github.com/keyloupe/keyloupe/engine/decimal"
	"github.com/keyloupe/keyloupe/engine/resp"
)

// framer takes commands out of the bytes that a client sends: arrays of strings, or typed lines
// (networking.c, parseMultibulk and parseInlineBuffer).
//
//	*2 \r\n $4 \r\n ECHO \r\n $2 \r\n hi \r\n      echo hi \r\n
//
// It keeps the offsets of what it has read of a command, so that a long argument that arrives in
// many pieces is looked at once. It allocates for what has arrived, never for what is announced.
type framer struct {
	buf       []byte
	pos       int   // first byte not looked at
	left      int   // arguments of the array still to come, 0 when none is open
	size      int64 // length of the argument being read, -1 before its header
	at        []int // start and end of each argument read
	typed     bool  // the last command was a typed line
	stranger  bool  // the client must give a password first
	maxBulk   int64
	oldQuotes bool // an argument of a typed line ends where a quote closes
	strict    bool // bytes where CR LF should stand are an error, not skipped
}

// protocolError is a client's fault after which it is disconnected.
type protocolError string

func (e protocolError) Error() string { return "ERR Protocol error: " + string(e) }

const errCRLF = protocolError("invalid CRLF in request")

const (
	// maxLine bounds a typed line, and the header of an array or string (PROTO_INLINE_MAX_SIZE).
	maxLine = 64 << 10
	maxArgs = 1<<31 - 1
	// strangerArgs and strangerLength bound what a client may send before it gave the password.
	strangerArgs, strangerLength = 10, 16 << 10
	// keptBuffer is the room that stays with a connection when everything in it has been executed.
	keptBuffer = 16 << 10
)

// feed adds bytes that arrived. What commands have been taken out of is let go.
func (f *framer) feed(b []byte) {
	if f.left == 0 && f.pos > 0 {
		rest := f.buf[f.pos:]
		if cap(f.buf) > keptBuffer && len(rest) < keptBuffer/2 {
			f.buf = append([]byte(nil), rest...)
		} else {
			f.buf = append(f.buf[:0], rest...)
		}
		f.pos = 0
	}
	f.buf = append(f.buf, b...)
}

// waiting is how many bytes are kept that no command has been taken out of.
func (f *framer) waiting() int {
	if f.left > 0 {
		return len(f.buf)
	}
	return len(f.buf) - f.pos
}

// memory is how many bytes are kept for what is waiting.
func (f *framer) memory() int {
	if f.left == 0 {
		return f.waiting()
	}
	return f.waiting() + len(f.at)*8
}

// idle lets go of the room that a long command took, once nothing of it is left.
func (f *framer) idle() {
	if f.waiting() == 0 && cap(f.buf) > keptBuffer {
		f.buf, f.pos = nil, 0
	}
	if f.left == 0 && cap(f.at) > keptBuffer/16 {
		f.at = nil
	}
}

// next is the next whole command, nil when more bytes are needed. Its arguments are good until the
// next feed.
func (f *framer) next() ([][]byte, error) {
	for f.left == 0 {
		if f.pos == len(f.buf) {
			return nil, nil
		}
		if f.buf[f.pos] != '*' {
			args, done, err := f.inline()
			f.typed = true
			if err != nil || !done || len(args) > 0 {
				return args, err
			}
			continue // an empty line is nothing
		}
		if ok, err := f.array(); err != nil || !ok {
			return nil, err
		}
	}
	for f.left > 0 {
		if ok, err := f.argument(); err != nil || !ok {
			return nil, err
		}
	}
	f.typed = false
	args := make([][]byte, len(f.at)/2)
	for i := range args {
		args[i] = f.buf[f.at[2*i]:f.at[2*i+1]:f.at[2*i+1]]
	}
	return args, nil
}

// array reads the header of an array; one of no arguments, or fewer, is nothing.
func (f *framer) array() (bool, error) {
	line, ok, err := f.line(0, "too big mbulk count string")
	if err != nil || !ok {
		return false, err
	}
	n, ok := decimal.Parse(line[1:])
	if !ok || n > maxArgs {
		return false, protocolError("invalid multibulk length")
	}
	if f.stranger && n > strangerArgs {
		return false, protocolError("unauthenticated multibulk length")
	}
	if n > 0 {
		f.left, f.size, f.at = int(n), -1, f.at[:0]
	}
	return true, nil
}

// argument reads one argument with its header.
func (f *framer) argument() (bool, error) {
	if f.size < 0 {
		line, ok, err := f.line('$', "too big bulk count string")
		if err != nil || !ok {
			return false, err
		}
		n, ok := decimal.Parse(line[1:])
		if !ok || n < 0 || n > f.maxBulk {
			return false, protocolError("invalid bulk length")
		}
		if f.stranger && n > strangerLength {
			return false, protocolError("unauthenticated bulk length")
		}
		f.size = n
	}
	if int64(len(f.buf)-f.pos) < f.size+2 {
		return false, nil
	}
	end := f.pos + int(f.size)
	if f.strict && (f.buf[end] != '\r' || f.buf[end+1] != '\n') {
		return false, errCRLF
	}
	f.at = append(f.at, f.pos, end)
	f.pos, f.size = end+2, -1
	f.left--
	return true, nil
}

// line takes a line that ends in CR LF and begins with kind, where that is not 0; ok is false where
// it has not wholly arrived.
func (f *framer) line(kind byte, tooBig protocolError) (line []byte, ok bool, err error) {
	rest := f.buf[f.pos:]
	i := bytes.IndexByte(rest, '\r')
	switch {
	case i < 0 && len(rest) > maxLine:
		return nil, false, tooBig
	case i < 0 || i+1 == len(rest):
		return nil, false, nil
	case kind != 0 && rest[0] != kind:
		return nil, false, protocolError("expected '" + string(rune(kind)) + "', got '" + string(rest[:1]) + "'")
	case f.strict && rest[i+1] != '\n':
		return nil, false, errCRLF
	}
	f.pos += i + 2
	return rest[:i], true, nil
}

// inline takes a typed line apart; done is false where it has not wholly arrived. A zero byte hides
// the end of its line, as the server looks for it in a C string.
func (f *framer) inline() (args [][]byte, done bool, err error) {
	rest := f.buf[f.pos:]
	i := bytes.IndexByte(rest, '\n')
	if i < 0 || bytes.IndexByte(rest[:i], 0) >= 0 {
		if len(rest) > maxLine {
			return nil, false, protocolError("too big inline request")
		}
		return nil, false, nil
	}
	split := resp.Split
	if f.oldQuotes {
		split = resp.SplitOld
	}
	words, err := split(string(bytes.TrimSuffix(rest[:i], []byte{'\r'})))
	if err != nil {
		return nil, false, protocolError("unbalanced quotes in request")
	}
	f.pos += i + 1
	for _, w := range words {
		args = append(args, []byte(w))
	}
	return args, true, nil
}
