package ui

import (
	"slices"
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/ui/lab"
)

func newLab() *lab.Lab { return &lab.Lab{} }

// press gives the prompt keys one after another.
func (p *page) press(keys ...string) {
	p.f.t.Helper()
	for _, k := range keys {
		e := keyPress{key: k}
		if c, ok := strings.CutPrefix(k, "ctrl+"); ok {
			e = keyPress{key: c, ctrl: true}
		}
		p.prompt.key(e)
		p.settle()
	}
}

func TestTabCompletesCommandsOptionsAndKeys(t *testing.T) {
	cases := []struct {
		line string
		tabs int
		want string
		menu string
	}{
		{"MEMORY US", 1, "MEMORY USAGE ", ""},
		{"MEMORY USAGE user:1:s", 1, "MEMORY USAGE user:1:session ", ""},
		{"MEMORY USAGE u", 1, "MEMORY USAGE user:", "user:1:session user:2"},
		{"GET \"a", 1, `GET "a b" `, ""},
		{"DEL user:2 a", 1, `DEL user:2 "a b" `, ""},
		{"set k v ex", 1, "set k v ex", "ex exat"},
		{"EXPIR", 1, "EXPIRE", "EXPIRE EXPIREAT EXPIRETIME"},
		{"GET nothing", 1, "GET nothing", ""},
		{"", 1, "", ""},
	}
	p := open(t, "")
	p.enter("SET user:1:session a", "SET user:2 b", `SET "a b" c`)
	for _, c := range cases {
		p.prompt.set("")
		p.prompt.input(c.line)
		for range c.tabs {
			p.press("Tab")
		}
		if p.prompt.text != c.want || strings.Join(p.prompt.menu, " ") != c.menu {
			t.Errorf("%q: %q with the menu %q, want %q %q", c.line, p.prompt.text, p.prompt.menu, c.want, c.menu)
		}
	}
}

func TestTheMenuIsWalkedAndLeft(t *testing.T) {
	p := open(t, "")
	p.prompt.input("EXPIR")
	p.press("Tab", "Tab", "Tab", "Enter")
	if p.prompt.text != "EXPIREAT " || p.prompt.menu != nil {
		t.Errorf("%q, menu %q", p.prompt.text, p.prompt.menu)
	}
	p.prompt.input("EXPIR")
	p.press("Tab", "ArrowUp", "ArrowUp", "Escape")
	if p.prompt.text != "EXPIRE" || p.prompt.menu != nil {
		t.Errorf("%q, menu %q", p.prompt.text, p.prompt.menu)
	}
	p.press("Tab")
	p.prompt.input("EXPIREX")
	if p.prompt.menu != nil {
		t.Error("typing leaves the menu open")
	}
}

func TestTabOnAnEmptyPromptIsLeftToTheBrowser(t *testing.T) {
	p := open(t, "")
	if p.prompt.key(keyPress{key: "Tab"}) || p.prompt.key(keyPress{key: "Tab", shift: true}) || p.prompt.key(keyPress{key: "x"}) || p.prompt.key(keyPress{key: "Escape"}) {
		t.Error("a key that the prompt has no use for was taken")
	}
	if p.prompt.key(keyPress{key: "c", ctrl: true, selected: true}) {
		t.Error("Ctrl+C with a selection must copy")
	}
}

