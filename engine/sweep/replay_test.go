package sweep_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/engine/catalog"
	"github.com/keyloupe/keyloupe/engine/populate"
	"github.com/keyloupe/keyloupe/engine/release"
	"github.com/keyloupe/keyloupe/engine/resp"
	"github.com/keyloupe/keyloupe/engine/sweep"
)

// replayed are the releases whose arithmetic is held against the heap, in every build: the newest
// of each line, and the patches at which a rule changes.
var replayed = []string{"7.2.14", "8.0.10", "8.1.1", "8.1.9", "9.0.0", "9.0.6", "9.1.0", "9.1.2"}

const points = 10_000

func TestASweepCostsWhatReplayingItsCommandsCosts(t *testing.T) {
	n := points
	if testing.Short() {
		n /= 20
	}
	for _, version := range replayed {
		for _, build := range release.BuildNames() {
			server := version + "@" + build
			t.Run(server, func(t *testing.T) {
				t.Parallel()
				rng := rand.New(rand.NewPCG(5, uint64(len(version)*31+len(build))))
				var s *engine.Server
				for i := range n {
					fresh := i%50 == 0
					if fresh {
						s = start(t, server)
					}
					if !replay(t, s, fresh, randomPoint(rng, version)) {
						return
					}
				}
			})
		}
	}
}

// point is one shape, as the fields of a specification.
type point map[string]string

func (p point) String() string {
	var s []string
	for _, f := range sweep.Fields() {
		if v, ok := p[f.Name]; ok {
			s = append(s, f.Name+"="+v)
		}
	}
	return strings.Join(s, " ")
}

func pick[T any](rng *rand.Rand, of ...T) T { return of[rng.IntN(len(of))] }

// length is mostly short, at times near a boundary, seldom long.
func length(rng *rand.Rand, least int) int {
	switch rng.IntN(20) {
	case 0:
		return max(least, pick(rng, 31, 32, 44, 45, 63, 64, 65, 116, 117, 127, 128, 252, 253, 255, 256, 257)+rng.IntN(3)-1)
	case 1:
		return least + rng.IntN(3000)
	}
	return least + rng.IntN(200)
}

func randomPoint(rng *rand.Rand, version string) point {
	p := point{"key": strconv.Itoa(length(rng, 8)), "keys": "1", "hash_seed_hex": engine.DefaultSeed}
	ttl := pick(rng, "none", "key")
	if rng.IntN(2) == 0 {
		p["value"] = strconv.Itoa(length(rng, 0))
		if rng.IntN(300) == 0 {
			p["value"] = strconv.Itoa(pick(rng, 32767, 32768, 40000, 65528, 65529, 65530, 65531, 65535, 65536, 100_000, 131_000, 200_000))
		}
		p["history"] = pick(rng, "set", "set+pexpire")
	} else {
		p["type"] = "hash"
		p["value"], p["field"] = strconv.Itoa(length(rng, 0)), strconv.Itoa(length(rng, 3))
		fields := pick(rng, 1, 1, 1, 2, 3, 1+rng.IntN(8), 1+rng.IntN(20), 1+rng.IntN(127))
		if rng.IntN(30) == 0 {
			fields = 500 + rng.IntN(200)
		}
		p["history"] = pick(rng, "set", "set+pexpire", "hset", "hset+hexpire", "hsetex")
		if release.MustParse(version).FieldTTL && p["history"] != "hset" && rng.IntN(3) == 0 {
			ttl = "field"
			fields = min(fields, 127) // with more the set of volatile fields hashes addresses
		} else if p["history"] == "hsetex" {
			p["history"] = "hset"
		}
		p["fields"] = strconv.Itoa(fields)
	}
	if rng.IntN(6) == 0 {
		p["value_kind"] = "int"
		p["value"] = strconv.Itoa(1 + rng.IntN(20))
	}
	p["ttl"] = ttl
	return p
}

func row(t *testing.T, server string, p point) (out sweep.Row, cmds [][]string) {
	t.Helper()
	s := sweep.Default()
	for name, value := range p {
		if err := s.Set(name, value); err != nil {
			t.Fatal(p, err)
		}
	}
	if err := s.Set("servers", server); err != nil {
		t.Fatal(err)
	}
	plan, err := sweep.New(s, 1)
	if err != nil {
		t.Fatal(p, err)
	}
	for r := range plan.Rows {
		out, cmds = *r, plan.Commands(r)
	}
	return out, cmds
}

func start(t *testing.T, server string) *engine.Server {
	t.Helper()
	r := release.MustParse(server)
	if !catalog.Known(r.Line.String()) {
		t.Skipf("%s is not simulated yet", server)
	}
	s, err := engine.NewServer(server, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// replay compares one point with a server that is given its commands. On a fresh one used_memory is
// compared too: the tables of the keyspace come with the first key, and stay.
func replay(t *testing.T, s *engine.Server, fresh bool, p point) bool {
	t.Helper()
	server := s.Release.Name()
	want, cmds := row(t, server, p)
	width, _ := strconv.Atoi(p["key"])
	key := string(sweep.AppendKey(nil, 0, 1, width))
	before := s.Used()
	for _, c := range cmds {
		if e := s.Do(c...); e.Crashed != "" || e.Reply.Kind == resp.ErrorReply {
			t.Fatalf("%s %v: %.60v: %v %s", server, p, c, e.Reply, e.Crashed)
		}
	}
	grew := s.Used() - before
	k, err := s.Layout(key)
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprintf("%s usage %d allocated %d", k.Encoding, k.Usage, k.Total)
	exp := fmt.Sprintf("%s usage %v allocated %v", want.Encoding, want.Usage, want.Allocated)
	if fresh {
		got += fmt.Sprintf(" used_memory %d", grew)
		exp += fmt.Sprintf(" used_memory %v", want.PerKey)
	}
	s.Do("FLUSHALL")
	if got != exp {
		t.Errorf("%s %v\nheap:  %s\nsweep: %s", server, p, got, exp)
		return false
	}
	return true
}

// The keys of a sweep are given to a server, whose cron then has all the time it needs: what used_memory grew by is what the
// row says for all of them, where tables are full to the last position too.
func TestTheTablesOfASweepAreThoseOfASettledServer(t *testing.T) {
	for _, server := range replayed {
		for _, keys := range []int{1, 3, 4, 5, 7, 8, 9, 14, 16, 28, 29, 64, 112, 128, 448, 449} {
			for _, ttl := range []string{"none", "key"} {
				p := point{"key": "16", "value": "20", "ttl": ttl, "keys": strconv.Itoa(keys), "hash_seed_hex": engine.DefaultSeed}
				want, _ := row(t, server, p)
				s := start(t, server)
				before := s.Used()
				for i := range keys {
					cmd := []string{"SET", string(sweep.AppendKey(nil, i, keys, 16)), strings.Repeat("v", 20), "PXAT", "4102444800000"}
					if ttl == "none" {
						cmd = cmd[:3]
					}
					s.Do(cmd...)
				}
				populate.Settle(s)
				if got, exp := s.Used()-before, math.Round(float64(want.PerKey)*float64(keys)/1e6); float64(got) != exp {
					t.Errorf("%s, %d keys, ttl %s: used_memory grew by %d, the sweep says %v", server, keys, ttl, got, exp)
				}
			}
		}
	}
}
