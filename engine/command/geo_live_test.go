//go:build !js

package command_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"
)

func geoPlace(rnd *rand.Rand) []string {
	if rnd.IntN(30) == 0 {
		return []string{pick(rnd, "181", "x", "-180", "180", "0", "inf", "nan"), pick(rnd, "86", "-85.05112878", "85.05112878", "0", "", "-inf")}
	}
	f := func(v float64) string {
		if rnd.IntN(2) == 0 {
			return fmt.Sprintf("%.4f", v)
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	if rnd.IntN(4) == 0 { // anywhere
		return []string{f(rnd.Float64()*360 - 180), f(rnd.Float64()*170 - 85)}
	}
	return []string{f(13 + rnd.NormFloat64()*3), f(38 + rnd.NormFloat64()*3)}
}

func geoUnit(rnd *rand.Rand) string {
	if rnd.IntN(30) == 0 {
		return "yd"
	}
	return pick(rnd, "m", "km", "KM", "ft", "mi")
}

func geoLength(rnd *rand.Rand) string {
	switch rnd.IntN(15) {
	case 0:
		return pick(rnd, "0", "-1", "x", "1e9", "inf", "1e-9")
	case 1:
		return fmt.Sprint(rnd.Float64() * 1e7)
	}
	return fmt.Sprint(rnd.IntN(2000))
}

func geoMember(rnd *rand.Rand) string {
	if rnd.IntN(8) == 0 {
		return pick(rnd, "", "nobody", "5", "a\x00b")
	}
	return fmt.Sprint("p", rnd.IntN(20))
}

func geoWiths(rnd *rand.Rand) []string {
	return cmdOf(maybe(rnd, 2, "WITHDIST"), maybe(rnd, 3, "WITHHASH"), maybe(rnd, 3, "withcoord"))
}

func geoTail(rnd *rand.Rand) []string {
	return cmdOf(maybe(rnd, 3, pick(rnd, "ASC", "DESC", "asc")), maybe(rnd, 3, "COUNT", pick(rnd, "1", "3", "10", "0", "-1", "x")), maybe(rnd, 5, "ANY"))
}

func geoFrom(rnd *rand.Rand) (out []string) {
	if rnd.IntN(2) == 0 {
		out = cmdOf("FROMMEMBER", geoMember(rnd))
	} else {
		out = cmdOf("FROMLONLAT", geoPlace(rnd))
	}
	if rnd.IntN(2) == 0 {
		return cmdOf(out, "BYRADIUS", geoLength(rnd), geoUnit(rnd), maybe(rnd, 20, "BYBOX", "1", "1", "m"))
	}
	return cmdOf(out, "BYBOX", geoLength(rnd), geoLength(rnd), geoUnit(rnd), maybe(rnd, 20, "FROMLONLAT", "1", "1"))
}

func geoPolygon(rnd *rand.Rand) []string {
	n := 3 + rnd.IntN(4)
	c := cmdOf("BYPOLYGON", strconv.Itoa(n-min(rnd.IntN(9), 1)+1))
	for range n {
		c = append(c, geoPlace(rnd)...)
	}
	return c
}

func geoCommand(rnd *rand.Rand) []string {
	k := zsetKey(rnd)
	switch rnd.IntN(20) {
	case 0, 1, 2, 3, 4:
		var points []string
		for range 1 + rnd.IntN(12) {
			points = append(points, cmdOf(geoPlace(rnd), geoMember(rnd))...)
		}
		return cmdOf("GEOADD", k, maybe(rnd, 5, "NX"), maybe(rnd, 6, "xx"), maybe(rnd, 4, "CH"), points)
	case 5:
		return cmdOf("GEODIST", k, geoMember(rnd), geoMember(rnd), maybe(rnd, 2, geoUnit(rnd)), maybe(rnd, 20, "x"))
	case 6:
		return cmdOf("GEOHASH", k, geoMember(rnd), geoMember(rnd))
	case 7:
		return cmdOf("GEOPOS", k, geoMember(rnd), geoMember(rnd))
	case 8:
		return cmdOf(pick(rnd, "GEORADIUS", "GEORADIUS_RO"), k, geoPlace(rnd), geoLength(rnd), geoUnit(rnd), geoWiths(rnd), geoTail(rnd))
	case 9:
		return cmdOf(pick(rnd, "GEORADIUSBYMEMBER", "GEORADIUSBYMEMBER_RO"), k, geoMember(rnd), geoLength(rnd), geoUnit(rnd), geoWiths(rnd), geoTail(rnd))
	case 10:
		return cmdOf(pick(rnd, "GEORADIUS", "GEORADIUS_RO"), k, geoPlace(rnd), geoLength(rnd), geoUnit(rnd), pick(rnd, "STORE", "STOREDIST"), zsetKey(rnd), geoTail(rnd), maybe(rnd, 9, "WITHDIST"))
	case 11:
		return cmdOf("GEORADIUSBYMEMBER", k, geoMember(rnd), geoLength(rnd), geoUnit(rnd), pick(rnd, "STORE", "STOREDIST"), zsetKey(rnd), geoTail(rnd))
	case 12, 13, 14:
		return cmdOf("GEOSEARCH", k, geoFrom(rnd), geoWiths(rnd), geoTail(rnd))
	case 15, 16:
		return cmdOf("GEOSEARCHSTORE", zsetKey(rnd), k, geoFrom(rnd), geoTail(rnd), maybe(rnd, 2, "STOREDIST"), maybe(rnd, 12, "WITHDIST"))
	case 17:
		return cmdOf("GEOSEARCH", k, geoPolygon(rnd), geoWiths(rnd), geoTail(rnd))
	case 18:
		return cmdOf("ZRANGE", k, "0", "-1", "WITHSCORES")
	}
	return cmdOf(pick(rnd, "DEL", "ZREM"), k, geoMember(rnd))
}

func TestPositionsAnswerAsRealServers(t *testing.T) {
	fuzz(t, 8, 100, func(rnd *rand.Rand, n int) (h history, conf map[string]string) {
		for range n {
			h = append(h, geoCommand(rnd))
		}
		return h, map[string]string{"zset-max-listpack-entries": pick(rnd, "128", "0", "8")}
	})
}
