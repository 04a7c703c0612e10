// Package complete knows what may come next on the line being typed, and what the page answers by itself: help, and what
// an error's author may have meant.
package complete

import (
	"strings"
	"unicode/utf8"

	"github.com/keyloupe/keyloupe/engine/catalog"
	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/engine/resp"
)

// Point is the end of a line that is being typed.
type Point struct {
	Start      int      // where the last word begins in the line
	Word       string   // the last word as typed, empty after a space
	Value      string   // what it stands for, without quotes
	Candidates []string // words it may become
	Keys       bool     // a key name may stand here
	Rest       string   // what is missing of the only candidate
	Hint       string   // what may follow, in the words of the command's syntax
}

// longest is the longest line that is looked at, in bytes: hints of longer ones help nobody.
const longest = 4096

// At looks at the end of a line. Without a catalog, or on a line whose quotes do not match, nothing is known.
func At(cat *catalog.Catalog, line string) Point {
	p := Point{Start: len(line)}
	if cat == nil || len(line) > longest {
		return p
	}
	p.Start = lastWord(line)
	p.Word = line[p.Start:]
	words, err := resp.Split(line[:p.Start])
	if err != nil {
		return Point{Start: len(line)}
	}
	last, err := resp.Split(p.Word)
	switch {
	case err == nil && len(last) == 1:
		p.Value = last[0]
	case err == nil && len(last) == 0:
	default: // a quote is open: complete the name in it
		if p.Value = strings.TrimPrefix(p.Word, `"`); p.Value == p.Word {
			return Point{Start: len(line)}
		}
	}
	p.complete(cat, words)
	return p
}

func (p *Point) complete(cat *catalog.Catalog, words []string) {
	if len(words) > 0 && strings.EqualFold(words[0], "help") {
		p.completeHelp(cat, words[1:])
		return
	}
	argv := args(words)
	if strings.Trim(p.Word, `"'`) == p.Word {
		p.Candidates = cat.Complete(append(argv, []byte(p.Value)))
	}
	for _, n := range cat.Next(argv) {
		switch {
		case n.Word != "" || n.Arg == nil:
		case n.Arg.Type == catalog.ArgKey:
			p.Keys = true
		case n.Arg.Name == "parameter" && strings.EqualFold(words[0], "config"):
			p.Candidates = append(p.Candidates, directives(cat, p.Value)...)
		}
	}
	finished := argv
	switch {
	case p.Word == "":
	case len(p.Candidates) == 1 && !p.Keys && len(p.Candidates[0]) > len(p.Word):
		p.Rest = p.Candidates[0][len(p.Word):]
		finished = append(argv, []byte(p.Candidates[0]))
	default:
		finished = append(argv, []byte(p.Value))
	}
	if len(finished) > 0 {
		p.Hint = cat.Hint(finished)
	}
}

// directives are those that begin as typed.
func directives(cat *catalog.Catalog, typed string) (names []string) {
	for _, c := range cat.Configs {
		if len(c.Name) >= len(typed) && strings.EqualFold(c.Name[:len(typed)], typed) {
			names = append(names, c.Name)
		}
	}
	return names
}

// completeHelp completes what may follow help: a command, its subcommand, or a group.
func (p *Point) completeHelp(cat *catalog.Catalog, words []string) {
	switch {
	case len(words) == 0 && strings.HasPrefix(p.Word, "@"):
		for _, g := range groups {
			if strings.HasPrefix(g, strings.ToLower(p.Word)) {
				p.Candidates = append(p.Candidates, g)
			}
		}
	case len(words) == 0 || len(words) == 1 && p.Word != "":
		p.Candidates = cat.Complete(append(args(words), []byte(p.Value)))
	}
	if len(p.Candidates) == 1 && len(p.Candidates[0]) > len(p.Word) {
		p.Rest = p.Candidates[0][len(p.Word):]
	}
}

func args(words []string) [][]byte {
	out := make([][]byte, len(words), len(words)+1)
	for i, w := range words {
		out[i] = []byte(w)
	}
	return out
}

// lastWord is where the last word of a line begins; a quoted one begins at its quote.
func lastWord(line string) int {
	start, quote := -1, byte(0)
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case quote != 0 && c == '\\' && quote == '"':
			i++
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
		case c == ' ' || c == '\t':
			start = -1
		case start < 0:
			start = i
			if c == '"' || c == '\'' {
				quote = c
			}
		}
	}
	if start < 0 {
		return len(line)
	}
	return start
}

// Word is a key's name as it must be typed.
func Word(name []byte) string {
	q := layout.Quote(name)
	if len(name) == 0 || len(q) != len(name)+2 || strings.ContainsAny(q, " '") {
		return q
	}
	return string(name)
}

// Common is the longest beginning that words have in common, whatever the case of their letters.
func Common(words []string) string {
	if len(words) == 0 {
		return ""
	}
	common := words[0]
	for _, w := range words[1:] {
		for !strings.HasPrefix(strings.ToLower(w), strings.ToLower(common)) {
			_, size := utf8.DecodeLastRuneInString(common)
			common = common[:len(common)-size]
		}
	}
	return common
}

// Lines splits a paste into command lines, without blank ones and comments, and without the prompts of a terminal that
// was copied from.
func Lines(text string) []string {
	var out []string
	for l := range strings.SplitSeq(strings.ReplaceAll(text, "\r\n", "\n"), "\n") {
		l = strings.TrimSpace(l)
		l = strings.TrimPrefix(l, "127.0.0.1:6379> ")
		if l != "" && !strings.HasPrefix(l, "#") {
			out = append(out, l)
		}
	}
	return out
}
