package ui

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/ui/wire"
	"github.com/vugu/vugu"
)

// inspector is the picture of the selected key.
type inspector struct {
	app     *App
	rev     int
	key     []byte // nil for none
	pinned  bool   // a link chose it: commands that are replayed do not move on
	seen    *wire.Inspected
	windows []wire.Window
	first   int // of the blocks shown
	asking  bool
	again   bool
	hover   spot            // what the pointer or the focus is on
	active  spot            // the byte that has the focus, or would get it
	fields  map[string]bool // blocks whose fields are shown as a table
	grids   map[string]*grid
}

// spot is one byte of one block.
type spot struct {
	server int
	block  string
	off    int
	on     bool
}

// show turns to another key; nil shows none.
func (v *inspector) show(key []byte) {
	if string(v.key) != string(key) || (v.key == nil) != (key == nil) {
		v.windows, v.first, v.fields, v.grids = nil, 0, nil, map[string]*grid{}
		v.hover, v.active = spot{}, spot{}
		v.app.keys.reveal, v.app.table.follow = true, true
	}
	v.key = key
	v.rev++
	v.refresh()
}

// refresh asks for the picture of the key as it is now.
func (v *inspector) refresh() {
	if v.key == nil {
		v.seen = nil
		return
	}
	if v.asking {
		v.again = true
		return
	}
	v.asking = true
	key := v.key
	v.app.call(wire.Request{Inspect: &wire.Inspect{Key: key, Windows: v.windows, Blocks: v.first}}, func(r wire.Response) {
		v.asking = false
		if string(key) == string(v.key) {
			v.took(r.Inspected)
		}
		if v.again {
			v.again = false
			v.refresh()
		}
	}, func(error) { v.asking, v.again = false, false })
}

func (v *inspector) took(p *wire.Inspected) {
	v.seen = p
	v.rev++
	v.grids = map[string]*grid{}
	v.app.budget.followKey()
}

// move shows a block from another byte on, in every server that has one of the name: what is compared stays side by side.
func (v *inspector) move(block string, from int) {
	for i := range v.app.servers {
		v.moveOne(i, block, from)
	}
	v.refresh()
}

func (v *inspector) moveOne(server int, block string, from int) {
	for i := range v.windows {
		if w := &v.windows[i]; w.Server == server && w.Block == block {
			w.From = from
			return
		}
	}
	v.windows = append(v.windows, wire.Window{Server: server, Block: block, From: from})
}

// page shows other blocks of a key of very many.
func (v *inspector) page(first int) {
	v.first = max(0, first)
	v.refresh()
}

func (v *inspector) toggleFields(id string) {
	if v.fields == nil {
		v.fields = map[string]bool{}
	}
	v.fields[id] = !v.fields[id]
	v.rev++
}

// point follows the pointer or the focus to a byte.
func (v *inspector) point(s spot) {
	if s == v.hover {
		return
	}
	v.hover = s
	v.rev++
}

// InspectorPane shows the inspector.
type InspectorPane struct{ *App }

// sub is the line under the key's name.
func (c *InspectorPane) sub() string {
	v := c.inspect.seen
	parts := []string{v.Type, fmt.Sprintf("key %s", bytesText(len(v.Key)))}
	for _, s := range v.Side {
		if !s.Exists {
			continue
		}
		if v.Type == "string" {
			parts = append(parts, "value "+bytesText(s.Length))
		} else {
			parts = append(parts, plural(s.Length, elementWord(v.Type)))
		}
		if s.ExpireAt >= 0 {
			parts = append(parts, "expires in "+span(s.ExpireAt-c.platform.Now()))
		}
		break
	}
	return strings.Join(parts, " · ")
}

// elementWord is what a value of a type is made of.
func elementWord(kind string) string {
	switch kind {
	case "hash":
		return "field"
	case "stream":
		return "entry"
	case "set", "zset":
		return "member"
	}
	return "element"
}

// blockID names a block's place in the page.
func blockID(server int, name string) string { return fmt.Sprintf("blk-%d-%s", server, slug(name)) }

// slug makes a name fit for an id: the letters and digits of it, others as their codes.
func slug(name string) string {
	var b strings.Builder
	for _, r := range name {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "_%x", r)
		}
	}
	return b.String()
}

// sideDelta is how a server's allocated bytes differ from the first server's.
func (c *InspectorPane) sideDelta(i int) int {
	s := c.inspect.seen.Side
	if i == 0 || !s[0].Exists || !s[i].Exists {
		return 0
	}
	return s[i].Allocated - s[0].Allocated
}

// lit is the role that the pointer is on, lit in every block; empty for none.
func (c *InspectorPane) lit() string {
	if f := c.field(c.inspect.hover); f != nil {
		return f.Role.String()
	}
	if b := c.block(c.inspect.hover); b != nil && c.inspect.hover.off >= b.Used {
		return layout.Slack.String()
	}
	return ""
}

func (c *InspectorPane) block(s spot) *wire.Block {
	if !s.on || c.inspect.seen == nil || s.server >= len(c.inspect.seen.Side) {
		return nil
	}
	for i := range c.inspect.seen.Side[s.server].Blocks {
		if b := &c.inspect.seen.Side[s.server].Blocks[i]; b.Name == s.block {
			return b
		}
	}
	return nil
}

