package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// program panics through two functions, one of them generic, and recovers once before.
const program = `package main

import ("fmt"; "os"; "runtime")

func inner[T any](v T) { panic(fmt.Sprint("boom ", v)) }
func outer() { inner(7) }
func main() {
	func() {
		defer func() { fmt.Println("recovered", recover()) }()
		outer()
	}()
	for range 3 { _ = make([]byte, 1<<20); runtime.GC() }
	grow(10000)
	fmt.Println("alive")
	if len(os.Args) > 1 { outer() }
}
func grow(n int) int { var b [64]byte; if n == 0 { return int(b[0]) }; return grow(n-1) + int(b[1]) }
`

// build makes the program a module and returns its path.
func build(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"main.go": program, "go.mod": "module program\n\ngo 1.26\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "build", "-ldflags=-s -w", "-o", "p.wasm", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return filepath.Join(dir, "p.wasm")
}

func TestAModuleWithoutLineTablesRunsAndNamesItsFunctions(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node to run a module with")
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	name := build(t)
	full, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	slim, err := Slim(full)
	if err != nil {
		t.Fatal(err)
	}
	if len(slim) >= len(full) || bytes.Contains(slim, []byte("runtime/proc.go")) {
		t.Errorf("%d bytes became %d", len(full), len(slim))
	}
	if err := os.WriteFile(name, slim, 0o644); err != nil {
		t.Fatal(err)
	}
	run := exec.Command(node, filepath.Join(strings.TrimSpace(string(root)), "lib/wasm/wasm_exec_node.js"), name, "panic")
	out, err := run.CombinedOutput()
	text := string(out)
	for _, want := range []string{"recovered boom 7", "alive", "panic: boom 7", "main.inner", "main.outer", "main.main"} {
		if !strings.Contains(text, want) {
			t.Errorf("the output lacks %q (%v):\n%s", want, err, text)
		}
	}
	if again, err := Slim(slim); err != nil || !bytes.Equal(again, slim) {
		t.Errorf("slimming twice changes the module again (%v)", err)
	}
}

func TestWhatIsNoGoModuleIsRefused(t *testing.T) {
	full, err := os.ReadFile(build(t))
	if err != nil {
		t.Fatal(err)
	}
	newer := bytes.Replace(full, header, append([]byte{0xf0}, header[1:]...), 1)
	for what, module := range map[string][]byte{"empty": nil, "text": []byte("hello"), "cut": full[:len(full)/2], "of a newer Go": newer} {
		if _, err := Slim(module); err == nil {
			t.Errorf("a module that is %s was changed", what)
		}
	}
}

func FuzzAnyModuleIsSlimmedOrRefused(f *testing.F) {
	f.Add([]byte("\x00asm\x01\x00\x00\x00\x0b\x05\x01\x00\x41\x00\x0b"))
	f.Fuzz(func(_ *testing.T, module []byte) { _, _ = Slim(module) })
}
