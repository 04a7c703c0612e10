// Package link turns the state of the page into the fragment of its address and back.
//
// A fragment is a version and fields, readable when short, compressed when long:
//
//	v=1&s=9.0.6,9.1.2&run=SET+user:1+Alice&run=GET+user:1&key=user:1
//	v=1&z=BASE64URL(DEFLATE("s=9.0.6,9.1.2&run=..."))
//
// Version 1 is frozen: what it means never changes, new fields may be added. A fragment of an older version goes through
// one migration per step; one of a newer version is refused with a message.
package link

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Version is the version written.
const Version = 1

// Bounds on what a fragment may ask for, checked before any work is done on it.
const (
	MaxFragment = 2 << 20  // bytes of a fragment
	MaxInflated = 16 << 20 // bytes of its fields when decompressed
	MaxLines    = 100_000  // commands
	MaxServers  = 8
)

// readable is how long a fragment may be, in bytes, before it is compressed: what a chat line or a mail still carries whole.
const readable = 1000

// State is what a fragment says. The zero State is the page as it opens without one.
type State struct {
	Servers  []string // s: VERSION[@BUILD], in the order shown
	Config   []string // c: name=value given to every server before the first command
	HashSeed string   // seed: 32 hexadecimal digits, the hash function's key
	Run      []string // run: the typed lines, in order
	Key      string   // key: the selected key
	DB       int      // db: the database shown
	Search   string   // q: what the key list is narrowed to
	Table    Table    // t: the table whose buckets are shown
	Budget   *Budget  // b: the sliders of the embedding budget, where they were moved
	ReadOnly bool     // ro: an embed without a prompt
	Theme    string   // theme: light or dark, for embeds; empty follows the reader's
	Sweep    string   // sweep: the specification of the sweep page, as the query of /api/sweep; the servers are those of s
	View     string   // view: "play" shows the Playground where there is a sweep too, "published" the published measurements
	Scenario string   // scenario: which of them
	Link     string   // link: id of a kept link that was too long for an address; the page reads /api/links/ID
}

// Table says which table's picture is open: "server/kind/bucket", as in "9.1.2/keys/11".
type Table struct {
	Server string
	Kind   string // one of TableKinds
	Bucket int    // the opened bucket, -1 for none
}

// TableKinds are the tables of a database.
var TableKinds = []string{"keys", "expires", "volatile"}

// Budget is a shape: lengths in bytes.
type Budget struct {
	Key, Value int
	TTL        bool
}

// Errors of Parse, for people.
var (
	ErrCut   = errors.New("this link is cut off or damaged: its end is missing. Ask for it again, or copy the whole of it")
	ErrLarge = errors.New("this link asks for more than the page takes")
)

// NewerError refuses a fragment of a version to come.
type NewerError struct{ Version int }

func (e NewerError) Error() string {
	return fmt.Sprintf("this link was made by a newer Keyloupe (link version %d, this page reads up to %d): reload the page to get it", e.Version, Version)
}

// migrations[i] turns the fields of version i+1 into those of version i+2. There is one for each step up to Version.
var migrations = []func(url.Values){}

// Parse reads a fragment, with or without its #. An empty one is the zero State.
func Parse(fragment string) (State, error) { return parse(fragment, migrations) }

func parse(fragment string, migrations []func(url.Values)) (State, error) {
	newest := 1 + len(migrations)
	fragment = strings.TrimPrefix(fragment, "#")
	if fragment == "" {
		return State{}, nil
	}
	if len(fragment) > MaxFragment {
		return State{}, fmt.Errorf("%w: its address has %d bytes, the limit is %d", ErrLarge, len(fragment), MaxFragment)
	}
	q, err := url.ParseQuery(fragment)
	if err != nil {
		return State{}, ErrCut
	}
	version, err := strconv.Atoi(q.Get("v"))
	if err != nil || version < 1 {
		return State{}, fmt.Errorf("this is not a link of Keyloupe's: it has no version (it should begin with #v=%d)", Version)
	}
	if version > newest {
		return State{}, NewerError{version}
	}
	if z := q.Get("z"); z != "" {
		if q, err = inflate(z); err != nil {
			return State{}, err
		}
	}
	for ; version < newest; version++ {
		migrations[version-1](q)
	}
	return read(q)
}

func inflate(z string) (url.Values, error) {
	packed, err := base64.RawURLEncoding.DecodeString(z)
	if err != nil {
		return nil, ErrCut
	}
	text, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(packed)), MaxInflated+1))
	if err != nil {
		return nil, ErrCut
	}
	if len(text) > MaxInflated {
		return nil, fmt.Errorf("%w: more than %d bytes when decompressed", ErrLarge, MaxInflated)
	}
	q, err := url.ParseQuery(string(text))
	if err != nil {
		return nil, ErrCut
	}
	return q, nil
}

func read(q url.Values) (State, error) {
	s := State{
		Servers: list(q.Get("s")), Config: q["c"], HashSeed: q.Get("seed"), Run: typed(q["run"]), Key: q.Get("key"), Search: q.Get("q"),
		ReadOnly: q.Get("ro") == "1", Theme: q.Get("theme"), Sweep: q.Get("sweep"), View: q.Get("view"), Scenario: q.Get("scenario"), Link: q.Get("link"),
	}
	switch {
	case len(s.Servers) > MaxServers:
		return State{}, fmt.Errorf("%w: %d servers, the limit is %d", ErrLarge, len(s.Servers), MaxServers)
	case len(s.Run) > MaxLines:
		return State{}, fmt.Errorf("%w: %d commands, the limit is %d", ErrLarge, len(s.Run), MaxLines)
	case s.Theme != "" && s.Theme != "light" && s.Theme != "dark":
		return State{}, fmt.Errorf("this link's theme is %q: it can be light or dark", s.Theme)
	}
	var err error
	if s.DB, err = number(q, "db", 0, 1<<20); err != nil {
		return State{}, err
	}
	if s.Table, err = parseTable(q.Get("t")); err != nil {
		return State{}, err
	}
	s.Budget, err = parseBudget(q.Get("b"))
	return s, err
}

