package ui

import (
	"strings"

	"github.com/keyloupe/keyloupe/ui/complete"
	"github.com/keyloupe/keyloupe/ui/wire"
	"github.com/vugu/vugu"
)

// LogPane shows what was typed and what came of it.
type LogPane struct{ *App }

// PromptPane is the line being typed.
type PromptPane struct{ *App }

// who is the prompt's text: the servers, the database, and whether commands are queued, as valkey-cli has them.
func (c *PromptPane) who() string {
	names := strings.Join(c.names(), "|")
	if len(c.servers) > 2 {
		names = plural(len(c.servers), "server")
	}
	if c.db != 0 {
		names += "[" + group(c.db) + "]"
	}
	if c.multi {
		names += "(TX)"
	}
	return names
}

func (c *PromptPane) onKey(e vugu.DOMEvent) {
	if c.prompt.key(pressed(e)) {
		e.PreventDefault()
	}
}

func (c *PromptPane) onPaste(e vugu.DOMEvent) {
	text := clipboardText(e)
	if text != "" && c.prompt.paste(text) {
		e.PreventDefault()
	}
}

func (c *PromptPane) optionID(i int) string { return "completion-" + itoa(i) }

func (c *PromptPane) active() string {
	if c.prompt.at >= 0 {
		return c.optionID(c.prompt.at)
	}
	return ""
}

func (c *PromptPane) optionClass(i int) string {
	if i == c.prompt.at {
		return "opt on"
	}
	return "opt"
}

func (c *LogPane) entryClass(e *entry) string {
	switch {
	case e.skipped:
		return "entry skipped"
	case e.result == nil && e.local == nil:
		return "entry pending"
	}
	return "entry"
}

// replyText is a reply with a word on what was left out of it.
func (c *LogPane) replyText(r wire.Reply) string {
	if r.More > 0 {
		return r.Text + "\n… " + plural(r.More, "byte") + " more are not shown"
	}
	return r.Text
}

func (c *LogPane) replyClass(r wire.Reply) string {
	if r.Error {
		return "rep err"
	}
	return "rep"
}

// advice says what to do about an error.
func (c *LogPane) advice(e *entry) string {
	if len(e.result.Effects) == 0 { // not a command line at all: the reply says why
		return ""
	}
	for _, r := range e.result.Replies {
		if r.Error {
			return complete.Advice(strings.TrimPrefix(r.Text, "(error) "), e.line, c.catalog())
		}
	}
	return ""
}

// whys are the sentences on what notable happened: once where every server says the same, else by server.
func (c *LogPane) whys(e *entry) []said {
	var out []said
	for i, f := range e.result.Effects {
		for _, w := range f.Why {
			out = addSaid(out, said{c.name(i), w}, len(e.result.Effects))
		}
	}
	for i := range out {
		if strings.Count(out[i].Who, ",")+1 == len(e.result.Effects) {
			out[i].Who = ""
		}
	}
	return out
}

// said is a sentence and which servers it is about.
type said struct{ Who, Words string }

func addSaid(list []said, s said, servers int) []said {
	for i := range list {
		if list[i].Words == s.Words {
			list[i].Who += ", " + s.Who
			return list
		}
	}
	return append(list, s)
}

func (c *App) name(i int) string {
	if i < len(c.servers) {
		return c.servers[i].Name
	}
	return ""
}

// effects are the changes of used_memory, one a server; none where nothing changed anywhere.
func (c *LogPane) effects(e *entry) []wire.Effect {
	for _, f := range e.result.Effects {
		if f.Delta != 0 {
			return e.result.Effects
		}
	}
	return nil
}

// effectClass colours a server's change against the first server's.
func (c *LogPane) effectClass(e *entry, i int) string {
	return deltaClass(e.result.Effects[i].Delta - e.result.Effects[0].Delta)
}

// pick selects the key that a line was about.
func (c *LogPane) pick(e *entry) {
	if e.result != nil && e.result.Key != nil {
		c.selectKey(e.result.Key)
	}
}
