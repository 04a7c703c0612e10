package ui

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/keyloupe/keyloupe/ui/history"
	"github.com/keyloupe/keyloupe/ui/link"
	"github.com/keyloupe/keyloupe/ui/store"
	"github.com/keyloupe/keyloupe/ui/wire"
	"github.com/vugu/vugu"
)

// defaultServers are compared when neither the address nor the settings name others: the newest of the last two lines.
var defaultServers = []string{"9.0.6", "9.1.2"}

// App is the whole page: its state, and the components that show parts of it. Each part has a revision that grows when
// it changes, so that the parts that did not are not built again.
type App struct {
	engine   Engine
	platform Platform
	embed    bool // shown inside another page: no chrome, and the address stays as it is
	readOnly bool

	phase   phase
	problem string // what went wrong, for the banner; empty for nothing
	detail  string // its technical side
	notice  string // said once, in passing
	servers []wire.Server
	wanted  []string // names of the servers, as asked for
	config  []string
	seed    string
	totals  []wire.Total
	db      int
	expires bool // some key has a time to live
	multi   bool // commands are queued, after MULTI
	theme   string
	unsaved string // why nothing outlives the page; empty when it does

	session   session
	prompt    prompt
	keys      keyList
	inspect   inspector
	table     tableView
	budget    budgetView
	sweep     sweepView
	published publishedView
	live      live
	ticking   bool
	picked    int // revision of the server picker
	parts     struct{ servers, log, prompt, keys, inspector, table, budget, sweep, sweepForm, published, embed, live vugu.Builder }
	embeds    embedDialog
	savedURL  string
	saving    bool
}

// phase is how far the page is.
type phase int

const (
	starting phase = iota // no engine yet
	running
	failed // the engine does not start, or crashes again and again
)

// Role is what the page is for.
type Role int

// Roles of the page.
const (
	Playground Role = iota
	Embed           // shown inside another page: without what it does not need there
	Live            // in front of servers that others talk to
)

// NewApp makes the page in front of an engine.
func NewApp(e Engine, p Platform, role Role) *App {
	a := &App{engine: e, platform: p, embed: role == Embed}
	a.live.app, a.live.on = a, role == Live
	e.OnCrash(a.session.crashed)
	if r, ok := e.(Reporter); ok {
		r.OnProgress(a.session.progressed)
	}
	a.prompt.history = history.New(nil)
	a.keys.init(a)
	a.inspect.grids = map[string]*grid{}
	a.inspect.app, a.table.app, a.budget.app, a.prompt.app, a.session.app = a, a, a, a, a
	a.table.open, a.table.kind = -1, "keys"
	a.budget.shape = wire.Budget{Key: 16, Value: 64}
	a.parts.servers = &memo{of: &ServerPicker{a}, rev: &a.picked}
	a.parts.log = &memo{of: &LogPane{a}, rev: &a.session.rev}
	a.parts.prompt = &PromptPane{a}
	a.parts.keys = &memo{of: &KeyPane{a}, rev: &a.keys.rev}
	a.parts.inspector = &memo{of: &InspectorPane{App: a}, rev: &a.inspect.rev}
	a.parts.table = &memo{of: &TablePane{a}, rev: &a.table.rev}
	a.parts.budget = &memo{of: &BudgetPane{a}, rev: &a.budget.rev}
	a.parts.live = &memo{of: &LivePane{a}, rev: &a.live.rev}
	a.sweep.init(a)
	a.published.init(a)
	return a
}

// Start opens what the fragment says, or an empty page with the servers last compared.
func (c *App) Start(fragment string) {
	state, err := link.Parse(fragment)
	if err != nil {
		c.problem = err.Error()
	}
	c.platform.Storage(func(s *store.Store) func() {
		past, historyErr := s.History()
		settings, settingsErr := s.Settings()
		return func() {
			c.remembered(s, past, settings, errors.Join(historyErr, settingsErr))
			c.open(state, settings)
		}
	})
}

