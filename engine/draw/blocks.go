package draw

import (
	"fmt"
	"strings"

	"github.com/keyloupe/keyloupe/engine/layout"
)

// Column is one server's blocks behind a key.
type Column struct {
	Title  string // "9.1.2"
	Sub    string // "embstr · MEMORY USAGE 80"
	Blocks []*layout.Block
}

// Sizes of a picture of blocks, in tenths of a pixel.
const (
	cellsInRow = 16
	cellWidth  = 310
	cellHeight = 300
	offWidth   = 300 // offsets before a row
	gap        = 10
	gutter     = 400 // between columns, and around
	lineHeight = 160
)

// maxRows bounds the rows drawn of one block, and maxBlocks the blocks of one column: a picture of a
// megabyte helps nobody.
const (
	maxRows   = 24
	maxBlocks = 40
)

// Layout draws the blocks of a key byte by byte, a column a server: cells coloured by what they are
// for, with their value in hexadecimal and as a character.
func Layout(title string, columns []Column) *Scene {
	width := offWidth + cellsInRow*cellWidth
	s := &Scene{Title: title, Width: gutter + len(columns)*(width+gutter)}
	var say strings.Builder
	bottom := 0
	for i, c := range columns {
		p := &painter{s, gutter + i*(width+gutter), gutter}
		p.column(&c)
		bottom = max(bottom, p.y)
		describeColumn(&say, &c)
	}
	s.Height = legendOfRoles(s, bottom)
	s.Description = strings.TrimSuffix(say.String(), "\n")
	return s
}

// painter is where the next thing of a column goes.
type painter struct {
	*Scene
	x, y int
}

func (p *painter) column(c *Column) {
	total := 0
	for _, b := range c.Blocks {
		if !b.Shared {
			total += b.Size
		}
	}
	p.text("big", p.x, p.y+100, Start, c.Title)
	p.text("", p.x+90*(len([]rune(c.Title))+2), p.y+100, Start, c.Sub)
	p.text("big", p.x+offWidth+cellsInRow*cellWidth, p.y+100, End, fmt.Sprintf("%d B", total))
	p.y += lineHeight + 100
	for i, b := range c.Blocks {
		if i == maxBlocks {
			p.text("", p.x, p.y+100, Start, fmt.Sprintf("… and %d blocks more", len(c.Blocks)-i))
			p.y += lineHeight
			break
		}
		p.block(b)
	}
}

func (p *painter) block(b *layout.Block) {
	name := b.Name
	if b.Kind != "" && b.Kind != b.Name {
		name += " (" + b.Kind + ")"
	}
	p.text("ink", p.x, p.y+100, Start, name)
	size := fmt.Sprintf("%d of %d bytes used", b.Used, b.Size)
	if b.Shared {
		size = "shared: costs nothing"
	}
	p.text("", p.x+offWidth+cellsInRow*cellWidth, p.y+100, End, size)
	p.y += lineHeight
	rows := (b.Size + cellsInRow - 1) / cellsInRow
	for r := range min(rows, maxRows) {
		p.row(b, r*cellsInRow)
	}
	if rows > maxRows {
		p.text("", p.x+offWidth, p.y+110, Start, fmt.Sprintf("… %d bytes more", b.Size-maxRows*cellsInRow))
		p.y += lineHeight
	}
	p.y += 120
}

// row draws sixteen bytes: a rectangle for each run of one field, and the bytes upon it.
func (p *painter) row(b *layout.Block, from int) {
	p.text("", p.x, p.y+190, Start, fmt.Sprintf("%02x", from))
	to := min(from+cellsInRow, b.Size)
	for at := from; at < to; {
		f := fieldAt(b, at)
		end := min(to, max(at+1, f.Off+f.Len))
		p.add(Shape{Kind: Rect, Class: "r-" + f.Role.String(), X: p.cell(at - from), Y: p.y, W: (end-at)*cellWidth - gap, H: cellHeight - gap, Title: hint(&f)})
		at = end
	}
	for at := from; at < min(to, len(b.Bytes)); at++ {
		mid := p.cell(at-from) + (cellWidth-gap)/2
		p.text("hex", mid, p.y+110, Middle, fmt.Sprintf("%02x", b.Bytes[at]))
		if c := b.Bytes[at]; c > ' ' && c < 0x7f && isText(b, at) {
			p.text("chr", mid, p.y+240, Middle, string(rune(c)))
		}
	}
	p.y += cellHeight
}

func (p *painter) cell(i int) int { return p.x + offWidth + i*cellWidth }

// fieldAt is the field that byte at belongs to; of several in one byte, the first.
func fieldAt(b *layout.Block, at int) layout.Field {
	for _, f := range b.Fields {
		if at >= f.Off && at < f.Off+f.Len {
			return f
		}
	}
	return layout.Field{Name: "slack", Off: at, Len: 1, Role: layout.Slack}
}

func isText(b *layout.Block, at int) bool {
	r := fieldAt(b, at).Role
	return r == layout.Key || r == layout.Value
}

// hint is what is told of a field when pointed at.
func hint(f *layout.Field) string {
	s := f.Name
	if f.Bits > 0 {
		s = f.Part
	} else if f.Target != "" {
		s += " -> " + f.Target
	} else if f.Text != "" {
		s += " = " + f.Text
	}
	if f.Meaning != "" && f.Bits == 0 {
		s += ": " + f.Meaning
	}
	return s
}

// legendOfRoles names the colours and returns the height of the whole.
func legendOfRoles(s *Scene, y int) int {
	x := gutter
	for r := range layout.Role(layout.NumRoles) {
		if x+900 > s.Width {
			x, y = gutter, y+lineHeight
		}
		s.rect("r-"+r.String(), x, y, 110, 110)
		s.text("", x+160, y+100, Start, r.String())
		x += 900
	}
	return y + lineHeight + gutter/2
}

func describeColumn(b *strings.Builder, c *Column) {
	fmt.Fprintf(b, "%s, %s:", c.Title, c.Sub)
	for i, k := range c.Blocks {
		if i == maxBlocks {
			fmt.Fprintf(b, " and %d blocks more.", len(c.Blocks)-i)
			break
		}
		fmt.Fprintf(b, " block %s of %d bytes, %d used", k.Name, k.Size, k.Used)
		if i < len(c.Blocks)-1 {
			b.WriteByte(';')
		} else {
			b.WriteByte('.')
		}
	}
	b.WriteByte('\n')
}
