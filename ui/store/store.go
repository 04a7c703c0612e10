// Package store keeps the person's workspace, history and settings, as documents in a file system.
//
// In the browser the file system is IndexedDB; where that is refused, memory, and then the page says that nothing outlives it.
package store

import (
	"errors"
	"io/fs"
	"path"

	"github.com/hack-pad/hackpadfs"
	"github.com/hack-pad/hackpadfs/mem"
)

// Store is a set of named documents. In the browser its methods must be called from a goroutine, never from a JavaScript
// callback: they wait for events that a callback would block.
type Store struct {
	fs hackpadfs.FS
	// Refused is why documents live in memory only; nil when they outlive the page.
	Refused error
}

// New keeps documents in files.
func New(files hackpadfs.FS) *Store { return &Store{fs: files} }

// InMemory keeps documents for the life of the page; why tells what refused to do better.
func InMemory(why error) *Store {
	files, err := mem.NewFS()
	if err != nil {
		panic(err) // an empty memory file system cannot fail
	}
	return &Store{fs: files, Refused: why}
}

// Save writes a document through a temporary file and a rename, so that a page closed in between keeps the old one.
func (s *Store) Save(name string, data []byte) error {
	if err := hackpadfs.MkdirAll(s.fs, path.Dir(name), 0o755); err != nil {
		return err
	}
	tmp := name + ".tmp"
	if err := hackpadfs.WriteFullFile(s.fs, tmp, data, 0o644); err != nil {
		return err
	}
	return hackpadfs.Rename(s.fs, tmp, name)
}

// Load reads a document; a missing one is nil without an error.
func (s *Store) Load(name string) ([]byte, error) {
	data, err := hackpadfs.ReadFile(s.fs, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// Delete removes a document; a missing one is no error.
func (s *Store) Delete(name string) error {
	err := hackpadfs.Remove(s.fs, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
