package console

import (
	"slices"
	"strings"

	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/release"
	"github.com/keyloupe/keyloupe/engine/resp"
	"github.com/keyloupe/keyloupe/internal/lineedit"
	"github.com/keyloupe/keyloupe/ui/complete"
)

// maxChoice is how many words are offered at once.
const maxChoice = 60

// Complete is what the word at the end of a line may become.
func (c *Console) Complete(line string) lineedit.Choice {
	p := c.point(line)
	out := lineedit.Choice{Start: p.Start, Words: p.Candidates}
	if p.Keys {
		keys, more := c.keyNames(p.Value)
		out.Words = append(slices.Clone(out.Words), keys...)
		out.More = more
	}
	if n := len(out.Words); n > maxChoice {
		out.More += n - maxChoice
		out.Words = out.Words[:maxChoice]
	}
	return out
}

// Hint is what may follow a line: the rest of its last word, and the syntax of the command.
func (c *Console) Hint(line string) (rest, syntax string) {
	p := c.point(line)
	if p.Hint == "" {
		return p.Rest, ""
	}
	if p.Rest == "" && (line == "" || strings.HasSuffix(line, " ")) {
		return "", p.Hint
	}
	return p.Rest, " " + p.Hint
}

// point is the end of a line, with the prompt's own words.
func (c *Console) point(line string) complete.Point {
	p := complete.At(c.Session.Catalog(), line)
	before, err := resp.Split(line[:p.Start])
	if err != nil {
		return p
	}
	if len(before) == 0 {
		c.addWords(&p)
		return p
	}
	w := wordOf(append(before, "")) // a save that goes on is the word
	if w == nil || w.name == "help" {
		return p
	}
	p.Candidates, p.Keys, p.Rest, p.Hint = nil, false, "", ""
	if len(before) > 1 || w.complete == nil {
		if len(before) == 1 && p.Word == "" {
			p.Hint = w.usage
		}
		return p
	}
	if p.Candidates, p.Keys = w.complete(c, p.Value); p.Word == "" {
		p.Hint = w.usage
	}
	return p
}

// addWords adds the words that begin as typed to the commands that do.
func (c *Console) addWords(p *complete.Point) {
	if p.Word == "" {
		return
	}
	var found []string
	for _, w := range words {
		if strings.HasPrefix(w.name, p.Word) && !slices.Contains(p.Candidates, w.name) {
			found = append(found, w.name)
		}
	}
	if len(found) == 0 {
		return
	}
	p.Candidates = append(slices.Clone(p.Candidates), found...)
	slices.Sort(p.Candidates)
	p.Rest, p.Hint = "", ""
	if len(p.Candidates) == 1 {
		p.Rest = found[0][len(p.Word):]
		if w := wordOf([]string{found[0], ""}); w.usage != "" {
			p.Hint = w.usage
		}
	}
}

func keyNames(*Console, string) ([]string, bool) { return nil, true }

// serverList completes the last of a list of servers with the newest release of each line, in each build.
func serverList(_ *Console, typed string) (out []string, keys bool) {
	before := typed[:strings.LastIndexByte(typed, ',')+1]
	for l := range release.Lines() {
		newest := release.Newest(release.Line(l))
		for _, b := range release.BuildNames() {
			name := newest
			if b != release.BuildNames()[0] {
				name += "@" + b
			}
			if strings.HasPrefix(before+name, typed) {
				out = append(out, before+name)
			}
		}
	}
	return out, false
}

// keyNames are the keys of the database that begin with a prefix, in order, as they must be typed.
func (c *Console) keyNames(prefix string) (names []string, more int) {
	for _, x := range c.Session.Lab.Servers {
		x.Client.DB.Each(func(key []byte, _ heap.Ptr) bool {
			if strings.HasPrefix(string(key), prefix) {
				names = append(names, typed(string(key)))
			}
			return true
		})
	}
	slices.Sort(names)
	names = slices.Compact(names)
	if len(names) > maxChoice {
		return names[:maxChoice], len(names) - maxChoice
	}
	return names, 0
}
