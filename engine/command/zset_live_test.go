//go:build !js

package command_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// zsetKeys are few, so that commands meet.
func zsetKey(rnd *rand.Rand) string { return pick(rnd, "key:a", "key:b", "key:c", "key:d") }

func zsetMember(rnd *rand.Rand) string {
	switch rnd.IntN(12) {
	case 0:
		return fmt.Sprint(rnd.IntN(200000) - 100000)
	case 1:
		return strings.Repeat("x", rnd.IntN(70))
	case 2:
		return pick(rnd, "", "a\x00b", "é", "1.5", "-0", "m*", "\xff")
	}
	return fmt.Sprint("m", rnd.IntN(14))
}

func zsetScore(rnd *rand.Rand) string {
	switch rnd.IntN(14) {
	case 0:
		return pick(rnd, "inf", "-inf", "+inf", "Infinity", "-0", "0", "1e20", "-1e300", "1e-7", "123456789012345678", "4611686018427387904", "9007199254740993")
	case 1:
		return pick(rnd, "nan", "x", "", "0x10", " 1", "1 ", "1e400", "1e", "--1", "1_0")
	case 2:
		return fmt.Sprint(rnd.NormFloat64())
	case 3:
		return fmt.Sprintf("%.2f", rnd.Float64()*100)
	}
	return fmt.Sprint(rnd.IntN(8) - 2)
}

func zsetBound(rnd *rand.Rand) string {
	return pick(rnd, "", "", "(") + pick(rnd, zsetScore(rnd), "-inf", "+inf", fmt.Sprint(rnd.IntN(6)))
}

func zsetLexBound(rnd *rand.Rand) string {
	switch rnd.IntN(6) {
	case 0:
		return "-"
	case 1:
		return "+"
	case 2:
		return pick(rnd, "x", "", "+a", "-\x00", "[", "(")
	}
	return pick(rnd, "[", "(") + zsetMember(rnd)
}

func zsetIndex(rnd *rand.Rand) string {
	if rnd.IntN(25) == 0 {
		return pick(rnd, "x", "9223372036854775807", "-9223372036854775808", "1.0", "")
	}
	if rnd.IntN(6) == 0 {
		return fmt.Sprint(rnd.IntN(900) - 300)
	}
	return fmt.Sprint(rnd.IntN(16) - 6)
}

func maybe(rnd *rand.Rand, odds int, words ...string) []string {
	if rnd.IntN(odds) == 0 {
		return words
	}
	return nil
}

func cmdOf(parts ...any) (out []string) {
	for _, p := range parts {
		switch p := p.(type) {
		case string:
			out = append(out, p)
		case []string:
			out = append(out, p...)
		}
	}
	return out
}

func zsetPairs(rnd *rand.Rand, n int) (out []string) {
	for range n {
		out = append(out, zsetScore(rnd), zsetMember(rnd))
	}
	return out
}

func goodPairs(rnd *rand.Rand, n int) (out []string) {
	for i := range n {
		out = append(out, fmt.Sprint(rnd.IntN(50)), fmt.Sprint("w", i*7%n))
	}
	return out
}

func zsetMembers(rnd *rand.Rand, n int) (out []string) {
	for range n {
		out = append(out, zsetMember(rnd))
	}
	return out
}

