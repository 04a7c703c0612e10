//go:build !js

package command_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/engine/resp"
	"github.com/keyloupe/keyloupe/internal/livediff"
	"github.com/keyloupe/keyloupe/internal/realserver"
)

// year2100 is a time that does not come: 1 January 2100, ms.
const year2100 = 4102444800000

type hashHistory struct {
	r       *rand.Rand
	ttl     bool
	strings bool // keys may become strings
	sizes   bool // the server's allocator gives the same sizes every time
	keys    []string
	many    bool // wide hashHistory
}

func (g *hashHistory) pick(list ...string) string { return list[g.r.IntN(len(list))] }

func (g *hashHistory) text(n int) string { return strings.Repeat(string("abcdefgh"[g.r.IntN(8)]), n) }

func (g *hashHistory) field() string {
	switch x := g.r.IntN(100); {
	case g.many && x < 70:
		return fmt.Sprintf("f%d", g.r.IntN(700))
	case x < 60:
		return fmt.Sprintf("m%d", g.r.IntN(12))
	case x < 75:
		return strconv.Itoa(g.r.IntN(300) - 100)
	case x < 80:
		return g.pick("", "\x00", "\xff\xfe", "9223372036854775807", "-0", "007", "1e3", "a\r\nb")
	}
	n := []int{1, 8, 10, 16, 29, 30, 31, 32, 33, 60, 63, 64, 65, 66, 100, 118, 122, 123, 128, 200, 252, 253}
	return g.text(n[g.r.IntN(len(n))])
}

func (g *hashHistory) value() string {
	switch x := g.r.IntN(100); {
	case x < 20:
		return strconv.FormatInt(g.r.Int64N(1<<uint(1+g.r.IntN(62)))-g.r.Int64N(1000), 10)
	case x < 28:
		return g.pick("", "3.0", "0.1", "1e10", "-1.5e-3", "inf", "nan", " 1", "+5", "0x1p3", "9223372036854775807", "-9223372036854775808", "100000000000000000000", "\x00")
	case x < 60:
		return g.text(g.r.IntN(70))
	case x < 95:
		return g.text(60 + g.r.IntN(75))
	}
	n := []int{200, 251, 252, 253, 256, 300, 1000, 4094, 5000, 16380, 40000}
	return g.text(n[g.r.IntN(len(n))])
}

func (g *hashHistory) pairs(n int) (out []string) {
	for range n {
		out = append(out, g.field(), g.value())
	}
	return out
}

func (g *hashHistory) fields(n int) (out []string) {
	for range n {
		out = append(out, g.field())
	}
	return out
}

func (g *hashHistory) at() string { return strconv.FormatInt(year2100+g.r.Int64N(40000), 10) }

// time is an expiry with its option: far, or in the past, or wrong.
func (g *hashHistory) time() []string {
	switch x := g.r.IntN(40); {
	case x < 30:
		return []string{"PXAT", g.at()}
	case x < 34:
		return []string{"EXAT", strconv.Itoa(year2100/1000 + g.r.IntN(5000))}
	case x < 36:
		return []string{"PXAT", "1"}
	case x < 37:
		return []string{"EX", g.pick("0", "-1", "x", "9223372036854775807", "9223372036854775", "1.5", "")}
	case x < 38:
		return []string{"PX", "9223372036854775807"}
	}
	return nil
}

func join(parts ...[]string) (c []string) {
	for _, p := range parts {
		c = append(c, p...)
	}
	return c
}