// Failed tells a person why what was asked for could not be shown; nil tells nothing.
func (c *App) Failed(err error) {
	if err != nil {
		c.problem = err.Error()
	}
}

// remembered takes over what the last visit left.
func (c *App) remembered(s *store.Store, past []string, set store.Settings, err error) {
	newer := c.prompt.history.Lines()
	c.prompt.history = history.New(append(past, newer...))
	if s.Refused != nil {
		c.unsaved = "This browser refuses storage here, so your history and settings last only until the page is closed."
	} else if err != nil {
		c.notice = "Your history or settings could not be read and start afresh: " + err.Error()
	}
	if c.theme == "" {
		c.theme = set.Theme
	}
	c.platform.SetTheme(c.theme)
}

// Navigate follows a change of the address that the page did not make: another link was put into it.
func (c *App) Navigate(fragment string) {
	fragment = strings.TrimPrefix(fragment, "#")
	if fragment == c.savedURL {
		return
	}
	state, err := link.Parse(fragment)
	if err != nil {
		c.problem = err.Error()
		return
	}
	c.problem, c.detail, c.savedURL = "", "", fragment
	if c.live.on {
		c.keys.search = state.Search
		if c.inspect.show(nil); state.Key != "" {
			c.inspect.show([]byte(state.Key))
		}
		c.changed()
		return
	}
	c.embeds.shown = false
	c.inspect.show(nil)
	c.table.open, c.table.shown = -1, false
	c.budget.moved = false
	c.open(state, store.Settings{Servers: c.wanted})
}

func (c *App) open(s link.State, set store.Settings) {
	c.wanted = slices.Clone(s.Servers)
	if len(c.wanted) == 0 {
		c.wanted = set.Servers
	}
	if len(c.wanted) == 0 {
		c.wanted = slices.Clone(defaultServers)
	}
	c.config, c.seed, c.readOnly = s.Config, s.HashSeed, s.ReadOnly
	c.keys.search = s.Search
	if s.Theme != "" {
		c.theme = s.Theme
		c.platform.SetTheme(c.theme)
	}
	if s.Key != "" {
		c.inspect.key, c.inspect.pinned = []byte(s.Key), true
		c.budget.follow = s.Budget == nil
	}
	if s.Table.Kind != "" {
		c.table.wanted, c.table.kind, c.table.open, c.table.shown = s.Table.Server, s.Table.Kind, s.Table.Bucket, true
	}
	if s.Budget != nil {
		c.budget.shape, c.budget.moved = wire.Budget(*s.Budget), true
	}
	if c.live.on { // the servers and their data are there
		c.inspect.pinned = false
		c.live.join()
		return
	}
	c.sweep.open(s)
	c.published.open(s)
	c.restart(s.Run)
}

// restart opens the wanted servers and runs lines in them; what was typed before is gone.
func (c *App) restart(lines []string) {
	c.call(c.opening(c.wanted), func(r wire.Response) { c.opened(r.Opened, lines) }, func(err error) {
		plain := slices.Equal(c.wanted, defaultServers) && len(c.config) == 0 && c.seed == ""
		if errors.Is(err, ErrCrashed) || errors.Is(err, ErrStopped) {
			return // crashed goes on
		}
		if c.phase == starting && !plain {
			c.problem = err.Error() + ". The usual servers run the commands instead." // a link or a setting asks for what is not known
			c.wanted, c.config, c.seed = slices.Clone(defaultServers), nil, ""
			c.sweep.SetServers(c.wanted)
			c.restart(lines)
			return
		}
		c.fail(err)
	})
}

func (c *App) opening(servers []string) wire.Request {
	return wire.Request{Open: &wire.Open{Servers: servers, Config: c.config, HashSeed: c.seed}}
}

