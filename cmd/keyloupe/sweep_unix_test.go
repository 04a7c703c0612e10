//go:build unix

package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/creack/pty"
)

// onTerminal is what a process prints on a terminal of so many columns.
func onTerminal(t *testing.T, cols uint16, env []string, args ...string) string {
	t.Helper()
	master, tty, err := pty.Open()
	if err != nil {
		t.Skip(err)
	}
	defer master.Close()
	if err := pty.Setsize(master, &pty.Winsize{Rows: 40, Cols: cols}); err != nil {
		t.Fatal(err)
	}
	cmd := process(t, args...)
	cmd.Env = append(append(cmd.Env, "TERM=xterm", "NO_COLOR=", "LC_ALL=C.UTF-8"), env...)
	cmd.Stdout, cmd.Stderr = tty, tty
	return screenOf(t, cmd, master, tty)
}

func screenOf(t *testing.T, cmd *exec.Cmd, master, tty *os.File) string {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	tty.Close()
	var screen bytes.Buffer
	io.Copy(&screen, master) // ends with an error when the program does
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v\n%s", err, screen.String())
	}
	return screen.String()
}

func TestASweepOnATerminalIsAChart(t *testing.T) {
	args := []string{"sweep", "--value", "90..100"}
	screen := onTerminal(t, 100, nil, args...)
	if !strings.Contains(screen, "Bytes per key   \x1b[36m⠤") || !strings.Contains(screen, " 98..100  9.1.2") || !strings.Contains(screen, "cliffs: 97 | 98") {
		t.Error(screen)
	}
	if screen = onTerminal(t, 100, []string{"NO_COLOR=1"}, args...); strings.Contains(screen, "\x1b") || !strings.Contains(screen, "Bytes per key   ⠤⠤⠤⠤ 9.0.6   ⠄⠄⠄⠄ 9.1.2") {
		t.Error(screen)
	}
	if screen = onTerminal(t, 100, []string{"TERM=dumb"}, args...); strings.ContainsAny(screen, "\x1b⠤") || !strings.Contains(screen, "**** 9.0.6   oooo 9.1.2") {
		t.Error(screen)
	}
	for _, line := range strings.Split(onTerminal(t, 60, []string{"TERM=dumb"}, args...), "\r\n") {
		if len(line) > 60 && !strings.HasPrefix(line, "strings, ") && !strings.HasPrefix(line, "note: ") && !strings.HasPrefix(line, "shapes ") {
			t.Errorf("%d columns: %q", len(line), line)
		}
	}
}

func TestASweepOnATerminalPrintsEveryRowWhereItIsAskedFor(t *testing.T) {
	pipe, _, err := runProgram(t.Context(), "", "sweep", "--value", "0..20")
	if err != nil {
		t.Fatal(err)
	}
	if screen := onTerminal(t, 100, nil, "sweep", "--value", "0..20", "--format", "text"); strings.ReplaceAll(screen, "\r\n", "\n") != pipe {
		t.Errorf("%s\nis not\n%s", screen, pipe)
	}
}
