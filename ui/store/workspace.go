package store

import (
	"encoding/json"
	"fmt"
)

// HistoryLimit is how many typed lines are kept, as many as valkey-cli would in a long-used file.
const HistoryLimit = 1000

// lineLimit keeps a pasted file of many megabytes out of the history, in bytes.
const lineLimit = 16 << 10

// Settings are the person's choices that outlive a page.
type Settings struct {
	Theme   string   `json:"theme,omitempty"`   // "light", "dark" or "" for the system's
	Servers []string `json:"servers,omitempty"` // VERSION[@BUILD], as last compared
}

// document names and the version written into them.
const (
	historyDoc  = "workspace/history.json"
	settingsDoc = "workspace/settings.json"
	docVersion  = 1
)

type historyFile struct {
	Version int      `json:"v"`
	Lines   []string `json:"lines"`
}

type settingsFile struct {
	Version int `json:"v"`
	Settings
}

// History reads the typed lines, oldest first.
func (s *Store) History() ([]string, error) {
	var f historyFile
	if err := s.read(historyDoc, &f, &f.Version); err != nil {
		return nil, err
	}
	return f.Lines, nil
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
	return s.write(historyDoc, historyFile{docVersion, have})
}

// Settings reads the settings.
func (s *Store) Settings() (Settings, error) {
	var f settingsFile
	err := s.read(settingsDoc, &f, &f.Version)
	return f.Settings, err
}

// SaveSettings replaces the settings.
func (s *Store) SaveSettings(v Settings) error {
	return s.write(settingsDoc, settingsFile{docVersion, v})
}

func (s *Store) read(name string, into any, version *int) error {
	data, err := s.Load(name)
	if err != nil || data == nil {
		return err
	}
	if err := json.Unmarshal(data, into); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if *version > docVersion {
		return fmt.Errorf("%s: written by a newer Keyloupe (version %d)", name, *version)
	}
	return nil
}

func (s *Store) write(name string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return s.Save(name, data)
}
