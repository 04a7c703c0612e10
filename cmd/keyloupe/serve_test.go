package main

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func sitedir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"index.html": "<p>page", "app.wasm": "module"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestServePrintsItsAddressAndStopsOnASignal(t *testing.T) {
	dir := sitedir(t)
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		cmd := process(t, "serve", "--listen", "127.0.0.1:0", "--public", dir)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		defer cmd.Process.Kill()
		line, err := bufio.NewReader(out).ReadString('\n')
		if err != nil || !strings.HasPrefix(line, "http://127.0.0.1:") || strings.Contains(line, ":0/") {
			t.Fatalf("first line %q, %v", line, err)
		}
		r, err := http.Get(strings.TrimSpace(line))
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(r.Body)
		r.Body.Close()
		if string(text) != "<p>page" {
			t.Errorf("the page is %q", text)
		}
		if err := cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		awaitEnd(t, cmd, sig)
	}
}

func TestServeWithoutAPageSaysWhatToRun(t *testing.T) {
	_, err := pageFiles(t.TempDir())
	if err == nil || !strings.Contains(err.Error(), "make build") {
		t.Errorf("%v", err)
	}
}