// field is the field that a byte belongs to: of several bit fields the first.
func (c *InspectorPane) field(s spot) *layout.Field {
	b := c.block(s)
	if b == nil {
		return nil
	}
	for i := range b.Fields {
		if f := &b.Fields[i]; s.off >= f.Off && s.off < f.Off+f.Len {
			return f
		}
	}
	return nil
}

// readout says what the byte under the pointer is.
func (c *InspectorPane) readout() string {
	s := c.inspect.hover
	b := c.block(s)
	if b == nil {
		return ""
	}
	where := fmt.Sprintf("%s, %s, byte %d: ", c.servers[s.server].Name, b.Kind, s.off)
	return where + describe(b, s.off)
}

// describe tells the fields of a byte with their values and meanings.
func describe(b *wire.Block, off int) string {
	if off >= b.Used {
		return fmt.Sprintf("slack: %s of %s usable are not used", bytesText(b.Size-b.Used), bytesText(b.Size))
	}
	var parts []string
	for i := range b.Fields {
		if f := &b.Fields[i]; off >= f.Off && off < f.Off+f.Len {
			parts = append(parts, fieldText(f))
		}
	}
	if len(parts) == 0 {
		return "padding"
	}
	return strings.Join(parts, "; ")
}

// fieldText is one field in words.
func fieldText(f *layout.Field) string {
	s := f.Name
	if f.Text != "" {
		s += " = " + clip(f.Text, 80)
	}
	if f.Target != "" {
		s += " → " + f.Target
	}
	if f.Meaning != "" {
		s += ", " + f.Meaning
	}
	return s
}

// place is where a field is, in bytes or bits.
func place(f *layout.Field) string {
	if f.Bits > 0 {
		return fmt.Sprintf("%d, bits %d–%d", f.Off, f.Bit, f.Bit+f.Bits-1)
	}
	if f.Len == 1 {
		return fmt.Sprint(f.Off)
	}
	return fmt.Sprintf("%d–%d", f.Off, f.Off+f.Len-1)
}

// spotOf finds the byte that an event happened on.
func spotOf(e vugu.DOMEvent) spot {
	id := e.PropString("target", "dataset", "o")
	if id == "" {
		id = e.PropString("target", "parentElement", "dataset", "o")
	}
	part := strings.SplitN(id, ":", 3)
	if len(part) != 3 {
		return spot{}
	}
	server, err1 := strconv.Atoi(part[0])
	off, err2 := strconv.Atoi(part[1])
	return spot{server: server, off: off, block: part[2], on: err1 == nil && err2 == nil}
}

// over follows the pointer.
func (c *InspectorPane) over(e vugu.DOMEvent) { c.inspect.point(spotOf(e)) }

// leave forgets the pointer.
func (c *InspectorPane) leave() { c.inspect.point(c.inspect.active) }

// click sets the focus on a byte, and follows a pointer.
func (c *InspectorPane) click(e vugu.DOMEvent) {
	if s := spotOf(e); s.on {
		c.inspect.active = s
		c.inspect.point(s)
		c.follow(s)
	}
}

// follow goes to the block that a pointer leads to.
func (c *InspectorPane) follow(s spot) bool {
	f := c.field(s)
	if f == nil || f.Target == "" {
		return false
	}
	t := spot{server: s.server, block: f.Target, on: true}
	if c.block(t) == nil { // not among the blocks shown
		c.inspect.moveOne(s.server, f.Target, 0)
		c.inspect.refresh()
	}
	c.platform.Reveal(blockID(s.server, f.Target))
	c.inspect.active = t
	c.inspect.point(t)
	c.platform.Focus(cellID(t))
	return true
}

// press moves the focus among the bytes: left and right by field, up and down by row.
func (c *InspectorPane) press(e vugu.DOMEvent) {
	s := spotOf(e)
	b := c.block(s)
	if b == nil {
		return
	}
	end := min(b.Size, b.From+windowBytes(b))
	to := s
	switch e.PropString("key") {
	case "ArrowRight":
		to.off = nextField(b, s.off)
	case "ArrowLeft":
		to.off = lastField(b, s.off)
	case "ArrowDown":
		to.off = s.off + rowBytes
	case "ArrowUp":
		to.off = s.off - rowBytes
	case "Home":
		to.off = b.From
	case "End":
		to.off = end - 1
	case "Enter", " ":
		if c.follow(s) {
			e.PreventDefault()
		}
		return
	default:
		return
	}
	e.PreventDefault()
	if to.off < b.From || to.off >= end || to.off == s.off {
		return
	}
	c.inspect.active = to
	c.inspect.point(to)
	c.platform.Focus(cellID(to))
}

// nextField is where the next field, or the slack, begins after a byte.
func nextField(b *wire.Block, off int) int {
	next := b.Size
	if off < b.Used {
		next = b.Used
	}
	for i := range b.Fields {
		if f := &b.Fields[i]; f.Off > off {
			next = min(next, f.Off)
		}
	}
	return next
}

// lastField is where the field begins that a byte is in, or the one before when it is that byte.
func lastField(b *wire.Block, off int) int {
	last := 0
	for i := range b.Fields {
		if f := &b.Fields[i]; f.Off < off {
			last = max(last, f.Off)
		}
	}
	if off > b.Used {
		last = b.Used
	}
	return last
}

// roles are those the legend explains, in order.
var roles = []struct{ Class, Words string }{
	{"r-header", "header"}, {"r-pointer", "pointer"}, {"r-expire", "expire"}, {"r-key", "key"}, {"r-value", "value"}, {"r-meta", "string and element headers"}, {"r-slack", "slack"},
}
