package front

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/keyloupe/keyloupe/engine/resp"
)

// framer takes commands out of the bytes that a client sends: arrays of strings, or typed lines
// (networking.c, processInputBuffer). It keeps the offsets of what it has read of a command, so that
// a long argument that arrives in many pieces is looked at once.
type framer struct {
	buf     []byte
	pos     int   // first byte not looked at
	left    int   // arguments of the array still to come, 0 when none is open
	size    int64 // length of the argument being read, -1 before its header
	at      []int // start and end of each argument read
	maxBulk int64
}

// protocolError is a client's fault after which it is disconnected.
type protocolError string

func (e protocolError) Error() string { return "ERR Protocol error: " + string(e) }

// maxLine bounds a typed line, and the header of an array or string (PROTO_INLINE_MAX_SIZE).
const maxLine = 64 << 10

// feed adds bytes that arrived. What commands have been taken out of is let go.
func (f *framer) feed(b []byte) {
	if f.left == 0 && f.pos > 0 {
		f.buf = append(f.buf[:0], f.buf[f.pos:]...)
		f.pos = 0
	}
	f.buf = append(f.buf, b...)
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
			if err != nil || done && len(args) > 0 || !done {
				return args, err
			}
			continue // an empty line is nothing
		}
		line, ok, err := f.line("too big mbulk count string")
		if err != nil || !ok {
			return nil, err
		}
		n, err := strconv.ParseInt(string(line[1:]), 10, 64)
		if err != nil || n > 1<<31-1 {
			return nil, protocolError("invalid multibulk length")
		}
		if n > 0 { // none, or fewer, is nothing
			f.left, f.size, f.at = int(n), -1, f.at[:0]
		}
	}
	for f.left > 0 {
		if f.size < 0 {
			if ok, err := f.header(); err != nil || !ok {
				return nil, err
			}
		}
		end := f.pos + int(f.size)
		if len(f.buf) < end+2 {
			return nil, nil
		}
		f.at = append(f.at, f.pos, end)
		f.pos, f.size = end+2, -1
		f.left--
	}
	args := make([][]byte, len(f.at)/2)
	for i := range args {
		args[i] = f.buf[f.at[2*i]:f.at[2*i+1]:f.at[2*i+1]]
	}
	return args, nil
}

// header reads the length of an argument.
func (f *framer) header() (bool, error) {
	line, ok, err := f.line("too big bulk count string")
	if err != nil || !ok {
		return false, err
	}
	if len(line) == 0 || line[0] != '$' {
		got := byte(0)
		if len(line) > 0 {
			got = line[0]
		}
		return false, protocolError(fmt.Sprintf("expected '$', got '%c'", got))
	}
	n, err := strconv.ParseInt(string(line[1:]), 10, 64)
	if err != nil || n < 0 || n > f.maxBulk {
		return false, protocolError("invalid bulk length")
	}
	f.size = n
	return true, nil
}

// line takes a line that ends in CR LF; ok is false where it has not wholly arrived.
func (f *framer) line(tooBig string) (line []byte, ok bool, err error) {
	i := bytes.IndexByte(f.buf[f.pos:], '\r')
	if i < 0 || f.pos+i+1 >= len(f.buf) {
		if len(f.buf)-f.pos > maxLine {
			return nil, false, protocolError(tooBig)
		}
		return nil, false, nil
	}
	line = f.buf[f.pos : f.pos+i]
	f.pos += i + 2
	return line, true, nil
}

// inline takes a typed line apart; done is false where it has not wholly arrived.
func (f *framer) inline() (args [][]byte, done bool, err error) {
	i := bytes.IndexByte(f.buf[f.pos:], '\n')
	if i < 0 {
		if len(f.buf)-f.pos > maxLine {
			return nil, false, protocolError("too big inline request")
		}
		return nil, false, nil
	}
	line := bytes.TrimSuffix(f.buf[f.pos:f.pos+i], []byte{'\r'})
	f.pos += i + 1
	words, err := resp.Split(string(line))
	if err != nil {
		return nil, false, protocolError("unbalanced quotes in request")
	}
	for _, w := range words {
		args = append(args, []byte(w))
	}
	return args, true, nil
}
