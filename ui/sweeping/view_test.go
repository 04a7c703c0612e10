package sweeping

import (
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/engine/draw"
)

func sweepOf(t testing.TB, query string) *View {
	t.Helper()
	v := New([]string{"9.0.6", "9.1.2"})
	v.Open(query)
	v.Update()
	return v
}

func TestWhatIsWrittenIsReadBack(t *testing.T) {
	for _, q := range []string{
		"type=string&key=16&value=0..200&ttl=none&history=set&keys=1000000&value_kind=text",
		"type=hash&key=8,16&value=0..64/8&field=12&fields=10&ttl=none,field&history=set%2Bpexpire&keys=100&value_kind=text&show=total&x=key&log=xy&at=16",
		"type=string&key=x+y%26&value=&ttl=none&history=set&keys=1&value_kind=int",
	} {
		if got := sweepOf(t, q).Query(); got != q {
			t.Errorf("got  %s\nwant %s", got, q)
		}
	}
}

func TestEveryPresetIsRightAndDiffersFromTheOthers(t *testing.T) {
	v := New([]string{"7.2.14", "9.1.2"})
	for i := range Presets {
		v.Use(&Presets[i])
		if v.Stale || len(v.Problems) > 0 {
			t.Errorf("%s: %v", Presets[i].Name, v.Problems)
		}
		for j := range Presets {
			if v.Is(&Presets[j]) != (i == j) {
				t.Errorf("%s and %s are taken for each other", Presets[i].Name, Presets[j].Name)
			}
		}
	}
}

func TestASliderMovesTheNumberOrTheEndOfTheRange(t *testing.T) {
	v := sweepOf(t, "")
	for _, c := range []struct {
		text string
		to   int
		want string
	}{{"16", 40, "40"}, {"0..200", 300, "0..300"}, {"10..200/10", 5, "10..11/10"}, {"0..200/8", 64, "0..64/8"}} {
		v.Set("value", c.text)
		if v.Slide("value", c.to); v.Text("value") != c.want {
			t.Errorf("%s moved to %d is %s, want %s", c.text, c.to, v.Text("value"), c.want)
		}
	}
	v.Set("value", "8,16")
	if _, ok := v.Slider("value"); ok {
		t.Error("a list has a slider")
	}
}

func TestTheCrosshairStaysOnTheAxis(t *testing.T) {
	v := sweepOf(t, "value=0..200/8")
	for _, c := range []struct{ move, want int }{{-5, 0}, {1, 8}, {25, 200}, {1000, 200}} {
		if v.Move(c.move); v.At() != c.want {
			t.Errorf("moved to %d it is at %d, want %d", c.move, v.At(), c.want)
		}
	}
	v.MoveTo("value", 97)
	if v.At() != 96 {
		t.Errorf("at %d, want the last value before 97", v.At())
	}
	v.Set("value", "0..40")
	if v.At() != 40 {
		t.Errorf("at %d after the range got shorter", v.At())
	}
	p := v.Point()
	if len(p) != 1 || len(p[0]) != 2 || p[0][0].Value != 40 || p[0][1].Server != 1 {
		t.Errorf("the point is %+v", p)
	}
}

func TestAWindowOfTheTableIsThatPartOfTheRows(t *testing.T) {
	v := sweepOf(t, "value=0..99&key=16,32&ttl=none,key")
	if n := v.Shapes(); n != 400 {
		t.Fatalf("%d shapes", n)
	}
	all := v.Window(0, 400)
	for _, w := range [][2]int{{0, 3}, {150, 20}, {395, 20}, {400, 5}} {
		got := v.Window(w[0], w[1])
		if len(got) != max(0, min(w[1], 400-w[0])) {
			t.Errorf("window %v has %d rows", w, len(got))
		}
		for i := range got {
			if got[i][0] != all[w[0]+i][0] || got[i][1] != all[w[0]+i][1] {
				t.Errorf("window %v: row %d is another", w, i)
			}
		}
	}
	if c := strings.Join(v.Columns(), " "); c != "ttl key value" {
		t.Errorf("columns %s", c)
	}
}

func TestAChoiceThatTheOtherTypeHasNotIsReplaced(t *testing.T) {
	v := sweepOf(t, "type=hash&ttl=field&history=hset%2Bhexpire")
	if v.Set("type", "string"); len(v.Problems) > 0 {
		t.Errorf("%v", v.Problems)
	}
	if v.Set("value_kind", "int"); v.Text("value") != "1..20" || v.Stale {
		t.Errorf("integers of %s bytes: %v", v.Text("value"), v.Problems)
	}
}

func TestEveryWrongFieldIsToldInTheEnginesWords(t *testing.T) {
	v := sweepOf(t, "value=a&key=-1&keys=0")
	for field, words := range map[string]string{"value": "not a whole number", "key": "not a whole number", "keys": "too small"} {
		if !strings.Contains(v.Problem(field), words) {
			t.Errorf("%s: %q", field, v.Problem(field))
		}
	}
	if v.Otherwise() != "" {
		t.Errorf("also said of no field: %s", v.Otherwise())
	}
	v = New([]string{"5.0"})
	v.Update()
	if !strings.Contains(v.Otherwise(), "servers") {
		t.Errorf("an unknown server: %q", v.Otherwise())
	}
}

func TestHostileQueriesCostLittle(t *testing.T) {
	for _, q := range []string{
		"value=0..536870912", "value=" + strings.Repeat("1,", 9000) + "1&key=" + strings.Repeat("1,", 9000) + "1", "keys=1..1000000000000", "x=\x00&show=" + strings.Repeat("a", 1<<16),
		"type=hash&fields=100000000&field=1", "%zz", "a=1&b=2", "at=99999999999999999999", "ttl=none,none", "hash_seed_hex=" + strings.Repeat("0f", 16) + "&keys=1000000000",
	} {
		v := sweepOf(t, q)
		if len(v.Problems) == 0 && (v.Chart == nil || v.Plan.Points() > MaxPoints) {
			t.Errorf("%.60s: %d points and no word", q, v.Plan.Points())
		}
	}
}

func TestAFileOfTheChartStandsAlone(t *testing.T) {
	v := sweepOf(t, "value=0..200")
	v.Resize(320)
	v.Update()
	if s := string(v.SVG(draw.Dark)); !strings.HasPrefix(s, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 `) {
		t.Errorf("%.100s", s)
	}
}

func BenchmarkSmallUpdate(b *testing.B) {
	v := sweepOf(b, "value=0..200")
	for b.Loop() {
		v.Update()
	}
}

func BenchmarkUpdate(b *testing.B) {
	v := sweepOf(b, "value=0..49999")
	for b.Loop() {
		v.Update()
	}
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N), "ms/chart-of-100k")
}
