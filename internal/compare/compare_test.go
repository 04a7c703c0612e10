package compare

import (
	"fmt"
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/internal/realserver"
)

const commands = `# a comment

SET k "a value"
SET n 12345
HSET h f1 v1 f2 v2
SADD s a b c
SMEMBERS s
ZADD z 1 a 2.5 b
RPUSH l 1 2 3
LPUSH k x
XADD st 1-1 f v
EXPIRE k 1000
NOSUCH
`

func TestARealServerAndTheSimulatedOneDoNotDiffer(t *testing.T) {
	for _, v := range realserver.Versions() {
		t.Run(v.Number, func(t *testing.T) {
			if v.Static {
				t.Skip("sizes of glibc's malloc hang on what the process did before, and no other can be preloaded")
			}
			s := realserver.Start(t, v, realserver.Distro())
			c := dial(t, s.Addr)
			var out strings.Builder
			r, err := Run(c, strings.NewReader(commands), &out, Options{Server: v.Number + "@distro"})
			if err != nil {
				t.Fatal(err)
			}
			if r.Commands != 11 || r.Keys != 10 || r.Differ != 0 {
				t.Errorf("%+v\n%s", r, out.String())
			}
		})
	}
}

func TestWhatDiffersIsShown(t *testing.T) {
	s := realserver.Start(t, realserver.Versions()[0])
	c := dial(t, s.Addr)
	var out strings.Builder
	o := Options{Engine: engine.Options{Config: map[string]string{"hash-max-listpack-entries": "1"}}}
	r, err := Run(c, strings.NewReader("HSET h a 1 b 2\nTIME\n"), &out, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"1: HSET h a 1 b 2\n    encoding of h: target listpack, simulated hashtable\n", "MEMORY USAGE of h", "2: TIME\n    reply: target"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in\n%s", want, out.String())
		}
	}
	if r.Differ != 3 {
		t.Errorf("%+v", r)
	}
}

func TestATargetThatHoldsKeysIsRefused(t *testing.T) {
	s := realserver.Start(t, realserver.Versions()[0])
	s.Do("SET", "a", "b")
	c := dial(t, s.Addr)
	if _, err := Run(c, strings.NewReader("SET k v\n"), new(strings.Builder), Options{}); err == nil || !strings.Contains(err.Error(), "--force") {
		t.Errorf("it was not refused: %v", err)
	}
	if got := s.Do("DBSIZE"); fmt.Sprint(got) != "1" {
		t.Errorf("%v keys", got)
	}
	if r, err := Run(c, strings.NewReader("SET k v\n"), new(strings.Builder), Options{Force: true}); err != nil || r.Differ != 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

func dial(t *testing.T, addr string) *Conn {
	t.Helper()
	c, err := Dial(addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}
