// Package replay runs a list of commands on a simulated server and tells what it answered and what
// each key took after every command, in the format of the golden sequences.
//
//	case    {"id": 7, "cmds": [["SET","k","~v*30"], ...], "touch": [["k"], ...]}
//	result  {"id": 7, "replies": ["OK", ...], "after": [[["embstr", 72]], ...], "keys": {"k": ["string", "embstr", 72, -1]}}
//
// In both, a character of a string is one byte. An argument ~c*N stands for N times c. touch names
// the keys that are asked for their OBJECT ENCODING and MEMORY USAGE after each command; each is
// asked as a client would, so that the question has the effects it has there.
package replay

import (
	"encoding/json"
	"fmt"
	"sort"
	"strconv"
	"strings"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/engine/resp"
)

// far is the expiry that cases use for a fixed one: 2100-01-01, ms.
const far = 4102444800000

// ID is a case's name: a JSON value that the result repeats.
type ID = json.RawMessage

// Case is a list of commands for an empty server.
type Case struct {
	ID    ID         `json:"id"`
	Cmds  [][]string `json:"cmds"`
	Touch [][]string `json:"touch"`
}

// Result is what a server answered. The values are nil, int64, string, []any or map[string]any.
type Result struct {
	ID      ID                `json:"id"`
	Replies []any             `json:"replies"`
	After   [][][2]any        `json:"after"`
	Keys    map[string][4]any `json:"keys"`
}

// Parse reads a case. An error says what is wrong with it.
func Parse(line []byte) (*Case, error) {
	var c Case
	if err := json.Unmarshal(line, &c); err != nil {
		return nil, err
	}
	if len(c.Touch) != 0 && len(c.Touch) != len(c.Cmds) {
		return nil, fmt.Errorf("touch has %d entries for %d commands", len(c.Touch), len(c.Cmds))
	}
	for i, cmd := range c.Cmds {
		if len(cmd) == 0 {
			return nil, fmt.Errorf("command %d is empty", i+1)
		}
	}
	return &c, nil
}

// maxFill bounds what an argument ~c*N may stand for: the server's longest string.
const maxFill = 512 << 20

// Arg turns an argument as written into its bytes. A character beyond a byte is an error.
func Arg(s string) ([]byte, error) {
	b := make([]byte, 0, len(s))
	for _, r := range s {
		if r > 255 {
			return nil, fmt.Errorf("%q is no byte: every character stands for one", r)
		}
		b = append(b, byte(r))
	}
	if len(b) < 4 || b[0] != '~' || b[2] != '*' {
		return b, nil
	}
	n, err := strconv.Atoi(string(b[3:]))
	if err != nil || b[3] < '0' || b[3] > '9' {
		return b, nil
	}
	if n > maxFill {
		return nil, fmt.Errorf("argument of %d bytes: at most %d", n, maxFill)
	}
	return []byte(strings.Repeat(string(b[1:2]), n)), nil
}

// Args is Arg for a whole command.
func Args(cmd []string) ([][]byte, error) {
	out := make([][]byte, len(cmd))
	for i, a := range cmd {
		b, err := Arg(a)
		if err != nil {
			return nil, err
		}
		out[i] = b
	}
	return out, nil
}

// Latin is the string in which every character is one byte of s.
func Latin(s string) string {
	for i := range len(s) {
		if s[i] >= 0x80 {
			r := make([]rune, len(s))
			for j := range len(s) {
				r[j] = rune(s[j])
			}
			return string(r)
		}
	}
	return s
}

