package api

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/engine/draw"
	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/engine/release"
	"github.com/keyloupe/keyloupe/engine/resp"
)

// Limits of a layout: what a request may make simulated servers do.
const (
	maxLayoutServers = 8
	maxCommands      = 1000
	maxValue         = 128 << 10 // bytes of a string a command may make
	maxUsed          = 2 << 20   // bytes of used_memory of one server
	maxBlocks        = 2000      // blocks told of one key
)

// refused are the commands that could work long on little: they are for the page, where the reader's
// own machine does the work.
var refused = []string{"debug", "lcs", "eval", "evalsha", "eval_ro", "fcall", "fcall_ro", "function", "script"}

var layoutParams = []param{
	{"s", "servers, VERSION[@BUILD] separated by commas"}, {"run", "a command line, as typed at a prompt; repeat it, or separate lines by line feeds"},
	{"key", "the key to show; without it, the first key of the last command"}, {"c", "a directive, name=value; repeat it"},
	{"seed", "hash seed of every table, 32 hexadecimal digits"},
}

func (a *API) layoutRoutes() []*route {
	of := func(ending, mediaType string, more ...param) *route {
		h := func(q *request) error { return q.layout(ending, mediaType) }
		return &route{path: "/api/layout" + ending, get: h, post: h, pure: true, types: []string{mediaType},
			params: append(slices.Clone(layoutParams), more...), summary: "Every byte that each server keeps for a key, after some commands on an empty server"}
	}
	return []*route{of("", typeJSON), of(".txt", typeText), of(".svg", typeSVG, param{"theme", "auto, light or dark"})}
}

// layoutSpec is which bytes to show.
type layoutSpec struct {
	servers []string
	run     []string
	key     string
	hasKey  bool
	config  []string
	seed    string
	theme   draw.Theme
}

func (q *request) layout(ending, mediaType string) error {
	v, err := q.layoutValues()
	if err != nil {
		return err
	}
	spec, err := readLayout(v, ending == ".svg")
	if err != nil {
		return err
	}
	views, err := q.run(spec)
	if err != nil {
		return err
	}
	if !q.pure(mediaType, spec.canonical()) {
		return nil
	}
	switch ending {
	case ".txt":
		_, err = q.Write(layoutText(views))
	case ".svg":
		_, err = q.Write(layoutScene(spec, views).AppendSVG(nil, spec.theme))
	default:
		_, err = q.Write(layoutJSON(spec, views))
	}
	return err
}

// layoutValues are the parameters of the query, or the fields of the body as such.
func (q *request) layoutValues() (url.Values, error) {
	v, err := q.query()
	if err != nil || q.Method != http.MethodPost {
		return v, err
	}
	for name := range v {
		return nil, badRequest("bad_query", "", "parameter %.40q: with POST the specification is in the body alone", name)
	}
	text, err := q.body()
	if err != nil {
		return nil, err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return nil, badRequest("malformed_json", "", "malformed JSON: %.200v", err)
	}
	for name, raw := range fields {
		var one string
		var many []string
		if json.Unmarshal(raw, &one) == nil {
			many = []string{one}
		} else if json.Unmarshal(raw, &many) != nil {
			return nil, badRequest("bad_field", name[:min(len(name), 40)], "neither text nor a list of texts")
		}
		if name == "servers" || name == "s" {
			many = []string{strings.Join(many, ",")}
		}
		v[name] = many
	}
	return v, nil
}

