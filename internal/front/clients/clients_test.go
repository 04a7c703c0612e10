//go:build !js

// Package clients runs one end-to-end script through the clients that people use: redis-py, iovalkey
// for Node, valkey-go and valkey-cli. Each prints what it got, and all must print the same. A client
// that cannot be had skips its test, or fails it where KEYLOUPE_REQUIRE_CLIENTS=1.
package clients

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/valkey-io/valkey-go"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/internal/front"
	"github.com/keyloupe/keyloupe/internal/realserver"
)

//go:embed testdata/want.txt
var want string

// The pinned clients.
const (
	redisPy  = "redis==8.1.0"
	iovalkey = "iovalkey@0.4.0"
)

// serve starts a server for a test and returns its port.
func serve(t *testing.T) string {
	t.Helper()
	clock := front.NewClock()
	s, err := engine.NewServer("9.1.2", engine.Options{Clock: clock.Now})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- front.New([]*engine.Server{s}, clock).Serve(ctx, l) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

func compare(t *testing.T, got string) {
	t.Helper()
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(g), len(w)) {
		if i >= len(g) || i >= len(w) || strings.TrimSpace(g[i]) != w[i] {
			t.Fatalf("line %d differs:\n%s\nwant\n%s", i+1, got, want)
		}
	}
}

// without skips a test whose client cannot be had.
func without(t *testing.T, client string, err error) {
	t.Helper()
	text := fmt.Sprintf("%s cannot be had here: %v (KEYLOUPE_CACHE names a folder where it may be kept)", client, err)
	if os.Getenv("KEYLOUPE_REQUIRE_CLIENTS") == "1" {
		t.Fatal(text)
	}
	t.Skip(text)
}

// installed is a folder of the cache that a package was installed into, by a command of which %s is
// the folder.
func installed(t *testing.T, name string, command ...string) string {
	t.Helper()
	cache, err := realserver.CacheDir()
	if err != nil {
		without(t, name, err)
	}
	dir := filepath.Join(cache, "clients", strings.NewReplacer("=", "-", "@", "-").Replace(name))
	if _, err := os.Stat(filepath.Join(dir, "complete")); err == nil {
		return dir
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		without(t, name, err)
	}
	tmp, err := os.MkdirTemp(filepath.Dir(dir), "new-")
	if err != nil {
		without(t, name, err)
	}
	defer os.RemoveAll(tmp)
	for i, a := range command {
		command[i] = strings.ReplaceAll(a, "%s", tmp)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	if out, err := exec.CommandContext(ctx, command[0], command[1:]...).CombinedOutput(); err != nil {
		without(t, name, fmt.Errorf("%s: %w\n%s", command[0], err, out))
	}
	if err := os.WriteFile(filepath.Join(tmp, "complete"), nil, 0o644); err != nil {
		without(t, name, err)
	}
	if err := os.Rename(tmp, dir); err != nil && !errors.Is(err, os.ErrExist) {
		if _, e := os.Stat(filepath.Join(dir, "complete")); e != nil { // else another process was faster
			without(t, name, err)
		}
	}
	return dir
}

// script runs a client's program.
func script(t *testing.T, env string, command ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Env = append(os.Environ(), env, "PYTHONUTF8=1")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s%s", err, out, stderr.Bytes())
	}
	return string(out)
}

func TestRedisPy(t *testing.T) {
	dir := installed(t, redisPy, "python3", "-m", "pip", "install", "--quiet", "--no-deps", "--only-binary=:all:", "--target", "%s", redisPy)
	compare(t, script(t, "PYTHONPATH="+dir, "python3", "testdata/client.py", serve(t)))
}

