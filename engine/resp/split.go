package resp

import (
	"errors"
	"strings"
)

// Errors of Split.
var (
	ErrUnbalanced = errors.New(`invalid argument(s): a quote is not closed; close it with the same quote sign`)
)

// Split takes a typed line apart as valkey-cli and the server do from 9.0 on: arguments are separated
// by blanks; in double quotes \n \r \t \b \a \" \\ and \xNN stand for bytes, in single quotes only
// \'. Quotes may stand anywhere in an argument (sds.c, sdsnsplitargs).
func Split(line string) ([]string, error) { return split(line, false) }

// SplitOld is Split as up to 8.1: an argument ends where a quote closes, and a blank or the end must
// follow (sds.c, sdssplitargs).
func SplitOld(line string) ([]string, error) { return split(line, true) }

func split(line string, old bool) ([]string, error) {
	var out []string
	for i := 0; ; {
		for i < len(line) && blank(line[i]) {
			i++
		}
		if i == len(line) || line[i] == 0 {
			return out, nil
		}
		arg, next, err := argument(line, i, old)
		if err != nil {
			return nil, err
		}
		out, i = append(out, arg), next
	}
}

// Bytes are the arguments as a command takes them.
func Bytes(args []string) [][]byte {
	b := make([][]byte, len(args))
	for i, a := range args {
		b[i] = []byte(a)
	}
	return b
}

func blank(c byte) bool {
	return c == ' ' || c >= '\t' && c <= '\r'
}

// ends tells whether a byte ends an argument outside of quotes: not every blank does.
func ends(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == 0 }

func argument(line string, i int, old bool) (string, int, error) {
	var b strings.Builder
	for i < len(line) && !ends(line[i]) {
		c := line[i]
		if c != '"' && c != '\'' {
			b.WriteByte(c)
			i++
			continue
		}
		text, next, ok := quoted(line, i+1, c)
		if !ok || old && next < len(line) && !blank(line[next]) {
			return "", 0, ErrUnbalanced
		}
		b.WriteString(text)
		if i = next; old {
			break
		}
	}
	return b.String(), i, nil
}

// quoted reads up to the closing quote and returns the place after it.
func quoted(line string, i int, quote byte) (string, int, bool) {
	var b strings.Builder
	for i < len(line) {
		c := line[i]
		switch {
		case c == quote:
			return b.String(), i + 1, true
		case c == '\\' && quote == '"' && i+3 < len(line) && line[i+1] == 'x' && hexDigit(line[i+2]) >= 0 && hexDigit(line[i+3]) >= 0:
			b.WriteByte(byte(hexDigit(line[i+2])<<4 | hexDigit(line[i+3])))
			i += 4
		case c == '\\' && quote == '"' && i+1 < len(line):
			b.WriteByte(escape(line[i+1]))
			i += 2
		case c == '\\' && quote == '\'' && i+1 < len(line) && line[i+1] == '\'':
			b.WriteByte('\'')
			i += 2
		default:
			b.WriteByte(c)
			i++
		}
	}
	return "", 0, false
}

func escape(c byte) byte {
	switch c {
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	case 'b':
		return '\b'
	case 'a':
		return '\a'
	}
	return c
}

func hexDigit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}
