package sweeping

import (
	"fmt"

	"github.com/keyloupe/keyloupe/engine/sweep"
)

// Cliff is a cliff to be listed.
type Cliff struct {
	Value    int    // the first length after it
	Between  string // "97 | 98"
	Pair     string // the servers, and the shape where there are several
	Sentence string
	Change   sweep.Micro // of the difference between the two servers
	Step     bool        // neither an encoding nor the winner changes
}

// maxCliffs bounds the list.
const maxCliffs = 300

func (v *View) findCliffs() {
	v.cliffs, v.more, v.tooWide = nil, nil, false
	if v.Along() != "value" && v.Plan.Spec.Value.Len() == 1 {
		return
	}
	if v.Plan.CliffPoints() > 2*MaxPoints {
		v.tooWide = true
		return
	}
	names := v.Plan.Spec.Servers
	for c := range v.Plan.Cliffs {
		if len(v.cliffs) == maxCliffs {
			break
		}
		pair := names[c.B] + " against " + names[c.A]
		if s := v.Shape(&c.Row, "value"); s != "" {
			pair += ", " + s
		}
		v.cliffs = append(v.cliffs, Cliff{c.To, fmt.Sprintf("%d | %d", c.From, c.To), pair, c.Sentence(), c.DeltaIs - c.DeltaWas, c.Kind == sweep.StepChanges})
	}
	for x := range v.Plan.Excesses {
		if len(v.more) == maxCliffs {
			break
		}
		lengths := fmt.Sprintf("%d to %d bytes", x.From, x.To)
		if x.From == x.To {
			lengths = fmt.Sprintf("%d bytes", x.From)
		}
		text := fmt.Sprintf("%s: %s costs %s more than %s", lengths, names[x.B], x.Delta.Round(1), names[x.A])
		if s := v.Shape(&x.Row, "value"); s != "" {
			text += " (" + s + ")"
		}
		v.more = append(v.more, text)
	}
}

// Cliffs are those found; steps too, where wanted.
func (v *View) Cliffs(steps bool) (out []Cliff) {
	for _, c := range v.cliffs {
		if steps || !c.Step {
			out = append(out, c)
		}
	}
	return out
}

// Steps is how many cliffs are mere steps.
func (v *View) Steps() int { return len(v.cliffs) - len(v.Cliffs(false)) }

// Worse are the lengths at which a later server costs more, as sentences.
func (v *View) Worse() []string { return v.more }

// NoCliffs says why there are none to list; empty where there are.
func (v *View) NoCliffs() string {
	switch {
	case v.tooWide:
		return "Too many lengths to look for cliffs: every one between the shortest and the longest value is looked at. Shorten the range."
	case len(v.Servers) < 2:
		return "Cliffs are where two servers differ: add a server."
	case v.Along() != "value" && v.Plan.Spec.Value.Len() == 1:
		return "Cliffs are lengths of the value: give it a range, such as 0..200."
	case len(v.cliffs) == 0:
		return "None: neither an encoding nor the difference between two servers changes here."
	}
	return ""
}
