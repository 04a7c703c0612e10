package lineedit

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/nyaosorg/go-readline-ny/keys"
)

func TestKeysAreTakenOffWhatATerminalSends(t *testing.T) {
	for _, c := range []struct {
		sent, key string
		n         int
	}{
		{"abc", "a", 1}, {"é!", "é", 2}, {"日", "日", 3}, {"\r", keys.Enter, 1}, {"\x7f", keys.Backspace, 1}, {"\x03x", keys.CtrlC, 1},
		{"\x1b[A", keys.Up, 3}, {"\x1bOA", keys.Up, 3}, {"\x1b[1~x", keys.Home, 4}, {"\x1b[1;5Cx", keys.AltF, 6}, {"\x1bfx", keys.AltF, 2},
		{"\x1b[15~", "", 5}, {"\x1b[200;1;2m", "", 10}, {"\x00", "", 1}, {"\x1bé", "", 3}, {"\x1b\x1b[A", keys.Escape, 1}, // keys that mean nothing
		{"", "", 0}, {"\x1b", "", 0}, {"\x1b[", "", 0}, {"\x1b[1;5", "", 0}, {"\x1bO", "", 0}, {"\xe6\x97", "", 0}, // more is to come
		{"\xff!", "\xff", 1},
		{strings.Repeat("x", 100) + "\r", strings.Repeat("x", 100), 100}, {strings.Repeat("x", maxRun+1), strings.Repeat("x", maxRun), maxRun},
	} {
		if key, n := nextKey([]byte(c.sent), false); key != c.key || n != c.n {
			t.Errorf("%.20q: key %.20q of %d bytes, want %.20q of %d", c.sent, key, n, c.key, c.n)
		}
	}
}

func TestWhatDoesNotGoOnIsAKey(t *testing.T) {
	for sent, want := range map[string]string{"\x1b": keys.Escape, "\x1b[1": "", "\xe6": "\xe6"} {
		if key, n := nextKey([]byte(sent), true); key != want || n != len(sent) {
			t.Errorf("%q: %q, %d", sent, key, n)
		}
	}
}

func FuzzEveryByteIsTakenOnce(f *testing.F) {
	f.Add([]byte("SET \x1b[A\x1b[\xff\xe6\x97\xa5\x00\x1bOx"))
	f.Fuzz(func(t *testing.T, sent []byte) {
		for b := sent; len(b) > 0; {
			key, n := nextKey(b, true)
			if n < 1 || n > len(b) {
				t.Fatalf("%q: %d bytes", b, n)
			}
			if c, _ := utf8.DecodeRuneInString(key); len(key) > 1 && c < ' ' && c != 0x1b {
				t.Fatalf("%q is taken for a key", key)
			}
			b = b[n:]
		}
	})
}

func TestWordsAreSetInColumns(t *testing.T) {
	for _, c := range []struct {
		words string
		width int
		rows  string
	}{
		{"a b c d e", 80, "a  b  c  d  e"},
		{"a b c d e", 8, "a  c  e|b  d"},
		{"alpha b", 6, "alpha|b"},
		{"toolongforthis b", 5, "toolongforthis|b"},
		{"日本 b c d", 11, "日本  c|b     d"},
	} {
		if got := strings.Join(columns(strings.Fields(c.words), c.width), "|"); got != c.rows {
			t.Errorf("%s in %d: %q, want %q", c.words, c.width, got, c.rows)
		}
	}
}
