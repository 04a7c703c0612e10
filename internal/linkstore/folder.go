// Package linkstore keeps links in a folder: a file for each, written whole or not at all.
//
//	DIR/links/AB/CDEFGHJKMNPQRS.json     an id's first two characters, then the rest
package linkstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/keyloupe/keyloupe/api"
)

// Folder is a store in a folder.
type Folder struct{ dir string }

// Open makes the folder where it is missing, and tells early when nothing can be written there.
func Open(dir string) (*Folder, error) {
	dir = filepath.Join(dir, "links")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	probe, err := os.CreateTemp(dir, ".probe-*")
	if err != nil {
		return nil, err
	}
	probe.Close()
	return &Folder{dir}, os.Remove(probe.Name())
}

func (f *Folder) path(id string) (string, error) {
	if len(id) < 4 || !filepath.IsLocal(id) || filepath.Base(id) != id {
		return "", fmt.Errorf("linkstore: %.40q is no id", id)
	}
	return filepath.Join(f.dir, id[:2], id[2:]+".json"), nil
}

// Get returns what is kept under an id.
func (f *Folder) Get(_ context.Context, id string) ([]byte, error) {
	path, err := f.path(id)
	if err != nil {
		return nil, api.ErrNoLink
	}
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, api.ErrNoLink
	}
	return content, err
}

// Put keeps content under an id. It returns once the content is on the disk.
func (f *Folder) Put(ctx context.Context, id string, content []byte) error {
	path, err := f.path(id)
	if err != nil {
		return err
	}
	switch old, err := f.Get(ctx, id); {
	case err == nil && bytes.Equal(old, content):
		return nil
	case err == nil:
		return fmt.Errorf("linkstore: %s is kept with another content", id)
	case !errors.Is(err, api.ErrNoLink):
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return writeWhole(path, content)
}

// writeWhole writes a file that is there with all its content or not at all, also after a crash.
func writeWhole(path string, content []byte) error {
	dir := filepath.Dir(path)
	t, err := os.CreateTemp(dir, ".new-*")
	if err != nil {
		return err
	}
	_, err = t.Write(content)
	if err == nil {
		err = t.Sync()
	}
	if cerr := t.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(t.Name(), path)
	}
	if err != nil {
		os.Remove(t.Name())
		return err
	}
	if d, err := os.Open(dir); err == nil { // not every system can sync a folder
		d.Sync()
		d.Close()
	}
	return nil
}
