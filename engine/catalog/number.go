package catalog

import (
	"math"
	"math/bits"
	"strconv"

	"github.com/keyloupe/keyloupe/engine/decimal"
)

// parseNumber reads a number of the directive's kind and checks its range. Inside it is the server's long long: a
// percentage is negative, what is over 2^63 wraps.
func (g *Config) parseNumber(value []byte, loose bool) (v, bad string) {
	n, ok := g.readNumber(value, loose)
	if !ok {
		return "", g.notANumber()
	}
	if bad := g.outOfRange(n); bad != "" {
		return "", bad
	}
	return g.print(n), ""
}

func (g *Config) readNumber(value []byte, loose bool) (n int64, ok bool) {
	switch g.Kind {
	case KindMemory:
		if u, ok := parseMemory(value, loose); ok {
			return int64(u), true
		}
		if g.SignedMemory {
			return decimal.Parse(value)
		}
		if last := len(value) - 1; g.Percent && last > 0 && value[last] == '%' {
			n, ok = decimal.Parse(value[:last])
			return -n, ok && n >= 0
		}
		return 0, false
	case KindOctal:
		n, full, inRange := leadingNumber(value, 8)
		return n, full && inRange
	case KindUnsigned:
		u, err := strconv.ParseUint(string(value), 10, 64)
		return int64(u), err == nil
	}
	return decimal.Parse(value)
}

func (g *Config) notANumber() string {
	switch {
	case g.Percent:
		return "argument must be a memory or percent value"
	case g.Kind == KindMemory:
		return "argument must be a memory value"
	case g.Kind == KindOctal:
		return "argument couldn't be parsed as an octal number"
	case g.Kind == KindUnsigned:
		return "argument couldn't be parsed as an unsigned number"
	}
	return "argument couldn't be parsed into an integer"
}

func (g *Config) outOfRange(n int64) string {
	switch {
	case g.Unbounded:
		return ""
	case g.Percent && n < 0:
		if n < g.Min {
			return "percentage argument must be less or equal to " + strconv.FormatInt(-g.Min, 10)
		}
		return ""
	case n >= g.Min && n <= g.Max:
		return ""
	}
	base := 10
	if g.Kind == KindOctal {
		base = 8
	}
	return "argument must be between " + strconv.FormatInt(g.Min, base) + " and " + strconv.FormatInt(g.Max, base) + " inclusive"
}

func (g *Config) print(n int64) string {
	switch {
	case g.Percent && n < 0:
		return strconv.FormatInt(-n, 10) + "%"
	case g.SignedMemory && n < 0:
		return strconv.FormatInt(n, 10)
	case g.Kind == KindMemory, g.Kind == KindUnsigned:
		return strconv.FormatUint(uint64(n), 10)
	case g.Kind == KindOctal:
		return strconv.FormatUint(uint64(n), 8)
	}
	return strconv.FormatInt(n, 10)
}

var memoryUnits = []struct {
	name string
	size uint64
}{
	{"", 1}, {"b", 1}, {"k", 1000}, {"kb", 1 << 10}, {"m", 1000 * 1000}, {"mb", 1 << 20}, {"g", 1000 * 1000 * 1000}, {"gb", 1 << 30},
}

// longestMemory is the room the server has for the digits of a memory size.
const longestMemory = 127

// parseMemory reads digits and a unit. No digits are 0; digits over 64 bits are refused or, loose, the largest number;
// with its unit a number may wrap.
func parseMemory(value []byte, loose bool) (uint64, bool) {
	digits := 0
	for digits < len(value) && isDigit(value[digits]) {
		digits++
	}
	if digits > longestMemory {
		return 0, false
	}
	for _, u := range memoryUnits {
		if !isWord(value[digits:], u.name) {
			continue
		}
		n, err := strconv.ParseUint(string(value[:digits]), 10, 64)
		switch {
		case digits == 0:
			return 0, true
		case err != nil && !loose:
			return 0, false
		case err != nil:
			n = math.MaxUint64
		}
		_, low := bits.Mul64(n, u.size)
		return low, true
	}
	return 0, false
}

// leadingNumber is C's strtoll: blanks, a sign, digits; full says that nothing follows them. Over 64 bits it is the
// nearest number and not inRange.
func leadingNumber(b []byte, base int) (n int64, full, inRange bool) {
	i := 0
	for i < len(b) && isSpace(b[i]) {
		i++
	}
	start := i
	if i < len(b) && (b[i] == '-' || b[i] == '+') {
		i++
	}
	first := i
	for i < len(b) && b[i] >= '0' && int(b[i]-'0') < base {
		i++
	}
	if i == first { // no digits: nothing is read
		return 0, len(b) == 0 || b[0] == 0, true
	}
	n, err := strconv.ParseInt(string(b[start:i]), base, 64)
	return n, i == len(b) || b[i] == 0, err == nil
}

func isSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }
