package draw_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/engine/draw"
	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/engine/sweep"
)

func plan(t testing.TB, fields ...string) *sweep.Plan {
	t.Helper()
	s := sweep.Default()
	for i := 0; i < len(fields); i += 2 {
		if err := s.Set(fields[i], fields[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	p, err := sweep.New(s, 0)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func chart(t testing.TB, o draw.Options, fields ...string) *draw.Scene {
	t.Helper()
	s, err := draw.Sweep(plan(t, fields...), o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// wellFormed fails on text that is no XML document, or that a browser would run or load.
func wellFormed(t *testing.T, svg []byte) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(svg))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("%v in\n%.2000s", err, svg)
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if e.Name.Local == "script" || e.Name.Local == "image" || e.Name.Local == "use" {
			t.Fatalf("element %s", e.Name.Local)
		}
		for _, a := range e.Attr {
			if strings.HasPrefix(a.Name.Local, "on") || a.Name.Local == "href" || a.Name.Local == "style" {
				t.Fatalf("attribute %s", a.Name.Local)
			}
		}
	}
}

// golden compares with a file; KEYLOUPE_UPDATE=1 writes it anew.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if os.Getenv("KEYLOUPE_UPDATE") == "1" {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs", path)
	}
}

func TestTheChartOfStringsIsTheSameBytesEverywhere(t *testing.T) {
	s := chart(t, draw.Options{}, "keys", "200000", "servers", "9.0.6,9.1.2")
	svg := s.AppendSVG(nil, draw.Auto)
	wellFormed(t, svg)
	golden(t, "strings.svg", svg)
	for _, want := range []string{"Bytes per key by value length, bytes, 0 to 200: 9.0.6, 9.1.2"} {
		if s.Title != want {
			t.Error(s.Title)
		}
	}
	for _, want := range []string{"9.1.2: 53.4 to 277.4 bytes.", "Cliff at 97 | 98 · saving ends.", "Cliff at 25 | 26 · 9.0.6 raw."} {
		if !strings.Contains(s.Description, want) {
			t.Errorf("%q is not in %q", want, s.Description)
		}
	}
}

func TestALineStepsWhereTheValueDoes(t *testing.T) {
	s := chart(t, draw.Options{Show: draw.Allocated, NoCliffs: true}, "value", "0..30", "servers", "9.1.2")
	var steps []draw.Point
	for _, x := range s.Shapes {
		if x.Class == "s0" && x.Title == "9.1.2" {
			steps = x.Points
		}
	}
	// 40 to 9 bytes, 48 to 17, 56 to 25, 64 on: four heights, eight corners
	heights := map[int]bool{}
	for _, p := range steps {
		heights[p.Y] = true
	}
	if len(heights) != 4 || len(steps) != 8 {
		t.Errorf("%v", steps)
	}
}

func TestACostlierReleaseHasABandOfItsOwn(t *testing.T) {
	classes := map[string]int{}
	for _, x := range chart(t, draw.Options{}, "key", "20", "value", "20..40", "servers", "9.0.6,9.1.2").Shapes {
		classes[x.Class]++
	}
	if classes["worse"] == 0 || classes["save"] == 0 {
		t.Error(classes)
	}
}

func TestTheAxisIsTheFieldWithTheMostValues(t *testing.T) {
	for _, c := range []struct {
		o      draw.Options
		fields []string
		title  string
	}{
		{draw.Options{}, []string{"value", "16", "keys", "1..1000"}, "number of keys"},
		{draw.Options{}, []string{"value", "16", "key", "1..64"}, "key length"},
		{draw.Options{}, []string{"type", "hash", "value", "16", "fields", "1..600"}, "number of fields"},
		{draw.Options{X: "value"}, []string{"value", "16,17", "key", "1..9"}, "value length"},
		{draw.Options{LogX: true, LogY: true}, []string{"value", "0..100000"}, "value length"},
		{draw.Options{}, []string{"value", "97"}, "value length"},
	} {
		s := chart(t, c.o, c.fields...)
		if !strings.Contains(s.Title, c.title) {
			t.Errorf("%v: %s", c.fields, s.Title)
		}
		wellFormed(t, s.AppendSVG(nil, draw.Dark))
	}
}

func TestWhatCannotBeDrawnIsRefusedWithAReason(t *testing.T) {
	for _, c := range []struct {
		o      draw.Options
		fields []string
		says   string
	}{
		{draw.Options{Width: 10}, nil, "width is 240 to 2000"},
		{draw.Options{Height: 1 << 30}, nil, "height 120 to 2000"},
		{draw.Options{X: "colour"}, nil, "is none of value, keys, key, fields, field"},
		{draw.Options{}, []string{"key", "1..100"}, "more than 36 lines"},
	} {
		if _, err := draw.Sweep(plan(t, c.fields...), c.o); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v: %v", c, err)
		}
	}
	if _, err := draw.ParseTheme("sepia"); err == nil {
		t.Error("sepia")
	}
	if m, err := draw.ParseMeasure("total"); err != nil || m != draw.AllKeys || m.String() != "total" {
		t.Error(m, err)
	}
	if _, err := draw.ParseMeasure("x"); err == nil {
		t.Error("x")
	}
}

