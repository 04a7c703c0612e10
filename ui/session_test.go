package ui

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/ui/link"
	"github.com/keyloupe/keyloupe/ui/store"
	"github.com/keyloupe/keyloupe/ui/wire"
)

func TestTheAddressHoldsTheStateAndOpensItAgain(t *testing.T) {
	p := open(t, "")
	p.enter("SET user:1 Alice", "SET user:2 Bob EX 1000", `SET "a b" "\x00"`)
	p.selectKey([]byte("user:1"))
	p.keys.setSearch("user")
	p.table.setServer(0)
	p.table.openBucket(0, 0)
	p.budget.set(func(b *wire.Budget) { b.Value = 97 })
	p.settle()
	want := p.State()
	if got, err := link.Parse(p.f.fragment); err != nil || got.String() != want.String() {
		t.Fatalf("the address says %q (%v), the state is %q", p.f.fragment, err, want)
	}
	again := open(t, "#"+p.f.fragment)
	if got := again.State(); got.String() != want.String() {
		t.Errorf("opened again it is %q, it was %q", got, want)
	}
	if string(again.inspect.key) != "user:1" || len(again.session.entries) != 3 || again.keys.found != 2 {
		t.Errorf("key %q, %d entries, %d keys found", again.inspect.key, len(again.session.entries), again.keys.found)
	}
	again.says("user:1", "Alice")
}

func TestALinkThatCannotBeReadLeavesAPageThatWorks(t *testing.T) {
	for fragment, words := range map[string]string{
		"v=2&run=PING":              "newer Keyloupe",
		"v=1&z=AAAA":                "cut off",
		"nonsense":                  "no version",
		"v=1&s=10.0.0&run=SET+a+1":  "unknown server",
		"v=1&s=9.1.2@x&run=SET+a+1": "unknown build",
		"v=1&s=9.1.2,9.1.2":         "named twice",
		"v=1&c=foo%3Dbar":           "no directive",
	} {
		p := open(t, fragment)
		if !strings.Contains(p.problem, words) {
			t.Errorf("%s: the page says %q", fragment, p.problem)
		}
		p.says("Dismiss")
		p.dismiss()
		p.enter("SET user:1 Alice")
		p.says("OK", "user:1")
	}
}

func TestAnUnknownServerInALinkKeepsItsCommands(t *testing.T) {
	p := open(t, "v=1&s=9.2.0&run=SET+a+1")
	if got := p.session.lines(); !slices.Equal(got, []string{"SET a 1"}) || !slices.Equal(p.wanted, defaultServers) {
		t.Errorf("%q on %q", got, p.wanted)
	}
}

func TestHistoryAndSettingsOutliveThePage(t *testing.T) {
	p := open(t, "")
	p.enter("SET a 1", "GET a")
	p.nextTheme()
	p.setServers([]string{"8.1.9", "9.1.2"})
	p.settle()
	q := p.f.open("")
	if got := q.prompt.history.Lines(); !slices.Equal(got, []string{"SET a 1", "GET a"}) {
		t.Errorf("history %q", got)
	}
	if q.theme != "light" || p.f.theme != "light" || !slices.Equal(q.names(), []string{"8.1.9", "9.1.2"}) {
		t.Errorf("theme %q, servers %q", q.theme, q.names())
	}
	q.prompt.key(keyPress{key: "ArrowUp"})
	q.prompt.key(keyPress{key: "ArrowUp"})
	if q.prompt.text != "SET a 1" {
		t.Errorf("Up twice gives %q", q.prompt.text)
	}
}

func TestRefusedStorageIsSaidAndThePageWorks(t *testing.T) {
	f := &fake{t: t, store: store.InMemory(errors.New("refused")), lab: newLab()}
	p := f.open("")
	p.says("refuses storage")
	p.enter("SET a 1")
	p.says("OK")
}

func TestOtherServersRunTheSameCommands(t *testing.T) {
	p := open(t, "")
	p.enter("SET user:1 Alice", "HSETEX h EX 10 FIELDS 1 f v")
	p.setServers([]string{"8.1.9", "9.1.2", "9.1.2@libc"})
	p.says("8.1.9", "9.1.2@libc", "unknown command")
	if got := p.session.lines(); len(got) != 2 || len(p.totals) != 3 {
		t.Errorf("%q, totals %v", got, p.totals)
	}
	p.setServers([]string{"nonsense"})
	p.says("unknown server")
	if len(p.servers) != 3 {
		t.Errorf("the servers are %q", p.names())
	}
}

