package console

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/mattn/go-runewidth"

	"github.com/keyloupe/keyloupe/engine/resp"
	"github.com/keyloupe/keyloupe/internal/term"
	"github.com/keyloupe/keyloupe/ui/complete"
)

// Console runs lines and prints what comes of them.
type Console struct {
	Session *Session
	Out     io.Writer
	// Notes is for what is no reply: with Bare, what the other servers replied.
	Notes  io.Writer
	Style  Style
	Colors term.Colors
	Width  func() int // columns of Out
	// Bare prints replies only, JSON an object a command.
	Bare, JSON bool
	// Commands counts the commands run, Errors those of them that a server replied an error to.
	Commands, Errors int

	sources int  // files being run
	echoed  bool // a command was printed before what came of it
}

// ErrLeave says that the line asked to leave.
var ErrLeave = errors.New("left")

// Line runs a typed line. Blank lines and comments do nothing. An error says that the line could not be read or done; an
// error reply is none.
func (c *Console) Line(ctx context.Context, line string) error {
	args, err := split(line)
	if err != nil || len(args) == 0 {
		return err
	}
	if bool(c.Colors) && len(args) == 3 && strings.EqualFold(args[0], "keyloupe") && strings.EqualFold(args[1], "layout") && !c.Session.InTransaction() {
		return c.layout(ctx, args[2:]) // the command's text, in colours
	}
	if w := wordOf(args); w != nil {
		if err := w.check(args[1:]); err != nil {
			return err
		}
		return w.run(c, ctx, args[1:])
	}
	n, args := times(args)
	if c.Bare && n > 1 { // as valkey-cli: every reply
		for ; n > 1 && ctx.Err() == nil; n-- {
			c.print(c.did(ctx, args, 1), line)
		}
	}
	r := c.did(ctx, args, n)
	c.print(r, line)
	if c.Session.Lab.Servers[0].Client.Closing() {
		return ErrLeave
	}
	return ctx.Err()
}

// did runs a command and counts it.
func (c *Console) did(ctx context.Context, args []string, n int) *Result {
	r := c.Session.Do(ctx, args, n)
	c.Commands += r.Times
	if r.Error() != "" {
		c.Errors++
	}
	return r
}

// split takes a line apart; one that begins with # is a comment.
func split(line string) ([]string, error) {
	if strings.HasPrefix(strings.TrimLeft(line, " \t"), "#") {
		return nil, nil
	}
	return resp.Split(line)
}

// times takes off the number that may stand before a command, as in valkey-cli: so often it is run.
func times(args []string) (n int, command []string) {
	if len(args) > 1 {
		if n, err := strconv.Atoi(args[0]); err == nil && n > 0 {
			return n, args[1:]
		}
	}
	return 1, args
}

// print prints the replies to a command, the keys that it is about, and what was notable.
func (c *Console) print(r *Result, line string) {
	switch {
	case r.stopped():
		return
	case c.JSON:
		c.printJSON(r)
		return
	}
	var b strings.Builder
	if c.Bare {
		c.reply(&b, &r.Effects[0], r.Args)
		c.others(r)
		c.write(b.String())
		return
	}
	c.replies(&b, r)
	if advice := complete.Advice(r.Error(), line, c.Session.Catalog()); advice != "" {
		c.say(&b, "", advice, term.Grey)
	}
	if r.Times > 1 {
		c.say(&b, "", fmt.Sprintf("%d times; the reply is the last one's", r.Times), term.Grey)
	}
	if !strings.EqualFold(r.Args[0], "keyloupe") { // which tells of keys itself
		c.keys(&b, r)
	}
	c.why(&b, r)
	c.write(b.String())
}

// replies prints the reply, or where servers differ every one after the names of those that gave it.
func (c *Console) replies(b *strings.Builder, r *Result) {
	if r.Same() {
		c.reply(b, &r.Effects[0], r.Args)
		return
	}
	var texts []string
	for i := range r.Effects {
		texts = append(texts, c.said(&r.Effects[i], r.Args))
	}
	c.grouped(texts, func(servers, text string) {
		sep := " "
		if strings.Contains(text, "\n") {
			sep = "\n"
		}
		b.WriteString(c.Colors.Paint(term.Bold, servers+":") + sep + c.painted(text) + "\n")
	})
}

// grouped calls f with each of the servers' texts and the names of the servers that have it.
func (c *Console) grouped(texts []string, f func(servers, text string)) {
	names := c.serverNames()
	for i, text := range texts {
		if slices.Index(texts, text) < i {
			continue
		}
		var have []string
		for j, n := range names {
			if texts[j] == text {
				have = append(have, n)
			}
		}
		f(strings.Join(have, ", "), text)
	}
}

