package ui

import (
	"errors"
	"html"
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/engine/scenario"
	"github.com/keyloupe/keyloupe/ui/lab"
	"github.com/keyloupe/keyloupe/ui/store"
	"github.com/keyloupe/keyloupe/ui/wire"
	"github.com/vugu/vugu"
)

// fake is a browser and an engine without a browser: what would take time waits in jobs until the test lets it happen.
type fake struct {
	t        *testing.T
	now      int64
	fragment string
	copied   string
	files    []string // offered for download
	theme    string
	store    *store.Store
	jobs     []func()
	ticks    []func() // what waits for a second to pass
	lab      *lab.Lab
	crash    string // a command that brings the engine down
	stalled  bool   // the engine does not answer
	offline  bool   // no file can be loaded
	waiting  []*call
	lost     func(error)
	role     Role
	hidden   bool
	out      *outside // what a live page looks on at
}

func (f *fake) later(job func()) { f.jobs = append(f.jobs, job) }

// settle lets everything happen that waits.
func (f *fake) settle() {
	f.t.Helper()
	for n := 0; len(f.jobs) > 0; n++ {
		if n > 100_000 {
			f.t.Fatal("the page never comes to rest")
		}
		job := f.jobs[0]
		f.jobs = f.jobs[1:]
		job()
	}
}

func (f *fake) Now() int64                      { return f.now }
func (f *fake) SetFragment(s string) error      { f.fragment = s; return nil }
func (f *fake) Copy(s string, done func(error)) { f.copied = s; f.later(func() { done(nil) }) }
func (f *fake) Address() string                 { return "http://host/#" + f.fragment }
func (f *fake) FullAddress() string             { return f.Address() }
func (f *fake) After(ms int, job func()) {
	if ms >= second {
		f.ticks = append(f.ticks, job)
		return
	}
	f.later(job)
}
func (f *fake) Focus(string)         {}
func (f *fake) Reveal(string)        {}
func (f *fake) ScrollTo(string, int) {}
func (f *fake) Width() int           { return 1200 }
func (f *fake) Visible() bool        { return !f.hidden }
func (f *fake) Download(name, _ string, data []byte) {
	f.files = append(f.files, name)
	f.copied = string(data)
}
func (f *fake) Raster(name string, _ []byte, done func(error)) {
	f.files = append(f.files, name)
	f.later(func() { done(nil) })
}
func (f *fake) SetTheme(s string) { f.theme = s }
func (f *fake) Scenarios(done func([]*scenario.Report, error)) {
	f.later(func() {
		if f.offline {
			done(nil, errors.New("offline"))
			return
		}
		var all []*scenario.Report
		for _, s := range scenario.All() {
			r, err := s.Run(scenario.Options{})
			if err != nil {
				f.t.Fatal(err)
			}
			all = append(all, r)
		}
		done(all, nil)
	})
}
func (f *fake) Storage(job func(*store.Store) func()) { f.later(func() { job(f.store)() }) }

func (f *fake) Call(req wire.Request, done func(wire.Response, error)) {
	if f.out != nil {
		f.out.call(req, done)
		return
	}
	c := &call{done: done}
	f.waiting = append(f.waiting, c)
	f.later(func() {
		if c.over || f.stalled {
			return
		}
		c.over = true
		if req.Run != nil && f.crash != "" && strings.Contains(strings.Join(req.Run.Lines, "\n"), f.crash) {
			f.end(ErrCrashed)
			done(wire.Response{}, ErrCrashed)
			f.lost(ErrCrashed)
			return
		}
		done(f.lab.Handle(req), nil)
	})
}

// call is a request that waits for its answer.
type call struct {
	done func(wire.Response, error)
	over bool
}

// end gives up the engine and tells who waits for it why.
func (f *fake) end(why error) {
	f.lab, f.stalled = &lab.Lab{}, false
	list := f.waiting
	f.waiting = nil
	for _, c := range list {
		if !c.over {
			c.over = true
			c.done(wire.Response{}, why)
		}
	}
}

func (f *fake) OnCrash(lost func(error)) { f.lost = lost }
func (f *fake) Restart() {
	if f.out != nil {
		f.out.stop()
		return
	}
	f.end(ErrStopped)
}

// page is an app with its fake.
type page struct {
	*App
	f   *fake
	env *vugu.BuildEnv
}

func open(t *testing.T, fragment string) *page {
	t.Helper()
	f := &fake{t: t, now: 1_800_000_000_000, store: store.InMemory(nil), lab: &lab.Lab{}}
	return f.open(fragment)
}

func (f *fake) open(fragment string) *page {
	f.t.Helper()
	env, err := vugu.NewBuildEnv(nil)
	if err != nil {
		f.t.Fatal(err)
	}
	p := &page{NewApp(f, f, f.role), f, env}
	p.Start(fragment)
	p.settle()
	return p
}

// settle lets everything happen and builds the whole page, as each render would.
func (p *page) settle() string {
	p.f.t.Helper()
	p.f.settle()
	return p.text()
}

// enter types a line.
func (p *page) enter(lines ...string) string {
	p.f.t.Helper()
	for _, l := range lines {
		p.prompt.input(l)
		p.prompt.enter()
		p.settle()
	}
	return p.text()
}

// text is everything the page says, a node a line.
func (p *page) text() string {
	p.f.t.Helper()
	var b strings.Builder
	results := p.env.RunBuild(p.App)
	var walk func(n *vugu.VGNode)
	walk = func(n *vugu.VGNode) {
		if n.Component != nil {
			for _, o := range results.ResultFor(n.Component).Out {
				walk(o)
			}
			return
		}
		if n.Data == "option" {
			return
		}
		if n.Type == vugu.TextNode && strings.TrimSpace(n.Data) != "" {
			b.WriteString(n.Data + "\n")
		}
		if n.InnerHTML != nil {
			b.WriteString(html.UnescapeString(*n.InnerHTML) + "\n")
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	for _, n := range results.Out.Out {
		walk(n)
	}
	return b.String()
}

func (p *page) says(words ...string) {
	p.f.t.Helper()
	text := p.settle()
	for _, w := range words {
		if !strings.Contains(text, w) {
			p.f.t.Errorf("the page does not say %q:\n%s", w, text)
		}
	}
}

func TestACommandShowsItsReplyAndItsBytes(t *testing.T) {
	p := open(t, "")
	p.enter("SET user:1 Alice")
	p.says("SET user:1 Alice", "OK", "user:1", "embstr", "MEMORY USAGE", "requested")
	if string(p.inspect.key) != "user:1" {
		t.Errorf("the inspector shows %q", p.inspect.key)
	}
}

func TestServersThatAnswerDifferentlyAreBothShown(t *testing.T) {
	p := open(t, "v=1&s=8.1.9,9.1.2")
	p.enter("HSETEX h EX 10 FIELDS 1 f v")
	p.says("unknown command", "(integer) 1", "HSETEX came with 9.0.0.")
}
