package sweep

import (
	"errors"
	"net/url"
	"slices"
	"strings"
	"testing"
)

func values(a Axis) (out []int) {
	for v := range a.All {
		out = append(out, v)
	}
	return out
}

func TestAnAxisIsNumbersRangesAndLists(t *testing.T) {
	for _, c := range []struct {
		text, written string
		want          []int
	}{
		{"16", "16", []int{16}},
		{"0..3", "0..3", []int{0, 1, 2, 3}},
		{"0..10/4", "0..8/4", []int{0, 4, 8}},
		{"8, 16 ,30..32", "8,16,30..32", []int{8, 16, 30, 31, 32}},
		{"5..5", "5", []int{5}},
		{"9,3", "9,3", []int{9, 3}},
		{"1_000,2k,1M", "1000,2000,1000000", []int{1000, 2000, 1000000}},
	} {
		a, err := parseAxis("value", c.text, 0, maxLength)
		if err != nil || !slices.Equal(values(a), c.want) || a.String() != c.written || a.Len() != len(c.want) {
			t.Errorf("%q: %v %v %v", c.text, values(a), a, err)
		}
		for i, v := range c.want {
			if a.At(i) != v {
				t.Errorf("%q: at %d is %d", c.text, i, a.At(i))
			}
		}
	}
}

func TestAFieldErrorSaysWhatWouldBeRight(t *testing.T) {
	for _, c := range []struct{ field, value, says string }{
		{"value", "", "not a whole number"},
		{"value", "-1", "not a whole number"},
		{"value", "NaN", "not a whole number"},
		{"value", "1e9", "not a whole number"},
		{"value", "0x10", "not a whole number"},
		{"value", "5..x", `"x" is not a whole number: write a number, a range`},
		{"value", "1..2..3", "not a whole number"},
		{"value", "5..1", `ends before it starts: write 1..5`},
		{"value", "1..9/0", "too small: at least 1"},
		{"value", "7/2", "has a step but is no range"},
		{"value", "99999999999999999999", "too large: at most 536870912"},
		{"value", "999999999999k", "too large"},
		{"value", strings.Repeat("1,", 20000) + "1", "items listed"},
		{"value", strings.Repeat("1", 100_000), "bytes of text"},
		{"keys", "0", "too small: at least 1"},
		{"fields", "0", "too small: at least 1"},
		{"type", "list", `"list" is none of string, hash`},
		{"ttl", "none,both", `"both" is none of none, key, field`},
		{"ttl", "key,key", "listed twice"},
		{"history", "get", "is none of set, set+pexpire"},
		{"servers", "9.1.2,6.2.1", "unknown server"},
		{"servers", "9.1", "write for example 9.1.2"},
		{"servers", "9.1.2,9.1.2", "9.1.2 is listed twice"},
		{"servers", strings.Repeat("9.1.2,", 1_000_0) + "9.1.2", "servers listed, at most 64"},
		{"hash_seed_hex", "zz", "not 32 hexadecimal digits"},
		{"nothing", "1", "no such field: the fields are type, key, value"},
		{strings.Repeat("\x00", 999), "1", "no such field"},
	} {
		err := Default().Set(c.field, c.value)
		var f *FieldError
		if !errors.As(err, &f) || !strings.Contains(err.Error(), c.says) || len(err.Error()) > 600 {
			t.Errorf("%s=%.40s: %.300v", c.field, c.value, err)
		}
	}
}

func TestASpecificationIsCheckedAsAWhole(t *testing.T) {
	for _, c := range []struct {
		fields []string
		field  string
		says   string
	}{
		{[]string{"fields", "3"}, "fields", "strings have no fields"},
		{[]string{"ttl", "field"}, "ttl", "strings have no fields"},
		{[]string{"history", "hset"}, "history", "is for hashes"},
		{[]string{"type", "hash", "history", "hset", "ttl", "field"}, "history", "HSET gives fields no TTL"},
		{[]string{"type", "hash", "ttl", "field", "servers", "8.1.9,9.1.2"}, "ttl", "not on 8.1.9"},
		{[]string{"type", "hash", "field", "1", "fields", "100"}, "field", "at most 52"},
		{[]string{"type", "hash", "field", "0", "fields", "2"}, "field", "at most 1"},
		{[]string{"type", "hash", "fields", "100000000", "value", "512_000_000"}, "fields", "in one hash"},
		{[]string{"value_kind", "int", "value", "0..5"}, "value", "integers have 1 to 20"},
		{[]string{"value_kind", "int", "value", "21"}, "value", "integers have 1 to 20"},
		{[]string{"hash_seed", "x", "keys", "1G"}, "keys", "more than 20000000 names"},
		{[]string{"hash_seed", "x", "keys", "1000", "key", "0..200000"}, "keys", "more than 20000000 names"},
		{[]string{"hash_seed", "x", "keys", "1000", "key", "2"}, "key", "can't all differ"},
	} {
		s := Default()
		for i := 0; i < len(c.fields); i += 2 {
			if err := s.Set(c.fields[i], c.fields[i+1]); err != nil {
				t.Fatal(c.fields, err)
			}
		}
		_, err := New(s, 0)
		var f *FieldError
		if !errors.As(err, &f) || f.Field != c.field || !strings.Contains(f.Message, c.says) {
			t.Errorf("%v: %v", c.fields, err)
		}
	}
	if err := Default().Set("value", "1"); err != nil {
		t.Fatal(err)
	}
}

