package catalog

import (
	"bytes"
	"sort"
	"strconv"
	"strings"

	"github.com/keyloupe/keyloupe/engine/glob"
)

// Settings are the values of one server's directives.
type Settings struct {
	// Defrag says that the build can defragment: only one with the bundled jemalloc can.
	Defrag bool
	// Listening is the port that clients connect to; no other can be set then. "" where there is none.
	Listening string

	cat    *Catalog
	values map[string]*value // by name; twins share theirs
}

// A value is kept with its number, which commands ask for all the time.
type value struct {
	text string
	n    int64 // of a number; what is over 2^63 (maxmemory) wraps
}

func valueOf(text string) value {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return value{text, n}
	}
	n, _ := strconv.ParseUint(text, 10, 64)
	return value{text, int64(n)}
}

// NewSettings returns a release's defaults.
func (c *Catalog) NewSettings() *Settings {
	s := &Settings{Defrag: true, cat: c, values: make(map[string]*value, len(c.Configs))}
	for _, g := range c.Configs {
		if twin := s.values[g.Twin]; twin != nil {
			s.values[g.Name] = twin
			continue
		}
		v := valueOf(g.Default)
		s.values[g.Name] = &v
	}
	return s
}

// Clone returns a copy that is set independently.
func (s *Settings) Clone() *Settings {
	c := s.cat.NewSettings()
	c.Defrag, c.Listening = s.Defrag, s.Listening
	for name, v := range s.values {
		*c.values[name] = *v
	}
	return c
}

// Config finds a directive by name in any case, or returns nil.
func (c *Catalog) Config(name string) *Config {
	if g := c.byConfig[name]; g != nil {
		return g
	}
	return c.byConfig[lowerAll(name)]
}

var noValue value

func (s *Settings) find(name string) *value {
	if v := s.values[name]; v != nil {
		return v
	}
	if v := s.values[lowerAll(name)]; v != nil {
		return v
	}
	return &noValue
}

// Known tells whether the release has a directive, by name in any case.
func (s *Settings) Known(name string) bool { return s.find(name) != &noValue }

// Text is the value as CONFIG GET prints it; "" for a name the release does not know.
func (s *Settings) Text(name string) string { return s.find(name).text }

// Int is the value of a number; 0 for a name the release does not know. A value of 2^63 and more (maxmemory) wraps.
func (s *Settings) Int(name string) int64 { return s.find(name).n }

// Yes tells whether a directive is yes.
func (s *Settings) Yes(name string) bool { return s.find(name).text == "yes" }

// Get writes the reply of CONFIG GET for names and patterns.
func (s *Settings) Get(w Sink, patterns [][]byte) {
	found := map[string]string{} // by the name in lower case: the name to print
	for _, p := range patterns {
		name := string(p)
		if i := strings.IndexByte(name, 0); i >= 0 {
			name = name[:i]
		}
		if !strings.ContainsAny(name, "[*?") {
			if low := lowerAll(string(p)); s.cat.byConfig[low] != nil && found[low] == "" {
				found[low] = string(p)
			}
			continue
		}
		for _, g := range s.cat.Configs {
			if !g.Hidden && found[g.Name] == "" && glob.Match(name, g.Name, true) {
				found[g.Name] = g.Name
			}
		}
	}
	names := make([]string, 0, len(found))
	for _, shown := range found {
		names = append(names, shown)
	}
	sort.Strings(names)
	w.Map(len(names))
	for _, n := range names {
		w.BulkString(n)
		w.BulkString(s.Text(n))
	}
}

// Set sets names to values as CONFIG SET does, all or none, and returns the error's text, "" when done.
func (s *Settings) Set(args [][]byte) string {
	if len(args)%2 != 0 {
		return syntaxError
	}
	configs, text := s.settable(args)
	if text != "" {
		return oneLine(text)
	}
	old := make([]value, len(configs))
	for i, g := range configs {
		old[i] = *s.values[g.Name]
	}
	for i, g := range configs {
		if bad := s.assign(g, args[2*i+1]); bad != "" {
			for j, g := range configs {
				*s.values[g.Name] = old[j]
			}
			return oneLine(failed(g.Name, bad))
		}
	}
	return ""
}

