package ui

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/keyloupe/keyloupe/ui/wire"
	"github.com/vugu/vugu"
)

func itoa(n int) string { return strconv.Itoa(n) }

// ariaBool is a state for screen readers, which a missing attribute does not tell.
func ariaBool(b bool) string { return strconv.FormatBool(b) }

// examples are offered while nothing was typed.
var examples = []string{
	"SET user:1:session:7 eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9",
	`HSET user:1 name Alice city "São Paulo"`,
	"SET counter 9999",
	"help SET",
}

func (c *App) rootClass() string {
	switch {
	case c.embed:
		return "app embed"
	case c.live.on && c.live.state == lost:
		return "app live stale"
	case c.live.on:
		return "app live"
	}
	return "app"
}

// retry starts again without the commands, which may be what brought the engine down.
func (c *App) retry() {
	c.phase = starting
	c.session.crashes = 0
	c.startOver()
}

func (c *PromptPane) progressText() string {
	s := &c.session
	text := "running"
	if s.all > 1 && s.replays > 0 {
		text = fmt.Sprintf("running %s of %s", group(s.all-s.replays+1), group(s.all))
	}
	if s.of > 0 {
		text += fmt.Sprintf(": %s of %s keys", group(s.done), group(s.of))
	}
	return text
}

// progress is how much is done of what runs, lines or keys of a long one; of nothing where that is not known.
func (c *PromptPane) progress() wire.Progress {
	switch s := &c.session; {
	case s.of > 0:
		return wire.Progress{Done: s.done, Of: s.of}
	case s.all > 1 && s.replays > 0:
		return wire.Progress{Done: s.all - s.replays, Of: s.all}
	}
	return wire.Progress{}
}

// ghostTyped is what stands before the ghost text, to push it to its place.
func (c *PromptPane) ghostTyped() string {
	if len(c.prompt.text) > 300 {
		return ""
	}
	return c.prompt.text
}

// ghostText is the grey text after the line: its syntax, or the line that a search found.
func (c *PromptPane) ghostText() string {
	if len(c.prompt.text) > 300 {
		return ""
	}
	if c.prompt.search != nil {
		if found := c.prompt.found(); found != "" {
			return "  ⟶ " + clip(found, 300)
		}
		if c.prompt.search.Query != "" {
			return "  nothing found"
		}
		return "  type a part of an earlier line; Ctrl+R again for older ones"
	}
	return c.prompt.ghost()
}

func (c *KeyPane) rowID(k wire.Key) string {
	if bytes.Equal(k.Name, c.inspect.key) {
		return "key-selected"
	}
	return "key-" + slug(string(k.Name))
}

func (c *KeyPane) noKeys() string {
	if c.keys.search != "" {
		return "No key matches."
	}
	return "No keys yet."
}

func (c *KeyPane) countText() string {
	all := plural(c.totalKeys(), "key")
	if c.keys.part > 0 {
		return c.partText(all)
	}
	if c.keys.search != "" {
		return group(c.keys.found) + " of " + all
	}
	return all
}

// partText says that not all keys were looked at for the list.
func (c *KeyPane) partText(all string) string {
	s := group(c.keys.found) + " of " + all + ", those that a scan finds first"
	if c.keys.search != "" {
		s = group(c.keys.found) + " found among " + group(c.keys.part) + " of " + all
	}
	return s
}

// agedKeys is from when on it is told how old the list is, in seconds.
const agedKeys = 3

// ageText says that the list is older than the data.
func (c *KeyPane) ageText() string {
	return "looked through " + itoa(c.keys.age) + " s ago"
}

// windowSize is how many bytes of a large block are shown at once, blockPage how many blocks of a key of very many.
const (
	windowSize = wire.WindowBytes
	blockPage  = wire.WindowBlocks
)

func (c *InspectorPane) blocks(side int) []*wire.Block {
	s := &c.inspect.seen.Side[side]
	out := make([]*wire.Block, len(s.Blocks))
	for i := range s.Blocks {
		out[i] = &s.Blocks[i]
	}
	return out
}

func (c *InspectorPane) shareText(s wire.Side) string {
	whole, tenth, _ := strings.Cut(strconv.FormatFloat(s.Share, 'f', 1, 64), ".")
	n, _ := strconv.Atoi(whole)
	return group(n) + "." + tenth + " B"
}

