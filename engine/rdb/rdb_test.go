package rdb

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/engine/release"

	"github.com/keyloupe/keyloupe/engine/lzf"
)

func TestTheChecksumIsThatOfTheServer(t *testing.T) {
	if got := Checksum([]byte("123456789")); got != 0xe9c6d914c4b8d9ca { // crc64.c, test vector
		t.Errorf("%x", got)
	}
	if Checksum(nil) != 0 {
		t.Error("of nothing it is not 0")
	}
}

// What real servers (9.1.2) dump for strings.
func TestStringsAreWrittenAsRealServersDo(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "\x00"}, {"0", "\xc0\x00"}, {"-1", "\xc0\xff"}, {"128", "\xc1\x80\x00"}, {"-32768", "\xc1\x00\x80"},
		{"32768", "\xc2\x00\x80\x00\x00"}, {"2147483648", "\x0a2147483648"}, {"-0", "\x02-0"}, {"01", "\x0201"}, {"-", "\x01-"},
		{strings.Repeat("a", 20), "\x14" + strings.Repeat("a", 20)},
		{strings.Repeat("a", 21), "\xc3\x06\x15\x01aa\xe0\n\x00"},
		{strings.Repeat("ab", 20), "\xc3\n(\x02aba\xe0\x1a\x01\x01ab"},
		{"the quick brown fox, the quick brown dog", "\xc3\x1e(\x15the quick brown fox, t\xe0\x06\x14\x02dog"},
		{"abcdefghijklmnopqrstuvwxyz", "\x1aabcdefghijklmnopqrstuvwxyz"},
	} {
		w := Writer{Compress: true}
		w.String([]byte(c.text))
		if string(w.B) != c.want {
			t.Errorf("%q: %q, want %q", c.text, w.B, c.want)
		}
		if got, ok := NewReader(w.B).string(); !ok || string(got) != c.text {
			t.Errorf("%q: read back as %q", c.text, got)
		}
	}
}

func TestLengthsRoundTrip(t *testing.T) {
	for _, n := range []uint64{0, 63, 64, 16383, 16384, 1<<32 - 1, 1 << 32, 1<<64 - 2} {
		w := Writer{}
		w.Len(n)
		if got := NewReader(w.B).length(); got != n {
			t.Errorf("%d: %d", n, got)
		}
	}
}

func TestALyingLengthOfCompressedTextTakesNoMemory(t *testing.T) {
	for _, n := range []uint64{1 << 62, 1 << 40, 1000} {
		w := Writer{}
		w.B = append(w.B, encoded<<6|encLZF)
		w.Len(3)
		w.Len(n)
		w.Raw([]byte("\x01ab"))
		if s, ok := NewReader(w.B).string(); ok {
			t.Errorf("%d: %d bytes", n, len(s))
		}
	}
}

func TestCountsBeyondTheInputAreRefusedAtOnce(t *testing.T) {
	for _, typ := range []Type{List, Set, Zset2, Hash, Hash2, ListQuicklist2, Stream3} {
		w := Writer{}
		w.Len(1 << 60)
		w.String([]byte("a"))
		if _, err := Decode(NewReader(w.B), typ, rulesOf("9.1.2")); !errors.Is(err, ErrCorrupt) {
			t.Errorf("type %d: %v", typ, err)
		}
	}
}

func TestValuesOfModulesNameTheirType(t *testing.T) {
	w := Writer{}
	w.Len(0x41a4c4b8d9ca0c01)
	_, err := Decode(NewReader(w.B), Module2, rulesOf("9.1.2"))
	var m ModuleError
	if !errors.As(err, &m) || !strings.Contains(err.Error(), "modules are not simulated") {
		t.Error(err)
	}
}

func rulesOf(version string) *Rules {
	return &Rules{Release: release.MustParse(version), Deep: true}
}

