package lineedit

import (
	"unicode/utf8"

	"github.com/nyaosorg/go-readline-ny/keys"
)

// sequences are the escape sequences of terminals for keys that mean something here. Terminals differ in those for Home
// and End, and send other ones for arrows while an application asks for that.
var sequences = map[string]string{
	"\x1b[A": keys.Up, "\x1bOA": keys.Up, "\x1b[B": keys.Down, "\x1bOB": keys.Down,
	"\x1b[C": keys.Right, "\x1bOC": keys.Right, "\x1b[D": keys.Left, "\x1bOD": keys.Left,
	"\x1b[H": keys.Home, "\x1bOH": keys.Home, "\x1b[1~": keys.Home, "\x1b[7~": keys.Home,
	"\x1b[F": keys.End, "\x1bOF": keys.End, "\x1b[4~": keys.End, "\x1b[8~": keys.End,
	"\x1b[3~": keys.Delete, "\x1b[Z": keys.ShiftTab,
	"\x1b[1;5C": keys.AltF, "\x1b[1;3C": keys.AltF, "\x1b[1;5D": keys.AltB, "\x1b[1;3D": keys.AltB,
	keys.AltB: keys.AltB, keys.AltF: keys.AltF, keys.AltD: keys.AltD, "\x1b\x7f": keys.AltBackspace, keys.AltBackspace: keys.AltBackspace,
	keys.Escape: keys.Escape,
}

// controls are the control characters that mean something here; others must not get into the line.
const controls = keys.CtrlA + keys.CtrlB + keys.CtrlC + keys.CtrlD + keys.CtrlE + keys.CtrlF + keys.CtrlG + keys.CtrlH + keys.CtrlI + keys.CtrlJ +
	keys.CtrlK + keys.CtrlL + keys.CtrlM + keys.CtrlN + keys.CtrlP + keys.CtrlR + keys.CtrlS + keys.CtrlT + keys.CtrlU + keys.CtrlW + keys.CtrlY +
	keys.CtrlUnderbar + keys.Backspace

// A run of pasted text is one key of up to maxRun bytes, so that it is inserted at once; shorter text is a key a character.
const (
	minRun = 64
	maxRun = 4096
)

// nextKey takes the first key off what a terminal sent: n bytes of it. n is 0 where the key is not complete, which
// cannot be where final says that nothing more is on its way.
func nextKey(b []byte, final bool) (key string, n int) {
	if len(b) == 0 {
		return "", 0
	}
	switch c := b[0]; {
	case c == 0x1b:
		n = escapeLen(b)
		if n == 0 && final {
			n = len(b)
		}
		return sequences[string(b[:n])], n
	case c < ' ' || c == 0x7f:
		for i := range len(controls) {
			if controls[i] == c {
				return string(b[:1]), 1
			}
		}
		return "", 1
	}
	return text(b, final)
}

// text takes text off: a character, or more where there is much.
func text(b []byte, final bool) (key string, n int) {
	for n < len(b) && n < maxRun && b[n] >= ' ' && b[n] != 0x7f {
		if !utf8.FullRune(b[n:]) && !final {
			break
		}
		_, size := utf8.DecodeRune(b[n:])
		n += size
	}
	if n < minRun && n > 0 {
		_, n = utf8.DecodeRune(b)
	}
	return string(b[:n]), n
}

// escapeLen is the length of the escape sequence that b begins with, 0 where its end is missing.
func escapeLen(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	switch b[1] {
	case '[':
		for i := 2; i < len(b); i++ {
			if b[i] >= '@' && b[i] <= '~' {
				return i + 1
			}
		}
		return 0
	case 'O':
		if len(b) < 3 {
			return 0
		}
		return 3
	case 0x1b:
		return 1
	}
	_, size := utf8.DecodeRune(b[1:]) // with Alt
	return 1 + size
}
