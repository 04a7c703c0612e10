package catalog

import (
	"strings"
	"testing"
)

func TestSuggestFindsWhatASlipMeant(t *testing.T) {
	for line, want := range map[string]string{
		"GTE k": "GET", "hgetal k": "HGETALL", "HEXPRIE k": "HEXPIRE", "ZRANGEBYSCOER k": "ZRANGEBYSCORE", "MEMORY USGAE k": "USAGE",
		"CONFIG ST a b": "SET", "GET k": "", "completelyelse": "", "": "", "qqq": "",
	} {
		got := For("9.1").Suggest(words(line))
		if len(got) == 0 {
			got = []string{""}
		}
		if got[0] != want || len(got) > 3 {
			t.Errorf("%s: %v, want %s first", line, got, want)
		}
	}
	if got := For("9.1").Suggest(words(strings.Repeat("x", 10000))); got != nil {
		t.Errorf("a word of 10,000 letters suggests %v", got)
	}
}

func TestFirstKnownIsTheLineACommandCameWith(t *testing.T) {
	for line, want := range map[string]string{
		"get k": "7.2", "DELIFEQ k v": "9.0", "hgetdel h": "9.1", "CLIENT CAPA redirect": "8.0", "COMMANDLOG LEN slow": "8.1", "nosuch": "", "CLIENT nosuch": "",
	} {
		if got := FirstKnown(words(line)); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}