func readLayout(v url.Values, picture bool) (s *layoutSpec, err error) {
	s = &layoutSpec{servers: []string{release.Newest(release.V90), release.Newest(release.V91)}}
	known := []string{"s", "servers", "run", "key", "c", "config", "seed"}
	if picture {
		known = append(known, "theme")
	}
	for _, name := range sortedNames(v) {
		if !slices.Contains(known, name) {
			return nil, badRequest("bad_field", "", "no such parameter as %.40q: there are s, run, key, c, seed", name)
		}
	}
	if names := v.Get("s") + v.Get("servers"); names != "" {
		s.servers = strings.Split(names, ",")
	}
	if len(s.servers) > maxLayoutServers {
		return nil, unprocessable("bad_field", "s", "%d servers named, at most %d are allowed", len(s.servers), maxLayoutServers)
	}
	for _, text := range v["run"] {
		for line := range strings.SplitSeq(text, "\n") {
			if line = strings.TrimSuffix(line, "\r"); strings.TrimSpace(line) != "" {
				s.run = append(s.run, line)
			}
		}
	}
	switch {
	case len(s.run) == 0:
		return nil, badRequest("bad_field", "run", "no command: write for example run=SET+user:1+Alice")
	case len(s.run) > maxCommands:
		return nil, unprocessable("bad_field", "run", "%d commands, at most %d are allowed", len(s.run), maxCommands)
	}
	s.key, s.hasKey = v.Get("key"), v.Has("key")
	s.config, s.seed = append(v["c"], v["config"]...), v.Get("seed")
	if s.theme, err = draw.ParseTheme(first(v.Get("theme"), "auto")); err != nil {
		return nil, badRequest("bad_field", "theme", "%s", err.Error())
	}
	return s, nil
}

