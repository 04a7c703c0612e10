package geohash

import (
	"bufio"
	"compress/gzip"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/engine/release"
)

// testdata/libm.tsv.gz is what glibc 2.36 on x86-64 with FMA gives: function, argument, result.
func TestSinesAreGlibcs(t *testing.T) {
	f, err := os.Open("testdata/libm.tsv.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	fns := map[string]func(float64) float64{"sin": sin, "cos": cos, "asin": asin}
	rows, off := map[string]int{}, map[string]int{}
	for sc := bufio.NewScanner(z); sc.Scan(); {
		r := strings.Split(sc.Text(), "\t")
		x, _ := strconv.ParseFloat(r[1], 64)
		want, _ := strconv.ParseFloat(r[2], 64)
		got := fns[r[0]](x)
		rows[r[0]]++
		if got != want {
			off[r[0]]++
			if math.Abs(got-want) > math.Abs(math.Nextafter(want, 2)-want) {
				t.Errorf("%s(%v) = %v, want %v", r[0], x, got, want)
			}
		}
	}
	if rows["sin"] < 1000 || rows["asin"] < 1000 || off["sin"]+off["cos"] > 0 || off["asin"] > rows["asin"]/200 {
		t.Errorf("of %v results %v differ in the last bit", rows, off)
	}
}

func TestADegreeIsTheServersConstant(t *testing.T) {
	pi, mine := math.Pi, degree
	if d := pi / 180; d != mine {
		t.Errorf("%v, want %v", mine, d)
	}
}

func TestScoresAndPositionsAreTheServers(t *testing.T) {
	for _, c := range []struct {
		at    Point
		score uint64
		text  string
	}{{Point{13.361389, 38.115556}, 3479099956230698, "sqc8b49rny0"}, {Point{15.087269, 37.502669}, 3479447370796909, "sqdtr74hyu0"}} {
		if got := Score(c.at); got != c.score {
			t.Errorf("%v: %d, want %d", c.at, got, c.score)
		}
		if got := Text(OfScore(float64(c.score))); got != c.text {
			t.Errorf("%v: %s, want %s", c.at, got, c.text)
		}
	}
}

func TestAPositionIsInItsCellAtEveryStep(t *testing.T) {
	src := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		p := Point{src.Float64()*360 - 180, src.Float64()*2*LatMax - LatMax}
		for step := 1; step <= MaxStep; step++ {
			c := Encode(p, step)
			a := c.Decode()
			const slack = 1e-9
			if p.Lon < a.Min.Lon-slack || p.Lon > a.Max.Lon+slack || p.Lat < a.Min.Lat-slack || p.Lat > a.Max.Lat+slack {
				t.Fatalf("%v is not in %v, its cell of step %d", p, a, step)
			}
			lo, hi := c.Scores()
			if s := Score(p); s < lo || s >= hi {
				t.Fatalf("score %d is not from %d to %d", s, lo, hi)
			}
			for _, d := range [][2]int{{1, 0}, {0, 1}, {-1, 1}} {
				if back := c.move(d[0], d[1]).move(-d[0], -d[1]); back != c {
					t.Fatalf("%v moved there and back is %v", c, back)
				}
			}
		}
	}
}

func TestTheCellsOfASearchHoldWhatIsInIt(t *testing.T) {
	src := rand.New(rand.NewPCG(3, 4))
	r := release.MustParse("9.1.2")
	for range 3000 {
		s := Shape{Kind: Kind(src.IntN(2)), Center: Point{src.Float64()*340 - 170, src.Float64()*150 - 75}, Unit: 1000}
		s.Radius = math.Pow(10, src.Float64()*3)
		s.Width, s.Height = s.Radius, math.Pow(10, src.Float64()*3)
		cells := s.Cover(r)
		p := Point{s.Center.Lon + (src.Float64()-.5)*10, s.Center.Lat + (src.Float64()-.5)*10}
		p = OfScore(float64(Score(p)))
		if d, ok := s.Holds(r, p); ok {
			found := false
			for _, c := range cells {
				lo, hi := c.Scores()
				found = found || Score(p) >= lo && Score(p) < hi
			}
			if !found {
				t.Fatalf("%v, %f m from %+v, is in none of %v", p, d, s, cells)
			}
		}
	}
}

func TestScoresOutOfRangeAreConvertedAsTheProcessorDoes(t *testing.T) {
	for _, v := range []float64{math.Inf(1), math.Inf(-1), -1, 1e300, -1e300, 1 << 63, 4503599627370496 * 4} {
		if p := OfScore(v); !p.Valid() {
			t.Errorf("%v: %v", v, p)
		}
	}
}
