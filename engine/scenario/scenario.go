// Package scenario holds published measurements of Valkey's memory: what was measured, how the simulator comes to the same figure, and
// why the two differ where they do.
//
//	Scenario ── Table ── Row: what was measured, its published figures, How to simulate it
//	   Run      ───────  Figure: published, simulated, difference, its cause
//
// The table is data (published.go, questions.go). It holds no simulated number: Run computes each, by the arithmetic of engine/sweep,
// by really building a population, or by giving a server the commands. The published figures are facts of public articles; the words
// are ours.
package scenario

import "strings"

// Scenario is one published measurement, or a collection of them.
type Scenario struct {
	ID      string // in addresses and on the command line
	Number  string // short: "P1"
	Title   string
	Source  string // who published it
	Finding string // in one sentence
	Teaches []string
	Chart   string // a query of /api/sweep.svg that shows the finding; "" for none
	Tables  []Table
}

// Table is rows that belong together.
type Table struct {
	Title   string
	Note    string
	Servers []string // of rows that name none
	Beside  []string // servers shown beside those, one each; nil for none
	Rest    []Cause  // of rows that name none
	Sweep   string   // a query of /api/sweep that goes on from here
	Play    *Play    // what to try in the playground
	Rows    []Row
}

// Row is one thing that was measured, on one server or several.
type Row struct {
	What      string
	How       How // nil: cited, not simulated
	Measure   Measure
	Unit      string   // where the measure has none
	Servers   []string // nil: the table's
	Published []string // as published, one a server, "" where nothing was; nil for none. "about 20" may be a twentieth more or less
	Rest      []Cause
}

// Play is commands to try.
type Play struct {
	Servers []string `json:"servers"`
	Run     []string `json:"run"`
	Key     string   `json:"key,omitempty"`
}

// How is the way to a simulated figure: a Shape, Items, an Extra or a History.
type How interface {
	// String says it in a few words.
	String() string
}

// Shape is keys of one shape: a query of /api/sweep without servers. "keys" is how many there are.
type Shape string

// String is the query.
func (s Shape) String() string { return "sweep " + string(s) }

// Items is a population of several keys an item, numbered from 1: "{n}" in a command stands for the number.
type Items struct {
	N    int
	Each []string
}

// String is the commands of an item.
func (i Items) String() string { return "populate " + strings.Join(i.Each, "; ") }

// Extra is what one shape costs more than another, divided by By.
type Extra struct {
	Of, Less Shape
	By       int
}

// String is both shapes.
func (x Extra) String() string { return x.Of.String() + " less " + string(x.Less) }

// History is commands on an empty server and a question after them. "~x*40" stands for forty times x.
type History struct {
	Commands []string
	Times    int // how often they are given, "{n}" being 1, 2, ...; 0 = once
	Wait     int // milliseconds that pass then
	Ask      string
	Field    string   // of a reply like INFO's: only this field
	Then     []string // the figure is what these commands change of the answer
}

// String is the commands.
func (h History) String() string {
	lines := append(append([]string{}, h.Commands...), h.Ask)
	if h.Then != nil {
		lines = append(append(lines, h.Then...), h.Ask)
	}
	return "run " + strings.Join(lines, "; ")
}

// Cause is something that a published figure has and the simulated one has not: from Least to Most.
type Cause struct {
	Words       string
	Least, Most float64 // bytes in the used_memory of all keys together
	Own         bool    // Least and Most are in the unit of the row itself
	Seed        bool    // it is the server's hash seed: Least and Most are what seeds do, by sweep.TableSpread
}

// All are the scenarios in the order they are shown.
func All() []*Scenario {
	out := make([]*Scenario, 0, len(published)+1)
	for i := range published {
		out = append(out, &published[i])
	}
	return append(out, &questions)
}

// Find is the scenario of an ID or a number, in capitals or not.
func Find(name string) (*Scenario, error) {
	for _, s := range All() {
		if strings.EqualFold(name, s.ID) || strings.EqualFold(name, s.Number) {
			return s, nil
		}
	}
	return nil, &UnknownError{name}
}

// UnknownError says that there is no scenario of a name, and which there are.
type UnknownError struct{ Name string }

func (e *UnknownError) Error() string {
	var names []string
	near := ""
	for _, s := range All() {
		names = append(names, s.ID)
		if near == "" && alike(strings.ToLower(e.Name), s.ID) {
			near = "did you mean " + s.ID + "? "
		}
	}
	return "there is no scenario " + quote(e.Name) + ": " + near + "there are " + strings.Join(names, ", ")
}

// alike tells whether a name may have been meant as another: it is a part of it, or begins alike.
func alike(name, id string) bool {
	const least = 4 // letters
	return len(name) >= least && (strings.Contains(id, name) || strings.Contains(name, id) || len(id) > least && name[:least] == id[:least])
}
