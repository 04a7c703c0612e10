package ui

import (
	"slices"
	"strconv"

	"github.com/keyloupe/keyloupe/engine/draw"
	"github.com/keyloupe/keyloupe/engine/scenario"
	"github.com/keyloupe/keyloupe/ui/link"
	"github.com/keyloupe/keyloupe/ui/sweeping"
	"github.com/vugu/vugu"
)

// publishedView is the Published page: measurements of others beside what the simulator gives. The figures come in a file
// that the build makes, loaded when the page is first shown.
type publishedView struct {
	app     *App
	rev     int
	shown   bool
	id      string // the scenario shown; "" or an unknown one is the first
	all     []*scenario.Report
	asked   bool
	problem string
	width   int // the chart is drawn so wide
	chart   chartScene
	charted string // the scenario of the chart
}

// PublishedPane shows the list and one scenario.
type PublishedPane struct{ *App }

// viewPublished names the view in a link.
const viewPublished = "published"

func (v *publishedView) init(a *App) {
	v.app = a
	a.parts.published = &memo{of: &PublishedPane{a}, rev: &v.rev}
}

// open takes what a link says.
func (v *publishedView) open(l link.State) {
	v.id = l.Scenario
	if v.shown = l.View == viewPublished; v.shown {
		v.load()
	}
}

// state adds to what the address says.
func (v *publishedView) state(l *link.State) {
	if v.shown {
		l.View, l.Scenario = viewPublished, v.id
	}
}

// show turns to the page.
func (v *publishedView) show() {
	v.app.sweep.show(false)
	v.shown = true
	v.load()
}

// load asks for the figures, once.
func (v *publishedView) load() {
	v.touch()
	if v.asked {
		return
	}
	v.asked, v.problem = true, ""
	v.app.platform.Scenarios(func(all []*scenario.Report, err error) {
		if v.all = all; err != nil {
			v.asked, v.problem = false, "The measurements could not be loaded: "+err.Error()
		}
		v.touch()
	})
}

func (v *publishedView) touch() {
	v.rev++
	v.app.saveAddress()
}

// pick shows a scenario.
func (v *publishedView) pick(id string) {
	v.id = id
	v.touch()
	v.app.platform.Reveal("published")
}

// report is the scenario shown, nil while there is none.
func (v *publishedView) report() *scenario.Report {
	for _, r := range v.all {
		if r.ID == v.id {
			return r
		}
	}
	if len(v.all) > 0 {
		return v.all[0]
	}
	return nil
}

func (v *publishedView) resized() {
	if v.shown {
		v.rev++
	}
}

// picture draws the chart with the published figures in it; nil where a scenario has none.
func (v *publishedView) picture() *chartScene {
	r, width := v.report(), min(v.app.room(), 860)
	if v.charted == r.ID && v.width == width {
		return v.chart.shown()
	}
	v.charted, v.width, v.chart = r.ID, width, chartScene{}
	if r.Chart == "" {
		return nil
	}
	s := sweeping.New(nil)
	s.Servers = s.Open(r.Chart)
	for _, d := range r.Dots {
		y, err := strconv.ParseFloat(d.Published, 64)
		if at := slices.Index(s.Servers, d.Server); at >= 0 && err == nil {
			s.Dots = append(s.Dots, draw.Dot{Server: at, X: d.At, Y: y, Title: "published for " + d.Server + ": " + d.Published})
		}
	}
	s.Resize(width)
	s.Update()
	v.chart.scene = s.Chart
	return v.chart.shown()
}

// inferred tells whether a report is about a build that is inferred.
func (c *PublishedPane) inferred() bool { return c.published.report().Tables[0].Figures[0].Inferred }

// chart is the component of the picture, nil where there is none.
func (c *PublishedPane) chart() vugu.Builder {
	if p := c.published.picture(); p != nil {
		return p
	}
	return nil
}

// playAddress opens what is to be tried in the playground.
func (c *PublishedPane) playAddress(p *scenario.Play) string {
	return c.address(link.State{Servers: p.Servers, Run: p.Run, Key: p.Key})
}

// sweepAddress opens a sweep.
func (c *PublishedPane) sweepAddress(query string) string { return c.address(link.State{Sweep: query}) }

// target is where links open: an embed's in a page of their own.
func (c *PublishedPane) target() string {
	if c.embed {
		return "_blank"
	}
	return "_self"
}

func (c *PublishedPane) chosen(r *scenario.Report) string {
	return ariaBool(r == c.published.report())
}

// table is the figures of a section.
func (c *PublishedPane) table(t *scenario.Section) vugu.Builder { return &figureTable{t} }
