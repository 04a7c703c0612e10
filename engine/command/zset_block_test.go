//go:build !js

package command_test

import "maps"

func init() {
	maps.Copy(blockingScripts, map[string]string{
		"a new sorted set serves the client that waited longest": `
		a BZPOPMIN z 0
		b BZPOPMAX z 0
		a ?
		b ?
		c ZADD z 1 x 2 y 3 w
		a =
		b =
		c ZRANGE z 0 -1 WITHSCORES`,
		"what serves the last member takes the key": `
		a BZPOPMIN z 0
		b BZPOPMIN z 0
		c ZADD z 1 x
		a =
		c EXISTS z
		b ?
		c ZINCRBY z 1.5 y
		b =`,
		"a list serves nobody who waits for a sorted set": `
		a BZPOPMIN z 0
		c RPUSH z x
		a ?
		c DEL z
		c GEOADD z 13 38 p
		a =`,
		"BZMPOP takes its count from the first sorted set that comes": `
		a BZMPOP 0 3 x z m MAX COUNT 2
		c ZADD m 1 a 2 b 3 c
		a =
		c ZRANGE m 0 -1`,
		"stored results serve too": `
		a BZPOPMAX out 0
		b BZPOPMIN out2 0
		d BZPOPMIN out3 0
		c ZADD z 1 a 2 b
		c ZUNIONSTORE out 1 z
		a =
		c ZRANGESTORE out2 z 0 -1
		b =
		c COPY z out3
		d =`,
		"a sorted set made in a transaction serves after EXEC": `
		a BZPOPMIN z 0
		c MULTI
		c ZADD z 5 x
		c ZADD z 1 y
		a ?
		c EXEC
		a =`,
		"a time that passes is answered with nil for sorted sets": `
		a BZPOPMIN z 0.02
		a wait
		b BZMPOP 0.02 1 z MIN
		b wait`,
	})
}
