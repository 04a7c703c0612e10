// Package golden reads the golden data in testdata/golden: what real servers answered.
package golden

import (
	"bufio"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Dir is the folder of the golden data, found from this file's place in the repository.
func Dir() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "..", "..", "testdata", "golden")
}

// Server is the server, VERSION@BUILD, whose answers a file named VERSION-PROFILE... holds.
func Server(file string) string {
	name := strings.SplitN(filepath.Base(file), ".jsonl", 2)[0]
	name = strings.SplitN(name, ".tsv", 2)[0]
	version, profile, _ := strings.Cut(name, "-")
	if profile == "oss" || profile == "" {
		return version
	}
	return version + "@" + profile
}

// Files lists the files of one kind: strings, sequences, images, bulk, vset.
func Files(kind string) []string {
	all, _ := filepath.Glob(filepath.Join(Dir(), kind, "*.gz"))
	return all
}

// Lines calls f with every line of a file, uncompressed where it ends in .gz, until f returns an
// error.
func Lines(file string, f func(line []byte) error) error {
	r, err := os.Open(file)
	if err != nil {
		return err
	}
	defer r.Close()
	var in io.Reader = r
	if strings.HasSuffix(file, ".gz") {
		if in, err = gzip.NewReader(r); err != nil {
			return err
		}
	}
	sc := bufio.NewScanner(in)
	sc.Buffer(make([]byte, 1<<16), 1<<28)
	for sc.Scan() {
		if err := f(sc.Bytes()); err != nil {
			return err
		}
	}
	return sc.Err()
}
