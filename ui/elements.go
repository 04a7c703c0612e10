package ui

import (
	"fmt"
	"strings"

	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/ui/wire"
)

// part is one field of a listpack's element, or of its header.
type part struct {
	Class string
	Text  string // what it holds
	Word  string // what it is
	Title string
	off   int
}

// At names the byte it begins with, for what follows the pointer.
func (p part) At(server int, block string) string {
	return fmt.Sprintf("%d:%d:%s", server, p.off, block)
}

// elements takes a listpack apart: header, an element each with its encoding, its text and its length for the way back,
// end. Of other blocks it is empty.
func (c *InspectorPane) elements(b *wire.Block) (out [][]part) {
	if b.Kind != "listpack" {
		return nil
	}
	last := ""
	for i := range b.Fields {
		f := &b.Fields[i]
		name := strings.TrimSuffix(strings.TrimSuffix(f.Name, " encoding"), " backlen")
		if f.Off < 6 {
			name = "header"
		}
		if name != last || len(out) == 0 {
			out = append(out, nil)
		}
		last = name
		out[len(out)-1] = append(out[len(out)-1], partOf(b, f, name))
	}
	return out
}

func partOf(b *wire.Block, f *layout.Field, element string) part {
	p := part{Class: "r-" + f.Role.String(), Word: strings.TrimPrefix(strings.TrimPrefix(f.Name, element), " "), Title: fieldText(f), off: f.Off}
	if p.Word == "" {
		p.Word = element
	}
	if f.Role == layout.Key || f.Role == layout.Value {
		p.Text = clip(f.Text, 40)
		return p
	}
	from, end := max(0, f.Off-b.From), min(len(b.Bytes), f.Off+f.Len-b.From)
	if from < end {
		p.Text = fmt.Sprintf("% x", b.Bytes[from:end])
	}
	if p.Word == "encoding" {
		p.Word = f.Text
	}
	return p
}

// ownPositions are the classes of the positions of a bucket of a value's own table.
func ownPositions(b wire.Bucket) []string {
	out := make([]string, 7)
	for i := range out {
		switch {
		case b.Chain[0]>>i&1 != 0:
			out[i] = "f"
		case i == 6 && len(b.Chain) > 1:
			out[i] = "l"
		}
	}
	return out
}

// bucketNo is the number of the n-th bucket drawn of a block.
func (c *InspectorPane) bucketNo(b *wire.Block, n int) int { return (b.From+63)/64 + n }

func (c *InspectorPane) changeTitle(h *wire.Change) string {
	return fmt.Sprintf("Step %s, %s, changed %s to %s.", group(h.Step), clip(h.Line, 60), h.From, h.To)
}

// pieces are the blocks before (0) and after (1) a change.
func (c *InspectorPane) pieces(h *wire.Change, n int) []wire.Piece {
	if n == 0 {
		return h.Before
	}
	return h.After
}

func (c *InspectorPane) pieceWord(n int) string { return [...]string{"before", "after"}[n] }

func sum(pieces []wire.Piece) (n int) {
	for _, p := range pieces {
		n += p.Size
	}
	return n
}

func (c *InspectorPane) piecesSum(h *wire.Change, n int) string {
	return bytesText(sum(c.pieces(h, n)))
}

func (c *InspectorPane) piecesText(h *wire.Change, n int) string {
	s := c.pieceWord(n) + ": " + c.piecesSum(h, n)
	for _, p := range c.pieces(h, n) {
		s += ", " + p.Kind + " " + bytesText(p.Size)
	}
	return s
}

func (c *InspectorPane) pieceWidth(h *wire.Change, size int) string {
	return fmt.Sprintf("width:%.3f%%", 100*float64(size)/float64(max(1, sum(h.Before), sum(h.After))))
}

// pieceClass colours the pieces of a bar: the object first, then what it holds.
func (c *InspectorPane) pieceClass(_, i int) string {
	return [...]string{"r-header", "r-value", "r-pointer", "r-key", "r-meta", "r-expire"}[i%6]
}
