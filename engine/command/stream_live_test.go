//go:build !js

package command_test

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// streamGen makes random stream commands. Ids stay near the last one, so that they often meet.
type streamGen struct {
	*rand.Rand
	ms int // milliseconds of the last id
}

func (g *streamGen) key() string {
	if g.IntN(40) == 0 {
		return pick(g.Rand, "keystring", "keynone")
	}
	return pick(g.Rand, "key1", "key2")
}

func (g *streamGen) id() string {
	ms := strconv.Itoa(max(0, g.ms-g.IntN(1+g.IntN(40))))
	switch g.IntN(30) {
	case 0:
		return ms
	case 1:
		return pick(g.Rand, "0-0", "0", "0-1", "-", "+", "*", "1-*", "$", ">")
	case 2:
		if g.IntN(20) == 0 {
			return pick(g.Rand, "18446744073709551615-18446744073709551615", "9999999999999-0")
		}
		return pick(g.Rand, "x", "", "1-", "-1", "1-x", "01-02", "1--0", "+5-1", " 3-1", "1- 2", "18446744073709551616-0", "1-2-3", "1-+4")
	}
	return ms + "-" + strconv.Itoa(g.IntN(2))
}

func (g *streamGen) bound() string {
	switch g.IntN(4) {
	case 0:
		return pick(g.Rand, "-", "+")
	case 1:
		return "(" + g.id()
	}
	return g.id()
}

func (g *streamGen) group() string {
	return pick(g.Rand, "g1", "g1", "g1", "g2", "group-with-a-longer-name")
}
func (g *streamGen) consumer() string { return pick(g.Rand, "alice", "bob", "alice", "bob", "al", "") }

func (g *streamGen) text() string {
	switch g.IntN(12) {
	case 0:
		return strings.Repeat("v", g.IntN(300))
	case 1:
		return strings.Repeat("w", 100+g.IntN(5000))
	case 2:
		return strconv.Itoa(g.IntN(1 << 30))
	}
	return pick(g.Rand, "a", "bc", "12", "-5", "value", "")
}

func (g *streamGen) some(f func() string) (out []string) {
	for range 1 + g.IntN(3) {
		out = append(out, f())
	}
	return out
}

func (g *streamGen) count() []string {
	if g.IntN(3) > 0 {
		return nil
	}
	return []string{pick(g.Rand, "COUNT", "count"), pick(g.Rand, "1", "2", "5", "1", "2", "3", "0", "-1", "x")}
}

func (g *streamGen) trim() (out []string) {
	how := pick(g.Rand, "MAXLEN", "MINID", "maxlen")
	out = []string{how}
	out = append(out, []string{}...)
	if m := pick(g.Rand, "~", "=", "", "~"); m != "" {
		out = append(out, m)
	}
	if how == "MINID" {
		out = append(out, g.id())
	} else {
		out = append(out, pick(g.Rand, "0", "1", "3", "10", "100", "-1", "x"))
	}
	if g.IntN(4) == 0 {
		out = append(out, "LIMIT", pick(g.Rand, "0", "1", "5", "100", "-1", "x"))
	}
	return out
}

func (g *streamGen) add() []string {
	cmd := []string{"XADD", g.key()}
	if g.IntN(8) == 0 {
		cmd = append(cmd, "NOMKSTREAM")
	}
	if g.IntN(8) == 0 {
		cmd = append(cmd, g.trim()...)
	}
	// mostly greater ids, so that streams grow
	if g.IntN(8) > 0 {
		if g.IntN(3) > 0 {
			g.ms += 1 + g.IntN(2)
		}
		cmd = append(cmd, strconv.Itoa(g.ms)+pick(g.Rand, "-*", "-*", "-0", "-1", ""))
	} else {
		cmd = append(cmd, strings.Replace(g.id(), "*", "5-*", 1))
	}
	if g.IntN(2) == 0 {
		return append(cmd, "f", g.text())
	}
	for range 1 + g.IntN(3) {
		cmd = append(cmd, pick(g.Rand, "f", "g", "7"), g.text())
	}
	return cmd
}

