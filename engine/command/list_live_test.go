//go:build !js

package command_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/internal/livediff"
)

// listGen makes histories of list commands on few keys, so that they meet.
type listGen struct {
	*rand.Rand
	long []int // lengths of the longer elements
}

func (g *listGen) pick(s ...string) string { return s[g.IntN(len(s))] }

func (g *listGen) key() string {
	if g.IntN(40) == 0 {
		return "string"
	}
	return g.pick("l", "list:2", "a-third-list-with-a-longer-name")
}

func (g *listGen) element() string {
	switch g.IntN(8) {
	case 0:
		return strconv.FormatInt(int64(g.Uint64())>>g.IntN(64), 10)
	case 1:
		return strings.Repeat("L", g.long[g.IntN(len(g.long))])
	case 2:
		return strings.Repeat(g.pick("p", "q"), g.IntN(70))
	}
	return g.pick("a", "b", "c", "5", "-7", "1000", "", "elem:1", "elem:2")
}

func (g *listGen) elements(n int) (out []string) {
	for range n {
		out = append(out, g.element())
	}
	return out
}

func (g *listGen) index() string {
	if g.IntN(30) == 0 {
		return g.pick("x", "9223372036854775808", "4294967296", "-9223372036854775808", "1.0", "")
	}
	return strconv.Itoa(g.IntN(24) - 12)
}

func (g *listGen) end() string { return g.pick("LEFT", "RIGHT", "left") }

func (g *listGen) count() string { return g.pick("0", "1", "2", "5", "100", "-1", "x") }

func (g *listGen) command() []string {
	k := g.key()
	with := func(args []string, more ...string) []string { return append(args, more...) }
	switch g.IntN(26) {
	case 0, 1, 2, 3:
		return with([]string{g.pick("LPUSH", "RPUSH", "RPUSH", "LPUSHX", "RPUSHX"), k}, g.elements(1+g.IntN(5))...)
	case 4:
		return with([]string{"RPUSH", k}, g.elements(20+g.IntN(60))...)
	case 5, 6:
		return []string{g.pick("LPOP", "RPOP"), k}
	case 7:
		return []string{g.pick("LPOP", "RPOP"), k, g.count()}
	case 8:
		return []string{"LRANGE", k, g.index(), g.index()}
	case 9:
		return []string{"LINDEX", k, g.index()}
	case 10, 11, 12:
		return []string{"LINSERT", k, g.pick("BEFORE", "AFTER", "after", "NEAR"), g.element(), g.element()}
	case 13, 14, 15:
		return []string{"LSET", k, g.index(), g.element()}
	case 16:
		return []string{"LREM", k, g.index(), g.element()}
	case 17:
		return []string{"LTRIM", k, g.index(), g.index()}
	case 18:
		return g.lpos(k)
	case 19:
		return []string{"LMOVE", k, g.key(), g.end(), g.end()}
	case 20:
		return []string{"RPOPLPUSH", k, g.key()}
	case 21:
		return g.lmpop()
	case 22, 23:
		return []string{"LLEN", k}
	case 24:
		return []string{"COPY", k, g.key(), "REPLACE"}
	}
	if g.IntN(4) > 0 {
		return []string{"LLEN", k}
	}
	return []string{"DEL", k}
}

func (g *listGen) lpos(k string) []string {
	cmd := []string{"LPOS", k, g.element()}
	for range g.IntN(3) {
		cmd = append(cmd, g.pick("RANK", "COUNT", "MAXLEN", "FOO"), g.index())
	}
	if g.IntN(20) == 0 {
		cmd = append(cmd, "COUNT")
	}
	return cmd
}

func (g *listGen) lmpop() []string {
	n := 1 + g.IntN(3)
	cmd := []string{"LMPOP", strconv.Itoa(n)}
	if g.IntN(10) == 0 {
		cmd[1] = g.pick("0", "-1", "x", "9", "2")
	}
	for range n {
		cmd = append(cmd, g.key())
	}
	cmd = append(cmd, g.end())
	if g.IntN(2) == 0 {
		cmd = append(cmd, "COUNT", g.count())
	}
	return cmd
}

