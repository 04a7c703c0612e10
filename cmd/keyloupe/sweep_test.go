package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestSweepPrintsARowForEachLengthAndServer(t *testing.T) {
	out, _, err := runProgram(t.Context(), "", "sweep", "--key", "16", "--value", "97..98", "--server", "9.0.6,9.1.2", "--keys", "200k", "--format", "csv")
	want := `server,type,key,value,field,fields,ttl,history,keys,encoding,memory_usage,allocated,table,bytes_per_key,delta,delta_percent
9.0.6,string,16,97,0,0,none,set,200000,raw,152,152,13.365576,165.365576,,
9.1.2,string,16,97,0,0,none,set,200000,embstr,128,128,13.365576,141.365576,-24,-14.51
9.0.6,string,16,98,0,0,none,set,200000,raw,152,152,13.365576,165.365576,,
9.1.2,string,16,98,0,0,none,set,200000,raw,152,152,13.365576,165.365576,0,0
`
	if err != nil || out != want {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestFlagsAndJSONGiveTheSameBytes(t *testing.T) {
	flags, _, err := runProgram(t.Context(), "", "sweep", "--type", "hash", "--fields", "1..3", "--ttl", "none,field", "--value-kind=int", "--value", "5", "--format", "ndjson")
	if err != nil {
		t.Fatal(err)
	}
	spec := `{"type":"hash","fields":"1..3","ttl":["none","field"],"value_kind":"int","value":5}`
	stdin, _, err := runProgram(t.Context(), spec, "sweep", "--spec", "-", "--format", "ndjson")
	if err != nil || stdin != flags {
		t.Errorf("%v\n%s\n%s", err, stdin, flags)
	}
	path := filepath.Join(t.TempDir(), "spec.json")
	if err := os.WriteFile(path, []byte(spec), 0o600); err != nil {
		t.Fatal(err)
	}
	file, _, err := runProgram(t.Context(), "", "sweep", "--spec", path, "--format", "ndjson")
	if err != nil || file != flags || !strings.HasSuffix(file, "{\"done\":true,\"rows\":12}\n") {
		t.Errorf("%v\n%s", err, file)
	}
}

func TestSweepPrintsCliffsAndPictures(t *testing.T) {
	out, _, err := runProgram(t.Context(), "", "sweep", "--cliffs")
	if err != nil || !strings.Contains(out, "97 -> 98") || !strings.Contains(out, "The saving of 24 bytes ends for good") {
		t.Errorf("%v\n%s", err, out)
	}
	out, _, err = runProgram(t.Context(), "", "sweep", "--format", "svg", "--keys", "1..1000", "--value", "16", "--log", "x", "--theme", "dark")
	if err != nil || !strings.HasPrefix(out, "<svg ") || !strings.Contains(out, "number of keys") {
		t.Errorf("%v\n%.200s", err, out)
	}
}

func TestAWrongFlagIsNamedWithWhatWouldBeRight(t *testing.T) {
	for _, c := range []struct {
		says  string
		flags []string
	}{
		{`--value: "x" is not a whole number`, []string{"--value", "x"}},
		{`--value-kind: "date" is none of text, int`, []string{"--value_kind", "date"}},
		{"--servers: unknown server", []string{"--servers", "5.0.1"}},
		{"--ttl: strings have no fields", []string{"--ttl", "field"}},
		{`--format: "xml" is none of text, csv, json, ndjson`, []string{"--format", "xml"}},
		{"points and the limit is", []string{"--value", "0..500M", "--key", "0..500M"}},
		{"with --spec the specification comes from the file alone", []string{"--spec", "-", "--value", "1"}},
		{"malformed JSON", []string{"--spec", "-"}},
		{"no such file", []string{"--spec", "/nowhere/at/all.json"}},
		{"--log: \"z\" is none of x, y, xy", []string{"--format", "svg", "--log", "z"}},
		{"theme", []string{"--format", "svg", "--theme", "z"}},
		{"the chart marks the cliffs anyway", []string{"--format", "svg", "--cliffs"}},
		{"takes flags only", []string{"more"}},
	} {
		_, _, err := runProgram(t.Context(), "{x", append([]string{"sweep"}, c.flags...)...)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v: %v", c.flags, err)
		}
	}
}

func TestASweepStopsWhenItIsTold(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stopped{syscall.SIGINT})
	if _, _, err := runProgram(ctx, "", "sweep", "--value", "0..100M", "--format", "csv"); exitCode(err) != 130 {
		t.Error(err)
	}
}

func TestAChartIsDrawnWhereItIsAskedFor(t *testing.T) {
	t.Setenv("LC_ALL", "C.UTF-8")
	t.Setenv("TERM", "xterm")
	out, _, err := runProgram(t.Context(), "", "sweep", "--value", "90..100", "--format", "chart")
	for _, want := range []string{" 98..100  9.1.2   raw", "shapes that cost the same are one row", "Bytes per key   ⠤⠤⠤⠤ 9.0.6   ⠄⠄⠄⠄ 9.1.2\n", "cliffs: 97 | 98 · saving ends\n"} {
		if err != nil || !strings.Contains(out, want) {
			t.Errorf("%v: %q is missing in\n%s", err, want, out)
		}
	}
	t.Setenv("TERM", "dumb")
	out, _, err = runProgram(t.Context(), "", "sweep", "--value", "90..100", "--format", "chart", "--show", "memory_usage", "--width", "60")
	if err != nil || !strings.Contains(out, "MEMORY USAGE, bytes   **** 9.0.6   oooo 9.1.2\n") || strings.IndexFunc(out, func(r rune) bool { return r > 126 }) >= 0 {
		t.Errorf("%v\n%s", err, out)
	}
	for args, says := range map[string]string{
		"--value 16":               "value has one value",
		"--value 0..9 --cliffs":    "the chart marks the cliffs anyway",
		"--value 0..9 --key 1..99": "lines in one chart",
	} {
		if _, _, err := runProgram(t.Context(), "", append([]string{"sweep", "--format", "chart"}, strings.Fields(args)...)...); exitCode(err) != exitUsage || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", args, err)
		}
	}
}

func TestAChartOfShapesThatAllDifferLeavesTheTableOut(t *testing.T) {
	out, _, err := runProgram(t.Context(), "", "sweep", "--value", "16", "--keys", "1k..1M/1k", "--format", "chart")
	if err != nil || strings.Contains(out, "encoding") || !strings.Contains(out, "--format text prints the rows") || !strings.Contains(out, "number of keys") {
		t.Errorf("%v\n%s", err, out)
	}
}
