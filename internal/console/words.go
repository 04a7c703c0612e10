package console

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/keyloupe/keyloupe/internal/report"
	"github.com/keyloupe/keyloupe/internal/term"
	"github.com/keyloupe/keyloupe/ui/complete"
)

// word is a command of the prompt itself. None is a command of a server's, but quit, which leaves there too, and save,
// which is the server's without a file.
type word struct {
	name     string
	usage    string
	what     string
	least    int // arguments
	most     int
	run      func(c *Console, ctx context.Context, args []string) error
	complete func(c *Console, word string) (candidates []string, keys bool) // what its first argument may be
}

var words []*word

func init() { // words refer to words
	words = []*word{
		{name: "clear", what: "clears the screen", run: (*Console).clear},
		{name: "compare", usage: "[KEY]", what: "sizes of a key on every server, or of all data", most: 1, run: (*Console).compare, complete: keyNames},
		{name: "exit", what: "leaves, as Ctrl+D does", run: leave},
		{name: "help", usage: "[COMMAND | @GROUP]", what: "what a command takes", most: 2, run: (*Console).help},
		{name: "layout", usage: "KEY [BLOCKS | all]", what: "every byte behind a key, on every server", least: 1, most: 2, run: (*Console).layout, complete: keyNames},
		{name: "quit", what: "leaves", run: leave},
		{name: "save", usage: "FILE", what: "writes the commands so far, for keyloupe run", least: 1, most: 1, run: (*Console).save},
		{name: "servers", usage: "[LIST]", what: "shows the servers, or goes on with others: servers 8.1.9,9.1.2", most: 1, run: (*Console).servers, complete: serverList},
		{name: "source", usage: "FILE", what: "runs the commands in a file", least: 1, most: 1, run: (*Console).source},
		{name: "summary", what: "keys and memory of every server", run: (*Console).summary},
		{name: "undo", what: "takes back the last command that changed something", run: (*Console).undo},
	}
}

// wordOf is the word that a line is about, nil where it is a command's.
func wordOf(args []string) *word {
	for _, w := range words {
		if strings.EqualFold(w.name, args[0]) {
			if w.name == "save" && len(args) == 1 {
				return nil
			}
			return w
		}
	}
	return nil
}

// check refuses a wrong number of arguments.
func (w *word) check(args []string) error {
	if len(args) < w.least || len(args) > w.most {
		return errors.New("usage: " + w.syntax())
	}
	return nil
}

func leave(*Console, context.Context, []string) error { return ErrLeave }

func (c *Console) clear(context.Context, []string) error {
	if c.Colors {
		c.text("\x1b[H\x1b[2J")
	}
	return nil
}

func (c *Console) compare(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return c.summary(ctx, nil)
	}
	if !c.compareKeys(args[:1]) {
		c.refuse(noSuchKey(args[0]))
	}
	return nil
}

// compareKeys prints a table of those of the keys that are there; it is false where none is.
func (c *Console) compareKeys(names []string) bool {
	var keys []Key
	for i, states := range c.Session.look(names) {
		if k := (Key{Name: names[i], Before: states, After: states}); k.known() {
			keys = append(keys, k)
		}
	}
	var b strings.Builder
	keyTable(c.serverNames(), keys, nil).write(&b, c.Colors, c.Width())
	c.text(b.String())
	return len(keys) > 0
}

func noSuchKey(name string) string { return "there is no key " + typed(name) }

func (c *Console) summary(context.Context, []string) error {
	c.text(report.Summary(c.Session.Lab.Servers))
	return nil
}

// fewBlocks is how many blocks of a key layout shows of each server where no number is given.
const fewBlocks = 24

// writer is what writes by a function.
type writer func(text string)

func (w writer) Write(b []byte) (int, error) {
	w(string(b))
	return len(b), nil
}

func (c *Console) layout(_ context.Context, args []string) error {
	limit := fewBlocks
	if len(args) > 1 {
		n, err := strconv.Atoi(args[1])
		switch {
		case strings.EqualFold(args[1], "all"):
			limit = 0
		case err != nil || n < 1:
			return fmt.Errorf("%s is no number of blocks: write one, or all", typed(args[1]))
		default:
			limit = n
		}
	}
	for _, x := range c.Session.Lab.Servers {
		if _, ok := x.KeyInfo(c.Session.DB(), []byte(args[0])); ok {
			return report.WriteLayout(writer(c.text), c.Session.Lab.Servers, c.Session.DB(), []byte(args[0]), limit, report.Paint(c.Colors))
		}
	}
	c.refuse(noSuchKey(args[0]))
	return nil
}