func TestAHundredThousandPointsMakeASmallPicture(t *testing.T) {
	svg := chart(t, draw.Options{}, "value", "0..49999", "servers", "9.0.6,9.1.2").AppendSVG(nil, draw.Auto)
	if len(svg) > 100_000 {
		t.Errorf("%d bytes", len(svg))
	}
}

func column(t *testing.T, server, key string, commands ...[]string) draw.Column {
	t.Helper()
	s, err := engine.NewServer(server, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range commands {
		s.Do(c...)
	}
	k, err := s.Layout(key)
	if err != nil {
		t.Fatal(err)
	}
	return draw.Column{Title: server, Sub: k.Encoding, Blocks: k.Blocks}
}

func TestThePictureOfAKeyShowsEveryByteOnce(t *testing.T) {
	set := []string{"SET", "user:1", "Alice"}
	s := draw.Layout("user:1", []draw.Column{column(t, "9.0.6", "user:1", set), column(t, "9.1.2", "user:1", set)})
	svg := s.AppendSVG(nil, draw.Auto)
	wellFormed(t, svg)
	golden(t, "layout.svg", svg)
	if !strings.Contains(s.Description, "9.1.2, embstr: block object of 32 bytes") {
		t.Error(s.Description)
	}
	cells := 0
	for _, x := range s.Shapes {
		if x.Kind == draw.Rect && x.Title != "" {
			cells += (x.W + 10) / 310
		}
	}
	if cells != 40+32 {
		t.Errorf("%d bytes drawn", cells)
	}
}

func TestUserTextIsOnlyEverText(t *testing.T) {
	key := "<script>alert(1)</script>\x00\xff\u2028]]>&amp;\"'"
	s := draw.Layout(layout.Quote([]byte(key)), []draw.Column{column(t, "9.1.2", key, []string{"SET", key, "</svg><script>"})})
	svg := s.AppendSVG(nil, draw.Auto)
	wellFormed(t, svg)
	if bytes.Contains(svg, []byte("<script")) {
		t.Error("markup")
	}
	s = draw.Layout(key, []draw.Column{{Title: key, Sub: key}})
	wellFormed(t, s.AppendSVG(nil, draw.Auto))
}

func TestALargeKeyIsCutShort(t *testing.T) {
	var rpush []string
	for range 500 {
		rpush = append(rpush, strings.Repeat("x", 100))
	}
	cols := []draw.Column{column(t, "9.1.2", "l", append([]string{"RPUSH", "l"}, rpush...)), column(t, "9.1.2", "s", []string{"SET", "s", strings.Repeat("y", 100_000)})}
	svg := draw.Layout("large", cols).AppendSVG(nil, draw.Auto)
	wellFormed(t, svg)
	if len(svg) > 2_000_000 || !bytes.Contains(svg, []byte("bytes more")) {
		t.Errorf("%d bytes", len(svg))
	}
}

func TestDotsAreMarkedOnTheirLinesAndStayInView(t *testing.T) {
	o := draw.Options{Dots: []draw.Dot{{Server: 1, X: 97, Y: 128 + 17, Title: "published"}, {Server: 0, X: 10, Y: 900}}}
	s := chart(t, o, "value", "0..200", "servers", "9.0.6,9.1.2")
	var dots []draw.Shape
	for _, x := range s.Shapes {
		if strings.HasPrefix(x.Class, "dot ") {
			dots = append(dots, x)
		}
	}
	if len(dots) != 2 || dots[0].Class != "dot l1" || dots[0].Title != "published" || dots[1].Class != "dot l0" {
		t.Fatalf("%+v", dots)
	}
	at := func(d draw.Shape) (x, y int) { return d.X + d.W/2, d.Y + d.H/2 }
	if x, _ := at(dots[0]); x < s.Plot.Place(97) || x > s.Plot.Place(98) {
		t.Errorf("the dot of 97 is at %d, its step from %d to %d", x, s.Plot.Place(97), s.Plot.Place(98))
	}
	for _, d := range dots {
		if _, y := at(d); y < s.Plot.Top || y > s.Plot.Bottom {
			t.Errorf("a dot is at %d, outside of %d to %d", y, s.Plot.Top, s.Plot.Bottom)
		}
	}
	wellFormed(t, s.AppendSVG(nil, draw.Auto))
}
