package catalog

import (
	"bytes"
	"strconv"
)

// A KeyRef is one key among the arguments.
type KeyRef struct {
	Pos   int
	Flags []string // as in a key spec
}

// HasKeys reports whether COMMAND GETKEYS accepts the command: some key spec is of a real key, or the server parses
// its arguments for keys.
func (c *Command) HasKeys() bool {
	if keyFinders[c.FullName] != nil {
		return true
	}
	for i := range c.KeySpecs {
		if !contains(c.KeySpecs[i].Flags, "not_key") {
			return true
		}
	}
	return false
}

// Keys finds the keys of a command line; none may mean a syntax error. As the server does, it goes by the key specs
// and turns to parsing where they fail or where flags depend on the arguments.
func (c *Command) Keys(argv [][]byte) []KeyRef {
	if c.HasKeys() && !c.variableFlags() {
		if keys, ok := c.keysBySpecs(argv); ok {
			return keys
		}
	}
	if find := keyFinders[c.FullName]; find != nil {
		return find(c, argv)
	}
	return nil
}

func (c *Command) variableFlags() bool {
	for i := range c.KeySpecs {
		if contains(c.KeySpecs[i].Flags, "variable_flags") {
			return true
		}
	}
	return false
}

func (c *Command) keysBySpecs(argv [][]byte) (keys []KeyRef, ok bool) {
	found := false
	for i := range c.KeySpecs {
		k := &c.KeySpecs[i]
		if contains(k.Flags, "not_key") {
			continue
		}
		found = true
		refs, ok := k.find(argv)
		if !ok || contains(k.Flags, "incomplete") {
			return nil, false
		}
		keys = append(keys, refs...)
	}
	return keys, found
}

// find returns the keys of one spec; ok is false if the arguments do not fit it. A keyword not there is no key.
func (k *KeySpec) find(argv [][]byte) (keys []KeyRef, ok bool) {
	first := 0
	switch k.Begin.Type {
	case "index":
		first = k.Begin.Index
	case "keyword":
		if first = k.Begin.after(argv); first == 0 {
			return nil, true
		}
	default:
		return nil, false
	}
	last := 0
	switch f := k.Find; f.Type {
	case "range":
		switch {
		case f.LastKey >= 0:
			last = first + f.LastKey
		case f.Limit == 0:
			last = len(argv) + f.LastKey
		default:
			last = first + (len(argv)-first)/f.Limit + f.LastKey
		}
	case "keynum":
		at := first + f.KeyNumIdx
		if at >= len(argv) {
			return nil, false
		}
		n, err := strconv.ParseInt(string(argv[at]), 10, 32)
		if err != nil || n < 0 || strconv.FormatInt(n, 10) != string(argv[at]) {
			return nil, false
		}
		first += f.FirstKey
		last = first + (int(n)-1)*f.KeyStep
	default:
		return nil, false
	}
	if last >= len(argv) || last < first || first >= len(argv) {
		return nil, false
	}
	for i := first; i <= last; i += k.Find.KeyStep {
		keys = append(keys, KeyRef{i, k.Flags})
	}
	return keys, true
}

// after finds the argument after the keyword, or 0. From a negative start it goes backwards.
func (b *BeginSearch) after(argv [][]byte) int {
	from, to, step := b.StartFrom, len(argv)-1, 1
	if b.StartFrom <= 0 {
		from, to = len(argv)+b.StartFrom, 1
	}
	if from > to {
		step = -1
	}
	for i := from; i != to && i >= 1 && i < len(argv); i += step {
		if isWord(argv[i], b.Keyword) {
			return i + 1
		}
	}
	return 0
}

// keyFinders are the commands whose arguments the server parses for keys, besides or in place of the specs.
var keyFinders = map[string]func(*Command, [][]byte) []KeyRef{
	"zunionstore": counted(1, 2, 3), "zinterstore": counted(1, 2, 3), "zdiffstore": counted(1, 2, 3),
	"zunion": counted(0, 1, 2), "zinter": counted(0, 1, 2), "zdiff": counted(0, 1, 2), "zintercard": counted(0, 1, 2),
	"sintercard": counted(0, 1, 2), "lmpop": counted(0, 1, 2), "zmpop": counted(0, 1, 2),
	"blmpop": counted(0, 2, 3), "bzmpop": counted(0, 2, 3),
	"eval": counted(0, 2, 3), "evalsha": counted(0, 2, 3), "eval_ro": counted(0, 2, 3), "evalsha_ro": counted(0, 2, 3),
	"fcall": counted(0, 2, 3), "fcall_ro": counted(0, 2, 3),
	"sort": sortKeys, "sort_ro": sortReadOnlyKeys, "migrate": migrateKeys,
	"georadius": georadiusKeys, "georadiusbymember": georadiusKeys,
	"xread": xreadKeys, "xreadgroup": xreadKeys, "set": setKeys, "bitfield": bitfieldKeys,
}

