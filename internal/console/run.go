package console

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/keyloupe/keyloupe/engine/resp"
	"github.com/keyloupe/keyloupe/internal/term"
)

// Shown says how much of a file's run is printed.
type Shown struct {
	// Commands is how many commands are printed with what came of them; the rest runs as fast as the servers can, and
	// tells of errors only.
	Commands int
	// Echo prints each command before its reply.
	Echo bool
	// Errors is where errors are told of that come after the commands shown; nil for nowhere.
	Errors io.Writer
	// Progress is called now and then with how many bytes were read.
	Progress func(bytes int64)
}

const (
	shownOfSource = 20
	shownErrors   = 20
	// longestLine is the longest line of a file, in bytes.
	longestLine = 256 << 20
	// often is the number of lines between two looks at whether to go on.
	often = 1 << 10
)

// Run runs the lines of a file. It stops at one that cannot be read, with an error that names it, and goes on after error
// replies.
func (c *Console) Run(ctx context.Context, name string, in io.Reader, o Shown) error {
	sc := bufio.NewScanner(in)
	sc.Buffer(make([]byte, 0, 1<<16), longestLine)
	r := run{c: c, name: name, o: o}
	for sc.Scan() {
		if r.line++; r.line%often == 0 && r.looked(ctx) != nil {
			return context.Cause(ctx)
		}
		line := sc.Text()
		r.bytes += int64(len(line)) + 1
		switch err := r.do(ctx, line); {
		case err == nil:
		case errors.Is(err, ErrLeave):
			return r.end(err)
		case ctx.Err() != nil:
			return context.Cause(ctx)
		default:
			return fmt.Errorf("%s:%d: %w", name, r.line, err)
		}
	}
	if err := sc.Err(); errors.Is(err, bufio.ErrTooLong) {
		return fmt.Errorf("%s:%d: the line is longer than %d bytes", name, r.line+1, longestLine)
	} else if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return r.end(nil)
}

// run is a file being run.
type run struct {
	c      *Console
	name   string
	o      Shown
	line   int
	bytes  int64
	shown  int
	errors int // that came after the commands shown
}

func (r *run) looked(ctx context.Context) error {
	if r.o.Progress != nil {
		r.o.Progress(r.bytes)
	}
	return ctx.Err()
}

func (r *run) do(ctx context.Context, line string) error {
	args, err := split(line)
	if err != nil || len(args) == 0 {
		return err
	}
	n, command := times(args)
	if r.shown < r.o.Commands || n > 1 || wordOf(args) != nil {
		if r.o.Echo && !r.c.JSON {
			r.echo(line)
		}
		r.shown++
		return r.c.Line(ctx, line)
	}
	if r.shown == r.o.Commands && r.o.Commands > 0 {
		r.shown++
		r.c.note("… the commands from here on run without being shown")
	}
	return r.quick(ctx, command)
}

// echo prints a line before what comes of it, apart from what came of the one before.
func (r *run) echo(line string) {
	line = r.c.Colors.Paint(term.Bold, "> "+clean(strings.TrimSpace(line))) + "\n"
	if r.c.echoed {
		line = "\n" + line
	}
	r.c.echoed = true
	r.c.write(line)
}

// quick runs a command without looking at what comes of it but for an error.
func (r *run) quick(ctx context.Context, args []string) error {
	failed, err := r.c.Session.Quick(ctx, args)
	r.c.Commands++
	if err != nil || failed == "" {
		return err
	}
	r.c.Errors++
	if r.errors++; r.errors <= shownErrors && r.o.Errors != nil {
		fmt.Fprintf(r.o.Errors, "%s:%d: (error) %s\n", r.name, r.line, clean(failed))
	}
	return nil
}

func (r *run) end(err error) error {
	if n := r.errors - shownErrors; n > 0 && r.o.Errors != nil {
		fmt.Fprintf(r.o.Errors, "%s: and %d more errors\n", r.name, n)
	}
	return err
}

// Quick gives a command to every server, as Do does, and returns the first error that one replies. What else it did is
// not looked at.
func (s *Session) Quick(ctx context.Context, args []string) (failed string, crashed error) {
	defer func() {
		if p := recover(); p != nil {
			crashed = fmt.Errorf("the simulator failed: %v", p)
		}
	}()
	at := s.time.Now()
	if s.keep {
		s.past = append(s.past, step{args, 1, at})
	}
	s.advance(at)
	s.ctx = ctx
	b := resp.Bytes(args)
	for i, x := range s.Lab.Servers {
		x.Client.Buf = x.Client.Buf[:0]
		x.Client.StopWaiting()
		x.Client.Do(b)
		x.Client.Flushed()
		if failed == "" && len(x.Client.Buf) > 0 && x.Client.Buf[0] == byte(resp.ErrorReply) {
			failed, _, _ = strings.Cut(string(x.Client.Buf[1:]), "\r\n")
			if i > 0 {
				failed = x.Release.Name() + ": " + failed
			}
		}
	}
	s.wait(ctx, &Result{Effects: make([]Effect, len(s.Lab.Servers))})
	return failed, nil
}

// end prints the numbers of commands, errors and keys, and how much used_memory grew in all and per key.
func (c *Console) end() {
	const (
		keys = iota + 2 // after the columns that are set to the left
		used
		perKey
		toFirst
	)
	head := make([]cell, toFirst+1)
	for i, h := range []string{keys: "keys", used: "used_memory", perKey: "per key"} {
		head[i] = cell{h, term.Grey}
	}
	servers := c.Session.Lab.Servers
	if len(servers) > 1 {
		head[toFirst] = cell{"to " + servers[0].Release.Name(), term.Grey}
	}
	t := table{head}
	for i, x := range servers {
		grown, n := c.Session.Grown(i), c.Session.Keys(i)
		row := make([]cell, len(head))
		row[nameColumn], row[keys], row[used] = cell{text: x.Release.Name()}, cell{text: fmt.Sprint(n)}, cell{text: fmt.Sprintf("%+d", grown)}
		if n > 0 {
			row[perKey] = cell{text: fmt.Sprintf("%.1f", float64(grown)/float64(n))}
		}
		if i > 0 {
			first := c.Session.Grown(0)
			row[toFirst] = difference(int(grown-first), int(first))
		}
		t = append(t, row)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n%d commands, %d errors\n", c.Commands, c.Errors)
	t.write(&b, c.Colors, c.Width())
	c.write(b.String())
}

// Grown is how much used_memory of a server grew since it was empty, bytes.
func (s *Session) Grown(server int) int64 { return s.Lab.Servers[server].Used() - s.base[server] }

// Keys is the number of keys in all databases of a server.
func (s *Session) Keys(server int) (n int) {
	x := s.Lab.Servers[server]
	for d := range x.Space.Databases() {
		if db := x.Space.Existing(d); db != nil {
			n += db.Len()
		}
	}
	return n
}

// Lines reads lines one after the other, without their ends; the error is io.EOF after the last.
func Lines(in io.Reader) func() (string, error) {
	sc := bufio.NewScanner(in)
	sc.Buffer(make([]byte, 0, 1<<16), longestLine)
	return func() (string, error) {
		if sc.Scan() {
			return sc.Text(), nil
		}
		if err := sc.Err(); err != nil {
			return "", err
		}
		return "", io.EOF
	}
}
