//go:build !js

package catalog_test

import (
	"bufio"
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/engine/catalog"
	rs "github.com/keyloupe/keyloupe/internal/realserver"
)

// ask returns the server's reply and ours to a command of the COMMAND family.
func ask(t *testing.T, c *rs.Client, cat *catalog.Catalog, proto int, args ...string) (want, got any, wantRaw, gotRaw []byte) {
	t.Helper()
	wantRaw = c.DoRaw(args...)
	w := catalog.Wire{Proto: proto}
	cat.Reply(&w, argv(args...))
	gotRaw = w.Bytes
	return parse(t, wantRaw), parse(t, gotRaw), wantRaw, gotRaw
}

func argv(args ...string) (out [][]byte) {
	for _, a := range args {
		out = append(out, []byte(a))
	}
	return out
}

func parse(t *testing.T, raw []byte) any {
	t.Helper()
	r := bufio.NewReader(bytes.NewReader(raw))
	reply, err := rs.ReadReply(r)
	if err != nil {
		t.Fatalf("%v in %q", err, raw)
	}
	if r.Buffered() > 0 {
		t.Fatalf("bytes after the reply: %q", raw[len(raw)-r.Buffered():])
	}
	return reply
}

// firstDifference shows where two replies part.
func firstDifference(got, want []byte) string {
	i := 0
	for i < len(got) && i < len(want) && got[i] == want[i] {
		i++
	}
	from := max(0, i-60)
	return fmt.Sprintf("%d and the server's %d bytes part at %d:\n%.160q\nserver:\n%.160q", len(got), len(want), i, got[from:], want[from:])
}

func hello(c *rs.Client, proto int) { c.Do("HELLO", string(rune('0'+proto))) }

func eachServer(t *testing.T, test func(t *testing.T, s *rs.Server, cat *catalog.Catalog)) {
	for _, v := range rs.Versions() {
		t.Run(v.Number, func(t *testing.T) { test(t, rs.Start(t, v), catalog.For(v.Number)) })
	}
}

func eachProtocol(t *testing.T, test func(t *testing.T, c *rs.Client, cat *catalog.Catalog, proto int)) {
	eachServer(t, func(t *testing.T, s *rs.Server, cat *catalog.Catalog) {
		for _, proto := range []int{2, 3} {
			c := s.Dial()
			hello(c, proto)
			test(t, c, cat, proto)
			c.Close()
		}
	})
}

func TestCommandInfoOfEachCommandIsTheServersBytes(t *testing.T) {
	eachProtocol(t, func(t *testing.T, c *rs.Client, cat *catalog.Catalog, proto int) {
		for _, cmd := range cat.Commands {
			want, got, wantRaw, gotRaw := ask(t, c, cat, proto, "COMMAND", "INFO", cmd.FullName)
			if len(cmd.Subcommands) > 0 { // their order is that of a hash table
				sortSubcommands(want)
				sortSubcommands(got)
				if !reflect.DeepEqual(got, want) {
					t.Errorf("RESP%d: COMMAND INFO %s:\n%v\nserver:\n%v", proto, cmd.FullName, got, want)
				}
			} else if !bytes.Equal(gotRaw, wantRaw) {
				t.Errorf("RESP%d: COMMAND INFO %s: %s", proto, cmd.FullName, firstDifference(gotRaw, wantRaw))
			}
			for _, sub := range cmd.Subcommands {
				_, _, wantRaw, gotRaw := ask(t, c, cat, proto, "COMMAND", "INFO", sub.FullName)
				if !bytes.Equal(gotRaw, wantRaw) {
					t.Errorf("RESP%d: COMMAND INFO %s: %s", proto, sub.FullName, firstDifference(gotRaw, wantRaw))
				}
			}
		}
	})
}

func sortSubcommands(info any) {
	entry := info.(rs.Array)[0].(rs.Array)
	slices.SortFunc(entry[9].(rs.Array), func(a, b any) int {
		return strings.Compare(string(a.(rs.Array)[0].(rs.Bulk)), string(b.(rs.Array)[0].(rs.Bulk)))
	})
}

func TestCommandDocsOfEachCommandIsTheServersBytes(t *testing.T) {
	eachProtocol(t, func(t *testing.T, c *rs.Client, cat *catalog.Catalog, proto int) {
		for _, cmd := range cat.Commands {
			names := []string{cmd.FullName}
			if len(cmd.Subcommands) > 0 {
				names = nil
				for _, sub := range cmd.Subcommands {
					names = append(names, sub.FullName)
				}
			}
			for _, name := range names {
				_, _, want, got := ask(t, c, cat, proto, "COMMAND", "DOCS", name)
				if !bytes.Equal(got, want) {
					t.Errorf("RESP%d: COMMAND DOCS %s: %s", proto, name, firstDifference(got, want))
				}
			}
		}
	})
}

