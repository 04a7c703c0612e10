package catalog

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestSyntaxIsWhatValkeyCliPrints(t *testing.T) {
	for name, want := range map[string]string{
		"get":            "GET key",
		"set":            "SET key value [NX|XX|IFEQ comparison-value] [GET] [EX seconds|PX milliseconds|EXAT unix-time-seconds|PXAT unix-time-milliseconds|KEEPTTL]",
		"mget":           "MGET key [key ...]",
		"config|set":     "CONFIG SET parameter value [parameter value ...]",
		"zadd":           "ZADD key [NX|XX] [GT|LT] [CH] [INCR] score member [score member ...]",
		"bitfield_ro":    "BITFIELD_RO key [GET encoding offset [GET encoding offset ...]]",
		"migrate":        `MIGRATE host port key|"" destination-db timeout [COPY] [REPLACE] [AUTH password|AUTH2 username password] [KEYS key [key ...]]`,
		"object|freq":    "OBJECT FREQ key",
		"ping":           "PING [message]",
		"dbsize":         "DBSIZE",
		"zrandmember":    "ZRANDMEMBER key [count [WITHSCORES]]",
		"sort":           "SORT key [BY pattern] [LIMIT offset count] [GET pattern [GET pattern ...]] [ASC|DESC] [ALPHA] [STORE destination]",
		"hexpire":        "HEXPIRE key seconds [NX|XX|GT|LT] FIELDS numfields field [field ...]",
		"xgroup|create":  "XGROUP CREATE key group id|$ [MKSTREAM] [ENTRIESREAD entries-read]",
		"memory|usage":   "MEMORY USAGE key [SAMPLES count]",
		"command|list":   "COMMAND LIST [FILTERBY MODULE module-name|ACLCAT category|PATTERN pattern]",
		"client|setinfo": "CLIENT SETINFO LIB-NAME libname|LIB-VER libver",
	} {
		if got := For("9.1").Lookup(name).Syntax(); got != want {
			t.Errorf("%s: %q\nwant %q", name, got, want)
		}
	}
}

func words(line string) [][]byte { return bytes.Fields([]byte(line)) }

func TestHintLeavesOutWhatIsTyped(t *testing.T) {
	for line, want := range map[string]string{
		"GET": "key", "GET k": "", "get k x": "", "nosuch": "",
		"SET k v EX":     "seconds [NX|XX|IFEQ comparison-value] [GET]",
		"SET k v EX 23":  "[NX|XX|IFEQ comparison-value] [GET]",
		"SET k v EX sec": "", "SET k v FOO": "",
		"set k v get xx":            "[EX seconds|PX milliseconds|EXAT unix-time-seconds|PXAT unix-time-milliseconds|KEEPTTL]",
		"MGET a":                    "[key ...]",
		"CONFIG SET p":              "value [parameter value ...]",
		"ZADD k CH LT":              "[NX|XX] [INCR] score member [score member ...]",
		"ZADD k 0":                  "member [score member ...]",
		"GEOADD k 1 2":              "member [longitude latitude member ...]",
		"BLMOVE a b LEFT":           "LEFT|RIGHT timeout",
		"ZRANDMEMBER k 3":           "[WITHSCORES]",
		"GEORADIUS k 1 2 3 M COUNT": "count [ANY] [WITHCOORD] [WITHDIST] [WITHHASH] [ASC|DESC] [STORE key|STOREDIST key]",
		"LPOP k 3":                  "",
		"SCAN 0 COUNT 5":            "[MATCH pattern] [TYPE type]",
		"SORT k GET a":              "[GET pattern ...] [BY pattern] [LIMIT offset count] [ASC|DESC] [ALPHA] [STORE destination]",
		"SORT k GET a DESC":         "[BY pattern] [LIMIT offset count] [GET pattern ...] [ALPHA] [STORE destination]",
		"XADD s MAXLEN":             "[=|~] threshold [LIMIT count] [NOMKSTREAM] *|id field value [field value ...]",
	} {
		if got := For("9.1").Hint(words(line)); got != want {
			t.Errorf("%s: %q\nwant %q", line, got, want)
		}
	}
}

func TestHintGoesBeyondValkeyCli(t *testing.T) {
	for line, want := range map[string]string{
		// brackets are closed
		"BITFIELD_RO k GET":          "encoding offset [GET encoding offset ...]",
		"BITFIELD_RO k GET u8 0":     "[GET encoding offset ...]",
		"BITFIELD_RO k GET u8 0 GET": "encoding offset [GET encoding offset ...]",
		// counts are heeded
		"ZUNION 2":                "key [key ...] [WEIGHTS weight [weight ...]] [AGGREGATE SUM|MIN|MAX] [WITHSCORES]",
		"ZUNION 2 a":              "key [WEIGHTS weight [weight ...]] [AGGREGATE SUM|MIN|MAX] [WITHSCORES]",
		"ZUNION 2 a b":            "[WEIGHTS weight [weight ...]] [AGGREGATE SUM|MIN|MAX] [WITHSCORES]",
		"ZUNION 2 a b WEIGHTS":    "weight [weight ...] [AGGREGATE SUM|MIN|MAX] [WITHSCORES]",
		"EVAL s 0":                "[arg [arg ...]]",
		"EVAL s 1":                "key [arg [arg ...]]",
		"EVAL s 1 k a":            "[arg ...]",
		"HEXPIRE h 10 FIELDS 2 a": "field",
		"HEXPIRE h 10 FIELDS 1 a": "",
		"MSETEX 2 a 1":            "key value [NX|XX] [EX seconds|PX milliseconds|EXAT unix-time-seconds|PXAT unix-time-milliseconds|KEEPTTL]",
		"MSETEX 1 a 1 NX":         "[EX seconds|PX milliseconds|EXAT unix-time-seconds|PXAT unix-time-milliseconds|KEEPTTL]",
		// containers name their subcommands
		"MEMORY": "DOCTOR|HELP|MALLOC-STATS|PURGE|STATS|USAGE",
	} {
		if got := For("9.1").Hint(words(line)); got != want {
			t.Errorf("%s: %q\nwant %q", line, got, want)
		}
	}
}