func (g *hashHistory) command() []string {
	r, k := g.r, g.pick(g.keys...)
	n := 1 + r.IntN(3)
	if g.many && r.IntN(3) == 0 {
		n = 1 + r.IntN(150)
	}
	if g.ttl && r.IntN(100) < 45 {
		// 128 fields of one expiry would lie in a table hashed by address, whose size is a matter of chance
		return g.volatile(k, min(n, 60))
	}
	switch r.IntN(32) {
	default:
		return join([]string{g.pick("HSET", "hset", "HMSET"), k}, g.pairs(n))
	case 10:
		return []string{"HSETNX", k, g.field(), g.value()}
	case 11:
		return []string{"HGET", k, g.field()}
	case 12:
		return join([]string{"HMGET", k}, g.fields(n))
	case 13, 14, 15, 16:
		return join([]string{"HDEL", k}, g.fields(2*n))
	case 17:
		return []string{g.pick("HLEN", "HGETALL", "HKEYS", "HVALS"), k}
	case 18:
		return []string{g.pick("HEXISTS", "HSTRLEN"), k, g.field()}
	case 19, 20:
		return []string{"HINCRBY", k, g.field(), g.pick("1", "-7", "9223372036854775807", "-9223372036854775808", "x", "1.0", "")}
	case 21, 22:
		return []string{"HINCRBYFLOAT", k, g.field(), g.pick("1", "0.1", "-3.3e2", "1e300", "1e4932", "x", "inf", "nan", "1e-30", "0x10", " 1", "3.00000000000000000001")}
	case 23:
		return join([]string{"HSCAN", k, g.pick("0", "0", "0", "8", "x")}, [][]string{nil, {"COUNT", g.pick("1", "3", "100", "0", "x")}, {"MATCH", "m*"}, {"NOVALUES"}, {"TYPE", "x"}}[r.IntN(5)])
	case 24:
		return []string{g.pick("DEL", "TYPE", "PERSIST", "UNLINK"), k}
	case 25:
		return []string{"PEXPIREAT", k, g.at()}
	case 26:
		return []string{g.pick("RENAME", "RENAMENX"), k, g.pick(g.keys...)}
	case 27:
		return join([]string{"COPY", k, g.pick(g.keys...)}, [][]string{nil, {"REPLACE"}}[r.IntN(2)])
	case 28:
		return g.wrong(k)
	case 29:
		if !g.sizes {
			return []string{"TYPE", k}
		}
		return []string{"MEMORY", "USAGE", k, "SAMPLES", strconv.Itoa(r.IntN(8))}
	case 30:
		if g.strings && r.IntN(4) == 0 {
			return []string{"SET", k, g.value()}
		}
		return join([]string{"HSET", k}, g.pairs(n))
	}
}

func (g *hashHistory) volatile(k string, n int) []string {
	cond := func() []string {
		return [][]string{nil, nil, {g.pick("FNX", "FXX", "fnx", "NX", "XX", "KEEPTTL")}}[g.r.IntN(3)]
	}
	when := func() string {
		if g.r.IntN(12) == 0 {
			return g.pick("1", "0", "-1", "x", "9223372036854775807", "9223372036854775808")
		}
		return g.at()
	}
	switch g.r.IntN(13) {
	default:
		return join([]string{"HSETEX", k}, cond(), g.time(), []string{"FIELDS", strconv.Itoa(n)}, g.pairs(n))
	case 5, 6:
		return join([]string{"HPEXPIREAT", k, when()}, [][]string{nil, nil, {g.pick("NX", "XX", "GT", "LT", "nx", "FOO")}, {"XX", "GT"}, {"GT", "LT"}}[g.r.IntN(5)], []string{"FIELDS", strconv.Itoa(n)}, g.fields(n))
	case 7:
		return join([]string{"HPERSIST", k, "FIELDS", strconv.Itoa(n)}, g.fields(n))
	case 8:
		return join([]string{"HGETEX", k}, [][]string{nil, {"PERSIST"}, g.time(), g.time()}[g.r.IntN(4)], []string{"FIELDS", strconv.Itoa(n)}, g.fields(n))
	case 9:
		return join([]string{g.pick("HPEXPIRETIME", "HEXPIRETIME"), k, "FIELDS", strconv.Itoa(n)}, g.fields(n))
	case 10:
		return join([]string{"HGETDEL", k, "FIELDS", strconv.Itoa(n)}, g.fields(n))
	case 11:
		return join([]string{"HEXPIREAT", k, strconv.Itoa(year2100/1000 + g.r.IntN(5000)), "FIELDS", strconv.Itoa(n)}, g.fields(n))
	}
}

