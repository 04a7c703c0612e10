package command_test

import (
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/engine"
)

func TestACommandIsTheSameHoweverItsNameIsWritten(t *testing.T) {
	s, err := engine.NewServer("9.1.2", engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time it is known
		for _, line := range [][]string{{"SET", "k", "1"}, {"set", "k", "2"}, {"GET", "k"}, {"Get", "k"}, {"CONFIG", "get", "hz"}, {"config", "SET", "hz", "10"}} {
			if r := s.Do(line...).Reply; strings.HasPrefix(r.Str, "ERR") {
				t.Errorf("%q: %s", line, r.Str)
			}
		}
		for line, want := range map[string]string{
			"CONFIG":     "ERR wrong number of arguments for 'config' command",
			"CONFIG|GET": "ERR unknown command 'CONFIG|GET', with args beginning with: ",
			"NOSUCH":     "ERR unknown command 'NOSUCH', with args beginning with: ",
			"":           "ERR unknown command '', with args beginning with: ",
		} {
			if r := s.Do(line).Reply.Str; r != want {
				t.Errorf("%q: %s", line, r)
			}
		}
	}
	stats := s.Do("INFO", "commandstats").Reply.Str
	for _, want := range []string{"cmdstat_set:calls=4,", "cmdstat_get:calls=4,", "cmdstat_config|get:calls=2,", "cmdstat_config|set:calls=2,"} {
		if !strings.Contains(stats, want) {
			t.Errorf("no %s in\n%s", want, stats)
		}
	}
}

func TestCallsCountFromTheResetOn(t *testing.T) {
	s, err := engine.NewServer("9.1.2", engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s.Do("SET", "k", "1")
	s.Do("CONFIG", "RESETSTAT")
	s.Do("SET", "k", "1")
	s.Do("SET", "k")
	stats := s.Do("INFO", "commandstats").Reply.Str
	for _, want := range []string{"cmdstat_set:calls=1,", "rejected_calls=1,", "cmdstat_config|resetstat:calls=1,"} {
		if !strings.Contains(stats, want) {
			t.Errorf("no %s in\n%s", want, stats)
		}
	}
}