func TestHintsFollowTheLine(t *testing.T) {
	p := open(t, "")
	for line, want := range map[string]string{"GET": " key", "MEMORY USAGE use": " [SAMPLES count]", "memory us": "age key [SAMPLES count]", "GET a": "", "nonsense": ""} {
		p.prompt.input(line)
		if got := p.prompt.ghost(); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

func TestCtrlRFindsEarlierLines(t *testing.T) {
	p := open(t, "")
	p.enter("SET user:1 Alice", "GET user:1", "SET user:2 Bob")
	p.prompt.input("half a line")
	p.press("ctrl+r")
	p.prompt.input("set")
	p.says("SET user:2 Bob")
	p.press("ctrl+r")
	p.says("SET user:1 Alice")
	p.press("Enter")
	if got := p.session.lines(); got[len(got)-1] != "SET user:1 Alice" || p.prompt.search != nil {
		t.Errorf("ran %q", got)
	}
	p.prompt.input("half")
	p.press("ctrl+r")
	p.prompt.input("nothing like it")
	p.says("nothing found")
	p.press("ctrl+c")
	if p.prompt.text != "half" {
		t.Errorf("after Ctrl+C the line is %q", p.prompt.text)
	}
	p.press("ctrl+r")
	p.prompt.input("Bob")
	p.press("Escape")
	if p.prompt.text != "SET user:2 Bob" {
		t.Errorf("after Escape the line is %q", p.prompt.text)
	}
}

func TestCtrlCDropsTheLineWhenNothingRuns(t *testing.T) {
	p := open(t, "")
	p.prompt.input("SET a")
	p.press("ctrl+c")
	if p.prompt.text != "" {
		t.Errorf("%q", p.prompt.text)
	}
}

func TestTheKeyListIsWalkedByKeyboard(t *testing.T) {
	var run []string
	for n := range 300 {
		run = append(run, "SET key:"+strings.Repeat("0", 3-len(itoa(n)))+itoa(n)+" v")
	}
	p := open(t, "")
	p.prompt.paste(strings.Join(run, "\n"))
	p.settle()
	for _, c := range []struct {
		step int
		want string
	}{{-p.keys.found, "key:000"}, {1, "key:001"}, {150, "key:151"}, {p.keys.found, "key:299"}, {1, "key:299"}, {-1, "key:298"}, {-p.keys.found, "key:000"}} {
		p.keys.move(c.step)
		p.settle()
		if string(p.inspect.key) != c.want || p.keys.at < p.keys.first || p.keys.at >= p.keys.first+len(p.keys.rows) {
			t.Errorf("%+d: %s is selected, row %d of %d..%d", c.step, p.inspect.key, p.keys.at, p.keys.first, p.keys.first+len(p.keys.rows))
		}
	}
}

func TestNewerReleasesSortAfterOlderOnes(t *testing.T) {
	list := []string{"7.2.9", "7.2.14", "8.0.0", "8.1.9", "9.0.6", "9.1.0", "9.1.12"}
	for i, a := range list {
		for j, b := range list {
			if newer(a, b) != (i > j) {
				t.Errorf("newer(%s, %s) is %v", a, b, newer(a, b))
			}
		}
	}
	if !slices.IsSortedFunc(list, func(a, b string) int { return map[bool]int{true: 1, false: -1}[newer(a, b)] }) {
		t.Error("the list is not in order")
	}
}

func TestThePromptShowsThatCommandsAreQueued(t *testing.T) {
	p := open(t, "")
	for _, step := range []struct{ line, who string }{
		{"MULTI", "9.0.6|9.1.2(TX)"}, {"SELECT 1", "9.0.6|9.1.2(TX)"}, {"EXEC", "9.0.6|9.1.2[1]"}, {"MULTI", "9.0.6|9.1.2[1](TX)"}, {"DISCARD", "9.0.6|9.1.2[1]"},
	} {
		p.enter(step.line)
		if got := (&PromptPane{p.App}).who(); got != step.who {
			t.Errorf("after %s the prompt is %q, not %q", step.line, got, step.who)
		}
	}
	p.enter("MULTI")
	p.startOver()
	p.settle()
	if got := (&PromptPane{p.App}).who(); got != "9.0.6|9.1.2" {
		t.Errorf("new servers are asked by %q", got)
	}
}

func TestWhatEndsValkeyCliIsAnsweredByThePage(t *testing.T) {
	p := open(t, "")
	p.enter("SET a 1", "exit", "QUIT")
	p.says("There is nothing to leave here.")
	if got := p.session.lines(); !slices.Equal(got, []string{"SET a 1"}) {
		t.Errorf("%q is kept", got)
	}
}