func TestRandomListHistoriesEqualTheRealServer(t *testing.T) {
	livediff.Each(t, func(t *testing.T, g livediff.Target) {
		for _, c := range []struct {
			size string
			long []int
		}{{"-2", []int{100, 1000, 3000, 8000, 8185, 8192, 8193, 9000}}, {"-1", []int{63, 64, 1000, 4088, 4089, 4096, 4097}}, {"-5", []int{100, 16378, 16379, 30000, 65535, 65536, 65537}}, {"4", []int{10, 64, 8185, 8192, 8193}}, {"0", []int{3}}, {"1", []int{5}}, {"128", []int{200, 4096}}} {
			g.Random(t, livediff.Options{Seed: 1, Rounds: 40, Config: map[string]string{"list-max-listpack-size": c.size}, Generate: func(r *rand.Rand) livediff.History {
				gen := &listGen{r, c.long}
				h := livediff.History{{"SET", "string", "x"}}
				for range 60 + r.IntN(80) {
					h = append(h, gen.command())
				}
				return h
			}})
		}
	})
}

func TestDebugCommandsOfListsAnswerAsTheRealServer(t *testing.T) {
	begin := livediff.History{{"RPUSH", "l", "a"}, {"SET", "s", "x"}, {"RPUSH", "q", strings.Repeat("x", 10000)}}
	var lines []string
	for _, size := range strings.Fields("10 10b x -1 4gb 4095mb 4295m 4294m 1kb 1KB 1k 0 00 1g b 99999999999999999999 99999999999999999999gb 1x 1.5") {
		lines = append(lines, "DEBUG QUICKLIST-PACKED-THRESHOLD "+size)
	}
	for _, l := range strings.Split("LISTPACK l,LISTPACK s,LISTPACK none,LISTPACK,LISTPACK l l,LISTPACK q,QUICKLIST q,QUICKLIST q 1,QUICKLIST l,QUICKLIST none,QUICKLIST s 1 2,QUICKLIST-PACKED-THRESHOLD,FOO,foo l", ",") {
		lines = append(lines, "DEBUG "+l)
	}
	livediff.Each(t, func(t *testing.T, g livediff.Target) {
		g.CompareLines(t, begin, lines)
		g.Real.Do("DEBUG", "QUICKLIST-PACKED-THRESHOLD", "0")
	})
}

func TestRandomHistoriesWithPlainNodesEqualTheRealServer(t *testing.T) {
	livediff.Each(t, func(t *testing.T, g livediff.Target) {
		for _, size := range []string{"-1", "3", "1"} {
			g.Random(t, livediff.Options{Seed: 2, Rounds: 40, Config: map[string]string{"list-max-listpack-size": size}, Generate: func(r *rand.Rand) livediff.History {
				gen := &listGen{r, []int{10, 20, 25, 60}}
				h := livediff.History{{"DEBUG", "QUICKLIST-PACKED-THRESHOLD", "20"}, {"RPUSH", "l", strings.Repeat("x", 4000), "a", strings.Repeat("y", 100), "b", strings.Repeat("z", 4000)}}
				for range 60 + r.IntN(80) {
					h = append(h, gen.command())
				}
				return append(h, []string{"DEBUG", "QUICKLIST-PACKED-THRESHOLD", "0"})
			}})
		}
	})
}

// 8.1.8 and 9.1.x carry #2787, 9.0.0 does not.
func TestChangesOfAListFailTransactionsAsOnTheRealServer(t *testing.T) {
	lines := strings.Split("LTRIM l 0 -1,LTRIM l 0 0,LTRIM none 0 1,LREM l 0 zz,LREM l 0 a,LSET l 0 a,LSET l 9 a,LINSERT l before zz a,LINSERT l before a b,LPOP l 0,LPOP l,LMOVE l l left left,LMOVE none l left left,RPOPLPUSH l m,LPUSHX none a,LMPOP 1 l LEFT,RPUSH m a,LPOS l a,BLPOP l 0", ",")
	livediff.Each(t, func(t *testing.T, g livediff.Target) {
		other := g.Real.Dial()
		defer other.Close()
		for _, line := range lines {
			g.Real.Do("FLUSHALL")
			s, err := engine.NewServer(g.Name, engine.Options{})
			if err != nil {
				t.Fatal(err)
			}
			second := s.NewClient()
			both := func(args ...string) (real, simulated string) {
				real = string(g.Real.Client().DoRaw(args...))
				s.Do(args...)
				return real, string(s.Client.Buf)
			}
			both("RPUSH", "l", "a", "b", "c")
			both("WATCH", "l", "none", "m")
			args := strings.Fields(line)
			other.Do(args...)
			b := make([][]byte, len(args))
			for i, a := range args {
				b[i] = []byte(a)
			}
			second.Do(b)
			both("MULTI")
			both("PING")
			if real, simulated := both("EXEC"); real != simulated {
				t.Errorf("%s: EXEC replies %q, simulated %q", line, real, simulated)
			}
		}
	})
}

