package inventory

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/engine/layout"
)

// server is a server after some commands, one a line, and what an empty one takes.
func server(t *testing.T, name, commands string) (s *engine.Server, empty int64) {
	t.Helper()
	s, err := engine.NewServer(name, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	empty = s.Used()
	for _, line := range strings.Split(strings.TrimSpace(commands), "\n") {
		if e := s.Do(strings.Fields(line)...); e.Reply.Str != "" && strings.HasPrefix(e.Reply.Str, "ERR") {
			t.Fatalf("%s: %s", line, e.Reply.Str)
		}
	}
	return s, empty
}

const mixed = `SET user:1 Alice
SET user:2 12345
PEXPIRE user:2 100000
SET user:3 aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
HSET cart:1 item one
HSET cart:2 item aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
SADD tags 1 2 3
RPUSH queue:mail:out a b c
ZADD board 1 one
XADD log 1-1 a b
SELECT 3
SET user:1 other`

func take(t *testing.T, o Options, commands string, names ...string) *Inventory {
	t.Helper()
	v := New(o)
	for _, name := range names {
		s, empty := server(t, name, commands)
		if err := v.Add(s, empty, nil); err != nil {
			t.Fatal(err)
		}
	}
	v.Done()
	return v
}

var everyLine = []string{"7.2.7", "8.0.1", "8.1.8", "9.0.6", "9.1.2", "9.1.2@libc"}

func TestSumsOfGroupsAreTheTotals(t *testing.T) {
	v := take(t, Options{Separator: ":", Top: 3}, mixed, everyLine...)
	for i, s := range v.Servers {
		if s.Keys != 10 || s.Expires != 1 || s.Tables <= 0 || s.Blocks+s.Tables != s.Used {
			t.Errorf("%+v", s)
		}
		var types, prefixes Sum
		for _, x := range v.Types {
			types.Keys, types.Bytes = types.Keys+x.Servers[i].Keys, types.Bytes+x.Servers[i].Bytes
		}
		for _, x := range v.Prefixes {
			prefixes.Keys, prefixes.Bytes = prefixes.Keys+x.Servers[i].Keys, prefixes.Bytes+x.Servers[i].Bytes
		}
		if want := (Sum{s.Keys, s.Blocks}); types != want || prefixes != want {
			t.Errorf("%s: types %+v, prefixes %+v, want %+v", s.Server, types, prefixes, want)
		}
	}
}

// TestTablesDoNotHangOnValues: what is not a key's block is the same whatever the values are, so the blocks are all of them.
func TestTablesDoNotHangOnValues(t *testing.T) {
	for _, name := range everyLine {
		var tables []int64
		for _, value := range []string{"1", "text", strings.Repeat("v", 1000)} {
			var b strings.Builder
			for i := range 100 {
				fmt.Fprintf(&b, "SET key:%d %s\n", i, value)
			}
			tables = append(tables, take(t, Options{}, b.String(), name).Servers[0].Tables)
		}
		if tables[0] != tables[1] || tables[1] != tables[2] {
			t.Errorf("%s: %v", name, tables)
		}
	}
}

func TestBytesOfAKeyAreThoseOfItsPicture(t *testing.T) {
	for _, name := range everyLine {
		v := take(t, Options{Top: 100}, mixed, name)
		s, _ := server(t, name, mixed)
		for _, k := range v.Biggest {
			var pic layout.Picture
			info, ok := s.Picture(&pic, s.Space.DB(k.DB), []byte(k.Key))
			if want := (Sizes{info.Encoding, int64(pic.Total()), int64(info.Usage)}); !ok || k.Servers[0] != want || k.Type != info.Type {
				t.Errorf("%s, %s: %+v, want %+v", name, k.Key, k, want)
			}
		}
		if len(v.Biggest) != 10 {
			t.Errorf("%s: %d keys", name, len(v.Biggest))
		}
	}
}

func TestTheBiggestComeFirstAndAreTheSameKeysEverywhere(t *testing.T) {
	v := take(t, Options{Top: 3}, mixed, "8.1.8", "9.1.2")
	if len(v.Biggest) != 3 {
		t.Fatal(v.Biggest)
	}
	for i, k := range v.Biggest {
		if i > 0 && k.Servers[0].Bytes > v.Biggest[i-1].Servers[0].Bytes {
			t.Errorf("%s is bigger than the key before it", k.Key)
		}
		if len(k.Servers) != 2 || k.Servers[1].Bytes == 0 {
			t.Errorf("%+v", k)
		}
	}
}

func TestAPrefixEndsAtTheSeparatorThatWasAskedFor(t *testing.T) {
	for _, c := range []struct {
		depth int
		want  string
	}{{1, `"queue:"`}, {2, `"queue:mail:"`}, {3, `"queue:mail:"`}} {
		v := take(t, Options{Separator: ":", Depth: c.depth, Top: 10}, mixed, "9.1.2")
		var b bytes.Buffer
		if err := v.WriteText(&b, false); err != nil || !strings.Contains(b.String(), c.want+" ") {
			t.Errorf("depth %d: %v\n%s", c.depth, err, b.String())
		}
	}
}

const sideBySide = `                             8.1.8        9.1.2
                       keys  bytes  keys  bytes       Δ     Δ %
used_memory              10  5,616    10  6,680  +1,064   +18.9
  in the keys' blocks        5,072        5,072       0
  in tables of keys            544        1,608  +1,064  +195.6
hash                      2    344     2    360     +16    +4.7
  hashtable               1    288     1    304     +16    +5.6
  listpack                1     56     1     56       0
list                      1     56     1     56       0
  listpack                1     56     1     56       0
set                       1     40     1     40       0
  intset                  1     40     1     40       0
stream                    1  4,280     1  4,280       0
  stream                  1  4,280     1  4,280       0
string                    4    312     4    296     -16    -5.1
  embstr                  2     80     2     64     -16   -20.0
  int                     1     40     1     40       0
  raw                     1    192     1    192       0
zset                      1     40     1     40       0
  listpack                1     40     1     40       0

prefix            8.1.8        9.1.2
            keys  bytes  keys  bytes    Δ   Δ %
none           3  4,360     3  4,360    0
"cart:"        2    344     2    360  +16  +4.7
all others     5    368     5    352  -16  -4.3

biggest keys                   8.1.8             9.1.2
                     encoding  bytes   encoding  bytes    Δ   Δ %
"log"          stream, stream  4,280     stream  4,280    0
"cart:2"      hash, hashtable    288  hashtable    304  +16  +5.6
`

func TestTextPutsServersSideBySide(t *testing.T) {
	v := take(t, Options{Separator: ":", Top: 2}, mixed, "8.1.8", "9.1.2")
	var b bytes.Buffer
	if err := v.WriteText(&b, false); err != nil {
		t.Fatal(err)
	}
	if b.String() != sideBySide {
		t.Errorf("got\n%s\nwant\n%s", b.String(), sideBySide)
	}
	b.Reset()
	if err := v.WriteText(&b, true); err != nil || !strings.Contains(b.String(), "\x1b[32m-") {
		t.Errorf("a saving is not green: %v\n%s", err, b.String())
	}
}

func TestAVerdictSaysWhatFurtherServersSave(t *testing.T) {
	v := &Inventory{Servers: []Totals{{Server: "8.1.8", Used: 1000}, {Server: "9.0.6", Used: 1000}, {Server: "9.1.2", Used: 750}, {Server: "9.1.2@libc", Used: 2100}}}
	want := []string{"On 9.0.6 these keys take as many bytes as on 8.1.8.", "On 9.1.2 these keys take 250 bytes (25.0 %) less than on 8.1.8.",
		"On 9.1.2@libc these keys take 1,100 bytes (110.0 %) more than on 8.1.8."}
	if got := v.Verdict(); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%q", got)
	}
}