func TestAllCommandsAtOnceAreTheServersAsASet(t *testing.T) {
	eachProtocol(t, func(t *testing.T, c *rs.Client, cat *catalog.Catalog, proto int) {
		for _, args := range [][]string{{"COMMAND"}, {"COMMAND", "INFO"}, {"COMMAND", "DOCS"}, {"COMMAND", "LIST"}} {
			want, got, wantRaw, gotRaw := ask(t, c, cat, proto, args...)
			if len(gotRaw) != len(wantRaw) {
				t.Errorf("RESP%d: %v: %d bytes, server %d", proto, args, len(gotRaw), len(wantRaw))
			}
			if g, w := names(got), names(want); !reflect.DeepEqual(g, w) {
				t.Errorf("RESP%d: %v: %v\nserver: %v", proto, args, g, w)
			}
		}
	})
}

// names lists the names of a reply, sorted.
func names(reply any) (out []string) {
	switch r := reply.(type) {
	case rs.Map:
		for _, p := range r {
			out = append(out, string(p.Key.(rs.Bulk)))
		}
	case rs.Array:
		for _, e := range r {
			switch e := e.(type) {
			case rs.Bulk:
				out = append(out, string(e))
			case rs.Array:
				if name, ok := e[0].(rs.Bulk); ok {
					out = append(out, string(name))
				}
			}
		}
	}
	slices.Sort(out)
	return out
}

func TestTheRestOfTheCommandFamilyAnswersAsTheServer(t *testing.T) {
	lines := []string{
		"COMMAND COUNT", "command count", "COMMAND HELP", "COMMAND INFO nosuch", "COMMAND INFO set|x", "COMMAND INFO config|get|x",
		"COMMAND INFO CONFIG|GET", "COMMAND INFO Get nosuch SET", "COMMAND INFO |get", "COMMAND INFO config|", "COMMAND INFO get|",
		"COMMAND DOCS nosuch", "COMMAND DOCS set set GET nosuch config|set", "COMMAND DOCS set|x",
		"COMMAND LIST x", "COMMAND LIST FILTERBY", "COMMAND LIST FILTERBY nosuch x", "COMMAND LIST FILTERBY MODULE x",
		"COMMAND LIST FILTERBY ACLCAT nosuch", "COMMAND LIST FILTERBY ACLCAT @read", "COMMAND LIST FILTERBY ACLCAT READ",
		"COMMAND LIST FILTERBY aclcat dangerous", "COMMAND LIST FILTERBY PATTERN xg*", "COMMAND LIST FILTERBY PATTERN X[a-g]*|C*",
		"COMMAND LIST FILTERBY PATTERN * x",
	}
	eachProtocol(t, func(t *testing.T, c *rs.Client, cat *catalog.Catalog, proto int) {
		for _, line := range lines {
			args := strings.Fields(line)
			want, got, wantRaw, gotRaw := ask(t, c, cat, proto, args...)
			if strings.Contains(line, "FILTERBY") {
				if g, w := names(got), names(want); !reflect.DeepEqual(g, w) {
					t.Errorf("RESP%d: %s: %v\nserver: %v", proto, line, g, w)
				}
				continue
			}
			if !bytes.Equal(gotRaw, wantRaw) {
				t.Errorf("RESP%d: %s: %s", proto, line, firstDifference(gotRaw, wantRaw))
			}
		}
	})
}

