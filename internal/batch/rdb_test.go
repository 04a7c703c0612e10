package batch

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/engine/release"
	"github.com/keyloupe/keyloupe/internal/golden"
)

// loaded is what a real server told after it had started from a file.
type loaded struct {
	Delta int64 `json:"delta"`
	DBs   map[string]struct {
		Size     int            `json:"dbsize"`
		Overhead map[string]int `json:"overhead"`
		Keys     map[string][4]any
	} `json:"dbs"`
}

func TestFilesLoadIntoTheMemoryOfRealServers(t *testing.T) {
	for _, path := range golden.Files("rdb") {
		base := filepath.Base(path)
		name, server, ok := strings.Cut(strings.TrimSuffix(base, ".json.gz"), "-loaded-in-")
		if !ok {
			continue
		}
		t.Run(name+" in "+golden.Server(server+".tsv.gz"), func(t *testing.T) {
			loadFile(t, filepath.Join(filepath.Dir(path), name+".rdb"), path, golden.Server(server+".tsv.gz"))
		})
	}
}

// heightsDiffer is how far the memory of that many nodes of skiplists may be apart, bytes: their
// heights are random, a level is 16 bytes, and there is one beyond the first with a chance of 1/4, two
// with 1/16 and so on. It is five times the standard deviation of the difference of two drawings; 0
// without skiplists.
func heightsDiffer(members int) float64 {
	const variance = 2 * 0.25 / (0.75 * 0.75)
	return 5 * 16 * math.Sqrt(variance*float64(members))
}

func loadFile(t *testing.T, file, answers, server string) {
	var want loaded
	if err := golden.Lines(answers, func(line []byte) error { return json.Unmarshal(line, &want) }); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Target{Name: server}.start()
	if err != nil {
		t.Fatal(err)
	}
	before := s.Used()
	if _, err := s.LoadRDB(bytes.NewReader(data)); err != nil {
		t.Fatal(err)
	}
	r, checks, members, recycled := &report{t: t, count: map[string]int{}}, 0, 0, 0
	libc := s.Release.Build.ID == release.Libc
	for id, db := range want.DBs {
		i, _ := strconv.Atoi(id)
		s.Do("SELECT", id)
		o := s.Space.DB(i).Overhead()
		checks += 3
		if n := s.Space.DB(i).Len(); n != db.Size {
			r.differ("dbsize", "db %s: %d keys on the server, %d here", id, db.Size, n)
		}
		if main, exp := db.Overhead["overhead.hashtable.main"], db.Overhead["overhead.hashtable.expires"]; o.Main != main || o.Expires != exp {
			r.differ("overhead", "db %s: overhead of keys %d and expires %d on the server, %d and %d here", id, main, exp, o.Main, o.Expires)
		}
		for key, w := range db.Keys {
			checks++
			k, _ := bytesOf(key)
			info, _ := s.KeyInfo(i, k)
			if w[1] == "skiplist" { // its size is "?"
				members += int(s.Do("ZCARD", string(k)).Reply.Int)
			}
			if libc && w[2] == float64(info.Usage+16) { // a chunk cut from a recycled one, see testdata/golden/README.md
				recycled++
				info.Usage += 16
			}
			if got := []any{info.Type, info.Encoding, info.Usage, info.Expire}; !same(generic(w), generic(got)) {
				r.differ("key", "db %s, key %q: %v on the server, %v here", id, key, w, got)
			}
		}
	}
	checks++
	delta := s.Used() - before
	tolerance := heightsDiffer(members)
	off := float64(want.Delta - delta)
	if libc && off > tolerance { // chunks of glibc depend on what was freed before
		tolerance += bulkTolerance * float64(want.Delta)
	}
	if math.Abs(off) > tolerance {
		r.differ("used_memory", "%d bytes more on the server, %d here with %d members of skiplists", want.Delta, delta, members)
	}
	if recycled > 0 {
		t.Logf("%d keys with a recycled chunk", recycled)
	}
	r.done(checks)
}