func (c *InspectorPane) requested(b *wire.Block) string {
	if b.Shared {
		return "shared by all keys: costs nothing"
	}
	return "requested " + group(b.Used)
}

func (c *InspectorPane) usable(b *wire.Block) string { return bytesText(b.Size) }

// note is what to know about a server: that it is taken for another release, or that its build is inferred.
func (c *InspectorPane) note(i int) string {
	if i >= len(c.servers) {
		return ""
	}
	s := c.servers[i]
	if s.Note == "" && s.Label != s.Name {
		return s.Label
	}
	return s.Note
}

// partial tells that a block is shown in part.
func (c *InspectorPane) partial(b *wire.Block) bool { return b.From > 0 || windowBytes(b) < b.Size }

// lastWindow is where the last window of a block begins, on the border of a row.
func lastWindow(b *wire.Block) int { return max(0, (b.Used-windowSize+rowBytes-1)/rowBytes*rowBytes) }

func (c *InspectorPane) windowText(b *wire.Block) string {
	return fmt.Sprintf("bytes %s–%s of %s", group(b.From), group(b.From+windowBytes(b)-1), group(b.Size))
}

func (c *InspectorPane) blocksText(s wire.Side) string {
	return fmt.Sprintf("blocks %s–%s of %s", group(s.First+1), group(s.First+len(s.Blocks)), group(s.Of))
}

func (c *InspectorPane) readoutText() string {
	if t := c.readout(); t != "" {
		return t
	}
	return "Point at a byte, or move to one with Tab and the arrow keys: what it is stands here. Enter follows a pointer."
}

func (c *TablePane) title() string {
	return map[string]string{"keys": "Keys table", "expires": "Expires table", "volatile": "Hashes with expiring fields"}[c.table.kind]
}

func (c *TablePane) pickServer(e vugu.DOMEvent) {
	if i, err := strconv.Atoi(e.PropString("target", "value")); err == nil {
		c.table.setServer(i)
	}
}

func (c *TablePane) slide(e vugu.DOMEvent) {
	if n, err := strconv.Atoi(e.PropString("target", "value")); err == nil {
		c.table.scroll(n)
	}
}

func (c *TablePane) arrayTitle(i int) string {
	a := c.table.seen.Arrays[i]
	if i == 0 {
		return "old array, " + plural(a.Buckets, c.unit()) + ", " + plural(a.Used, "entry") + " left in it"
	}
	return "new array, " + plural(a.Buckets, c.unit()) + ", " + plural(a.Used, "entry") + " moved or added"
}

func (c *TablePane) windowText() string {
	return fmt.Sprintf("%ss %s–%s of %s", c.unit(), group(c.table.from), group(min(c.table.from+bucketsShown, c.table.most())-1), group(c.table.most()))
}

func (c *TablePane) linkName(i int) string {
	switch {
	case c.table.seen.Chains:
		return "slot"
	case i == 0:
		return "bucket"
	}
	return "child"
}

func (c *TablePane) slotsName() string {
	if c.table.seen.Chains {
		return "chain"
	}
	return "pointers"
}

func (c *TablePane) chainedText(l wire.Link) string {
	if l.Chained {
		return "position 7 holds the child's address"
	}
	return "no child: position 7 is a key's"
}

func bit(on bool) string {
	if on {
		return "f"
	}
	return ""
}

func bitText(on bool) string {
	if on {
		return "1"
	}
	return "0"
}

func tagText(s wire.Slot) string {
	if !s.Used {
		return "··"
	}
	return fmt.Sprintf("%02x", s.Tag)
}

func ptrText(s wire.Slot) string {
	if s.Ptr == 0 {
		return "empty"
	}
	return fmt.Sprintf("%#x", s.Ptr)
}

func (c *TablePane) slotText(s wire.Slot) string {
	switch {
	case s.Key != nil:
		return "→ " + clip(printable(s.Key), 40)
	case s.Ptr != 0:
		return "→ child"
	}
	return "·"
}

func (c *BudgetPane) barLabel(e wire.Embedding) string {
	s := ""
	for _, p := range e.Parts {
		s += p.Name + " " + itoa(p.Bytes) + ", "
	}
	return s + "limit " + itoa(e.Limit)
}

func (c *BudgetPane) ttlText() string {
	if c.budget.shape.TTL {
		return "8 B"
	}
	return "none"
}
