package ui

import (
	"slices"
	"strconv"
	"strings"

	"github.com/keyloupe/keyloupe/engine/draw"
	"github.com/keyloupe/keyloupe/engine/sweep"
	"github.com/keyloupe/keyloupe/ui/link"
	"github.com/keyloupe/keyloupe/ui/sweeping"
	"github.com/keyloupe/keyloupe/ui/window"
	"github.com/vugu/vugu"
)

// sweepView is the Sweep page: the second view of the page, beside the Playground.
type sweepView struct {
	*sweeping.View
	app    *App
	rev    int
	shown  bool
	used   bool // it was shown, so the address keeps it
	steps  bool // mere steps are listed among the cliffs
	list   window.List
	chart  chartScene
	cross  crosshair
	aside  []string // what was typed in the Playground before a point was shown there
	visit  string   // which point the Playground shows; empty for none
	visits []string // the commands of that point
}

// SweepPane shows the form, the chart and what belongs to it.
type SweepPane struct{ *App }

// SweepForm is the form alone.
type SweepForm struct{ *App }

func (s *sweepView) init(a *App) {
	s.app, s.View = a, sweeping.New(defaultServers)
	s.list = window.List{Height: rowHeight, View: listHeight, Spare: spareRows}
	s.cross.App = a
	a.parts.sweepForm = &SweepForm{a}
	a.parts.sweep = &memo{of: &SweepPane{a}, rev: &s.rev}
	a.embeds.app = a
	a.parts.embed = &EmbedDialog{a}
}

// open takes what a link says.
func (s *sweepView) open(l link.State) {
	s.visit = ""
	if l.Sweep == "" {
		s.Servers, s.shown, s.used = s.app.wanted, false, false
		return
	}
	if servers := s.Open(l.Sweep); len(servers) > 0 && len(l.Servers) == 0 {
		s.app.wanted = servers
	}
	s.Servers, s.shown, s.used = s.app.wanted, l.View == "", true
	s.fit()
	s.update()
}

// state adds to what the address says.
func (s *sweepView) state(l *link.State) {
	if !s.used {
		return
	}
	l.Sweep = s.Query()
	if !s.shown {
		l.View = viewPlay
	}
}

// show changes between the views.
func (s *sweepView) show(on bool) {
	if on {
		s.used = true
		if s.fit() || s.Chart == nil {
			s.Update()
		}
	}
	s.shown = on
	s.app.published.shown = false
	s.app.embeds.shown = false
	s.app.touchAll()
	s.touch()
}

// touch redraws, and lets the address follow.
func (s *sweepView) touch() {
	s.rev++
	if s.Plan != nil {
		s.list.Rows = s.Shapes()
	}
	s.app.saveAddress()
}

// update computes everything anew.
func (s *sweepView) update() {
	s.Update()
	s.touch()
}

// set changes a field of the form.
func (s *sweepView) set(field, text string) {
	s.Set(field, text)
	s.touch()
}

func (s *sweepView) slide(field string, e vugu.DOMEvent) {
	n, err := strconv.Atoi(e.PropString("target", "value"))
	if err != nil {
		return
	}
	if field == "keys" {
		n = keysAt(n)
	}
	s.Slide(field, n)
	s.touch()
}

// SetServers sweeps other servers.
func (s *sweepView) SetServers(names []string) {
	s.Servers = names
	if s.used {
		s.update()
	}
}

// fit draws the chart as wide as the page has room.
func (s *sweepView) fit() (changed bool) { return s.Resize(s.app.room()) }

// room is how wide a chart can be: what the style sheet leaves it, in pixels.
func (c *App) room() int {
	w := c.platform.Width()
	switch {
	case c.embed:
		return w - 40
	case w > 900:
		return min(w, 1600) - 430
	}
	return w - 50
}

func (s *sweepView) resized() {
	if s.shown && s.fit() {
		s.update()
	}
}

// keysAt is a number of keys on the logarithmic slider, whose places are tenths of a power of ten; two digits are kept.
func keysAt(place int) int {
	n := 1
	for range place / 10 {
		n *= 10
	}
	return max(1, n*[...]int{10, 13, 16, 20, 25, 32, 40, 50, 63, 79}[place%10]/10)
}

// keysPlace is where a number of keys is on that slider.
func keysPlace(keys int) (p int) {
	for keysAt(p+1) <= keys && p < 90 {
		p++
	}
	return p
}

