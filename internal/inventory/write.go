package inventory

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/internal/batch"
	"github.com/keyloupe/keyloupe/internal/term"
)

// WriteJSON writes an inventory as one object, about first in it. Of a key each byte is one character, as in the formats of
// package batch.
func (v *Inventory) WriteJSON(w io.Writer, about any) error {
	told := *v
	told.Biggest, told.Prefixes = slices.Clone(v.Biggest), slices.Clone(v.Prefixes)
	for i := range told.Biggest {
		told.Biggest[i].Key = batch.Text(told.Biggest[i].Key)
	}
	for i := range told.Prefixes {
		told.Prefixes[i].Prefix = batch.Text(told.Prefixes[i].Prefix)
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	return enc.Encode(struct {
		File any `json:"file"`
		*Inventory
	}{about, &told})
}

// Verdict is a sentence for each further server: what its used_memory differs by from the first server's.
func (v *Inventory) Verdict() (sentences []string) {
	for _, s := range v.Servers[1:] {
		first := v.Servers[0]
		change := Count(abs(s.Used-first.Used)) + " bytes"
		if first.Used > 0 {
			change += fmt.Sprintf(" (%.1f %%)", 100*float64(abs(s.Used-first.Used))/float64(first.Used))
		}
		switch {
		case s.Used < first.Used:
			change += " less than"
		case s.Used > first.Used:
			change += " more than"
		default:
			change = "as many bytes as"
		}
		sentences = append(sentences, "On "+s.Server+" these keys take "+change+" on "+first.Server+".")
	}
	return sentences
}

func abs(n int64) int64 { return max(n, -n) }

// WriteText writes an inventory as tables: a column of keys and one of bytes for each server, and what the bytes differ by
// from the first server's, in colours where there are some.
func (v *Inventory) WriteText(w io.Writer, colors term.Colors) error {
	sections := [][][]string{v.totals()}
	if len(v.Prefixes) > 0 {
		sections = append(sections, v.byPrefix())
	}
	if len(v.Biggest) > 0 {
		sections = append(sections, v.keys())
	}
	for i, rows := range sections {
		if i > 0 {
			if _, err := io.WriteString(w, "\n"); err != nil {
				return err
			}
		}
		if err := writeColumns(w, colors, rows); err != nil {
			return err
		}
	}
	return nil
}

// header is the two lines above columns for each server, of which the first is named one.
func (v *Inventory) header(first, one string) (rows [][]string) {
	servers, columns := []string{first}, []string{""}
	for i, s := range v.Servers {
		servers, columns = append(servers, "", s.Server), append(columns, one, "bytes")
		if i > 0 {
			servers, columns = append(servers, "", ""), append(columns, "Δ", "Δ %")
		}
	}
	return [][]string{servers, columns}
}

func (v *Inventory) totals() [][]string {
	rows := v.header("", "keys")
	line := func(name string, of func(*Totals) (string, int64)) {
		var first int64
		row := []string{name}
		for i := range v.Servers {
			keys, n := of(&v.Servers[i])
			row, first = append(append(row, keys), difference(i, first, n)...), firstOf(i, first, n)
		}
		rows = append(rows, row)
	}
	line("used_memory", func(t *Totals) (string, int64) { return Count(int64(t.Keys)), t.Used })
	line("  in the keys' blocks", func(t *Totals) (string, int64) { return "", t.Blocks })
	line("  in tables of keys", func(t *Totals) (string, int64) { return "", t.Tables })
	for from := 0; from < len(v.Types); {
		to := from
		all := make([]Sum, len(v.Servers))
		for ; to < len(v.Types) && v.Types[to].Type == v.Types[from].Type; to++ {
			for i, s := range v.Types[to].Servers {
				all[i].Keys += s.Keys
				all[i].Bytes += s.Bytes
			}
		}
		rows = append(rows, sums(v.Types[from].Type, all))
		for _, t := range v.Types[from:to] {
			rows = append(rows, sums("  "+t.Encoding, t.Servers))
		}
		from = to
	}
	return rows
}

func (v *Inventory) byPrefix() [][]string {
	rows := v.header("prefix", "keys")
	for _, p := range v.Prefixes {
		name := layout.Quote([]byte(p.Prefix))
		switch {
		case p.Rest:
			name = "all others"
		case p.Prefix == "":
			name = "none"
		}
		rows = append(rows, sums(name, p.Servers))
	}
	return rows
}

func (v *Inventory) keys() [][]string {
	rows := v.header("biggest keys", "encoding")
	for _, k := range v.Biggest {
		name := layout.Quote([]byte(k.Key))
		if k.DB != 0 {
			name += fmt.Sprintf(" in database %d", k.DB)
		}
		row := []string{name}
		for i, s := range k.Servers {
			encoding := s.Encoding
			if i == 0 {
				encoding = k.Type + ", " + encoding
			}
			row = append(append(row, encoding), difference(i, k.Servers[0].Bytes, s.Bytes)...)
		}
		rows = append(rows, row)
	}
	return rows
}

// sums is a row with the keys and bytes of each server.
func sums(name string, of []Sum) []string {
	row := []string{name}
	for i, s := range of {
		row = append(append(row, Count(int64(s.Keys))), difference(i, of[0].Bytes, s.Bytes)...)
	}
	return row
}

func firstOf(i int, first, n int64) int64 {
	if i == 0 {
		return n
	}
	return first
}

// difference is server i's bytes and, but for the first server, what they differ by from first.
func difference(i int, first, n int64) []string {
	cells := []string{Count(n)}
	if i == 0 {
		return cells
	}
	percent := ""
	if first != 0 && n != first {
		percent = fmt.Sprintf("%+.1f", 100*float64(n-first)/float64(first))
	}
	change := Count(n - first)
	if n > first {
		change = "+" + change
	}
	return append(cells, change, percent)
}

// Count is a number with commas between thousands.
func Count(n int64) string {
	if n < 0 {
		return "-" + Count(-n)
	}
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// widest is the columns that a name may take; a key can have any length.
const widest = 48

// writeColumns writes rows with the first column on the left and the others on the right.
func writeColumns(w io.Writer, colors term.Colors, rows [][]string) error {
	var widths []int
	for _, row := range rows {
		row[0] = cut(row[0])
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range rows {
		var b strings.Builder
		for i, cell := range row {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if i == 0 {
				b.WriteString(cell + pad)
			} else {
				b.WriteString("  " + pad + colors.Paint(styleOf(cell), cell))
			}
		}
		if _, err := io.WriteString(w, strings.TrimRight(b.String(), " ")+"\n"); err != nil {
			return err
		}
	}
	return nil
}

// styleOf is how a cell is painted: a difference by whether it is a saving.
func styleOf(cell string) term.Style {
	switch {
	case strings.HasPrefix(cell, "-"):
		return term.Green
	case strings.HasPrefix(cell, "+"):
		return term.Red
	}
	return term.Plain
}

// cut shortens the middle of a long name.
func cut(name string) string {
	r := []rune(name)
	if len(r) <= widest {
		return name
	}
	return string(r[:widest/2]) + "…" + string(r[len(r)-widest/2+1:])
}
