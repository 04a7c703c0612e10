package resp

import (
	"fmt"
	"testing"
)

// What real servers made of typed lines: 9.0.0, 9.1.0 and 9.1.2, and 8.1.8 as the old one.
func TestTypedLinesAreTakenApartAsRealServersDo(t *testing.T) {
	const bad = "unbalanced"
	for _, x := range []struct{ line, now, old string }{
		{``, `[]`, `[]`},
		{` set  a "b c" `, `["set" "a" "b c"]`, `["set" "a" "b c"]`},
		{`"\x41\n\q\"" 'a\'b'`, `["A\nq\"" "a'b"]`, `["A\nq\"" "a'b"]`},
		{`"a\x4"`, `["ax4"]`, `["ax4"]`},
		{`""`, `[""]`, `[""]`},
		{`ab"c d"e`, `["abc de"]`, bad},
		{`"a"b`, `["ab"]`, bad},
		{`'a'"b"`, `["ab"]`, bad},
		{`"a"''`, `["a"]`, bad},
		{"\"a\"\vb", `["a\vb"]`, `["a" "b"]`},
		{"a\vb \vc a\fb", `["a\vb" "c" "a\fb"]`, `["a\vb" "c" "a\fb"]`},
		{`a"b`, bad, bad},
		{`"a\`, bad, bad},
		{`"\x41\x4`, bad, bad},
		{`'a`, bad, bad},
	} {
		for _, way := range []struct {
			name, want string
			split      func(string) ([]string, error)
		}{{"now", x.now, Split}, {"up to 8.1", x.old, SplitOld}} {
			words, err := way.split(x.line)
			got := fmt.Sprintf("%q", words)
			if err != nil {
				got = bad
			}
			if got != way.want {
				t.Errorf("%s: %q is %s, want %s", way.name, x.line, got, way.want)
			}
		}
	}
}
