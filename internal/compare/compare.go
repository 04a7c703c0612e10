// Package compare gives a real server and the simulated one the same commands and tells what differs:
// replies, encodings, MEMORY USAGE, used_memory.
package compare

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/engine/resp"
	"github.com/keyloupe/keyloupe/internal/batch"
)

// Options of Run.
type Options struct {
	Server string         // what is simulated, VERSION[@BUILD]; "" is what the target says it is
	Force  bool           // the target may hold keys
	Engine engine.Options // directives set here win over the target's
}

// Result counts what was compared.
type Result struct {
	Commands, Keys, Differ int
	Target, Simulated      int64 // growth of used_memory without the clients', bytes
}

// shaping are the directives that shape values, by the newer of their names; the target's are set on the simulated server too.
var shaping = regexp.MustCompile(`^((hash|list|zset)-max-listpack-.*|set-max-.*|list-compress-depth|stream-node-max-.*|hll-sparse-max-bytes|proto-max-bulk-len|lazyfree-.*|maxmemory|maxmemory-policy|databases|activerehashing)$`)

// Name is what a server says it is, as --server takes it: a build by the allocator that it names. The
// distribution's jemalloc and the bundled one name themselves alike; the bundled one is assumed.
func (c *Conn) Name() (string, error) {
	s, err := c.info("server")
	if err != nil {
		return "", err
	}
	m, err := c.info("memory")
	if err != nil {
		return "", err
	}
	version := s["valkey_version"]
	if version == "" {
		return "", errors.New("the target does not say that it is Valkey: INFO has no valkey_version; give --server")
	}
	if m["mem_allocator"] == "libc" {
		version += "@libc"
	}
	return version, nil
}

// directives are the target's directives that shape values.
func (c *Conn) directives() (map[string]string, error) {
	v, err := c.Do("CONFIG", "GET", "*")
	if err != nil {
		return nil, err
	}
	set := map[string]string{}
	for i := 0; i+1 < len(v.Items); i += 2 {
		if name := v.Items[i].Str; shaping.MatchString(name) {
			set[name] = v.Items[i+1].Str
		}
	}
	return set, nil
}

func (c *Conn) empty() (bool, error) {
	m, err := c.info("keyspace")
	for name := range m {
		if strings.HasPrefix(name, "db") {
			return false, err
		}
	}
	return true, err
}

// used is the target's used_memory without what its clients take, which this connection changes.
func (c *Conn) used() (int64, error) {
	m, err := c.info("memory")
	if err != nil {
		return 0, err
	}
	all, err := strconv.ParseInt(m["used_memory"], 10, 64)
	if err != nil {
		return 0, err
	}
	clients, err := strconv.ParseInt(m["mem_clients_normal"], 10, 64)
	return all - clients, err
}

// settled is used when it changes no more: the server's cron gives back what buffers of clients took,
// and counts it, within seconds.
func (c *Conn) settled() (int64, error) {
	const every, most = 700 * time.Millisecond, 5
	was, err := c.used()
	for range most {
		if err != nil {
			break
		}
		time.Sleep(every)
		var now int64
		if now, err = c.used(); now == was {
			break
		}
		was = now
	}
	return was, err
}

// withoutHistograms turns latency-tracking off, as the first use of each command would otherwise take
// 24 kB that have nothing to do with the data. restore puts it back.
func (c *Conn) withoutHistograms() (restore func(), err error) {
	const name = "latency-tracking"
	v, err := c.Do("CONFIG", "GET", name)
	if err != nil || len(v.Items) != 2 || v.Items[1].Str == "no" {
		return func() {}, err
	}
	_, err = c.Do("CONFIG", "SET", name, "no")
	return func() { c.Do("CONFIG", "SET", name, v.Items[1].Str) }, err
}

// run is one comparison.
type run struct {
	c   *Conn
	s   *engine.Server
	out io.Writer
	r   Result
}