func TestGetKeysAnswersAsTheServer(t *testing.T) {
	lines := []string{
		"nosuch", "PING", "SET", "SET a", "SET a b", "SET a b GET", "set a b get x", "SET a b gett", "MSET a 1 b 2", "MSET a 1 b", "GET a", "GET a b",
		"EVAL x 0", "EVAL x a", "EVAL x 2 a b c", "EVAL x 3 a b", "EVAL x -1", "EVAL x 02 a b", "FCALL f 1 k a",
		"ZUNION 3 a b", "ZUNION 2 a b", "ZUNION 2 a b WEIGHTS 1 2", "ZUNIONSTORE d 2 a b", "ZUNIONSTORE d 3 a b", "ZUNIONSTORE d 0 a", "ZDIFFSTORE d x a",
		"SORT k", "SORT k BY w GET x STORE d", "SORT k STORE get STORE b", "SORT k STORE", "SORT k LIMIT 0 STORE x STORE y", "SORT_RO k BY x",
		"MIGRATE h 1 k 0 10", "MIGRATE h 1 k 0 10 COPY", "MIGRATE h 1 k 0 10 KEYS a b", "MIGRATE h 1 k 0 10 AUTH KEYS COPY",
		"GEORADIUS k 1 2 3 m", "GEORADIUS k 1 2 3 m STORE d", "GEORADIUS k 1 2 3 m STORE d STOREDIST e", "GEORADIUS k 1 2 3 m STORE d STORE e",
		"GEORADIUS k 1 2 3 m STORE", "GEORADIUSBYMEMBER k mem 3 m STOREDIST d", "GEORADIUS_RO k 1 2 3 m",
		"XREAD STREAMS a b 0 0", "XREAD COUNT 1 BLOCK 2 STREAMS a 0", "XREAD COUNT STREAMS a b 0 0", "XREADGROUP GROUP g c STREAMS s >",
		"XREADGROUP GROUP g STREAMS STREAMS s >", "XREAD STREAMS a b 0", "XREAD STREAMS",
		"BITFIELD k GET u8 0", "BITFIELD k OVERFLOW SAT GET u8 0", "BITFIELD k SET u8 0 1", "BITFIELD k GET u8", "BITFIELD k", "BITFIELD k INCRBY u8 0 1 x",
		"LMPOP 2 a b LEFT", "BLMPOP 0 2 a b LEFT", "ZMPOP 1 a MIN", "BZMPOP 0 1 a MIN", "SINTERCARD 2 a b LIMIT 1", "SINTERCARD 2 a",
		"config get x", "xgroup x y z", "xgroup", "XGROUP CREATE k g 0", "OBJECT ENCODING k", "MEMORY USAGE k", "MEMORY USAGE k SAMPLES 0", "DEBUG OBJECT k",
		"BLPOP a b 0", "RENAME a b", "COPY a b", "LMOVE a b LEFT RIGHT", "SUBSCRIBE c", "SPUBLISH c m", "PFMERGE a b", "BITOP AND d a b", "LCS a b",
		"DELIFEQ a b", "HGETDEL h FIELDS 1 f", "MSETEX 2 a 1 b 2 EX 1", "MSETEX 2 a 1 b", "HSETEX h FIELDS 1 f v", "HGETEX h FIELDS 1 f",
		"RESTORE k 0 x", "WATCH a b", "EXISTS a b a", "PFCOUNT a b", "XINFO STREAM s", "SINTERSTORE d a b", "GEOSEARCHSTORE d s FROMMEMBER m BYRADIUS 1 m",
	}
	eachProtocol(t, func(t *testing.T, c *rs.Client, cat *catalog.Catalog, proto int) {
		for _, sub := range []string{"GETKEYS", "GETKEYSANDFLAGS"} {
			for _, line := range lines {
				_, _, want, got := ask(t, c, cat, proto, append([]string{"COMMAND", sub}, strings.Fields(line)...)...)
				if !bytes.Equal(got, want) {
					t.Errorf("RESP%d: COMMAND %s %s: %s", proto, sub, line, firstDifference(got, want))
				}
			}
		}
	})
}

func TestErrorsBeforeACommandRunsAreTheServersTexts(t *testing.T) {
	long := strings.Repeat("x", 200)
	lines := [][]string{
		{"NOSUCH"}, {"nosuch", "a", "b"}, {"NOSUCH", long, "b"}, {long, long, long}, {"NO\r\nSUCH", "a\r\nb"}, {"NO\x00SUCH", "a\x00b", "c"},
		{"NOSUCH", long[:120], "second", "third"}, {"NOSUCH", long[:124], "s"}, {"NOSUCH", ""},
		{"CONFIG", "nosuch"}, {"config", "no\nsuch", "x"}, {"object", long},
		{"GET"}, {"get", "a", "b"}, {"CONFIG", "SET", "a"}, {"CONFIG"}, {"xgroup", "create"}, {"config|get", "a"},
	}
	eachServer(t, func(t *testing.T, s *rs.Server, cat *catalog.Catalog) {
		for _, line := range lines {
			want := s.Do(line...)
			cmd := cat.Find(argv(line...))
			got := ""
			switch {
			case cmd == nil:
				got = cat.Unknown(argv(line...))
			case !cmd.ArityOK(len(line)):
				got = cmd.WrongArity()
			}
			if rs.Error(got) != want {
				t.Errorf("%q: %q, server %q", line, got, want)
			}
		}
	})
}

func TestHelpOfEachContainerIsTheServersText(t *testing.T) {
	eachProtocol(t, func(t *testing.T, c *rs.Client, cat *catalog.Catalog, proto int) {
		for _, cmd := range cat.Commands {
			if cmd.Subcommand("help") == nil || cmd.FullName == "cluster" {
				continue
			}
			w := catalog.Wire{Proto: proto}
			cmd.WriteHelp(&w)
			if want := c.DoRaw(cmd.FullName, "HELP"); !bytes.Equal(w.Bytes, want) {
				t.Errorf("RESP%d: %s HELP: %s", proto, cmd.FullName, firstDifference(w.Bytes, want))
			}
		}
	})
}
