package progress

import (
	"bytes"
	"testing"
	"time"
)

// clock is a time that the test sets.
type clock struct{ t time.Time }

func (c *clock) now() time.Time { return c.t }

func TestShortWorkSaysNothing(t *testing.T) {
	c := &clock{time.Unix(0, 0)}
	var b bytes.Buffer
	m := start(&b, "rows", 100, c.now)
	c.t = c.t.Add(after - 1)
	m.At(50)
	m.End()
	if b.Len() > 0 {
		t.Errorf("%q", b.String())
	}
}

func TestALineTellsShareRateAndRest(t *testing.T) {
	c := &clock{time.Unix(0, 0)}
	var b bytes.Buffer
	m := start(&b, "rows", 1_000_000, c.now)
	c.t = c.t.Add(2 * time.Second)
	m.At(250_000)
	m.At(250_001) // too soon
	c.t = c.t.Add(every)
	m.At(550_000)
	m.End()
	m.End()
	want := "\r250000 of 1000000 rows, 25.0 %, 125 k/s, 7 s left\x1b[K" +
		"\r550000 of 1000000 rows, 55.0 %, 250 k/s, 2 s left\x1b[K" + "\r\x1b[K"
	if b.String() != want {
		t.Errorf("got  %q\nwant %q", b.String(), want)
	}
}

func TestWithoutAnEndInSightTheNumberIsTold(t *testing.T) {
	c := &clock{time.Unix(0, 0)}
	var b bytes.Buffer
	m := start(&b, "cliffs", 0, c.now)
	c.t = c.t.Add(4 * time.Second)
	m.At(10)
	if want := "\r10 cliffs\x1b[K"; b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}

func TestTheRestIsToldInUnitsOfItsSize(t *testing.T) {
	for seconds, want := range map[float64]string{0.2: "1 s", 90: "91 s", 150: "2 min", 7300: "2 h", 200_000: "2 days", 1e12: "more than 100 days"} {
		if got := left(seconds); got != want {
			t.Errorf("%v seconds: %s, want %s", seconds, got, want)
		}
	}
}

func TestWhatIsNoTerminalIsToldNothing(t *testing.T) {
	var b bytes.Buffer
	m := New(&b, "keys", 10)
	m.At(5)
	m.End()
	if m != nil || b.Len() > 0 {
		t.Errorf("%v, %q", m, b.String())
	}
}