func TestCompleteOffersCommandsSubcommandsAndTokens(t *testing.T) {
	for line, want := range map[string]string{
		"HGETD":                        "HGETDEL",
		"hgete":                        "hgetex",
		"COMMANDL":                     "COMMANDLOG",
		"nosuch":                       "",
		"CONFIG ":                      "GET HELP RESETSTAT REWRITE SET",
		"config re":                    "resetstat rewrite",
		"SET k v ":                     "EX EXAT GET IFEQ KEEPTTL NX PX PXAT XX",
		"SET k v e":                    "ex exat",
		"SET k v EX ":                  "",
		"SET k v EX 10 ":               "GET IFEQ NX XX",
		"SET k ":                       "",
		"ZADD k ":                      "CH GT INCR LT NX XX",
		"ZADD k NX ":                   "CH GT INCR LT",
		"ZADD k 1 m ":                  "",
		"HEXPIRE h 10 ":                "FIELDS GT LT NX XX",
		"HEXPIRE h 10 NX ":             "FIELDS",
		"BLMOVE a b ":                  "LEFT RIGHT",
		"XADD s ":                      "* MAXLEN MINID NOMKSTREAM",
		"XADD s MAXLEN ":               "= ~",
		"XADD s MAXLEN ~ 5 ":           "* LIMIT NOMKSTREAM",
		"GEORADIUS k 1 2 3 M COUNT 5 ": "ANY ASC DESC STORE STOREDIST WITHCOORD WITHDIST WITHHASH",
		"SORT k GET a ":                "ALPHA ASC BY DESC GET LIMIT STORE",
		"ZUNION 2 a ":                  "",
		"ZUNION 2 a b w":               "weights withscores",
		"EVAL s 1 ":                    "",
		"OBJECT E":                     "ENCODING",
		"BITFIELD k GET u8 0 ":         "GET INCRBY OVERFLOW SET",
	} {
		argv := words(line)
		if strings.HasSuffix(line, " ") {
			argv = append(argv, nil)
		}
		if got := strings.Join(For("9.1").Complete(argv), " "); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
	if n := len(For("9.1").Complete(nil)); n != len(For("9.1").Commands) {
		t.Errorf("an empty line offers %d commands", n)
	}
}

func TestNextTellsWhereAKeyIsExpected(t *testing.T) {
	for line, want := range map[string][]string{
		"GET": {"key:key"}, "GET k": nil, "MGET a": {"key:key"}, "SET": {"key:key"}, "SET k": {"string:value"},
		"SET k v":  {"pure-token:NX", "pure-token:XX", "string:IFEQ", "pure-token:GET", "integer:EX", "integer:PX", "unix-time:EXAT", "unix-time:PXAT", "pure-token:KEEPTTL"},
		"RENAME a": {"key:newkey"}, "BLPOP k": {"key:key", "double:timeout"}, "ZUNION 2": {"key:key"}, "EVAL s 1": {"key:key"},
	} {
		var got []string
		for _, n := range For("9.1").Next(words(line)) {
			text := n.Word
			if text == "" {
				text = n.Arg.Name
			}
			got = append(got, n.Arg.Type.String()+":"+text)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", line, got, want)
		}
	}
}

func TestEveryWordOfACompletionIsAccepted(t *testing.T) {
	c := For("9.1")
	for _, cmd := range c.Commands {
		line := [][]byte{[]byte(cmd.FullName)}
		for _, w := range c.Complete(append(slices.Clone(line), nil)) {
			if len(cmd.Subcommands) > 0 {
				continue
			}
			if _, ok := cmd.match([][]byte{[]byte(w)}); !ok {
				t.Errorf("%s: %s is offered and does not fit", cmd.FullName, w)
			}
		}
	}
}

func FuzzHintNeverPanics(f *testing.F) {
	f.Add("ZUNION 2 a b WEIGHTS 1")
	f.Add("MIGRATE h 1 \"\" 0 10 KEYS a b")
	f.Fuzz(func(t *testing.T, line string) {
		argv := words(line)
		c := For("9.1")
		c.Hint(argv)
		c.Complete(argv)
		if cmd := c.Find(argv); cmd != nil && cmd.ArityOK(len(argv)) {
			cmd.Keys(argv)
		}
	})
}
