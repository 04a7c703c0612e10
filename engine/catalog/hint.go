package catalog

import "strings"

// Syntax is the command with its arguments, as `valkey-cli help` prints it:
// SET key value [NX|XX|IFEQ comparison-value] [GET] [EX seconds|…].
func (c *Command) Syntax() string {
	name := strings.ReplaceAll(upper(c.FullName), "|", " ")
	return join(" ", name, c.Hint(nil))
}

// Hint is what may follow the words typed after the command's name, as valkey-cli shows it in grey: typed arguments and
// options are left out, an option begun comes first. It is empty when the words do not fit. Beyond valkey-cli it goes
// by counts (numkeys, numfields), closes its brackets and names the subcommands of a container.
func (c *Command) Hint(words [][]byte) string {
	if len(c.Subcommands) > 0 && len(words) == 0 {
		names := make([]string, len(c.Subcommands))
		for i, sub := range c.Subcommands {
			names[i] = upper(sub.Name())
		}
		return strings.Join(names, "|")
	}
	list, ok := c.match(words)
	if !ok {
		return ""
	}
	return showAll(list, " ")
}

// match returns the arguments with what the words fill of them; ok is false if they do not fit.
func (c *Command) match(words [][]byte) (list []node, ok bool) {
	list = nodes(c.Arguments)
	return list, matchAll(words, list) == len(words)
}

// Hint is the hint for a line whose last word is finished: argv includes the command's name.
func (c *Catalog) Hint(argv [][]byte) string {
	cmd, words := c.split(argv)
	if cmd == nil {
		return ""
	}
	return cmd.Hint(words)
}

// split finds the command of a line and the words after its name.
func (c *Catalog) split(argv [][]byte) (cmd *Command, words [][]byte) {
	cmd = c.Find(argv)
	if cmd == nil {
		return nil, nil
	}
	names := 1 + strings.Count(cmd.FullName, "|")
	return cmd, argv[names:]
}

// join puts the parts that are not empty together.
func join(sep string, parts ...string) string {
	var b strings.Builder
	for _, p := range parts {
		if p == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(sep)
		}
		b.WriteString(p)
	}
	return b.String()
}

// showAll shows what is left of arguments. Of optional ones side by side the one begun comes first; when a required
// one after them has begun, they can no more come.
func showAll(list []node, sep string) string {
	var parts []string
	for i := 0; i < len(list); i++ {
		if !list[i].arg.Optional {
			parts = append(parts, list[i].show())
			continue
		}
		end := optionalEnd(list, i)
		open := openOption(list[i:end])
		if open >= 0 {
			parts = append(parts, list[i+open].show())
		}
		if end == len(list) || !list[end].started() {
			for j := i; j < end; j++ {
				if j != i+open || open < 0 {
					parts = append(parts, list[j].show())
				}
			}
		}
		i = end - 1
	}
	return join(sep, parts...)
}

// openOption is the option that is begun and not finished, or may go on being repeated, or -1.
func openOption(list []node) int {
	for i := range list {
		if !list[i].closed && (list[i].begun || list[i].done > 0 && (list[i].last || !list[i].arg.MultipleToken)) {
			return i
		}
	}
	return -1
}

// show shows what is left of one argument.
func (n *node) show() string {
	if n.closed {
		return ""
	}
	rest := ""
	if n.arg.Multiple && (n.limit < 0 || n.limit-n.done > 1) {
		rest = n.repetition()
	}
	this := ""
	if n.begun || n.done == 0 || n.limit >= 0 {
		this = n.once()
	}
	s := join(" ", this, rest)
	if n.arg.Optional && !n.started() && n.limit < 0 {
		return "[" + s + "]"
	}
	return s
}

// once shows what is left of this repetition.
func (n *node) once() string {
	token := ""
	if n.needsToken() {
		token = tokenText(n.arg)
	}
	return join(" ", token, n.body())
}

func (n *node) body() string {
	switch n.arg.Type {
	case ArgPureToken:
		return ""
	case ArgBlock:
		return showAll(n.sub, " ")
	case ArgOneOf:
		for i := range n.sub {
			if n.sub[i].started() {
				return n.sub[i].show()
			}
		}
		return showAll(n.sub, "|")
	}
	if n.value {
		return ""
	}
	return orQuotes(n.arg.DisplayText)
}

// repetition shows a further repetition: [key ...].
func (n *node) repetition() string {
	fresh := node{arg: n.arg, sub: nodes(n.arg.Arguments), limit: -1}
	token := ""
	if n.arg.MultipleToken {
		token = tokenText(n.arg)
	}
	return "[" + join(" ", token, fresh.body()) + " ...]"
}

// tokenText is the token; one that is empty shows as the word to type.
func tokenText(a *Argument) string { return orQuotes(a.Token) }

func orQuotes(s string) string {
	if s == "" {
		return `""`
	}
	return s
}
