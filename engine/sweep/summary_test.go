package sweep

import (
	"strings"
	"testing"
)

const wide = 1000

// summaryOf is the table of a plan's runs, without what goes before it.
func summaryOf(t *testing.T, most, width int, fields ...string) (text string, omitted int) {
	t.Helper()
	spec := Default()
	for i := 0; i < len(fields); i += 2 {
		if err := spec.Set(fields[i], fields[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	p, err := New(spec, 0)
	if err != nil {
		t.Fatal(err)
	}
	s := NewSummary(p, most, width)
	for r := range p.Rows {
		s.Add(r)
	}
	_, text, _ = strings.Cut(string(s.Text()), "\n\n")
	return text, s.Omitted
}

func TestPointsThatCostTheSameAreOneRow(t *testing.T) {
	got, omitted := summaryOf(t, 100, wide, "value", "90..100")
	want := `   value  server  encoding   memory_usage  allocated      table  bytes_per_key      delta  delta_percent
  90..92  9.0.6   raw                 136        136      17.46         153.46
  90..92  9.1.2   embstr              128        128      17.46         145.46      -8.00        -5.21 %
  93..97  9.0.6   raw                 152        152      17.46         169.46
  93..97  9.1.2   embstr              128        128      17.46         145.46     -24.00       -14.16 %
 98..100  9.0.6   raw                 152        152      17.46         169.46
 98..100  9.1.2   raw                 152        152      17.46         169.46       0.00         0.00 %
`
	if got != want || omitted != 0 {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestARunEndsWhereAnotherFieldChanges(t *testing.T) {
	got, _ := summaryOf(t, 100, wide, "value", "1..2", "ttl", "none,key", "servers", "7.2.14", "keys", "1000")
	for _, want := range []string{"none    1..2  7.2.14", "key     1..2  7.2.14"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	got, _ = summaryOf(t, 100, wide, "key", "3,5", "value", "1..2", "servers", "9.1.2")
	if strings.Count(got, "1..2") != 2 {
		t.Errorf("keys of two lengths are told together:\n%s", got)
	}
}

func TestASummaryKeepsNoMoreThanItWasTold(t *testing.T) {
	all, _ := summaryOf(t, 1000, wide, "value", "0..200")
	few, omitted := summaryOf(t, 3, wide, "value", "0..200")
	if strings.Count(few, "\n") != 1+3*2 || !strings.HasPrefix(all, few) || omitted != (strings.Count(all, "\n")-1)/2-3 {
		t.Errorf("%d omitted:\n%s\nof\n%s", omitted, few, all)
	}
}

func TestASummaryFitsNarrowTerminals(t *testing.T) {
	for width, header := range map[int]string{
		80: " value  server  encoding   allocated  bytes_per_key      delta  delta_percent\n",
		30: " value  server  encoding   bytes_per_key      delta\n",
	} {
		got, _ := summaryOf(t, 100, width, "value", "0..99")
		if !strings.Contains(got, header) {
			t.Errorf("%d letters:\n%s", width, got)
		}
	}
}

func TestASinglePointIsNoRange(t *testing.T) {
	if got, _ := summaryOf(t, 10, wide, "value", "16"); strings.Contains(got, "..") {
		t.Error(got)
	}
}
