package main

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/engine/scenario"
)

func TestScenariosAreListedAndRunByName(t *testing.T) {
	out, _, err := runProgram(t.Context(), "", "scenario")
	for _, s := range scenario.All() {
		if !strings.Contains(out, s.ID) || !strings.Contains(out, s.Finding) {
			t.Errorf("%s is not listed: %v\n%s", s.ID, err, out)
		}
	}
	out, _, err = runProgram(t.Context(), "", "scenario", "P1")
	for _, line := range []string{
		"97-bytes (P1): Valkey 9.1's memory saving stops at 97 bytes",
		"  value 98 B         9.1.2                    165.7    165.366  B/key      -0.334  -0.20 %  a",
		"  1 I/O thread                                  9.0.6      232086  requests/s  c",
		"a: buffers of the connections that loaded the keys",
		"c: cited, not simulated",
	} {
		if err != nil || !strings.Contains(out, line) {
			t.Errorf("%v: no line %q in\n%s", err, line, out)
		}
	}
}

func TestAScenarioAsJSONAndCSVHasTheSameFigures(t *testing.T) {
	out, _, err := runProgram(t.Context(), "", "scenario", "managed", "--format", "json")
	var r struct {
		Tables []struct {
			Figures []struct {
				What, Server, Published, Simulated string
				Difference, Percent                *float64
				Inferred                           bool
				Beside                             *struct{ Server, Simulated string }
			}
		}
	}
	if err != nil || json.Unmarshal([]byte(out), &r) != nil {
		t.Fatal(err, out)
	}
	f := r.Tables[0].Figures[0]
	if f.Published != "80" || f.Simulated != "80" || f.Difference == nil || *f.Difference != 0 || !f.Inferred || f.Beside == nil || f.Beside.Simulated != "64" {
		t.Errorf("%+v", f)
	}
	out, _, err = runProgram(t.Context(), "", "scenario", "managed", "--format", "csv")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil || rows[1][3] != "9.0.0@managed" || rows[1][6] != "80" || rows[2][3] != "9.0.0" || rows[2][6] != "64" {
		t.Error(err, rows[:3])
	}
}

func TestWhatIsWrongWithAScenarioIsToldAsWrongUse(t *testing.T) {
	for args, words := range map[string]string{
		"scenario fields":                                 "did you mean field-ttl?",
		"scenario versions --server 6.2":                  "--server: unknown server",
		"scenario versions --server 9.1.2 --server 9.1.2": "named twice",
		"scenario versions --format xml":                  "none of text, json, csv",
		"scenario versions managed":                       "accepts at most 1 arg",
	} {
		out, _, err := runProgram(t.Context(), "", strings.Fields(args)...)
		var use usageError
		if !errors.As(err, &use) || !strings.Contains(err.Error(), words) || out != "" {
			t.Errorf("%s: %v, %q", args, err, out)
		}
	}
}

func TestABuildEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stopped{2})
	if _, _, err := runProgram(ctx, "", "scenario", "versions", "--build"); err == nil || exitCode(err) != 130 {
		t.Errorf("%v", err)
	}
}
