package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCommandsFromAPipeGetBareReplies(t *testing.T) {
	out, errs, err := runProgram(t.Context(), "SET k Alice\nGET k\n\n# a comment\nGET nokey\nMEMORY USAGE k\n")
	if err != nil || out != "OK\nAlice\n\n32\n" || errs != "MEMORY USAGE k on 9.1.2: 24\n" {
		t.Errorf("%q %q %v", out, errs, err)
	}
}

func TestTheStatusTellsWhetherACommandFailed(t *testing.T) {
	for stdin, want := range map[string]int{"": 0, "PING\n": 0, "NOSUCH\nPING\n": 1, "SET \"a\n": 1, "QUIT\nNOSUCH\n": 0, "layout nokey": 1} {
		out, errs, err := runProgram(t.Context(), stdin)
		if got := exitCode(err); got != want {
			t.Errorf("%q: %d, want %d: %s%s", stdin, got, want, out, errs)
		}
	}
	if _, errs, _ := runProgram(t.Context(), "PING\n\"x\n"); !strings.HasPrefix(errs, "keyloupe: stdin:2: ") {
		t.Error(errs)
	}
}

func TestThePromptTakesServersAndDirectives(t *testing.T) {
	out, _, err := runProgram(t.Context(), "HSET h a 1 b 2\nOBJECT ENCODING h\nINFO server\n", "--server", "8.1.9@libc", "--config", "hash-max-listpack-entries=1")
	if err != nil || !strings.HasPrefix(out, "2\nhashtable\n") || !strings.Contains(out, "8.1.9") {
		t.Errorf("%v %.200s", err, out)
	}
	for _, args := range [][]string{{"--server", "9.1"}, {"--config", "nosuch=1"}, {"--color", "blue"}, {"nosuch"}} {
		if _, errs, err := runProgram(t.Context(), "", args...); exitCode(err) != exitUsage || errs == "" {
			t.Errorf("%v: %v %s", args, err, errs)
		}
	}
}

func commandFile(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "commands")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestRunShowsCommandsRepliesAndSizes(t *testing.T) {
	one, two := commandFile(t, "# first\nSET k Alice\n"), commandFile(t, "GET k\n")
	out, _, err := runProgram(t.Context(), "DEL k\n", "run", one, two, "-")
	want := `> SET k Alice
OK
k      encoding  usage  allocated  change  to 9.0.6  used_memory
9.0.6  embstr       32         32     +32                   +192
9.1.2  embstr       24         24     +24   -8 -25%         +184

> GET k
"Alice"
k      encoding  usage  allocated  change  to 9.0.6  used_memory
9.0.6  embstr       32         32       =                      =
9.1.2  embstr       24         24       =   -8 -25%            =

> DEL k
(integer) 1
k      encoding  usage  allocated  change  to 9.0.6  used_memory
9.0.6  (gone)                         -32                    -32
9.1.2  (gone)                         -24                    -24

3 commands, 0 errors
       keys  used_memory  per key  to 9.0.6
9.0.6     0         +160
9.1.2     0         +160                  =
`
	if err != nil || out != want {
		t.Errorf("%v\n%s", err, out)
	}
	again, _, _ := runProgram(t.Context(), "DEL k\n", "run", one, two, "-")
	if again != out {
		t.Error("the same files give something else the next time")
	}
}

func TestRunShowsAsMuchAsItIsTold(t *testing.T) {
	file := commandFile(t, strings.Repeat("INCR n\n", 250)+"HGET n f\n")
	for _, c := range []struct {
		args  string
		shown int
		told  bool // of the error
	}{{"", 100, true}, {"--show 3", 3, true}, {"--show 1000", 251, false}, {"--quiet", 0, true}, {"--show 0", 0, true}} {
		out, errs, err := runProgram(t.Context(), "", append([]string{"run", file}, strings.Fields(c.args)...)...)
		if got := strings.Count(out, "> "); got != c.shown || exitCode(err) != 1 || strings.Contains(errs, ":251: (error) WRONGTYPE") != c.told {
			t.Errorf("%s: %d commands are shown, want %d: %v %s", c.args, got, c.shown, err, errs)
		}
		if !strings.Contains(out, "251 commands, 1 errors\n") {
			t.Errorf("%s: no summary: %s", c.args, out)
		}
	}
}

func TestRunNamesTheLineThatCannotBeRead(t *testing.T) {
	file := commandFile(t, "SET a 1\n\nSET 'b\n")
	out, errs, err := runProgram(t.Context(), "", "run", file)
	if exitCode(err) != exitFailed || !strings.HasPrefix(errs, "keyloupe: "+file+":3: ") || !strings.Contains(out, "> SET a 1\nOK\n") {
		t.Errorf("%v %s %s", err, errs, out)
	}
	if _, errs, err := runProgram(t.Context(), "", "run", file, file+".not"); exitCode(err) != exitUsage || !strings.Contains(errs, file+".not") {
		t.Errorf("a file that is not there: %v %s", err, errs)
	}
	for _, args := range []string{"run", "run - --show -1", "run - --format xml"} {
		if _, _, err := runProgram(t.Context(), "", strings.Fields(args)...); exitCode(err) != exitUsage {
			t.Errorf("%s: %v", args, err)
		}
	}
}

func TestRunAsNDJSONEndsWithTheSums(t *testing.T) {
	out, _, err := runProgram(t.Context(), strings.Repeat("INCR n\n", 150), "run", "--format", "ndjson", "-")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if err != nil || len(lines) != 151 || !strings.HasPrefix(lines[150], `{"done":true,"commands":150,"errors":0,"servers":[{"server":"9.0.6","keys":1,`) {
		t.Errorf("%v, %d lines, the last %s", err, len(lines), lines[len(lines)-1])
	}
}