// ziplistOf makes a ziplist of texts, and of integers where they are given as such.
func ziplistOf(items ...any) []byte {
	var body []byte
	prev, last := 0, ziplistHeader
	for _, x := range items {
		e := []byte{byte(prev)}
		switch x := x.(type) {
		case string:
			if len(x) < 64 {
				e = append(e, byte(len(x)))
			} else {
				e = append(e, byte(len(x)>>8)|0x40, byte(len(x)))
			}
			e = append(e, x...)
		case int:
			switch {
			case x >= 0 && x <= 12:
				e = append(e, 0xf1+byte(x))
			case x == int(int8(x)):
				e = append(e, 0xfe, byte(x))
			case x == int(int16(x)):
				e = le.AppendUint16(append(e, 0xc0), uint16(x))
			case x >= -1<<23 && x < 1<<23:
				e = append(e, 0xf0, byte(x), byte(x>>8), byte(x>>16))
			case x == int(int32(x)):
				e = le.AppendUint32(append(e, 0xd0), uint32(x))
			default:
				e = le.AppendUint64(append(e, 0xe0), uint64(x))
			}
		}
		last = ziplistHeader + len(body)
		prev = len(e)
		body = append(body, e...)
	}
	b := le.AppendUint32(nil, uint32(ziplistHeader+len(body)+1))
	b = le.AppendUint32(b, uint32(last))
	b = le.AppendUint16(b, uint16(len(items)))
	return append(append(b, body...), ziplistEnd)
}

func TestZiplistsAndZipmapsAreRead(t *testing.T) {
	long := strings.Repeat("z", 100)
	items, ok := ziplist(ziplistOf("a", 0, 12, -1, 300, -70000, 1<<30, 1<<40, "", long))
	if got := fmt.Sprintf("%s %v", items, ok); got != fmt.Sprintf("[a 0 12 -1 300 -70000 1073741824 1099511627776  %s] true", long) {
		t.Error(got)
	}
	if _, ok := ziplist(ziplistOf("a")[:11]); ok {
		t.Error("a ziplist that is cut off was taken")
	}
	items, ok = zipmap([]byte("\x02\x01f\x03\x00val\x01g\x01\x02x  \xff"))
	if got := fmt.Sprintf("%s %v", items, ok); got != "[f val g x] true" {
		t.Error(got)
	}
}

func TestScoresAsTextAreRead(t *testing.T) {
	w := Writer{}
	w.Len(3)
	for _, m := range []string{"a\x043.25", "b\xfe", "c\xff"} {
		w.String([]byte(m[:1]))
		w.Raw([]byte(m[1:]))
	}
	v, err := Decode(NewReader(w.B), Zset, rulesOf("9.1.2"))
	if got := fmt.Sprintf("%s %v", fmt.Sprint(v.Pairs[0].Score, v.Pairs[1].Score, v.Pairs[2].Score), err); got != "3.25 +Inf -Inf <nil>" {
		t.Error(got)
	}
}

type counter struct{ keys, dbs int }

func (c *counter) Select(int) error { c.dbs++; return nil }
func (c *counter) Resize(int, int)  {}
func (c *counter) Key(*Entry) error { c.keys++; return nil }
func (c *counter) Note(string)      {}

func TestFilesOfRealServersAreReadAndDamagedOnesAreNot(t *testing.T) {
	files, _ := filepath.Glob("../../testdata/golden/rdb/*.rdb")
	if len(files) == 0 {
		t.Fatal("no files")
	}
	r := rand.New(rand.NewPCG(3, 4))
	for _, path := range files {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var c counter
		if err := Read(b, rulesOf("9.1.2"), &c); err != nil || c.keys < 100 {
			t.Errorf("%s: %d keys, %v", path, c.keys, err)
		}
		for range 20 {
			d := bytes.Clone(b)
			at := r.IntN(len(d) - 8)
			d[at] ^= 1 << r.IntN(8)
			if Read(d, rulesOf("9.1.2"), &c) == nil {
				t.Errorf("%s: byte %d was changed, and nobody saw it", path, at)
			}
			if Read(b[:at], rulesOf("9.1.2"), &c) == nil {
				t.Errorf("%s: cut off at %d, and nobody saw it", path, at)
			}
		}
	}
}

