package scenario

import (
	"strconv"
	"strings"
)

// expand writes out a line's "~x*40" as forty times x.
func expand(line string) string {
	words := strings.Split(line, " ")
	for i, w := range words {
		if len(w) > 3 && w[0] == '~' && w[2] == '*' {
			if n, err := strconv.Atoi(w[3:]); err == nil {
				words[i] = strings.Repeat(w[1:2], n)
			}
		}
	}
	return strings.Join(words, " ")
}

func expandAll(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = expand(l)
	}
	return out
}

func (h History) expanded() History {
	h.Commands, h.Ask, h.Then = expandAll(h.Commands), expand(h.Ask), expandThen(h.Then)
	return h
}

func expandThen(lines []string) []string {
	if lines == nil {
		return nil
	}
	return expandAll(lines)
}

// play is what to try, as it is typed.
func (t *Table) play() *Play {
	if t.Play == nil {
		return nil
	}
	p := *t.Play
	p.Run, p.Key = expandAll(p.Run), expand(p.Key)
	return &p
}
