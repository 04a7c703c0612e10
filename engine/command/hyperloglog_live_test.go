//go:build !js

package command_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

func hllHistory(rnd *rand.Rand, n int) (h history, conf map[string]string) {
	conf = map[string]string{"hll-sparse-max-bytes": pick(rnd, "3000", "3000", "100", "500", "0")}
	key := func() string {
		return pick(rnd, "key1", "key2", "key3", "key-of-more-than-forty-four-bytes-so-that-it-is-longer")
	}
	elem := func() string { return fmt.Sprint("e", rnd.IntN(1<<(4+rnd.IntN(16)))) }
	for range n {
		switch rnd.IntN(20) {
		default:
			cmd := []string{"PFADD", key()}
			for range rnd.IntN(1 << rnd.IntN(8)) {
				cmd = append(cmd, elem())
			}
			h = append(h, cmd)
		case 0, 1:
			h = append(h, []string{"PFCOUNT", key()})
		case 2:
			h = append(h, []string{"PFCOUNT", key(), key(), key()})
		case 3, 4:
			h = append(h, []string{"PFMERGE", key(), key(), key()})
		case 5:
			h = append(h, []string{"PFMERGE", key()})
		case 6:
			h = append(h, []string{"PFDEBUG", pick(rnd, "ENCODING", "DECODE", "encoding", "what"), key()})
		case 7:
			if rnd.IntN(6) == 0 {
				h = append(h, []string{"PFDEBUG", pick(rnd, "TODENSE", "GETREG"), key()})
			}
		case 8:
			h = append(h, []string{pick(rnd, "DEL", "TYPE", "STRLEN"), key()})
		case 9:
			if rnd.IntN(6) == 0 {
				h = append(h, []string{"SET", key(), pick(rnd, "HYLL", "12", "HYLL\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x80\x7f\xff",
					"HYLL\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x80\x7f\xff\x80", "HYLL\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x80\x7f",
					"HYLL\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x80", "HYLL\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x80",
					"HYLL\x02"+strings.Repeat("\x00", 13), "HYLL\x00"+strings.Repeat("\x00", 11)+strings.Repeat("\xff", 12288),
					"HYLL\x00"+strings.Repeat("\x00", 10)+"\x80"+strings.Repeat("\x33", 12288))})
			}
		case 10:
			h = append(h, []string{"APPEND", key(), pick(rnd, "", "\x80")})
		case 11:
			h = append(h, []string{"PFADD", key()}, []string{"COPY", "key1", key(), "REPLACE"})
		}
		h = append(h, []string{"GET", key()})
	}
	return h, conf
}

func TestRandomHyperLogLogHistoriesGoAsOnRealServers(t *testing.T) {
	fuzz(t, 10, 150, hllHistory)
}