func (g *streamGen) read() []string {
	cmd := []string{"XREAD"}
	group := g.IntN(3) > 0
	if group {
		cmd = []string{"XREADGROUP", "GROUP", g.group(), g.consumer()}
		if g.IntN(5) == 0 {
			cmd = append(cmd, "NOACK")
		}
	}
	cmd = append(append(cmd, g.count()...), "STREAMS")
	n := 1 + g.IntN(2)
	for range n {
		cmd = append(cmd, g.key())
	}
	for range n {
		switch {
		case g.IntN(12) == 0:
			cmd = append(cmd, pick(g.Rand, ">", "$", "+", "0", g.id()))
		case group && g.IntN(4) > 0:
			cmd = append(cmd, ">")
		default:
			cmd = append(cmd, g.id())
		}
	}
	return cmd
}

func (g *streamGen) idle() string {
	return pick(g.Rand, "0", "0", "0", "0", "0", "0", "0", "3600000", "3600000", "-1", "x")
}

func (g *streamGen) claim() []string {
	if g.IntN(2) == 0 {
		cmd := []string{"XAUTOCLAIM", g.key(), g.group(), g.consumer(), g.idle(), g.bound()}
		cmd = append(cmd, g.count()...)
		if g.IntN(3) == 0 {
			cmd = append(cmd, "JUSTID")
		}
		return cmd
	}
	cmd := append([]string{"XCLAIM", g.key(), g.group(), g.consumer(), g.idle()}, g.some(g.id)...)
	for range g.IntN(3) {
		cmd = append(cmd, [][]string{{"FORCE"}, {"JUSTID"}, {"IDLE", "7200000"}, {"IDLE", "x"}, {"TIME", "5"}, {"TIME", "x"},
			{"RETRYCOUNT", "7"}, {"RETRYCOUNT", "-2"}, {"LASTID", g.id()}, {"FORCE"}, {"JUSTID"}, {"WHAT"}}[g.IntN(12)]...)
	}
	return cmd
}

func (g *streamGen) groups() []string {
	switch g.IntN(14) {
	case 0:
		return []string{"XGROUP", pick(g.Rand, "HELP", "WHAT", "CREATE")}
	case 1, 2:
		cmd := []string{"XGROUP", "SETID", g.key(), g.group(), pick(g.Rand, "0", "$", g.id())}
		if g.IntN(3) == 0 {
			cmd = append(cmd, "ENTRIESREAD", pick(g.Rand, "0", "3", "10", "-1", "-2", "x"))
		}
		return cmd
	case 3:
		return []string{"XGROUP", "DESTROY", g.key(), g.group()}
	case 4, 5:
		return []string{"XGROUP", "CREATECONSUMER", g.key(), g.group(), g.consumer()}
	case 6:
		return []string{"XGROUP", "DELCONSUMER", g.key(), g.group(), g.consumer()}
	}
	cmd := []string{"XGROUP", "CREATE", g.key(), g.group(), pick(g.Rand, "0", "0", "$", g.id())}
	if g.IntN(2) == 0 {
		cmd = append(cmd, "MKSTREAM")
	}
	if g.IntN(4) == 0 {
		cmd = append(cmd, "ENTRIESREAD", pick(g.Rand, "0", "3", "-1", "-2", "x"))
	}
	return cmd
}

func (g *streamGen) info() []string {
	switch g.IntN(6) {
	case 0, 1:
		return []string{"XINFO", "GROUPS", g.key()}
	case 2:
		return []string{"XINFO", "CONSUMERS", g.key(), g.group()}
	case 3:
		return []string{"XINFO", "STREAM", g.key()}
	case 4:
		return append([]string{"XINFO", "STREAM", g.key(), pick(g.Rand, "FULL", "full", "what")}, g.count()...)
	}
	return []string{"XINFO", pick(g.Rand, "HELP", "WHAT", "STREAM")}
}

func (g *streamGen) pending() []string {
	cmd := []string{"XPENDING", g.key(), g.group()}
	if g.IntN(2) == 0 {
		return cmd
	}
	if g.IntN(3) == 0 {
		cmd = append(cmd, "IDLE", pick(g.Rand, "0", "3600000", "x"))
	}
	cmd = append(cmd, g.bound(), g.bound(), pick(g.Rand, "1", "5", "100", "0", "-1", "x"))
	if g.IntN(3) == 0 {
		cmd = append(cmd, g.consumer())
	}
	return cmd
}

func (g *streamGen) setid() []string {
	cmd := []string{"XSETID", g.key(), g.id()}
	if g.IntN(2) == 0 {
		cmd = append(cmd, "ENTRIESADDED", pick(g.Rand, "0", "5", "100", "1000", "-1", "x"))
	}
	if g.IntN(2) == 0 {
		cmd = append(cmd, "MAXDELETEDID", g.id())
	}
	return cmd
}

