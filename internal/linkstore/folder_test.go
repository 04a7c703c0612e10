package linkstore

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/keyloupe/keyloupe/api"
)

func open(t *testing.T) *Folder {
	t.Helper()
	f, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestWhatIsKeptIsReadAgainAndNeverChanges(t *testing.T) {
	f := open(t)
	if _, err := f.Get(t.Context(), "0123456789abcdef"); !errors.Is(err, api.ErrNoLink) {
		t.Error(err)
	}
	for range 2 {
		if err := f.Put(t.Context(), "0123456789abcdef", []byte("one")); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := f.Get(t.Context(), "0123456789abcdef"); err != nil || string(got) != "one" {
		t.Errorf("%s %v", got, err)
	}
	if err := f.Put(t.Context(), "0123456789abcdef", []byte("two")); err == nil {
		t.Error("another content under the same id")
	}
}

func TestManyWritersOfTheSameLinkLoseNothing(t *testing.T) {
	f := open(t)
	var wg sync.WaitGroup
	for i := range 200 {
		wg.Go(func() {
			id := fmt.Sprintf("abcdefghjkmnp%03d", i%10)
			if err := f.Put(t.Context(), id, bytes.Repeat([]byte{byte('0' + i%10)}, 5000)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for i := range 10 {
		got, err := f.Get(t.Context(), fmt.Sprintf("abcdefghjkmnp%03d", i))
		if err != nil || len(got) != 5000 {
			t.Error(i, len(got), err)
		}
	}
	left, _ := filepath.Glob(filepath.Join(f.dir, "*", ".new-*"))
	if len(left) > 0 {
		t.Error("left behind:", left)
	}
}

func TestAnIDCannotLeaveTheFolder(t *testing.T) {
	f := open(t)
	for _, id := range []string{"", "a", "../../../etc/passwd", "ab/../../x", "/etc/passwd", `..\..\x`, "....", "a/b/c/d"} {
		if err := f.Put(t.Context(), id, nil); err == nil && id != "...." && id != `..\..\x` {
			t.Errorf("%q", id)
		}
		if _, err := f.Get(t.Context(), id); err == nil && id != "...." && id != `..\..\x` {
			t.Errorf("%q", id)
		}
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(f.dir), "x")); err == nil {
		t.Error("written outside")
	}
}

func TestAFolderThatCannotBeWrittenIsToldAtOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(file); err == nil {
		t.Error("a file is no folder")
	}
}