func sortedNames(v url.Values) (names []string) {
	for name := range v {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func first(s, otherwise string) string {
	if s != "" {
		return s
	}
	return otherwise
}

// canonical is all that the answer depends on.
func (s *layoutSpec) canonical() string {
	return fmt.Sprintf("%q %q %q %v %q %q %d", s.servers, s.run, s.key, s.hasKey, s.config, s.seed, s.theme)
}

// view is what one server keeps.
type view struct {
	server  *engine.Server
	replies []resp.Value
	layout  *engine.KeyLayout
}

// run executes the commands on a new server each and finds the key.
func (q *request) run(spec *layoutSpec) (out []view, err error) {
	options := engine.Options{SeedHex: spec.seed, MaxBulk: maxValue, Config: map[string]string{}}
	for _, c := range spec.config {
		name, value, ok := strings.Cut(c, "=")
		if !ok {
			return nil, badRequest("bad_field", "c", "%.40q is not name=value, such as hash-max-listpack-entries=128", c)
		}
		options.Config[name] = value
	}
	for _, name := range spec.servers {
		s, err := engine.NewServer(name[:min(len(name), 64)], options)
		if err != nil {
			return nil, badRequest("bad_field", "s", "%.500s", err.Error())
		}
		v := view{server: s}
		if v.replies, err = q.commands(s, spec); err != nil {
			return nil, err
		}
		if v.layout, err = s.Layout(spec.key); err != nil {
			return nil, unprocessable("no_such_key", "key", "%.500s", err.Error())
		}
		if n := len(v.layout.Blocks); n > maxBlocks {
			return nil, unprocessable("too_large", "key", "the key has %d blocks, at most %d can be told of", n, maxBlocks)
		}
		out = append(out, v)
	}
	return out, nil
}

func (q *request) commands(s *engine.Server, spec *layoutSpec) (replies []resp.Value, err error) {
	for i, line := range spec.run {
		if err := q.Context().Err(); err != nil {
			return nil, err
		}
		args, err := resp.Split(line)
		if err != nil || len(args) == 0 {
			return nil, badRequest("bad_field", "run", "line %d: %.200v", i+1, err)
		}
		if slices.Contains(refused, strings.ToLower(args[0])) {
			return nil, unprocessable("bad_field", "run", "line %d: %s is not for this interface, the page can run it", i+1, strings.ToUpper(args[0]))
		}
		e := s.Do(args...)
		if e.Crashed != "" {
			return nil, unprocessable("simulator_failed", "run", "line %d: the simulator failed: %.200s", i+1, e.Crashed)
		}
		if e.Used > maxUsed {
			return nil, unprocessable("too_large", "run", "line %d: the data takes %d bytes, at most %d are allowed", i+1, e.Used, maxUsed)
		}
		replies = append(replies, e.Reply)
		if keys := s.KeysOf(byteArgs(args)); !spec.hasKey && len(keys) > 0 {
			spec.key = string(keys[0])
		}
	}
	return replies, nil
}

func byteArgs(args []string) (out [][]byte) {
	for _, a := range args {
		out = append(out, []byte(a))
	}
	return out
}

// The answer as JSON. Bytes are hexadecimal digits; text of keys and values is as valkey-cli quotes it.
type (
	layoutAnswer struct {
		Key     string         `json:"key"`
		Servers []serverAnswer `json:"servers"`
	}
	serverAnswer struct {
		Server    string        `json:"server"`
		Replies   []string      `json:"replies"`
		Type      string        `json:"type"`
		Encoding  string        `json:"encoding"`
		Usage     int           `json:"memory_usage"`
		Allocated int           `json:"allocated"`
		Expire    int64         `json:"expire"`
		Blocks    []blockAnswer `json:"blocks"`
	}
	blockAnswer struct {
		Name   string        `json:"name"`
		Kind   string        `json:"kind"`
		Size   int           `json:"size"`
		Used   int           `json:"used"`
		Shared bool          `json:"shared,omitempty"`
		Hex    string        `json:"hex"`
		Fields []fieldAnswer `json:"fields"`
	}
	fieldAnswer struct {
		Name    string `json:"name"`
		Part    string `json:"part"`
		Off     int    `json:"offset"`
		Len     int    `json:"len"`
		Bit     int    `json:"bit,omitempty"`
		Bits    int    `json:"bits,omitempty"`
		Role    string `json:"role"`
		Text    string `json:"text,omitempty"`
		Meaning string `json:"meaning,omitempty"`
		Target  string `json:"target,omitempty"`
	}
)

func layoutJSON(spec *layoutSpec, views []view) []byte {
	a := layoutAnswer{Key: layout.Quote([]byte(spec.key))}
	for _, v := range views {
		k := v.layout
		s := serverAnswer{Server: v.server.Release.Name(), Replies: []string{}, Type: k.Type, Encoding: k.Encoding, Usage: k.Usage,
			Allocated: k.Total, Expire: k.Expire, Blocks: []blockAnswer{}}
		for _, r := range v.replies {
			s.Replies = append(s.Replies, r.Text())
		}
		for _, b := range k.Blocks {
			s.Blocks = append(s.Blocks, blockOf(b))
		}
		a.Servers = append(a.Servers, s)
	}
	var out bytes.Buffer
	if err := json.NewEncoder(&out).Encode(a); err != nil {
		panic(err) // nothing here can fail to be written
	}
	return out.Bytes()
}

func blockOf(b *layout.Block) blockAnswer {
	k := blockAnswer{Name: b.Name, Kind: b.Kind, Size: b.Size, Used: b.Used, Shared: b.Shared, Hex: hex.EncodeToString(b.Bytes), Fields: []fieldAnswer{}}
	for _, f := range b.Fields {
		k.Fields = append(k.Fields, fieldAnswer{f.Name, f.Part, f.Off, f.Len, f.Bit, f.Bits, f.Role.String(), f.Text, f.Meaning, f.Target})
	}
	return k
}

func headline(v *view) string {
	k := v.layout
	return fmt.Sprintf("%s · MEMORY USAGE %d", k.Encoding, k.Usage)
}

func layoutText(views []view) []byte {
	var b bytes.Buffer
	for i, v := range views {
		if i > 0 {
			b.WriteByte('\n')
		}
		k := v.layout
		fmt.Fprintf(&b, "%s on %s: %s, %s, %d bytes allocated, MEMORY USAGE %d\n\n", layout.Quote([]byte(k.Key)), v.server.Release.Label(), k.Type, k.Encoding, k.Total, k.Usage)
		pic := layout.Picture{Blocks: k.Blocks}
		pic.WriteText(&b)
	}
	return b.Bytes()
}

func layoutScene(spec *layoutSpec, views []view) *draw.Scene {
	var columns []draw.Column
	for _, v := range views {
		columns = append(columns, draw.Column{Title: v.server.Release.Label(), Sub: headline(&v), Blocks: v.layout.Blocks})
	}
	return draw.Layout(layout.Quote([]byte(spec.key)), columns)
}
