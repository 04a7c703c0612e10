package console

import (
	"bufio"
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/engine"
)

var update = flag.Bool("update", false, "write the golden files anew")

// console is one on servers, which prints into the buffer.
func console(t *testing.T, servers string) (*Console, *bytes.Buffer) {
	t.Helper()
	names, err := ParseServers(servers)
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(names, engine.Options{}, NewStandingTime(), true)
	if err != nil {
		t.Fatal(err)
	}
	out := &bytes.Buffer{}
	return &Console{Session: s, Out: out, Notes: out, Width: func() int { return 100 }}, out
}

// A golden file is what keyloupe run prints for the lines in it that begin with >. Its first line names the servers.
func TestWhatIsPrintedIsThatOfTheGoldenFiles(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no golden files", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			head, rest, _ := bytes.Cut(want, []byte("\n"))
			c, out := console(t, strings.TrimPrefix(string(head), "# servers "))
			var in strings.Builder
			for sc := bufio.NewScanner(bytes.NewReader(rest)); sc.Scan(); {
				if line, ok := strings.CutPrefix(sc.Text(), "> "); ok {
					in.WriteString(line + "\n")
				}
			}
			if err := c.Run(context.Background(), file, strings.NewReader(in.String()), Shown{Commands: 1000, Echo: true}); err != nil {
				t.Fatal(err)
			}
			c.End()
			got := string(head) + "\n\n" + out.String()
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if got != string(want) && !*update {
				t.Errorf("%s differs; -update writes it anew:\n%s", file, firstDifference(string(want), got))
			}
		})
	}
}

// firstDifference shows the first lines that differ.
func firstDifference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range w {
		if i >= len(g) || w[i] != g[i] {
			return "want " + w[i] + "\ngot  " + strings.Join(g[min(i, len(g)):min(i+1, len(g))], "")
		}
	}
	return "got more: " + g[len(w)]
}
