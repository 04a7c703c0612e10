// Package history walks through typed lines as a terminal does: Up and Down, and Ctrl+R to search backwards.
package history

import "strings"

// History is the typed lines and where a person is in them. The zero History is empty.
type History struct {
	lines []string // oldest first
	at    int      // the line shown; len(lines) is the new one
	draft string   // the new line, kept while older ones are shown
}

// New begins at the end of lines, oldest first.
func New(lines []string) *History {
	h := &History{}
	for _, l := range lines {
		h.Add(l)
	}
	return h
}

// Add appends a line and leaves the walk. Blank lines and repetitions of the last line are not kept; it tells whether
// this one was.
func (h *History) Add(line string) bool {
	h.draft = ""
	keep := strings.TrimSpace(line) != "" && (len(h.lines) == 0 || h.lines[len(h.lines)-1] != line)
	if keep {
		h.lines = append(h.lines, line)
	}
	h.at = len(h.lines)
	return keep
}

// Lines are the lines, oldest first.
func (h *History) Lines() []string { return h.lines }

// Up goes to the line before the one shown; shown is what the prompt has now, kept when it is the new line.
func (h *History) Up(shown string) string {
	if h.at == len(h.lines) {
		h.draft = shown
	}
	if h.at > 0 {
		h.at--
	}
	return h.current()
}

// Down goes to the line after the one shown, at last to the new line as it was.
func (h *History) Down(shown string) string {
	if h.at >= len(h.lines) {
		return shown
	}
	h.at++
	return h.current()
}

func (h *History) current() string {
	if h.at < len(h.lines) {
		return h.lines[h.at]
	}
	return h.draft
}

// Search is a backward search through a history.
type Search struct {
	h     *History
	Query string
	at    int // the line found; len(lines) when none is
}

// Search begins a search; nothing is found until something is typed.
func (h *History) Search() *Search { return &Search{h: h, at: len(h.lines)} }

// Type replaces the query, and looks again from the newest line when it does not continue the last query.
func (s *Search) Type(query string) {
	from := len(s.h.lines) - 1
	if strings.HasPrefix(query, s.Query) && s.at < len(s.h.lines) {
		from = s.at
	}
	s.Query = query
	s.find(from)
}

// Older goes to the next older line with the query in it, and stays when there is none.
func (s *Search) Older() {
	if was := s.at; !s.find(s.at - 1) {
		s.at = was
	}
}

// find looks backwards from a line for the query, without regard to case, skipping repetitions of the line found.
func (s *Search) find(from int) bool {
	last, _ := s.Line()
	query := strings.ToLower(s.Query)
	for i := min(from, len(s.h.lines)-1); i >= 0 && query != ""; i-- {
		if l := s.h.lines[i]; strings.Contains(strings.ToLower(l), query) && (l != last || i == s.at) {
			s.at = i
			return true
		}
	}
	s.at = len(s.h.lines)
	return false
}

// Line is the line found.
func (s *Search) Line() (string, bool) {
	if s.at < len(s.h.lines) {
		return s.h.lines[s.at], true
	}
	return "", false
}

// Accept ends the search on the line found, from which Up and Down go on, or gives back what the prompt had.
func (s *Search) Accept(shown string) string {
	l, ok := s.Line()
	if !ok {
		return shown
	}
	if s.h.at == len(s.h.lines) {
		s.h.draft = shown
	}
	s.h.at = s.at
	return l
}
