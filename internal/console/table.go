package console

import (
	"fmt"
	"math"
	"strings"

	"github.com/mattn/go-runewidth"

	"github.com/keyloupe/keyloupe/internal/term"
)

// cell is a text in a table.
type cell struct {
	text  string
	style term.Style
}

// table is rows of cells. The first two columns are set to the left, numbers to the right.
type table [][]cell

// The columns of the table of a key.
const (
	nameColumn = iota
	encodingColumn
	usageColumn
	allocatedColumn
	changeColumn
	toFirstColumn
	usedColumn
	columns
)

// dispensable are the columns that a narrow terminal goes without, the first of them first.
var dispensable = []int{changeColumn, usedColumn, usageColumn}

// shortest is how short a key's name is cut before columns are left out.
const shortest = 8

// keyTable compares keys on the servers, a line a server. used is what used_memory of each server grew by, which is told
// beside the first key; nil where nothing has changed.
func keyTable(names []string, keys []Key, used []int64) table {
	var t table
	for i, k := range keys {
		head := make([]cell, columns)
		head[nameColumn] = cell{typed(k.Name), term.Bold}
		if i == 0 {
			for i, h := range []string{encodingColumn: "encoding", usageColumn: "usage", allocatedColumn: "allocated"} {
				if h != "" {
					head[i] = cell{h, term.Grey}
				}
			}
			if used != nil {
				head[changeColumn], head[usedColumn] = cell{"change", term.Grey}, cell{"used_memory", term.Grey}
			}
			if len(names) > 1 {
				head[toFirstColumn] = cell{"to " + names[0], term.Grey}
			}
		}
		t = append(t, head)
		for j, n := range names {
			row := keyRow(n, k.Before[j], k.After[j], k.After[0])
			if used == nil {
				row[changeColumn] = cell{}
			} else if i == 0 {
				row[usedColumn] = signed(int(used[j]))
			}
			if j == 0 {
				row[toFirstColumn] = cell{}
			}
			t = append(t, row)
		}
	}
	return t
}

func keyRow(name string, was, is, first State) []cell {
	row := make([]cell, columns)
	change, _ := is.over(was)
	row[nameColumn], row[encodingColumn], row[changeColumn] = cell{text: name}, encodingCell(was, is, first), signed(change)
	if is.There {
		row[usageColumn], row[allocatedColumn] = cell{text: fmt.Sprint(is.Usage)}, cell{"–", term.Grey}
		if is.Allocated != Uncounted {
			row[allocatedColumn] = cell{text: fmt.Sprint(is.Allocated)}
		}
	}
	if is.There && first.There {
		row[toFirstColumn] = difference(is.over(first))
	}
	return row
}

// usedTable tells what each server's used_memory grew by.
func usedTable(names []string, used []int64) table {
	head := make([]cell, columns)
	head[usedColumn] = cell{"used_memory", term.Grey}
	t := table{head}
	for i, n := range names {
		row := make([]cell, columns)
		row[nameColumn], row[usedColumn] = cell{text: n}, signed(int(used[i]))
		t = append(t, row)
	}
	return t
}

// encodingCell shows a conversion, or an encoding that is not the first server's, in a colour of its own.
func encodingCell(was, is, first State) cell {
	switch {
	case !is.There && was.There:
		return cell{"(gone)", term.Grey}
	case !is.There:
		return cell{"(none)", term.Grey}
	case was.There && was.Encoding != is.Encoding:
		return cell{was.Encoding + " → " + is.Encoding, term.Yellow}
	case first.There && first.Encoding != is.Encoding:
		return cell{is.Encoding, term.Yellow}
	}
	return cell{text: is.Encoding}
}

func signed(n int) cell {
	if n == 0 {
		return cell{"=", term.Grey}
	}
	return cell{text: fmt.Sprintf("%+d", n)}
}

// difference to the first server: less memory is good.
func difference(d, first int) cell {
	style := term.Red
	switch {
	case d == 0:
		return cell{"=", term.Grey}
	case d < 0:
		style = term.Green
	}
	if first == 0 {
		return cell{fmt.Sprintf("%+d", d), style}
	}
	return cell{fmt.Sprintf("%+d%s", d, percent(d, first)), style}
}

// percent is how much a difference is of a size, nothing where it is next to nothing.
func percent(d, of int) string {
	p := 100 * float64(d) / float64(of)
	switch size := math.Abs(p); {
	case size < 0.05:
		return ""
	case size < 10:
		return fmt.Sprintf(" %+.1f%%", p)
	}
	return fmt.Sprintf(" %+.0f%%", p)
}

// gap is the space between columns.
const gap = 2

// write sets the table in a width, leaving out what does not fit.
func (t table) write(b *strings.Builder, c term.Colors, width int) {
	if len(t) == 0 {
		return
	}
	wide := t.widths()
	for _, column := range dispensable {
		if len(wide) == columns && total(wide)-wide[nameColumn]+min(wide[nameColumn], shortest) > width {
			wide[column] = 0
		}
	}
	if over := total(wide) - width; over > 0 {
		wide[nameColumn] = max(min(wide[nameColumn], shortest), wide[nameColumn]-over)
	}
	for _, row := range t {
		line := ""
		for i, x := range row {
			if wide[i] == 0 {
				continue
			}
			if i > 0 {
				line += strings.Repeat(" ", gap)
			}
			text := cut(x.text, wide[i])
			pad := strings.Repeat(" ", wide[i]-runewidth.StringWidth(text))
			if i <= encodingColumn {
				line += c.Paint(x.style, text) + pad
			} else {
				line += pad + c.Paint(x.style, text)
			}
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

func (t table) widths() []int {
	wide := make([]int, len(t[0]))
	for _, row := range t {
		for i, x := range row {
			wide[i] = max(wide[i], runewidth.StringWidth(x.text))
		}
	}
	return wide
}

func total(wide []int) (n int) {
	for _, w := range wide {
		if w > 0 {
			n += w + gap
		}
	}
	return n - gap
}

// cut shortens a text in the middle.
func cut(text string, width int) string {
	if runewidth.StringWidth(text) <= width {
		return text
	}
	head := runewidth.Truncate(text, (width-1)/2, "")
	tail := runewidth.TruncateLeft(text, runewidth.StringWidth(text)-(width-1-runewidth.StringWidth(head)), "")
	return head + "…" + tail
}
