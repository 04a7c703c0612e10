package ui

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/keyloupe/keyloupe/engine/layout"
)

// group writes an integer with narrow spaces between thousands.
func group(n int) string {
	s := strconv.Itoa(n)
	sign := ""
	if n < 0 {
		sign, s = "−", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "\u202f" + s[i:]
	}
	return sign + s
}

// bytesText is a size with its unit.
func bytesText(n int) string { return group(n) + " B" }

// deltaText is a difference with its sign; none is 0.
func deltaText(n int) string {
	if n > 0 {
		return "+" + group(n)
	}
	return group(n)
}

// deltaClass colours a difference: fewer bytes are good.
func deltaClass(n int) string {
	switch {
	case n < 0:
		return "g"
	case n > 0:
		return "b"
	}
	return "n"
}

// keyText is a key's name as it would be typed, short enough for a row.
func keyText(key []byte) string { return clip(printable(key), 200) }

// printable quotes what is not plain text.
func printable(b []byte) string {
	plain := func(r rune) bool { return unicode.IsGraphic(r) && !unicode.IsSpace(r) && r != '"' && r != '\\' }
	if len(b) > 0 && utf8.Valid(b) && strings.IndexFunc(string(b), func(r rune) bool { return !plain(r) }) < 0 {
		return string(b)
	}
	return layout.Quote(b)
}

// clip shortens a text to n bytes of whole characters.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return s[:n] + "…"
}

// span says a time in words that a person reads at a glance.
func span(ms int64) string {
	if ms < 0 {
		ms = 0
	}
	s := ms / 1000
	d, h, m := s/86400, s/3600%24, s/60%60
	switch {
	case d > 0:
		return fmt.Sprintf("%d d %d h", d, h)
	case h > 0:
		return fmt.Sprintf("%d h %d min", h, m)
	case m > 0:
		return fmt.Sprintf("%d min %d s", m, s%60)
	}
	return fmt.Sprintf("%d s", s)
}

// plural is "1 block", "2 blocks".
func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	if w, ok := strings.CutSuffix(word, "y"); ok && w != "ke" {
		return group(n) + " " + w + "ies"
	}
	return group(n) + " " + word + "s"
}