// along moves the crosshair to where the pointer is.
func (s *sweepView) along(e vugu.DOMEvent) {
	width := e.PropFloat64("currentTarget", "clientWidth")
	if s.Stale || width <= 0 {
		return
	}
	p := s.Chart.Plot
	s.Move(p.Index(int(e.PropFloat64("offsetX") / width * float64(s.Chart.Width))))
	s.touch()
}

// key moves the crosshair.
func (s *sweepView) key(e vugu.DOMEvent) {
	if s.Chart == nil || e.PropBool("ctrlKey") || e.PropBool("altKey") || e.PropBool("metaKey") {
		return
	}
	n := s.Chart.Plot.Len()
	step := map[string]int{"ArrowLeft": -1, "ArrowDown": -1, "ArrowRight": 1, "ArrowUp": 1, "PageUp": max(1, n/10), "PageDown": -max(1, n/10), "Home": -n, "End": n}[e.PropString("key")]
	if step == 0 {
		return
	}
	e.PreventDefault()
	s.Move(s.Index() + step)
	s.touch()
}

// toCliff moves the crosshair to a cliff.
func (s *sweepView) toCliff(c sweeping.Cliff) {
	s.MoveTo("value", c.Value)
	s.touch()
	s.app.platform.Reveal("chart")
}

// toRow moves it to a row of the table.
func (s *sweepView) toRow(r *sweep.Row) {
	s.MoveTo(s.Along(), sweeping.Of(r, s.Along()))
	s.touch()
}

func (s *sweepView) scrolled(top, view int) {
	s.list.Top = top
	if view > headHeight {
		s.list.View = view - headHeight
	}
	s.rev++
}

// byByte shows a row's key in the Playground. What was typed there is put aside.
func (s *sweepView) byByte(r *sweep.Row) {
	lines, key, err := s.Lines(r)
	if err != nil {
		s.app.notice = err.Error()
		return
	}
	c := s.app
	if now := c.session.lines(); !slices.Equal(now, s.visits) {
		s.aside = now
	}
	s.visits = lines
	s.visit = "These commands make the sweep's point at " + s.atText() + "."
	s.play(lines, key)
}

// bringBack replaces a point's commands by what was typed before.
func (s *sweepView) bringBack() {
	lines := s.aside
	s.aside, s.visits, s.visit = nil, nil, ""
	s.play(lines, "")
}

func (s *sweepView) play(lines []string, key string) {
	c := s.app
	c.inspect.show(nil)
	if key != "" {
		c.inspect.key, c.inspect.pinned, c.budget.follow = []byte(key), true, true
	}
	c.table.open = -1
	c.restart(lines)
	s.show(false)
}

// visiting tells that the Playground shows a point of the sweep.
func (s *sweepView) visiting() bool { return s.visit != "" && s.app.view() == viewPlay && !s.app.embed }

func (s *sweepView) copy(format string) {
	s.app.copy(s.Rows(format), "Copy the link of /api/sweep."+format+" instead.", plural(s.Plan.Points(), "row")+" copied as "+strings.ToUpper(format)+".")
}

func (s *sweepView) svg() []byte {
	t, err := draw.ParseTheme(s.app.theme)
	if err != nil {
		t = draw.Auto
	}
	return s.SVG(t)
}

func (s *sweepView) download() {
	s.app.platform.Download("keyloupe-sweep.svg", "image/svg+xml", s.svg())
}

func (s *sweepView) raster() {
	s.app.platform.Raster("keyloupe-sweep.png", s.svg(), func(err error) {
		if err != nil {
			s.app.notice = "The picture could not be made: " + err.Error()
		}
	})
}

// The views by their names in a link; the sweep's has none there.
const (
	viewPlay  = "play"
	viewSweep = "sweep"
)

// view is which of them is shown.
func (c *App) view() string {
	switch {
	case c.published.shown:
		return viewPublished
	case c.sweep.shown:
		return viewSweep
	}
	return viewPlay
}

func (c *App) current(view string) string {
	if view == c.view() {
		return "page"
	}
	return "false"
}

func (c *App) shareTitle() string {
	switch c.view() {
	case viewPublished:
		return "Copy a link to this measurement"
	case viewSweep:
		return "Copy a link to this sweep"
	}
	return "Copy a link that replays what you typed"
}
