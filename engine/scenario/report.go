package scenario

import "strconv"

// Report is a scenario with what the simulator gives beside each published figure.
type Report struct {
	ID      string     `json:"id"`
	Number  string     `json:"number"`
	Title   string     `json:"title"`
	Source  string     `json:"source"`
	Finding string     `json:"finding"`
	Teaches []string   `json:"teaches"`
	Chart   string     `json:"chart,omitempty"` // a query of /api/sweep.svg
	Dots    []Dot      `json:"dots,omitempty"`  // published figures that lie in it
	Built   bool       `json:"built"`           // populations were really built; otherwise counted by arithmetic
	Tables  []*Section `json:"tables"`
}

// Dot is a published figure in a chart.
type Dot struct {
	Server    string `json:"server"`
	At        int    `json:"at"` // value of the field along the axis
	Published string `json:"published"`
}

// Section is a table of a report.
type Section struct {
	Title   string   `json:"title"`
	Note    string   `json:"note,omitempty"`
	Sweep   string   `json:"sweep,omitempty"` // a query of /api/sweep
	Play    *Play    `json:"play,omitempty"`
	Figures []Figure `json:"figures"`
}

// Figure is one published figure beside the simulated one.
type Figure struct {
	What       string `json:"what"`
	Server     string `json:"server"`
	Unit       string `json:"unit,omitempty"`
	Published  string `json:"published,omitempty"` // as published
	Simulated  string `json:"simulated,omitempty"` // "" where it is only cited
	Difference Number `json:"difference"`          // simulated less published
	Percent    Number `json:"percent"`             // of the published figure
	State      State  `json:"state"`
	Rest       string `json:"rest,omitempty"` // what the difference comes from
	Least      Number `json:"least"`          // the difference that this explains: from here
	Most       Number `json:"most"`           // to here
	Inferred   bool   `json:"inferred,omitempty"`
	Beside     *Other `json:"beside,omitempty"`
	How        string `json:"how,omitempty"`
}

// Other is the same figure on another server.
type Other struct {
	Server    string `json:"server"`
	Simulated string `json:"simulated"`
}

// State is what became of a comparison.
type State string

// The states.
const (
	Same        State = "same"        // equal, as exactly as was published
	Explained   State = "explained"   // the difference is within what the named causes add
	Unexplained State = "unexplained" // it is not
	Cited       State = "cited"       // a figure of something that is not simulated
	Alone       State = "alone"       // nothing was published for this server
	Refused     State = "refused"     // this server can't do it; Rest says why
)

// Number is a decimal number as text, so that it is the same everywhere; "" is none. JSON has it as a number, or null.
type Number string

// MarshalJSON writes the number.
func (n Number) MarshalJSON() ([]byte, error) {
	if n == "" {
		return []byte("null"), nil
	}
	return []byte(n), nil
}

// number writes v with so many decimals; a zero has no sign.
func number(v float64, decimals int) Number {
	s := strconv.FormatFloat(v, 'f', decimals, 64)
	if zero, err := strconv.ParseFloat(s, 64); err == nil && zero == 0 && s[0] == '-' {
		s = s[1:]
	}
	return Number(s)
}

// quote writes a name of somebody's choice in a message.
func quote(s string) string {
	if len(s) > 40 {
		s = s[:40] + "…"
	}
	return strconv.Quote(s)
}
