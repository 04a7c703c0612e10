// Package batch is the programs of keyloupe that read cases and write what a server would answer:
// replay, layout and populate. The formats are those of the golden data in testdata/.
package batch

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"sort"
	"strconv"
	"strings"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/engine/resp"
)

// Target is the server that every case starts afresh.
type Target struct {
	Name    string // VERSION[@BUILD]
	Options engine.Options
}

// Limits on a line of input.
const (
	maxLine   = 256 << 20 // bytes
	MaxRepeat = 512 << 20 // N of ~c*N
)

// Far is the expiry, Unix ms, below which a time counts as relative to the clock: 1 January 2100.
const Far = 4102444800000

// Case is one history of commands.
type Case struct {
	ID    json.RawMessage `json:"id"`
	Cmds  [][]string      `json:"cmds"`
	Touch [][]string      `json:"touch"`
}

// result is what a case gives.
type result struct {
	ID      json.RawMessage  `json:"id"`
	Replies []any            `json:"replies"`
	After   [][][2]any       `json:"after"`
	Keys    map[string][]any `json:"keys"`
}

// Replay runs cases, a line each, on an empty server each, and writes their results.
func Replay(in io.Reader, out io.Writer, t Target) error {
	return lines(in, out, func(line []byte) (any, error) {
		var c Case
		if err := decode(line, &c); err != nil {
			return nil, err
		}
		return t.replay(c)
	})
}

// lines calls f with every line that is not blank and writes what it returns as JSON, a line each.
// An error names the line; what was written before it stays.
func lines(in io.Reader, out io.Writer, f func(line []byte) (any, error)) error {
	w := bufio.NewWriterSize(out, 1<<16)
	defer w.Flush()
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	sc := bufio.NewScanner(in)
	sc.Buffer(make([]byte, 0, 1<<16), maxLine)
	n := 0
	for sc.Scan() {
		n++
		line := bytes.TrimSpace(sc.Bytes())
		if len(line) == 0 {
			continue
		}
		v, err := f(line)
		if err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		if err := enc.Encode(v); err != nil {
			return err
		}
	}
	if err := sc.Err(); err != nil {
		return fmt.Errorf("line %d: %w", n+1, err)
	}
	return w.Flush()
}

// decode reads a line of JSON into v; what v does not know is ignored.
func decode(line []byte, v any) error {
	if err := json.Unmarshal(line, v); err != nil {
		hint := ""
		if line[0] != '{' {
			hint = "; commands as typed at a prompt are for keyloupe layout --key KEY"
		}
		return fmt.Errorf("this is not a case, a JSON object such as {\"id\":1,\"key\":\"k\",\"cmds\":[[\"SET\",\"k\",\"v\"]],\"touch\":[[\"k\"]]}%s: %w", hint, err)
	}
	return nil
}

// argument is the bytes of an argument; ~c*N stands for N times c.
func argument(s string) ([]byte, error) {
	b, ok := bytesOf(s)
	if !ok {
		return nil, fmt.Errorf("argument %q has a character above U+00FF: every character stands for one byte", s)
	}
	if len(b) > 3 && b[0] == '~' && b[2] == '*' {
		if n, err := strconv.Atoi(string(b[3:])); err == nil && n >= 0 && strings.Trim(string(b[3:]), "0123456789") == "" {
			if n > MaxRepeat {
				return nil, fmt.Errorf("argument %q repeats more than %d times", s, MaxRepeat)
			}
			return bytes.Repeat(b[1:2], n), nil
		}
	}
	return b, nil
}

func arguments(cmd []string) ([][]byte, error) {
	args := make([][]byte, len(cmd))
	for i, s := range cmd {
		var err error
		if args[i], err = argument(s); err != nil {
			return nil, err
		}
	}
	return args, nil
}

func (t Target) start() (*engine.Server, error) { return engine.NewServer(t.Name, t.Options) }

func (t Target) replay(c Case) (*result, error) {
	s, err := t.start()
	if err != nil {
		return nil, err
	}
	s.Pipelined = true
	sent := pipeline{s: s}
	r := &result{ID: c.ID, Replies: []any{}, After: [][][2]any{}, Keys: map[string][]any{}}
	for i, cmd := range c.Cmds {
		args, err := arguments(cmd)
		if err != nil {
			return nil, fmt.Errorf("command %d: %w", i+1, err)
		}
		var touch []string
		if i < len(c.Touch) {
			touch = c.Touch[i]
		}
		sent.next(1 + probes*len(touch))
		v, err := execute(s, args)
		if err != nil {
			return nil, fmt.Errorf("command %d: %w", i+1, err)
		}
		after := [][2]any{}
		for _, k := range touch {
			key, err := argument(k)
			if err != nil {
				return nil, fmt.Errorf("touch %d: %w", i+1, err)
			}
			after = append(after, state(s, key))
		}
		r.Replies = append(r.Replies, Normal(args, v))
		r.After = append(r.After, after)
	}
	s.EachKey(0, func(key []byte) {
		i, _ := s.KeyInfo(0, key)
		r.Keys[Text(string(key))] = []any{i.Type, i.Encoding, i.Usage, relative(i.Expire)}
	})
	return r, nil
}

