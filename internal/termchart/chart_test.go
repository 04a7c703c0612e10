package termchart

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/keyloupe/keyloupe/engine/draw"
	"github.com/keyloupe/keyloupe/engine/sweep"
)

var update = flag.Bool("update", false, "write the charts of testdata anew")

// plan is a sweep; fields are names and values by turns.
func plan(t *testing.T, fields ...string) *sweep.Plan {
	t.Helper()
	s := sweep.Default()
	for i := 0; i < len(fields); i += 2 {
		if err := s.Set(fields[i], fields[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	p, err := sweep.New(s, 0)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func drawn(t *testing.T, o Options, fields ...string) string {
	t.Helper()
	p := plan(t, fields...)
	c, err := New(p, o)
	if err != nil {
		t.Fatal(err)
	}
	for r := range p.Rows {
		if err := c.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	if err := c.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestChartsAreThoseOfTestdata(t *testing.T) {
	for name, c := range map[string]struct {
		o      Options
		fields []string
	}{
		"two":          {Options{Width: 80}, []string{"value", "0..200"}},
		"two-color":    {Options{Width: 80, Colors: true}, []string{"value", "0..200"}},
		"two-ascii":    {Options{Width: 80, ASCII: true}, []string{"value", "0..200"}},
		"two-narrow":   {Options{Width: 40}, []string{"value", "0..200"}},
		"one":          {Options{Width: 80}, []string{"value", "0..200", "servers", "9.1.2"}},
		"three":        {Options{Width: 100}, []string{"value", "0..120", "servers", "8.1.9,9.0.6,9.1.2"}},
		"groups":       {Options{Width: 80, ASCII: true}, []string{"value", "0..200", "ttl", "none,key"}},
		"sawtooth-log": {Options{Width: 80, LogX: true, LogY: true}, []string{"keys", "1..1M/997", "value", "16", "servers", "9.1.2"}},
		"fields":       {Options{Width: 80, Show: draw.Usage}, []string{"type", "hash", "fields", "1..200", "value", "12", "servers", "8.1.9,9.1.2"}},
		"few":          {Options{Width: 60}, []string{"value", "8,16,64", "servers", "8.1.9,9.1.2"}},
	} {
		path := filepath.Join("testdata", name+".txt")
		got := drawn(t, c.o, c.fields...)
		if *update {
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s is\n%s\nwant\n%s", name, got, want)
		}
	}
}

var escapes = regexp.MustCompile("\x1b\\[[0-9;]*m")

func TestAChartFitsTheTerminal(t *testing.T) {
	for _, width := range []int{1, MinWidth, 57, 80, 133, 500} {
		for _, ascii := range []bool{false, true} {
			text := escapes.ReplaceAllString(drawn(t, Options{Width: width, ASCII: ascii, Colors: true}, "value", "0..300", "servers", "8.1.9,9.0.6,9.1.2"), "")
			for _, line := range strings.Split(text, "\n") {
				if n := utf8.RuneCountInString(line); n > max(width, MinWidth) || n > maxWidth {
					t.Errorf("%d columns of %d: %q", n, width, line)
				}
				if strings.HasSuffix(line, " ") {
					t.Errorf("%q ends with a space", line)
				}
			}
			if ascii && strings.IndexFunc(text, func(r rune) bool { return r > 126 }) >= 0 {
				t.Errorf("not ASCII:\n%s", text)
			}
		}
	}
}

func TestALineIsWhereItsValuesAre(t *testing.T) {
	// of two values the second costs more
	text := drawn(t, Options{Width: MinWidth, ASCII: true}, "value", "97..98", "servers", "9.1.2")
	lines := strings.Split(text, "\n")
	top, bottom := lines[1], lines[rowsOfCost]
	if !strings.HasSuffix(top, "*") || !strings.Contains(bottom, "|*") && !strings.Contains(bottom, "+*") || strings.HasSuffix(bottom, " *") {
		t.Errorf("the step is not at the right end:\n%s", text)
	}
}

func TestWhatCannotBeToldApartIsNoChart(t *testing.T) {
	for says, fields := range map[string][]string{
		"value has one value": {"value", "16"},
		"7 lines in one":      {"value", "0..200", "servers", "7.2.14,8.0.10,8.1.9,9.0.6,9.1.2,9.1.1,9.1.0"},
	} {
		if _, err := New(plan(t, fields...), Options{Width: 80}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v: %v", fields, err)
		}
	}
	if _, err := New(plan(t), Options{Width: 80, X: "size"}); err == nil || !strings.Contains(err.Error(), "is none of value, keys") {
		t.Error(err)
	}
}
