package golden

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/engine/catalog"
	"github.com/keyloupe/keyloupe/engine/command"
	"github.com/keyloupe/keyloupe/engine/replay"
)

// builds are the golden files' names for builds.
var builds = map[string]string{"oss": "jemalloc", "libc": "libc", "distro": "distro"}

// server is the name of the server that a golden file of the form VERSION-PROFILE tells of.
func server(t *testing.T, file string) string {
	t.Helper()
	base, _, _ := strings.Cut(filepath.Base(file), ".jsonl")
	version, profile, ok := strings.Cut(base, "-")
	if !ok {
		profile = "oss"
	}
	if builds[profile] == "" {
		t.Fatalf("%s: unknown profile", file)
	}
	return version + "@" + builds[profile]
}

// simulated tells which cases can be run so far: those whose commands are all simulated.
func simulated(c *replay.Case) bool {
	for _, cmd := range c.Cmds {
		name := strings.ToLower(cmd[0])
		if name == "xgroup" {
			name = "xgroup|create"
		}
		if known[name] && !command.Simulated(name) {
			return false
		}
	}
	return true
}

// known is every command of the cases that is a command of some release and has no subcommands.
var known = map[string]bool{}

func init() {
	for _, name := range strings.Fields("set hset xadd hsetex zadd pexpireat sadd append rpush persist setrange hdel copy rename scan hpexpireat keys setex srem getex type expire xtrim expireat pexpiretime ltrim lrange touch dbsize exists expiretime hgetall ttl renamenx hget hscan hmget hgetex hgetdel hpersist hmset hincrby hsetnx hstrlen hlen hvals hexists hkeys get xlen hincrbyfloat mset xrevrange psetex incrby lset setbit incrbyfloat getbit xdel xread decrby strlen xrange setnx getdel delifeq sismember lpop smembers mget incr msetnx rpoplpush zpopmin sscan lmove getset getrange sinter bitcount zscore decr zrangebyscore smove smismember zrem linsert lpos msetex lrem unlink zincrby sunionstore llen move zmscore del lindex rpushx hexpireat scard zremrangebyrank zrank httl rpop zpopmax zrange zcard zremrangebyscore hpexpiretime zcount hexpiretime lpush hexpire select xgroup|create") {
		known[name] = true
	}
}

func TestEveryRecordedSequenceRepliesAndTakesWhatTheRealServerDid(t *testing.T) {
	files, _ := filepath.Glob("testdata/sequences/*-*.jsonl.gz")
	if len(files) == 0 {
		t.Fatal("no golden sequences")
	}
	var cases []*replay.Case
	for _, line := range lines(t, "testdata/sequences/cases.jsonl.gz") {
		c, err := replay.Parse(line)
		if err != nil {
			t.Fatal(err)
		}
		cases = append(cases, c)
	}
	for _, f := range files {
		name := server(t, f)
		if line := name[:3]; !catalog.Known(line) {
			t.Logf("%s: no command catalog of %s yet", f, line)
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ran := 0
			for i, line := range lines(t, f) {
				if only := os.Getenv("KEYLOUPE_CASE"); only != "" && only != string(cases[i].ID) || !simulated(cases[i]) {
					continue
				}
				ran++
				compare(t, name, cases[i], line)
			}
			if ran < len(cases) {
				t.Logf("%d of %d cases run, the others have commands that are not simulated yet", ran, len(cases))
			}
		})
	}
}

// recycled names what glibc cut out of a larger freed chunk, 16 bytes larger than a fresh one: which
// blocks those are depends on everything the process freed before (golden README, build libc).
var recycled = map[string]map[string]int{
	"9.1.2@libc": {
		"2457": 16, // one node of a quicklist made by COPY, in all three recordings
		"823":  16, // one of 513 hash entries; the next update of that field gives it back
		"2705": 16, // a value of 8188 bytes
	},
	"9.0.0@libc": {"2705": 16}, // the same value
}

// compare runs one case and reports the first difference.
func compare(t *testing.T, name string, c *replay.Case, golden []byte) {
	t.Helper()
	s, err := engine.NewServer(name, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := replay.Run(s, c)
	if err != nil {
		t.Errorf("case %s: %v", c.ID, err)
		return
	}
	out, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var got, want map[string]any
	if json.Unmarshal(out, &got) != nil || json.Unmarshal(golden, &want) != nil {
		t.Fatalf("case %s: no JSON", c.ID)
	}
	for _, part := range []string{"replies", "after"} {
		g, w := got[part].([]any), want[part].([]any)
		for i := range w {
			if !same(g[i], w[i], recycled[name][string(c.ID)]) {
				t.Errorf("case %s, %s of command %d %.200q: %.300v, real server %.300v", c.ID, part, i, c.Cmds[i], g[i], w[i])
				return
			}
		}
	}
	if !same(got["keys"], want["keys"], recycled[name][string(c.ID)]) {
		t.Errorf("case %s: keys %v, real server %v", c.ID, got["keys"], want["keys"])
	}
}

// same compares values; "?" stands for what a real server does not answer the same every time, and
// a number may be smaller by what recycled names.
func same(got, want any, less int) bool {
	switch w := want.(type) {
	case string:
		return w == "?" || got == want
	case float64:
		g, ok := got.(float64)
		return ok && (g == w || less > 0 && g == w-float64(less))
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			return false
		}
		for i := range w {
			if !same(g[i], w[i], less) {
				return false
			}
		}
		return true
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok || len(g) != len(w) {
			return false
		}
		for k := range w {
			if x, ok := g[k]; !ok || !same(x, w[k], less) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(got, want)
}

func TestSameTakesAQuestionMarkForAnything(t *testing.T) {
	for _, c := range []struct {
		got, want string
		same      bool
	}{{`[1,[2,null]]`, `[1,["?",null]]`, true}, {`[1]`, `[1,2]`, false}, {`{"a":1}`, `{"a":2}`, false}, {`{"a":1}`, `{"b":1}`, false}, {`null`, `1`, false}, {`{"a":[1,"x"]}`, `{"a":[1,"x"]}`, true}} {
		var g, w any
		json.Unmarshal([]byte(c.got), &g)
		json.Unmarshal([]byte(c.want), &w)
		if same(g, w, 0) != c.same {
			t.Error(fmt.Sprint(c))
		}
	}
}
