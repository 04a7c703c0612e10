//go:build !js

// Package worker builds the Cloudflare Worker and runs it on workerd, for tests and benchmarks.
package worker

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// startTimeout is how long workerd may take until it answers.
const startTimeout = time.Minute

// Root is the repository.
func Root() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "..", "..")
}

var built string

var build = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "keyloupe-worker-")
	if err != nil {
		return "", err
	}
	built = dir
	out, err := exec.Command(filepath.Join(Root(), "scripts", "build-worker"), dir).CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w\n%s", err, out)
	}
	return dir, err
})

// Build builds the Worker once a process and returns the folder.
func Build() (string, error) { return build() }

// Cleanup removes what Build made, once nothing runs any more.
func Cleanup() {
	if built != "" {
		os.RemoveAll(built)
	}
}

// missing tells what is needed to run the Worker and is not there.
func missing() error {
	if _, err := exec.LookPath("node"); err != nil {
		return errors.New("node is not installed")
	}
	if _, err := os.Stat(filepath.Join(Root(), "wasm", "worker", "node_modules", "miniflare")); err != nil {
		return errors.New("miniflare is not installed: run `npm ci --ignore-scripts` in wasm/worker")
	}
	return nil
}

// A Server is the Worker on workerd.
type Server struct {
	URL string // http://127.0.0.1:port
	PID int    // of node; workerd is its child
}

// Start runs the Worker for a test. extra are module files beside the entry, name and text; env are
// the variables of wasm/worker/run.mjs. The test is skipped where Node or Miniflare can't be had, unless
// KEYLOUPE_REQUIRE_WORKERD=1.
func Start(t testing.TB, extra map[string]string, env ...string) *Server {
	t.Helper()
	if err := missing(); err != nil {
		if os.Getenv("KEYLOUPE_REQUIRE_WORKERD") == "1" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	dir, err := Build()
	if err != nil {
		t.Fatal(err)
	}
	if len(extra) > 0 {
		dir = withFiles(t, dir, extra)
	}
	cmd := exec.Command("node", filepath.Join(Root(), "wasm", "worker", "run.mjs"), "0")
	cmd.Env = append(append(os.Environ(), "BUILD="+dir, "PUBLIC="), env...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	t.Cleanup(func() {
		cmd.Process.Signal(syscall.SIGTERM)
		select {
		case <-ended:
		case <-time.After(10 * time.Second):
			cmd.Process.Kill()
			<-ended
		}
	})
	lines := bufio.NewReader(out)
	first := make(chan string, 1)
	go func() {
		defer close(ended)
		line, _ := lines.ReadString('\n')
		first <- strings.TrimSpace(line)
		for { // what the Worker prints is of no interest, but has to be read
			if _, err := lines.ReadString('\n'); err != nil {
				break
			}
		}
		cmd.Wait()
	}()
	select {
	case url := <-first:
		if !strings.HasPrefix(url, "http://") {
			t.Fatalf("workerd did not start: %q", url)
		}
		return &Server{url, cmd.Process.Pid}
	case <-time.After(startTimeout):
		t.Fatal("workerd did not start in time")
		return nil
	}
}

// withFiles is a folder with the built Worker and more modules.
func withFiles(t testing.TB, dir string, extra map[string]string) string {
	t.Helper()
	to := t.TempDir()
	if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	for name, text := range extra {
		if err := os.WriteFile(filepath.Join(to, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return to
}

// CPU is the time all processes of the server have computed so far.
func (s *Server) CPU() time.Duration {
	var ticks int64
	for _, pid := range append(children(s.PID), s.PID) {
		ticks += processTicks(pid)
	}
	return time.Duration(ticks) * 10 * time.Millisecond // USER_HZ is 100 on Linux
}

// RSS is the resident memory of all processes of the server, bytes.
func (s *Server) RSS() (bytes int64) {
	for _, pid := range append(children(s.PID), s.PID) {
		bytes += residentBytes(pid)
	}
	return bytes
}
