package lineedit

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func opened(t *testing.T, path string) *History {
	t.Helper()
	h, err := OpenHistory(path)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func all(h *History) string {
	var lines []string
	for i := range h.Len() {
		lines = append(lines, h.At(i))
	}
	return strings.Join(lines, "|")
}

func TestLinesAreThereTheNextTime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "keyloupe", "history")
	h := opened(t, path)
	for _, l := range []string{"SET a 1", "SET a 1", "", "  ", "GET ключ", "SET a 1"} {
		if err := h.Add(l); err != nil {
			t.Fatal(err)
		}
	}
	if got := all(opened(t, path)); got != "SET a 1|GET ключ|SET a 1" {
		t.Error(got)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o077 != 0 && os.PathSeparator == '/' {
		t.Errorf("others may read it: %v %v", info.Mode(), err)
	}
}

func TestTwoProgramsShareAHistory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history")
	one, two := opened(t, path), opened(t, path)
	one.Add("one")
	two.Add("two")
	one.Add("three")
	if got := all(opened(t, path)); got != "one|two|three" {
		t.Error(got)
	}
}

func TestAHistoryDoesNotGrowForEver(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history")
	var text strings.Builder
	for i := range 2*keptLines + 1 {
		fmt.Fprintf(&text, "SET k %d\r\n", i)
	}
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	h := opened(t, path)
	if h.Len() != keptLines || h.At(keptLines-1) != fmt.Sprint("SET k ", 2*keptLines) {
		t.Error(h.Len(), h.At(h.Len()-1))
	}
	if got := opened(t, path); got.Len() != keptLines {
		t.Errorf("%d lines are left in the file", got.Len())
	}
	h.Add(strings.Repeat("x", longest+1))
	if got := opened(t, path); got.Len() != keptLines {
		t.Error("a line of this length is kept")
	}
}

func TestAHistoryThatCannotBeKeptIsStillOne(t *testing.T) {
	dir := t.TempDir()
	for _, path := range []string{dir, filepath.Join(dir, "file", "history")} {
		os.WriteFile(filepath.Join(dir, "file"), nil, 0o600)
		h, err := OpenHistory(path)
		if err == nil {
			t.Fatal("a folder is no history")
		}
		if err := h.Add("SET a 1"); err != nil || all(h) != "SET a 1" {
			t.Error(err, all(h))
		}
	}
	path := filepath.Join(dir, "gone", "history")
	h := opened(t, path)
	if err := os.RemoveAll(filepath.Dir(path)); err != nil {
		t.Fatal(err)
	}
	if h.Add("one") == nil || h.Add("two") != nil || all(h) != "one|two" {
		t.Error("it is to be told once:", all(h))
	}
	if h, err := OpenHistory(""); err != nil || h.Add("x") != nil || h.Len() != 1 {
		t.Error("without a file", err)
	}
}
