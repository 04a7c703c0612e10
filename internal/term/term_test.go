package term

import (
	"bytes"
	"os"
	"testing"
)

func TestWhatIsNoTerminalHasNoColours(t *testing.T) {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	for _, w := range []any{&bytes.Buffer{}, null, nil} { // a device is no terminal
		if IsTerminal(w) || bool(Auto.Colors(w)) || Width(w) != 80 {
			t.Errorf("%v is taken for a terminal", w)
		}
	}
}

func TestColoursCanBeForcedAndForbidden(t *testing.T) {
	t.Setenv("NO_COLOR", "1")
	var c When
	for name, want := range map[string]string{"always": "\x1b[31mx\x1b[0m", "never": "x", "auto": "x"} {
		if err := c.Set(name); err != nil || c.String() != name {
			t.Errorf("%s: %v, %v", name, err, c)
		}
		if got := c.Colors(&bytes.Buffer{}).Paint(Red, "x"); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if err := c.Set("sometimes"); err == nil {
		t.Error("an unknown word is taken")
	}
}

func TestUnicodeIsForLocalesThatHaveIt(t *testing.T) {
	for _, c := range []struct {
		all, ctype, lang, term string
		want                   bool
	}{
		{"", "", "en_US.UTF-8", "xterm", true},
		{"", "", "C.utf8", "xterm", true},
		{"", "de_DE.UTF-8", "C", "xterm", true},
		{"C", "de_DE.UTF-8", "en_US.UTF-8", "xterm", false},
		{"", "", "en_US.ISO-8859-1", "xterm", false},
		{"", "", "en_US.UTF-8", "dumb", false},
	} {
		t.Setenv("LC_ALL", c.all)
		t.Setenv("LC_CTYPE", c.ctype)
		t.Setenv("LANG", c.lang)
		t.Setenv("TERM", c.term)
		if got := Unicode(); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

func TestNothingIsPaintedPlain(t *testing.T) {
	if got := Colors(true).Paint(Plain, "x") + Colors(true).Paint(Red, ""); got != "x" {
		t.Errorf("%q", got)
	}
}