// Run runs a case on an empty server.
func Run(s *engine.Server, c *Case) (*Result, error) {
	r := &Result{ID: c.ID, Replies: make([]any, 0, len(c.Cmds)), After: make([][][2]any, 0, len(c.Cmds)), Keys: map[string][4]any{}}
	for i, cmd := range c.Cmds {
		args, err := Args(cmd)
		if err != nil {
			return nil, fmt.Errorf("command %d: %w", i+1, err)
		}
		e := s.DoBytes(args)
		if e.Crashed != "" {
			return nil, fmt.Errorf("command %d: the simulator failed: %s", i+1, e.Crashed)
		}
		r.Replies = append(r.Replies, norm(strings.ToUpper(cmd[0]), e.Reply))
		after := [][2]any{}
		if len(c.Touch) > 0 {
			for _, k := range c.Touch[i] {
				key, err := Arg(k)
				if err != nil {
					return nil, fmt.Errorf("command %d: %w", i+1, err)
				}
				enc, usage, _ := probe(s, string(key))
				after = append(after, [2]any{enc, usage})
			}
		}
		r.After = append(r.After, after)
	}
	r.keys(s)
	return r, nil
}

// probe asks for a key's encoding, size and type.
func probe(s *engine.Server, key string) (enc, usage, typ any) {
	enc = plain(s.Do("OBJECT", "ENCODING", key).Reply)
	usage = plain(s.Do("MEMORY", "USAGE", key, "SAMPLES", "0").Reply)
	typ = plain(s.Do("TYPE", key).Reply)
	if _, failed := enc.(map[string]any); failed {
		enc = nil
	}
	return enc, usage, typ
}

// keys tells of every key of the database.
func (r *Result) keys(s *engine.Server) {
	var names []string
	for _, k := range s.Do("KEYS", "*").Reply.Items {
		names = append(names, k.Str)
	}
	sort.Strings(names)
	for _, k := range names {
		enc, usage, typ := probe(s, k)
		at := relative(plain(s.Do("PEXPIRETIME", k).Reply), 1)
		r.Keys[Latin(k)] = [4]any{typ, enc, usage, at}
	}
}

// relative hides a time that depends on when the case ran.
func relative(v any, unit int64) any {
	if n, ok := v.(int64); ok && n > 0 && n < far/unit {
		return "rel"
	}
	return v
}

// plain is a reply as a JSON value.
func plain(v resp.Value) any {
	switch v.Kind {
	case resp.ErrorReply:
		return map[string]any{"err": Latin(v.Str)}
	case resp.NullReply:
		return nil
	case resp.IntReply, resp.BoolReply:
		return v.Int
	case resp.ArrayReply, resp.SetReply, resp.PushReply, resp.MapReply:
		out := make([]any, len(v.Items))
		for i, x := range v.Items {
			out[i] = plain(x)
		}
		return out
	}
	return Latin(v.Str)
}

// norm is plain with what has no defined order sorted, and times that depend on the clock hidden.
func norm(cmd string, v resp.Value) any {
	p := plain(v)
	list, _ := p.([]any)
	switch cmd {
	case "EXPIRETIME":
		return relative(p, 1000)
	case "PEXPIRETIME":
		return relative(p, 1)
	case "HGETALL":
		if list != nil {
			return sorted(pairs(list))
		}
	case "HSCAN", "SCAN", "SSCAN":
		if len(list) != 2 {
			return p
		}
		items, _ := list[1].([]any)
		if cmd == "HSCAN" {
			items = pairs(items)
		}
		return []any{list[0], sorted(items)}
	case "HKEYS", "HVALS", "SMEMBERS", "KEYS", "SINTER", "SUNION", "SDIFF":
		if list != nil {
			return sorted(list)
		}
	}
	return p
}

// pairs turns name, value, name, value into pairs.
func pairs(list []any) []any {
	out := make([]any, 0, len(list)/2)
	for i := 0; i+1 < len(list); i += 2 {
		out = append(out, []any{list[i], list[i+1]})
	}
	return out
}

// sorted sorts strings, or pairs of them.
func sorted(list []any) []any {
	sort.SliceStable(list, func(i, j int) bool { return less(list[i], list[j]) })
	return list
}

func less(a, b any) bool {
	x, isPair := a.([]any)
	if !isPair {
		s, _ := a.(string)
		t, _ := b.(string)
		return s < t
	}
	y := b.([]any)
	if x[0] != y[0] {
		return less(x[0], y[0])
	}
	return less(x[1], y[1])
}
