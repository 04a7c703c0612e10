package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"testing"
	"time"
)

var (
	at    = time.Unix(1_790_000_000, 0).UTC()
	files = []file{{"keyloupe", []byte("program"), 0o755}, {"man/keyloupe.1", []byte(".TH"), 0o644}}
)

func TestTheSameFilesGiveTheSameArchive(t *testing.T) {
	for _, x := range []target{{"linux", "amd64"}, {"windows", "amd64"}} {
		a, err := pack(x, "k-1", files, at)
		if err != nil {
			t.Fatal(err)
		}
		b, err := pack(x, "k-1", files, at)
		if err != nil || !bytes.Equal(a, b) {
			t.Errorf("%s: two archives of the same files differ (%v)", x.os, err)
		}
	}
}

func TestATarKeepsModesAndHasNoOwner(t *testing.T) {
	b, err := pack(target{"darwin", "arm64"}, "k-1", files, at)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	r := tar.NewReader(z)
	for _, f := range files {
		h, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil || h.Name != "k-1/"+f.name || h.FileInfo().Mode() != f.mode || !h.ModTime.Equal(at) || h.Uid != 0 || h.Uname != "" || !bytes.Equal(data, f.data) {
			t.Errorf("%+v, %q, %v", h, data, err)
		}
	}
	if _, err := r.Next(); err != io.EOF {
		t.Error("there is more in it")
	}
}

func TestAZipKeepsModes(t *testing.T) {
	b, err := pack(target{"windows", "arm64"}, "k-1", files, at)
	if err != nil {
		t.Fatal(err)
	}
	r, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range files {
		got := r.File[i]
		in, err := got.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(in)
		if err != nil || got.Name != "k-1/"+f.name || got.Mode() != f.mode || !got.Modified.Equal(at) || !bytes.Equal(data, f.data) {
			t.Errorf("%+v, %q, %v", got.FileHeader, data, err)
		}
	}
}