// wrong is a command with something wrong in it.
func (g *hashHistory) wrong(k string) []string {
	list := [][]string{
		{"HSET", k}, {"HSET", k, "f"}, {"HSET", k, "f", "v", "g"}, {"HMSET", k, "f", "v", "g"}, {"HGET", k}, {"HGET", k, "f", "g"}, {"HDEL", k}, {"HINCRBY", k, "f"}, {"HSCAN", k}, {"HSCAN", k, "0", "COUNT"},
		{"HSCAN", k, "-1"}, {"HSCAN", k, "18446744073709551616"}, {"HRANDFIELD", k, "x"}, {"HRANDFIELD", k, "0"}, {"HRANDFIELD", k, "1", "FOO"}, {"HRANDFIELD", k, "1", "WITHVALUES", "x"}, {"HRANDFIELD", k, "-9223372036854775808"}, {"HRANDFIELD", k, "9223372036854775807", "WITHVALUES"},
		{"HSETEX", k}, {"HSETEX", k, "FIELDS", "1", "f"}, {"HSETEX", k, "FIELDS", "0", "f", "v"}, {"HSETEX", k, "FIELDS", "-1", "f", "v"}, {"HSETEX", k, "FIELDS", "x", "f", "v"}, {"HSETEX", k, "FIELDS", "2", "f", "v"}, {"HSETEX", k, "FIELDS", "1", "f", "v", "g"}, {"HSETEX", k, "EX", "FIELDS", "1", "f", "v"}, {"HSETEX", k, "EX", "1", "PX", "1", "FIELDS", "1", "f", "v"}, {"HSETEX", k, "KEEPTTL", "PX", "1", "FIELDS", "1", "f", "v"}, {"HSETEX", k, "FNX", "FXX", "FIELDS", "1", "f", "v"}, {"HSETEX", k, "NX", "XX", "FIELDS", "1", "f", "v"}, {"HSETEX", k, "PERSIST", "FIELDS", "1", "f", "v"}, {"HSETEX", k, "FOO", "FIELDS", "1", "f", "v"}, {"HSETEX", k, "f", "v", "g", "h", "i"}, {"HSETEX", k, "FIELDS", "9223372036854775807", "f", "v"}, {"HSETEX", "FIELDS", "1", "f", "v", "x"}, {"HSETEX", k, "EXAT", "1", "FIELDS", "FIELDS", "1", "f", "v"},
		{"HGETEX", k, "FIELDS", "0", "f"}, {"HGETEX", k, "FIELDS", "2", "f"}, {"HGETEX", k, "FIELDS", "x", "f"}, {"HGETEX", k, "KEEPTTL", "FIELDS", "1", "f"}, {"HGETEX", k, "EX", "1", "PERSIST", "FIELDS", "1", "f"}, {"HGETEX", k, "FNX", "FIELDS", "1", "f"}, {"HGETEX", k, "f", "g", "h"}, {"HGETEX", k, "EX", "-5", "FIELDS", "1", "f"}, {"HGETEX", k, "FIELDS", "-1", "f"},
		{"HEXPIRE", k, "10", "FIELDS", "2", "f"}, {"HEXPIRE", k, "10", "FIELDS", "0", "f"}, {"HEXPIRE", k, "10", "FOO", "1", "f"}, {"HEXPIRE", k, "10", "FOO", "FIELDS", "1", "f"}, {"HEXPIRE", k, "10", "NX", "XX", "FIELDS", "1", "f"}, {"HEXPIRE", k, "10", "NX", "GT", "FIELDS", "1", "f"}, {"HEXPIRE", k, "x", "FIELDS", "1", "f"}, {"HEXPIRE", k, "9223372036854775", "FIELDS", "1", "f"}, {"HPEXPIRE", k, "9223372036854775807", "FIELDS", "1", "f"}, {"HEXPIREAT", k, "-1", "FIELDS", "1", "f"}, {"HEXPIRE", k, "10", "FIELDS", "x", "f"}, {"HEXPIRE", k, "10", "FIELDS", "-1", "f"},
		{"HPERSIST", k, "FIELDS", "2", "f"}, {"HPERSIST", k, "FIELDS", "0", "f"}, {"HPERSIST", k, "FIELDS", "x", "f"}, {"HPERSIST", k, "FOO", "1", "f"}, {"HPERSIST", k, "FIELDS", "1"}, {"HTTL", k, "FIELDS", "2", "f"}, {"HTTL", k, "FOO", "1", "f"}, {"HTTL", k, "FIELDS", "0", "f"}, {"HTTL", k, "FIELDS", "x", "f"}, {"HPTTL", k, "FIELDS", "1", "nosuch"}, {"HGETDEL", k, "FOO", "1", "f"}, {"HGETDEL", k, "FIELDS", "0", "f"}, {"HGETDEL", k, "FIELDS", "2", "f"}, {"HGETDEL", k, "FIELDS", "x", "f"}, {"HGETDEL", k}}
	return list[g.r.IntN(len(list))]
}

// newHashHistory begins the histories for a server. In 9.0.0 HPERSIST of a string leaves the client
// waiting, so there keys stay hashHistory.
func newHashHistory(r *rand.Rand, v realserver.Version, ttl bool) *hashHistory {
	g := &hashHistory{r: r, ttl: ttl, many: r.IntN(3) == 0, strings: v.Number != "9.0.0", sizes: !v.Static}
	for range 1 + r.IntN(3) {
		n := []int{1, 5, 16, 16, 28, 31, 32, 64, 127, 128, 140, 260}
		g.keys = append(g.keys, fmt.Sprintf("%.*s", n[r.IntN(len(n))], fmt.Sprintf("h%d", len(g.keys))+strings.Repeat("k", 260)))
	}
	return g
}

