package catalog

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

func TestLookupIgnoresCaseAndFindsSubcommands(t *testing.T) {
	c := For("9.1")
	for name, want := range map[string]string{"get": "get", "GeT": "get", "CONFIG|get": "config|get", "nosuch": "", "set|x": "", "": "", "|": ""} {
		got := ""
		if cmd := c.Lookup(name); cmd != nil {
			got = cmd.FullName
		}
		if got != want {
			t.Errorf("Lookup(%q) = %q, want %q", name, got, want)
		}
	}
	if c.Lookup(string(make([]byte, 1000))) != nil {
		t.Error("a name of 1000 bytes is found")
	}
}

func TestLookupAllocatesNothing(t *testing.T) {
	c, name := For("9.1"), []byte("HGETALL")
	if n := testing.AllocsPerRun(100, func() { c.LookupBytes(name) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestALineIsItsNewestReleaseAndAReleaseTheOneNotNewer(t *testing.T) {
	for release, want := range map[string]string{
		"9.1": "9.1.2", "9.1.0": "9.1.0", "9.1.1": "9.1.1", "9.1.2": "9.1.2", "9.1.7": "9.1.2", "9.0": "9.0.0", "9.0.6": "9.0.0", "8.1": "8.1.8", "8.1.1": "8.1.8",
		"8.0": "8.0", "8.0.10": "8.0", "7.2.5": "7.2",
	} {
		if got := For(release).Version; got != want {
			t.Errorf("For(%q) is of %s, want %s", release, got, want)
		}
	}
	for _, release := range []string{"", "9", "9.2", "10.0", "9.1x", "x"} {
		if Known(release) {
			t.Errorf("%q is known", release)
		}
	}
}

func TestEncodingWhatWasDecodedGivesTheSameBytes(t *testing.T) {
	tables, err := decode(data)
	if err != nil {
		t.Fatal(err)
	}
	if again := Encode(tables); !bytes.Equal(again, data) {
		t.Errorf("%d bytes became %d", len(data), len(again))
	}
}

func TestTheDataIsSmall(t *testing.T) {
	const most = 60 << 10
	if len(data) > most {
		t.Errorf("catalog.bin has %d bytes, more than %d", len(data), most)
	}
}

func TestBrokenDataIsAnErrorAndNoPanic(t *testing.T) {
	for _, cut := range []int{0, 1, 100, len(data) / 2, len(data) - 1} {
		if _, err := decode(data[:cut]); err == nil {
			t.Errorf("%d bytes of %d decode", cut, len(data))
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	for b.Loop() {
		if _, err := decode(data); err != nil {
			b.Fatal(err)
		}
	}
}

func TestALineKnowsOnlyTheCommandsOfItsTime(t *testing.T) {
	lines := []string{"7.2", "8.0", "8.1", "9.0", "9.1"}
	for name, first := range map[string]string{
		"set": "7.2", "object|freq": "7.2", "script|show": "8.0", "client|capa": "8.0", "cluster|slot-stats": "8.0",
		"commandlog": "8.1", "client|import-source": "8.1", "delifeq": "9.0", "hexpire": "9.0", "httl": "9.0", "hgetex": "9.0", "hsetex": "9.0",
		"hpersist": "9.0", "hpexpiretime": "9.0", "msetex": "9.1", "hgetdel": "9.1", "clusterscan": "9.1",
	} {
		for _, line := range lines {
			if known := For(line).Lookup(name) != nil; known != (line >= first) {
				t.Errorf("%s knows %s: %v", line, name, known)
			}
		}
	}
}

func TestDerivedLinesSaySoAndLeaveOutWhatIsNewer(t *testing.T) {
	for _, line := range []string{"7.2", "8.0"} {
		c := For(line)
		if !c.Derived {
			t.Errorf("%s is not marked as derived", line)
		}
		for name, want := range map[string]string{
			"set":      "SET key value [NX|XX] [GET] [EX seconds|PX milliseconds|EXAT unix-time-seconds|PXAT unix-time-milliseconds|KEEPTTL]",
			"bgsave":   "BGSAVE [SCHEDULE]",
			"hscan":    map[string]string{"7.2": "HSCAN key cursor [MATCH pattern] [COUNT count]", "8.0": "HSCAN key cursor [MATCH pattern] [COUNT count] [NOVALUES]"}[line],
			"bitcount": map[string]string{"7.2": "BITCOUNT key [start end [BYTE|BIT]]", "8.0": "BITCOUNT key [start [end [BYTE|BIT]]]"}[line],
		} {
			if got := c.Lookup(name).Syntax(); got != want {
				t.Errorf("%s: %q, want %q", line, got, want)
			}
		}
		walk(c.Commands, func(cmd *Command) {
			if lineOf(cmd.Since) > line {
				t.Errorf("%s has %s since %s", line, cmd.FullName, cmd.Since)
			}
		})
	}
	if For("8.1").Derived || For("9.0").Derived || For("9.1").Derived {
		t.Error("a line that was asked is marked as derived")
	}
}

func TestDefaultsAreTheLines(t *testing.T) {
	for _, c := range []struct{ line, name, want string }{
		{"7.2", "lazyfree-lazy-expire", "no"}, {"8.0", "lazyfree-lazy-expire", "yes"}, {"9.1", "lazyfree-lazy-expire", "yes"},
		{"7.2", "repl-backlog-size", "1048576"}, {"8.0", "repl-backlog-size", "10485760"},
		{"7.2", "hash-max-ziplist-entries", "512"}, {"9.1", "hash-max-listpack-entries", "512"}, {"9.1", "set-max-listpack-value", "64"},
		{"8.0", "dynamic-hz", "yes"}, {"8.1", "dynamic-hz", ""}, {"9.0", "hash-seed", ""}, {"9.1", "maxmemory-policy", "noeviction"},
	} {
		if got := For(c.line).NewSettings().Text(c.name); got != c.want {
			t.Errorf("%s: %s is %q, want %q", c.line, c.name, got, c.want)
		}
	}
}

func TestTwinsAreOneValue(t *testing.T) {
	s := For("9.1").NewSettings()
	if text := s.Set([][]byte{[]byte("hash-max-ziplist-entries"), []byte("7")}); text != "" {
		t.Fatal(text)
	}
	if s.Int("hash-max-listpack-entries") != 7 || s.Int("HASH-MAX-ZIPLIST-ENTRIES") != 7 {
		t.Errorf("listpack %d, ziplist %d", s.Int("hash-max-listpack-entries"), s.Int("hash-max-ziplist-entries"))
	}
	c := s.Clone()
	c.Set([][]byte{[]byte("hash-max-listpack-entries"), []byte("8")})
	if s.Int("hash-max-listpack-entries") != 7 || c.Int("hash-max-listpack-entries") != 8 {
		t.Error("a clone is not on its own")
	}
}

func TestWithAddsACommandToACopy(t *testing.T) {
	own := &Command{FullName: "keyx", Subcommands: []*Command{{FullName: "keyx|sub"}}}
	c := For("9.1")
	more := c.With(own)
	if len(more.Commands) != len(c.Commands)+1 || more.Lookup("KEYX|sub") == nil || !slices.IsSortedFunc(more.Commands, func(a, b *Command) int { return strings.Compare(a.FullName, b.FullName) }) {
		t.Error("the copy does not have it in its place")
	}
	if c.Lookup("keyx") != nil || slices.Contains(c.Commands, own) {
		t.Error("the catalog that all share has it")
	}
}
