//go:build !js

package command_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"testing"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/engine/release"
	rs "github.com/keyloupe/keyloupe/internal/realserver"
)

// realHeights reads the heights of a sorted set's nodes, in order, out of the real process.
func (r *rival) realHeights(rel *release.Release, key string) (out []int, err error) {
	at, err := valueAddress(r.server, r.real, key)
	if err != nil {
		return nil, err
	}
	word := func(at uint64) (v uint64) {
		b, e := r.server.ReadMemory(at, 8)
		if e != nil {
			err = e
			return 0
		}
		return binary.LittleEndian.Uint64(b)
	}
	header := word(at + 8)
	levels := uint64(16)
	if !rel.SkiplistEmbeds {
		header, levels = word(header), 24
	}
	for n := word(header + levels); n != 0 && err == nil; n = word(n + levels) {
		out = append(out, int(word(n+levels+8)))
	}
	return out, err
}

// The heights of nodes are random; here the simulated nodes get those of the real ones, and then
// everything is to be the same: spans, pointers, buckets, members.
func TestEveryByteOfALargeSortedSetIsThatOfTheRealProcess(t *testing.T) {
	if testing.Short() {
		t.Skip("live servers in the long run only")
	}
	rivals(t, func(t *testing.T, r *rival) {
		rel := release.MustParse(r.name)
		for round := range 10 {
			err := r.sameZset(t, rel, rand.New(rand.NewPCG(31, uint64(round))))
			if errors.Is(err, fs.ErrPermission) {
				t.Skip(err)
			} else if err != nil {
				t.Fatalf("round %d: %v", round, err)
			}
		}
	})
}

func (r *rival) sameZset(t *testing.T, rel *release.Release, rnd *rand.Rand) error {
	r.real.Do("FLUSHALL", "SYNC")
	r.real.Do("CONFIG", "SET", "zset-max-listpack-entries", "0")
	defer r.real.Do("CONFIG", "SET", "zset-max-listpack-entries", "128")
	var h history
	var members []string
	for i := range 1 + rnd.IntN(200) {
		members = append(members, fmt.Sprintf("%s%d", pick(rnd, "m", "member:with:more:than:31:bytes:00000", ""), i))
		h = append(h, []string{"ZADD", "key", fmt.Sprint(rnd.IntN(20)), members[i]})
	}
	adds := len(h)
	for range rnd.IntN(60) {
		score := fmt.Sprint(rnd.IntN(20))
		if !rel.SkiplistEmbeds { // a node that moves gets another height there
			break
		}
		h = append(h, []string{"ZADD", "key", score, members[rnd.IntN(len(members))]})
	}
	for _, cmd := range h {
		r.real.Do(cmd...)
	}
	high, err := r.realHeights(rel, "key")
	if err != nil {
		return err
	}
	sim, err := engine.NewServer(r.name, engine.Options{Config: map[string]string{"zset-max-listpack-entries": "0"}})
	if err != nil {
		return err
	}
	of := map[string]int{}
	for i, m := range r.members("key") {
		of[m] = high[i]
	}
	src := &heights{}
	for _, cmd := range h[:adds] {
		src.add(rel, of[cmd[3]])
	}
	sim.SetHeights(src)
	for _, cmd := range h {
		r.ask(sim, cmd)
	}
	for _, samples := range []string{"0", "1", "3", "5", "1000"} {
		cmd := []string{"MEMORY", "USAGE", "key", "SAMPLES", samples}
		if want, got := r.real.Do(cmd...), r.ask(sim, cmd); r.exact && want != got {
			return fmt.Errorf("%v: the real server says %v, the simulated one %v", cmd, want, got)
		}
	}
	return r.sameBytes(sim, "key")
}

func (r *rival) members(key string) (out []string) {
	for _, m := range r.real.Do("ZRANGE", key, "0", "-1").(rs.Array) {
		out = append(out, fmt.Sprint(m))
	}
	return out
}
