package sweep

import (
	"fmt"
	"slices"
	"strings"

	"github.com/keyloupe/keyloupe/engine/release"
	"github.com/keyloupe/keyloupe/engine/siphash"
)

// Type is what the keys hold.
type Type uint8

// The types a sweep covers.
const (
	String Type = iota
	Hash
)

var typeNames = []string{"string", "hash"}

func (t Type) String() string { return typeNames[t] }

// TTL is what expires.
type TTL uint8

// What can expire.
const (
	NoTTL    TTL = iota
	KeyTTL       // the key
	FieldTTL     // every field of a hash, at one and the same time; 9.0 and later
)

var ttlNames = []string{"none", "key", "field"}

func (t TTL) String() string { return ttlNames[t] }

// History is how a key comes about: the same content costs differently after other commands.
type History uint8

// The histories. A key's TTL comes with the command that writes it, or by a command of its own
// afterwards. For a hash, Set stands for HSET (with ttl=field, HSETEX), and a key's TTL is always a
// PEXPIRE; SetPexpire stands for HSET (with ttl=field, HSET and then HPEXPIRE).
const (
	Set         History = iota // SET key value [PX ms]
	SetPexpire                 // SET key value, PEXPIRE key ms
	Hset                       // HSET key field value ..., [PEXPIRE key ms]
	Hsetex                     // HSETEX key [PX ms] FIELDS n field value ...
	HsetHexpire                // HSET key field value ..., HPEXPIRE key ms FIELDS n field ...
)

var historyNames = []string{"set", "set+pexpire", "hset", "hsetex", "hset+hexpire"}

func (h History) String() string { return historyNames[h] }

// Kind is what values consist of.
type Kind uint8

// The kinds of values.
const (
	Text Kind = iota // no integer
	Int              // an integer of so many characters: the first digits of 1234567890123456789
)

var kindNames = []string{"text", "int"}

func (k Kind) String() string { return kindNames[k] }

// Spec says which shapes to sweep on which servers. Lengths are in bytes.
type Spec struct {
	Type      Type
	Key       Axis // length of keys
	Value     Axis // length of values
	Field     Axis // length of a hash's field names
	Fields    Axis // fields of a hash
	TTL       []TTL
	History   []History
	Keys      Axis // how many keys there are in all
	Servers   []string
	ValueKind Kind

	HashSeed    string // directive hash-seed of 9.1: seeds the tables of the keyspace
	HashSeedHex string // seed of every table, 32 hexadecimal digits

	set map[string]bool // fields that were named
}

// Limits of the fields. Lengths are bounded as the server bounds a bulk string (512 MB).
const (
	maxLength  = 512 << 20
	maxFields  = 100_000_000
	maxKeys    = 1_000_000_000_000
	maxIntText = 20      // characters of the longest 64-bit integer
	maxHash    = 1 << 40 // bytes of field names and values in one hash
	maxServers = 64
)

// Default is the specification that others change: 16-byte keys with values of up to 200 bytes.
func Default() *Spec {
	return &Spec{
		Key: One(16), Value: Range(0, 200), Field: One(10), Fields: One(1), Keys: One(1_000_000),
		TTL: []TTL{NoTTL}, History: []History{Set},
		Servers: []string{release.Newest(release.V90), release.Newest(release.V91)},
		set:     map[string]bool{},
	}
}

// FieldInfo describes one field of a specification.
type FieldInfo struct{ Name, What string }

// fields are the fields in the order they are written and explained.
var fields = []struct {
	FieldInfo
	set func(*Spec, string) error
	get func(*Spec) string
}{
	{FieldInfo{"type", "string or hash"},
		func(s *Spec, v string) (err error) { s.Type, err = pick[Type]("type", v, typeNames); return },
		func(s *Spec) string { return s.Type.String() }},
	{FieldInfo{"key", "length of keys, bytes: a number, a..b, a..b/step, or a list of them"},
		func(s *Spec, v string) (err error) { s.Key, err = parseAxis("key", v, 0, maxLength); return },
		func(s *Spec) string { return s.Key.String() }},
	{FieldInfo{"value", "length of values, bytes"},
		func(s *Spec, v string) (err error) { s.Value, err = parseAxis("value", v, 0, maxLength); return },
		func(s *Spec) string { return s.Value.String() }},
	{FieldInfo{"field", "length of a hash's field names, bytes"},
		func(s *Spec, v string) (err error) { s.Field, err = parseAxis("field", v, 0, maxLength); return },
		func(s *Spec) string { return s.Field.String() }},
	{FieldInfo{"fields", "number of fields of a hash"},
		func(s *Spec, v string) (err error) { s.Fields, err = parseAxis("fields", v, 1, maxFields); return },
		func(s *Spec) string { return s.Fields.String() }},
	{FieldInfo{"ttl", "what expires: none, key or field, or a list of them"},
		func(s *Spec, v string) (err error) { s.TTL, err = pickList[TTL]("ttl", v, ttlNames); return },
		func(s *Spec) string { return join(s.TTL) }},
	{FieldInfo{"history", "how the TTL comes: set (with the write) or set+pexpire (afterwards), or a list of them; for hashes also hset, hsetex, hset+hexpire"},
		func(s *Spec, v string) (err error) {
			// in a query a plus sign means a space
			s.History, err = pickList[History]("history", strings.ReplaceAll(v, " ", "+"), historyNames)
			return
		},
		func(s *Spec) string { return join(s.History) }},
	{FieldInfo{"keys", "how many keys there are, for the tables' share"},
		func(s *Spec, v string) (err error) { s.Keys, err = parseAxis("keys", v, 1, maxKeys); return },
		func(s *Spec) string { return s.Keys.String() }},
	{FieldInfo{"servers", "list of VERSION[@BUILD], such as 9.0.6,9.1.2,9.1.2@libc"},
		func(s *Spec, v string) (err error) { s.Servers, err = splitServers(v); return },
		func(s *Spec) string { return strings.Join(s.Servers, ",") }},
	{FieldInfo{"value_kind", "text or int (the first digits of 1234567890123456789)"},
		func(s *Spec, v string) (err error) { s.ValueKind, err = pick[Kind]("value_kind", v, kindNames); return },
		func(s *Spec) string { return s.ValueKind.String() }},
	{FieldInfo{"hash_seed", "directive hash-seed of 9.1: counts the tables' buckets exactly for keys key:000000000000 and up"},
		func(s *Spec, v string) (err error) { s.HashSeed, err = v, checkSeedText(v); return },
		func(s *Spec) string { return s.HashSeed }},
	{FieldInfo{"hash_seed_hex", "seed of every table, 32 hexadecimal digits"},
		func(s *Spec, v string) (err error) { s.HashSeedHex, err = v, checkSeedHex(v); return },
		func(s *Spec) string { return s.HashSeedHex }},
}

