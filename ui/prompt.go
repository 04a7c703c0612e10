package ui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/keyloupe/keyloupe/engine/catalog"
	"github.com/keyloupe/keyloupe/ui/complete"
	"github.com/keyloupe/keyloupe/ui/history"
	"github.com/keyloupe/keyloupe/ui/wire"
	"github.com/vugu/vugu"
)

// prompt is the line being typed.
type prompt struct {
	app     *App
	history *history.History
	search  *history.Search // while Ctrl+R searches; text is then its query
	before  string          // the line before the search
	text    string
	point   complete.Point
	menu    []string // completions to choose from
	at      int      // the one chosen, -1 for none yet
	asked   int      // number of the last request for key names
}

// maxLine is the longest line the prompt takes, in bytes. Browsers lay out longer ones too slowly to edit.
const maxLine = 1 << 20

// menuLimit is how many completions are shown.
const menuLimit = 60

// set replaces the line.
func (p *prompt) set(text string) {
	p.text = text
	p.menu, p.at = nil, -1
	p.point = complete.At(p.app.catalog(), text)
}

// catalog is that of the newest of the servers, which knows the most commands.
func (c *App) catalog() *catalog.Catalog {
	newest := ""
	for _, s := range c.servers {
		if catalog.Known(s.Release) && (newest == "" || newer(s.Release, newest)) {
			newest = s.Release
		}
	}
	if newest == "" {
		return nil
	}
	return catalog.For(newest)
}

// newer compares releases by their numbers.
func newer(a, b string) bool {
	x, y := strings.Split(a, "."), strings.Split(b, ".")
	return slices.CompareFunc(x, y, func(x, y string) int {
		if len(x) != len(y) {
			return len(x) - len(y) // no number begins with 0
		}
		return strings.Compare(x, y)
	}) > 0
}

// input follows what was typed.
func (p *prompt) input(text string) {
	if len(text) > maxLine {
		p.app.notice = tooLong(len(text))
		return // the next render puts the old text back
	}
	if p.search != nil {
		p.text = text
		p.search.Type(text)
		return
	}
	p.set(text)
}

func tooLong(n int) string {
	return fmt.Sprintf("This line has %s bytes; the prompt takes up to %s. SETRANGE key %d x makes a value that long, and `keyloupe replay` takes any line.", group(n), group(maxLine), n-1)
}

// paste runs several lines one by one; it tells whether the paste was dealt with.
func (p *prompt) paste(text string) bool {
	lines := complete.Lines(text)
	switch {
	case p.search != nil:
		return false
	case slices.ContainsFunc(lines, func(l string) bool { return len(l) > maxLine }):
		p.app.notice = tooLong(len(text))
		return true
	case len(lines) < 2:
		return false
	}
	if rest := strings.TrimSpace(p.text); rest != "" {
		lines[0] = p.text + lines[0]
	}
	p.set("")
	p.app.session.submit(lines)
	return true
}

// enter runs the line.
func (p *prompt) enter() {
	line := p.text
	switch {
	case p.search != nil:
		line = p.acceptSearch()
	case p.at >= 0:
		p.choose(p.menu[p.at])
		return
	}
	p.set("")
	if strings.TrimSpace(line) != "" {
		p.app.session.submit([]string{line})
	}
}

// startSearch begins Ctrl+R, or goes on to an older line.
func (p *prompt) startSearch() {
	if p.search != nil {
		p.search.Older()
		return
	}
	p.before = p.text
	p.search = p.history.Search()
	p.set("")
}

func (p *prompt) acceptSearch() string {
	line := p.search.Accept(p.before)
	p.search = nil
	p.set(line)
	return line
}

func (p *prompt) cancelSearch() {
	p.search = nil
	p.set(p.before)
}

// found is the line that the search shows.
func (p *prompt) found() string {
	if p.search == nil {
		return ""
	}
	line, _ := p.search.Line()
	return line
}

// tab completes the last word, or goes on in the menu; it tells whether there was anything to do.
func (p *prompt) tab(step int) bool {
	switch {
	case len(p.menu) > 0:
		p.at = (p.at + step + len(p.menu)) % len(p.menu)
		if p.at < 0 {
			p.at = 0
		}
		return true
	case step < 0 || p.text == "":
		return false
	case p.point.Keys:
		p.askKeys()
		return true
	case len(p.point.Candidates) == 0:
		return false
	}
	p.offer(p.point.Candidates)
	return true
}

