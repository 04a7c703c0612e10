//go:build !js

package catalog_test

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/engine/catalog"
	rs "github.com/keyloupe/keyloupe/internal/realserver"
)

// machine are the directives whose default comes from the machine or from how the test starts the server.
var machine = map[string]bool{"dir": true, "port": true, "bind": true, "maxclients": true}

func getAll(t *testing.T, s *catalog.Settings, patterns ...string) rs.Map {
	t.Helper()
	w := catalog.Wire{Proto: 3}
	s.Get(&w, argv(patterns...))
	return parse(t, w.Bytes).(rs.Map)
}

func TestConfigGetAllIsTheServersWithItsDefaults(t *testing.T) {
	for _, v := range rs.Versions() {
		t.Run(v.Number, func(t *testing.T) {
			c := rs.Start(t, v, rs.Bare()).Client()
			hello(c, 3)
			want := map[any]any{}
			for _, p := range c.Do("CONFIG", "GET", "*").(rs.Map) {
				want[p.Key] = p.Value
			}
			got := getAll(t, catalog.For(v.Number).NewSettings(), "*")
			for _, p := range got {
				if machine[string(p.Key.(rs.Bulk))] {
					continue
				}
				if want[p.Key] != p.Value {
					t.Errorf("%v is %q, the server's %q", p.Key, p.Value, want[p.Key])
				}
			}
			if len(got) != len(want) {
				t.Errorf("%d directives, the server has %d", len(got), len(want))
			}
		})
	}
}

func TestConfigGetFindsNamesAsTheServer(t *testing.T) {
	lines := []string{
		"maxmemory", "MaxMemory", "MaxMemory maxmemory MAX?emory", "maxmemory MaxMemory", "nosuch", "nosuch maxmemory hz",
		"hash-max-ziplist-v* hash-max-listpack-v*", "HASH-MAX-*", "use-exit-on-panic", "use-exit*", "*-to-write", "s[lt]*ax-len", "[^a-z]*", "maxmemory\\",
		"max\\memory", "timeout TIMEOUT t?meout", "watchdog-period", "*z",
	}
	eachServer(t, func(t *testing.T, s *rs.Server, cat *catalog.Catalog) {
		set := cat.NewSettings()
		for _, line := range lines {
			args := strings.Fields(line)
			for _, proto := range []int{2, 3} {
				hello(s.Client(), proto)
				want := s.Client().DoRaw(append([]string{"CONFIG", "GET"}, args...)...)
				w := catalog.Wire{Proto: proto}
				set.Get(&w, argv(args...))
				if s.Version.Line == "8.1" && strings.ContainsAny(line, "*? ") { // its order is that of a hash table
					if len(w.Bytes) != len(want) {
						t.Errorf("CONFIG GET %s: %q, server %q", line, w.Bytes, want)
					}
				} else if !bytes.Equal(w.Bytes, want) {
					t.Errorf("CONFIG GET %s: %q, server %q", line, w.Bytes, want)
				}
			}
		}
	})
}

func TestConfigSetOfSeveralIsAllOrNone(t *testing.T) {
	lines := []string{
		"maxmemory 1", "maxmemory 1 timeout", "maxmemory 1 maxmemory 2", "MAXMEMORY 1 maxmemory 2", "MAXMEMORY x", "nosuch x", "nosuch x databases 1",
		"databases 1 nosuch x", "dir /tmp", "DIR /tmp nosuch x", "timeout 1 dir x", "hash-max-ziplist-value 1 hash-max-listpack-value 2",
		"timeout 5 hz x", "timeout 7 hz 20", "timeout 8 maxmemory 1kb nosuch 3", "enable-debug-command yes", "no\r\nsuch 1",
	}
	eachServer(t, func(t *testing.T, s *rs.Server, cat *catalog.Catalog) {
		set := cat.NewSettings()
		for _, line := range lines {
			args := strings.Split(line, " ")
			want := s.Do(append([]string{"CONFIG", "SET"}, args...)...)
			got := set.Set(argv(args...))
			if got == "" && want != rs.Status("OK") || got != "" && want != rs.Error(got) {
				t.Errorf("CONFIG SET %q: %q, server %q", line, got, want)
			}
			for _, name := range []string{"maxmemory", "timeout", "hz", "hash-max-listpack-value", "hash-max-ziplist-value"} {
				if want := s.Do("CONFIG", "GET", name).(rs.Array)[1]; rs.Bulk(set.Text(name)) != want {
					t.Errorf("after CONFIG SET %q: %s is %q, server %q", line, name, set.Text(name), want)
				}
			}
		}
	})
}