func TestALineThatCrashesTheEngineIsLeftOutAndTheRestRunAgain(t *testing.T) {
	p := open(t, "")
	p.f.crash = "BOOM"
	p.enter("SET a 1", "BOOM now", "GET a")
	p.says("The engine crashed", "crashed on this command", `"1"`)
	if got := p.session.lines(); !slices.Equal(got, []string{"SET a 1", "GET a"}) {
		t.Errorf("the lines are %q", got)
	}
}

func TestTheLineOfManyThatCrashesIsFound(t *testing.T) {
	var run []string
	for n := range 50 {
		run = append(run, fmt.Sprintf("SET key:%d v", n))
	}
	run[20] = "BOOM"
	f := &fake{t: t, store: store.InMemory(nil), lab: newLab(), crash: "BOOM"}
	p := f.open(link.State{Run: run}.String())
	if got := p.session.lines(); len(got) != 49 || slices.Contains(got, "BOOM") {
		t.Errorf("%d lines are left", len(got))
	}
	if p.totals[0].Keys != 49 || p.phase != running {
		t.Errorf("%d keys, phase %d", p.totals[0].Keys, p.phase)
	}
}

func TestAnEngineThatDiesIdleIsBroughtBack(t *testing.T) {
	p := open(t, "")
	p.enter("SET a 1", "SET b 2")
	p.f.end(ErrCrashed)
	p.f.lost(ErrCrashed)
	p.says("The engine crashed")
	p.enter("GET b")
	p.says(`"2"`)
	if got := p.session.lines(); len(got) != 3 {
		t.Errorf("the lines are %q", got)
	}
}

func TestAnEngineThatAlwaysCrashesIsGivenUp(t *testing.T) {
	f := &fake{t: t, store: store.InMemory(nil), lab: newLab(), crash: "SET"}
	p := f.open("v=1&run=SET+a+1&run=SET+b+1&run=SET+c+1&run=SET+d+1&run=SET+e+1&run=SET+f+1")
	p.says("Try again without the commands")
	p.f.crash = ""
	p.retry()
	p.settle()
	p.enter("SET a 1")
	p.says("OK")
}

func TestCtrlCStopsWhatRunsAndKeepsWhatWasThere(t *testing.T) {
	p := open(t, "")
	p.enter("SET a 1")
	p.f.stalled = true
	p.prompt.paste("SET b 1\nSET c 1\nSET d 1")
	p.settle()
	if !p.session.busy() {
		t.Fatal("nothing runs")
	}
	p.prompt.key(keyPress{key: "c", ctrl: true})
	p.says("stopped: not run")
	p.enter("DBSIZE")
	p.says("(integer) 1")
	if got := p.session.lines(); !slices.Equal(got, []string{"SET a 1", "DBSIZE"}) {
		t.Errorf("the lines are %q", got)
	}
}

func TestSeveralLinesPastedRunOneByOne(t *testing.T) {
	p := open(t, "")
	if p.prompt.paste("GET a") {
		t.Error("a single line did not go into the prompt")
	}
	p.prompt.input("SET x ")
	if !p.prompt.paste("1\nSET y 2\r\n\n# three\nSET z 3\n") {
		t.Fatal("the paste was not taken")
	}
	p.settle()
	if got := p.session.lines(); !slices.Equal(got, []string{"SET x 1", "SET y 2", "SET z 3"}) || p.totals[0].Keys != 3 {
		t.Errorf("ran %q, %d keys", got, p.totals[0].Keys)
	}
}

func TestALineThatIsTooLongIsRefusedWithoutLosingTheLine(t *testing.T) {
	p := open(t, "")
	p.prompt.input("SET a 1")
	huge := strings.Repeat("x", 10<<20)
	p.prompt.input("SET a " + huge)
	if p.prompt.text != "SET a 1" || !strings.Contains(p.notice, "bytes") {
		t.Errorf("%.20q, notice %q", p.prompt.text, p.notice)
	}
	if !p.prompt.paste(huge) || p.prompt.text != "SET a 1" {
		t.Error("a pasted line of 10 MB was taken")
	}
}

