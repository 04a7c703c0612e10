// Package report tells in text what simulated servers keep, side by side: for people at a prompt, and for clients that
// ask with KEYLOUPE.
package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/engine/command"
	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/internal/term"
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

// layoutLimit bounds how many blocks of a key are printed for a server where nothing else is asked for.
const layoutLimit = 200

// Layout is the annotated bytes of the blocks behind a key, one server after the other.
func Layout(servers []*engine.Server, db int, key []byte) string {
	var b strings.Builder
	WriteLayout(&b, servers, db, key, layoutLimit, func(_ layout.Role, text string) string { return text })
	return b.String()
}

// WriteLayout writes what Layout gives with at most limit blocks of each server, 0 for all, painted by role.
func WriteLayout(w io.Writer, servers []*engine.Server, db int, key []byte, limit int, paint layout.Paint) error {
	out := bufio.NewWriter(w)
	for i, s := range servers {
		if i > 0 {
			out.WriteByte('\n')
		}
		pic, info, ok := picture(s, db, key, limit)
		if !ok {
			fmt.Fprintf(out, "%s: no such key\n", s.Release.Name())
			continue
		}
		fmt.Fprintf(out, "%s: %s, %d bytes allocated, MEMORY USAGE %d\n\n", s.Release.Name(), info.Encoding, pic.Total(), info.Usage)
		if err := pic.WritePainted(out, paint); err != nil {
			return err
		}
		if pic.Skipped > 0 {
			fmt.Fprintf(out, "\n… and %d more blocks\n", pic.Skipped)
		}
	}
	return out.Flush()
}

// roles are the colours of the bytes in a layout.
var roles = [layout.NumRoles]term.Style{
	layout.Header: term.Plain, layout.Pointer: term.Yellow, layout.Expire: term.Magenta, layout.Key: term.Green,
	layout.Value: term.Cyan, layout.Meta: term.Grey, layout.Slack: term.Grey,
}

// Paint paints bytes by their role, in the hues of the page.
func Paint(c term.Colors) layout.Paint {
	return func(r layout.Role, text string) string { return c.Paint(roles[r], text) }
}

// picture draws at most limit blocks behind a key; ok is false where the server has no such key.
func picture(s *engine.Server, db int, key []byte, limit int) (pic *layout.Picture, info command.KeyInfo, ok bool) {
	pic = &layout.Picture{Limit: limit}
	if d := s.Space.Existing(db); d != nil {
		info, ok = s.Picture(pic, d, key)
	}
	return pic, info, ok
}