// unsafe are directives a test must not set: they move the server elsewhere, ask for certificates or open files.
func unsafe(g *catalog.Config) bool {
	switch g.Name {
	case "bind", "port", "dir", "requirepass", "maxclients", "watchdog-period", "appendonly", "rdma-bind":
		return true
	}
	return g.Immutable || strings.HasPrefix(g.Name, "tls-")
}

// values are what is worth trying on any directive, besides its own.
func values(g *catalog.Config) []string {
	out := []string{"", "x", "yes", "NO", "Yes", "0", "1", "2", "-1", "-2", "007", "+5", " 5", "5 ", "1.5", "100", "101", "1kb", "2KB", "1mB", "3k", "1b", "kb", "10x", "5%", "100%", "101%", "%", "-5%", "0%",
		"9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616",
		"18014398509481984kb", strings.Repeat("9", 127), strings.Repeat("0", 127) + "1", strings.Repeat("0", 128), "a\x00b", "yes\x00x", "5\x00", "1kb\x00"}
	if g.Kind == catalog.KindInteger || g.Kind == catalog.KindMemory {
		for _, n := range []int64{g.Min, g.Max} {
			out = append(out, strconv.FormatInt(n-1, 10), strconv.FormatInt(n, 10), strconv.FormatInt(n+1, 10))
		}
	}
	for _, e := range g.Enum {
		out = append(out, e, strings.ToUpper(e), e+" ", e+" "+g.Enum[0], g.Enum[len(g.Enum)-1]+" "+e)
	}
	return append(out, own[g.Name]...)
}

