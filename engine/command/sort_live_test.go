//go:build !js

package command_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

func sortElement(rnd *rand.Rand) string {
	switch rnd.IntN(16) {
	case 0:
		return pick(rnd, "", "x", "a\x00b", "a\x00a", "B", "b", "1e400", "1e-310", " 5", "0x10", "inf", "nan", "\xff")
	case 1:
		return fmt.Sprint(rnd.NormFloat64())
	}
	return fmt.Sprint(rnd.IntN(30))
}

func sortPattern(rnd *rand.Rand) string {
	return pick(rnd, "w_*", "w_*", "h_*->f", "h_*->f", "h_*->g", "#", "nosort", "w_*->", "*", "w_\x00*", "h_*->f\x00x", "key:a")
}

func sortCommand(rnd *rand.Rand) []string {
	n := fmt.Sprint(rnd.IntN(30))
	switch rnd.IntN(14) {
	case 0:
		var e []string
		for range 1 + rnd.IntN(30) {
			e = append(e, sortElement(rnd))
		}
		return cmdOf(pick(rnd, "RPUSH", "SADD"), pick(rnd, "key:list", "key:set", "key:ints"), e)
	case 1:
		var e []string
		for i := range 1 + rnd.IntN(40) {
			e = append(e, fmt.Sprint(rnd.IntN(9)), fmt.Sprint(i*3%17))
		}
		return cmdOf("ZADD", "key:zset", e)
	case 2, 3:
		return cmdOf("SET", "w_"+n, sortElement(rnd))
	case 4, 5:
		return cmdOf("HSET", "h_"+n, pick(rnd, "f", "g"), sortElement(rnd))
	case 6:
		return cmdOf("DEL", pick(rnd, "key:list", "key:set", "key:ints", "key:zset", "key:out"))
	}
	c := cmdOf(pick(rnd, "SORT", "SORT", "SORT_RO"), pick(rnd, "key:list", "key:set", "key:ints", "key:zset", "key:zset", "key:none", "w_1", "key:out"))
	return cmdOf(c, maybe(rnd, 2, "BY", sortPattern(rnd)), maybe(rnd, 3, "LIMIT", zsetIndex(rnd), zsetIndex(rnd)),
		maybe(rnd, 3, "GET", sortPattern(rnd)), maybe(rnd, 5, "GET", "#"), maybe(rnd, 3, pick(rnd, "ASC", "DESC", "desc")),
		maybe(rnd, 2, "ALPHA"), maybe(rnd, 3, "STORE", pick(rnd, "key:out", "key:zset", "key:list")), maybe(rnd, 30, "x"))
}

func TestSortAnswersAsRealServers(t *testing.T) {
	fuzz(t, 8, 120, func(rnd *rand.Rand, n int) (h history, conf map[string]string) {
		for range n {
			h = append(h, sortCommand(rnd))
		}
		return h, map[string]string{"list-max-listpack-size": pick(rnd, "-2", "8", "-1")}
	})
}
