package ui

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/ui/lab"
	"github.com/keyloupe/keyloupe/ui/store"
	"github.com/keyloupe/keyloupe/ui/wire"
)

// outside is servers that others talk to, with what answers the page in front of them.
type outside struct {
	f       *fake
	servers []*engine.Server
	lab     *lab.Guest
	version uint64
	watch   func(wire.Response, error) // the page's question for news
	run     func(wire.Response, error) // its command, where it waits
	fault   error                      // instead of answers
	opens   int
	more    func(*wire.Watched)
}

func (o *outside) attach() {
	a := lab.Access{With: func(do func()) { do() }, Wake: func() {}}
	for _, s := range o.servers {
		a.Base = append(a.Base, s.Used())
	}
	o.lab = lab.Visit(o.servers, a)
}

func (o *outside) call(req wire.Request, done func(wire.Response, error)) {
	o.f.later(func() {
		if o.fault != nil && (req.Open == nil || errors.Is(o.fault, ErrLost)) {
			done(wire.Response{}, o.fault)
			return
		}
		switch {
		case req.Watch != nil && req.Watch.Since == o.version && o.version > 0:
			o.watch = done
		case req.Watch != nil:
			o.answer(done)
		case req.Run != nil && strings.HasPrefix(req.Run.Lines[0], "BLPOP"):
			o.run = done
		default:
			if req.Open != nil {
				o.opens++
			}
			done(o.lab.Handle(req), nil)
		}
	})
}

func (o *outside) answer(done func(wire.Response, error)) {
	o.version++
	w := o.lab.Look()
	w.Version = o.version
	if o.more != nil {
		o.more(w)
	}
	done(wire.Response{Watched: w}, nil)
}

// does lets a client do something, and tells the page.
func (o *outside) does(line string) {
	for _, s := range o.servers {
		s.Do(strings.Fields(line)...)
	}
	o.news()
}

func (o *outside) news() {
	done := o.watch
	o.watch = nil
	if done != nil {
		o.f.later(func() { o.answer(done) })
	}
}

// stop ends a command that waits.
func (o *outside) stop() {
	if done := o.run; done != nil {
		o.run = nil
		done(wire.Response{}, ErrStopped)
	}
}

// openLive opens the page in front of servers that have a client.
func openLive(t *testing.T, fragment string) (*page, *outside) {
	t.Helper()
	f := &fake{t: t, now: 1_800_000_000_000, store: store.InMemory(nil), role: Live, out: &outside{}}
	f.out.f = f
	for _, n := range []string{"9.0.6", "9.1.2"} {
		s, err := engine.NewServer(n, engine.Options{Clock: func() int64 { return f.now * 1000 }})
		if err != nil {
			t.Fatal(err)
		}
		f.out.servers = append(f.out.servers, s)
	}
	f.out.attach()
	return f.open(fragment), f.out
}

func (p *page) lacks(words ...string) {
	p.f.t.Helper()
	text := p.settle()
	for _, w := range words {
		if strings.Contains(text, w+"\n") {
			p.f.t.Errorf("the page says %q:\n%s", w, text)
		}
	}
}

func TestALivePageShowsWhatClientsDo(t *testing.T) {
	p, o := openLive(t, "")
	p.says("9.0.6", "9.1.2", "live", "No keys yet.", "connection of the page's own")
	p.lacks("Start over", "Embed", "Share", "Playground", "+ server")
	o.more = func(w *wire.Watched) {
		w.Feed = []wire.Fed{{DB: 0, Addr: "127.0.0.1:5", Line: `"SET" "user:1" "Alice"`}}
		w.Rate = 12
	}
	o.does("SET user:1 Alice")
	p.says("user:1", "1 key", "12 commands/s", `"SET" "user:1" "Alice"`, "[0 127.0.0.1:5]")
	p.selectKey([]byte("user:1"))
	p.says("embstr", "MEMORY USAGE")
	o.does("APPEND user:1 " + strings.Repeat("x", 200))
	p.says("raw", "value 205 B")
	o.does("DEL user:1")
	p.says("There is no such key now.", "No keys yet.")
}

func TestACommandTypedInALivePageRunsOnTheServers(t *testing.T) {
	p, o := openLive(t, "")
	p.enter("SET a 1", "SELECT 2", "SET b 1")
	o.news()
	p.says("OK", "2 clients, one of them this page", "database", "0 (1 key)", "2 (1 key)")
	if got := o.servers[1].Do("GET", "a").Reply.Str; got != "1" {
		t.Errorf("a client reads %q", got)
	}
	if p.db != 2 || p.keys.found != 1 || string(p.inspect.key) != "b" {
		t.Errorf("database %d, %d keys, %s selected", p.db, p.keys.found, p.inspect.key)
	}
	(&LivePane{p.App}).choose(wire.Database{ID: 0})
	p.settle()
	if p.db != 0 || string(p.keys.rows[0].Name) != "a" {
		t.Errorf("database %d with %s", p.db, p.keys.rows[0].Name)
	}
}

