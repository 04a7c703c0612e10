//go:build !js

package command_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/engine/release"
	"github.com/keyloupe/keyloupe/internal/livediff"
)

// world makes histories in which the commands of all families meet at a few keys of any length, in several databases,
// while the limits of the encodings change.
type world struct {
	*rand.Rand
	sim  *engine.Server // tells which arguments are keys
	keys []string
	hash *hashHistory
	set  *setGen
	list *listGen
	str  gen
	xs   *streamGen
}

func newWorld(r *rand.Rand, sim *engine.Server, ttl bool) *world {
	w := &world{Rand: r, sim: sim, set: &setGen{r, 150}, list: &listGen{r, []int{64, 100, 300, 1000, 4000, 8000, 8192, 9000}}, str: gen{r}, xs: &streamGen{r, 1}}
	lengths := []int{1, 5, 12, 16, 20, 28, 31, 32, 33, 44, 45, 64, 100, 127, 128, 140, 252, 253, 300}
	for i := range 3 + r.IntN(4) {
		w.keys = append(w.keys, fmt.Sprintf("%.*s", lengths[r.IntN(len(lengths))], strconv.Itoa(i)+strings.Repeat("k", 300)))
	}
	w.hash = &hashHistory{r: r, ttl: ttl, strings: true, sizes: true, keys: w.keys, many: r.IntN(4) == 0}
	return w
}

func (w *world) pick(s ...string) string { return s[w.IntN(len(s))] }

func (w *world) key() string { return w.keys[w.IntN(len(w.keys))] }

// limits are directives that decide encodings and values they take; with the first a history begins.
var limits = [][]string{
	{"hash-max-listpack-entries", "512", "0", "4", "20"}, {"hash-max-listpack-value", "64", "8", "200"},
	{"set-max-intset-entries", "512", "0", "6", "100"}, {"set-max-listpack-entries", "128", "0", "5"}, {"set-max-listpack-value", "64", "4", "100"},
	{"zset-max-listpack-entries", "100000"}, {"zset-max-listpack-value", "100000"}, // skiplists have random heights
	{"list-max-listpack-size", "-2", "-1", "3", "-5", "100"}, {"list-compress-depth", "0", "1", "2", "5"},
	{"stream-node-max-entries", "100", "3", "0"}, {"stream-node-max-bytes", "4096", "200", "0"}, {"hll-sparse-max-bytes", "3000", "100", "0"},
	{"lazyfree-lazy-user-del", "yes", "no"}, {"lazyfree-lazy-server-del", "yes", "no"}, {"maxmemory-policy", "noeviction", "allkeys-lru", "volatile-lfu", "allkeys-lfu"},
}

func (w *world) command() []string {
	switch w.IntN(40) {
	default:
		return w.str.stringCommand()
	case 10, 11, 12:
		return w.str.genericCommand()
	case 13, 14, 15, 16, 17:
		return w.hash.command()
	case 18, 19, 20, 21:
		return w.list.command()
	case 22, 23, 24:
		return w.set.command()
	case 25, 26, 27:
		return zsetCommand(w.Rand)
	case 28, 29, 30:
		return w.xs.command()
	case 31:
		cmd := []string{"PFADD", w.key()}
		for range w.IntN(1 << w.IntN(8)) {
			cmd = append(cmd, fmt.Sprint("e", w.IntN(100000)))
		}
		return cmd
	case 32:
		return []string{"PFMERGE", w.key(), w.key(), w.key()}
	case 33:
		return geoCommand(w.Rand)
	case 34, 35:
		l := limits[w.IntN(len(limits))]
		return []string{"CONFIG", "SET", l[0], l[1+w.IntN(len(l)-1)]}
	case 36:
		return w.database()
	case 37:
		return []string{"DEBUG", "RELOAD"}
	case 38:
		k := w.key()
		return [][]string{{"RENAME", k, w.key()}, {"COPY", k, w.key(), "REPLACE"}, {"PEXPIREAT", k, w.str.at()}, {"PERSIST", k}, {"DEL", k}, {"UNLINK", k}}[w.IntN(6)]
	case 39:
		return []string{"MEMORY", "USAGE", w.key(), "SAMPLES", strconv.Itoa(w.IntN(9))}
	}
}

