//go:build !js

package command_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/internal/livediff"
)

// setGen makes histories of set commands on few keys and members, so that they meet.
type setGen struct {
	*rand.Rand
	many int // members of the large SADD and SREM
}

func (g *setGen) pick(s ...string) string { return s[g.IntN(len(s))] }

func (g *setGen) key() string {
	if g.IntN(60) == 0 {
		return "string"
	}
	return g.pick("s", "set:2", "a-third-set-with-a-longer-name", "t")
}

func (g *setGen) keys() (out []string) {
	for range 1 + g.IntN(3) {
		out = append(out, g.key())
	}
	return out
}

func (g *setGen) member() string {
	switch g.IntN(12) {
	case 0:
		return strconv.FormatInt(int64(g.Uint64())>>g.IntN(64), 10)
	case 1:
		return strings.Repeat(g.pick("L", "M"), g.IntN(70))
	case 2:
		return g.pick("", "01", "+1", "-0", " 1", "1.0", "9223372036854775808", "\x00", "\xff\r\n")
	case 3, 4:
		return g.pick("m", "member:") + strconv.Itoa(g.IntN(30))
	}
	return strconv.Itoa(g.IntN(40) - 10)
}

func (g *setGen) members(n int) (out []string) {
	for range n {
		out = append(out, g.member())
	}
	return out
}

// run is members that count up, so that many are added and removed again.
func (g *setGen) run() (out []string) {
	from, prefix := g.IntN(g.many), g.pick("", "", "x")
	for i := range 1 + g.IntN(g.many) {
		out = append(out, prefix+strconv.Itoa(from+i))
	}
	return out
}

func (g *setGen) command() []string {
	k := g.key()
	with := func(args []string, more ...string) []string { return append(args, more...) }
	switch g.IntN(25) {
	case 0, 1, 2, 3:
		return with([]string{"SADD", k}, g.members(1+g.IntN(6))...)
	case 4, 5:
		return with([]string{"SADD", k}, g.run()...)
	case 6, 7:
		return with([]string{"SREM", k}, g.members(1+g.IntN(6))...)
	case 8:
		return with([]string{"SREM", k}, g.run()...)
	case 9, 10:
		return []string{"SMOVE", k, g.key(), g.member()}
	case 11:
		return []string{g.pick("SCARD", "SMEMBERS", "TYPE"), k}
	case 12:
		return []string{"SISMEMBER", k, g.member()}
	case 13:
		return with([]string{"SMISMEMBER", k}, g.members(1+g.IntN(4))...)
	case 14, 15:
		return with([]string{g.pick("SINTER", "SUNION", "SDIFF")}, g.keys()...)
	case 16, 17, 18:
		return with([]string{g.pick("SINTERSTORE", "SUNIONSTORE", "SDIFFSTORE"), g.key()}, g.keys()...)
	case 19:
		return g.intercard()
	case 20:
		return g.scan(k)
	case 21:
		return []string{"SPOP", k, g.pick("100000", "100000", "0", "-1", "x", "9223372036854775808")}
	case 22:
		return []string{"SRANDMEMBER", k, g.pick("0", "100000", "-5", "1", "x", "-9223372036854775808")}
	case 23:
		return []string{"DEBUG", "HTSTATS-KEY", k, g.pick("full", "some")}
	}
	return with([]string{g.pick("COPY", "RENAME"), k, g.key()}, g.pick("REPLACE", "")) // RENAME then errs
}

func (g *setGen) intercard() []string {
	keys := g.keys()
	cmd := append([]string{"SINTERCARD", strconv.Itoa(len(keys))}, keys...)
	if g.IntN(6) == 0 {
		cmd[1] = g.pick("0", "-1", "x", "9", "1")
	}
	for range g.IntN(3) {
		cmd = append(cmd, g.pick("LIMIT", "limit"), g.pick("0", "1", "3", "-1", "x"))
	}
	if g.IntN(20) == 0 {
		cmd = append(cmd, "LIMIT")
	}
	return cmd
}

func (g *setGen) scan(k string) []string {
	cmd := []string{"SSCAN", k, g.pick("0", "0", "0", "4", "x", "-1", "18446744073709551616", " 1")}
	for range g.IntN(3) {
		switch g.IntN(5) {
		case 0:
			cmd = append(cmd, "MATCH", g.pick("*", "1*", "m?", "[x]*"))
		case 1, 2:
			cmd = append(cmd, "COUNT", g.pick("1", "5", "100", "1000000", "0", "x"))
		case 3:
			cmd = append(cmd, g.pick("NOVALUES", "TYPE", "COUNT"))
		}
	}
	return cmd
}