func TestTheLogShowsTheLastLinesAndOlderOnesOnRequest(t *testing.T) {
	var run []string
	for n := range 500 {
		run = append(run, fmt.Sprintf("SET key:%d v", n))
	}
	p := open(t, link.State{Run: run}.String())
	if n := len(p.session.visible()); n != logWindow {
		t.Errorf("%d entries are shown", n)
	}
	p.session.showOlder()
	if n, h := len(p.session.visible()), p.session.hidden(); n != 2*logWindow || h != 100 {
		t.Errorf("then %d, %d hidden", n, h)
	}
	p.prompt.key(keyPress{key: "l", ctrl: true})
	if n := len(p.session.visible()); n != 0 || len(p.session.lines()) != 500 {
		t.Errorf("after Ctrl+L %d are shown, %d kept", n, len(p.session.lines()))
	}
}

func TestStartingOverEmptiesEverything(t *testing.T) {
	p := open(t, "v=1&run=SET+a+1&key=a")
	p.startOver()
	p.says("Type a command", "No keys yet.")
	if p.State().Run != nil || p.State().Key != "" {
		t.Errorf("the state is %q", p.State())
	}
}

func TestShareCopiesTheAddress(t *testing.T) {
	p := open(t, "")
	p.enter("SET a 1")
	p.share()
	p.says("Link copied")
	if want := "http://host/#v=1&s=9.0.6,9.1.2&run=SET+a+1&key=a"; p.f.copied != want {
		t.Errorf("copied %q, want %q", p.f.copied, want)
	}
}

func TestAnotherLinkInTheAddressIsOpened(t *testing.T) {
	p := open(t, "v=1&run=SET+a+1")
	p.Navigate("#v=1&s=9.1.2&run=SET+b+2&key=b")
	p.settle()
	if got := p.session.lines(); !slices.Equal(got, []string{"SET b 2"}) || string(p.inspect.key) != "b" || p.sides() != 1 {
		t.Errorf("%q, key %q, %d servers", got, p.inspect.key, p.sides())
	}
	p.Navigate("#v=9")
	p.says("newer Keyloupe")
}

func TestTimesToLiveCountDownAndKeysGo(t *testing.T) {
	p := open(t, "")
	p.prompt.input("SET a 1 PX 2500")
	p.prompt.enter()
	p.says("expires in 2 s")
	for range 3 {
		if len(p.f.ticks) != 1 {
			t.Fatalf("%d ticks are awaited", len(p.f.ticks))
		}
		tick := p.f.ticks[0]
		p.f.ticks = nil
		p.f.now += second
		tick()
		p.settle()
	}
	p.says("There is no such key now.", "0 keys")
	if len(p.f.ticks) != 0 {
		t.Error("time is still watched though nothing expires")
	}
}

func TestHelpAndClearAreAnsweredByThePage(t *testing.T) {
	p := open(t, "")
	p.enter("help SET")
	p.says("SET key value", "since: 1.0.0")
	if len(p.session.lines()) != 0 {
		t.Error("help became a command of the servers")
	}
	p.enter("clear")
	if len(p.session.visible()) > 1 {
		t.Errorf("%d entries after clear", len(p.session.visible()))
	}
}

func TestTheInspectorSaysHowManyElementsAValueHas(t *testing.T) {
	p := open(t, "v=1&s=7.2.14,9.1.2")
	for line, words := range map[string]string{
		"SET s abc": "string · key 1 B · value 3 B", "HSET h a 1 b 2": "hash · key 1 B · 2 fields", "RPUSH l a b c": "list · key 1 B · 3 elements",
		"SADD is 1 2": "set · key 2 B · 2 members", "SADD ss a": "set · key 2 B · 1 member", "ZADD z 1 a 2 b": "zset · key 1 B · 2 members",
		"XADD x * f v": "stream · key 1 B · 1 entry",
	} {
		p.enter(line)
		p.says(words)
	}
	p.enter("CONFIG SET list-max-listpack-size 1", "CONFIG SET set-max-listpack-entries 1", "RPUSH many a b c d")
	p.says("list · key 4 B · 4 elements")
	p.enter("SADD table a b c")
	p.says("set · key 5 B · 3 members")
}

func TestHowFarALongCommandIsStandsBesideIt(t *testing.T) {
	p := open(t, "")
	p.f.stalled = true
	p.enter("DEBUG POPULATE 1000000")
	p.says("running")
	p.session.progressed(450_000, 2_000_000)
	p.says("running: 450\u202f000 of 2\u202f000\u202f000 keys")
	p.session.interrupt()
	p.settle()
	if p.enter("SET a 1"); p.session.of != 0 {
		t.Error("what was said of the command before is left")
	}
}
