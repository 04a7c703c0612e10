package lineedit

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

const (
	keptLines  = 2000     // the history's lines that are kept
	longest    = 8 << 10  // bytes of a line that is kept
	mostBytes  = 32 << 20 // of a file that is read
	permission = fs.FileMode(0o600)
)

// History is the lines typed, the oldest first, kept in a file. The file is read when it is opened and each line is
// appended to it, so that several programs can share it.
type History struct {
	lines []string
	path  string
	err   error // why lines are not kept
}

// OpenHistory reads the history in a file, and makes the folder for it where there is none. The history can be used when
// there is an error too; it is then not kept. A path "" keeps none.
func OpenHistory(path string) (*History, error) {
	h := &History{path: path}
	if path == "" {
		return h, nil
	}
	h.err = h.read()
	return h, h.err
}

func (h *History) read() error {
	if err := os.MkdirAll(filepath.Dir(h.path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(h.path, os.O_RDWR|os.O_CREATE|os.O_APPEND, permission)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return errors.New(h.path + " is no file")
	}
	text := make([]byte, min(info.Size(), mostBytes))
	if _, err := f.ReadAt(text, info.Size()-int64(len(text))); err != nil {
		return err
	}
	for l := range strings.Lines(string(bytes.ToValidUTF8(text, []byte("\uFFFD")))) {
		h.lines = append(h.lines, strings.TrimRight(l, "\r\n"))
	}
	if len(h.lines) <= 2*keptLines && info.Size() <= mostBytes {
		return nil
	}
	h.lines = h.lines[max(0, len(h.lines)-keptLines):]
	return h.rewrite()
}

// rewrite makes the file anew, whole or not at all.
func (h *History) rewrite() error {
	f, err := os.CreateTemp(filepath.Dir(h.path), ".history-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(strings.Join(h.lines, "\n") + "\n")
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), h.path)
}

// Len is the number of lines.
func (h *History) Len() int { return len(h.lines) }

// At is one of the lines.
func (h *History) At(i int) string { return h.lines[i] }

// Add appends a line, unless it is blank or the last one again. It fails once, where it could not be kept; later lines
// are then kept in memory only.
func (h *History) Add(line string) error {
	if strings.TrimSpace(line) == "" || len(h.lines) > 0 && h.lines[len(h.lines)-1] == line {
		return nil
	}
	h.lines = append(h.lines, line)
	if h.path == "" || h.err != nil || len(line) > longest {
		return nil
	}
	f, err := os.OpenFile(h.path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, permission)
	if err == nil {
		_, err = f.WriteString(line + "\n")
		if e := f.Close(); err == nil {
			err = e
		}
	}
	h.err = err
	return err
}