func (g *streamGen) rangeOf() []string {
	return append([]string{pick(g.Rand, "XRANGE", "XREVRANGE"), g.key(), g.bound(), g.bound()}, g.count()...)
}

func (g *streamGen) command() []string {
	switch g.IntN(32) {
	case 0, 1, 2, 3, 4, 5, 6, 7, 8, 9:
		return g.add()
	case 10, 11:
		return append([]string{"XDEL", g.key()}, g.some(g.id)...)
	case 12:
		return append([]string{"XTRIM", g.key()}, g.trim()...)
	case 13, 14:
		return g.rangeOf()
	case 15, 16, 17, 18:
		return g.read()
	case 19, 20, 21:
		return g.groups()
	case 22:
		return append([]string{"XACK", g.key(), g.group()}, g.some(g.id)...)
	case 23, 24:
		return g.claim()
	case 25, 26:
		return g.info()
	case 27:
		return g.pending()
	case 28:
		return g.setid()
	case 29:
		return []string{pick(g.Rand, "XLEN", "TYPE", "EXISTS"), g.key()}
	case 30:
		switch g.IntN(8) {
		case 0:
			return []string{pick(g.Rand, "DEL", "PERSIST"), g.key()}
		case 1:
			return []string{"COPY", "key1", "key2", "REPLACE"}
		}
		return []string{"COPY", "key1", "key3", "REPLACE"}
	}
	return g.damaged(g.command())
}

// damaged loses, doubles or replaces an argument.
func (g *streamGen) damaged(cmd []string) []string {
	if len(cmd) < 2 {
		return cmd
	}
	i := g.IntN(len(cmd)-1) + 1
	if strings.EqualFold(cmd[0], "XGROUP") || strings.EqualFold(cmd[0], "XINFO") {
		i = max(i, min(2, len(cmd)-1))
	}
	switch g.IntN(3) {
	case 0:
		return append(append([]string{}, cmd[:i]...), cmd[i+1:]...)
	case 1:
		return append(append([]string{}, cmd[:i+1]...), cmd[i:]...)
	}
	out := append([]string{}, cmd...)
	out[i] = pick(g.Rand, "", "x", "COUNT", "~", "-1", "99999999999999999999", "STREAMS", "GROUP")
	return out
}

func streamHistory(rnd *rand.Rand, n int) (h history, conf map[string]string) {
	g := &streamGen{rnd, 1}
	conf = map[string]string{
		"stream-node-max-entries": pick(rnd, "100", "3", "10", "0"),
		"stream-node-max-bytes":   pick(rnd, "4096", "4096", "1000", "0", "200"),
	}
	h = history{{"SET", "keystring", "value"}, {"XGROUP", "CREATE", "key1", "g1", "0", "MKSTREAM"}, {"XGROUP", "CREATE", "key2", "g1", "0", "MKSTREAM"}}
	for range n {
		h = append(h, g.command())
	}
	return h, conf
}

func TestRandomStreamHistoriesGoAsOnRealServers(t *testing.T) {
	fuzz(t, 12, 250, streamHistory)
}

// Which stream commands fail a transaction that watches the key.
func TestStreamCommandsFailTransactionsAsOnRealServers(t *testing.T) {
	if testing.Short() {
		t.Skip("live servers in the long run only")
	}
	setup := history{{"XADD", "key1", "1-1", "f", "v"}, {"XADD", "key1", "2-1", "f", "v"}, {"XGROUP", "CREATE", "key1", "g", "0"},
		{"XREADGROUP", "GROUP", "g", "c", "COUNT", "1", "STREAMS", "key1", ">"}, {"PFADD", "key2", "a"}, {"PFCOUNT", "key2"}, {"PFADD", "key2", "b"}}
	changes := []string{"XADD key1 3-1 f v", "XADD key1 1-1 f v", "XADD keynew NOMKSTREAM 1-1 f v", "XADD keynew 1-1 f v", "XDEL key1 1-1", "XDEL key1 7-7",
		"XTRIM key1 MAXLEN 1", "XTRIM key1 MAXLEN 9", "XSETID key1 9-9", "XGROUP CREATE key1 h 0", "XGROUP CREATE keynew h 0 MKSTREAM",
		"XGROUP SETID key1 g 0", "XGROUP DESTROY key1 g", "XGROUP CREATECONSUMER key1 g x", "XGROUP DELCONSUMER key1 g c", "XACK key1 g 1-1",
		"XREADGROUP GROUP g c STREAMS key1 >", "XREADGROUP GROUP g c STREAMS key1 0", "XCLAIM key1 g x 0 1-1", "XAUTOCLAIM key1 g x 0 0",
		"XREAD STREAMS key1 0", "XRANGE key1 - +", "PFADD key2 a", "PFADD key2 c", "PFADD keynew", "PFCOUNT key2", "PFCOUNT key1", "PFMERGE key2 key2",
		"PFMERGE keynew", "PFDEBUG TODENSE key2", "PFDEBUG GETREG key2"}
	rivals(t, func(t *testing.T, r *rival) {
		for _, change := range changes {
			h := append(append(history{}, setup...), []string{"WATCH", "key1", "key2", "keynew"}, strings.Fields(change), []string{"MULTI"}, []string{"DBSIZE"}, []string{"EXEC"})
			if msg := r.differ(h); msg != "" {
				t.Errorf("%s: %s", change, msg)
			}
		}
	})
}

