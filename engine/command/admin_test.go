package command_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/engine"
)

func TestADirectiveIsCheckedAtStartAsBySet(t *testing.T) {
	for _, bad := range []map[string]string{{"maxmemory": "1q"}, {"no-such": "1"}, {"appendonly": "perhaps"}, {"hash-seed": strings.Repeat("x", 300)}} {
		if _, err := engine.NewServer("9.1.2", engine.Options{Config: bad}); err == nil {
			t.Errorf("%v is accepted", bad)
		}
	}
	s, err := engine.NewServer("9.1.2", engine.Options{Config: map[string]string{"databases": "3", "maxmemory": "1gb"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Do("SELECT", "3").Reply.Str; got != "ERR DB index is out of range" {
		t.Errorf("SELECT 3 of 3 databases: %q", got)
	}
	if got := fmt.Sprint(s.Do("CONFIG", "GET", "maxmemory").Reply); !strings.Contains(got, "1073741824") {
		t.Errorf("maxmemory 1gb reads %s", got)
	}
}

func TestUsedMemoryIsTheBaselineAndTheHeap(t *testing.T) {
	for _, name := range []string{"7.2.7", "8.0.1", "8.1.8@libc", "9.0.0@libc", "9.1.2", "9.1.2@distro", "9.1.2@managed"} {
		s, err := engine.NewServer(name, engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		before, held := s.UsedMemory(), s.Used()
		s.Do("SET", "key", strings.Repeat("x", 1000))
		if grown := s.UsedMemory() - before; grown != s.Used()-held || grown < 1000 {
			t.Errorf("%s: used_memory grew by %d, the heap by %d", name, grown, s.Used()-held)
		}
		if info := s.Do("INFO", "memory").Reply.Str; !strings.Contains(info, fmt.Sprintf("\r\nused_memory:%d\r\n", s.UsedMemory())) {
			t.Errorf("%s: INFO does not tell used_memory %d:\n%s", name, s.UsedMemory(), info)
		}
		if b := s.Release.Baseline(); b.Startup < 800_000 || b.Startup > 1_100_000 {
			t.Errorf("%s starts with %d bytes", name, b.Startup)
		}
	}
}

func TestWritesAreRefusedAboveMaxmemoryAndDeletionsAreNot(t *testing.T) {
	s, err := engine.NewServer("9.1.2", engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s.Do("SET", "key", "v")
	s.Do("CONFIG", "SET", "maxmemory", fmt.Sprint(s.UsedMemory()-1))
	if got := s.Do("SET", "other", "v").Reply.Str; !strings.HasPrefix(got, "OOM command not allowed") {
		t.Errorf("SET: %q", got)
	}
	if got := s.Do("DEL", "key").Reply.Int; got != 1 {
		t.Errorf("DEL: %d", got)
	}
}
