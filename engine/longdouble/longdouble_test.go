package longdouble

import (
	"bufio"
	"compress/gzip"
	"os"
	"strings"
	"testing"
)

// sums.tsv.gz holds pairs of numbers and what a C program with the server's rules made of them on
// x86-64: both read, and their sum, each printed; "bad" and "bad2" say which could not be read.
func TestNumbersAreReadAddedAndPrintedAsInC(t *testing.T) {
	f, err := os.Open("testdata/sums.tsv.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	in := bufio.NewScanner(z)
	in.Buffer(nil, 1<<20)
	n := 0
	for ; in.Scan(); n++ {
		c := strings.Split(in.Text(), "\t")
		got := sum(c[0], c[1])
		if want := strings.Join(c[2:], "\t"); got != want {
			t.Errorf("%s + %s: %.200s, in C %.200s", c[0], c[1], got, want)
		}
	}
	if n < 1000 || in.Err() != nil {
		t.Errorf("%d lines, %v", n, in.Err())
	}
}

func sum(a, b string) string {
	x, ok := Parse([]byte(a))
	if !ok {
		return "bad"
	}
	y, ok := Parse([]byte(b))
	if !ok {
		return "bad2"
	}
	out := x.String() + "\t" + y.String()
	if s, ok := x.Add(y); ok {
		return out + "\t" + s.String()
	}
	return out + "\tnan"
}

func TestWhatIsNoNumberIsRefused(t *testing.T) {
	for _, s := range []string{"", " 1", "1 ", "\t1", "1\x00", "nan", "-nan", "nan(1)", "e5", ".", "+", "-", "--1", "0x", "0xg", "0x.p1", "1e", "1e+", "1_000", "1,5", "infinit", "1e5000", "-1e5000", "1e-5000", strings.Repeat("1", 5120)} {
		if f, ok := Parse([]byte(s)); ok {
			t.Errorf("%.20q was read as %.20s", s, f)
		}
	}
}

func TestHugeExponentsCostNoWork(t *testing.T) {
	for _, s := range []string{"1e999999999999999999", "1e-999999999999999999", "0x1p99999999999", "0." + strings.Repeat("0", 5000) + "1", strings.Repeat("9", 5119)} {
		if _, ok := Parse([]byte(s)); ok {
			t.Errorf("%.20q was read", s)
		}
	}
	if f, ok := Parse([]byte("0e999999999999999999")); !ok || f.String() != "0" {
		t.Errorf("zero with an exponent: %v, %v", f, ok)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"1.5", "-0x1.8p3", "inf", "1e-4950", "1e4932"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		x, ok := Parse([]byte(s))
		if !ok {
			return
		}
		y, ok := Parse([]byte(x.String()))
		if !ok {
			t.Fatalf("%q is printed as %q, which can't be read", s, x)
		}
		if _, ok := x.Add(y); !ok && !x.IsInf() {
			t.Fatalf("%q: no sum", s)
		}
	})
}