func TestStreamCommandsAnswerBadInputAsRealServers(t *testing.T) {
	if testing.Short() {
		t.Skip("live servers in the long run only")
	}
	h := history{{"SET", "keystring", "x"}, {"XADD", "key1", "5-5", "f", "v"}, {"XGROUP", "CREATE", "key1", "g", "0"}}
	for _, line := range []string{"XADD key1", "XADD key1 *", "XADD key1 * f", "XADD key1 6-6 f v g", "XADD key1 0-0 f v", "XADD key1 0-* f v", "XADD key3 0-* f v", "XADD key1 5-5 f v",
		"XADD key1 18446744073709551615-18446744073709551615 f v", "XADD key1 * f v", "XADD key1 7-* f v", "XADD keystring 1-1 f v", "XADD key1 MAXLEN 5 MINID 3 * f v",
		"XADD key1 MAXLEN", "XADD key1 MAXLEN ~", "XADD key1 MAXLEN ~ 5", "XADD key1 NOMKSTREAM", "XADD key1 LIMIT 5 * f v", "XADD key1 MAXLEN 5 LIMIT 0 8-8 f v", "XADD key1 LIMIT 0 MAXLEN ~ 5 8-8 f v",
		"XTRIM key1", "XTRIM key1 MAXLEN", "XTRIM key1 LIMIT 5", "XTRIM key1 WHAT 5", "XTRIM key1 MAXLEN 5 MAXLEN 6", "XTRIM key1 MINID x", "XTRIM keystring MAXLEN 5", "XTRIM keynone MAXLEN = 5 LIMIT 1",
		"XRANGE key1 - + COUNT", "XRANGE key1 - + COUNT 1 COUNT 0", "XRANGE key1 (- +", "XRANGE key1 (18446744073709551615-18446744073709551615 +", "XRANGE key1 - (0-0", "XRANGE key1 ( +", "XRANGE keynone x y",
		"XRANGE keynone - + COUNT 0", "XRANGE key1 - + LIMIT 1", "XLEN", "XLEN keystring", "XDEL key1", "XDEL keynone x", "XDEL key1 x", "XDEL key1 5-5 x",
		"XREAD", "XREAD STREAMS", "XREAD STREAMS key1", "XREAD STREAMS key1 key2 0", "XREAD COUNT", "XREAD COUNT x STREAMS key1 0", "XREAD STREAMS key1 >", "XREAD STREAMS key1 x", "XREAD STREAMS keystring 0",
		"XREAD GROUP g c STREAMS key1 0", "XREAD NOACK STREAMS key1 0", "XREAD WHAT STREAMS key1 0", "XREAD COUNT 1", "XREADGROUP STREAMS key1 >", "XREADGROUP COUNT 1 STREAMS key1 >", "XREADGROUP GROUP g c", "XREADGROUP GROUP g c STREAMS key1 $",
		"XREADGROUP GROUP g c STREAMS key1 +", "XREADGROUP GROUP n c STREAMS key1 >", "XREADGROUP GROUP g c STREAMS keynone >", "XREADGROUP GROUP g c STREAMS keystring >", "XREADGROUP GROUP g c STREAMS key1 keystring > >",
		"XREADGROUP GROUP g c STREAMS key1 key1 > x", "XACK", "XACK key1 g", "XACK key1 g x", "XACK keynone g x", "XACK key1 n x", "XACK keystring g 1-1", "XPENDING key1", "XPENDING key1 g -", "XPENDING key1 g - +", "XPENDING key1 g - + 5 c d",
		"XPENDING key1 g IDLE 5", "XPENDING key1 g IDLE 5 - +", "XPENDING key1 g IDLE 5 - + 5 c d", "XPENDING key1 g IDLE x - + 5", "XPENDING key1 g (x + 5", "XPENDING key1 g - (0-0 5", "XPENDING keynone g", "XPENDING keystring g", "XPENDING key1 n - + 5 c",
		"XCLAIM key1 g c 0", "XCLAIM key1 g c x 5-5", "XCLAIM key1 g c 0 5-5 WHAT", "XCLAIM key1 g c 0 5-5 IDLE", "XCLAIM key1 g c 0 5-5 LASTID x", "XCLAIM keynone g c 0 5-5", "XCLAIM keystring g c 0 5-5", "XCLAIM key1 n c x 5-5",
		"XAUTOCLAIM key1 g c 0", "XAUTOCLAIM key1 g c x 0", "XAUTOCLAIM key1 g c 0 x", "XAUTOCLAIM key1 g c 0 0 COUNT 0", "XAUTOCLAIM key1 g c 0 0 COUNT x", "XAUTOCLAIM key1 g c 0 0 COUNT 9223372036854775807", "XAUTOCLAIM key1 g c 0 0 COUNT",
		"XAUTOCLAIM key1 g c 0 0 WHAT", "XAUTOCLAIM keystring g c 0 0 WHAT", "XAUTOCLAIM keystring g c 0 0", "XAUTOCLAIM keynone g c 0 0", "XAUTOCLAIM key1 g c 0 (18446744073709551615-18446744073709551615",
		"XGROUP", "XGROUP HELP", "XGROUP HELP x", "XGROUP CREATE key1 g", "XGROUP CREATE key1 g x", "XGROUP CREATE key1 h 0 WHAT", "XGROUP CREATE key1 h 0 ENTRIESREAD", "XGROUP CREATE keynone h 0 ENTRIESREAD -5", "XGROUP CREATE keystring h 0 MKSTREAM",
		"XGROUP CREATE key1 h 0 MKSTREAM MKSTREAM MKSTREAM MKSTREAM", "XGROUP CREATE keynone h x MKSTREAM", "XGROUP SETID key1 g -", "XGROUP SETID key1 g +", "XGROUP SETID key1 g 0 MKSTREAM", "XGROUP SETID key1 n 0", "XGROUP SETID key1 g 0 ENTRIESREAD 1 ENTRIESREAD 2",
		"XGROUP DESTROY keynone g", "XGROUP DESTROY key1 n", "XGROUP CREATECONSUMER key1 n c", "XGROUP DELCONSUMER key1 g nobody", "xgroup what", "XINFO", "XINFO HELP", "XINFO STREAM keynone", "XINFO STREAM keystring", "XINFO STREAM key1 WHAT",
		"XINFO STREAM key1 FULL COUNT", "XINFO STREAM key1 FULL WHAT 1", "XINFO STREAM key1 FULL COUNT x", "XINFO STREAM key1 FULL COUNT -1", "XINFO GROUPS key1 x", "XINFO CONSUMERS key1 n", "XINFO CONSUMERS key1", "xinfo what key1",
		"XSETID key1", "XSETID key1 x", "XSETID key1 1-1", "XSETID keynone 1-1", "XSETID keystring 1-1", "XSETID key1 9-9 WHAT", "XSETID key1 9-9 ENTRIESADDED", "XSETID key1 9-9 ENTRIESADDED -1", "XSETID key1 9-9 ENTRIESADDED 0", "XSETID key1 9-9 MAXDELETEDID 10-0", "XSETID key1 9-9 MAXDELETEDID x",
		"PFADD", "PFADD keystring x", "PFADD key1 x", "PFCOUNT", "PFCOUNT keystring", "PFCOUNT keynone keystring", "PFMERGE", "PFMERGE keystring", "PFMERGE keynew keystring", "PFDEBUG", "PFDEBUG GETREG keynone", "PFDEBUG WHAT keystring", "PFDEBUG ENCODING a b"} {
		h = append(h, strings.Fields(line))
	}
	rivals(t, func(t *testing.T, r *rival) {
		for r.proto = 2; r.proto <= 3; r.proto++ {
			if msg := r.differ(h); msg != "" {
				t.Errorf("RESP%d: %s", r.proto, msg)
			}
		}
	})
}