// Run runs the commands of in, one a line as valkey-cli takes them, on the target and on the simulated
// server, and writes what differs. Blank lines, and those that begin with #, are left out.
func Run(c *Conn, in io.Reader, out io.Writer, o Options) (r Result, err error) {
	if empty, err := c.empty(); err != nil || !empty && !o.Force {
		if err == nil {
			err = errors.New("the target holds keys: their number and what they were made with are not known here. Use an empty server, or --force")
		}
		return r, err
	}
	if o.Server == "" {
		if o.Server, err = c.Name(); err != nil {
			return r, err
		}
	}
	if o.Engine.Config, err = merged(c, o.Engine.Config); err != nil {
		return r, err
	}
	o.Engine.Clock = func() int64 { return time.Now().UnixMicro() }
	x := &run{c: c, out: out}
	if x.s, err = engine.NewServer(o.Server, o.Engine); err != nil {
		return r, fmt.Errorf("%w; --server names another one", err)
	}
	fmt.Fprintf(out, "target %s, simulated %s\n", c.net.RemoteAddr(), x.s.Release.Name())
	restore, err := c.withoutHistograms()
	if err != nil {
		return r, err
	}
	defer restore()
	before, err := c.settled()
	if err != nil {
		return r, err
	}
	empty := x.s.Used()
	if err := x.lines(in); err != nil {
		return x.r, err
	}
	after, err := c.settled()
	x.r.Target, x.r.Simulated = after-before, x.s.Used()-empty
	return x.r, err
}

func merged(c *Conn, own map[string]string) (map[string]string, error) {
	all, err := c.directives()
	if err != nil {
		return nil, err
	}
	for name, value := range own {
		all[name] = value
	}
	return all, nil
}

func (x *run) lines(in io.Reader) error {
	r := bufio.NewReader(in)
	for n := 1; ; n++ {
		line, err := r.ReadString('\n')
		if text := strings.TrimSpace(line); text != "" && text[0] != '#' {
			args, bad := resp.Split(text)
			if bad != nil {
				return fmt.Errorf("line %d: %w", n, bad)
			}
			if err := x.command(n, args); err != nil {
				return fmt.Errorf("line %d: %w", n, err)
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// command runs one command on both and compares its reply and the keys that it names.
func (x *run) command(line int, args []string) error {
	x.s.Tick()
	real, err := x.c.Do(args...)
	if err != nil {
		return err
	}
	x.r.Commands++
	said := fmt.Sprintf("%d: %s", line, strings.Join(args, " "))
	x.same(said, "reply", reply(args, real), reply(args, x.s.Do(args...).Reply))
	keys := x.s.Do(append([]string{"COMMAND", "GETKEYS"}, args...)...).Reply
	for _, k := range keys.Items {
		if err := x.key(said, k.Str); err != nil {
			return err
		}
	}
	return nil
}

// key compares encoding and size of a key.
func (x *run) key(said, key string) error {
	encoding, err := x.c.Do("OBJECT", "ENCODING", key)
	if err != nil {
		return err
	}
	usage, err := x.c.Do("MEMORY", "USAGE", key, "SAMPLES", "0")
	if err != nil {
		return err
	}
	x.r.Keys++
	x.same(said, "encoding of "+key, encoding.Str, x.s.Do("OBJECT", "ENCODING", key).Reply.Str)
	x.same(said, "MEMORY USAGE of "+key, fmt.Sprint(usage.Int), fmt.Sprint(x.s.Do("MEMORY", "USAGE", key, "SAMPLES", "0").Reply.Int))
	return nil
}

func (x *run) same(said, what, real, simulated string) {
	if real == simulated {
		return
	}
	x.r.Differ++
	fmt.Fprintf(x.out, "%s\n    %s: target %s, simulated %s\n", said, what, real, simulated)
}

// reply is a reply as text, what has no defined order sorted.
func reply(args []string, v resp.Value) string {
	b := make([][]byte, len(args))
	for i, a := range args {
		b[i] = []byte(a)
	}
	text, err := json.Marshal(batch.Normal(b, v))
	if err != nil {
		return err.Error()
	}
	return string(text)
}
