//go:build !js

package catalog_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/engine/catalog"
	rs "github.com/keyloupe/keyloupe/internal/realserver"
)

// cliHints asks valkey-cli, which reads COMMAND DOCS from the server, for the hints of lines.
func cliHints(t *testing.T, s *rs.Server, lines []string) map[string]string {
	t.Helper()
	cli, err := rs.FindCLI()
	if err != nil {
		t.Skip(err)
	}
	var suite strings.Builder
	for _, l := range lines {
		fmt.Fprintf(&suite, "%s %s\n", strconv.Quote(l+" "), strconv.Quote("\x01")) // never the hint: each is printed as a failure
	}
	file := filepath.Join(t.TempDir(), "suite")
	if err := os.WriteFile(file, []byte(suite.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	out, _ := exec.Command(cli, "-p", strconv.Itoa(s.Port), "--test_hint_file", file).CombinedOutput() // its exit code counts failures
	hints := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^Test case '(.*) ' FAILED: expected '.*', got '(.*)'$`).FindAllStringSubmatch(string(out), -1) {
		hints[m[1]] = m[2]
	}
	return hints
}

func TestSyntaxOfEachCommandIsWhatValkeyCliHints(t *testing.T) {
	eachServer(t, func(t *testing.T, s *rs.Server, cat *catalog.Catalog) {
		want := map[string]string{}
		var lines []string
		add := func(c *catalog.Command) {
			line := strings.ToUpper(strings.ReplaceAll(c.FullName, "|", " "))
			lines = append(lines, line)
			want[line] = c.Syntax()
		}
		for _, c := range cat.Commands {
			for _, sub := range c.Subcommands {
				add(sub)
			}
			if len(c.Arguments) > 0 {
				add(c)
			}
		}
		hints := cliHints(t, s, lines)
		for _, l := range lines {
			if hint, ok := hints[l]; !ok || strings.TrimSuffix(l+" "+strings.TrimSuffix(hint, "(null)"), " ") != want[l] {
				t.Errorf("%q, valkey-cli %q", want[l], l+" "+hint)
			}
		}
	})
}

func TestHintsOfRandomLinesAreValkeyClis(t *testing.T) {
	s := rs.Start(t, rs.V912)
	cat := catalog.For("9.1.2")
	r := rand.New(rand.NewPCG(3, 4))
	lines := map[string]bool{}
	for range 4000 {
		c := cat.Commands[r.IntN(len(cat.Commands))]
		if len(c.Arguments) == 0 {
			continue
		}
		line := strings.ToUpper(c.FullName)
		for range r.IntN(8) {
			lines[line] = true
			next := cat.Next(argv(strings.Fields(line)...))
			if len(next) == 0 {
				break
			}
			line += " " + example(next[r.IntN(len(next))])
		}
	}
	var list []string
	for l := range lines {
		if !better(l) {
			list = append(list, l)
		}
	}
	hints := cliHints(t, s, list)
	if len(hints) < 500 {
		t.Fatalf("%d hints of %d lines", len(hints), len(list))
	}
	for _, l := range list {
		if got, want := cat.Hint(argv(strings.Fields(l)...)), hints[l]; loose(got) != loose(want) {
			t.Errorf("%s: %q\nvalkey-cli %q", l, got, want)
		}
	}
}

// better tells the lines where we mean to do better than valkey-cli: it does not count keys and fields, and gives up
// the choice after OVERFLOW.
func better(line string) bool {
	return regexp.MustCompile(`^(Z(UNION|INTER|DIFF)|[BZ]+MPOP|LMPOP|BLMPOP|EVAL|FCALL|MSETEX|[SZ]INTERCARD|BITFIELD.* OVERFLOW$)|FIELDS \d`).MatchString(line)
}

// loose forgives valkey-cli brackets that close nothing and a blank too many.
func loose(hint string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(hint, "]", "")), " ")
}

func example(n catalog.Next) string {
	if n.Word != "" {
		return n.Word
	}
	switch n.Arg.Type {
	case catalog.ArgInteger, catalog.ArgUnixTime:
		return "2"
	case catalog.ArgDouble:
		return "1.5"
	}
	return "x"
}
