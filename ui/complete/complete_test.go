package complete

import (
	"slices"
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/engine/catalog"
)

var newest = catalog.For("9.1")

func TestTheEndOfALineIsCompleted(t *testing.T) {
	cases := []struct {
		line  string
		words string // candidates, or the first of them when it ends in …
		keys  bool
		rest  string
		hint  string // how the hint begins
	}{
		{"", "…", false, "", ""},
		{"memory", "memory", false, "", "DOCTOR|HELP|"},
		{"MEMORY U", "USAGE", false, "SAGE", "key [SAMPLES count]"},
		{"MEMORY USAGE ", "", true, "", "key [SAMPLES count]"},
		{"MEMORY USAGE use", "", true, "", "[SAMPLES count]"},
		{"MEMORY USAGE user:1 ", "SAMPLES", false, "", "[SAMPLES count]"},
		{`get "a b`, "", true, "", ""},
		{"set k v e", "ex exat", false, "", ""},
		{"object enc", "encoding", false, "oding", "key"},
		{`SET "a`, "", true, "", "value"},
		{`SET "a"b c`, "", false, "", ""},
		{"nonsense x ", "", false, "", ""},
		{"CONFIG SET hash-max-listpack-e", "hash-max-listpack-entries", false, "ntries", "value"},
		{"config get HASH-MAX-LISTPACK-", "hash-max-listpack-entries hash-max-listpack-value", false, "", ""},
		{"help gets", "getset", false, "et", ""},
		{"HELP memory us", "usage", false, "age", ""},
		{"help @se", "@set @server", false, "", ""},
		{"help set x ", "", false, "", ""},
	}
	for _, c := range cases {
		p := At(newest, c.line)
		got := strings.Join(p.Candidates, " ")
		if c.words == "…" && len(p.Candidates) > 200 {
			got = c.words
		}
		if got != c.words || p.Keys != c.keys || p.Rest != c.rest || !strings.HasPrefix(p.Hint, c.hint) {
			t.Errorf("%q: candidates %q keys %v rest %q hint %q, want %q %v %q %q…", c.line, got, p.Keys, p.Rest, p.Hint, c.words, c.keys, c.rest, c.hint)
		}
	}
}

func TestTheLastWordBeginsAtItsQuote(t *testing.T) {
	for line, want := range map[string]string{"": "", "GET": "GET", "GET ": "", "GET a": "a", `GET "a b`: `"a b`, `GET "a b"`: `"a b"`, `GET "a\" b`: `"a\" b`, "GET 'a  b": "'a  b", "a\tb": "b"} {
		if got := line[lastWord(line):]; got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

func TestAKeyIsOfferedAsItMustBeTyped(t *testing.T) {
	for name, want := range map[string]string{"user:1": "user:1", "": `""`, "a b": `"a b"`, "a\"b": `"a\"b"`, "\x00\xff": `"\x00\xff"`, "it's": `"it's"`} {
		if got := Word([]byte(name)); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
}

func TestTheCommonBeginningIgnoresCase(t *testing.T) {
	for want, words := range map[string][]string{"": nil, "a": {"a"}, "us": {"user", "usage"}, "USE": {"USEr", "use"}, "ключ:": {"ключ:1", "ключ:2"}, "к": {"ка", "кб"}} {
		if got := Common(words); got != want {
			t.Errorf("%q: %q, want %q", words, got, want)
		}
	}
	if got := Common([]string{"a", "b"}); got != "" {
		t.Errorf("nothing in common: %q", got)
	}
}

func TestAPasteIsSplitIntoCommandLines(t *testing.T) {
	got := Lines("SET a 1\r\n\n# a comment\n  GET a  \n127.0.0.1:6379> DEL a")
	if want := []string{"SET a 1", "GET a", "DEL a"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestErrorsSayWhatToDoNext(t *testing.T) {
	cases := []struct{ reply, line, want string }{
		{"ERR unknown command 'SMEMBER', with args beginning with: 'tags' ", "SMEMBER tags", "Did you mean SMEMBERS?"},
		{"ERR unknown command 'gte', with args beginning with: 'a' ", "gte a", "Did you mean GET?"},
		{"ERR unknown command 'hsetex', with args", "hsetex a", "HSETEX came with 9.0.0."},
		{"ERR unknown command 'xyzzyplugh', with args", "xyzzyplugh", "Tab completes"},
		{"ERR unknown subcommand 'encodin'. Try OBJECT HELP.", "object encodin a", "Did you mean OBJECT ENCODING?"},
		{"ERR wrong number of arguments for 'get' command", "GET", "Usage: GET key"},
		{"ERR Can't execute 'get': only (P|S)SUBSCRIBE / PING are allowed in this context", "GET a", "This client is subscribed. RESET"},
		{"ERR syntax error", "SET a b FX", "Usage: SET key value"},
		{"WRONGTYPE Operation against a key", "GET a", ""},
		{"ERR unknown command ''", "", ""},
	}
	for _, c := range cases {
		if got := Advice(c.reply, c.line, newest); !strings.HasPrefix(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%q after %q: %q, want %q", c.reply, c.line, got, c.want)
		}
	}
}

func TestHelpTellsOfCommandsAndGroups(t *testing.T) {
	cases := map[string]string{"": "help SET", "set": "SET key value", "memory usage": "MEMORY USAGE key", "object": "OBJECT ENCODING key", "@string": "APPEND key value", "@none": "Groups:", "sett": "Did you mean SET?"}
	for words, want := range cases {
		if got := strings.Join(Help(newest, strings.Fields(words)), "\n"); !strings.Contains(got, want) {
			t.Errorf("help %s: %q lacks %q", words, got, want)
		}
	}
	if got := Help(nil, nil); len(got) != 1 {
		t.Errorf("without a catalog: %q", got)
	}
}

func FuzzTheEndOfAnyLineIsLookedAtWithoutPanic(f *testing.F) {
	f.Add(`SET "a\x`)
	f.Add("mset a b c ")
	f.Add("'")
	f.Fuzz(func(t *testing.T, line string) {
		p := At(newest, line)
		if p.Start > len(line) || p.Start < 0 {
			t.Errorf("%q: the last word begins at %d", line, p.Start)
		}
		Advice("ERR unknown command", line, newest)
		Lines(line)
	})
}