func TestNode(t *testing.T) {
	dir := installed(t, iovalkey, "npm", "install", "--silent", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", "%s", iovalkey)
	compare(t, script(t, "CLIENTS="+dir, "node", "testdata/client.mjs", serve(t)))
}

func TestValkeyGo(t *testing.T) {
	port := serve(t)
	connect := func() valkey.Client {
		c, err := valkey.NewClient(valkey.ClientOption{InitAddress: []string{"127.0.0.1:" + port}, DisableCache: true})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(c.Close)
		return c
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	a, b := connect(), connect()
	do := func(args ...string) valkey.ValkeyResult { return a.Do(ctx, a.B().Arbitrary(args...).Build()) }
	text := func(args ...string) string {
		s, err := do(args...).ToString()
		if err != nil {
			t.Fatalf("%v: %v", args, err)
		}
		return s
	}
	number := func(args ...string) int64 {
		n, err := do(args...).AsInt64()
		if err != nil {
			t.Fatalf("%v: %v", args, err)
		}
		return n
	}
	list := func(args ...string) []string {
		l, err := do(args...).AsStrSlice()
		if err != nil {
			t.Fatalf("%v: %v", args, err)
		}
		return l
	}
	var out strings.Builder
	print := func(words ...any) { fmt.Fprintln(&out, words...) }

	if text("PING") == "PONG" {
		print("ping True")
	}
	text("SET", "k", "v", "EX", "1000")
	print("get", text("GET", "k"), number("TTL", "k"))
	var many valkey.Commands
	for range 100 {
		many = append(many, a.B().Incr().Key("n").Build())
	}
	last, _ := a.DoMulti(ctx, many...)[99].AsInt64()
	print("pipeline", last)
	number("HSET", "h", "f1", "1", "f2", "2")
	h, _ := do("HGETALL", "h").AsStrMap()
	var fields []string
	for _, f := range slices.Sorted(maps.Keys(h)) {
		fields = append(fields, f+"="+h[f])
	}
	print("hash", strings.Join(fields, " "))
	number("RPUSH", "l", "a", "b", "c")
	print("list", strings.Join(list("LRANGE", "l", "0", "-1"), " "))
	number("ZADD", "z", "1", "x", "2.5", "y")
	z, _ := do("ZRANGE", "z", "0", "-1", "WITHSCORES").AsZScores()
	print("zset", fmt.Sprintf("%s=%g %s=%g", z[0].Member, z[0].Score, z[1].Member, z[1].Score))
	err := a.Dedicated(func(c valkey.DedicatedClient) error {
		c.Do(ctx, c.B().Watch().Key("n").Build())
		b.Do(ctx, b.B().Incr().Key("n").Build())
		r := c.DoMulti(ctx, c.B().Multi().Build(), c.B().Set().Key("n").Value("0").Build(), c.B().Exec().Build())
		if !valkey.IsValkeyNil(r[2].Error()) {
			return errors.New("watch missed")
		}
		print("watch conflict", text("GET", "n"))
		r = c.DoMulti(ctx, c.B().Multi().Build(), c.B().Incr().Key("n").Build(), c.B().Get().Key("n").Build(), c.B().Exec().Build())
		both, err := r[3].ToArray()
		if err != nil {
			return err
		}
		n, _ := both[0].AsInt64()
		s, _ := both[1].ToString()
		print("multi", n, s)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	popped := make(chan []string, 1)
	go func() {
		l, _ := b.Do(ctx, b.B().Blpop().Key("q").Timeout(20).Build()).AsStrSlice()
		popped <- l
	}()
	for !strings.Contains(text("CLIENT", "LIST"), "cmd=blpop") {
	}
	number("RPUSH", "q", "job")
	print("blpop", strings.Join(<-popped, " "))
	message, subscribed := make(chan string, 1), make(chan bool, 1)
	go b.Receive(valkey.WithOnSubscriptionHook(ctx, func(s valkey.PubSubSubscription) { subscribed <- true }),
		b.B().Subscribe().Channel("c").Build(), func(m valkey.PubSubMessage) { message <- m.Channel + " " + m.Message })
	<-subscribed
	number("PUBLISH", "c", "hello")
	print("message", <-message)
	many = nil
	for i := range 1000 {
		many = append(many, a.B().Set().Key(fmt.Sprint("s:", i)).Value(fmt.Sprint(i)).Build())
	}
	a.DoMulti(ctx, many...)
	seen := map[string]bool{}
	for cursor := uint64(0); ; {
		e, err := a.Do(ctx, a.B().Scan().Cursor(cursor).Match("s:*").Build()).AsScanEntry()
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range e.Elements {
			seen[k] = true
		}
		if cursor = e.Cursor; cursor == 0 {
			break
		}
	}
	print("scan", len(seen))
	print("encoding", text("OBJECT", "ENCODING", "h"), text("OBJECT", "ENCODING", "n"))
	print("error", strings.TrimPrefix(do("INCR", "l").Error().Error(), "WRONGTYPE "))
	text("SET", "big", strings.Repeat("x", 1<<20))
	print("big", len(text("GET", "big")), number("STRLEN", "big"))
	print("unicode", text("ECHO", "héllo"))
	text("CLIENT", "SETNAME", "me")
	print("client", text("CLIENT", "GETNAME"), title(strings.Contains(text("CLIENT", "INFO"), " name=me ")))
	received := make(chan valkey.PubSubMessage, 10)
	listen := func(patterns ...string) {
		ready := make(chan bool, 1)
		go b.Receive(valkey.WithOnSubscriptionHook(ctx, func(valkey.PubSubSubscription) { ready <- true }),
			b.B().Psubscribe().Pattern(patterns...).Build(), func(m valkey.PubSubMessage) { received <- m })
		<-ready
	}
	listen("news.*")
	number("PUBLISH", "news.a", "hi")
	m := <-received
	print("pattern", m.Pattern, m.Channel, m.Message)
	text("CONFIG", "SET", "notify-keyspace-events", "KEA")
	listen("__keyspace@0__:ev*")
	text("SET", "evented", "1")
	m = <-received
	print("event", m.Channel, m.Message)
	err = a.Dedicated(func(c valkey.DedicatedClient) error {
		id, err := c.Do(ctx, c.B().ClientId().Build()).ToInt64()
		if err != nil {
			return err
		}
		waits := make(chan error, 1)
		go func() { waits <- c.Do(ctx, c.B().Blpop().Key("nothing").Timeout(20).Build()).Error() }()
		for number("CLIENT", "UNBLOCK", fmt.Sprint(id), "ERROR") == 0 { // it does not wait yet
		}
		print("unblocked", title(strings.HasPrefix((<-waits).Error(), "UNBLOCKED")))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	caching, err := valkey.NewClient(valkey.ClientOption{InitAddress: []string{"127.0.0.1:" + port}})
	if err != nil {
		t.Fatal(err)
	}
	defer caching.Close()
	cached := func() valkey.ValkeyResult {
		return caching.DoCache(ctx, caching.B().Get().Key("c").Cache(), time.Minute)
	}
	text("SET", "c", "1")
	first, _ := cached().ToString()
	if again := cached(); !again.IsCacheHit() {
		t.Error("nothing was cached")
	}
	text("SET", "c", "2")
	second := first
	for second == first {
		second, _ = cached().ToString()
	}
	print("cached", first, second)
	many = nil
	var keys []string
	for i := range 5000 {
		keys = append(keys, fmt.Sprint("m:", i))
		many = append(many, a.B().Set().Key(keys[i]).Value(strings.Repeat("x", 200)).Build())
	}
	a.DoMulti(ctx, many...)
	values := list(append([]string{"MGET"}, keys...)...)
	print("many", len(values), len(strings.Join(values, "")))
	print("refused", title(strings.Contains(do("EVAL", "return 1", "0").Error().Error(), "not simulated")))
	verbatim := strings.TrimPrefix(text("KEYLOUPE", "COMPARE", "n"), "txt:") // valkey-go leaves the format in
	print("keyloupe", strings.Fields(verbatim)[0])
	compare(t, out.String())
}

// title is a truth as Python prints it.
func title(b bool) string {
	if b {
		return "True"
	}
	return "False"
}

func TestValkeyCLI(t *testing.T) {
	path, err := realserver.FindCLI()
	if err != nil {
		without(t, "valkey-cli", err)
	}
	port := serve(t)
	var out strings.Builder
	print := func(words ...string) { fmt.Fprintln(&out, strings.Join(words, " ")) }
	cli := func(stdin string, args ...string) []string {
		cmd := exec.Command(path, append([]string{"-3", "-p", port}, args...)...)
		cmd.Stdin = strings.NewReader(stdin)
		text, err := cmd.CombinedOutput()
		if err != nil && len(text) == 0 {
			t.Fatalf("%v: %v", args, err)
		}
		return strings.Fields(string(text))
	}
	one := func(args ...string) string { return strings.Join(cli("", args...), " ") }

	if one("ping") == "PONG" {
		print("ping True")
	}
	one("set", "k", "v", "EX", "1000")
	print("get", one("get", "k"), one("ttl", "k"))
	n := cli(strings.Repeat("incr n\n", 100))
	print("pipeline", n[len(n)-1])
	one("hset", "h", "f1", "1", "f2", "2")
	h := cli("", "hgetall", "h")
	print("hash", h[0]+"="+h[1], h[2]+"="+h[3])
	one("rpush", "l", "a", "b", "c")
	print("list", one("lrange", "l", "0", "-1"))
	one("zadd", "z", "1", "x", "2.5", "y")
	z := cli("", "zrange", "z", "0", "-1", "withscores")
	print("zset", z[0]+"="+z[1], z[2]+"="+z[3])
	// the watching client reads its commands from a pipe, so that the other's comes in between
	watching := start(t, path, port)
	watching.say("watch n", "OK")
	one("incr", "n")
	watching.say("multi", "OK")
	watching.say("set n 0", "QUEUED")
	watching.say("exec", "")
	print("watch conflict", one("get", "n"))
	multi := cli("multi\nincr n\nget n\nexec\n")
	print("multi", strings.Join(multi[len(multi)-2:], " "))
	blocked := start(t, path, port)
	blocked.ask("blpop q 20")
	for !strings.Contains(one("client", "list"), "cmd=blpop") {
	}
	one("rpush", "q", "job")
	print("blpop", blocked.line(), blocked.line())
	sub := start(t, path, port)
	sub.ask("subscribe c")
	sub.until("c")
	one("publish", "c", "hello")
	sub.until("message")
	print("message", sub.line(), sub.line())
	var sets strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&sets, "set s:%d %d\n", i, i)
	}
	cli(sets.String())
	print("scan", fmt.Sprint(len(cli("", "--scan", "--pattern", "s:*"))))
	print("encoding", one("object", "encoding", "h"), one("object", "encoding", "n"))
	print("error", strings.TrimPrefix(one("incr", "l"), "WRONGTYPE "))
	cli(strings.Repeat("x", 1<<20), "-x", "set", "big")
	print("big", fmt.Sprint(len(one("get", "big"))), one("strlen", "big"))
	print("unicode", one("echo", "héllo"))
	client := cli("client setname me\nclient getname\nclient id\nclient info\n")
	print("client", client[1], title(client[3] == "id="+client[2]))
	sub.ask("psubscribe news.*")
	sub.until("news.*")
	one("publish", "news.a", "hi")
	sub.until("pmessage")
	print("pattern", sub.line(), sub.line(), sub.line())
	one("config", "set", "notify-keyspace-events", "KEA")
	sub.ask("psubscribe __keyspace@0__:ev*")
	sub.until("__keyspace@0__:ev*")
	one("set", "evented", "1")
	sub.until("pmessage")
	sub.line() // the pattern
	print("event", sub.line(), sub.line())
	blocked.ask("client id")
	id := blocked.line()
	blocked.ask("blpop nothing 20")
	for one("client", "unblock", id, "error") == "0" { // it does not wait yet
	}
	print("unblocked", title(strings.HasPrefix(blocked.line(), "UNBLOCKED")))
	caching := start(t, path, port, "--show-pushes", "yes")
	caching.say("client tracking on", "OK")
	caching.say("set c 1", "OK")
	caching.ask("get c")
	first := caching.line()
	one("set", "c", "2")
	caching.ask("get c") // what came before its reply is printed first
	caching.until("invalidate")
	caching.until("c")
	print("cached", first, caching.line())
	var many strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&many, "set m:%d %s\n", i, strings.Repeat("x", 200))
	}
	cli(many.String())
	mget := []string{"mget"}
	for i := range 5000 {
		mget = append(mget, fmt.Sprint("m:", i))
	}
	values := cli("", mget...)
	print("many", fmt.Sprint(len(values)), fmt.Sprint(len(strings.Join(values, ""))))
	print("refused", title(strings.Contains(one("eval", "return 1", "0"), "not simulated")))
	print("keyloupe", cli("", "keyloupe", "compare", "n")[0])
	compare(t, out.String())
}