func TestACommandThatWaitsCanBeStopped(t *testing.T) {
	p, o := openLive(t, "")
	p.enter("BLPOP q 0")
	o.does("SET other 1") // the rest goes on
	p.says("running", "other")
	p.session.interrupt()
	p.says("the page's connection was closed")
	p.enter("PING")
	p.says("PONG")
	if p.phase != running || o.opens != 1 {
		t.Errorf("phase %d, opened %d times", p.phase, o.opens)
	}
}

func TestAServerThatStopsIsSaidAndJoinedAgain(t *testing.T) {
	p, o := openLive(t, "")
	o.does("SET a 1")
	p.settle()
	p.selectKey([]byte("a"))
	p.settle()
	o.fault = ErrLost
	done := o.watch
	o.watch = nil
	done(wire.Response{}, ErrLost)
	p.says("The server stopped; reconnecting…", "no answer")
	p.enter("SET b 1")
	p.says("no answer, so that it may have run or not")
	p.tick1s()
	p.says("The server stopped; reconnecting…")

	o.fault, o.version = nil, 0
	o.servers[0].Do("FLUSHALL")
	o.servers[1].Do("FLUSHALL")
	o.servers[0].Do("SET", "new", "1")
	o.servers[1].Do("SET", "new", "1")
	o.attach()
	p.tick1s()
	p.says("Connected again.", "new", "There is no such key now.")
	p.lacks("no answer")
	o.does("SET later 1")
	p.says("later")
}

// tick1s lets a second pass.
func (p *page) tick1s() {
	ticks := p.f.ticks
	p.f.ticks = nil
	for _, f := range ticks {
		f()
	}
	p.settle()
}

func TestAPageThatIsNotKnownAnyMoreJoinsAgain(t *testing.T) {
	p, o := openLive(t, "")
	o.fault = ErrGone
	done := o.watch
	o.watch, o.version = nil, 0
	p.f.later(func() { o.fault = nil })
	done(wire.Response{}, ErrGone)
	p.says("Connected again.", "live")
	if o.opens != 2 || o.watch == nil {
		t.Errorf("opened %d times", o.opens)
	}
}

func TestAPageOutOfSightAsksForNothing(t *testing.T) {
	p, o := openLive(t, "")
	p.f.hidden = true
	o.does("SET a 1")
	p.settle()
	if o.watch != nil {
		t.Error("it watches")
	}
	p.f.hidden = false
	p.Seen()
	p.settle()
	o.does("SET b 1")
	p.says("2 keys")
}

func TestAPageOfAnotherProgramSaysWhatToDo(t *testing.T) {
	p, o := openLive(t, "")
	o.fault = errors.New("this page is from another version of the program: reload it")
	done := o.watch
	done(wire.Response{}, o.fault)
	p.says("reload it")
	p.lacks("Try again without the commands")
}

func TestMessagesAreShownInTheLogAndBounded(t *testing.T) {
	p, o := openLive(t, "")
	p.enter("SUBSCRIBE news")
	for n := range 3 * messagesShown {
		o.more = func(w *wire.Watched) { w.Messages = []string{fmt.Sprintf("message %d.", n)} }
		o.does("PING")
		p.settle()
	}
	o.more = func(w *wire.Watched) { w.Lost = 70_000 }
	o.does("PING")
	p.says(fmt.Sprintf("message %d.", 3*messagesShown-1), "came too fast to be shown")
	p.lacks("message 0.")
	if n := len(p.session.entries); n != 2 {
		t.Errorf("%d entries", n)
	}
}

func TestAPartOfManyKeysIsSaid(t *testing.T) {
	p, o := openLive(t, "")
	for n := range 20_000 {
		o.servers[0].Do("SET", fmt.Sprint("key:", n), "v")
	}
	o.does("SET a 1")
	p.says("of 20\u202f001 keys, those that a scan finds first")
	p.keys.setSearch("key:1999")
	p.says("11 of 20\u202f001 keys")
}

func TestTheAddressOfALivePageHoldsWhatIsLookedAt(t *testing.T) {
	p, o := openLive(t, "v=1&key=a")
	o.does("SET a 1")
	p.says("embstr", "int")
	p.enter("SET b 1")
	if strings.Contains(p.f.fragment, "run=") || !strings.Contains(p.f.fragment, "key=b") {
		t.Errorf("the address says %s", p.f.fragment)
	}
}