func (c *Console) undo(ctx context.Context, _ []string) error {
	args, err := c.Session.Undo(ctx)
	if err != nil {
		return c.refused(ctx, err)
	}
	c.note("took back " + cut(Join(args), 60))
	keys := c.Session.named(args)
	c.compareKeys(keys[:min(len(keys), maxKeys)])
	return nil
}

func (c *Console) servers(ctx context.Context, args []string) error {
	if len(args) > 0 {
		names, err := ParseServers(args[0])
		if err == nil {
			err = c.Session.Replace(ctx, names)
		}
		if err != nil {
			return c.refused(ctx, err)
		}
	}
	var b strings.Builder
	for _, x := range c.Session.Lab.Servers {
		c.say(&b, fmt.Sprintf("%-14s ", x.Release.Label()), x.Release.Build.What, term.Plain)
	}
	c.text(b.String())
	return nil
}

func (c *Console) save(ctx context.Context, args []string) error {
	lines, err := c.Session.Lines()
	if err == nil {
		text := "# keyloupe run --server " + strings.Join(c.Session.Names(), ",") + "\n" + strings.Join(lines, "\n") + "\n"
		err = writeNew(args[0], text)
	}
	if err != nil {
		return c.refused(ctx, err)
	}
	c.note(fmt.Sprintf("%d commands saved: keyloupe run %s runs them again", len(lines), typed(args[0])))
	return nil
}

// writeNew writes a file that is not there yet.
func writeNew(name, text string) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, os.ErrExist) {
		return fmt.Errorf("%s is there already: name another file", name)
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

// refused tells why a word did not do what it was asked for, which counts as an error reply does. It is an error only where
// the person stopped it.
func (c *Console) refused(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	c.refuse(err.Error())
	return nil
}

func (c *Console) refuse(why string) {
	c.Commands++
	c.Errors++
	if c.Style == Formatted {
		why = "(error) " + why
	}
	if why = clean(why); c.JSON {
		fmt.Fprintln(c.Notes, why)
		return
	}
	c.write(c.painted(why) + "\n")
}

// maxSources is how deep files may run files.
const maxSources = 8

func (c *Console) source(ctx context.Context, args []string) error {
	if c.sources == maxSources {
		return errors.New("files that run files are nested too deeply")
	}
	f, err := os.Open(args[0])
	if err != nil {
		return c.refused(ctx, err)
	}
	defer f.Close()
	c.sources++
	defer func() { c.sources-- }()
	return c.Run(ctx, args[0], f, Shown{Commands: shownOfSource, Echo: !c.Bare, Errors: c.Out})
}

func (c *Console) help(_ context.Context, args []string) error {
	var b strings.Builder
	if len(args) == 0 {
		c.overview(&b)
	} else {
		c.helpOn(&b, args)
	}
	c.text(b.String())
	return nil
}

// helpOn tells about a word, or a command or group of the servers'.
func (c *Console) helpOn(b *strings.Builder, args []string) {
	lines := complete.Help(c.Session.Catalog(), args)
	i := slices.IndexFunc(words, func(w *word) bool { return len(args) == 1 && strings.EqualFold(w.name, args[0]) })
	if i >= 0 {
		b.WriteString(c.Colors.Paint(term.Bold, words[i].syntax()) + "\n")
		c.say(b, "  ", words[i].what, term.Plain)
		if strings.HasPrefix(lines[0], "No command") {
			return
		}
		b.WriteByte('\n')
	}
	for i, l := range lines {
		text := strings.TrimLeft(l, " ")
		style := term.Plain
		if i == 0 {
			style = term.Bold
		}
		c.say(b, l[:len(l)-len(text)], text, style)
	}
}

func (c *Console) overview(b *strings.Builder) {
	c.say(b, "", `Type a command as in valkey-cli, such as SET user:1 "Alice B" EX 900. Every server runs it; its reply is followed by the keys that it is about. A number before a command, as in 100 RPUSH l x, runs it so often.`, term.Plain)
	b.WriteByte('\n')
	for _, w := range words {
		c.say(b, fmt.Sprintf("%-26s", w.syntax()), w.what, term.Plain)
	}
	b.WriteByte('\n')
	c.say(b, "", "Tab completes, Right takes what is grey and can be taken, Ctrl+R searches earlier lines, Ctrl+C drops the line or stops a command.", term.Plain)
	c.say(b, "", complete.Groups(), term.Plain)
}

// syntax is the word with what it takes.
func (w *word) syntax() string { return strings.TrimSpace(w.name + " " + w.usage) }
