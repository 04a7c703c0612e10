// Package golden holds the simulator to what real servers answered: the data in testdata was
// recorded from them (see the README there).
package golden

import (
	"bufio"
	"compress/gzip"
	"os"
	"testing"
)

const maxLine = 64 << 20

// lines reads a compressed file line by line.
func lines(t testing.TB, name string) (out [][]byte) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	in := bufio.NewScanner(z)
	in.Buffer(nil, maxLine)
	for in.Scan() {
		out = append(out, append([]byte(nil), in.Bytes()...))
	}
	if err := in.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}
