package store

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// HistoryLimit is how many typed lines are kept, as many as valkey-cli would in a long-used file.
const HistoryLimit = 1000

// lineLimit keeps a pasted file of many megabytes out of the history, in bytes.
const lineLimit = 16 << 10

// Settings are the person's choices that outlive a page.
type Settings struct {
	Theme   string   // "light", "dark" or "" for the system's
	Servers []string // VERSION[@BUILD], as last compared
}

// Documents begin with a line that names their version. Of a history the others are typed lines, quoted as in Go; of
// settings they are one query string.
const (
	historyDoc  = "workspace/history"
	settingsDoc = "workspace/settings"
	docVersion  = 1
	docHead     = "keyloupe "
)

// History reads the typed lines, oldest first.
func (s *Store) History() ([]string, error) {
	text, err := s.read(historyDoc)
	if err != nil || text == "" {
		return nil, err
	}
	var lines []string
	for l := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		line, err := strconv.Unquote(l)
		if err != nil {
			return nil, fmt.Errorf("%s: a damaged line", historyDoc)
		}
		lines = append(lines, line)
	}
	return lines, nil
}

// AddHistory appends lines to what is stored now, which another tab may have changed.
func (s *Store) AddHistory(lines ...string) error {
	have, err := s.History()
	if err != nil {
		have = nil // an unreadable file is replaced: losing it is better than never keeping a line again
	}
	for _, l := range lines {
		if len(l) <= lineLimit {
			have = append(have, l)
		}
	}
	if len(have) > HistoryLimit {
		have = have[len(have)-HistoryLimit:]
	}
	var text strings.Builder
	for _, l := range have {
		text.WriteString(strconv.Quote(l) + "\n")
	}
	return s.write(historyDoc, text.String())
}

// Settings reads the settings.
func (s *Store) Settings() (Settings, error) {
	text, err := s.read(settingsDoc)
	if err != nil {
		return Settings{}, err
	}
	q, err := url.ParseQuery(strings.TrimSpace(text))
	if err != nil {
		return Settings{}, fmt.Errorf("%s: %w", settingsDoc, err)
	}
	return Settings{Theme: q.Get("theme"), Servers: q["server"]}, nil
}

// SaveSettings replaces the settings.
func (s *Store) SaveSettings(v Settings) error {
	q := url.Values{"server": v.Servers}
	if v.Theme != "" {
		q.Set("theme", v.Theme)
	}
	return s.write(settingsDoc, q.Encode())
}

// read is what follows a document's head; empty where there is no document.
func (s *Store) read(name string) (string, error) {
	data, err := s.Load(name)
	if err != nil || data == nil {
		return "", err
	}
	head, text, _ := strings.Cut(string(data), "\n")
	number, ok := strings.CutPrefix(head, docHead)
	version, err := strconv.Atoi(number)
	switch {
	case !ok || err != nil:
		return "", fmt.Errorf("%s: damaged", name)
	case version > docVersion:
		return "", fmt.Errorf("%s: written by a newer Keyloupe (version %d)", name, version)
	}
	return text, nil
}

func (s *Store) write(name, text string) error {
	return s.Save(name, []byte(docHead+strconv.Itoa(docVersion)+"\n"+text))
}
