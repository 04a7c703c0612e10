package draw

import (
	"fmt"
	"strconv"
)

// Theme is which colours an SVG picture has.
type Theme uint8

// The themes.
const (
	Auto  Theme = iota // as the reader's system has it
	Light              // always
	Dark               // always
)

var themeNames = [...]string{"auto", "light", "dark"}

func (t Theme) String() string { return themeNames[t] }

// ParseTheme reads a theme's name.
func ParseTheme(name string) (Theme, error) {
	for i, n := range themeNames {
		if n == name {
			return Theme(i), nil
		}
	}
	return 0, fmt.Errorf("theme %.40q is none of auto, light, dark", name)
}

const (
	lightColours = "--bg:#fff;--ink:#1d2430;--mut:#5d6880;--line:#e3e5ea;--acc:#3355dd;--good:#0a7f4f;--bad:#c2410c;" +
		"--h:#c8cfdb;--p:#f6c27d;--e:#d8b4f0;--k:#a9dcb4;--v:#a9c8f7;--t:#e6e9ef;--z:#f4f4f2;--zs:#d9d9d4;" +
		"--c2:#a35200;--c3:#8a2be2;--c4:#0a7f7f;--c5:#b0225e"
	darkColours = "--bg:#191d25;--ink:#e6e9ef;--mut:#93a0b5;--line:#2b313d;--acc:#8aa4ff;--good:#4ade9c;--bad:#fb923c;" +
		"--h:#465061;--p:#8a5a1c;--e:#6b3f8a;--k:#2d6b3c;--v:#2a4f8f;--t:#323946;--z:#1d212a;--zs:#333a47;" +
		"--c2:#f0b060;--c3:#c79bff;--c4:#5fd0d0;--c5:#ff8fb8"
	rules = `.bg{fill:var(--bg)}text{font:11px ui-monospace,"JetBrains Mono","SF Mono",Menlo,"DejaVu Sans Mono",monospace;fill:var(--mut)}` +
		`.ink{fill:var(--ink)}.big{font-size:14px;font-weight:600;fill:var(--ink)}.hex{font-size:9px;fill:var(--ink);opacity:.65}.chr{font-weight:600;fill:var(--ink)}` +
		`.grid{fill:none;stroke:var(--line)}.axis{fill:none;stroke:var(--mut)}.cliff{fill:none;stroke:var(--bad);stroke-dasharray:4 3}.ct{fill:var(--bad);stroke:var(--bg);stroke-width:3px;paint-order:stroke}` +
		`.save{fill:var(--good);opacity:.16}.worse{fill:var(--bad);opacity:.3}` +
		`.s0,.s1,.s2,.s3,.s4,.s5{fill:none;stroke-width:2;stroke-linejoin:round}.s0{stroke:var(--mut)}.s1{stroke:var(--acc);stroke-width:2.5}.s2{stroke:var(--c2)}.s3{stroke:var(--c3)}.s4{stroke:var(--c4)}.s5{stroke:var(--c5)}` +
		`.d1{stroke-dasharray:7 4}.d2{stroke-dasharray:2 3}.d3{stroke-dasharray:9 3 2 3}` +
		`.dot{stroke:var(--bg)}.l0{fill:var(--ink)}.l1{fill:var(--acc)}.l2{fill:var(--c2)}.l3{fill:var(--c3)}.l4{fill:var(--c4)}.l5{fill:var(--c5)}` +
		`.r-header{fill:var(--h)}.r-pointer{fill:var(--p)}.r-expire{fill:var(--e)}.r-key{fill:var(--k)}.r-value{fill:var(--v)}.r-meta{fill:var(--t)}.r-slack{fill:var(--z);stroke:var(--zs);stroke-dasharray:2 2}`
)

// Style is the style sheet of a picture that stands alone.
func Style(t Theme) string {
	switch t {
	case Light:
		return ":root{" + lightColours + "}" + rules
	case Dark:
		return ":root{" + darkColours + "}" + rules
	}
	return ":root{" + lightColours + "}@media(prefers-color-scheme:dark){:root{" + darkColours + "}}" + rules
}