func zsetCommand(rnd *rand.Rand) []string {
	k := zsetKey(rnd)
	limit := maybe(rnd, 3, "LIMIT", zsetIndex(rnd), zsetIndex(rnd))
	ws := maybe(rnd, 2, "WITHSCORES")
	switch rnd.IntN(46) {
	case 0, 1, 2, 3, 4:
		return cmdOf("ZADD", k, zsetPairs(rnd, 1+rnd.IntN(4)))
	case 5, 6:
		return cmdOf("ZADD", k, maybe(rnd, 3, "NX"), maybe(rnd, 3, "XX"), maybe(rnd, 3, "GT"), maybe(rnd, 4, "lt"), maybe(rnd, 2, "CH"), maybe(rnd, 3, "INCR"), zsetPairs(rnd, 1+rnd.IntN(2)))
	case 7, 8:
		if rnd.IntN(10) == 0 {
			return cmdOf("ZADD", k, goodPairs(rnd, rnd.IntN(900)+1))
		}
		return cmdOf("ZADD", k, goodPairs(rnd, 1+rnd.IntN(60)))
	case 9:
		return cmdOf("ZINCRBY", k, zsetScore(rnd), zsetMember(rnd))
	case 10:
		return cmdOf("ZREM", k, zsetMembers(rnd, 1+rnd.IntN(5)))
	case 11:
		var some []string
		for i := range 1 + rnd.IntN(400) {
			some = append(some, fmt.Sprint("w", i))
		}
		return cmdOf("ZREM", k, some)
	case 12:
		return cmdOf("ZSCORE", k, zsetMember(rnd))
	case 13:
		return cmdOf("ZMSCORE", k, zsetMembers(rnd, 1+rnd.IntN(3)))
	case 14:
		return cmdOf(pick(rnd, "ZRANK", "ZREVRANK"), k, zsetMember(rnd), maybe(rnd, 2, pick(rnd, "WITHSCORE", "withscore", "WITHSCORES")), maybe(rnd, 20, "x"))
	case 15:
		return cmdOf("ZCARD", k)
	case 16:
		return cmdOf("ZCOUNT", k, zsetBound(rnd), zsetBound(rnd))
	case 17, 18:
		return cmdOf("ZRANGE", k, zsetIndex(rnd), zsetIndex(rnd), maybe(rnd, 2, "REV"), ws, maybe(rnd, 12, "LIMIT", "0", "1"))
	case 19, 20:
		return cmdOf("ZRANGE", k, zsetBound(rnd), zsetBound(rnd), "BYSCORE", maybe(rnd, 2, "REV"), limit, ws)
	case 21:
		return cmdOf("ZREVRANGE", k, zsetIndex(rnd), zsetIndex(rnd), ws, maybe(rnd, 12, "REV"))
	case 22:
		return cmdOf(pick(rnd, "ZRANGEBYSCORE", "ZREVRANGEBYSCORE"), k, zsetBound(rnd), zsetBound(rnd), ws, limit)
	case 23:
		return cmdOf("ZREMRANGEBYRANK", k, zsetIndex(rnd), zsetIndex(rnd))
	case 24:
		return cmdOf("ZREMRANGEBYSCORE", k, zsetBound(rnd), zsetBound(rnd))
	case 25:
		return cmdOf("ZRANGESTORE", zsetKey(rnd), k, zsetIndex(rnd), zsetIndex(rnd), maybe(rnd, 3, "REV"), maybe(rnd, 12, "WITHSCORES"))
	case 26:
		return cmdOf("ZRANGESTORE", zsetKey(rnd), k, zsetBound(rnd), zsetBound(rnd), "BYSCORE", maybe(rnd, 3, "REV"), limit)
	case 27, 28, 29:
		return zsetCombine(rnd)
	case 30:
		return cmdOf("ZINTERCARD", "2", k, zsetKey(rnd), maybe(rnd, 2, "LIMIT", zsetIndex(rnd)))
	case 31:
		return cmdOf(pick(rnd, "ZPOPMIN", "ZPOPMAX"), k, maybe(rnd, 2, zsetIndex(rnd)), maybe(rnd, 30, "x"))
	case 32:
		return cmdOf("ZMPOP", pick(rnd, "1", "2", "2", "0", "3"), k, zsetKey(rnd), pick(rnd, "MIN", "MAX", "max", "MID"), maybe(rnd, 2, "COUNT", zsetIndex(rnd)))
	case 33:
		return cmdOf(pick(rnd, "BZPOPMIN", "BZPOPMAX"), k, zsetKey(rnd), pick(rnd, "0.01", "0.001", "-1", "x", "1e400"))
	case 34:
		return cmdOf("BZMPOP", "0.01", "2", k, zsetKey(rnd), pick(rnd, "MIN", "MAX"), maybe(rnd, 2, "COUNT", zsetIndex(rnd)))
	case 35:
		return cmdOf("ZRANDMEMBER", k, pick(rnd, "500", "0", "500", "x", "-9223372036854775808", "9223372036854775807"), maybe(rnd, 2, "WITHSCORES"))
	case 36:
		return cmdOf("ZSCAN", k, pick(rnd, "0", "0", "1", "x", "18446744073709551616"), maybe(rnd, 2, "MATCH", pick(rnd, "m*", "w1*", "*")), maybe(rnd, 2, "COUNT", zsetIndex(rnd)), maybe(rnd, 4, "NOSCORES"))
	case 37:
		return cmdOf("COPY", k, zsetKey(rnd), "REPLACE")
	case 38:
		return cmdOf("SADD", k, zsetMembers(rnd, 1+rnd.IntN(4)))
	case 39:
		return cmdOf(pick(rnd, "DEL", "DEL", "SET"), k)[:2]
	case 40:
		return cmdOf("RPUSH", k, "1", "2", "x")
	case 41:
		return cmdOf("ZLEXCOUNT", "key:lex", zsetLexBound(rnd), zsetLexBound(rnd))
	case 42:
		return cmdOf("ZADD", "key:lex", "0", zsetMember(rnd), "0", zsetMember(rnd))
	case 43:
		return cmdOf(pick(rnd, "ZRANGEBYLEX", "ZREVRANGEBYLEX"), "key:lex", zsetLexBound(rnd), zsetLexBound(rnd), limit, maybe(rnd, 20, "WITHSCORES"))
	case 44:
		return cmdOf("ZRANGE", "key:lex", zsetLexBound(rnd), zsetLexBound(rnd), "BYLEX", maybe(rnd, 2, "REV"), limit, maybe(rnd, 9, "WITHSCORES"), maybe(rnd, 20, "BYSCORE"))
	}
	return cmdOf(pick(rnd, "ZREMRANGEBYLEX", "ZREMRANGEBYLEX"), "key:lex", zsetLexBound(rnd), zsetLexBound(rnd))
}

