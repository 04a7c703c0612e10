package termchart

import (
	"strings"

	"github.com/keyloupe/keyloupe/internal/term"
)

// canvas is a grid of characters, each of which holds dots: 2 x 4 as braille has them, or one in ASCII.
//
//	1 4    the dots of a character, as bits from 0
//	2 5
//	3 6
//	7 8
type canvas struct {
	cols, rows int
	ascii      bool
	dots       []uint8
	ink        []int // index of the ink of a character's dots, plus 1; the first that came stays
	back       []string
}

// ink is how a line looks.
type ink struct {
	style term.Style
	dash  int  // dots of a dash, 0 for a line without gaps
	glyph byte // in ASCII
}

// drawn tells whether a dashed line has a dot at a place.
func (k ink) drawn(at int) bool { return k.dash == 0 || at%(2*k.dash) < k.dash }

// bits of braille by column and row (Unicode 2800 to 28FF).
var bits = [2][4]uint8{{1, 2, 4, 64}, {8, 16, 32, 128}}

func newCanvas(cols, rows int, ascii bool) *canvas {
	n := cols * rows
	return &canvas{cols: cols, rows: rows, ascii: ascii, dots: make([]uint8, n), ink: make([]int, n), back: make([]string, n)}
}

// size is the canvas in dots.
func (c *canvas) size() (w, h int) {
	if c.ascii {
		return c.cols, c.rows
	}
	return 2 * c.cols, 4 * c.rows
}

// dot sets a dot, y from the top.
func (c *canvas) dot(x, y, ink int) {
	w, h := c.size()
	if x < 0 || y < 0 || x >= w || y >= h {
		return
	}
	col, row, bit := x, y, uint8(1)
	if !c.ascii {
		col, row, bit = x/2, y/4, bits[x%2][y%4]
	}
	i := row*c.cols + col
	c.dots[i] |= bit
	if c.ink[i] == 0 {
		c.ink[i] = ink + 1
	}
}

// behind puts a character where no dots are.
func (c *canvas) behind(col, row int, s string) { c.back[row*c.cols+col] = s }

// line is a row of characters, each in the colour of its dots.
func (c *canvas) line(row int, inks []ink, colors term.Colors) string {
	var out, run strings.Builder
	was := term.Plain
	for col := range c.cols {
		text, style := c.cell(row*c.cols+col, inks)
		if style != was {
			out.WriteString(colors.Paint(was, run.String()))
			run.Reset()
			was = style
		}
		run.WriteString(text)
	}
	out.WriteString(colors.Paint(was, run.String()))
	return out.String()
}

// cell is a character and how it is painted.
func (c *canvas) cell(i int, inks []ink) (string, term.Style) {
	switch {
	case c.dots[i] == 0 && c.back[i] == "":
		return " ", term.Plain
	case c.dots[i] == 0:
		return c.back[i], term.Grey
	}
	k := inks[c.ink[i]-1]
	if c.ascii {
		return string(k.glyph), k.style
	}
	return string(rune(0x2800) + rune(c.dots[i])), k.style
}