// AppendSVG writes the scene as an SVG document that stands alone. It has a style sheet of its own
// and no script.
func (s *Scene) AppendSVG(b []byte, t Theme) []byte {
	b = append(b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 `...)
	b = append(tenths(b, s.Width), ' ')
	b = append(tenths(b, s.Height), `" width="`...)
	b = append(tenths(b, s.Width), `" height="`...)
	b = append(tenths(b, s.Height), `" role="img" aria-labelledby="t d"><title id="t">`...)
	b = append(escape(b, s.Title), `</title><desc id="d">`...)
	b = append(escape(b, s.Description), "</desc><style>"...)
	b = append(append(b, Style(t)...), "</style>\n<rect class=\"bg\" width=\"100%\" height=\"100%\"/>\n"...)
	for i := range s.Shapes {
		b = s.Shapes[i].appendSVG(b)
	}
	return append(b, "</svg>\n"...)
}

func (x *Shape) appendSVG(b []byte) []byte {
	tag := "path"
	switch x.Kind {
	case Rect:
		tag = "rect"
		b = attribute(b, "<rect x", x.X)
		b = attribute(b, " y", x.Y)
		b = attribute(b, " width", x.W)
		b = attribute(b, " height", x.H)
	case Text:
		tag = "text"
		b = attribute(b, "<text x", x.X)
		b = attribute(b, " y", x.Y)
		b = append(b, [...]string{"", ` text-anchor="middle"`, ` text-anchor="end"`}[x.Anchor]...)
	default:
		b = append(b, `<path d="`...)
		b = x.path(b)
		b = append(b, '"')
	}
	if x.Class != "" {
		b = append(append(append(b, ` class="`...), x.Class...), '"')
	}
	if x.Title == "" && x.Kind != Text {
		return append(b, "/>\n"...)
	}
	b = append(b, '>')
	if x.Title != "" {
		b = append(escape(append(b, "<title>"...), x.Title), "</title>"...)
	}
	b = escape(b, x.Text)
	return append(append(append(b, "</"...), tag...), ">\n"...)
}

// path writes horizontal and vertical steps short.
func (x *Shape) path(b []byte) []byte {
	for i, p := range x.Points {
		switch {
		case i == 0:
			b = tenths(append(tenths(append(b, 'M'), p.X), ' '), p.Y)
		case p.Y == x.Points[i-1].Y:
			b = tenths(append(b, 'H'), p.X)
		case p.X == x.Points[i-1].X:
			b = tenths(append(b, 'V'), p.Y)
		default:
			b = tenths(append(tenths(append(b, 'L'), p.X), ' '), p.Y)
		}
	}
	if x.Kind == Area {
		b = append(b, 'Z')
	}
	return b
}

func attribute(b []byte, name string, v int) []byte {
	return append(tenths(append(append(b, name...), `="`...), v), '"')
}

// tenths writes tenths of a pixel as pixels.
func tenths(b []byte, v int) []byte {
	if v < 0 {
		b = append(b, '-')
		v = -v
	}
	b = strconv.AppendInt(b, int64(v/10), 10)
	if v%10 != 0 {
		b = append(b, '.', '0'+byte(v%10))
	}
	return b
}

// escape writes text of a document; what XML does not allow becomes the replacement character.
func escape(b []byte, s string) []byte {
	for _, r := range s {
		switch {
		case r == '<':
			b = append(b, "&lt;"...)
		case r == '>':
			b = append(b, "&gt;"...)
		case r == '&':
			b = append(b, "&amp;"...)
		case r == '"':
			b = append(b, "&quot;"...)
		case r < ' ' && r != '\n' && r != '\t' || r >= 0xfffe && r <= 0xffff:
			b = append(b, "�"...)
		default:
			b = append(b, string(r)...)
		}
	}
	return b
}
