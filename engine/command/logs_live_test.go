//go:build !js

package command_test

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/engine/resp"
	"github.com/keyloupe/keyloupe/internal/livediff"
)

var (
	addresses = regexp.MustCompile(`\$\d+\r\n127\.0\.0\.1:\d+`)
	seconds   = regexp.MustCompile(`:1[67]\d{8}\r`)
	integers  = regexp.MustCompile(`:\d+\r`)
)

func TestLogsOfCommandsAnswerAsTheServer(t *testing.T) {
	skipShort(t)
	o := livediff.Options{
		Unsized: func([]string) bool { return true },
		Equal: func(cmd []string, real, simulated []byte) bool {
			mask := func(b []byte) []byte {
				b = seconds.ReplaceAll(addresses.ReplaceAll(b, nil), nil)
				if slow := cmd[len(cmd)-1]; cmd[0] == "SLOWLOG" && cmd[1] == "GET" || slow == "slow" {
					b = integers.ReplaceAll(b, nil) // durations
				}
				return b
			}
			return bytes.Equal(mask(real), mask(simulated))
		},
	}
	livediff.Each(t, func(t *testing.T, g livediff.Target) {
		long := strings.Repeat("x", 200)
		g.Compare(t, asHistory(`
			CONFIG SET slowlog-log-slower-than 0
			CONFIG SET slowlog-max-len 20
			SLOWLOG RESET
			SET a `+long+`
			RPUSH l`+strings.Repeat(" x", 40)+`
			RPUSH l`+strings.Repeat(" x", 30)+`
			MULTI
			GET a
			SET a b
			EXEC
			AUTH default secret
			HELLO 2 AUTH nobody secret
			CONFIG SET maxmemory 0 MASTERAUTH secret
			NOSUCH a
			GET
			CLIENT SETNAME me
			GET a
			SLOWLOG GET
			SLOWLOG GET 0
			SLOWLOG GET 2
			SLOWLOG GET -1
			SLOWLOG LEN
			CONFIG SET slowlog-max-len 3
			SLOWLOG LEN
			PING
			SLOWLOG LEN
			SLOWLOG GET
			CONFIG SET slowlog-log-slower-than -1
			PING
			SLOWLOG GET
			SLOWLOG RESET
			SLOWLOG GET
			CONFIG SET slowlog-log-slower-than 10000
		`), o)
		g.Compare(t, asHistory(`
			COMMANDLOG RESET large-request
			COMMANDLOG RESET large-reply
			CONFIG SET commandlog-request-larger-than 60
			CONFIG SET commandlog-reply-larger-than 40
			SET a `+long+`
			GET a
			SUBSCRIBE a
			UNSUBSCRIBE a
			MULTI
			GET a
			STRLEN a
			SET a `+long+`
			EXEC
			COMMANDLOG GET -1 large-reply
			COMMANDLOG RESET large-reply
			COMMANDLOG GET -1 large-request
			COMMANDLOG LEN large-request
			COMMANDLOG LEN large-reply
			CONFIG SET commandlog-request-larger-than -1
			CONFIG SET commandlog-reply-larger-than -1
			GET a
			COMMANDLOG LEN large-reply
			COMMANDLOG RESET large-reply
			COMMANDLOG LEN large-reply
			COMMANDLOG GET -1 slow
		`), o)
	})
}

func TestLatencyIsToldAsByTheServer(t *testing.T) {
	skipShort(t)
	livediff.Each(t, func(t *testing.T, g livediff.Target) {
		now := time.Now()
		sim, err := engine.NewServer(g.Name, engine.Options{Clock: func() int64 { return time.Now().UnixMicro() }})
		if err != nil {
			t.Fatal(err)
		}
		sim.Stopwatch = func() time.Duration { return time.Since(now) }
		sim.Sleep = time.Sleep
		numbers := regexp.MustCompile(`\d+`)
		for _, line := range lines(`
			CONFIG SET latency-monitor-threshold 20
			CONFIG RESETSTAT
			DEBUG SLEEP 0.05
			SET a b
			LATENCY LATEST
			LATENCY HISTORY command
			LATENCY HISTORY nosuch
			LATENCY GRAPH nosuch
			LATENCY HISTOGRAM debug
			LATENCY HISTOGRAM client
			LATENCY HISTOGRAM set nosuch SET
			CLIENT ID
			LATENCY HISTOGRAM client
			CONFIG SET latency-tracking-info-percentiles 0
			INFO LATENCYSTATS
			CONFIG SET latency-tracking no
			INFO LATENCYSTATS
			LATENCY RESET nosuch
			LATENCY RESET command nosuch
			LATENCY LATEST
		`) {
			cmd := strings.Fields(line)
			want := fmt.Sprint(g.Real.Do(cmd...))
			sim.Client.Buf = nil
			sim.Client.Do(resp.Bytes(cmd))
			got := fmt.Sprint(parseReply(sim.Client.Buf))
			mask := func(s string) []string { // INFO has no order
				l := strings.Split(numbers.ReplaceAllString(s, "0"), "\n")
				sort.Strings(l)
				return l
			}
			if !slices.Equal(mask(want), mask(got)) {
				t.Errorf("%s\nserver    %s\nsimulated %s", line, want, got)
			}
		}
	})
}
