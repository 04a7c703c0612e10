package catalog

import "sort"

// Next is one thing that may come next on a line.
type Next struct {
	Word string    // a word to type: a subcommand or a token; "" if a value is expected
	Arg  *Argument // the argument it belongs to; nil for a subcommand
}

// Next lists what may come after a line whose last word is finished, required and optional, in order of the syntax.
// A page offers key names where one of them has an Arg of type ArgKey without a Word.
func (c *Catalog) Next(argv [][]byte) []Next {
	cmd, words := c.split(argv)
	if cmd == nil {
		return nil
	}
	if len(cmd.Subcommands) > 0 {
		var next []Next
		for _, sub := range cmd.Subcommands {
			next = append(next, Next{Word: upper(sub.Name())})
		}
		return next
	}
	list, ok := cmd.match(words)
	if !ok {
		return nil
	}
	next, _ := nextOf(list, nil)
	return next
}

// Complete lists the words the last word of a line may become: commands, subcommands and tokens, in the case typed,
// sorted. The last word may be empty.
func (c *Catalog) Complete(argv [][]byte) []string {
	if len(argv) == 0 {
		argv = [][]byte{nil}
	}
	last := argv[len(argv)-1]
	var words []string
	if len(argv) == 1 {
		for _, cmd := range c.Commands {
			words = append(words, cmd.FullName)
		}
	} else {
		for _, n := range c.Next(argv[:len(argv)-1]) {
			words = append(words, n.Word)
		}
	}
	return begins(words, last)
}

// begins keeps the words that begin as typed, once each, in lower case if what was typed is.
func begins(words []string, typed []byte) (out []string) {
	small := isLower(typed)
	seen := map[string]bool{}
	for _, w := range words {
		if w == "" || len(w) < len(typed) || !equalFold(w[:len(typed)], string(typed)) {
			continue
		}
		w = upper(w)
		if small {
			w = lowerAll(w)
		}
		if !seen[w] {
			seen[w] = true
			out = append(out, w)
		}
	}
	sort.Strings(out)
	return out
}

func isLower(b []byte) bool {
	small := false
	for _, c := range b {
		if 'A' <= c && c <= 'Z' {
			return false
		}
		small = small || 'a' <= c && c <= 'z'
	}
	return small
}

func lowerAll(s string) string {
	b := []byte(s)
	for i := range b {
		b[i] = lower(b[i])
	}
	return string(b)
}

// nextOf adds what may come next of arguments; open is false if one that is required ends the search.
func nextOf(list []node, next []Next) (out []Next, open bool) {
	for i := 0; i < len(list); i++ {
		if list[i].arg.Optional {
			end := optionalEnd(list, i)
			next, open = nextOption(list[i:end], end < len(list) && list[end].started(), next)
			if !open {
				return next, false
			}
			i = end - 1
			continue
		}
		next = list[i].next(next)
		if !list[i].enough() {
			return next, false
		}
	}
	return next, true
}

// nextOption adds what may come of options side by side; passed: what comes after them has begun.
func nextOption(list []node, passed bool, next []Next) (out []Next, open bool) {
	at := openOption(list)
	if at >= 0 {
		next = list[at].next(next)
		if !list[at].enough() {
			return next, false
		}
	}
	for i := range list {
		if i == at || passed {
			continue
		}
		next = list[i].next(next)
		if !list[i].closed && list[i].limit >= 0 { // counted keys: no more optional
			return next, false
		}
	}
	return next, true
}

func (n *node) next(next []Next) []Next {
	if n.closed {
		return next
	}
	if n.needsToken() {
		return append(next, Next{n.arg.Token, n.arg})
	}
	switch n.arg.Type {
	case ArgPureToken:
		return next
	case ArgBlock:
		next, open := nextOf(n.sub, next)
		if open && n.begun && n.arg.Multiple {
			fresh := node{arg: n.arg, sub: nodes(n.arg.Arguments), limit: -1, done: 1}
			next = fresh.next(next)
		}
		return next
	case ArgOneOf:
		for i := range n.sub {
			if n.sub[i].started() {
				return n.sub[i].next(next)
			}
		}
		for i := range n.sub {
			next = n.sub[i].next(next)
		}
		return next
	}
	return append(next, Next{Arg: n.arg})
}