// settable finds the directives named and checks that they may be set; the first that may not decides.
func (s *Settings) settable(args [][]byte) (configs []*Config, text string) {
	for i := 0; i < len(args); i += 2 {
		name := clipTo(args[i], len(args[i]))
		g := s.cat.Config(string(args[i]))
		switch {
		case g == nil:
			return nil, "ERR Unknown option or number of arguments for CONFIG SET - '" + name + "'"
		case g.Immutable:
			return nil, failed(name, "can't set immutable config")
		case g.Protected && s.Text("enable-protected-configs") == "no":
			return nil, failed(name, "can't set protected config")
		}
		for _, before := range configs {
			if before == g {
				return nil, failed(name, "duplicate parameter")
			}
		}
		configs = append(configs, g)
	}
	return configs, ""
}

func failed(name, words string) string {
	return "ERR CONFIG SET failed (possibly related to argument '" + name + "') - " + words
}

// Load sets one directive as a configuration file or the command line does: immutable ones too. It returns the
// server's words for what is wrong, "" when done.
func (s *Settings) Load(name, value string) string {
	g := s.cat.Config(name)
	if g == nil {
		return "Bad directive or wrong number of arguments"
	}
	return s.assign(g, []byte(value))
}

// Show sets what CONFIG GET prints of a directive that a command changes, as REPLICAOF does.
func (s *Settings) Show(name, text string) { *s.find(name) = valueOf(text) }

// secrets are the directives whose values no log shows (config.c, SENSITIVE_CONFIG).
var secrets = map[string]bool{"primaryuser": true, "masteruser": true, "primaryauth": true, "masterauth": true, "requirepass": true,
	"tls-key-file-pass": true, "tls-client-key-file-pass": true}

// Secret tells whether the value of a directive, by name in any case, must not be shown.
func (c *Catalog) Secret(name string) bool { return secrets[lowerAll(name)] }

// assign reads, checks and keeps a value; it returns the server's words for what is wrong.
func (s *Settings) assign(g *Config, value []byte) (bad string) {
	text, bad := s.parse(g, value)
	if bad == "" {
		*s.values[g.Name] = valueOf(text)
	}
	return bad
}

// parse returns the value as CONFIG GET will print it.
func (s *Settings) parse(g *Config, value []byte) (v, bad string) {
	switch g.Kind {
	case KindBool:
		v, bad = parseBool(value)
	case KindEnum:
		v, bad = g.parseEnum(value)
	case KindText:
		v = string(value)
	default:
		v, bad = g.parseNumber(value, s.cat.LooseNumbers)
	}
	if bad != "" {
		return "", bad
	}
	if g.Kind == KindText && !binaryText[g.Name] {
		v = clipTo(value, len(value))
	}
	if check := special[g.Name]; check != nil {
		return check(s, v)
	}
	return v, ""
}

// binaryText are the directives kept or checked as sds: a zero byte does not end them.
var binaryText = map[string]bool{"primaryauth": true, "masterauth": true, "requirepass": true, "availability-zone": true, "hash-seed": true,
	"cluster-announce-human-nodename": true, "cluster-announce-ip": true, "latency-tracking-info-percentiles": true}

func parseBool(value []byte) (v, bad string) {
	switch {
	case isWord(value, "yes"):
		return "yes", ""
	case isWord(value, "no"):
		return "no", ""
	}
	return "", "argument must be 'yes' or 'no'"
}

func (g *Config) parseEnum(value []byte) (v, bad string) {
	given := [][]byte{value}
	if g.Words {
		given = splitWords(value)
	}
	set := make([]bool, len(g.Enum))
	for _, word := range given {
		at := g.enumIndex(word)
		if at < 0 {
			given = nil
			break
		}
		set[at] = true
	}
	if len(given) == 0 {
		// The server's buffer for this text has 256 bytes.
		text := "argument(s) must be one of the following: " + strings.Join(g.Enum, ", ")
		return "", text[:min(len(text), 255)]
	}
	// Of several words the first of the table stands for none of the others ("default").
	var out []string
	for i := range set {
		if set[i] && (i > 0 || !g.Words) {
			out = append(out, g.Prints[i])
		}
	}
	if len(out) == 0 {
		return g.Prints[0], ""
	}
	return strings.Join(out, " "), ""
}

func (g *Config) enumIndex(word []byte) int {
	for i, e := range g.Enum {
		if isWord(word, e) {
			return i
		}
	}
	return -1
}

// splitWords cuts at single blanks, as the server does: two blanks have an empty word between them, nothing has none.
func splitWords(value []byte) [][]byte {
	if len(value) == 0 {
		return nil
	}
	return bytes.Split(value, []byte(" "))
}
