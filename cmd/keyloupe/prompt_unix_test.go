//go:build unix

package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

// seat is the program at a terminal.
type seat struct {
	t     *testing.T
	cmd   *exec.Cmd
	state string // its state folder
	tty   *os.File

	mu     sync.Mutex
	grown  *sync.Cond // the screen has
	screen bytes.Buffer
	looked int // what of the screen was looked at
}

func atTerminal(t *testing.T, env []string, args ...string) *seat {
	t.Helper()
	s := &seat{t: t, cmd: process(t, args...), state: t.TempDir()}
	s.grown = sync.NewCond(&s.mu)
	s.cmd.Env = append(append(s.cmd.Env, "TERM=xterm", "NO_COLOR=", "XDG_STATE_HOME="+s.state), env...)
	tty, err := pty.StartWithSize(s.cmd, &pty.Winsize{Rows: 40, Cols: 100})
	if err != nil {
		t.Skip(err)
	}
	s.tty = tty
	go io.Copy(s, tty)
	t.Cleanup(func() { tty.Close() })
	return s
}

func (s *seat) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.grown.Broadcast()
	return s.screen.Write(b)
}

// types waits for the prompt and types.
func (s *seat) types(prompt, keys string) {
	s.t.Helper()
	s.sees(prompt)
	if _, err := s.tty.WriteString(keys); err != nil {
		s.t.Fatal(err)
	}
}

// sees waits until a text appears, after what was looked at already.
func (s *seat) sees(text string) {
	s.t.Helper()
	late := false
	timer := time.AfterFunc(20*time.Second, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		late = true
		s.grown.Broadcast()
	})
	defer timer.Stop()
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		if i := strings.Index(s.screen.String()[s.looked:], text); i >= 0 {
			s.looked += i + len(text)
			return
		}
		if late {
			s.t.Fatalf("%q does not appear: %q", text, s.screen.String()[s.looked:])
		}
		s.grown.Wait()
	}
}

// ends waits for the program's end.
func (s *seat) ends(code int) {
	s.t.Helper()
	if got := codeOf(s.t, s.cmd.Wait()); got != code {
		s.t.Errorf("exit code %d, want %d: %q", got, code, s.screen.String())
	}
}

const promptEnd = "\x1b[1m9.0.6,9.1.2>\x1b[0m "

func TestThePromptShowsTheKeysOfACommand(t *testing.T) {
	s := atTerminal(t, nil)
	s.types(promptEnd, "SET k Alice\r")
	s.sees("OK\r\n\x1b[1mk\x1b[0m ")
	s.sees("\x1b[32m-8 -25%\x1b[0m")
	s.types(promptEnd, "select 3\r")
	s.types("9.0.6,9.1.2[3]>", "multi\r")
	s.types("9.0.6,9.1.2[3](TX)>", "discard\r")
	s.types("9.0.6,9.1.2[3]>", "servers 9.1.2\r")
	s.types("\x1b[1m9.1.2[3]>", "\x04")
	s.ends(0)
	kept, err := os.ReadFile(filepath.Join(s.state, "keyloupe", "history"))
	if err != nil || string(kept) != "SET k Alice\nselect 3\nmulti\ndiscard\nservers 9.1.2\n" {
		t.Errorf("history: %q %v", kept, err)
	}
}

func TestCtrlCEndsAWaitAndNotThePrompt(t *testing.T) {
	s := atTerminal(t, nil)
	for _, waits := range []string{"DEBUG SLEEP 600", "BLPOP nokey 600"} {
		s.types(promptEnd, "source "+commandFile(t, "ECHO running\n"+waits+"\n")+"\r")
		s.types("\"running\"\r\n", "\x03") // from here on it is a signal
		s.sees("stopped")
	}
	s.types(promptEnd, "SET half a line\x03")
	s.sees("^C")
	s.types(promptEnd, "exit\r")
	s.ends(0)
}

func TestASignalLeavesThePromptAndTheTerminalAsItWas(t *testing.T) {
	s := atTerminal(t, nil)
	s.sees(promptEnd)
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	s.ends(0)
}

func TestAPlainTerminalGetsPlainText(t *testing.T) {
	for _, env := range [][]string{{"TERM=dumb"}, {"NO_COLOR=1", "TERM=dumb"}} {
		s := atTerminal(t, env)
		s.types("9.0.6,9.1.2> ", "SET k Alice\n")
		s.sees("-8 -25%")
		s.types("9.0.6,9.1.2> ", "\x04")
		s.ends(0)
		if strings.Contains(s.screen.String(), "\x1b") {
			t.Errorf("%v: %q", env, s.screen.String())
		}
	}
	s := atTerminal(t, []string{"NO_COLOR=1"})
	s.types("9.0.6,9.1.2> ", "NOSUCH\r")
	s.types("9.0.6,9.1.2> ", "\x04")
	s.ends(0)
	if strings.Contains(s.screen.String(), "\x1b[3") {
		t.Errorf("a colour: %q", s.screen.String())
	}
}

func TestAHistoryThatCannotBeKeptIsAWarning(t *testing.T) {
	s := atTerminal(t, []string{"XDG_STATE_HOME=/dev/null/state"})
	s.sees("the history is not kept: ")
	s.types(promptEnd, "PING\r")
	s.sees("PONG")
	s.types(promptEnd, "\x04")
	s.ends(0)
}
