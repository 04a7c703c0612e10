// Package lineedit reads lines at a terminal: with editing, completion, hints in grey, and a history that is kept.
//
// The line and how it is drawn are those of go-readline-ny. Here are the keys as terminals send them, what Tab does, and
// the file of the history.
package lineedit

import (
	"context"
	"errors"
	"io"
	"os"

	readline "github.com/nyaosorg/go-readline-ny"
	"github.com/nyaosorg/go-readline-ny/keys"

	"github.com/keyloupe/keyloupe/internal/term"
)

// ErrInterrupt is the error of a line that Ctrl+C dropped.
var ErrInterrupt = errors.New("interrupted")

// Choice is what the word at the end of a line may become.
type Choice struct {
	Start int      // where the word begins, in bytes
	Words []string // whole words as they must be typed, in the order to be shown
	More  int      // how many more there are
}

// Options are what an Editor is given. Complete and Hint get the line up to its end.
type Options struct {
	In, Out  *os.File
	Colors   term.Colors
	History  *History
	Complete func(line string) Choice
	// Hint is what may follow: rest finishes the last word, and Right accepts it; syntax is only shown.
	Hint func(line string) (rest, syntax string)
	// Done ends the wait for a line, with io.EOF.
	Done <-chan struct{}
}

// Editor reads lines.
type Editor struct {
	o    Options
	term *terminal
	ed   readline.Editor
	menu menu
}

// New makes an editor for a terminal.
func New(o Options) *Editor {
	e := &Editor{o: o, term: newTerminal(o.In, o.Out, o.Done)}
	e.ed = readline.Editor{Tty: e.term, Writer: o.Out, History: o.History, Predictor: e.predict, LineFeedWriter: e.end}
	if o.Colors { // without colours a hint would look as if typed
		e.ed.PredictColor = [2]string{"\x1b[90m", "\x1b[39m"}
	}
	for key, do := range map[string]func(*readline.Buffer){
		keys.CtrlI: func(b *readline.Buffer) { e.tab(b, +1) }, keys.ShiftTab: func(b *readline.Buffer) { e.tab(b, -1) },
		keys.Right: e.forward, keys.CtrlF: e.forward,
		keys.CtrlG: nothing, keys.CtrlS: nothing, keys.Escape: nothing,
	} {
		e.ed.BindKey(keys.Code(key), readline.AnonymousCommand(func(_ context.Context, b *readline.Buffer) readline.Result {
			do(b)
			return readline.CONTINUE
		}))
	}
	e.ed.BindKey(keys.CtrlJ, readline.CmdAcceptLine)
	return e
}

func nothing(*readline.Buffer) {}

// Line reads a line after a prompt. It ends with ErrInterrupt after Ctrl+C, and with io.EOF after Ctrl+D on an empty line
// or where the terminal is gone.
func (e *Editor) Line(prompt string) (string, error) {
	e.menu = menu{}
	e.ed.PromptWriter = func(w io.Writer) (int, error) { return io.WriteString(w, prompt) }
	line, err := e.ed.ReadLine(context.Background())
	if errors.Is(err, readline.CtrlC) {
		err = ErrInterrupt
	}
	return line, err
}

// end goes to the next row after a line; the terminal is raw, so that it takes two characters.
func (e *Editor) end(r readline.Result, w io.Writer) (int, error) {
	mark := ""
	if r == readline.INTR {
		mark = "^C"
	}
	return io.WriteString(w, mark+"\r\n")
}

// predict is the line with what may follow it.
func (e *Editor) predict(b *readline.Buffer) string {
	line := b.String()
	rest, syntax := e.o.Hint(line)
	return line + rest + syntax
}

// forward goes a character to the right, or accepts the rest of the word where there is none.
func (e *Editor) forward(b *readline.Buffer) {
	if b.Cursor < len(b.Buffer) {
		readline.CmdForwardChar.Call(context.Background(), b)
		return
	}
	if rest, _ := e.o.Hint(b.String()); rest != "" {
		b.InsertAndRepaint(rest)
	}
}
