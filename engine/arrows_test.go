//go:build !js

package engine_test

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"
)

const module = "github.com/keyloupe/keyloupe/"

// level orders the engine's packages: a package may import those of lower levels, and of its own
// level where it says so.
var level = map[string]int{
	"engine/release": 0, "engine/siphash": 0, "engine/decimal": 0, "engine/sha1": 0, "engine/glob": 0, "engine/longdouble": 0, "engine/geohash": 0,
	"engine/heap": 1, "engine/layout": 1, "engine/fpconv": 1,
	"engine/sds": 2, "engine/resp": 2, "engine/catalog": 2,
	"engine/lzf": 3, "engine/listpack": 3, "engine/intset": 3, "engine/rax": 3, "engine/hashtable": 3, "engine/dict": 3, "engine/skiplist": 3, "engine/hashentry": 3, "engine/object": 3, "engine/hyperloglog": 3,
	"engine/quicklist": 4, "engine/rdb": 4, "engine/vset": 4, "engine/stream": 4,
	"engine/hashtype": 5, "engine/settype": 5, "engine/zset": 5, "engine/keyspace": 5,
	"engine/command": 6,
	"engine":         7,
	"engine/sweep":   8, "engine/populate": 8, "engine/draw": 9, "engine/scenario": 9,
}

// forbidden is what the engine must not know: the world outside that would make its answers differ.
var forbidden = map[string]bool{"os": true, "net": true, "net/http": true, "syscall": true, "syscall/js": true, "os/exec": true, "path/filepath": true, "log": true,
	"crypto/sha1": true, "crypto/sha256": true, // their FIPS module costs the page 32 MiB: see engine/sha1
}

type pkg struct {
	ImportPath string
	Imports    []string
	Standard   bool
}

func packages(t *testing.T, pattern string) (out []pkg) {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports,Standard", module+pattern)
	b, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list %s: %v", pattern, err)
	}
	for d := json.NewDecoder(strings.NewReader(string(b))); d.More(); {
		var p pkg
		if err := d.Decode(&p); err != nil {
			t.Fatal(err)
		}
		out = append(out, p)
	}
	return out
}

func TestImportsOfTheEngineGoOneWay(t *testing.T) {
	for _, p := range packages(t, "engine/...") {
		name := strings.TrimPrefix(p.ImportPath, module)
		n, ok := level[name]
		if !ok {
			t.Errorf("package %s has no level: give it one in this test", name)
			continue
		}
		for _, i := range p.Imports {
			if forbidden[i] {
				t.Errorf("%s imports %s: the engine gets clock, files and network from outside", name, i)
			}
			in, ours := strings.CutPrefix(i, module)
			if !ours {
				if strings.Contains(strings.SplitN(i, "/", 2)[0], ".") {
					t.Errorf("%s imports %s: the engine uses the standard library only", name, i)
				}
				continue
			}
			m, ok := level[in]
			if !ok || m > n {
				t.Errorf("%s (level %d) imports %s (level %d): arrows go down", name, n, in, m)
			}
		}
	}
}

func TestNothingBelowThePageKnowsThePage(t *testing.T) {
	for _, pattern := range []string{"api/...", "engine/..."} {
		for _, p := range packages(t, pattern) {
			for _, i := range p.Imports {
				for _, above := range []string{"ui", "wasm", "cmd"} {
					if strings.HasPrefix(i, module+above) {
						t.Errorf("%s imports %s", p.ImportPath, i)
					}
				}
			}
		}
	}
}