func (c *Console) reply(b *strings.Builder, e *Effect, args []string) {
	b.WriteString(c.painted(c.said(e, args)) + "\n")
}

// others tells on Notes what other servers replied where it differs.
func (c *Console) others(r *Result) {
	for i, x := range c.Session.Lab.Servers[1:] {
		if e := &r.Effects[i+1]; !e.same(&r.Effects[0]) {
			fmt.Fprintf(c.Notes, "%s on %s: %s\n", cut(Join(r.Args), 60), x.Release.Name(), clean(c.said(e, r.Args)))
		}
	}
}

// said is what a server replied.
func (c *Console) said(e *Effect, args []string) string {
	switch {
	case len(e.Replies) > 0:
	case e.Waits:
		return "(no reply: this waits for another client; the next command ends the wait)"
	default:
		return "(no reply)"
	}
	lines := make([]string, len(e.Replies))
	for i, v := range e.Replies {
		lines[i] = c.Style.write(v, args)
	}
	return strings.Join(lines, "\n")
}

// painted is a reply with an error in red.
func (c *Console) painted(text string) string {
	if strings.HasPrefix(text, "(error)") {
		return c.Colors.Paint(term.Red, text)
	}
	return text
}

// maxKeys is how many keys of a command are shown.
const maxKeys = 6

// keys prints a table of the keys, or what used_memory changed by where the command is about none.
func (c *Console) keys(b *strings.Builder, r *Result) {
	names := c.serverNames()
	used := make([]int64, len(r.Effects))
	changed := false
	for i, e := range r.Effects {
		used[i] = e.Delta
		changed = changed || e.Delta != 0
	}
	known := slices.DeleteFunc(slices.Clone(r.Keys), func(k Key) bool { return !k.known() })
	var t table
	switch {
	case len(known) > 0:
		t = keyTable(names, known[:min(len(known), maxKeys)], used)
	case changed:
		t = usedTable(names, used)
	}
	t.write(b, c.Colors, c.Width())
	if left := len(known) - maxKeys; left > 0 {
		c.say(b, "", fmt.Sprintf("… and %d more keys", left), term.Grey)
	}
}

// known tells whether a server has the key, or had it.
func (k *Key) known() bool {
	for i := range k.After {
		if k.Before[i].There || k.After[i].There {
			return true
		}
	}
	return false
}

// why prints what was notable, after the names of the servers where it was not so on all.
func (c *Console) why(b *strings.Builder, r *Result) {
	var said []string
	for _, e := range r.Effects {
		for _, w := range e.Why {
			if !slices.Contains(said, w) {
				said = append(said, w)
			}
		}
	}
	for _, w := range said {
		texts := make([]string, len(r.Effects))
		for i, e := range r.Effects {
			if slices.Contains(e.Why, w) {
				texts[i] = w
			}
		}
		c.grouped(texts, func(servers, text string) {
			switch {
			case text == "":
			case !slices.Contains(texts, ""):
				c.say(b, "", text, term.Grey)
			default:
				c.say(b, servers+": ", text, term.Grey)
			}
		})
	}
}

func (c *Console) serverNames() (names []string) {
	for _, x := range c.Session.Lab.Servers {
		names = append(names, x.Release.Name())
	}
	return names
}

// note prints something that is no reply.
func (c *Console) note(text string) {
	if c.Bare || c.JSON {
		fmt.Fprintln(c.Notes, text)
		return
	}
	var b strings.Builder
	c.say(&b, "", text, term.Grey)
	c.write(b.String())
}

// say writes a text in lines of the terminal's width, the first after something that the others leave room for.
func (c *Console) say(b *strings.Builder, first, text string, style term.Style) {
	indent := strings.Repeat(" ", runewidth.StringWidth(first))
	width, line := c.Width(), first
	for i, w := range strings.Fields(text) {
		switch {
		case i == 0:
			line += w
		case runewidth.StringWidth(line)+1+runewidth.StringWidth(w) > width:
			b.WriteString(c.Colors.Paint(style, line) + "\n")
			line = indent + w
		default:
			line += " " + w
		}
	}
	b.WriteString(c.Colors.Paint(style, line) + "\n")
}

// text prints what a word shows; among JSON objects it has no place.
func (c *Console) text(s string) {
	if !c.JSON {
		c.write(s)
	}
}

// write prints; who reads it may have gone, and then there is nobody to tell.
func (c *Console) write(text string) { io.WriteString(c.Out, text) }
