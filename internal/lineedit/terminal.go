package lineedit

import (
	"errors"
	"io"
	"os"
	"time"

	xterm "golang.org/x/term"
)

// terminal reads keys. It is in raw mode from Open to Close, so that Ctrl+C is a key in a line and a signal elsewhere.
type terminal struct {
	in, out *os.File
	done    <-chan struct{} // closed when no more is to be read

	raw     *xterm.State
	resized *watch
	pending []byte // read, and not yet taken as keys
	asked   bool   // the reader is reading
	ask     chan struct{}
	chunks  chan chunk
}

type chunk struct {
	b   []byte
	err error
}

// escapeWait is how long the rest of an escape sequence may take before it is the key Esc.
const escapeWait = 50 * time.Millisecond

var errNothing = errors.New("nothing came")

// newTerminal starts what reads: a read from a terminal can't be left, so it has a goroutine of its own, which reads only
// when asked and so leaves to commands what is typed while they run.
func newTerminal(in, out *os.File, done <-chan struct{}) *terminal {
	t := &terminal{in: in, out: out, done: done, ask: make(chan struct{}), chunks: make(chan chunk)}
	go func() {
		for range t.ask {
			b := make([]byte, 64<<10)
			n, err := t.in.Read(b)
			if n > 0 {
				err = nil
			}
			select {
			case t.chunks <- chunk{b[:n], err}:
			case <-done:
				return
			}
		}
	}()
	return t
}

// Open begins a line. onResize is called with columns and rows when the terminal gets others.
func (t *terminal) Open(onResize func(columns, rows int)) (err error) {
	if t.raw, err = xterm.MakeRaw(int(t.in.Fd())); err != nil {
		return err
	}
	t.resized = watchSize(func() {
		if w, h, err := t.Size(); err == nil {
			onResize(w, h)
		}
	})
	return nil
}

// Close ends a line.
func (t *terminal) Close() error {
	t.resized.stop()
	return xterm.Restore(int(t.in.Fd()), t.raw)
}

// Size is the columns and rows of the terminal.
func (t *terminal) Size() (columns, rows int, err error) { return xterm.GetSize(int(t.out.Fd())) }

// GetKey waits for the next key that means something.
func (t *terminal) GetKey() (string, error) {
	for {
		key, n := nextKey(t.pending, false)
		if n == 0 && len(t.pending) > 0 {
			b, err := t.read(time.After(escapeWait))
			if err == nil {
				t.pending = append(t.pending, b...)
				continue
			}
			if !errors.Is(err, errNothing) {
				return "", err
			}
			key, n = nextKey(t.pending, true)
		}
		t.pending = t.pending[n:]
		if key != "" {
			return key, nil
		}
		if n > 0 {
			continue
		}
		b, err := t.read(nil)
		if err != nil {
			return "", err
		}
		t.pending = b
	}
}

// read waits for what is typed, until late.
func (t *terminal) read(late <-chan time.Time) ([]byte, error) {
	if !t.asked {
		select {
		case t.ask <- struct{}{}:
			t.asked = true
		case <-t.done:
			return nil, io.EOF
		}
	}
	select {
	case c := <-t.chunks:
		t.asked = false
		return c.b, c.err
	case <-late:
		return nil, errNothing
	case <-t.done:
		return nil, io.EOF
	}
}
