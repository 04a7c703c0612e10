package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// build makes testdata/program a module.
func build(t *testing.T, flags ...string) []byte {
	t.Helper()
	name := filepath.Join(t.TempDir(), "program.wasm")
	cmd := exec.Command("go", append([]string{"build", "-ldflags=-s -w", "-o", name}, append(flags, "./testdata/program")...)...)
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	module, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return module
}

// run runs a module in Node.
func run(t *testing.T, module []byte, args ...string) (output string) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node to run a module with")
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "program.wasm")
	if err := os.WriteFile(name, module, 0o644); err != nil {
		t.Fatal(err)
	}
	out, _ := exec.Command(node, append([]string{filepath.Join(strings.TrimSpace(string(root)), "lib/wasm/wasm_exec_node.js"), name}, args...)...).CombinedOutput()
	return string(out)
}

func TestASlimmedProgramPrintsWhatItPrintedBefore(t *testing.T) {
	for _, flags := range [][]string{nil, {"-gcflags=all=-l"}} {
		full := build(t, flags...)
		slim, err := Slim(full)
		if err != nil {
			t.Fatal(err)
		}
		if len(slim) > len(full)*3/4 {
			t.Errorf("%d bytes became %d", len(full), len(slim))
		}
		want, got := run(t, full), run(t, slim)
		if got != want || strings.Count(got, "\n") != 10 || !strings.Contains(got, "names main.names") {
			t.Errorf("built with %q it printed\n%s\nand slimmed\n%s", flags, want, got)
		}
	}
}

func TestAPanicNamesItsFunctions(t *testing.T) {
	slim, err := Slim(build(t))
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(slim, []byte("runtime/proc.go")) {
		t.Error("names of files are left")
	}
	text := run(t, slim, "panic")
	for _, want := range []string{"panic: boom 7", "main.inner", "main.outer", "main.main"} {
		if !strings.Contains(text, want) {
			t.Errorf("the output lacks %q:\n%s", want, text)
		}
	}
}

func TestWhatIsNoGoModuleIsRefused(t *testing.T) {
	full := build(t)
	slim, err := Slim(full)
	if err != nil {
		t.Fatal(err)
	}
	newer := bytes.Replace(full, header, append([]byte{0xf0}, header[1:]...), 1)
	for what, module := range map[string][]byte{"empty": nil, "text": []byte("hello"), "cut": full[:len(full)/2], "of a newer Go": newer, "slimmed": slim} {
		if _, err := Slim(module); err == nil {
			t.Errorf("a module that is %s was changed", what)
		}
	}
}

func FuzzAnyModuleIsSlimmedOrRefused(f *testing.F) {
	f.Add([]byte("\x00asm\x01\x00\x00\x00\x0b\x05\x01\x00\x41\x00\x0b"))
	f.Add([]byte("\x00asm\x01\x00\x00\x00\x0a\x04\x01\x02\x00\x0b\x0b\x05\x01\x00\x41\x00\x0b"))
	f.Fuzz(func(_ *testing.T, module []byte) { _, _ = Slim(module) })
}