// own are values for the directives with rules of their own.
var own = map[string][]string{
	"hz":                  {"3", "500", "501", "1000"},
	"shutdown-on-sigterm": {"save nosave", "nosave now save", "force now", "failover safe force now save"},
	"dbfilename":          {"a.rdb", "a/b", "/", "."},
	"save":                {"1", "1 2", "1 2 3", "0 1", "1 -1", "1 0", " 1 2", "1  2", "+1 +2", "1 x", "99999999999999999999 5", "5 4294967296", "3600 1 300 100", "5 4294967295"},
	"client-output-buffer-limit": {"normal 1mb 2mb 3", "replica 1gb 1k 60", "SLAVE 5 5 5", "pubsub 1 2 3 normal 9mb 9mb 9", "master 1 1 1", "primary 1 1 1", "nosuch 1 1 1",
		"normal 1 1", "normal x 1 1", "normal 1 1 -1", "normal 1 1 x", "normal 0 0 0 pubsub 1 1", "normal -1 0 0", "normal 0 0 4294967297"},
	"oom-score-adj-values":              {"1 2 3", "0 200 800", "1 2", "1 2 3 4", "1 2 x", "-2000 0 2000", "2001 0 0", "+1 02 3", "1  2", "  "},
	"notify-keyspace-events":            {"KEA", "AKE", "KEx", "g$lshzxetd", "KEmn", "An", "q", "KEg$lshzxet", "mnd", "AKEmn", "Kz "},
	"latency-tracking-info-percentiles": {"50", "50 99.9", "100 0", "100.1", "-0.1", "1e1", "50  60", "nan", "inf", "0x10", "33.3333333", "1e-9", "50.", ".5", "-0"},
	"cluster-announce-ip":               {strings.Repeat("1", 45), strings.Repeat("1", 46), "a b", "1.2.3.4", "::1", "a,b"},
	"cluster-announce-hostname":         {"a.b-c", "a_b", strings.Repeat("a", 255), strings.Repeat("a", 256), "Ä"},
	"cluster-announce-human-nodename":   {"a.b-c_d", "a b", "a,b", "a!b", "ä", "a\x7fb"},
	"cluster-announce-client-ipv4":      {"1.2.3.4", "1.2.3", "256.1.1.1", "01.2.3.4", "1.2.3.4.5", "::1", "1..2.3"},
	"cluster-announce-client-ipv6":      {"::", "::1", "1::", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7::", "::1.2.3.4", "1:2:3:4:5:6:1.2.3.4", "1::2::3", "12345::", "g::", "fe80::1%lo", ":1", "1:", "1:::2", "1.2.3.4"},
	"proc-title-template":               {"{title}", "{title} x", "{nosuch}", "{", "{{", "{title", "{config-file} {port}{tls-port}{listen-addr}", "  ", "{server-mode}", "}", "x{"},
	"locale-collate":                    {"C", "POSIX", "nosuch"},
}

func TestConfigSetTakesAndRefusesWhatTheServerDoes(t *testing.T) {
	for _, v := range rs.Versions() {
		for _, protected := range []string{"no", "yes"} {
			t.Run(fmt.Sprintf("%s/protected %s", v.Number, protected), func(t *testing.T) {
				c := rs.Start(t, v, rs.Bare(), rs.Flags("--enable-protected-configs", protected)).Client()
				cat := catalog.For(v.Number)
				c.Do("CLIENT", "NO-EVICT", "ON") // maxmemory-clients 1 would end us
				for _, g := range cat.Configs {
					if unsafe(g) || protected == "yes" && !g.Protected {
						continue
					}
					set := cat.NewSettings()
					set.Defrag = false
					set.Load("enable-protected-configs", protected)
					compareSets(t, c, set, g)
				}
			})
		}
	}
}

// compareSets tries the values on server and settings and compares words and what CONFIG GET makes of them.
func compareSets(t *testing.T, c *rs.Client, set *catalog.Settings, g *catalog.Config) {
	t.Helper()
	for _, value := range values(g) {
		if n, _ := strconv.Atoi(value); g.Name == "io-threads" && n > 1 && int64(n) <= g.Max {
			continue // threads spin and slow the rest
		}
		want := c.Do("CONFIG", "SET", g.Name, value)
		text := set.Set(argv(g.Name, value))
		if text == "" && want != rs.Status("OK") || text != "" && want != rs.Error(text) {
			t.Errorf("CONFIG SET %s %q: %q, server %q", g.Name, value, text, want)
		}
		if want := c.Do("CONFIG", "GET", g.Name).(rs.Array)[1]; rs.Bulk(set.Text(g.Name)) != want {
			t.Errorf("after CONFIG SET %s %q: %q, server %q", g.Name, value, set.Text(g.Name), want)
		}
	}
	c.Do("CONFIG", "SET", g.Name, g.Default)
}

func TestImmutableDirectivesAreRefusedAtRunTimeAndCheckedAtStart(t *testing.T) {
	eachServer(t, func(t *testing.T, s *rs.Server, cat *catalog.Catalog) {
		for _, g := range cat.Configs {
			if !g.Immutable {
				continue
			}
			set := cat.NewSettings()
			want := s.Do("CONFIG", "SET", g.Name, g.Default)
			if got := set.Set(argv(g.Name, g.Default)); rs.Error(got) != want {
				t.Errorf("CONFIG SET %s: %q, server %q", g.Name, got, want)
			}
			if words := set.Load(g.Name, g.Default); words != "" && g.Default != "" {
				t.Errorf("Load(%s, its default) = %q", g.Name, words)
			}
		}
	})
}

func TestStartRefusesWhatTheServerRefuses(t *testing.T) {
	for _, c := range []struct{ name, value string }{
		{"databases", "0"}, {"databases", "x"}, {"unixsocketperm", "1000"}, {"unixsocketperm", "8"}, {"appendfilename", "a/b"}, {"appenddirname", ""},
		{"supervised", "maybe"}, {"daemonize", "perhaps"}, {"hash-seed", strings.Repeat("x", 257)}, {"tcp-backlog", "-1"}, {"maxmemory", "lots"}, {"cluster-config-file", ""},
	} {
		want := ""
		s, err := rs.Launch(rs.V912, rs.Bare(), rs.Flags("--"+c.name, c.value))
		switch {
		case err == nil:
			s.Stop()
		case strings.Contains(err.Error(), rs.ErrUnavailable.Error()):
			t.Skip(err)
		default:
			lines := strings.Split(strings.TrimSpace(err.Error()), "\n")
			want = lines[len(lines)-1]
		}
		if got := catalog.For("9.1.2").NewSettings().Load(c.name, c.value); got != want {
			t.Errorf("%s %q: %q, server %q", c.name, c.value, got, want)
		}
	}
}
