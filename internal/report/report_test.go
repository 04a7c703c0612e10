package report

import (
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/engine"
)

func lab(t *testing.T, lines ...string) []*engine.Server {
	t.Helper()
	l, err := engine.NewLab([]string{"9.0.6", "9.1.2"}, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines {
		if _, err := l.DoLine(line); err != nil {
			t.Fatal(err)
		}
	}
	return l.Servers
}

func TestAKeyIsComparedWithTheFirstServerThatHasIt(t *testing.T) {
	servers := lab(t, "SET k "+strings.Repeat("v", 70))
	want := "9.0.6          raw        MEMORY USAGE      104\n9.1.2          embstr     MEMORY USAGE       96 -8\n"
	if got := Compare(servers, 0, []byte("k")); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	servers[0].Do("DEL", "k")
	want = "9.0.6          no such key\n9.1.2          embstr     MEMORY USAGE       96\n"
	if got := Compare(servers, 0, []byte("k")); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestTheSummaryCountsTheKeysOfAllDatabases(t *testing.T) {
	servers := lab(t, "SET k v", "SELECT 3", "SET k v", "SET l v")
	for _, line := range strings.Split(strings.TrimSpace(Summary(servers)), "\n") {
		if !strings.Contains(line, " 3 keys ") {
			t.Errorf("%q does not count 3 keys", line)
		}
	}
}

func TestALongLayoutTellsHowMuchIsLeftOut(t *testing.T) {
	servers := lab(t, "CONFIG SET hash-max-listpack-entries 0")
	for i := range 300 {
		for _, s := range servers {
			s.Do("HSET", "h", strings.Repeat("f", i+1), "v")
		}
	}
	text := Layout(servers, 0, []byte("h"))
	if strings.Count(text, " more blocks\n") != 2 || !strings.Contains(text, "9.1.2: hashtable, ") {
		t.Errorf("the layouts of two servers are not both cut off:\n%.2000s", text)
	}
	if text := Layout(servers, 1, []byte("h")); text != "9.0.6: no such key\n\n9.1.2: no such key\n" {
		t.Errorf("a database that is not there: %q", text)
	}
}
