package glob

import (
	"strings"
	"testing"
)

func TestPatternsMatchAsTheServerMatches(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"", "", true}, {"*", "", false}, {"", "a", false}, {"*", "a", true}, {"**", "abc", true},
		{"a*", "a", true}, {"a*b*c", "axxbyyc", true}, {"a*b*c", "axxbyy", false},
		{"h?llo", "hello", true}, {"h?llo", "hllo", false},
		{"h[ae]llo", "hallo", true}, {"h[ae]llo", "hillo", false}, {"h[^e]llo", "hallo", true}, {"h[^e]llo", "hello", false},
		{"h[a-b]llo", "hbllo", true}, {"h[b-a]llo", "hallo", true}, {"[a-", "-", true}, {"[abc", "c", true}, {"[", "a", false},
		{"[^", "a", true}, {"[]", "a", false}, {`[\]]`, "]", true}, {`[\`, `\`, true},
		{`\*`, "*", true}, {`\*`, "a", false}, {`a\`, `a\`, true}, {"[\x80-\xff]", "\x90", true}, {"[a-\xff]", "b", false},
	} {
		if got := Match(c.pattern, c.name, false); got != c.want {
			t.Errorf("Match(%q, %q) = %v", c.pattern, c.name, got)
		}
	}
}

func TestFoldIgnoresCaseButNotOfAnEscapeInBrackets(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"ABC*", "abcd", true}, {"[A-C]", "b", true}, {"[X]", "x", true}, {`[\X]`, "x", false}, {`\X`, "x", true},
	} {
		if got := Match(c.pattern, c.name, true); got != c.want {
			t.Errorf("Match(%q, %q, fold) = %v", c.pattern, c.name, got)
		}
	}
}

func TestAnAbusivePatternEndsSoon(t *testing.T) {
	if Match(strings.Repeat("*a", 2000)+"b", strings.Repeat("a", 5000), false) {
		t.Error("matched")
	}
}

func FuzzMatchNeverPanics(f *testing.F) {
	f.Add("a[^b-", "ac", true)
	f.Fuzz(func(t *testing.T, pattern, name string, fold bool) { Match(pattern, name, fold) })
}