// opened begins with new, empty servers.
func (c *App) opened(o *wire.Opened, lines []string) {
	c.phase, c.servers = running, o.Servers
	c.picked++
	c.totals = make([]wire.Total, len(c.servers))
	c.db, c.expires, c.multi = 0, false, false
	c.table.choose()
	c.session.reset()
	c.changed()
	c.session.replay(lines)
}

// fail shows that the engine cannot be used.
func (c *App) fail(err error) {
	c.phase = failed
	c.problem, c.detail, _ = strings.Cut(err.Error(), "\n")
	c.touchAll()
}

// call sends a request; failed is told of an error or a crash. A nil failed makes it the banner.
func (c *App) call(req wire.Request, done func(wire.Response), failed func(error)) {
	req.Now = c.platform.Now()
	c.engine.Call(req, func(r wire.Response, err error) {
		if err == nil && r.Error != "" {
			err = errors.New(r.Error)
		}
		if errors.Is(err, ErrLost) || errors.Is(err, ErrGone) {
			c.live.lose(err)
		}
		switch {
		case err == nil:
			done(r)
		case failed != nil:
			failed(err)
		case errors.Is(err, ErrStopped), errors.Is(err, ErrCrashed), errors.Is(err, ErrLost), errors.Is(err, ErrGone): // whoever ran the command tells of it
		default:
			c.problem = err.Error()
		}
	})
}

// changed refreshes everything that shows the servers' memory.
func (c *App) changed() {
	c.touchAll()
	c.keys.refresh()
	c.inspect.refresh()
	c.table.refresh()
	c.budget.refresh()
	c.saveAddress()
}

func (c *App) touchAll() {
	c.session.rev++
	c.picked++
	c.keys.rev++
	c.inspect.rev++
	c.table.rev++
	c.budget.rev++
	c.live.rev++
}

// select shows a key in the inspector and the keys table.
func (c *App) selectKey(key []byte) {
	if string(key) == string(c.inspect.key) && c.inspect.key != nil {
		return
	}
	c.inspect.show(key)
	c.keys.rev++
	c.table.refresh()
	c.budget.follow = true
	c.saveAddress()
}

// second is how often expired keys are looked for and times to live are counted down, in milliseconds.
const second = 1000

// tick lets time pass in the servers while some key has a time to live.
func (c *App) tick() {
	if c.live.on {
		c.live.count()
		return
	}
	if c.ticking || !c.expires || c.phase != running {
		return
	}
	c.ticking = true
	c.platform.After(second, func() {
		c.ticking = false
		if c.phase != running || c.session.busy() {
			c.tick()
			return
		}
		c.call(wire.Request{Run: &wire.Run{}}, func(r wire.Response) { c.passed(r.Ran) }, func(error) {})
	})
}

// passed takes what time did.
func (c *App) passed(r *wire.Ran) {
	gone := !slices.Equal(r.Totals, c.totals)
	c.totals, c.expires = r.Totals, r.Expires
	c.inspect.rev++ // the time to live counts down
	if gone {
		c.changed()
	}
	c.tick()
}

// State is what the address says of the page.
func (c *App) State() link.State {
	if c.live.on {
		return link.State{Key: string(c.inspect.key), Search: c.keys.search}
	}
	s := link.State{
		Servers: c.wanted, Config: c.config, HashSeed: c.seed, Run: c.session.lines(), Key: string(c.inspect.key), DB: 0,
		Search: c.keys.search, ReadOnly: c.readOnly,
	}
	if c.table.shown && c.table.server < len(c.servers) {
		s.Table = link.Table{Server: c.servers[c.table.server].Name, Kind: c.table.kind, Bucket: c.table.open}
	}
	if c.budget.moved {
		b := link.Budget(c.budget.shape)
		s.Budget = &b
	}
	c.sweep.state(&s)
	c.published.state(&s)
	return s
}

// addressPause is how long after a change the address follows, in milliseconds: browsers allow some 100 changes in 30 s.
const addressPause = 400

