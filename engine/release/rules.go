package release

import (
	"slices"
	"strconv"
	"strings"
)

// Evidence says how a rule's value for a release was established.
type Evidence string

// The kinds of evidence.
const (
	Measured Evidence = "measured" // on a running server of that release
	Read     Evidence = "read"     // in that release's source
	Assumed  Evidence = "assumed"  // from neighbouring releases
)

// Step is a rule's value from one release on.
type Step struct {
	From     string // first release: "8.1.4"
	Value    int
	Evidence Evidence
	PR       string // the change that made it so, where known: "#2516"
	Note     string
}

// Rule is one difference between releases.
type Rule struct {
	ID     string
	What   string // the rule in words, with its unit
	Source string // file and function of the server that it stands in
	Steps  []Step // oldest first; the first begins at 7.2.0
	set    func(*Values, int)
}

// At is the step that holds for a release.
func (u Rule) At(r *Release) Step {
	var at Step
	for _, s := range u.Steps {
		l, p := mustVersion(s.From)
		if r.compare(l, p) >= 0 {
			at = s
		}
	}
	return at
}

var rules = slices.Concat(coreRules, hashRules, listRules, zsetRules, dictRules, setRules, adminRules, baselineRules, rdbRules)

// Rules lists every rule.
func Rules() []Rule { return rules }

func resolve(r *Release) {
	for _, u := range rules {
		u.set(&r.Values, u.At(r).Value)
	}
}

func mustVersion(s string) (Line, int) {
	i := strings.LastIndexByte(s, '.')
	p, err := strconv.Atoi(s[i+1:])
	for l := range lines {
		if err == nil && lines[l].name == s[:i] {
			return Line(l), p
		}
	}
	panic("release: bad version in the rules: " + s)
}