// The recordings were made with commands sent in batches, each command followed by three that ask
// for every key it touches; replies to a batch are sent together, which a few sizes depend on.
const (
	batchSize = 64
	probes    = 3
)

// pipeline tells when the replies to a batch are sent.
type pipeline struct {
	s        *engine.Server
	at, last int // number of the next command sent, and of the one before it
}

// next goes on to a case's next command, which is n commands as they were sent.
func (p *pipeline) next(n int) {
	if p.at/batchSize != p.last/batchSize {
		p.s.Client.Flushed()
	}
	p.last = p.at
	p.at += n
}

// execute runs a command and reads its reply. A simulator that fails is an error, not a reply.
func execute(s *engine.Server, args [][]byte) (resp.Value, error) {
	if len(args) == 0 {
		return resp.Value{}, fmt.Errorf("it is empty")
	}
	e := s.DoBytes(args)
	if e.Crashed != "" {
		return e.Reply, fmt.Errorf("%.80q: the simulator failed: %s", args, e.Crashed)
	}
	return e.Reply, nil
}

// state is the encoding and size of a key, null where there is none.
func state(s *engine.Server, key []byte) [2]any {
	i, ok := s.KeyInfo(0, key)
	if !ok {
		return [2]any{nil, nil}
	}
	return [2]any{i.Encoding, i.Usage}
}

// relative is an expiry as the formats have it: "rel" for one that depends on the clock.
func relative(at int64) any {
	if at > 0 && at < Far {
		return "rel"
	}
	return at
}

// unordered are the commands whose replies have no defined order.
var unordered = map[string]bool{"HKEYS": true, "HVALS": true, "SMEMBERS": true, "KEYS": true, "SINTER": true, "SUNION": true, "SDIFF": true}

// Normal is a reply as JSON, what has no defined order sorted.
func Normal(args [][]byte, v resp.Value) any {
	name := strings.ToUpper(string(args[0]))
	if v.Kind == resp.IntReply {
		unit := map[string]int64{"PEXPIRETIME": 1, "EXPIRETIME": 1000}[name]
		if unit > 0 && v.Int > 0 && v.Int < Far/unit {
			return "rel"
		}
	}
	if v.Kind == resp.ArrayReply {
		switch {
		case name == "HGETALL":
			return pairs(v)
		case name == "HSCAN" && len(v.Items) == 2:
			return []any{plain(v.Items[0]), pairs(v.Items[1])}
		case (name == "SCAN" || name == "SSCAN") && len(v.Items) == 2:
			return []any{plain(v.Items[0]), sorted(v.Items[1])}
		case unordered[name]:
			return sorted(v)
		}
	}
	return plain(v)
}

func plain(v resp.Value) any {
	switch v.Kind {
	case resp.ErrorReply:
		return map[string]any{"err": Text(v.Str)}
	case resp.IntReply:
		return v.Int
	case resp.NullReply:
		return nil
	case resp.ArrayReply, resp.SetReply, resp.PushReply, resp.MapReply:
		out := make([]any, len(v.Items))
		for i, x := range v.Items {
			out[i] = plain(x)
		}
		return out
	case resp.BoolReply:
		return v.Int == 1
	}
	return Text(v.Str)
}

func sorted(v resp.Value) []any {
	items := append([]resp.Value(nil), v.Items...)
	sort.SliceStable(items, func(i, j int) bool { return items[i].Str < items[j].Str })
	return plain(resp.Value{Kind: resp.ArrayReply, Items: items}).([]any)
}

func pairs(v resp.Value) [][]any {
	out := [][]any{}
	for i := 0; i+1 < len(v.Items); i += 2 {
		out = append(out, []any{plain(v.Items[i]), plain(v.Items[i+1])})
	}
	sort.SliceStable(out, func(i, j int) bool {
		a, b := fmt.Sprint(out[i][0]), fmt.Sprint(out[j][0])
		return a < b || a == b && fmt.Sprint(out[i][1]) < fmt.Sprint(out[j][1])
	})
	return out
}
