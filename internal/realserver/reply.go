//go:build !js

package realserver

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// The types of a reply, one for each of the protocol's, so that a test sees what was sent and not what it amounts to.
type (
	Status   string // +
	Error    string // - and !
	Int      int64  // :
	Bulk     string // $
	Nil      byte   // how it was written: '$' and '*' in RESP2, '_' in RESP3
	Array    []any  // *
	Map      []Pair // %
	Set      []any  // ~
	Push     []any  // >
	Double   string // , the digits as sent
	Bool     bool   // #
	BigNum   string // (
	Verbatim struct{ Format, Text string }
	Pair     struct{ Key, Value any }
)

// maxBulk bounds what one length may ask for; the server's own limit is 512 MB.
const maxBulk = 512 << 20

// ReadReply reads one reply.
func ReadReply(r *bufio.Reader) (any, error) { return (&replyReader{r: r}).reply() }

// ReadReplyRaw reads one reply and returns its bytes too.
func ReadReplyRaw(r *bufio.Reader) (reply any, raw []byte, err error) {
	rr := replyReader{r: r, keep: true}
	reply, err = rr.reply()
	return reply, rr.raw, err
}

type replyReader struct {
	r    *bufio.Reader
	keep bool
	raw  []byte // all bytes read, if keep
}

func (r *replyReader) reply() (any, error) {
	line, err := r.line()
	if err != nil {
		return nil, err
	}
	if line == "" {
		return nil, errors.New("empty reply line")
	}
	kind, rest := line[0], line[1:]
	switch kind {
	case '+':
		return Status(rest), nil
	case '-':
		return Error(rest), nil
	case ':':
		n, err := strconv.ParseInt(rest, 10, 64)
		return Int(n), err
	case ',':
		return Double(rest), nil
	case '(':
		return BigNum(rest), nil
	case '#':
		return Bool(rest == "t"), nil
	case '_':
		return Nil('_'), nil
	case '$', '!', '=':
		return r.bulk(kind, rest)
	case '*', '~', '>', '%', '|':
		return r.many(kind, rest)
	}
	return nil, fmt.Errorf("unknown reply type %q", line)
}

func (r *replyReader) line() (string, error) {
	line, err := r.r.ReadString('\n')
	if err != nil {
		return "", err
	}
	if len(line) < 2 || line[len(line)-2] != '\r' {
		return "", fmt.Errorf("reply line %q does not end in CR LF", line)
	}
	if r.keep {
		r.raw = append(r.raw, line...)
	}
	return line[:len(line)-2], nil
}

func (r *replyReader) bulk(kind byte, length string) (any, error) {
	n, err := strconv.Atoi(length)
	if err != nil || n < -1 || n > maxBulk {
		return nil, fmt.Errorf("bad length %q", length)
	}
	if n == -1 {
		return Nil(kind), nil
	}
	b := make([]byte, n+2)
	if _, err := io.ReadFull(r.r, b); err != nil {
		return nil, err
	}
	if r.keep {
		r.raw = append(r.raw, b...)
	}
	text := string(b[:n])
	switch kind {
	case '!':
		return Error(text), nil
	case '=':
		if n < 4 {
			return nil, fmt.Errorf("verbatim text %q has no format", text)
		}
		return Verbatim{Format: text[:3], Text: text[4:]}, nil
	}
	return Bulk(text), nil
}

func (r *replyReader) many(kind byte, length string) (any, error) {
	n, err := strconv.Atoi(length)
	if err != nil || n < -1 {
		return nil, fmt.Errorf("bad length %q", length)
	}
	if n == -1 {
		return Nil(kind), nil
	}
	if kind == '%' || kind == '|' {
		m, err := r.pairs(n)
		if err != nil || kind == '%' {
			return m, err
		}
		return r.reply() // attributes belong to the reply after them
	}
	all := make([]any, 0, min(n, 1024))
	for range n {
		one, err := r.reply()
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	switch kind {
	case '~':
		return Set(all), nil
	case '>':
		return Push(all), nil
	}
	return Array(all), nil
}

func (r *replyReader) pairs(n int) (Map, error) {
	m := make(Map, 0, min(n, 1024))
	for range n {
		k, err := r.reply()
		if err != nil {
			return nil, err
		}
		v, err := r.reply()
		if err != nil {
			return nil, err
		}
		m = append(m, Pair{k, v})
	}
	return m, nil
}