// typed is the typed lines: each run is one, or several that people wrote below each other.
func typed(runs []string) (lines []string) {
	for _, r := range runs {
		lines = append(lines, strings.Split(strings.TrimRight(r, "\r\n"), "\n")...)
	}
	return lines
}

func list(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, ",")
}

func number(q url.Values, name string, otherwise, most int) (int, error) {
	text := q.Get(name)
	if text == "" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > most {
		return 0, fmt.Errorf("this link's %s is %q: it should be a number from 0 to %d", name, text, most)
	}
	return n, nil
}

func parseTable(text string) (Table, error) {
	if text == "" {
		return Table{}, nil
	}
	part := strings.Split(text, "/")
	if len(part) == 2 {
		part = append(part, "-1")
	}
	if len(part) == 3 && slices.Contains(TableKinds, part[1]) {
		if n, err := strconv.Atoi(part[2]); err == nil && n >= -1 {
			return Table{part[0], part[1], n}, nil
		}
	}
	return Table{}, fmt.Errorf("this link's table is %q: it should be SERVER/KIND with KIND of %s, and /BUCKET where one is open", text, strings.Join(TableKinds, ", "))
}

func (t Table) String() string {
	switch {
	case t.Kind == "":
		return ""
	case t.Bucket < 0:
		return t.Server + "/" + t.Kind
	}
	return fmt.Sprintf("%s/%s/%d", t.Server, t.Kind, t.Bucket)
}

// maxLength bounds the sliders, in bytes.
const maxLength = 1 << 29

func parseBudget(text string) (*Budget, error) {
	if text == "" {
		return nil, nil
	}
	part := strings.Split(text, ",")
	b := &Budget{}
	ok := len(part) == 2 || len(part) == 3 && part[2] == "ttl"
	if ok {
		var e1, e2 error
		b.Key, e1 = strconv.Atoi(part[0])
		b.Value, e2 = strconv.Atoi(part[1])
		b.TTL = len(part) == 3
		ok = e1 == nil && e2 == nil && min(b.Key, b.Value) >= 0 && max(b.Key, b.Value) <= maxLength
	}
	if !ok {
		return nil, fmt.Errorf("this link's budget is %q: it should be KEY,VALUE or KEY,VALUE,ttl, lengths in bytes", text)
	}
	return b, nil
}

func (b *Budget) String() string {
	ttl := ""
	if b.TTL {
		ttl = ",ttl"
	}
	return fmt.Sprintf("%d,%d%s", b.Key, b.Value, ttl)
}

// String writes the fragment, without #. The zero State is empty.
func (s State) String() string {
	fields := s.Fields()
	if fields == "" {
		return ""
	}
	plain := "v=" + strconv.Itoa(Version) + "&" + fields
	if len(plain) <= readable {
		return plain
	}
	if packed := "v=" + strconv.Itoa(Version) + "&z=" + deflate(fields); len(packed) < len(plain) {
		return packed
	}
	return plain
}

func deflate(fields string) string {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err == nil {
		_, err = io.WriteString(w, fields)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic(err) // a buffer takes everything
	}
	return base64.RawURLEncoding.EncodeToString(b.Bytes())
}

// Fields are the fields of a fragment without its version: the query of a picture, too.
func (s State) Fields() string {
	var b strings.Builder
	add := func(name, value string) {
		if b.Len() > 0 {
			b.WriteByte('&')
		}
		b.WriteString(name + "=" + escape(value))
	}
	addSet := func(name, value string) {
		if value != "" {
			add(name, value)
		}
	}
	addSet("s", strings.Join(s.Servers, ","))
	for _, c := range s.Config {
		add("c", c)
	}
	addSet("seed", s.HashSeed)
	for _, line := range s.Run {
		add("run", line)
	}
	addSet("key", s.Key)
	if s.DB != 0 {
		add("db", strconv.Itoa(s.DB))
	}
	addSet("q", s.Search)
	addSet("t", s.Table.String())
	if s.Budget != nil {
		add("b", s.Budget.String())
	}
	if s.ReadOnly {
		add("ro", "1")
	}
	addSet("theme", s.Theme)
	addSet("sweep", s.Sweep)
	addSet("view", s.View)
	addSet("scenario", s.Scenario)
	addSet("link", s.Link)
	return b.String()
}

// plain marks the bytes that a fragment carries as they are (RFC 3986, less those that end a field or a sentence's link).
var plain = func() (t [256]bool) {
	for _, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/@,*!=") {
		t[c] = true
	}
	return t
}()

// escape writes a value so that people can read it: spaces as +, and colons and the like as they are.
func escape(s string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(s) {
		switch c := s[i]; {
		case plain[c]:
			b.WriteByte(c)
		case c == ' ':
			b.WriteByte('+')
		default:
			b.Write([]byte{'%', hex[c>>4], hex[c&15]})
		}
	}
	return b.String()
}
