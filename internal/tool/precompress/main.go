// Command precompress writes FILE.br and FILE.gz beside each FILE, for servers that send them as they are.
package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"

	"github.com/andybalholm/brotli"
)

func main() {
	for _, name := range os.Args[1:] {
		if err := compress(name); err != nil {
			fmt.Fprintln(os.Stderr, "precompress:", err)
			os.Exit(1)
		}
	}
}

func compress(name string) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	var br, gz bytes.Buffer
	if err := pack(brotli.NewWriterOptions(&br, brotli.WriterOptions{Quality: brotli.BestCompression, LGWin: 24}), data); err != nil {
		return err
	}
	w, err := gzip.NewWriterLevel(&gz, gzip.BestCompression)
	if err != nil {
		return err
	}
	if err := pack(w, data); err != nil {
		return err
	}
	if err := os.WriteFile(name+".gz", gz.Bytes(), 0o644); err != nil {
		return err
	}
	fmt.Printf("%s %d bytes, gzip %d, brotli %d\n", name, len(data), gz.Len(), br.Len())
	return os.WriteFile(name+".br", br.Bytes(), 0o644)
}

func pack(w io.WriteCloser, data []byte) error {
	if _, err := w.Write(data); err != nil {
		return err
	}
	return w.Close()
}