// TestHashesAnswerAndWeighAsOnRealServers gives random histories over hashes, with fields that expire
// from 9.0 on, to every pinned server.
func TestHashesAnswerAndWeighAsOnRealServers(t *testing.T) {
	livediff.Each(t, func(t *testing.T, g livediff.Target) {
		v := g.Real.Version
		g.Random(t, livediff.Options{Seed: 20261, Rounds: 60, Generate: func(r *rand.Rand) (h livediff.History) {
			x := newHashHistory(r, v, v.Line >= "9.0" && r.IntN(4) > 0)
			for range 20 + r.IntN(60) {
				h = append(h, x.command())
			}
			return h
		}})
	})
}

func TestTheLimitsOfPackedHashesAreTheDirectives(t *testing.T) {
	for _, c := range []map[string]string{
		{"hash-max-listpack-entries": "3", "hash-max-listpack-value": "20"},
		{"hash-max-ziplist-entries": "0", "hash-max-ziplist-value": "1"},
		{"hash-max-listpack-entries": "1000", "hash-max-listpack-value": "5000"},
	} {
		livediff.Each(t, func(t *testing.T, g livediff.Target) {
			v := g.Real.Version
			g.Random(t, livediff.Options{Seed: 20263, Rounds: 15, Config: c, Generate: func(r *rand.Rand) (h livediff.History) {
				x := newHashHistory(r, v, v.Line >= "9.0" && r.IntN(3) == 0)
				for range 20 + r.IntN(40) {
					h = append(h, x.command())
				}
				return h
			}})
		})
	}
}

// TestFieldsWhoseTimeHasComeAreHiddenAsOnRealServers lets fields expire on servers whose expiry cycle
// is off: what commands hide, count and overwrite must be the same.
func TestFieldsWhoseTimeHasComeAreHiddenAsOnRealServers(t *testing.T) {
	livediff.Each(t, func(t *testing.T, g livediff.Target) {
		v := g.Real.Version
		if v.Line < "9.0" {
			t.Skip("no field expires")
		}
		g.Real.Do("DEBUG", "SET-ACTIVE-EXPIRE", "0")
		g.Random(t, livediff.Options{Seed: 20262, Rounds: 10, Generate: func(r *rand.Rand) livediff.History {
			return newHashHistory(r, v, true).expiring()
		}})
	})
}

// expiring is a history in which some fields get a time that comes while it runs.
func (g *hashHistory) expiring() (h livediff.History) {
	for range 5 + g.r.IntN(10) {
		h = append(h, g.command())
	}
	for range 1 + g.r.IntN(6) {
		n := 1 + g.r.IntN(6)
		h = append(h, join([]string{"HSETEX", g.pick(g.keys...), "PXAT", livediff.Soon, "FIELDS", strconv.Itoa(n)}, g.pairs(n)))
	}
	h = append(h, []string{livediff.Wait})
	for range 10 + g.r.IntN(30) {
		h = append(h, g.command())
	}
	return h
}

// TestTheExpiryCycleLeavesWhatItLeavesOnRealServers lets the cycle of a real server take fields, and
// compares what is left with what Tick leaves.
func TestTheExpiryCycleLeavesWhatItLeavesOnRealServers(t *testing.T) {
	livediff.Each(t, func(t *testing.T, g livediff.Target) {
		v := g.Real.Version
		if v.Line < "9.0" {
			t.Skip("no field expires")
		}
		for round := range 2 {
			x := newHashHistory(rand.New(rand.NewPCG(20264, uint64(round))), v, true)
			expireOnBoth(t, g, x)
		}
	})
}

