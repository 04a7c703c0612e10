//go:build !js

package clients

import (
	"bufio"
	"io"
	"os/exec"
	"strings"
	"testing"
)

// session is a valkey-cli that reads its commands from a pipe.
type session struct {
	t   *testing.T
	in  io.Writer
	out *bufio.Scanner
}

func start(t *testing.T, path, port string, options ...string) *session {
	t.Helper()
	cmd := exec.Command(path, append([]string{"-3", "-p", port}, options...)...)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close(); cmd.Process.Kill(); cmd.Wait() })
	return &session{t, in, bufio.NewScanner(out)}
}

func (s *session) ask(command string) {
	s.t.Helper()
	if _, err := io.WriteString(s.in, command+"\n"); err != nil {
		s.t.Fatal(err)
	}
}

func (s *session) line() string {
	s.t.Helper()
	if !s.out.Scan() {
		s.t.Fatalf("valkey-cli ended: %v", s.out.Err())
	}
	return strings.TrimSpace(s.out.Text())
}

// until reads up to a line.
func (s *session) until(want string) {
	s.t.Helper()
	for s.line() != want {
	}
}

// say sends a command and expects its reply.
func (s *session) say(command, want string) {
	s.t.Helper()
	s.ask(command)
	if got := s.line(); got != want {
		s.t.Fatalf("%s: %q, want %q", command, got, want)
	}
}
