package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/keyloupe/keyloupe/engine/release"
	"github.com/keyloupe/keyloupe/internal/console"
	"github.com/keyloupe/keyloupe/internal/lineedit"
	"github.com/keyloupe/keyloupe/internal/state"
	"github.com/keyloupe/keyloupe/internal/term"
)

// pair is the servers that are compared where none are named: the newest of the line that most run, and the newest.
var pair = release.Newest(release.V90) + "," + release.Newest(release.V91)

// consoleFlags say which servers commands are run on, and how what comes of them is shown.
type consoleFlags struct {
	targetFlags
	color term.When
}

func (f *consoleFlags) add(cmd *cobra.Command) {
	f.addList(cmd, pair)
	addColor(cmd, &f.color)
}

// console makes the console that prints to the command's output.
func (f *consoleFlags) console(cmd *cobra.Command, time console.Time, keep bool) (*console.Console, error) {
	all, err := f.targets()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, t := range all {
		names = append(names, t.Name)
	}
	s, err := console.New(names, all[0].Options, time, keep)
	if err != nil {
		return nil, err
	}
	out := cmd.OutOrStdout()
	return &console.Console{Session: s, Out: out, Notes: cmd.ErrOrStderr(), Colors: f.color.Colors(out), Width: func() int { return term.Width(out) }}, nil
}

// runPrompt is keyloupe without a subcommand: a prompt at a terminal, else the lines of standard input.
func runPrompt(cmd *cobra.Command, f *consoleFlags) error {
	interactive := term.IsTerminal(cmd.InOrStdin())
	c, err := f.console(cmd, console.RealTime{}, interactive)
	if err != nil {
		return err
	}
	if interactive {
		return prompt(cmd, c)
	}
	return piped(cmd, c)
}

// piped runs the lines of standard input and prints bare replies, as valkey-cli does.
func piped(cmd *cobra.Command, c *console.Console) error {
	c.Bare, c.Session.Blind = true, true
	if !term.IsTerminal(cmd.OutOrStdout()) {
		c.Style = console.Raw
	}
	err := c.Run(cmd.Context(), "stdin", input(cmd), console.Shown{Commands: everything})
	return finished(c, err)
}

// finished is the error that a run of commands ends with: its own, or that commands failed.
func finished(c *console.Console, err error) error {
	if err != nil && !errors.Is(err, console.ErrLeave) {
		return err
	}
	if c.Errors > 0 {
		return fmt.Errorf("%d of %d commands failed", c.Errors, c.Commands)
	}
	return nil
}

// prompt reads lines at a terminal until the person leaves.
func prompt(cmd *cobra.Command, c *console.Console) error {
	in, out := cmd.InOrStdin().(*os.File), cmd.OutOrStdout()
	signals := watchSignals()
	defer signals.stop()
	history := openHistory(cmd.ErrOrStderr())
	read := signals.plainLines(in, out)
	if f, ok := out.(*os.File); ok && term.IsTerminal(f) && os.Getenv("TERM") != "dumb" {
		read = lineedit.New(lineedit.Options{In: in, Out: f, Colors: c.Colors, History: history, Complete: c.Complete, Hint: c.Hint, Done: signals.done}).Line
	}
	fmt.Fprintln(out, c.Colors.Paint(term.Grey, "Keyloupe simulates "+strings.Join(c.Session.Names(), ", ")+": help explains, Ctrl+D leaves."))
	for {
		line, err := read(promptOf(c))
		switch {
		case errors.Is(err, lineedit.ErrInterrupt):
			continue
		case errors.Is(err, io.EOF):
			if signals.ended() {
				fmt.Fprintln(out)
			}
			return nil
		case err != nil:
			return err
		}
		if err := history.Add(line); err != nil {
			fmt.Fprintf(cmd.ErrOrStderr(), "the history is not kept: %v\n", err)
		}
		ctx, done := signals.until()
		err = c.Line(ctx, line)
		interrupted := ctx.Err() != nil
		done()
		switch {
		case errors.Is(err, console.ErrLeave):
			return nil
		case interrupted:
			fmt.Fprintln(out, c.Colors.Paint(term.Grey, "stopped"))
		case err != nil:
			fmt.Fprintln(out, c.Colors.Paint(term.Red, err.Error()))
		}
	}
}

// openHistory opens the history of the user's lines; without a place for it lines are remembered until the end.
func openHistory(log io.Writer) *lineedit.History {
	path := ""
	dir, err := state.Dir()
	if err == nil {
		path = filepath.Join(dir, "history")
	}
	h, e := lineedit.OpenHistory(path)
	if err == nil {
		err = e
	}
	if err != nil {
		fmt.Fprintf(log, "the history is not kept: %v\n", err)
	}
	return h
}

// promptOf is the prompt with what valkey-cli shows in it: the database, where it is not 0, and a transaction.
func promptOf(c *console.Console) string {
	s := strings.Join(c.Session.Names(), ",")
	const most = 40
	if names := c.Session.Names(); len(s) > most {
		s = fmt.Sprintf("%s +%d", names[0], len(names)-1)
	}
	if db := c.Session.DB(); db != 0 {
		s += fmt.Sprintf("[%d]", db)
	}
	if c.Session.InTransaction() {
		s += "(TX)"
	}
	return c.Colors.Paint(term.Bold, s+">") + " "
}

// signals are those that end a command, or the prompt.
type signals struct {
	c    chan os.Signal
	done chan struct{} // closed when the program shall end

	mu     sync.Mutex
	ctx    context.Context // of the command that runs, nil for none
	cancel context.CancelFunc
	// patience tells of a command that does not end.
	patience *time.Timer
	// idle is called where Ctrl+C finds no command; nil for nothing.
	idle func()
}

func watchSignals() *signals {
	s := &signals{c: make(chan os.Signal, 1), done: make(chan struct{})}
	signal.Notify(s.c, os.Interrupt, syscall.SIGTERM)
	go func() {
		for sig := range s.c {
			s.interrupt(sig)
			if sig == syscall.SIGTERM {
				close(s.done)
				return
			}
		}
	}()
	return s
}

// ended tells whether the program shall end.
func (s *signals) ended() bool {
	select {
	case <-s.done:
		return true
	default:
		return false
	}
}

// interrupt ends the command that runs. Where it does not end by the next signal the program does.
func (s *signals) interrupt(sig os.Signal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ctx == nil {
		if s.idle != nil && sig == os.Interrupt {
			s.idle()
		}
		return
	}
	if s.ctx.Err() != nil {
		os.Exit(exitSignal + int(sig.(syscall.Signal)))
	}
	fmt.Fprintln(os.Stderr) // after the ^C
	s.cancel()
	s.patience = time.AfterFunc(time.Second, func() { fmt.Fprintln(os.Stderr, "still running; Ctrl+C again ends keyloupe") })
}

// until is a context for a command, which Ctrl+C ends.
func (s *signals) until() (context.Context, func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s.ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.cancel()
		s.ctx = nil
		if s.patience != nil {
			s.patience.Stop()
		}
	}
}

// plainLines reads lines as the terminal gives them, where it can't do more. Ctrl+C drops the line, and shows the prompt
// again.
func (s *signals) plainLines(in io.Reader, out io.Writer) func(prompt string) (string, error) {
	lines := console.Lines(in)
	return func(prompt string) (string, error) {
		s.mu.Lock()
		s.idle = func() { io.WriteString(out, "\n"+prompt) }
		s.mu.Unlock()
		io.WriteString(out, prompt)
		return lines()
	}
}

func (s *signals) stop() { signal.Stop(s.c) }