// saveAddress brings the address in line with the state, a little later. An embed leaves it alone.
func (c *App) saveAddress() {
	if c.embed || c.saving || c.phase != running && c.view() == viewPlay {
		return
	}
	c.saving = true
	c.platform.After(addressPause, func() {
		c.saving = false
		if _, err := c.fragment(); err != nil {
			c.notice = err.Error()
		}
	})
}

// fragment writes the state into the address.
func (c *App) fragment() (string, error) {
	f := c.State().String()
	if len(f) > link.MaxFragment || len(c.session.entries) > link.MaxLines {
		return "", fmt.Errorf("what was typed here is too long for a link: %d commands, %d bytes", len(c.session.entries), len(f))
	}
	if f == c.savedURL {
		return f, nil
	}
	if err := c.platform.SetFragment(f); err != nil {
		return "", err
	}
	c.savedURL = f
	return f, nil
}

// share copies the address.
func (c *App) share() {
	if _, err := c.fragment(); err != nil {
		c.notice = err.Error()
		return
	}
	c.copy(c.address(c.shared()), "The link is in the address bar.", "Link copied. It holds what you typed, nothing else.")
}

// copy puts text on the clipboard and says so, or what to do instead.
func (c *App) copy(text, instead, done string) {
	c.platform.Copy(text, func(err error) {
		if c.notice = done; err != nil {
			c.notice = "The browser does not let the page copy. " + instead
		}
	})
}

// shared is the state that a link to what is shown needs: not the other view's.
func (c *App) shared() link.State {
	s := c.State()
	switch c.view() {
	case viewPublished:
		return link.State{View: s.View, Scenario: s.Scenario}
	case viewSweep:
		return link.State{Servers: s.Servers, Sweep: s.Sweep}
	}
	s.Sweep, s.View = "", ""
	return s
}

// address is that of a state outside of an embed.
func (c *App) address(s link.State) string {
	base, _, _ := strings.Cut(c.platform.FullAddress(), "#")
	return base + "#" + s.String()
}

// fullAddress is where an embed opens in full: with the prompt, too.
func (c *App) fullAddress() string {
	s := c.shared()
	s.ReadOnly = false
	return c.address(s)
}

// startOver empties the servers and the log.
func (c *App) startOver() {
	c.problem, c.detail = "", ""
	c.inspect.show(nil)
	c.table.open = -1
	c.restart(nil)
	c.platform.Focus("prompt")
}

// setServers compares other servers, with the same commands.
func (c *App) setServers(names []string) {
	lines := c.session.lines()
	c.call(c.opening(names), func(r wire.Response) {
		c.wanted = names
		c.sweep.SetServers(names)
		c.saveSettings()
		c.opened(r.Opened, lines)
	}, func(err error) { c.notice = err.Error() })
}

func (c *App) saveSettings() {
	if c.embed { // another page's choices are not the reader's
		return
	}
	set := store.Settings{Theme: c.theme, Servers: slices.Clone(c.wanted)}
	c.platform.Storage(func(s *store.Store) func() {
		err := s.SaveSettings(set)
		return func() {
			if err != nil {
				c.notice = "Your settings could not be kept: " + err.Error()
			}
		}
	})
}

// nextTheme goes round: the system's, light, dark.
func (c *App) nextTheme() {
	c.theme = map[string]string{"": "light", "light": "dark", "dark": ""}[c.theme]
	c.platform.SetTheme(c.theme)
	c.saveSettings()
}

// Resized follows the window's size.
func (c *App) Resized() {
	c.sweep.resized()
	c.published.resized()
}

func (c *App) themeName() string {
	if c.theme == "" {
		return "auto"
	}
	return c.theme
}

func (c *App) dismiss() { c.problem, c.detail, c.notice = "", "", "" }

// sides is how many servers there are to show.
func (c *App) sides() int { return len(c.servers) }

// names of the servers, for prompts and column heads.
func (c *App) names() []string {
	out := make([]string, len(c.servers))
	for i, s := range c.servers {
		out[i] = s.Name
	}
	return out
}
