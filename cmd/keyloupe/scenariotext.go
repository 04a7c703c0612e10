package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/keyloupe/keyloupe/engine/scenario"
)

// writeReports prints reports for people.
func writeReports(w io.Writer, list []*scenario.Report) error {
	var b strings.Builder
	for i, r := range list {
		if i > 0 {
			b.WriteByte('\n')
		}
		writeReport(&b, r)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func writeReport(b *strings.Builder, r *scenario.Report) {
	fmt.Fprintf(b, "%s (%s): %s\n%s\nsource: %s\n", r.ID, r.Number, r.Title, r.Finding, r.Source)
	notes := notesOf(r)
	for _, t := range r.Tables {
		fmt.Fprintf(b, "\n%s\n", t.Title)
		writeTable(b, figureTable(t, notes))
		if t.Note != "" {
			fmt.Fprintf(b, "  %s\n", t.Note)
		}
	}
	b.WriteByte('\n')
	for i, n := range notes {
		fmt.Fprintf(b, "%s: %s\n", mark(i), n)
	}
	for _, l := range r.Teaches {
		fmt.Fprintf(b, "- %s\n", l)
	}
	if inferred(r) {
		b.WriteString("The build managed is inferred from published figures, not measured.\n")
	}
}

// inferred tells whether a report has figures of a build that is inferred.
func inferred(r *scenario.Report) bool {
	return slices.ContainsFunc(r.Tables, func(t *scenario.Section) bool {
		return slices.ContainsFunc(t.Figures, func(f scenario.Figure) bool { return f.Inferred })
	})
}

// notesOf are the causes of a report's differences, each once, in the order they come.
func notesOf(r *scenario.Report) (out []string) {
	for _, t := range r.Tables {
		for _, f := range t.Figures {
			if f.Rest != "" && !slices.Contains(out, f.Rest) {
				out = append(out, f.Rest)
			}
		}
	}
	return out
}

// mark is the letter of a note: a, b, ... z, a1, b1, ...
func mark(i int) string {
	s := string(rune('a' + i%26))
	if i >= 26 {
		s += strconv.Itoa(i / 26)
	}
	return s
}

// figureTable is a table's cells, heads first; an empty column is left out.
func figureTable(t *scenario.Section, notes []string) [][]string {
	rows := [][]string{{"what", "server", "published", "simulated", "", "difference", "", "", "beside it"}}
	for _, f := range t.Figures {
		percent, note, beside := "", "", ""
		difference := string(f.Difference)
		switch {
		case f.State == scenario.Same && difference == "": // words
			difference = string(scenario.Same)
		case f.Percent != "" && difference != "0":
			percent = string(f.Percent) + " %"
		}
		if f.State == scenario.Unexplained {
			note = "!"
		}
		if f.Rest != "" {
			note += mark(slices.Index(notes, f.Rest))
		}
		if f.Beside != nil {
			beside = f.Beside.Server + " " + f.Beside.Simulated
		}
		rows = append(rows, []string{f.What, f.Server, f.Published, short(f.Simulated), f.Unit, difference, percent, note, beside})
	}
	for col := len(rows[0]) - 1; col >= 0; col-- {
		if !slices.ContainsFunc(rows[1:], func(r []string) bool { return r[col] != "" }) {
			for i := range rows {
				rows[i] = slices.Delete(rows[i], col, col+1)
			}
		}
	}
	return rows
}

// short keeps a long answer to a column's width; JSON and CSV have all of it.
func short(s string) string {
	const most = 40
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most-1]) + "…"
}

// writeTable lines up columns: numbers to the right, words to the left.
func writeTable(b *strings.Builder, rows [][]string) {
	width := make([]int, len(rows[0]))
	for _, r := range rows {
		for i, cell := range r {
			width[i] = max(width[i], utf8.RuneCountInString(cell))
		}
	}
	for n, r := range rows {
		line := " "
		for i, cell := range r {
			pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(cell))
			if numeric(rows[max(n, 1):], i) {
				line += " " + pad + cell
			} else {
				line += " " + cell + pad
			}
			line += " "
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

// numeric tells whether the first cell of a column that holds something holds a number.
func numeric(rows [][]string, col int) bool {
	for _, r := range rows {
		if r[col] != "" {
			_, err := strconv.ParseFloat(strings.TrimSuffix(r[col], " %"), 64)
			return err == nil
		}
	}
	return false
}
