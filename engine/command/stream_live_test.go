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
