package command_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/engine/release"
)

// heights gives nodes the heights it is told, one after the other.
type heights struct{ draws []uint64 }

func (h *heights) Uint64() (v uint64) {
	v, h.draws = h.draws[0], h.draws[1:]
	return v
}

// add appends the draws from which the server makes a height.
func (h *heights) add(r *release.Release, height int) {
	if r.SkiplistEmbeds {
		h.draws = append(h.draws, 1<<(63-2*(height-1)))
		return
	}
	for range height - 1 {
		h.draws = append(h.draws, 0)
	}
	h.draws = append(h.draws, 1<<63)
}

// One member of 65 bytes under a key of 16, whose node has a height of 1, 2 or 3: what real servers
// answered to MEMORY USAGE (valkey-memory.md 6.2), and what they had allocated beyond it.
func TestALargeSortedSetTakesWhatRealServersSay(t *testing.T) {
	for server, c := range map[string]struct {
		usage  []int
		hidden int // the blocks' sizes beyond MEMORY USAGE
	}{
		"7.2.7": {[]int{984}, 0}, "8.0.1": {[]int{976}, 0}, "8.1.1": {[]int{960}, 8 + 40 - 16},
		"8.1.8": {[]int{984, 1000, 1024}, 8}, "9.0.0": {[]int{984, 1000, 1024}, 8}, "9.1.2": {[]int{840, 856}, 112},
		"9.0.0@libc": {[]int{872, 888, 904}, 3 * 8}, "9.1.2@libc": {[]int{832, 848}, 4 * 8},
	} {
		for i, want := range c.usage {
			s, err := engine.NewServer(server, engine.Options{})
			if err != nil {
				t.Fatal(err)
			}
			src := &heights{}
			src.add(release.MustParse(server), i+1)
			s.SetHeights(src)
			key := strings.Repeat("k", 16)
			s.Do("SET", "warm", "x")
			before := s.Used()
			s.Do("ZADD", key, "1", strings.Repeat("m", 65))
			if got := s.Do("MEMORY", "USAGE", key).Reply.Int; int(got) != want {
				t.Errorf("%s, height %d: MEMORY USAGE %d, want %d", server, i+1, got, want)
			}
			var pic layout.Picture
			if _, ok := s.Picture(&pic, s.Client.DB, []byte(key)); !ok {
				t.Fatal("no picture")
			}
			if pic.Total() != want+c.hidden || int64(pic.Total()) != s.Used()-before {
				t.Errorf("%s, height %d: %d bytes in its blocks, %d of used_memory, want %d", server, i+1, pic.Total(), s.Used()-before, want+c.hidden)
			}
		}
	}
}

func TestSortedSetCommandsLeaveNothingBehind(t *testing.T) {
	for _, line := range release.Lines() {
		for _, build := range release.BuildNames() {
			server := line + ".1@" + build
			s, err := engine.NewServer(server, engine.Options{Config: map[string]string{"zset-max-listpack-entries": "4"}})
			if err != nil {
				t.Fatal(err)
			}
			do := func(f string, args ...any) { s.Do(strings.Fields(fmt.Sprintf(f, args...))...) }
			for i := range 40 {
				do("ZADD a %d m%d %d n%d", i%7, i, i, i%5)
				do("ZADD b %d m%d", i, i*2)
				do("SADD c m%d", i*3)
			}
			do("ZUNIONSTORE u 3 a b c WEIGHTS 1 2 3 AGGREGATE MAX")
			do("ZINTERSTORE i 2 a b")
			do("ZDIFFSTORE d 2 a c")
			do("ZRANGESTORE r a 0 -1 REV")
			do("GEOADD g 13 38 p1 14 38 p2 15 39 p3")
			do("GEOSEARCHSTORE gs g FROMMEMBER p1 BYRADIUS 500 km STOREDIST")
			do("SORT a BY nosort GET # STORE sorted")
			for _, c := range []string{"ZUNION 2 a b", "ZINTER 2 a b WITHSCORES", "ZDIFF 2 a c", "ZPOPMAX a 3", "ZREMRANGEBYSCORE a 2 4", "ZREMRANGEBYRANK a 0 1", "ZREM a m1 m2", "ZRANDMEMBER b -5", "COPY a a2"} {
				do("%s", c)
			}
			sum := 0
			s.Client.DB.Each(func(key []byte, _ heap.Ptr) bool {
				var pic layout.Picture
				s.Picture(&pic, s.Client.DB, key)
				sum += pic.Total()
				return true
			})
			keys := s.Used()
			do("FLUSHALL SYNC")
			if left := s.Used(); keys-left < int64(sum) {
				t.Errorf("%s: FLUSHALL gave back %d bytes, the keys' blocks have %d", server, keys-left, sum)
			}
			do("ZADD a 1 x")
			do("DEL a")
			was := s.Used()
			do("ZADD a 1 %s", strings.Repeat("y", 100))
			do("ZPOPMIN a")
			if s.Used() != was {
				t.Errorf("%s: %d bytes are left of a sorted set", server, s.Used()-was)
			}
		}
	}
}