func TestAReleaseRefusesFilesOfNewerOnes(t *testing.T) {
	w := Writer{}
	w.Begin(FirstValkey)
	w.End()
	if err := Read(w.B, rulesOf("9.0.0"), &counter{}); err != nil {
		t.Error(err)
	}
	if err := Read(w.B, rulesOf("8.1.8"), &counter{}); err == nil || !strings.Contains(err.Error(), "version 80") {
		t.Error(err)
	}
	for _, head := range []string{"REDIS0012", "VALKEY011", "REDIS0080", "REDISxxxx", "", "VALKEY08"} {
		if err := Read([]byte(head+"\xff"), rulesOf("9.1.2"), &counter{}); err == nil {
			t.Errorf("%q was taken", head)
		}
	}
}

// FuzzDecode looks for values that panic, or whose decoding takes more than their length allows.
func FuzzDecode(f *testing.F) {
	files, _ := filepath.Glob("../../testdata/golden/rdb/*.rdb")
	for _, path := range files {
		b, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		n := 0
		_ = Read(b, rulesOf("9.1.2"), &seeds{f: f, n: &n})
	}
	f.Fuzz(func(t *testing.T, typ byte, b []byte) {
		for _, version := range []string{"8.1.8", "9.1.2"} {
			for _, deep := range []bool{false, true} {
				rules := rulesOf(version)
				rules.Deep = deep
				v, err := Decode(NewReader(b), Type(typ), rules)
				if err != nil {
					continue
				}
				size := len(v.Text)
				for _, x := range v.Items {
					size += len(x)
				}
				if size > lzf.Ratio*len(b)+24*len(v.Items) {
					t.Errorf("%d bytes became %d", len(b), size)
				}
			}
		}
	})
}

// seeds adds small values of every type as they are in a file.
type seeds struct {
	counter
	f *testing.F
	n *int
}

func (s *seeds) Key(e *Entry) error {
	if *s.n++; *s.n%40 == 0 && len(e.Value.Text) < 500 && e.Value.Text != nil {
		w := Writer{}
		w.String(e.Value.Text)
		s.f.Add(byte(e.Value.Type), w.B)
	}
	return nil
}

// FuzzRead looks for files that panic.
func FuzzRead(f *testing.F) {
	w := Writer{Compress: true}
	w.Begin(FirstValkey)
	w.Aux("valkey-ver", "9.1.2")
	w.Select(0, 1, 1)
	w.ExpireAt(1)
	w.Idle(5)
	w.Type(String)
	w.String([]byte("k"))
	w.String([]byte("v"))
	w.End()
	f.Add(w.B)
	f.Add([]byte("REDIS0003\xfd\x01\x00\x00\x00\x0a\x01k\x0d\x0d\x00\x00\x00\x0a\x00\x00\x00\x01\x00\x00\x01a\xff\xff"))
	f.Fuzz(func(t *testing.T, b []byte) {
		_ = Read(b, rulesOf("9.1.2"), &counter{})
		_ = Read(b, rulesOf("7.2.7"), &counter{})
	})
}

func TestAFileTellsOfItself(t *testing.T) {
	var w Writer
	w.Begin(FirstValkey)
	w.Aux("valkey-ver", "9.1.2")
	w.Aux("ctime", "1700000000")
	w.Select(0, 0, 0)
	w.Aux("later", "is of no interest")
	w.End()
	got := About(w.B)
	if len(got) != 2 || got["valkey-ver"] != "9.1.2" || got["ctime"] != "1700000000" {
		t.Error(got)
	}
	for n := range w.B { // whatever is left of it
		if got := About(w.B[:n]); len(got) > 2 {
			t.Errorf("%d bytes: %v", n, got)
		}
	}
	if got := About([]byte("no dump at all")); len(got) != 0 {
		t.Error(got)
	}
}