var (
	keyRead      = []string{"RO", "access"}
	keyOverwrite = []string{"OW", "update"}
	keyUpdate    = []string{"RW", "access", "update"}
	keyMoveAway  = []string{"RW", "access", "delete"}
)

// counted finds keys after their number; the store key, if there is one, comes last.
func counted(store, number, first int) func(*Command, [][]byte) []KeyRef {
	return func(_ *Command, argv [][]byte) (keys []KeyRef) {
		n := leadingInt(argv[number])
		if n < 1 || n > len(argv)-first {
			return nil
		}
		for i := range n {
			keys = append(keys, KeyRef{Pos: first + i})
		}
		if store > 0 {
			keys = append(keys, KeyRef{Pos: store})
		}
		return keys
	}
}

func sortReadOnlyKeys(*Command, [][]byte) []KeyRef { return []KeyRef{{1, keyRead}} }

// sortKeys takes the last STORE. The key after STORE is looked at as an option too, as SORT does.
func sortKeys(_ *Command, argv [][]byte) []KeyRef {
	store := 0
	for i := 2; i < len(argv); i++ {
		switch {
		case isWord(argv[i], "limit"):
			i += 2
		case isWord(argv[i], "get"), isWord(argv[i], "by"):
			i++
		case isWord(argv[i], "store") && i+1 < len(argv):
			store = i + 1
		}
	}
	keys := []KeyRef{{1, keyRead}}
	if store > 0 {
		keys = append(keys, KeyRef{store, keyOverwrite})
	}
	return keys
}

func migrateKeys(_ *Command, argv [][]byte) (keys []KeyRef) {
	first, n := 3, 1
options:
	for i := 6; i < len(argv); i++ {
		switch {
		case isWord(argv[i], "keys"):
			if len(argv[3]) > 0 { // a syntax error
				n = 0
			} else {
				first, n = i+1, len(argv)-i-1
			}
			break options
		case isWord(argv[i], "auth"):
			i++
		case isWord(argv[i], "auth2"):
			i += 2
		}
	}
	for i := range n {
		keys = append(keys, KeyRef{first + i, keyMoveAway})
	}
	return keys
}

// georadiusKeys takes the last STORE or STOREDIST. Only where the specs leave the flags to it (9.1.2) does it tell any.
func georadiusKeys(c *Command, argv [][]byte) []KeyRef {
	source, target := KeyRef{Pos: 1}, KeyRef{}
	for i := 5; i+1 < len(argv); i++ {
		if isWord(argv[i], "store") || isWord(argv[i], "storedist") {
			target.Pos = i + 1
			i++
		}
	}
	if c.variableFlags() {
		source.Flags, target.Flags = keyRead, keyOverwrite
	}
	if target.Pos == 0 {
		return []KeyRef{source}
	}
	return []KeyRef{source, target}
}

func xreadKeys(_ *Command, argv [][]byte) (keys []KeyRef) {
	streams := 0
options:
	for i := 1; i < len(argv); i++ {
		switch {
		case isWord(argv[i], "block"), isWord(argv[i], "count"):
			i++
		case isWord(argv[i], "group"):
			i += 2
		case isWord(argv[i], "noack"):
		case isWord(argv[i], "streams"):
			streams = i + 1
			break options
		default:
			break options
		}
	}
	rest := len(argv) - streams
	if streams == 0 || rest == 0 || rest%2 != 0 {
		return nil
	}
	for i := range rest / 2 {
		keys = append(keys, KeyRef{Pos: streams + i})
	}
	return keys
}

func setKeys(_ *Command, argv [][]byte) []KeyRef {
	for _, a := range argv[min(3, len(argv)):] {
		if isWord(a, "get") {
			return []KeyRef{{1, keyUpdate}}
		}
	}
	return []KeyRef{{1, keyOverwrite}}
}

func bitfieldKeys(_ *Command, argv [][]byte) []KeyRef {
	for i := 2; i < len(argv); i++ {
		left := len(argv) - i - 1
		switch {
		case isWord(argv[i], "get") && left >= 2:
			i += 2
		case isWord(argv[i], "overflow") && left >= 1:
			i++
		default:
			return []KeyRef{{1, keyUpdate}}
		}
	}
	return []KeyRef{{1, keyRead}}
}

// isWord compares as the server's C strings do: without regard to case, up to a zero byte.
func isWord(arg []byte, word string) bool {
	if i := bytes.IndexByte(arg, 0); i >= 0 {
		arg = arg[:i]
	}
	if len(arg) != len(word) {
		return false
	}
	for i := range arg {
		if lower(arg[i]) != lower(word[i]) {
			return false
		}
	}
	return true
}

// leadingInt reads the number an argument begins with, 0 if it does not: C's atoi.
func leadingInt(b []byte) int {
	b = bytes.TrimLeft(b, " \t\n\v\f\r")
	sign := 1
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		if b[0] == '-' {
			sign = -1
		}
		b = b[1:]
	}
	n := 0
	for _, c := range b {
		if c < '0' || c > '9' || n > 1<<40 {
			break
		}
		n = n*10 + int(c-'0')
	}
	return sign * n
}
