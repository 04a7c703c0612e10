package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io/fs"
	"time"
)

// file is a file of an archive, its name with slashes.
type file struct {
	name string
	data []byte
	mode fs.FileMode
}

// suffix of the archives that people of a system expect.
func (t target) suffix() string {
	if t.os == "windows" {
		return ".zip"
	}
	return ".tar.gz"
}

// pack puts files into an archive, in a folder of its name. The same files give the same bytes.
func pack(t target, folder string, files []file, at time.Time) ([]byte, error) {
	var b bytes.Buffer
	var err error
	if t.suffix() == ".zip" {
		err = packZip(&b, folder, files, at)
	} else {
		err = packTar(&b, folder, files, at)
	}
	return b.Bytes(), err
}

func packTar(b *bytes.Buffer, folder string, files []file, at time.Time) error {
	z, err := gzip.NewWriterLevel(b, gzip.BestCompression)
	if err != nil {
		return err
	}
	w := tar.NewWriter(z)
	for _, f := range files {
		h := &tar.Header{Name: folder + "/" + f.name, Size: int64(len(f.data)), Mode: int64(f.mode), ModTime: at, Format: tar.FormatUSTAR}
		if err := w.WriteHeader(h); err != nil {
			return err
		}
		if _, err := w.Write(f.data); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return z.Close()
}

func packZip(b *bytes.Buffer, folder string, files []file, at time.Time) error {
	w := zip.NewWriter(b)
	for _, f := range files {
		h := &zip.FileHeader{Name: folder + "/" + f.name, Method: zip.Deflate, Modified: at}
		h.SetMode(f.mode)
		out, err := w.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := out.Write(f.data); err != nil {
			return err
		}
	}
	return w.Close()
}
