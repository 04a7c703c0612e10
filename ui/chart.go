package ui

import (
	"strconv"
	"strings"

	"github.com/keyloupe/keyloupe/engine/draw"
	"github.com/vugu/vugu"
)

// chartScene shows a scene as nodes, the same ones for as long as the scene is the same.
type chartScene struct {
	scene *draw.Scene
	out   *vugu.BuildOut
}

// picture is the component of the sweep's chart.
func (c *SweepPane) picture() vugu.Builder {
	s := &c.sweep.chart
	if s.scene != c.sweep.Chart {
		s.scene, s.out = c.sweep.Chart, nil
	}
	return s
}

// shown is the component of a scene, nil where there is none.
func (s *chartScene) shown() *chartScene {
	if s.scene == nil {
		return nil
	}
	return s
}

// Build makes the nodes.
func (s *chartScene) Build(*vugu.BuildIn) *vugu.BuildOut {
	if s.out != nil {
		return s.out
	}
	root := svgNode("svg", "viewBox", box(s.scene), "role", "img", "aria-label", s.scene.Title, "aria-describedby", "chart-says")
	for i := range s.scene.Shapes {
		root.AppendChild(shapeNode(&s.scene.Shapes[i]))
	}
	s.out = &vugu.BuildOut{Out: []*vugu.VGNode{root}}
	return s.out
}

func box(s *draw.Scene) string { return "0 0 " + pixels(s.Width) + " " + pixels(s.Height) }

// pixels writes tenths of a pixel.
func pixels(tenths int) string { return strconv.FormatFloat(float64(tenths)/10, 'f', -1, 64) }

func svgNode(tag string, attrs ...string) *vugu.VGNode {
	n := node(tag, attrs...)
	n.Namespace = "svg"
	return n
}

func shapeNode(x *draw.Shape) *vugu.VGNode {
	var n *vugu.VGNode
	switch x.Kind {
	case draw.Rect:
		n = svgNode("rect", "class", x.Class, "x", pixels(x.X), "y", pixels(x.Y), "width", pixels(x.W), "height", pixels(x.H))
	case draw.Text:
		n = svgNode("text", "class", x.Class, "x", pixels(x.X), "y", pixels(x.Y), "text-anchor", [...]string{"start", "middle", "end"}[x.Anchor])
		n.AppendChild(&vugu.VGNode{Type: vugu.TextNode, Data: x.Text})
		return n
	default:
		n = svgNode("path", "class", x.Class, "d", path(x.Points))
	}
	if x.Title != "" {
		t := svgNode("title")
		t.AppendChild(&vugu.VGNode{Type: vugu.TextNode, Data: x.Title})
		n.AppendChild(t)
	}
	return n
}

func path(points []draw.Point) string {
	var b strings.Builder
	for i, p := range points {
		b.WriteByte("ML"[min(i, 1)])
		b.WriteString(pixels(p.X) + " " + pixels(p.Y))
	}
	return b.String()
}

// crosshair is the line over a chart, in a picture of its own: it moves while the chart stays.
type crosshair struct{ *App }

func (c *SweepPane) cross() vugu.Builder { return &c.sweep.cross }

// Build makes the nodes.
func (c *crosshair) Build(*vugu.BuildIn) *vugu.BuildOut {
	s := &c.sweep
	x := pixels(s.Chart.Plot.Place(s.At()))
	root := svgNode("svg", "class", "cross", "viewBox", box(s.Chart), "aria-hidden", "true")
	root.AppendChild(svgNode("path", "d", "M"+x+" "+pixels(s.Chart.Plot.Top)+"V"+pixels(s.Chart.Plot.Bottom)))
	return &vugu.BuildOut{Out: []*vugu.VGNode{root}}
}