func expireOnBoth(t *testing.T, g livediff.Target, x *hashHistory) {
	t.Helper()
	now := time.Now()
	s, err := engine.NewServer(g.Name, engine.Options{Clock: func() int64 { return now.UnixMicro() }})
	if err != nil {
		t.Fatal(err)
	}
	both := func(cmd ...string) (simulated resp.Value) {
		g.Real.Do(cmd...)
		return s.Do(cmd...).Reply
	}
	both("FLUSHALL", "SYNC")
	g.Real.Do("DEBUG", "SET-ACTIVE-EXPIRE", "0")
	comes := now.Add(time.Second).UnixMilli()
	for _, k := range x.keys {
		for range 1 + x.r.IntN(40) {
			both(join([]string{"HSET", k}, x.pairs(1))...)
		}
		for range x.r.IntN(50) {
			both(join([]string{"HSETEX", k, "PXAT", x.at(), "FIELDS", "1"}, x.pairs(1))...)
		}
		for range x.r.IntN(70) {
			both(join([]string{"HSETEX", k, "PXAT", strconv.FormatInt(comes, 10), "FIELDS", "1"}, x.pairs(1))...)
		}
	}
	if time.Now().UnixMilli() >= comes {
		t.Skip("this machine is too slow: the time came while fields were being set")
	}
	for now.UnixMilli() <= comes+1 {
		time.Sleep(time.Until(time.UnixMilli(comes + 2)))
		now = time.Now()
	}
	g.Real.Do("DEBUG", "SET-ACTIVE-EXPIRE", "1")
	now = now.Add(10 * time.Second) // windows of time end up to 8192 ms later
	for range 10 {
		s.Tick()
	}
	for _, k := range x.keys {
		want := both("HLEN", k).Int
		for limit := time.Now().Add(20 * time.Second); ; {
			if fmt.Sprint(g.Real.Do("HLEN", k)) == fmt.Sprint(want) {
				break
			}
			if time.Now().After(limit) {
				t.Fatalf("%s: the real server keeps %v fields, the simulated one %d", g.Name, g.Real.Do("HLEN", k), want)
			}
		}
		for _, cmd := range [][]string{{"HGETALL", k}, {"MEMORY", "USAGE", k, "SAMPLES", "0"}, {"OBJECT", "ENCODING", k}} {
			if cmd[0] == "MEMORY" && !g.Sizes {
				continue
			}
			s.Client.Buf = s.Client.Buf[:0]
			var args [][]byte
			for _, a := range cmd {
				args = append(args, []byte(a))
			}
			s.Client.Do(args)
			if real := g.Real.Client().DoRaw(cmd...); string(real) != string(s.Client.Buf) {
				t.Errorf("%s: %.40q: real %.200q, simulated %.200q", g.Name, cmd, real, s.Client.Buf)
			}
		}
	}
}

func TestTheBytesOfAHashAreThoseInTheRealProcess(t *testing.T) {
	var h livediff.History
	add := func(cmd ...string) { h = append(h, cmd) }
	add("HSET", "small", "name", "Alice", "age", "42", "n", "-70000", strings.Repeat("f", 64), strings.Repeat("v", 64))
	add("HSET", "table", "a", strings.Repeat("v", 65), "b", "1", strings.Repeat("f", 40), strings.Repeat("v", 300))
	add("HSET", "table", "a", "short", strings.Repeat("g", 31), strings.Repeat("v", 90))
	for i := range 60 {
		add("HSET", "wide", fmt.Sprint("field", i), strings.Repeat("v", 2*i))
	}
	add("HDEL", "wide", "field3", "field30", "field59")
	add("COPY", "wide", "copy")
	keys := []string{"small", "table", "wide", "copy"}
	livediff.Each(t, func(t *testing.T, g livediff.Target) {
		if !g.Sizes {
			t.Skip("its allocator's blocks differ from run to run")
		}
		h, keys := h, keys
		if g.Real.Version.Line >= "9.0" {
			h = append(h, []string{"HSETEX", "one", "PXAT", "4102444800000", "FIELDS", "1", "token", "secret"},
				[]string{"HSETEX", "some", "PXAT", "4102444800000", "FIELDS", "3", "a", "1", "b", strings.Repeat("v", 200), strings.Repeat("c", 32), "3"},
				[]string{"HPEXPIREAT", "some", "4102444700000", "FIELDS", "1", "b"}, []string{"HSET", "some", "plain", "x"})
			for i := range 400 { // windows of 8 s, of which some are split
				h = append(h, []string{"HSETEX", "many", "PXAT", strconv.Itoa(year2100 + i*i*37%60000), "FIELDS", "1", fmt.Sprint("field", i), fmt.Sprint(i)})
			}
			for i := range 40 {
				h = append(h, []string{"HDEL", "many", fmt.Sprint("field", 7*i)}, []string{"HPERSIST", "many", "FIELDS", "1", fmt.Sprint("field", 9*i+1)})
			}
			keys = append(keys, "one", "some", "many")
		}
		g.Bytes(t, h, keys...)
	})
}
