package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"

	"github.com/andybalholm/brotli"
	"github.com/keyloupe/keyloupe"
)

// loaded are the files that a first visit loads.
var loaded = []string{"index.html", "app.css", "boot.js", "wasm_exec.js", "worker.js", "icon.svg", "app.wasm"}

// firstLoad adds up what a first visit loads, as a server sends it.
func firstLoad(b *bench) {
	const budget = 1.5e6
	b.row("first load, all files, brotli", func(r *Row) error {
		total, module := 0, 0
		for _, name := range loaded {
			n, err := compressed(keyloupe.Public(), name)
			if err != nil {
				return skip{name + " is not built: run make build"}
			}
			if total += n; path.Ext(name) == ".wasm" {
				module = n
			}
		}
		r.Measured = fmt.Sprintf("%.3f MB, of it app.wasm %.3f MB", float64(total)/1e6, float64(module)/1e6)
		r.Budget, r.Verdict = fmt.Sprintf("≤ %.3g MB", budget/1e6), judge(float64(total), 0, budget)
		return nil
	})
}

// compressed is the size of a file's precompressed copy, or of one made now.
func compressed(files fs.FS, name string) (int, error) {
	if info, err := fs.Stat(files, name+".br"); err == nil {
		return int(info.Size()), nil
	}
	body, err := fs.ReadFile(files, name)
	if err != nil {
		return 0, err
	}
	var out bytes.Buffer
	w := brotli.NewWriterLevel(&out, brotli.BestCompression)
	if _, err := w.Write(body); err != nil {
		return 0, err
	}
	err = w.Close()
	return out.Len(), err
}