func TestKeysOfAnyBytesAreToldInJSONAndText(t *testing.T) {
	s, empty := server(t, "9.1.2", "PING")
	s.DoBytes([][]byte{[]byte("SET"), []byte("\x1b[31m\xff:" + strings.Repeat("long", 100)), []byte("v")})
	v := New(Options{Separator: ":", Top: 10})
	if err := v.Add(s, empty, nil); err != nil {
		t.Fatal(err)
	}
	v.Done()
	var b bytes.Buffer
	if err := v.WriteJSON(&b, map[string]string{"name": "x"}); err != nil {
		t.Fatal(err)
	}
	var told struct {
		File    map[string]string
		Biggest []struct{ Key string }
	}
	if err := json.Unmarshal(b.Bytes(), &told); err != nil || told.File["name"] != "x" || !strings.HasPrefix(told.Biggest[0].Key, "\x1b[31mÿ:longlong") {
		t.Errorf("%v\n%s", err, b.String())
	}
	b.Reset()
	if err := v.WriteText(&b, false); err != nil || bytes.ContainsRune(b.Bytes(), 0x1b) || bytes.IndexByte(b.Bytes(), 0xff) >= 0 || !strings.Contains(b.String(), "…") {
		t.Errorf("%v\n%s", err, b.String())
	}
}

func TestCountingStopsWhenItIsTold(t *testing.T) {
	var b strings.Builder
	for i := range watchEvery {
		fmt.Fprintf(&b, "SET key:%d v\n", i)
	}
	s, empty := server(t, "9.1.2", b.String())
	stop := errors.New("stop")
	if err := New(Options{}).Add(s, empty, func(int) error { return stop }); err != stop {
		t.Error(err)
	}
}