// Fields describes the fields of a specification in the order they are explained.
func Fields() []FieldInfo {
	out := make([]FieldInfo, len(fields))
	for i, f := range fields {
		out[i] = f.FieldInfo
	}
	return out
}

// Set gives a field its value, written as in a flag, a query or a string of JSON: "0..200",
// "none,key", "9.0.6,9.1.2". The error names the field, what is wrong and what would be right.
func (s *Spec) Set(field, value string) error {
	for _, f := range fields {
		if f.Name == field {
			if s.set[field] {
				return fieldErrorf(field, "named twice: give one list, separated by commas")
			}
			if len(value) > maxText {
				return fieldErrorf(field, "%d bytes of text, at most %d are allowed", len(value), maxText)
			}
			s.set[field] = true
			return f.set(s, value)
		}
	}
	return unknownField(field)
}

// maxText bounds the text of one field: a hostile list must not cost memory.
const maxText = 64 << 10

func unknownField(name string) error {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
	}
	return fieldErrorf(quoteName(name), "no such field: the fields are %s", strings.Join(names, ", "))
}

func quoteName(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') }) < 0 && s != "" && len(s) <= maxQuoted {
		return s
	}
	return quote(s)
}

// Get is the value of a field as Set takes it.
func (s *Spec) Get(field string) string {
	for _, f := range fields {
		if f.Name == field {
			return f.get(s)
		}
	}
	panic("sweep: no field " + field)
}

// Each yields the fields that a canonical spelling has, with their values: all that mean something
// for the type, in a fixed order, whether they were named or not. Ids of links are made of it: a field
// that is added later has to be left out while it has its default.
func (s *Spec) Each(yield func(field, value string) bool) {
	for _, f := range fields {
		v := f.get(s)
		if v == "" || s.Type == String && (f.Name == "field" || f.Name == "fields") {
			continue
		}
		if !yield(f.Name, v) {
			return
		}
	}
}

// Named tells whether a field was given a value by Set.
func (s *Spec) Named(field string) bool { return s.set[field] }

type enum interface{ ~uint8 }

func pick[E enum](field, value string, names []string) (E, error) {
	if i := slices.Index(names, strings.TrimSpace(value)); i >= 0 {
		return E(i), nil
	}
	return 0, fieldErrorf(field, "%s is none of %s", quote(value), strings.Join(names, ", "))
}

func pickList[E enum](field, value string, names []string) ([]E, error) {
	var out []E
	for item := range strings.SplitSeq(value, ",") {
		e, err := pick[E](field, item, names)
		if err != nil {
			return nil, err
		}
		if slices.Contains(out, e) {
			return nil, fieldErrorf(field, "%s is listed twice", quote(strings.TrimSpace(item)))
		}
		out = append(out, e)
	}
	return out, nil
}

func join[E fmt.Stringer](list []E) string {
	names := make([]string, len(list))
	for i, e := range list {
		names[i] = e.String()
	}
	return strings.Join(names, ",")
}

func splitServers(value string) ([]string, error) {
	if n := strings.Count(value, ",") + 1; n > maxServers {
		return nil, fieldErrorf("servers", "%d servers listed, at most %d are allowed", n, maxServers)
	}
	var out []string
	for name := range strings.SplitSeq(value, ",") {
		r, err := release.Parse(strings.TrimSpace(clip(name)))
		if err != nil {
			return nil, &FieldError{"servers", err.Error()}
		}
		if slices.Contains(out, r.Name()) {
			return nil, fieldErrorf("servers", "%s is listed twice", r.Name())
		}
		out = append(out, r.Name())
	}
	return out, nil
}

// clip cuts a name that can't be one, so that the error which quotes it stays short.
func clip(s string) string { return s[:min(len(s), 64)] }

func checkSeedText(v string) error {
	const most = 1024
	if len(v) > most {
		return fieldErrorf("hash_seed", "%d bytes long, at most %d are allowed", len(v), most)
	}
	return nil
}

func checkSeedHex(v string) error {
	if v == "" {
		return nil
	}
	if _, err := siphash.ParseSeed(clip(v)); err != nil {
		return fieldErrorf("hash_seed_hex", "%s is not 32 hexadecimal digits", quote(v))
	}
	return nil
}