// sameSet also takes replies as equal that only promise how many members come: of SRANDMEMBER.
func sameSet(cmd []string, real, simulated []byte) bool {
	if bytes.Equal(real, simulated) {
		return true
	}
	a, _, _ := bytes.Cut(real, []byte("\r\n"))
	b, _, _ := bytes.Cut(simulated, []byte("\r\n"))
	return cmd[0] == "SRANDMEMBER" && a[0] == '*' && bytes.Equal(a, b)
}

func (g *setGen) history(n int) (h livediff.History) {
	h = append(h, []string{"SET", "string", "text"})
	for range n {
		h = append(h, g.command())
	}
	return h
}

func TestSetsAreThoseOfRealServers(t *testing.T) {
	rounds := 250
	if testing.Short() {
		rounds = 25
	}
	for _, c := range []struct {
		name string
		many int
		conf map[string]string
	}{
		{"default limits", 200, nil},
		{"many members", 700, nil},
		{"small limits", 40, map[string]string{"set-max-intset-entries": "12", "set-max-listpack-entries": "16", "set-max-listpack-value": "20"}},
		{"no listpack", 40, map[string]string{"set-max-intset-entries": "0", "set-max-listpack-entries": "0"}},
	} {
		t.Run(strings.ReplaceAll(c.name, " ", "_"), func(t *testing.T) {
			livediff.Each(t, func(t *testing.T, g livediff.Target) {
				g.Random(t, livediff.Options{Seed: 4, Rounds: rounds, Config: c.conf, Equal: sameSet,
					Generate: func(r *rand.Rand) livediff.History {
						return (&setGen{r, c.many}).history(20 + r.IntN(40))
					}})
			})
		})
	}
}

// Replies of version 3 of the protocol: sets come as sets, what is not there as null.
func TestSetsInRESP3AreThoseOfRealServers(t *testing.T) {
	rivals(t, func(t *testing.T, r *rival) {
		r.proto = 3
		for _, begin := range []history{nil, {{"SADD", "k", "1", "2"}}, {{"SADD", "k", "a", "b", "1"}}, {{"SADD", "k", strings.Repeat("m", 65), "a"}}, {{"SET", "k", "text"}}} {
			for _, line := range []string{"SMEMBERS k", "SINTER k k", "SINTER k none", "SUNION k none", "SDIFF k none", "SDIFF none k", "SPOP none", "SPOP none 2",
				"SPOP k 0", "SPOP k 100", "SRANDMEMBER none", "SRANDMEMBER none 2", "SRANDMEMBER k 0", "SRANDMEMBER k 100", "SISMEMBER k a",
				"SMISMEMBER k a 1", "SCARD k", "SSCAN k 0", "SSCAN none 0", "SINTERCARD 2 k k", "SINTERSTORE d k k", "SUNIONSTORE d none", "SMOVE k d 1"} {
				if msg := r.differ(append(begin[:len(begin):len(begin)], strings.Fields(line))); msg != "" {
					t.Error(msg)
				}
			}
		}
	})
}

func TestTheMemoryOfASetIsThatOfTheRealProcess(t *testing.T) {
	long := strings.Repeat("m", 65)
	var many []string
	for i := range 150 {
		many = append(many, fmt.Sprint("member:", i))
	}
	livediff.Each(t, func(t *testing.T, g livediff.Target) {
		g.Bytes(t, livediff.History{
			{"SADD", "ints", "3", "1", "2"}, {"SADD", "wide", "1", "70000", "-5000000000"}, {"SADD", "listpack", "1", "a", "-7", "", "300"},
			{"SADD", "was ints", "5", "6"}, {"SADD", "was ints", "x"}, {"SADD", "table", long, "1", "b"},
			append([]string{"SADD", "many"}, many...), append([]string{"SREM", "many"}, many[:100]...),
			{"SINTERSTORE", "stored", "listpack", "wide"}, {"SUNIONSTORE", "union", "ints", "listpack"},
		}, "ints", "wide", "listpack", "was ints", "table", "many", "stored", "union")
	})
}