// askKeys adds the key names that begin as typed.
func (p *prompt) askKeys() {
	p.asked++
	asked, text := p.asked, p.text
	p.app.call(wire.Request{Complete: &wire.Complete{Prefix: []byte(p.point.Value), Limit: menuLimit}}, func(r wire.Response) {
		if asked != p.asked || text != p.text {
			return
		}
		words := slices.Clone(p.point.Candidates)
		for _, k := range r.Completed.Keys {
			words = append(words, complete.Word(k))
		}
		p.offer(words)
	}, nil)
}

// offer takes the only completion, or what all have in common, and shows the rest.
func (p *prompt) offer(words []string) {
	if len(words) == 0 {
		return
	}
	if len(words) == 1 {
		p.choose(words[0])
		return
	}
	text := p.text
	if common := complete.Common(words); len(common) > len(p.point.Word) {
		text = p.text[:p.point.Start] + common
	}
	p.set(text)
	p.menu, p.at = words[:min(len(words), menuLimit)], -1
}

// choose puts a completion in place of the last word.
func (p *prompt) choose(word string) {
	p.set(p.text[:p.point.Start] + word + " ")
	p.app.platform.Focus("prompt")
}

// key handles a key press and tells whether the browser's own action is to be kept from happening.
func (p *prompt) key(e keyPress) bool {
	c := p.app
	switch {
	case e.ctrl && e.key == "r":
		p.startSearch()
	case e.ctrl && e.key == "l":
		c.session.clear()
	case e.ctrl && e.key == "c" && !e.selected:
		p.ctrlC()
	case e.ctrl && e.key == "g" && p.search != nil:
		p.cancelSearch()
	case e.ctrl && e.key == "u" && p.search == nil:
		p.set("")
	case e.ctrl || e.alt || e.meta:
		return false
	case e.key == "Enter":
		p.enter()
	case e.key == "Tab" && p.search != nil:
		p.acceptSearch()
	case e.key == "Tab" && e.shift:
		return p.tab(-1)
	case e.key == "Tab":
		return p.tab(+1)
	case e.key == "Escape":
		return p.escape()
	case e.key == "ArrowUp":
		p.arrow(-1)
	case e.key == "ArrowDown":
		p.arrow(+1)
	case e.key == "ArrowRight" && p.search != nil:
		p.acceptSearch()
	default:
		return false
	}
	return true
}

// ctrlC stops what runs, or drops the line, as in a terminal.
func (p *prompt) ctrlC() {
	switch {
	case p.app.session.busy():
		p.app.session.interrupt()
	case p.search != nil:
		p.cancelSearch()
	default:
		p.set("")
	}
}

func (p *prompt) escape() bool {
	switch {
	case p.search != nil:
		p.acceptSearch()
	case len(p.menu) > 0:
		p.menu, p.at = nil, -1
	default:
		return false
	}
	return true
}

// arrow moves in the menu or in the history.
func (p *prompt) arrow(step int) {
	switch {
	case len(p.menu) > 0:
		p.tab(step)
	case p.search != nil && step < 0:
		p.search.Older()
	case p.search != nil:
	case step < 0:
		p.set(p.history.Up(p.text))
	default:
		p.set(p.history.Down(p.text))
	}
}

// ghost is what is shown in grey after the line: the rest of its syntax.
func (p *prompt) ghost() string {
	if p.search != nil || p.point.Hint == "" {
		return ""
	}
	if strings.HasSuffix(p.text, " ") || p.point.Rest != "" {
		return p.point.Rest + " " + p.point.Hint
	}
	return " " + p.point.Hint
}

// keyPress is a key as the prompt sees it.
type keyPress struct {
	key                    string
	ctrl, alt, meta, shift bool
	selected               bool // some of the text is selected
}

func pressed(e vugu.DOMEvent) keyPress {
	return keyPress{
		key: e.PropString("key"), ctrl: e.PropBool("ctrlKey"), alt: e.PropBool("altKey"), meta: e.PropBool("metaKey"), shift: e.PropBool("shiftKey"),
		selected: e.PropFloat64("target", "selectionStart") != e.PropFloat64("target", "selectionEnd"),
	}
}

// answerLocally answers what is not for the servers: help, clear, and what ends valkey-cli.
func (c *App) answerLocally(e *entry) bool {
	word := strings.Fields(e.line)
	if len(word) == 0 {
		e.local = []string{}
		return true
	}
	switch strings.ToLower(word[0]) {
	case "help", "?":
		e.local = complete.Help(c.catalog(), word[1:])
	case "quit", "exit":
		e.local = []string{"There is nothing to leave here. Start over empties the servers; the address of the page brings them back."}
		if c.live.on {
			e.local = []string{"There is nothing to leave here: the servers go on for their clients."}
		}
	case "clear":
		e.local = []string{}
		c.session.clear()
	default:
		return false
	}
	return true
}
