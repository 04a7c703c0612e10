package history

import (
	"slices"
	"testing"
)

func TestUpAndDownWalkAndTheDraftComesBack(t *testing.T) {
	h := New([]string{"SET a 1", "GET a"})
	var seen []string
	line := "SET b"
	for range 4 {
		line = h.Up(line)
		seen = append(seen, line)
	}
	for range 4 {
		line = h.Down(line)
		seen = append(seen, line)
	}
	want := []string{"GET a", "SET a 1", "SET a 1", "SET a 1", "GET a", "SET b", "SET b", "SET b"}
	if !slices.Equal(seen, want) {
		t.Errorf("got %q, want %q", seen, want)
	}
}

func TestBlankLinesAndRepetitionsAreNotKept(t *testing.T) {
	h := New([]string{"PING", "PING", "", "  ", "GET a", "PING"})
	if want := []string{"PING", "GET a", "PING"}; !slices.Equal(h.Lines(), want) {
		t.Errorf("got %q, want %q", h.Lines(), want)
	}
	h.Up("x")
	h.Add("PING")
	if got := h.Up("draft"); got != "PING" {
		t.Errorf("after a repetition Up gives %q", got)
	}
}

func TestAnEmptyHistoryKeepsThePrompt(t *testing.T) {
	h := New(nil)
	if h.Up("x") != "x" || h.Down("x") != "x" {
		t.Error("the prompt changed")
	}
	s := h.Search()
	s.Type("a")
	s.Older()
	if s.Accept("x") != "x" {
		t.Error("a search in nothing found something")
	}
}

func TestSearchFindsTheNewestThenOlderOnes(t *testing.T) {
	h := New([]string{"SET user:1 a", "GET user:1", "SET user:2 b", "GET user:2", "GET USER:2"})
	s := h.Search()
	s.Type("s")
	s.Type("set")
	if l, _ := s.Line(); l != "SET user:2 b" {
		t.Errorf("found %q", l)
	}
	s.Older()
	s.Older()
	if l, _ := s.Line(); l != "SET user:1 a" {
		t.Errorf("older: %q", l)
	}
	s.Type("sets")
	if _, ok := s.Line(); ok {
		t.Error("found what is not there")
	}
	s.Type("user:2")
	if l, _ := s.Line(); l != "GET USER:2" {
		t.Errorf("a new query begins at the newest line, found %q", l)
	}
	if got := s.Accept("draft"); got != "GET USER:2" || h.Up(got) != "GET user:2" || h.Down("") != "GET USER:2" || h.Down("") != "draft" {
		t.Error("Up and Down do not go on from the line found")
	}
}

func TestAnEmptyQueryFindsNothing(t *testing.T) {
	s := New([]string{"PING"}).Search()
	s.Type("p")
	s.Type("")
	if l, ok := s.Line(); ok {
		t.Errorf("found %q", l)
	}
}
