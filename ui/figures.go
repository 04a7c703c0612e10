package ui

import (
	"strconv"
	"strings"

	"github.com/keyloupe/keyloupe/engine/scenario"
	"github.com/vugu/vugu"
)

// figureTable shows the figures of a section, and below them what their differences come from. It builds its nodes by hand: as a
// template it would be three times as large in the download.
type figureTable struct{ *scenario.Section }

// Build makes the nodes.
func (t *figureTable) Build(*vugu.BuildIn) *vugu.BuildOut {
	root := node("div", "class", "ptable")
	table := element(root, "table")
	head := element(table, "tr")
	published := false
	for i := range t.Figures {
		published = published || t.Figures[i].Published != ""
	}
	for _, name := range []string{"what", "server", "published", "simulated", "difference"} {
		if published || name != "published" && name != "difference" {
			content(element(head, "th", "scope", "col", "class", name), name)
		}
	}
	if t.Figures[0].Beside != nil {
		content(element(head, "th", "scope", "col", "class", "beside"), "open source")
	}
	var what *vugu.VGNode // the cell that spans the rows of the same thing
	var notes []string
	span := 0
	for i := range t.Figures {
		f := &t.Figures[i]
		row := element(table, "tr", "class", string(f.State))
		if span++; i == 0 || f.What != t.Figures[i-1].What {
			what, span = element(row, "th", "scope", "row", "rowspan", "1"), 1
			content(what, f.What)
		}
		what.Attr[1].Val = itoa(span)
		content(element(row, "td", "class", "server"), f.Server)
		if published {
			content(element(row, "td", "class", "published"), figureText(f.Published, f.Unit))
		}
		content(element(row, "td", "title", f.How), figureText(f.Simulated, f.Unit))
		if published {
			d := element(row, "td", "class", "difference", "title", f.Rest)
			content(d, differenceText(f)+" ")
			if f.Rest != "" {
				content(element(d, "sup"), mark(&notes, f.Rest))
			}
		}
		if b := f.Beside; b != nil {
			content(element(row, "td", "class", "beside"), figureText(b.Simulated, f.Unit)+" on "+b.Server)
		}
	}
	for _, n := range notes {
		p := element(root, "p", "class", "notes")
		content(element(p, "sup"), mark(&notes, n))
		content(p, " "+n)
	}
	return &vugu.BuildOut{Out: []*vugu.VGNode{root}}
}

// mark is the letter of a note, which is added where it is not there yet.
func mark(notes *[]string, note string) string {
	i := 0
	for i < len(*notes) && (*notes)[i] != note {
		i++
	}
	if i == len(*notes) {
		*notes = append(*notes, note)
	}
	return string(rune('a' + i))
}

// figureText is a figure as people read it: digits in groups, a true minus sign, its unit. Words have none.
func figureText(text, unit string) string {
	whole, fraction, _ := strings.Cut(strings.TrimPrefix(text, "-"), ".")
	n, err := strconv.Atoi(whole)
	if err != nil {
		return text
	}
	out := group(n)
	if fraction != "" {
		out += "." + fraction
	}
	if text[0] == '-' {
		out = "−" + out
	}
	if unit != "" {
		out += " " + unit
	}
	return out
}

// differenceText is by how much a simulated figure differs.
func differenceText(f *scenario.Figure) string {
	if f.Difference == "" || f.Difference == "0" {
		return map[scenario.State]string{scenario.Same: "same", scenario.Unexplained: "differs", scenario.Cited: "not simulated", scenario.Refused: "not on this server"}[f.State]
	}
	_, fraction, _ := strings.Cut(f.Simulated, ".")
	text := signed(f.Difference, len(fraction))
	if f.Percent != "" {
		text += " (" + signed(f.Percent, 2) + "\u202f%)"
	}
	return text
}

// signed writes a number of a file, where it has lost its last zeros, with its sign.
func signed(n scenario.Number, decimals int) string {
	v, err := strconv.ParseFloat(string(n), 64)
	if err != nil {
		return string(n)
	}
	text := figureText(strconv.FormatFloat(v, 'f', decimals, 64), "")
	if v >= 0 {
		text = "+" + text
	}
	return text
}
