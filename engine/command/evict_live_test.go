//go:build !js

package command_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/engine/resp"
	"github.com/keyloupe/keyloupe/internal/livediff"
	rs "github.com/keyloupe/keyloupe/internal/realserver"
)

// Keys of 100,000 bytes are far larger than what a server takes for a while, and all of them are in a sample of 64: so which
// of them go does not depend on chance.
func TestTheKeysThatPoliciesNameAreEvicted(t *testing.T) {
	skipShort(t)
	restored := map[string][]string{ // options of RESTORE
		"noeviction":   {"", "", "", "", ""},
		"allkeys-lru":  {"IDLETIME 50", "IDLETIME 10", "IDLETIME 40", "IDLETIME 30", "IDLETIME 20"},
		"volatile-lru": {"IDLETIME 50", "IDLETIME 10", "IDLETIME 40 EX", "IDLETIME 30 EX", "IDLETIME 20"},
		"allkeys-lfu":  {"FREQ 1", "FREQ 200", "FREQ 2", "FREQ 4", "FREQ 3"},
		"volatile-lfu": {"FREQ 1", "FREQ 200 EX", "FREQ 2 EX", "FREQ 4", "FREQ 3"},
		"volatile-ttl": {"EX 500", "EX 100", "EX 400", "EX 300", ""},
	}
	livediff.Each(t, func(t *testing.T, g livediff.Target) {
		w := newCrowd(t, g, 1)
		both := func(args ...string) (real, simulated any) {
			w.sim[0].Buf = nil
			w.sim[0].Do(resp.Bytes(args))
			return w.real[0].Do(args...), parseReply(w.sim[0].Buf)
		}
		both("CONFIG", "SET", "maxmemory-samples", "64")
		for policy, options := range restored {
			both("CONFIG", "SET", "maxmemory", "0", "maxmemory-policy", policy)
			both("FLUSHALL", "SYNC")
			w.real[0].Do("SET", "dumped", strings.Repeat("x", 100_000))
			dump := string(w.real[0].Do("DUMP", "dumped").(rs.Bulk))
			w.real[0].Do("DEL", "dumped")
			for i := range options {
				o := strings.Fields(options[i])
				n := "0"
				if i := slices.Index(o, "EX"); i >= 0 {
					n = "1000000"
					if i+1 < len(o) {
						n = o[i+1] + "000"
					}
					o = o[:i]
				}
				both(append([]string{"RESTORE", fmt.Sprint(policy, i), n, dump}, o...)...)
			}
			before, simBefore := evicted(w.real[0].Do("INFO", "STATS")), evicted(second(both("INFO", "STATS")))
			limit := func(c any) string { return fmt.Sprint(infoNumber(c, "used_memory") - 150_000) }
			w.real[0].Do("CONFIG", "SET", "maxmemory", limit(w.real[0].Do("INFO", "MEMORY")))
			w.sim[0].Do(resp.Bytes([]string{"CONFIG", "SET", "maxmemory", limit(second(both("INFO", "MEMORY")))}))
			for _, cmd := range []string{"EXISTS $0", "EXISTS $1", "EXISTS $2", "EXISTS $3", "EXISTS $4", "DBSIZE", "SET x y"} {
				cmd = strings.ReplaceAll(cmd, "$", policy)
				if real, sim := both(strings.Fields(cmd)...); real != sim {
					t.Errorf("%s: server %v, simulated %v", cmd, real, sim)
				}
			}
			real, sim := both("INFO", "STATS")
			if r, s := evicted(real)-before, evicted(sim)-simBefore; r != s {
				t.Errorf("%s: server evicted %d, simulated %d", policy, r, s)
			}
		}
		both("CONFIG", "SET", "maxmemory", "0", "maxmemory-policy", "noeviction")
	})
}

func TestKeysAreCountedAsOftenAsTheyAreUsed(t *testing.T) {
	skipShort(t)
	livediff.Each(t, func(t *testing.T, g livediff.Target) {
		g.Compare(t, asHistory(`
			CONFIG SET maxmemory-policy allkeys-lfu lfu-log-factor 0
			SET a 1
			OBJECT FREQ a
			GET a
			GET a
			INCR a
			OBJECT FREQ a
			SET a 2
			OBJECT FREQ a
			EXISTS a
			TOUCH a
			TTL a
			OBJECT FREQ a
			RENAME a b
			OBJECT FREQ b
			COPY b c
			OBJECT FREQ c
			HSET h f v
			HGET h f
			OBJECT FREQ h
			OBJECT IDLETIME h
			CONFIG SET lfu-log-factor 10000000
			GET h
			GET h
			OBJECT FREQ h
			CONFIG SET maxmemory-policy noeviction lfu-log-factor 10
			OBJECT FREQ h
		`), livediff.Options{Unsized: func([]string) bool { return true }})
	})
}

func second(_, x any) any { return x }

// infoNumber reads a field of INFO.
func infoNumber(info any, name string) (n int64) {
	_, rest, _ := strings.Cut(fmt.Sprint(info), name+":")
	fmt.Sscan(rest, &n)
	return n
}

func evicted(info any) int64 { return infoNumber(info, "evicted_keys") }