func TestListCommandsAnswerBadInputAsTheRealServer(t *testing.T) {
	begin := livediff.History{{"RPUSH", "l", "a", "b", "a", "1", "01", "a"}, {"SET", "s", "x"}, {"RPUSH", "y", "1", "2"}}
	lines := []string{
		"LPUSH", "LPUSH l", "LPUSH s a", "LPUSHX s a", "LPUSHX none a b", "RPUSHX l",
		"LPOP", "LPOP l x", "LPOP l -1", "LPOP l 0", "LPOP none", "LPOP none 1", "LPOP none 0", "LPOP s", "LPOP s 1", "LPOP l 1 2", "RPOP l 9223372036854775808",
		"LRANGE l 0", "LRANGE l x 1", "LRANGE l 0 x", "LRANGE s x 1", "LRANGE s 0 1", "LRANGE none 0 1", "LRANGE l 5 1", "LRANGE l -100 100", "LRANGE l 9223372036854775807 -9223372036854775808",
		"LINDEX l", "LINDEX l x", "LINDEX none x", "LINDEX s x", "LINDEX l 4294967296", "LINDEX l -9223372036854775808",
		"LINSERT l before a", "LINSERT l near a b", "LINSERT none near a b", "LINSERT none before a b", "LINSERT s before a b", "LINSERT l before zz b", "LINSERT l AFTER 01 x", "LINSERT l before 1 y",
		"LLEN", "LLEN s", "LLEN none", "LSET l 0", "LSET none 0 a", "LSET none x a", "LSET s 0 a", "LSET l x a", "LSET l 99 a", "LSET l -99 a", "LSET l 4294967296 a", "LSET l -4294967297 a",
		"LREM l 0", "LREM l x a", "LREM none 0 a", "LREM s 0 a", "LREM l -9223372036854775808 a", "LREM l -9223372036854775807 none", "LREM l 0 none",
		"LTRIM l 0", "LTRIM none 0 1", "LTRIM none x 1", "LTRIM s 0 1", "LTRIM l x 1", "LTRIM l 0 -1", "LTRIM l -100 100",
		"LPOS l", "LPOS none a", "LPOS none a COUNT 1", "LPOS s a", "LPOS l a RANK", "LPOS l a RANK 0", "LPOS l a RANK x", "LPOS l a RANK -9223372036854775808", "LPOS l a COUNT -1", "LPOS l a COUNT x", "LPOS l a MAXLEN -1", "LPOS l a MAXLEN x", "LPOS l a FOO 1", "LPOS s a FOO 1",
		"LPOS l a COUNT 0", "LPOS l a RANK -1 COUNT 0", "LPOS l a RANK 2", "LPOS l a RANK 9", "LPOS l a RANK 9 COUNT 1", "LPOS l a COUNT 1 COUNT 2", "LPOS l a MAXLEN 1 COUNT 0", "LPOS l a RANK -2 MAXLEN 2", "LPOS l 1", "LPOS l 01", "lpos l a rank 2 count 1 maxlen 3",
		"LMOVE l x left", "LMOVE l x up left", "LMOVE l x left down", "LMOVE none x left left", "LMOVE s x left left", "LMOVE l s left left", "LMOVE none s left left", "RPOPLPUSH l", "RPOPLPUSH none s", "RPOPLPUSH s l", "RPOPLPUSH l s", "RPOPLPUSH l l",
		"LMPOP", "LMPOP 1 l", "LMPOP 0 l left", "LMPOP -1 l left", "LMPOP x l left", "LMPOP 1 l up", "LMPOP 2 l left", "LMPOP 1 none left", "LMPOP 1 s left", "LMPOP 2 none s left", "LMPOP 1 l left COUNT", "LMPOP 1 l left COUNT 0", "LMPOP 1 l left COUNT x", "LMPOP 1 l left FOO 1", "LMPOP 1 l left COUNT 1 COUNT 1", "LMPOP 3 none none l right count 2", "LMPOP 99 l left",
		"BLPOP", "BLPOP l", "BLPOP l x", "BLPOP l -1", "BLPOP l 1e400", "BLPOP l 9223372036854775807", "BLPOP s 0", "BLPOP none s 0", "BLPOP none s x", "BLPOP l 0", "BRPOP none l 0.01", "BLMOVE l x left left", "BLMOVE l x left left x", "BLMOVE l x left left -1", "BLMOVE l x up left x", "BLMOVE s x left left 0", "BLMOVE l s left left 0", "BLMOVE l y left right 0",
		"BRPOPLPUSH l x", "BRPOPLPUSH l x x", "BRPOPLPUSH s x 0", "BRPOPLPUSH l y 0", "BLMPOP 0 1 l left", "BLMPOP x 1 l left", "BLMPOP -1 1 l left", "BLMPOP x 0 l left", "BLMPOP 0 1 s left", "BLMPOP 0 1 y left COUNT 10",
	}
	h := livediff.History{{"LPUSH", "", "", ""}, {"LPOP", ""}, {"LMPOP", "1", "", "LEFT"},
		{"MULTI"}, {"BLPOP", "none", "0"}, {"BLMOVE", "none", "x", "left", "left", "0"}, {"BRPOPLPUSH", "none", "x", "0"}, {"BLMPOP", "0", "1", "none", "left"}, {"LMPOP", "1", "none", "left"}, {"EXEC"}}
	livediff.Each(t, func(t *testing.T, g livediff.Target) {
		g.CompareLines(t, begin, lines)
		g.Compare(t, h, livediff.Options{})
	})
}

