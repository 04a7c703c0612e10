package fpconv

import (
	"bufio"
	"compress/gzip"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/engine/release"
)

// golden reads testdata/NAME.tsv.gz, what real servers (8.1.8, 9.0.0, 9.1.0, 9.1.2) answered: fields by tab.
func golden(t *testing.T, name string) (out [][]string) {
	t.Helper()
	f, err := os.Open("testdata/" + name + ".tsv.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for sc := bufio.NewScanner(z); sc.Scan(); {
		out = append(out, strings.Split(sc.Text(), "\t"))
	}
	return out
}

func TestScoresAreWrittenAsRealServersWriteThem(t *testing.T) {
	differs := 0
	for _, row := range golden(t, "scores") {
		b, err := strconv.ParseUint(row[0], 16, 64)
		if err != nil {
			t.Fatal(err)
		}
		v := math.Float64frombits(b)
		if got := string(Append(nil, v)); got != row[1] {
			t.Errorf("%x: got %s, the server writes %s", b, got, row[1])
		}
		if got := string(AppendAuto(nil, v)); got != row[2] {
			t.Errorf("%x: ZSCAN form %s, the server writes %s", b, got, row[2])
		}
		if strings.Trim(row[1], "-0123456789") != "" && digits(row[1]) != digits(strconv.FormatFloat(v, 'e', -1, 64)) {
			differs++
		}
	}
	if differs == 0 {
		t.Error("no number has other than its shortest digits: then Grisu2 is not needed")
	}
}

func digits(s string) string {
	s, _, _ = strings.Cut(s, "e")
	return strings.Trim(strings.NewReplacer(".", "", "-", "").Replace(s), "0")
}

func TestEveryWrittenScoreReadsBackAsItself(t *testing.T) {
	r := release.MustParse("9.1.2")
	for _, v := range []float64{0, 1, -1, 0.1, 1e15, 1e16, 1e21, 1e22, 123456789.125, 5e-324, math.MaxFloat64, 1e-7, 1e-6, 0x1p-1022, math.Inf(-1)} {
		s := Append(nil, v)
		if got, ok := Parse(r, s); !ok || got != v {
			t.Errorf("%v is written %s and reads back as %v, %v", v, s, got, ok)
		}
	}
}

func TestScoresAreReadAsRealServersReadThem(t *testing.T) {
	for _, row := range golden(t, "reads") {
		text, err := strconv.Unquote(row[1])
		if err != nil {
			t.Fatal(err)
		}
		want := row[2]
		got := "ERR"
		if v, ok := Parse(release.MustParse(row[0]), []byte(text)); ok {
			if v == 0 {
				v = 0 // the listpack keeps no sign of zero
			}
			got = string(Append(nil, v))
		}
		if got == "-0" {
			got = "0"
		}
		if got != want {
			t.Errorf("%s reads %q as %s, want %s", row[0], text, got, want)
		}
	}
}

func TestDistancesHaveFourDigits(t *testing.T) {
	for v, want := range map[float64]string{0: "0.0000", 0.00004: "0.0000", 0.00005: "0.0000", 0.00025: "0.0002", 166274.15156960033: "166274.1516",
		-1.5: "-1.5000", 1e30: "-922337203685477.5808", 12.34567: "12.3457"} {
		if got := string(AppendFixed(nil, v, 4)); got != want {
			t.Errorf("%v: got %s, want %s", v, got, want)
		}
	}
	if got := string(AppendFixed(nil, math.NaN(), 4)); got != "-922337203685477.5808" {
		t.Errorf("NaN: got %s", got)
	}
}

func TestCoordinatesHaveUpToSeventeenDigits(t *testing.T) {
	for v, want := range map[float64]string{13.361389338970184: "13.36138933897018433", 38.1155563954963: "38.11555639549629859", 1: "1", -180: "-180", 1e-20: "0", -1e-20: "0"} {
		if got := string(AppendHuman(nil, v)); got != want {
			t.Errorf("%v: got %s, want %s", v, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"1", "0x1p3", "nan(1)", " 1", "1e999", "-.5e-3", "0x", "infinity"} {
		f.Add([]byte(s))
	}
	old, now := release.MustParse("8.1.8"), release.MustParse("9.1.2")
	f.Fuzz(func(t *testing.T, s []byte) {
		a, b := Strtod(old, s), Strtod(now, s)
		if a.Len > len(s) || b.Len > len(s) {
			t.Fatalf("read %d and %d bytes of %d", a.Len, b.Len, len(s))
		}
		if v, ok := Parse(now, s); ok {
			if w, ok := Parse(old, s); !ok || w != v {
				t.Fatalf("9.1 reads %q as %v, 8.1 as %v, %v", s, v, w, ok)
			}
		}
	})
}
