package scenario

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/engine/sweep"
)

// reported runs a scenario.
func reported(t *testing.T, s *Scenario, o Options) *Report {
	t.Helper()
	r, err := s.Run(o)
	if err != nil {
		t.Fatalf("%s: %v", s.ID, err)
	}
	return r
}

// plain writes a report as the golden files have it: a figure a line.
func plain(r *Report) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s: %s\n", r.Number, r.ID, r.Title)
	for _, t := range r.Tables {
		fmt.Fprintf(&b, "\n%s\n", t.Title)
		for _, f := range t.Figures {
			fmt.Fprintf(&b, "  %s | %s | published %s | simulated %s | %s", f.What, f.Server, or(f.Published), or(f.Simulated), f.State)
			if f.Difference != "" {
				fmt.Fprintf(&b, " %s %s", f.Difference, f.Unit)
			}
			if f.Least != "" {
				fmt.Fprintf(&b, ", explained %s to %s: %s", f.Least, f.Most, f.Rest)
			}
			if f.Beside != nil {
				fmt.Fprintf(&b, " | %s %s", f.Beside.Server, f.Beside.Simulated)
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func or(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// The golden files state every simulated figure and its rest; KEYLOUPE_UPDATE=1 writes them anew.
func TestEveryFigureIsAsItWasReviewed(t *testing.T) {
	for _, s := range All() {
		path := filepath.Join("testdata", s.ID+".txt")
		got := plain(reported(t, s, Options{}))
		if os.Getenv("KEYLOUPE_UPDATE") == "1" {
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s differs:\n%s", path, got)
		}
	}
}

func TestEveryPublishedFigureIsMetOrItsRestIsNamedAndBounded(t *testing.T) {
	for _, s := range All() {
		for _, table := range reported(t, s, Options{}).Tables {
			for _, f := range table.Figures {
				at := s.ID + ", " + f.What + " on " + f.Server
				switch f.State {
				case Same, Alone, Cited:
				case Explained:
					if d := float(t, f.Difference); f.Rest == "" || d < float(t, f.Least) || d > float(t, f.Most) {
						t.Errorf("%s: the rest of %s is outside of %s to %s, or its cause is not named", at, f.Difference, f.Least, f.Most)
					}
				default:
					t.Errorf("%s: published %s, simulated %s: %s, %s", at, f.Published, f.Simulated, f.State, f.Rest)
				}
				if (f.State == Cited) != (f.Simulated == "") || f.State == Cited && f.Rest == "" {
					t.Errorf("%s: %s, simulated %q, %q", at, f.State, f.Simulated, f.Rest)
				}
				if f.Inferred != strings.Contains(f.Server, "managed") {
					t.Errorf("%s: inferred %v", at, f.Inferred)
				}
			}
		}
	}
}

func float(t *testing.T, n Number) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(string(n), 64)
	if err != nil {
		t.Errorf("%q: %v", n, err)
	}
	return v
}

// A constant part may be no more than what is named, whatever the figure.
func TestWhatClientsHoldIsTheSameConstantForEveryRelease(t *testing.T) {
	s, err := Find("P3")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range reported(t, s, Options{}).Tables[0].Figures[:5] {
		keys, _, _ := strings.Cut(f.What, " ")
		n := float(t, Number(strings.ReplaceAll(keys, ",", "")))
		if constant := -float(t, f.Difference) * n; constant < 740_000 || constant > 778_000 {
			t.Errorf("%s: the published figure has %.0f bytes more", f.Server, constant)
		}
	}
}

func TestReallyBuiltPopulationsTakeWhatTheArithmeticSays(t *testing.T) {
	for _, s := range []*Scenario{only(t, "P1", 1), only(t, "P2", 0, 1), only(t, "P3", 0)} {
		counted, built := reported(t, s, Options{}), reported(t, s, Options{Build: true})
		for i, table := range built.Tables {
			for j, f := range table.Figures {
				was := counted.Tables[i].Figures[j]
				if f.Unit != "B/key" {
					continue
				}
				// what differs is the hash seed: the build has one, the arithmetic the mean over all
				if d := float(t, Number(f.Simulated)) - float(t, Number(was.Simulated)); math.Abs(d) > 0.25 {
					t.Errorf("%s, %s on %s: built %s, counted %s", s.ID, f.What, f.Server, f.Simulated, was.Simulated)
				}
				if f.State != was.State {
					t.Errorf("%s, %s on %s: built %s, counted %s", s.ID, f.What, f.Server, f.State, was.State)
				}
			}
		}
	}
}

// only is a scenario with some of its tables.
func only(t *testing.T, name string, tables ...int) *Scenario {
	t.Helper()
	s, err := Find(name)
	if err != nil {
		t.Fatal(err)
	}
	some := *s
	some.Tables = nil
	for _, i := range tables {
		some.Tables = append(some.Tables, s.Tables[i])
	}
	return &some
}

func TestUsersAreCountedAsTheyAreBuilt(t *testing.T) {
	for _, it := range []Items{
		{12_345, []string{"SET user:{n}:name Alice", "SET user:{n}:age 30", "SET user:{n}:city Toronto", "SET user:{n}:score 100"}},
		{12_345, []string{"HSET user:{n} name Alice age 30 city Toronto score 100"}},
	} {
		for _, server := range []string{"7.2.14", "8.0.10", "8.1.9", "9.1.2", "9.1.2@libc"} {
			counted, err := (&run{costs: map[[2]string]cost{}}).items(it, server)
			if err != nil {
				t.Fatal(err)
			}
			built, err := (&run{o: Options{Build: true}, costs: map[[2]string]cost{}}).items(it, server)
			if err != nil {
				t.Fatal(err)
			}
			if d := built.perItem - counted.perItem; math.Abs(d) > 1 {
				t.Errorf("%s on %s: built %.3f, counted %.3f", it, server, built.perItem, counted.perItem)
			}
		}
	}
}

// The bound of pace: what a field's TTL costs in a hash of 20,000 when the fields expire some microseconds apart.
func TestAFieldsTTLCostsWhatIsSaidWhateverThePace(t *testing.T) {
	counted := reported(t, only(t, "P2", 1), Options{}).Tables[0].Figures[0]
	for _, apart := range []int64{0, 70, 100, 130} { // 70 and 130 µs are the most and the least that were found
		with, without := 0.0, 0.0
		for _, ttl := range []bool{true, false} {
			now := int64(startOfTime)
			s, err := engine.NewServer("9.1.2", engine.Options{Clock: func() int64 { return now }})
			if err != nil {
				t.Fatal(err)
			}
			before := s.Used()
			for i := range 20_000 {
				now += apart
				field := string(sweep.AppendField(nil, i, 5))
				if ttl {
					s.Do("HSETEX", "h", "EX", "3600", "FIELDS", "1", field, "vvvvvvvvvv")
				} else {
					s.Do("HSET", "h", field, "vvvvvvvvvv")
				}
			}
			grown := float64(s.Used()-before) / 20_000
			if ttl {
				with = grown
			} else {
				without = grown
			}
		}
		if d := with - without - float(t, Number(counted.Simulated)); d < pace.Least || d > pace.Most {
			t.Errorf("%d µs apart: %.2f bytes a field, %.2f from what is simulated", apart, with-without, d)
		}
	}
}

func TestThePointersSavingDependsOnTheLengthAsIsSaid(t *testing.T) {
	r := &run{costs: map[[2]string]cost{}}
	mean := leaner(t, r, "key=16&value=26..97")
	least, most := math.Inf(1), math.Inf(-1)
	for v := 26; v <= 97; v++ {
		d := leaner(t, r, Shape("key=16&value="+strconv.Itoa(v))) - mean
		least, most = min(least, d), max(most, d)
	}
	if least < which.Least || most > which.Most || least > which.Least+1 || most < which.Most-1 {
		t.Errorf("it differs from the mean by %.1f to %.1f, said are %.1f to %.1f", least, most, which.Least, which.Most)
	}
}

func leaner(t *testing.T, r *run, s Shape) float64 {
	t.Helper()
	v, err := r.value(&Row{How: s, Measure: Leaner}, "9.1.2", "9.0.6")
	if err != nil {
		t.Fatal(err)
	}
	return v.number
}

func TestOtherServersCanBeAskedThanThosePublished(t *testing.T) {
	r := reported(t, only(t, "P1", 0), Options{Servers: []string{"8.1.9", "9.1.2"}})
	if f := r.Tables[0].Figures[0]; f.Server != "8.1.9" || f.State != Alone || f.Simulated != "133.366" {
		t.Errorf("%+v", f)
	}
	if f := r.Tables[0].Figures[1]; f.Server != "9.1.2" || f.Published != "109.7" || f.State != Explained {
		t.Errorf("%+v", f)
	}
	if f := r.Tables[0].Figures[2]; f.Server != "9.1.2 against 8.1.9" || f.Simulated != "18.00" {
		t.Errorf("%+v", f)
	}
	for _, f := range reported(t, only(t, "P2", 0, 2), Options{Servers: []string{"8.1.9"}}).Tables[0].Figures[:3] {
		if f.State != Refused || !strings.Contains(f.Rest, "from 9.0 on") {
			t.Errorf("%+v", f)
		}
	}
	for servers, words := range map[string]string{"6.2.1": "unknown", "9.1.2,9.1.2": "named twice", "9.1.2,9.1.1,9.1.0,9.0.6,9.0.5,8.1.9,8.1.8,8.0.10,7.2.14": "limit is 8"} {
		if _, err := All()[0].Run(Options{Servers: strings.Split(servers, ",")}); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%s: %v", servers, err)
		}
	}
}

func TestABuildTellsHowFarItIsAndCanBeStopped(t *testing.T) {
	told := 0
	stop := fmt.Errorf("stopped")
	_, err := only(t, "P1", 0).Run(Options{Build: true, Progress: func(server string, done, of int) error {
		if told++; server != "9.0.6" || of != 200_000 || done > of {
			t.Errorf("%s: %d of %d", server, done, of)
		}
		if told == 3 {
			return stop
		}
		return nil
	}})
	if err != stop || told != 3 {
		t.Errorf("%v after %d reports", err, told)
	}
}

func TestAScenarioIsFoundByItsNameInAnyCase(t *testing.T) {
	for _, name := range []string{"97-bytes", "P1", "p1", "97-Bytes"} {
		if s, err := Find(name); err != nil || s.ID != "97-bytes" {
			t.Errorf("%s: %v, %v", name, s, err)
		}
	}
	for name, words := range map[string]string{"field": "did you mean field-ttl?", "fields": "did you mean field-ttl?", "bytes": "did you mean 97-bytes?", "P9": "there are 97-bytes, field-ttl", "": "there are 97-bytes", strings.Repeat("x", 1000): "…"} {
		if _, err := Find(name); err == nil || !strings.Contains(err.Error(), words) || len(err.Error()) > 300 {
			t.Errorf("%.20s: %v", name, err)
		}
	}
}

func TestTheTableIsWellFormed(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range All() {
		if seen[s.ID] || seen[s.Number] || s.Title == "" || s.Source == "" || s.Finding == "" {
			t.Errorf("%s: a name is taken or something is missing", s.ID)
		}
		seen[s.ID], seen[s.Number] = true, true
		for _, table := range s.Tables {
			for _, row := range table.Rows {
				servers := row.Servers
				if servers == nil {
					servers = table.Servers
				}
				if row.Published != nil && len(row.Published) != len(servers) {
					t.Errorf("%s, %s: %d figures for %d servers", s.ID, row.What, len(row.Published), len(servers))
				}
			}
			if table.Beside != nil && len(table.Beside) != len(table.Servers) {
				t.Errorf("%s, %s: not a server beside each", s.ID, table.Title)
			}
			if table.Play != nil {
				playable(t, s.ID, table.play())
			}
			for _, query := range []string{table.Sweep, s.Chart} {
				if err := sweepable(query); err != nil {
					t.Errorf("%s, %s: %v", s.ID, query, err)
				}
			}
		}
	}
}

// playable checks that what is to be tried can be, and leaves the key that is shown.
func playable(t *testing.T, id string, p *Play) {
	t.Helper()
	for _, server := range p.Servers {
		s, err := engine.NewServer(server, engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range p.Run {
			if _, err := do(s, l); err != nil {
				t.Errorf("%s: %s on %s: %v", id, l, server, err)
			}
		}
		if _, ok := s.KeyInfo(0, []byte(p.Key)); !ok && p.Key != "" {
			t.Errorf("%s: %s is not there on %s", id, p.Key, server)
		}
	}
}

// sweepable checks a query of the sweep page: a specification, and the page's own fields.
func sweepable(query string) error {
	var fields []string
	for f := range strings.SplitSeq(query, "&") {
		if name, _, _ := strings.Cut(f, "="); name != "at" && name != "show" && name != "servers" {
			fields = append(fields, f)
		}
	}
	if query == "" {
		return nil
	}
	server := "9.1.2"
	_, err := Shape(strings.Join(fields, "&")).plan(server)
	return err
}
