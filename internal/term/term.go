// Package term tells what a stream can show: whether it is a terminal, how wide, and whether in colour.
package term

import (
	"cmp"
	"fmt"
	"os"
	"runtime"
	"strings"

	"golang.org/x/term"
)

// IsTerminal tells whether a reader or writer is a terminal.
func IsTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Unicode tells whether a terminal is likely to show more than ASCII: its locale says so (LC_ALL, LC_CTYPE, LANG, in this
// order), or it is Windows', which has none; and TERM is not dumb.
func Unicode() bool {
	if os.Getenv("TERM") == "dumb" {
		return false
	}
	locale := strings.ToLower(cmp.Or(os.Getenv("LC_ALL"), os.Getenv("LC_CTYPE"), os.Getenv("LANG")))
	return strings.Contains(locale, "utf-8") || strings.Contains(locale, "utf8") || locale == "" && runtime.GOOS == "windows"
}

// defaultWidth is the width of what is no terminal.
const defaultWidth = 80

// Width is how many columns a terminal has, 80 for what is none.
func Width(w any) int {
	if f, ok := w.(*os.File); ok {
		if n, _, err := term.GetSize(int(f.Fd())); err == nil && n > 0 {
			return n
		}
	}
	return defaultWidth
}

// When says when to colour; it is the value of a flag --color.
type When int

// Auto colours on a terminal, unless NO_COLOR is set or TERM is dumb.
const (
	Auto When = iota
	Always
	Never
)

// Whens are the names of the values, in their order.
var Whens = []string{"auto", "always", "never"}

// String is the value's name.
func (c When) String() string { return Whens[c] }

// Type is how the help of a flag calls its values.
func (c When) Type() string { return "when" }

// Set reads a name.
func (c *When) Set(name string) error {
	for i, n := range Whens {
		if n == name {
			*c = When(i)
			return nil
		}
	}
	return fmt.Errorf("%q is none of auto, always, never", name)
}

// Colors is how to write to w.
func (c When) Colors(w any) Colors {
	switch c {
	case Always:
		prepare(w)
		return true
	case Auto:
		return Colors(os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && IsTerminal(w) && prepare(w))
	}
	return false
}

// Colors paints text where it is true.
type Colors bool

// Style is how a text is painted: the parameters of the escape sequence SGR. The colours are those of the terminal's own
// palette, which its user has chosen to be readable on its background.
type Style string

// Styles by what they look like.
const (
	Plain   Style = ""
	Bold    Style = "1"
	Dim     Style = "2"
	Red     Style = "31"
	Green   Style = "32"
	Yellow  Style = "33"
	Blue    Style = "34"
	Magenta Style = "35"
	Cyan    Style = "36"
	Grey    Style = "90"
)

// Paint is the text in a style.
func (c Colors) Paint(s Style, text string) string {
	if !c || s == Plain || text == "" {
		return text
	}
	return "\x1b[" + string(s) + "m" + text + "\x1b[0m"
}
