package main

import (
	"context"
	"strings"
	"testing"
)

// run is runProgram without an end.
func run(in string, args ...string) (out, errs string, err error) {
	return runProgram(context.Background(), in, args...)
}

func TestReplayPrintsALineForEachCase(t *testing.T) {
	out, _, err := run(`{"id":1,"cmds":[["SET","k","~v*20"],["GET","k"],["FOO"]],"touch":[["k"],[],[]]}

{"id":"two","cmds":[["HSET","h","b","1","a","\u00ff"],["HGETALL","h"],["PEXPIRE","h","1000"],["PEXPIRETIME","h"]],"touch":[["h"],["h"],[],[]]}
`, "replay", "--server", "9.1.2")
	if err != nil {
		t.Fatal(err)
	}
	want := `{"id":1,"replies":["OK","vvvvvvvvvvvvvvvvvvvv",{"err":"ERR unknown command 'FOO', with args beginning with: "}],"after":[[["embstr",40]],[],[]],"keys":{"k":["string","embstr",40,-1]}}
{"id":"two","replies":[2,[["a","ÿ"],["b","1"]],1,"rel"],"after":[[["listpack",48]],[["listpack",48]],[],[]],"keys":{"h":["hash","listpack",56,"rel"]}}
`
	if out != want {
		t.Errorf("got  %s\nwant %s", out, want)
	}
}

func TestAMalformedLineIsNamedAndWhatWentBeforeStays(t *testing.T) {
	for _, c := range []struct{ args, in, part string }{
		{"replay", `{"id":1,"cmds":[["PING"]]}` + "\n{broken", "line 2: "},
		{"replay", `{"id":1,"cmds":[["PING"]]}` + "\n" + `{"id":2,"cmds":[[]]}`, "line 2: command 1: it is empty"},
		{"replay", `{"id":1,"cmds":[["PING"]]}` + "\n" + `{"id":2,"cmds":[["SET","k","\u20ac"]]}`, "above U+00FF"},
		{"replay", `{"id":1,"cmds":[["PING"]]}` + "\n" + `{"id":2,"cmds":[["SET","k","~v*99999999999"]]}`, "repeats more than"},
		{"layout", `{"id":1,"key":"k","cmds":[["SET","k","v"]]}` + "\n" + `{"id":2,"key":"nosuch","cmds":[]}`, `line 2: server 9.1.2 has no key "nosuch"`},
		{"layout", `{"id":1,"key":"k","cmds":[["SET","k","v"]]}` + "\n" + `{"id":2,"cmds":[]}`, `has no "key"`},
	} {
		out, _, err := run(c.in, c.args, "--server", "9.1.2")
		if err == nil || !strings.Contains(err.Error(), c.part) {
			t.Errorf("%s %s: error %v, want one that says %q", c.args, c.in, err, c.part)
		}
		if strings.Count(out, "\n") != 1 {
			t.Errorf("%s %s: the first line's result is not there: %q", c.args, c.in, out)
		}
	}
}

func TestLayoutForPeoplePrintsAnnotatedBytes(t *testing.T) {
	out, _, err := run("SET user:1 Alice\n\nEXPIRE user:1 100\n", "layout", "--server", "9.1.2", "--key", "user:1")
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`"user:1" on 9.1.2: string, embstr`, "# key = \"user:1\"", "# value = \"Alice\"", "# expire = ", "slack"} {
		if !strings.Contains(out, part) {
			t.Errorf("%q is missing in\n%s", part, out)
		}
	}
	_, errs, err := run("SET a b\nGETT a\n", "layout", "--key", "a")
	if err != nil || !strings.Contains(errs, "line 2: (error) ERR unknown command 'GETT'") {
		t.Errorf("an error reply: %v, %q", err, errs)
	}
	if _, _, err = run(`SET "a b`, "layout", "--key", "a"); err == nil || !strings.Contains(err.Error(), "line 1: ") {
		t.Errorf("an open quote: %v", err)
	}
}

func TestWrongFlagsAreToldBeforeAnyWork(t *testing.T) {
	for _, c := range []struct {
		args []string
		part string
	}{
		{[]string{"replay", "--server", "9.2.0"}, "unknown server"},
		{[]string{"replay", "--server", "9.1.2@musl"}, "unknown build"},
		{[]string{"replay", "--config", "hash-max-listpack-entries"}, "write name=value"},
		{[]string{"replay", "--config", "nosuch=1"}, "nosuch"},
		{[]string{"replay", "--hash-seed-hex", "12"}, "32 hexadecimal digits"},
		{[]string{"populate", "--shape", "zset"}, "unknown shape"},
		{[]string{"populate", "--keys", "0"}, "--keys: 0 is not from 1 to"},
		{[]string{"layout", "--key", "k", "--format", "pdf"}, "is none of text, svg, json"},
		{[]string{"layout", "--format", "svg"}, "--format goes with --key"},
		{[]string{"layout", "--server", "9.0.6,9.1.2"}, "--server: unknown server"},
		{[]string{"layout", "--servers", "9.1.2"}, "did you mean --server?"},
		{[]string{"sweep", "--cliff"}, "did you mean --cliffs?"},
		{[]string{"sweep", "--bogus"}, "keyloupe sweep --help lists the flags"},
		{[]string{"sweeep"}, "did you mean sweep?"},
		{[]string{"xyzzy"}, "keyloupe --help lists them"},
		{[]string{"layout", "--key", "k"}, "no command came on standard input"},
	} {
		out, _, err := run("", c.args...)
		if err == nil || !strings.Contains(err.Error(), c.part) || out != "" {
			t.Errorf("%v: error %v, output %q, want an error that says %q", c.args, err, out, c.part)
		}
	}
}

func TestPopulateCountsToTheByte(t *testing.T) {
	out, _, err := run("", "populate", "--keys", "50000", "--server", "9.1.2", "--hash-seed", "example-seed")
	if err != nil || !strings.Contains(out, `"main_overhead":1465744,`) || !strings.Contains(out, `"buckets":8192,"children":2207,`) {
		t.Errorf("%v, %s", err, out)
	}
}

func TestRulesNameReleaseAndEvidence(t *testing.T) {
	out, _, err := run("", "version", "--rules")
	for _, part := range []string{"embed-limit", "from 9.1.0: 128, measured, #3397", "assumed as 8.1.8"} {
		if err != nil || !strings.Contains(out, part) {
			t.Errorf("%q is missing (%v)", part, err)
		}
	}
}