func TestAGridBeyondTheLimitIsRefusedBeforeAnyWork(t *testing.T) {
	for _, c := range []struct {
		fields []string
		points int
	}{
		{[]string{"value", "0..49999"}, 100_000},
		{[]string{"value", "0..50000"}, 100_002},
		{[]string{"value", "0..536870912", "key", "0..536870912", "keys", "1..1000000000000"}, tooMany},
	} {
		s := Default()
		for i := 0; i < len(c.fields); i += 2 {
			if err := s.Set(c.fields[i], c.fields[i+1]); err != nil {
				t.Fatal(err)
			}
		}
		p, err := New(s, 100_000)
		var e *TooManyError
		switch {
		case c.points <= 100_000 && (err != nil || p.Points() != c.points):
			t.Error(c.fields, err)
		case c.points > 100_000 && (!errors.As(err, &e) || e.Points != c.points || !strings.Contains(err.Error(), "limit is 100000")):
			t.Error(c.fields, err)
		}
	}
}

func TestFlagsQueryAndJSONSayTheSame(t *testing.T) {
	s := Default()
	for _, kv := range [][2]string{{"type", "hash"}, {"value", "0..64/8,100"}, {"ttl", "none,key"}, {"history", "set+pexpire"},
		{"servers", "9.0.6,9.1.2@libc"}, {"hash_seed", `a "b" & <c>` + "\n\x00é"}} {
		if err := s.Set(kv[0], kv[1]); err != nil {
			t.Fatal(err)
		}
	}
	query, err := url.ParseQuery(s.Query())
	if err != nil {
		t.Fatal(err)
	}
	q, err := ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	j, err := ParseJSON(s.AppendJSON(nil))
	if err != nil {
		t.Fatal(err)
	}
	list, err := ParseJSON([]byte(`{"type":"hash","value":["0..64/8",100],"ttl":["none","key"],"history":"set+pexpire",
		"servers":["9.0.6","9.1.2@libc"],"hash_seed":"a \"b\" & <c>\n\u0000é"}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []*Spec{q, j, list} {
		if x.Query() != s.Query() {
			t.Errorf("%s\n%s", x.Query(), s.Query())
		}
	}
	if want := "type=hash&key=16&value=0..64/8,100&field=10&fields=1&ttl=none,key&history=set%2Bpexpire&keys=1000000&servers=9.0.6,9.1.2@libc&value_kind=text&hash_seed=a%20%22b%22%20%26%20%3Cc%3E%0A%00%C3%A9"; s.Query() != want {
		t.Errorf("%s", s.Query())
	}
	if q, err = ParseQuery(url.Values{"history": {"set pexpire"}, "ttl": {"none", "key"}}); err != nil || q.History[0] != SetPexpire || len(q.TTL) != 2 {
		t.Error("a plus sign of a query and a repeated parameter:", err)
	}
}

func TestMalformedJSONIsRefusedWithAFieldAndWithoutPanic(t *testing.T) {
	for text, says := range map[string]string{
		"":                                "not a JSON object",
		"[]":                              "not a JSON object",
		"7":                               "not a JSON object",
		"{":                               "ends too early",
		`{"value":`:                       "ends too early",
		`{"value":[1,`:                    "ends too early",
		`{"value":{}}`:                    "neither text nor a number",
		`{"value":[[1]]}`:                 "neither text nor a number",
		`{"value":null}`:                  "neither text nor a number",
		`{"value":true}`:                  "neither text nor a number",
		`{"value":[]}`:                    "an empty list",
		`{"value":1,"value":2}`:           "named twice",
		`{"valu":1}`:                      "no such field",
		`{"value":1} {}`:                  "more behind",
		`{"value":1e3}`:                   "not a whole number",
		`{"value":-1}`:                    "not a whole number",
		`{"value":1.5}`:                   "not a whole number",
		"{\"value\":\"\xff\"}":            "not a whole number",
		strings.Repeat(`{"value":`, 5000): "neither text",
	} {
		_, err := ParseJSON([]byte(text))
		var f *FieldError
		if !errors.As(err, &f) || !strings.Contains(err.Error(), says) {
			t.Errorf("%.40q: %v", text, err)
		}
	}
}

func FuzzParseJSON(f *testing.F) {
	f.Add([]byte(`{"value":"0..200","servers":["9.0.6","9.1.2"]}`))
	f.Add([]byte(`{"type":"hash","fields":[1,2],"ttl":"field"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := ParseJSON(text)
		if err != nil {
			return
		}
		p, err := New(s, 1000)
		if err != nil {
			return
		}
		again, err := ParseJSON(p.Spec.AppendJSON(nil))
		if err != nil || again.Query() != p.Spec.Query() {
			t.Fatalf("%s: %v", p.Spec.Query(), err)
		}
		rows := 0
		for range p.Rows {
			rows++
		}
		if rows != p.Points() {
			t.Fatal(rows, p.Points())
		}
	})
}

func TestBytesAreWrittenWithoutZerosAtTheEnd(t *testing.T) {
	for m, want := range map[Micro]string{0: "0", 1: "0.000001", 128e6: "128", 13_365_408: "13.365408", 13_300_000: "13.3",
		-24_500_000: "-24.5", -1: "-0.000001"} {
		if m.String() != want {
			t.Errorf("%d: %s", int64(m), m)
		}
	}
	for _, c := range []struct {
		m        Micro
		decimals int
		want     string
	}{{13_365_408, 1, "13.4"}, {13_365_408, 0, "13"}, {-13_500_000, 0, "-14"}, {12_999_999, 2, "13.00"}, {-1, 2, "0.00"}, {50_000, 1, "0.1"}} {
		if got := c.m.Round(c.decimals); got != c.want {
			t.Errorf("%d: %s", int64(c.m), got)
		}
	}
	if got := string(appendPercent(nil, -1451)) + " " + string(appendPercent(nil, 5)) + " " + string(appendPercent(nil, 0)); got != "-14.51 0.05 0" {
		t.Error(got)
	}
}
