package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/keyloupe/keyloupe/internal/term"
)

// Exit codes, the same for every subcommand; exitHelp tells them. Where a reader of the output goes
// away (| head), SIGPIPE ends the program as it ends any other.
const (
	exitFailed = 1   // it failed, or something differs
	exitUsage  = 2   // it was called in a wrong way
	exitSignal = 128 // and the signal's number: a signal ended work that was not done
)

const exitHelp = `Exit status, of every subcommand:
  0    done
  1    it failed, or something differs
  2    wrong use: an unknown subcommand or flag, or a value that it does not take
  130  ended by Ctrl+C before it was done (143 by SIGTERM); what was printed before stays
  serve and resp, which have no end of their own, stop with 0 on both.`

// exitCode is what the program ends with after an error, or none.
func exitCode(err error) int {
	var sig stopped
	var use usageError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &sig):
		return exitSignal + int(sig.signal)
	case errors.As(err, &use):
		return exitUsage
	}
	return exitFailed
}

// usageError is an error in how the program was called.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// asUsage marks an error, if there is one, as one of usage.
func asUsage(err error) error {
	if err == nil {
		return nil
	}
	return usageError{err}
}

// stopped says that a signal ended the work.
type stopped struct{ signal syscall.Signal }

func (s stopped) Error() string { return "stopped: " + s.signal.String() }

// untilSignal is a context that ends, with a stopped as its cause, when the program shall stop. The
// next signal ends the program whatever it does.
func untilSignal(parent context.Context) context.Context {
	ctx, cancel := context.WithCancelCause(parent)
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt, syscall.SIGTERM)
	go func() {
		s := <-c
		signal.Stop(c)
		cancel(stopped{s.(syscall.Signal)})
	}()
	return ctx
}

// input is the standard input of a command, which ends with an error when its context does: a read
// from a terminal or a pipe would go on for ever. A person at a terminal is told that it waits.
func input(cmd *cobra.Command) io.Reader {
	if in, out := cmd.InOrStdin(), cmd.ErrOrStderr(); term.IsTerminal(in) && term.IsTerminal(out) {
		fmt.Fprintf(out, "%s reads from the terminal; Ctrl+D ends the input\n", cmd.CommandPath())
	}
	return &stoppableReader{ctx: cmd.Context(), in: cmd.InOrStdin()}
}

// stoppableReader reads ahead of what it is asked for, so that the wait for the input can be left.
type stoppableReader struct {
	ctx    context.Context
	in     io.Reader
	chunks chan chunk
	rest   []byte
	err    error
}

type chunk struct {
	b   []byte
	err error
}

func (r *stoppableReader) Read(p []byte) (int, error) {
	if r.chunks == nil {
		r.chunks = make(chan chunk)
		go r.fill()
	}
	if err := context.Cause(r.ctx); err != nil {
		return 0, err
	}
	if len(r.rest) == 0 && r.err == nil {
		select {
		case c := <-r.chunks:
			r.rest, r.err = c.b, c.err
		case <-r.ctx.Done():
			return 0, context.Cause(r.ctx)
		}
	}
	if len(r.rest) == 0 {
		return 0, r.err
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// fill reads into one buffer while the other is used: what it sends is received only when the one
// before is used up.
func (r *stoppableReader) fill() {
	var buffers [2][64 << 10]byte
	for i := 0; ; i++ {
		b := buffers[i%2][:]
		n, err := r.in.Read(b)
		select {
		case r.chunks <- chunk{b[:n], err}:
		case <-r.ctx.Done():
			return
		}
		if err != nil {
			return
		}
	}
}
