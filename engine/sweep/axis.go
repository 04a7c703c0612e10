package sweep

import (
	"strconv"
	"strings"
)

// span is from, from+step, ... up to at most to.
type span struct{ from, to, step int }

func (s span) len() int { return (s.to-s.from)/s.step + 1 }

// Axis is the values of one field, in the order they were named. It keeps ranges as ranges: an axis
// of a thousand million values takes a few bytes.
type Axis []span

// Len is the number of values.
func (a Axis) Len() (n int) {
	for _, s := range a {
		n += s.len()
	}
	return n
}

// Bounds are the smallest and the largest value.
func (a Axis) Bounds() (low, high int) {
	low, high = a[0].from, a[0].from
	for _, s := range a {
		low = min(low, s.from)
		high = max(high, s.from+(s.len()-1)*s.step)
	}
	return low, high
}

// All yields the values in order.
func (a Axis) All(yield func(int) bool) {
	for _, s := range a {
		for i, n := 0, s.len(); i < n; i++ {
			if !yield(s.from + i*s.step) {
				return
			}
		}
	}
}

// At is the value at index i.
func (a Axis) At(i int) int {
	for _, s := range a {
		if n := s.len(); i >= n {
			i -= n
			continue
		}
		return s.from + i*s.step
	}
	panic("sweep: index outside of the axis")
}

// String writes the axis as ParseAxis reads it: "0..200", "8,16,100..200/10".
func (a Axis) String() string {
	var b strings.Builder
	for i, s := range a {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(s.from))
		if s.to == s.from {
			continue
		}
		b.WriteString("..")
		b.WriteString(strconv.Itoa(s.to))
		if s.step != 1 {
			b.WriteByte('/')
			b.WriteString(strconv.Itoa(s.step))
		}
	}
	return b.String()
}

// maxItems bounds how many numbers and ranges one field may list.
const maxItems = 10_000

// One is the axis of a single value.
func One(n int) Axis { return Axis{{n, n, 1}} }

// Range is the axis from, from+1, ... to.
func Range(from, to int) Axis { return Axis{{from, to, 1}} }

// parseAxis reads a list of numbers and ranges: "16", "0..200", "0..1000/8", "8,16,32..64". Numbers
// may have underscores and the suffixes k, M and G (thousands): "200_000", "200k".
func parseAxis(field, text string, low, high int) (Axis, error) {
	items := strings.Split(text, ",")
	if len(items) > maxItems {
		return nil, fieldErrorf(field, "%d items listed, at most %d are allowed: write a range such as %d..%d", len(items), maxItems, low, low+200)
	}
	out := make(Axis, 0, len(items))
	for _, item := range items {
		s, err := parseSpan(field, strings.TrimSpace(item), low, high)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

func parseSpan(field, item string, low, high int) (s span, err error) {
	rest, step, hasStep := strings.Cut(item, "/")
	from, to, isRange := strings.Cut(rest, "..")
	if !isRange {
		to = from
		if hasStep {
			return s, fieldErrorf(field, "%s has a step but is no range: write %d..%d/8", quote(item), low, low+200)
		}
	}
	if s.from, err = parseNumber(field, from, low, high); err != nil {
		return s, err
	}
	if s.to, err = parseNumber(field, to, low, high); err != nil {
		return s, err
	}
	s.step = 1
	if hasStep {
		if s.step, err = parseNumber(field, step, 1, high); err != nil {
			return s, err
		}
	}
	if s.to < s.from {
		return s, fieldErrorf(field, "the range %s ends before it starts: write %d..%d", quote(item), s.to, s.from)
	}
	s.to = s.from + (s.to-s.from)/s.step*s.step // the last value, so that equal axes are written alike
	return s, nil
}

func parseNumber(field, text string, low, high int) (int, error) {
	t := strings.TrimSpace(text)
	unit := 1
	if n := len(t); n > 1 {
		switch t[n-1] {
		case 'k', 'K':
			unit = 1_000
		case 'M':
			unit = 1_000_000
		case 'G':
			unit = 1_000_000_000
		}
		if unit > 1 {
			t = t[:n-1]
		}
	}
	digits := strings.ReplaceAll(t, "_", "")
	v, err := strconv.ParseUint(digits, 10, 62)
	switch {
	case digits == "" || strings.IndexFunc(digits, func(r rune) bool { return r < '0' || r > '9' }) >= 0:
		return 0, fieldErrorf(field, "%s is not a whole number: write a number, a range a..b or a..b/step, or a list of them", quote(text))
	case err != nil || v > uint64(high/unit):
		return 0, fieldErrorf(field, "%s is too large: at most %d", quote(text), high)
	case int(v)*unit < low:
		return 0, fieldErrorf(field, "%s is too small: at least %d", quote(text), low)
	}
	return int(v) * unit, nil
}
