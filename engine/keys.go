package engine

import (
	"sort"
	"strings"

	"github.com/keyloupe/keyloupe/engine/command"
	"github.com/keyloupe/keyloupe/engine/glob"
	"github.com/keyloupe/keyloupe/engine/hashtable"
)

// KeyQuery asks for a window of the keys of the lab's current database.
type KeyQuery struct {
	Filter string `json:"filter"` // part of the name, or a pattern where it has * ? or [
	Type   string `json:"type"`   // "" for every type
	From   int    `json:"from"`
	Count  int    `json:"count"`
}

// KeyPage is a window of keys, in the order of their names.
type KeyPage struct {
	Total   int          `json:"total"`   // keys on the first server
	Matches int          `json:"matches"` // keys that the query is about
	From    int          `json:"from"`
	Rows    []KeyRow     `json:"rows"`
	Servers []ServerInfo `json:"servers"`
}

// KeyRow is a key on every server; a server that has no such key has nil.
type KeyRow struct {
	Key     string             `json:"key"`
	Type    string             `json:"type"`
	Servers []*command.KeyInfo `json:"servers"`
}

// ServerInfo is what is told of a server as a whole. Used counts the data only, in bytes.
type ServerInfo struct {
	Name  string `json:"name"`
	Label string `json:"label"` // Name, with what it is taken for where that is another release
	Keys  int    `json:"keys"`
	Used  int64  `json:"used"`
	// Tables is the part of Used that the tables of keys and expiries take.
	Tables int64 `json:"tables"`
}

// Keys is a window of the keys that match a query.
func (l *Lab) Keys(q KeyQuery) KeyPage {
	names := l.matching(q.Filter)
	first := l.Servers[0]
	p := KeyPage{Total: first.Client.DB.Len(), From: max(0, q.From), Servers: l.Info()}
	if q.Type != "" {
		kept := names[:0:0]
		for _, k := range names {
			if i, ok := first.Info(first.Client.DB, []byte(k)); ok && i.Type == q.Type {
				kept = append(kept, k)
			}
		}
		names = kept
	}
	p.Matches = len(names)
	for _, k := range names[min(p.From, len(names)):min(p.From+max(0, q.Count), len(names))] {
		p.Rows = append(p.Rows, l.Row(k))
	}
	return p
}

// Row is one key on every server.
func (l *Lab) Row(key string) KeyRow {
	r := KeyRow{Key: key}
	for _, s := range l.Servers {
		i, ok := s.Info(s.Client.DB, []byte(key))
		if !ok {
			r.Servers = append(r.Servers, nil)
			continue
		}
		r.Type = i.Type
		r.Servers = append(r.Servers, &i)
	}
	return r
}

// matching is the names of the keys that match a filter, sorted; the last answer is kept until the
// data changes.
func (l *Lab) matching(filter string) []string {
	first := l.Servers[0]
	at := stamp{filter, first.Dirty, first.Space.Stats.Expired, first.Client.DB.ID, first.Client.DB.Len()}
	if l.names != nil && l.stamp == at {
		return l.names
	}
	pattern := strings.ContainsAny(filter, "*?[")
	names := []string{}
	for _, s := range l.Servers {
		if s != first && s.Client.DB.Len() == first.Client.DB.Len() {
			continue // the servers differ in their keys only where they know other commands
		}
		s.EachKey(s.Client.DB.ID, func(key []byte) {
			k := string(key)
			if filter == "" || pattern && glob.Match(filter, k, false) || !pattern && strings.Contains(k, filter) {
				names = append(names, k)
			}
		})
	}
	sort.Strings(names)
	l.names, l.stamp = unique(names), at
	return l.names
}

type stamp struct {
	filter         string
	dirty, expired int64
	db, keys       int
}

func unique(sorted []string) []string {
	out := sorted[:0]
	for i, k := range sorted {
		if i == 0 || k != sorted[i-1] {
			out = append(out, k)
		}
	}
	return out
}

// Info is what is told of each server as a whole.
func (l *Lab) Info() (out []ServerInfo) {
	for _, s := range l.Servers {
		o := s.Client.DB.Overhead()
		out = append(out, ServerInfo{Name: s.Release.Name(), Label: s.Release.Label(), Keys: s.Client.DB.Len(), Used: s.Used(), Tables: int64(o.Lut)})
	}
	return out
}

// Table shows a window of the buckets of a table of the current database of a server: "keys",
// "expires" or "volatile items". ok is false where it has no such table.
func (s *Server) Table(table string, array, from, count int, selected string) (v hashtable.View, ok bool) {
	var key []byte
	if selected != "" {
		key = []byte(selected)
	}
	return s.Client.DB.View(table, array, from, count, key)
}