func (w *world) database() []string {
	db := strconv.Itoa(w.IntN(3))
	return [][]string{{"SELECT", db}, {"SELECT", "0"}, {"SELECT", "0"}, {"MOVE", w.key(), db}, {"COPY", w.key(), w.key(), "DB", db}, {"COPY", w.key(), w.key(), "DB", db, "REPLACE"},
		{"SWAPDB", "0", db}, {"FLUSHDB", w.pick("SYNC", "ASYNC")}, {"FLUSHALL", w.pick("SYNC", "ASYNC")}}[w.IntN(9)]
}

// shared puts keys of the pool in the place of a command's own.
func (w *world) shared(cmd []string) []string {
	if len(cmd) < 2 || w.IntN(6) == 0 {
		return cmd
	}
	args := make([][]byte, len(cmd))
	for i, a := range cmd {
		args[i] = []byte(a)
	}
	out := slices.Clone(cmd)
	for _, k := range w.sim.KeysOf(args) {
		mine := w.key()
		for i := 1; i < len(out); i++ {
			if cmd[i] == string(k) {
				out[i] = mine
			}
		}
	}
	return out
}

// unfit are commands that wait, that tell a time or that a server answers by chance. SORT makes skiplists, whose heights
// are random.
func unfit(cmd []string) bool {
	if slices.Contains(cmd, "536870911") || slices.Contains(cmd, "4294967295") {
		return true // half a gigabyte
	}
	name := strings.ToUpper(cmd[0])
	if name == "DEBUG" {
		return cmd[1] != "RELOAD"
	}
	switch name {
	case "BZPOPMIN", "BZPOPMAX", "BZMPOP", "BLPOP", "BRPOP", "BLMOVE", "BLMPOP", "XINFO", "XPENDING", "SRANDMEMBER", "ZRANDMEMBER", "HRANDFIELD", "SORT", "SORT_RO", "MULTI", "EXEC", "WATCH", "DISCARD", "EXPIRETIME", "PEXPIRETIME", "TTL", "PTTL":
		return true
	case "SPOP":
		return len(cmd) < 3 || cmd[2] != "100000"
	case "OBJECT":
		return strings.EqualFold(cmd[1], "FREQ")
	case "GEOSEARCH":
		return slices.Contains(cmd, "BYPOLYGON") // 9.0.0 forgets to free the points of one that is refused
	case "XADD":
		return slices.Contains(cmd, "*") || len(cmd) == 2
	case "XCLAIM", "XAUTOCLAIM":
		return len(cmd) > 4 && cmd[4] != "0"
	case "SET", "SETEX", "PSETEX", "GETEX", "MSETEX", "EXPIRE", "PEXPIRE":
		return slices.Contains(cmd, "100000000") || slices.Contains(cmd, "100000000000")
	}
	return false
}

func (w *world) history(n int) (h livediff.History) {
	for len(h) < n {
		if cmd := w.shared(w.command()); !unfit(cmd) {
			h = append(h, cmd)
		}
	}
	return h
}

// TestHistoriesOfAllFamiliesTakeTheMemoryThatRealServersTake compares replies and sizes after every command, and at its end
// what a history added to used_memory.
func TestHistoriesOfAllFamiliesTakeTheMemoryThatRealServersTake(t *testing.T) {
	if testing.Short() {
		t.Skip("live servers in the long run only")
	}
	var defaults livediff.History
	for _, l := range limits {
		defaults = append(defaults, []string{"CONFIG", "SET", l[0], l[1]})
	}
	livediff.Each(t, func(t *testing.T, g livediff.Target) {
		if !g.Sizes {
			t.Skip("glibc's chunks depend on the process's past")
		}
		sim, err := engine.NewServer(g.Name, engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		rel := release.MustParse(g.Name)
		ttl := rel.FieldTTL && rel.UntracksOverwritten // without that a server crashes now and then
		g.Random(t, livediff.Options{Seed: 5000, Rounds: 40, Used: true, Again: 4, Begin: defaults,
			Equal: func(cmd []string, real, simulated []byte) bool {
				return sameKeys(cmd, real, simulated) || sameSet(cmd, real, simulated)
			},
			Generate: func(r *rand.Rand) livediff.History { return newWorld(r, sim, ttl).history(20 + r.IntN(150)) }})
	})
}
