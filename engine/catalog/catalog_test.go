package catalog

import (
	"bytes"
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