func TestTheLimitsAtWhichAListConvertsAreTheRealServers(t *testing.T) {
	livediff.Each(t, func(t *testing.T, g livediff.Target) {
		for _, size := range []string{"-1", "-2", "-3", "3", "1", "0"} {
			var h livediff.History
			for _, n := range []int{0, 1, 50, 100, 4087, 4088, 4089, 4090, 8180, 8183, 8184, 8185, 8186, 16380} {
				x := strings.Repeat("x", n)
				k := fmt.Sprint("k", n)
				h = append(h, []string{"RPUSH", k, x}, []string{"RPUSH", k, "y"}, []string{"LSET", k, "0", x}, []string{"LPUSH", k, "12345", x}, []string{"LINSERT", k, "BEFORE", "none", x},
					[]string{"LPOP", k}, []string{"LPOP", k}, []string{"LPOP", k})
			}
			for range 100 {
				h = append(h, []string{"RPUSH", "many", strings.Repeat("z", 100)})
			}
			for range 99 {
				h = append(h, []string{"LPOP", "many"})
			}
			h = append(h, append([]string{"RPUSH", "once"}, strings.Split(strings.Repeat(strings.Repeat("z", 100)+",", 80), ",")...))
			g.Real.Do("CONFIG", "SET", "list-max-listpack-size", size)
			g.Compare(t, h, livediff.Options{Config: map[string]string{"list-max-listpack-size": size}})
		}
	})
}

// TestCompressedListsAreThoseOfRealServers gives the same histories with list-compress-depth, and looks at what they add to
// used_memory too.
func TestCompressedListsAreThoseOfRealServers(t *testing.T) {
	livediff.Each(t, func(t *testing.T, g livediff.Target) {
		for _, size := range []string{"-2", "-1", "4", "20"} {
			for _, depth := range []string{"1", "2", "5"} {
				g.Random(t, livediff.Options{Seed: 3, Rounds: 10, Used: g.Sizes, Again: 4,
					Config: map[string]string{"list-max-listpack-size": size, "list-compress-depth": depth},
					Generate: func(r *rand.Rand) (h livediff.History) {
						x := &listGen{r, []int{60, 100, 300, 1000, 4000, 9000}}
						h = append(h, []string{"SET", "string", "text"})
						for range 20 + r.IntN(150) {
							h = append(h, x.command())
						}
						return h
					}})
			}
		}
	})
}

func TestTheBytesOfACompressedListAreThoseInTheRealProcess(t *testing.T) {
	var h livediff.History
	add := func(cmd ...string) { h = append(h, cmd) }
	add("CONFIG", "SET", "list-max-listpack-size", "4", "list-compress-depth", "2")
	for i := range 60 {
		add("RPUSH", "l", fmt.Sprint("element:", i)+strings.Repeat("ab", i%50))
	}
	add("LSET", "l", "20", "short")
	add("LINSERT", "l", "BEFORE", "element:30"+strings.Repeat("ab", 30), "inserted")
	add("LREM", "l", "1", "element:31"+strings.Repeat("ab", 31))
	add("RPUSH", "large", strings.Repeat("a", 9000), "b", strings.Repeat("c", 9000), "d", strings.Repeat("e", 9000), "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p")
	add("COPY", "l", "copy")
	add("CONFIG", "SET", "list-max-listpack-size", "-2", "list-compress-depth", "0")
	livediff.Each(t, func(t *testing.T, g livediff.Target) { g.Bytes(t, h, "l", "large", "copy") })
}
