package main

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/internal/bench/loads"
)

func TestABudgetIsKeptByTheClockOrByTheProcessor(t *testing.T) {
	for _, c := range []struct {
		wall, cpu, budget float64
		want              Verdict
	}{{0.5, 0.5, 0.7, Within}, {0.9, 0.6, 0.7, OnCPU}, {0.9, 0.8, 0.7, Over}, {0.9, 0, 0.7, Over}, {9, 9, 0, NoLimit}} {
		if got := judge(c.wall, c.cpu, c.budget); got != c.want {
			t.Errorf("judge(%v, %v, %v) = %q, want %q", c.wall, c.cpu, c.budget, got, c.want)
		}
	}
}

func TestEveryLoadIsTakenByEveryServerThatKnowsIt(t *testing.T) {
	for _, l := range loads.All() {
		for _, on := range lines {
			if l.Since != "" && on.server < l.Since {
				continue
			}
			s, err := engine.NewServer(on.server, engine.Options{})
			if err != nil {
				t.Fatal(err)
			}
			l.Run(s, 300)
			want := 300
			if strings.Contains((&bench{n: 300}).title(l), "into a key") {
				want = 1
			}
			if got := s.Space.DB(0).Len(); got != want {
				t.Errorf("%s on %s: %d keys, want %d", l.Name, on.server, got, want)
			}
		}
	}
}

func TestWhatCannotBeMeasuredIsSkippedAndWhatGoesWrongFails(t *testing.T) {
	var out strings.Builder
	b := &bench{only: regexp.MustCompile("wanted"), table: newTable(&out)}
	b.row("wanted, missing", func(*Row) error { return skip{"no browser"} })
	b.row("wanted, broken", func(*Row) error { return errors.New("refused") })
	b.row("another", func(*Row) error { t.Error("measured"); return nil })
	if c := b.table.count; c[Skipped] != 1 || c[Failed] != 1 || len(c) != 2 {
		t.Errorf("verdicts %v", c)
	}
	if !strings.Contains(out.String(), "no browser") || !strings.Contains(out.String(), "refused") {
		t.Errorf("reasons missing in\n%s", &out)
	}
}
