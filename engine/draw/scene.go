// Package draw makes pictures: a layout or a sweep becomes a Scene of rectangles, lines and texts,
// and a Scene becomes SVG text here or nodes in the page.
//
//	layout.Picture ─┐
//	                ├─ Scene ─┬─ SVG text (AppendSVG): files, <img>, pages without scripts
//	sweep.Plan ─────┘         └─ the page's own nodes
//
// Places are in tenths of a pixel and whole numbers, and nothing here asks a clock, a map or a
// processor's own logarithm: the same input gives the same bytes everywhere. Colours are classes;
// what they look like in the light and in the dark is in Style.
package draw

import "github.com/keyloupe/keyloupe/engine/sweep"

// Kind is what a Shape is.
type Kind uint8

// The kinds of shapes.
const (
	Rect Kind = iota // X, Y, W, H
	Line             // Points, joined
	Area             // Points, closed and filled
	Text             // Text at X, Y
)

// Anchor is which part of a text is at its place.
type Anchor uint8

// The anchors.
const (
	Start Anchor = iota
	Middle
	End
)

// Point is a place, in tenths of a pixel.
type Point struct{ X, Y int }

// Shape is one thing to draw.
type Shape struct {
	Kind       Kind
	Class      string // what it is, for its colours: "r-key", "s1", "cliff"
	X, Y, W, H int    // tenths of a pixel
	Points     []Point
	Text       string
	Anchor     Anchor
	Title      string // shown when pointed at, read by screen readers
}

// Scene is a picture, to be drawn in order.
type Scene struct {
	Width, Height int    // tenths of a pixel
	Title         string // what it is, in a few words
	Description   string // what it shows, in sentences: the text in place of the picture
	Shapes        []Shape
	Plot          *Plot // where a chart's values are; nil of other pictures
}

// Plot says where the values along the bottom of a chart are, for a crosshair.
type Plot struct {
	Field       string // the field along the bottom: "value", "keys", ...
	Top, Bottom int    // of the lines, tenths of a pixel
	values      sweep.Axis
	x           Scale
}

// Len is the number of values.
func (p *Plot) Len() int { return p.values.Len() }

// Value is the value at index i.
func (p *Plot) Value(i int) int { return p.values.At(i) }

// Place is where a value is, in tenths of a pixel.
func (p *Plot) Place(value int) int { return p.x.At(float64(value)) }

// Index is the index of the value whose step a place is in.
func (p *Plot) Index(place int) (best int) {
	near, i := -1, 0
	for v := range p.values.All {
		if at := p.Place(v); at <= place && at > near {
			best, near = i, at
		}
		i++
	}
	return best
}

func (s *Scene) add(x Shape) { s.Shapes = append(s.Shapes, x) }

func (s *Scene) rect(class string, x, y, w, h int) {
	s.add(Shape{Kind: Rect, Class: class, X: x, Y: y, W: w, H: h})
}

func (s *Scene) line(class string, points ...Point) {
	s.add(Shape{Kind: Line, Class: class, Points: points})
}

func (s *Scene) text(class string, x, y int, a Anchor, text string) {
	s.add(Shape{Kind: Text, Class: class, X: x, Y: y, Anchor: a, Text: text})
}
