package main

import (
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	rs "github.com/keyloupe/keyloupe/internal/realserver"
)

// fill makes keys of every type and encoding on a server.
func fill(c *rs.Client, hashTTL bool) {
	for i := range 300 {
		n := strconv.Itoa(i)
		c.Do("SET", "user:"+n, strings.Repeat("v", i))
		c.Do("SET", "count:"+n, n)
		c.Do("HSET", "cart:"+n, "item", strings.Repeat("x", i%100))
		c.Do("HSET", "wide", "field:"+n, n)
		c.Do("RPUSH", "queue", strings.Repeat("job", i))
		c.Do("RPUSH", "short:"+n, n, "a")
		c.Do("SADD", "ids", n)
		c.Do("SADD", "words", "word:"+n)
		c.Do("SADD", "few:"+n, "a", n)
		c.Do("ZADD", "board", n, "player:"+n)
		c.Do("ZADD", "small:"+n, n, "a")
		c.Do("XADD", "log", "1-"+strconv.Itoa(i+1), "n", n)
		c.Do("PFADD", "seen", n)
		if i%3 == 0 {
			c.Do("PEXPIREAT", "user:"+n, "4102444800000")
		}
		if hashTTL {
			c.Do("HSETEX", "session:"+n, "PXAT", "4102444800000", "FIELDS", "1", "token", n)
		}
	}
	c.Do("XGROUP", "CREATE", "log", "g", "0")
	c.Do("XREADGROUP", "GROUP", "g", "alice", "COUNT", "5", "STREAMS", "log", ">")
	c.Do("SELECT", "3")
	c.Do("SET", "other", "database")
	c.Do("SELECT", "0")
}

// usedMemory is a server's used_memory with one client, whose reply buffer stays as large as it began.
func usedMemory(t *testing.T, c *rs.Client) int64 {
	t.Helper()
	c.Do("DEBUG", "REPLYBUFFER", "RESIZING", "0")
	for _, line := range strings.Split(fmt.Sprint(c.Do("INFO", "memory")), "\r\n") {
		if value, ok := strings.CutPrefix(line, "used_memory:"); ok {
			n, err := strconv.ParseInt(value, 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
	}
	t.Fatal("INFO has no used_memory")
	return 0
}

// TestImportedDumpsTakeWhatRealServersTake: a real server saves its keys; another one starts from the file, and import reads it.
func TestImportedDumpsTakeWhatRealServersTake(t *testing.T) {
	for _, v := range []rs.Version{rs.V818, rs.V900, rs.V912} {
		t.Run(v.Number, func(t *testing.T) {
			options := []rs.Option{rs.FixedSeed(), rs.Flags("--latency-tracking", "no", "--slowlog-log-slower-than", "-1")}
			build := "@libc"
			if !v.Static {
				options, build = append(options, rs.Distro()), "@distro"
			}
			dir := t.TempDir()
			writer := rs.Start(t, v, append(options, rs.Flags("--dir", dir))...)
			fill(writer.Client(), v.Line != "8.1")
			if got := writer.Do("SAVE"); got != rs.Status("OK") {
				t.Fatal(got)
			}
			empty := rs.Start(t, v, options...)
			reader := rs.Start(t, v, append(options, rs.Flags("--dir", dir))...)
			_, inv := inventoryOf(t, filepath.Join(dir, "dump.rdb"), "--server", v.Number+build, "--top", "1M")

			const members = 300                                               // of the one skiplist, whose heights are random
			random := 5 * 16 * math.Sqrt(2*0.25/(0.75*0.75)*float64(members)) // see internal/batch/rdb_test.go
			grown := usedMemory(t, reader.Client()) - usedMemory(t, empty.Client())
			off := inv.Servers[0].Used - grown
			if build == "@libc" {
				random += 0.02 * float64(grown) // chunks depend on what was freed before
			}
			if math.Abs(float64(off)) > random {
				t.Errorf("used_memory grew by %d on the server, %d here", grown, inv.Servers[0].Used)
			}
			differ := 0
			for _, k := range inv.Biggest {
				reader.Do("SELECT", strconv.Itoa(k.DB))
				usage, _ := strconv.ParseInt(fmt.Sprint(reader.Do("MEMORY", "USAGE", k.Key, "SAMPLES", "0")), 10, 64)
				encoding := fmt.Sprint(reader.Do("OBJECT", "ENCODING", k.Key))
				here := k.Servers[0]
				recycled := build == "@libc" && usage == here.Usage+16
				if encoding != here.Encoding || usage != here.Usage && encoding != "skiplist" && !recycled {
					differ++
					t.Errorf("%s in database %d: %s, %d bytes on the server; %s, %d here", k.Key, k.DB, encoding, usage, here.Encoding, here.Usage)
				}
			}
			t.Logf("%d keys, %d differ; used_memory grew by %d, %+d here", inv.Servers[0].Keys, differ, grown, off)
		})
	}
}
