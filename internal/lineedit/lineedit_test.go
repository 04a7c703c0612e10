//go:build unix

package lineedit

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
)

// person types at an editor and looks at its screen.
type person struct {
	t    *testing.T
	keys *os.File
	ed   *Editor
	done chan struct{}

	mu     sync.Mutex
	grown  *sync.Cond // the screen has
	screen bytes.Buffer
}

// sit starts an editor that completes a few words.
func sit(t *testing.T, history ...string) *person {
	t.Helper()
	ptmx, tty, err := pty.Open()
	if err != nil {
		t.Skip(err)
	}
	if err := pty.Setsize(ptmx, &pty.Winsize{Rows: 24, Cols: 60}); err != nil {
		t.Fatal(err)
	}
	h, _ := OpenHistory("")
	for _, l := range history {
		h.Add(l)
	}
	p := &person{t: t, keys: ptmx, done: make(chan struct{})}
	p.grown = sync.NewCond(&p.mu)
	p.ed = New(Options{In: tty, Out: tty, Colors: true, History: h, Complete: completeFew, Hint: hintFew, Done: p.done})
	go io.Copy(p, ptmx)
	t.Cleanup(func() { ptmx.Close(); tty.Close() })
	return p
}

func (p *person) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer p.grown.Broadcast()
	return p.screen.Write(b)
}

func (p *person) seen() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.screen.String()
}

var commands = []string{"HGET", "HGETALL", "HSET", "memory", "memory usage"}

func completeFew(line string) (c Choice) {
	c.Start = strings.LastIndexByte(line, ' ') + 1
	for _, w := range commands {
		if strings.HasPrefix(w, line[c.Start:]) {
			c.Words = append(c.Words, w)
		}
	}
	return c
}

func hintFew(line string) (rest, syntax string) {
	switch line {
	case "HSE":
		return "T", " key field value"
	case "HSET ":
		return "", "key field value"
	}
	return "", ""
}

// sees waits until the screen has got a text after its first bytes.
func (p *person) sees(text string, after int) {
	p.t.Helper()
	late := false
	timer := time.AfterFunc(10*time.Second, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		late = true
		p.grown.Broadcast()
	})
	defer timer.Stop()
	p.mu.Lock()
	defer p.mu.Unlock()
	for !strings.Contains(p.screen.String()[after:], text) {
		if late {
			p.t.Errorf("%q does not appear: %q", text, p.screen.String()[after:])
			return
		}
		p.grown.Wait()
	}
}

// line reads a line while keys are typed: after the prompt, as before it the terminal does not pass on each key.
func (p *person) line(keys string) (string, error) {
	p.t.Helper()
	before := len(p.seen())
	typed := make(chan error)
	go func() {
		p.sees("> ", before)
		_, err := p.keys.WriteString(keys)
		typed <- err
	}()
	line, err := p.ed.Line("> ")
	if err := <-typed; err != nil {
		p.t.Fatal(err)
	}
	return line, err
}

func TestLinesAreEdited(t *testing.T) {
	p := sit(t, "SET a 1", "GET a", "SET b 2")
	for _, c := range []struct{ keys, line string }{
		{"GET a\r", "GET a"},
		{"GET b\x1b[D\x7fa\r", "GETab"},
		{"bc\x01a\x05d\r", "abcd"},
		{"SET a b\x17c\r", "SET a c"},
		{"ключ\x7f\r", "клю"},
		{"\x1b[A\x1b[A\r", "GET a"},
		{"x\x1b[A\x1b[B\r", "x"},
		{"\x12set\x12\r\r", "SET a 1"},
		{"abc\x15d\r", "d"},
		{"a\x0fb\x1b[15~c\r", "abc"}, // keys that mean nothing
		{strings.Repeat("long ", 300) + "\r", strings.Repeat("long ", 300)},
	} {
		if got, err := p.line(c.keys); err != nil || got != c.line {
			t.Errorf("%.40q: %.40q %v, want %.40q", c.keys, got, err, c.line)
		}
	}
}

func TestSeveralLinesMayBeTypedAtOnce(t *testing.T) {
	p := sit(t)
	for _, c := range []struct{ keys, line string }{{"one\rtwo\nthr", "one"}, {"", "two"}, {"ee\r", "three"}} {
		if got, err := p.line(c.keys); err != nil || got != c.line {
			t.Errorf("%q %v, want %q", got, err, c.line)
		}
	}
}

func TestCtrlCDropsTheLineAndCtrlDLeaves(t *testing.T) {
	p := sit(t)
	if _, err := p.line("SET a\x03"); !errors.Is(err, ErrInterrupt) {
		t.Error(err)
	}
	p.sees("^C\r\n", 0)
	if got, err := p.line("ab\x01\x04\r"); err != nil || got != "b" {
		t.Errorf("Ctrl+D within a line: %q %v", got, err)
	}
	if _, err := p.line("\x04"); !errors.Is(err, io.EOF) {
		t.Error(err)
	}
}

func TestTabCompletesListsAndGoesThroughTheList(t *testing.T) {
	p := sit(t)
	for _, c := range []struct{ keys, line string }{
		{"HS\t\r", "HSET "},
		{"HG\tALL\r", "HGETALL"},
		{"HG\t\t\t\r", "HGETALL"},
		{"HG\t\x1b[Z\r", "HGETALL"},
		{"HG\t\t\t\t\r", "HGET"},
		{"HG\t\tx\t\r", "HGETx"},
		{"nothing\t\r", "nothing"},
		{"a HS\t\r", "a HSET "},
	} {
		if got, err := p.line(c.keys); err != nil || got != c.line {
			t.Errorf("%q: %q %v, want %q", c.keys, got, err, c.line)
		}
	}
	p.sees("\r\n\x1b[36mHGET     HGETALL\x1b[0m\r\n", 0)
}

func TestWhatMayFollowIsGreyAndTheRestOfAWordCanBeTaken(t *testing.T) {
	p := sit(t)
	if got, err := p.line("HSE\x1b[C \r"); err != nil || got != "HSET " {
		t.Errorf("%q %v", got, err)
	}
	p.sees("HSE\x1b[90mT key field value\x1b[39m", 0)
	p.sees("HSET \x1b[90mkey field value\x1b[39m", 0)
	if got, err := p.line("HSET \x1b[C\x1b[C\r"); err != nil || got != "HSET " {
		t.Errorf("the syntax is not to be taken: %q %v", got, err)
	}
}

func TestTheWaitForALineEndsWithTheProgram(t *testing.T) {
	p := sit(t)
	ended := make(chan error)
	go func() {
		_, err := p.ed.Line("> ")
		ended <- err
	}()
	p.sees("> ", 0)
	close(p.done)
	if err := <-ended; !errors.Is(err, io.EOF) {
		t.Error(err)
	}
}
