package lineedit

import (
	"fmt"
	"io"
	"strings"

	"github.com/mattn/go-runewidth"
	readline "github.com/nyaosorg/go-readline-ny"

	"github.com/keyloupe/keyloupe/internal/term"
	"github.com/keyloupe/keyloupe/ui/complete"
)

// menu is the words that Tab goes through after it has listed them.
type menu struct {
	words []string
	start int    // where the word begins in the line, in characters
	at    int    // the one in the line; -1 for none yet
	line  string // the line with it: as soon as it is another one, the menu is over
}

// tab completes the word before the cursor: as far as it is certain, else it lists what is possible, and goes through it
// when it is pressed again.
func (e *Editor) tab(b *readline.Buffer, step int) {
	line := b.SubString(0, b.Cursor)
	if m := &e.menu; len(m.words) > 0 && m.line == line {
		if m.at += step; m.at < 0 {
			m.at = len(m.words) - 1
		}
		m.at %= len(m.words)
		b.ReplaceAndRepaint(m.start, m.words[m.at])
		m.line = b.SubString(0, b.Cursor)
		return
	}
	e.menu = menu{}
	c := e.o.Complete(line)
	start := readline.MojiCountInString(line[:c.Start])
	switch len(c.Words) {
	case 0:
		io.WriteString(b.Out, "\a")
	case 1:
		b.ReplaceAndRepaint(start, c.Words[0]+" ")
	default:
		if common := complete.Common(c.Words); len(common) > len(line)-c.Start {
			b.ReplaceAndRepaint(start, common)
		}
		e.list(b, c)
		e.menu = menu{words: c.Words, start: start, at: -1, line: b.SubString(0, b.Cursor)}
	}
}

// list shows words below the line, and the line again below them.
func (e *Editor) list(b *readline.Buffer, c Choice) {
	width, _, err := e.term.Size()
	if err != nil {
		width = 80
	}
	var out strings.Builder
	out.WriteString("\x1b[J") // the hint
	for _, row := range columns(c.Words, width-1) {
		out.WriteString("\r\n" + e.o.Colors.Paint(term.Cyan, row))
	}
	if c.More > 0 {
		out.WriteString("\r\n" + e.o.Colors.Paint(term.Grey, fmt.Sprintf("… and %d more", c.More)))
	}
	out.WriteString("\r\n")
	io.WriteString(b.Out, out.String())
	b.RepaintAll()
}

// columns sets words in columns, read downwards, of a width in characters.
func columns(words []string, width int) (rows []string) {
	widest := 0
	for _, w := range words {
		widest = max(widest, runewidth.StringWidth(w))
	}
	const gap = 2
	across := max(1, (width+gap)/(widest+gap))
	down := (len(words) + across - 1) / across
	for r := range down {
		var row strings.Builder
		for i := r; i < len(words); i += down {
			if i > r {
				row.WriteString(strings.Repeat(" ", gap+widest-runewidth.StringWidth(words[i-down])))
			}
			row.WriteString(words[i])
		}
		rows = append(rows, row.String())
	}
	return rows
}
