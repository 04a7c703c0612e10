package store

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/hack-pad/hackpadfs/mem"
)

// checkStore is the behaviour every file system must give; the browser test runs it on IndexedDB.
func checkStore(t *testing.T, s *Store) {
	t.Helper()
	if b, err := s.Load("docs/none.json"); b != nil || err != nil {
		t.Fatalf("a missing document: %q, %v", b, err)
	}
	for _, n := range []int{3, 100_000, 0, 7} {
		want := bytes.Repeat([]byte("x"), n)
		if err := s.Save("docs/a.json", want); err != nil {
			t.Fatalf("save %d bytes: %v", n, err)
		}
		if got, err := s.Load("docs/a.json"); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("load %d bytes: got %d, %v", n, len(got), err)
		}
	}
	for range 2 {
		if err := s.Delete("docs/a.json"); err != nil {
			t.Fatalf("delete: %v", err)
		}
	}
	checkWorkspace(t, s)
}

func checkWorkspace(t *testing.T, s *Store) {
	t.Helper()
	if h, err := s.History(); len(h) != 0 || err != nil {
		t.Fatalf("a new history: %q, %v", h, err)
	}
	if err := s.AddHistory("SET a 1", `GET "a b"`); err != nil {
		t.Fatal(err)
	}
	if err := s.AddHistory("GET a"); err != nil {
		t.Fatal(err)
	}
	want := []string{"SET a 1", `GET "a b"`, "GET a"}
	if h, err := s.History(); !slices.Equal(h, want) || err != nil {
		t.Fatalf("history %q, %v; want %q", h, err, want)
	}
	set := Settings{Theme: "dark", Servers: []string{"9.0.6", "9.1.2@libc"}}
	if err := s.SaveSettings(set); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Settings(); err != nil || got.Theme != set.Theme || !slices.Equal(got.Servers, set.Servers) {
		t.Fatalf("settings %+v, %v; want %+v", got, err, set)
	}
}

func TestDocumentsAreKeptInMemory(t *testing.T) { checkStore(t, InMemory(errors.New("refused"))) }

func TestDocumentsAreKeptInAFileSystem(t *testing.T) {
	files, err := mem.NewFS()
	if err != nil {
		t.Fatal(err)
	}
	checkStore(t, New(files))
}

func TestHistoryKeepsTheLastLinesAndSkipsHugeOnes(t *testing.T) {
	s := InMemory(nil)
	var lines []string
	for i := range HistoryLimit + 5 {
		lines = append(lines, fmt.Sprint("GET ", i))
	}
	lines = append(lines, "SET a "+string(bytes.Repeat([]byte("x"), lineLimit)))
	if err := s.AddHistory(lines...); err != nil {
		t.Fatal(err)
	}
	h, err := s.History()
	if err != nil || len(h) != HistoryLimit || h[0] != "GET 5" || h[len(h)-1] != fmt.Sprint("GET ", HistoryLimit+4) {
		t.Fatalf("%d lines from %q to %q, %v", len(h), h[0], h[len(h)-1], err)
	}
}

func TestADamagedOrNewerDocumentIsAnErrorAndHistoryRecovers(t *testing.T) {
	for _, doc := range []string{"keyloupe 1\n\"GE", "keyloupe 99\n\"GET a\"\n", "keyloupe x\n", "\x00\xff"} {
		s := InMemory(nil)
		if err := s.Save(historyDoc, []byte(doc)); err != nil {
			t.Fatal(err)
		}
		if _, err := s.History(); err == nil {
			t.Errorf("%q was accepted", doc)
		}
		if err := s.AddHistory("PING"); err != nil {
			t.Errorf("%q cannot be replaced: %v", doc, err)
		}
		if h, err := s.History(); err != nil || !slices.Equal(h, []string{"PING"}) {
			t.Errorf("after %q: %q, %v", doc, h, err)
		}
	}
}
