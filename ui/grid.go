package ui

import (
	"fmt"

	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/ui/wire"
	"github.com/vugu/vugu"
)

// rowBytes is how many bytes a row of cells shows.
const rowBytes = 16

// grid shows one block's window as rows of byte cells. It builds its nodes by hand: there may be thousands.
type grid struct {
	app    *App
	server int
	block  *wire.Block
	lit    int // index of the field under the pointer, -1 for none
	active int // offset of the byte that takes the focus
	out    *vugu.BuildOut
}

// grid gives the component of a block, the same one for as long as the picture is the same.
func (c *InspectorPane) grid(server int, b *wire.Block) vugu.Builder {
	id := blockID(server, b.Name)
	g := c.inspect.grids[id]
	if g == nil {
		g = &grid{app: c.App, server: server, block: b, lit: -1, active: -1}
		c.inspect.grids[id] = g
	}
	lit, active := -1, b.From
	if h := c.inspect.hover; h.on && h.server == server && h.block == b.Name {
		lit = fieldAt(b, h.off)
	}
	if a := c.inspect.active; a.on && a.server == server && a.block == b.Name {
		active = a.off
	}
	if g.lit != lit || g.active != active {
		g.lit, g.active, g.out = lit, active, nil
	}
	return g
}

// fieldAt is the first field that a byte belongs to, -1 for none.
func fieldAt(b *wire.Block, off int) int {
	for i := range b.Fields {
		if f := &b.Fields[i]; off >= f.Off && off < f.Off+f.Len {
			return i
		}
	}
	return -1
}

// windowBytes is how many bytes of a block are shown: its bytes and the slack right after them.
func windowBytes(b *wire.Block) int {
	n := len(b.Bytes)
	if b.From+n >= b.Used {
		n += min(b.Size-b.Used, maxSlack)
	}
	return n
}

// maxSlack is how much slack is drawn, in bytes; more is told in words.
const maxSlack = 64

func cellID(s spot) string { return fmt.Sprintf("c-%d-%s-%d", s.server, slug(s.block), s.off) }

// Build makes the rows.
func (g *grid) Build(*vugu.BuildIn) *vugu.BuildOut {
	if g.out != nil {
		return g.out
	}
	b := g.block
	root := node("div", "class", "grid")
	root.Attr = append(root.Attr, vugu.VGAttribute{Key: "role", Val: "group"}, vugu.VGAttribute{Key: "aria-label", Val: b.Kind + ", bytes"})
	cells := g.fields()
	width := 2
	if b.Size > 256 {
		width = 4
	}
	for at := 0; at < len(cells); at += rowBytes {
		row := node("div", "class", "bytes")
		row.AppendChild(textNode("span", "off", fmt.Sprintf("%0*d", width, b.From+at)))
		for i := at; i < min(at+rowBytes, len(cells)); i++ {
			row.AppendChild(g.cell(b.From+i, cells[i]))
		}
		root.AppendChild(row)
	}
	g.out = &vugu.BuildOut{Out: []*vugu.VGNode{root}}
	return g.out
}

// fields gives each byte shown the index of its field: -1 between fields, slackField after them.
func (g *grid) fields() []int {
	b := g.block
	out := make([]int, windowBytes(b))
	for i := range out {
		out[i] = -1
		if b.From+i >= b.Used {
			out[i] = slackField
		}
	}
	for n := len(b.Fields) - 1; n >= 0; n-- { // of bit fields that share a byte the first wins
		f := &b.Fields[n]
		for i := max(f.Off, b.From); i < min(f.Off+f.Len, b.From+len(b.Bytes)); i++ {
			out[i-b.From] = n
		}
	}
	return out
}

const slackField = -2

func (g *grid) cell(off, field int) *vugu.VGNode {
	b := g.block
	class, text, char := "c r-slack", "", ""
	if i := off - b.From; i < len(b.Bytes) {
		v := b.Bytes[i]
		text, char = fmt.Sprintf("%02x", v), "·"
		role := layout.Meta
		if field >= 0 {
			role = b.Fields[field].Role
		}
		if v > 32 && v < 127 && (role == layout.Key || role == layout.Value) {
			char = string(rune(v))
		}
		class = "c r-" + role.String()
	}
	first := field >= 0 && off == max(b.Fields[field].Off, b.From) || field == slackField && off == max(b.Used, b.From)
	if first {
		class += " f"
	}
	if field >= 0 && b.Fields[field].Target != "" {
		class += " to"
	}
	if field >= 0 && field == g.lit {
		class += " on"
	}
	n := node("i", "class", class)
	n.Attr = append(n.Attr, vugu.VGAttribute{Key: "data-o", Val: fmt.Sprintf("%d:%d:%s", g.server, off, b.Name)})
	if char != "" {
		n.Attr = append(n.Attr, vugu.VGAttribute{Key: "data-c", Val: char})
	}
	if first || off == g.active {
		g.focusable(n, off)
	}
	if text != "" {
		n.AppendChild(&vugu.VGNode{Type: vugu.TextNode, Data: text})
	}
	return n
}

// focusable lets a byte take the focus and tells a screen reader what it is. One byte of a block is in the tab order.
func (g *grid) focusable(n *vugu.VGNode, off int) {
	index := "-1"
	if off == g.active {
		index = "0"
	}
	n.Attr = append(n.Attr,
		vugu.VGAttribute{Key: "id", Val: cellID(spot{server: g.server, block: g.block.Name, off: off})},
		vugu.VGAttribute{Key: "tabindex", Val: index},
		vugu.VGAttribute{Key: "role", Val: "img"},
		vugu.VGAttribute{Key: "aria-label", Val: fmt.Sprintf("byte %d: %s", off, describe(g.block, off))})
}
