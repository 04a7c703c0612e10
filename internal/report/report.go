// Package report tells in text what simulated servers keep, side by side: for people at a prompt, and for clients that
// ask with KEYLOUPE.
package report

import (
	"fmt"
	"strings"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/engine/layout"
)

// Summary is a line for each server: its keys in all databases, and the used_memory of its data in bytes, with the
// difference to the first server's.
func Summary(servers []*engine.Server) string {
	var b strings.Builder
	first := servers[0].Used()
	for i, s := range servers {
		keys := 0
		for d := range s.Space.Databases() {
			if db := s.Space.Existing(d); db != nil {
				keys += db.Len()
			}
		}
		fmt.Fprintf(&b, "%-14s %10d keys %14d bytes", s.Release.Name(), keys, s.Used())
		if i > 0 {
			fmt.Fprintf(&b, " %+d", s.Used()-first)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Compare is a line for each server: encoding and MEMORY USAGE of a key, with the difference to the first server that
// has it.
func Compare(servers []*engine.Server, db int, key []byte) string {
	var b strings.Builder
	first := -1
	for _, s := range servers {
		i, ok := s.KeyInfo(db, key)
		if !ok {
			fmt.Fprintf(&b, "%-14s no such key\n", s.Release.Name())
			continue
		}
		fmt.Fprintf(&b, "%-14s %-10s MEMORY USAGE %8d", s.Release.Name(), i.Encoding, i.Usage)
		if first < 0 {
			first = i.Usage
		} else {
			fmt.Fprintf(&b, " %+d", i.Usage-first)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// layoutLimit bounds how many blocks of a key are printed for a server.
const layoutLimit = 200

// Layout is the annotated bytes of every block behind a key, one server after the other.
func Layout(servers []*engine.Server, db int, key []byte) string {
	var b strings.Builder
	for i, s := range servers {
		if i > 0 {
			b.WriteByte('\n')
		}
		d := s.Space.Existing(db)
		pic := layout.Picture{Limit: layoutLimit}
		if d == nil {
			fmt.Fprintf(&b, "%s: no such key\n", s.Release.Name())
			continue
		}
		info, ok := s.Picture(&pic, d, key)
		if !ok {
			fmt.Fprintf(&b, "%s: no such key\n", s.Release.Name())
			continue
		}
		fmt.Fprintf(&b, "%s: %s, %d bytes allocated, MEMORY USAGE %d\n\n", s.Release.Name(), info.Encoding, pic.Total(), info.Usage)
		pic.WriteText(&b)
		if pic.Skipped > 0 {
			fmt.Fprintf(&b, "\n… and %d more blocks\n", pic.Skipped)
		}
	}
	return b.String()
}
