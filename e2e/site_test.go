package e2e

import (
	"bytes"
	"io/fs"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/keyloupe/keyloupe/engine/scenario"
	"github.com/keyloupe/keyloupe/internal/site"
)

// built makes the page once a test run, where `make build` has not done so already.
var built = sync.OnceValues(func() (string, error) {
	root, err := filepath.Abs("..")
	if err != nil {
		return "", err
	}
	make := exec.Command("make", "-C", root, "public/app.wasm", "public/wasm_exec.js", "public/scenarios.json")
	if out, err := make.CombinedOutput(); err != nil {
		return string(out), err
	}
	return filepath.Join(root, "public"), nil
})

// serve answers with the built page, as `keyloupe serve` would, and returns its address with a slash at the end.
func serve(t testing.TB) string {
	t.Helper()
	public, err := built()
	if err != nil {
		t.Fatalf("make: %v\n%s", err, public)
	}
	srv := httptest.NewServer(site.New(os.DirFS(public)))
	t.Cleanup(srv.Close)
	return srv.URL + "/"
}

func TestThePagesNeedNoInlineScriptOrStyle(t *testing.T) {
	err := filepath.WalkDir("../ui", func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".vugu" {
			return err
		}
		text, err := os.ReadFile(path)
		for _, bad := range []string{"<script", "<style", " style=", " vg-html=", " .value=", " .checked="} {
			if strings.Contains(string(text), bad) {
				t.Errorf("%s has %q, which the Content-Security-Policy or our own rules forbid", path, bad)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// The first load is over its budget: the texts of the measurements come in a file of their own, when they are asked for.
func TestThePagesProgramHoldsNoMeasurements(t *testing.T) {
	public, err := built()
	if err != nil {
		t.Fatal(err, public)
	}
	program, err := os.ReadFile(filepath.Join(public, "app.wasm"))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range scenario.All() {
		if bytes.Contains(program, []byte(s.Finding)) {
			t.Errorf("app.wasm has the texts of %s", s.ID)
		}
	}
}