func zsetCombine(rnd *rand.Rand) []string {
	name := pick(rnd, "ZUNION", "ZINTER", "ZDIFF")
	store := maybe(rnd, 2, zsetKey(rnd))
	if store != nil {
		name += "STORE"
	}
	n := 1 + rnd.IntN(3)
	var keys, weights []string
	for range n {
		keys, weights = append(keys, zsetKey(rnd)), append(weights, zsetScore(rnd))
	}
	num := fmt.Sprint(n)
	if rnd.IntN(25) == 0 {
		num = pick(rnd, "0", "9", "x", "-1")
	}
	c := cmdOf(name, store, num, keys)
	if rnd.IntN(3) == 0 {
		c = cmdOf(c, "WEIGHTS", weights)
	}
	c = cmdOf(c, maybe(rnd, 3, "AGGREGATE", pick(rnd, "SUM", "min", "MAX", "AVG")))
	if store == nil || rnd.IntN(15) == 0 {
		c = cmdOf(c, maybe(rnd, 2, "WITHSCORES"))
	}
	return c
}

func TestSortedSetsAnswerAsRealServers(t *testing.T) {
	fuzz(t, 8, 120, func(rnd *rand.Rand, n int) (h history, conf map[string]string) {
		for range n {
			h = append(h, zsetCommand(rnd))
		}
		conf = map[string]string{"zset-max-listpack-entries": pick(rnd, "128", "128", "0", "8"), "zset-max-listpack-value": pick(rnd, "64", "64", "5")}
		return h, conf
	})
}
