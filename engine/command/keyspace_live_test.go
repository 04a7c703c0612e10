//go:build !js

package command_test

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/keyloupe/keyloupe/internal/livediff"
)

// tableGen makes histories that fill and empty databases and look at their tables.
type tableGen struct{ *rand.Rand }

func (g *tableGen) pick(s ...string) string { return s[g.IntN(len(s))] }

func (g *tableGen) keys(n int) (out []string) {
	for from := g.IntN(300); len(out) < n; from++ {
		out = append(out, "key:"+strconv.Itoa(from))
	}
	return out
}

func (g *tableGen) command() []string {
	switch g.IntN(13) {
	case 0, 1:
		cmd := []string{"MSET"}
		for _, k := range g.keys(1 + g.IntN(150)) {
			cmd = append(cmd, k, "v")
		}
		return cmd
	case 2, 3:
		return append([]string{g.pick("DEL", "UNLINK", "EXISTS")}, g.keys(1+g.IntN(150))...)
	case 4:
		return []string{"SET", g.keys(1)[0], "v", "PXAT", "4102444800000"}
	case 5:
		return []string{"PERSIST", g.keys(1)[0]}
	case 6:
		return []string{g.pick("FLUSHDB", "FLUSHALL"), g.pick("SYNC", "SYNC", "ASYNC")}
	case 7:
		return []string{"SELECT", g.pick("0", "0", "1", "2")}
	case 8:
		return []string{"SCAN", g.pick("0", "0", "7", "100"), "COUNT", g.pick("1", "10", "1000")}
	}
	if g.IntN(5) == 0 {
		return []string{"KEYS", g.pick("*", "nosuch")} // which stops the moves of a table that was flushed
	}
	return []string{"DEBUG", "HTSTATS", g.pick("0", "1", "2", "16", "-1", "x"), g.pick("full", "FULL", "some")}
}

func (g *tableGen) history() (h livediff.History) {
	for _, db := range []string{"2", "1", "0"} { // so that there are tables, which a FLUSHALL drops
		h = append(h, []string{"SELECT", db}, []string{"SET", "k", "v", "PXAT", "4102444800000"})
	}
	h = append(h, []string{"FLUSHALL", "ASYNC"})
	for range 60 {
		h = append(h, g.command())
	}
	return append(h, []string{"SELECT", "0"})
}

// TestTablesAreThoseOfRealServers holds DEBUG HTSTATS against real servers that move no table but
// when a key is looked at.
func TestTablesAreThoseOfRealServers(t *testing.T) {
	rounds := 150
	if testing.Short() {
		rounds = 15
	}
	livediff.Each(t, func(t *testing.T, g livediff.Target) {
		g.Random(t, livediff.Options{Seed: 8, Rounds: rounds, Again: 1, Generate: func(r *rand.Rand) livediff.History {
			return (&tableGen{r}).history()
		}})
	}, "--activerehashing", "no", "--hz", "1")
}
