package ui

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

func TestGeneratedCodeIsUpToDate(t *testing.T) {
	views, err := filepath.Glob("*.vugu")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	sources, _ := filepath.Glob("*.go") // vugugen looks at them for the components' types
	for _, name := range append(views, sources...) {
		text, err := os.ReadFile(name)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), text, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("go", "run", "github.com/keyloupe/keyloupe/internal/tool/vugu", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, v := range views {
		name := v[:len(v)-len(".vugu")] + "_gen.go"
		want, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if have, err := os.ReadFile(name); err != nil || !bytes.Equal(have, want) {
			t.Errorf("%s is not what %s gives: run make generate", name, v)
		}
	}
}
