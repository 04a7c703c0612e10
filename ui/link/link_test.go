package link

import (
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestAShortStateIsReadable(t *testing.T) {
	s := State{Servers: []string{"9.0.6", "9.1.2"}, Run: []string{"SET user:1 Alice"}, Key: "user:1"}
	if got, want := s.String(), "v=1&s=9.0.6,9.1.2&run=SET+user:1+Alice&key=user:1"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// states are of every kind that a fragment can hold.
var states = []State{
	{},
	{Servers: []string{"9.0.6", "9.1.2@libc"}},
	{Run: []string{"SET user:1 Alice", `SET "a b" "x\x00\n"`, "GET a&b=c#d%41+e"}, Key: "a b"},
	{Run: []string{"SET k \xff\xfe binary", "SET ключ значение"}, Key: "ключ"},
	{Run: []string{"", "  ", "PING"}},
	{Servers: []string{"9.1.2"}, Config: []string{"hash-max-listpack-value=128", "maxmemory=1gb"}, HashSeed: strings.Repeat("0f", 16), DB: 3, Search: "user:*"},
	{Table: Table{"9.1.2", "keys", 11}},
	{Table: Table{"9.1.2@distro", "expires", -1}},
	{Table: Table{"9.1.2", "volatile", 0}},
	{Budget: &Budget{16, 97, true}},
	{Budget: &Budget{0, 0, false}, ReadOnly: true, Theme: "dark"},
	{Servers: []string{"9.0.6"}, Sweep: "type=hash&value=0..200&at=7", View: "play"},
	{View: "published", Scenario: "97-bytes", Run: []string{"PING"}, Sweep: "value=0..200"},
	{Run: strings.Fields(strings.Repeat("PING ", 5000))},
}

func TestWhatIsWrittenIsReadBack(t *testing.T) {
	for _, s := range states {
		f := s.String()
		got, err := Parse(f)
		if err != nil || !reflect.DeepEqual(got, s) {
			t.Errorf("%.200s\ngot  %.300s, %v\nwant %.300s", f, fmt.Sprintf("%+v", got), err, fmt.Sprintf("%+v", s))
		}
		if withHash, _ := Parse("#" + f); !reflect.DeepEqual(withHash, s) {
			t.Errorf("#%.200s is read otherwise than without #", f)
		}
	}
}

func TestALongStateIsCompressed(t *testing.T) {
	s := State{Run: []string{strings.Repeat("SET user:1 Alice ", 1000)}}
	f := s.String()
	if !strings.HasPrefix(f, "v=1&z=") || len(f) > 1000 {
		t.Errorf("%d bytes: %.80s", len(f), f)
	}
}

func TestEveryCutOfACompressedLinkIsNoticed(t *testing.T) {
	var run []string
	for i := range 200 {
		run = append(run, fmt.Sprintf("SET user:%d %d", i*7919, i*104729))
	}
	f := State{Run: run}.String()
	for n := len("v=1&z=") + 1; n < len(f); n++ {
		if _, err := Parse(f[:n]); !errors.Is(err, ErrCut) {
			t.Fatalf("cut to %d of %d bytes: %v", n, len(f), err)
		}
	}
}

func TestFrozenLinksOfVersionOneKeepTheirMeaning(t *testing.T) {
	cases := map[string]State{
		"v=1&s=9.0.6,9.1.2&run=SET+user:1+Alice&key=user:1":                     {Servers: []string{"9.0.6", "9.1.2"}, Run: []string{"SET user:1 Alice"}, Key: "user:1"},
		"v=1&run=SET%20a%20%22b%20c%22&run=GET+a&t=9.1.2/keys/3":                {Run: []string{`SET a "b c"`, "GET a"}, Table: Table{"9.1.2", "keys", 3}},
		"v=1&s=8.1.1@libc&c=maxmemory%3D1gb&b=16,97,ttl&ro=1&db=2":              {Servers: []string{"8.1.1@libc"}, Config: []string{"maxmemory=1gb"}, Budget: &Budget{16, 97, true}, ReadOnly: true, DB: 2},
		"v=1&z=Kra11DPQM9Ox1DPUM1IrKs2zDXYN0S4tTi2yMtR2zMlMTlXLTq20hQgAAgAA__8": {Servers: []string{"9.0.6", "9.1.2"}, Run: []string{"SET user:1 Alice"}, Key: "user:1"},
		"v=1&s=9.1.2&sweep=type=string%26value=0..200&view=play":                {Servers: []string{"9.1.2"}, Sweep: "type=string&value=0..200", View: "play"},
		"v=1&view=published&scenario=97-bytes":                                  {View: "published", Scenario: "97-bytes"},
		"v=1&unknown=field&run=PING":                                            {Run: []string{"PING"}},
	}
	for f, want := range cases {
		if got, err := Parse(f); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s\ngot  %+v, %v\nwant %+v", f, got, err, want)
		}
	}
}

func TestAnOlderVersionGoesThroughOneMigrationAStep(t *testing.T) {
	if len(migrations) != Version-1 {
		t.Errorf("%d migrations lead to version %d", len(migrations), Version)
	}
	pretend := []func(url.Values){
		func(q url.Values) { q["commands"] = q["run"]; q.Del("run") },
		func(q url.Values) { q["run"] = append([]string{"FLUSHALL"}, q["commands"]...) },
	}
	for f, want := range map[string][]string{"v=1&run=PING": {"FLUSHALL", "PING"}, "v=2&commands=PING": {"FLUSHALL", "PING"}, "v=3&run=PING": {"PING"}} {
		if got, err := parse(f, pretend); err != nil || !reflect.DeepEqual(got.Run, want) {
			t.Errorf("%s: %q, %v; want %q", f, got.Run, err, want)
		}
	}
}

func TestANewerVersionIsRefusedWithAMessage(t *testing.T) {
	var newer NewerError
	if _, err := Parse("v=2&run=PING"); !errors.As(err, &newer) || newer.Version != 2 {
		t.Errorf("%v", err)
	}
}

func TestHostileFragmentsAreRefusedWithAMessage(t *testing.T) {
	bomb := "v=1&z=" + deflate("run="+strings.Repeat("x", MaxInflated))
	for _, f := range []string{
		"nonsense", "v=", "v=-1", "v=0", "v=1e9", "v=99999999999999999999", "run=PING", "v=1&z=%%%", "v=1&z=!!", "v=1&z=AAAA", "v=1&run=%4",
		"v=1&db=-1", "v=1&db=x", "v=1&t=9.1.2", "v=1&t=9.1.2/values", "v=1&t=9.1.2/keys/-2", "v=1&t=a/keys/1/2", "v=1&b=1", "v=1&b=-1,2", "v=1&b=1,2,3",
		"v=1&b=1,99999999999", "v=1&theme=red", "v=1&s=" + strings.Repeat("9.1.2,", MaxServers) + "9.0.6",
		"v=1" + strings.Repeat("&run=P", MaxLines+1), strings.Repeat("x", MaxFragment+1), bomb, "v=1&run=a;b",
	} {
		if s, err := Parse(f); err == nil || len(err.Error()) < 20 {
			t.Errorf("%.80s: accepted as %.200s, %v", f, fmt.Sprintf("%+v", s), err)
		}
	}
}

func FuzzAnyFragmentEitherFailsOrIsWrittenTheSameAgain(f *testing.F) {
	for _, s := range states {
		f.Add(s.String())
	}
	f.Fuzz(func(t *testing.T, fragment string) {
		s, err := Parse(fragment)
		if err != nil {
			return
		}
		again, err := Parse(s.String())
		if err != nil || !reflect.DeepEqual(s, again) {
			t.Errorf("%q: %+v, then %+v, %v", fragment, s, again, err)
		}
	})
}

func TestARunOfSeveralLinesIsSeveralCommands(t *testing.T) {
	s, err := Parse("v=1&run=SET+a+b%0AGET+a%0A&run=DEL+a")
	if err != nil || !slices.Equal(s.Run, []string{"SET a b", "GET a", "DEL a"}) {
		t.Errorf("%q, %v", s.Run, err)
	}
}
