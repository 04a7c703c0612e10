package batch

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/keyloupe/keyloupe/engine/draw"
	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/engine/resp"
)

// Formats are how Show prints a key's blocks.
var Formats = []string{"text", "svg", "json"}

var printers = map[string]func(w io.Writer, im *image, pic *layout.Picture, paint layout.Paint) error{
	"text": func(w io.Writer, im *image, pic *layout.Picture, paint layout.Paint) error {
		fmt.Fprintf(w, "%s on %s: %s, %s, %d bytes allocated, MEMORY USAGE %d\n\n", layout.Quote([]byte(im.Key)), im.Version, im.Type, im.Encoding, im.Total, im.Usage)
		return pic.WritePainted(w, paint)
	},
	"json": func(w io.Writer, im *image, _ *layout.Picture, _ layout.Paint) error {
		return json.NewEncoder(w).Encode(im)
	},
	"svg": func(w io.Writer, im *image, pic *layout.Picture, _ layout.Paint) error {
		column := draw.Column{Title: im.Version, Sub: fmt.Sprintf("%s · MEMORY USAGE %d", im.Encoding, im.Usage), Blocks: pic.Blocks}
		_, err := w.Write(draw.Layout(layout.Quote([]byte(im.Key)), []draw.Column{column}).AppendSVG(nil, draw.Auto))
		return err
	},
}

// Show runs typed commands, one a line, on an empty server and prints the blocks behind a key, text in the colours of
// paint. An error reply of the server is told on log and does not stop the rest.
func Show(in io.Reader, out, log io.Writer, t Target, key, format string, paint layout.Paint) error {
	print := printers[format]
	if print == nil {
		return fmt.Errorf("%q is none of the formats %s", format, strings.Join(Formats, ", "))
	}
	k, err := resp.Split(key)
	if err != nil || len(k) > 1 {
		k = []string{key}
	}
	if len(k) == 0 {
		k = []string{""}
	}
	s, err := t.start()
	if err != nil {
		return err
	}
	sc := bufio.NewScanner(in)
	sc.Buffer(make([]byte, 0, 1<<16), maxLine)
	n := 0
	for sc.Scan() {
		n++
		args, err := resp.Split(sc.Text())
		if err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		if len(args) == 0 {
			continue
		}
		e := s.Do(args...)
		if e.Crashed != "" {
			return fmt.Errorf("line %d: the simulator failed: %s", n, e.Crashed)
		}
		if e.Reply.Kind == resp.ErrorReply {
			fmt.Fprintf(log, "line %d: (error) %s\n", n, printable(e.Reply.Str))
		}
	}
	if err := sc.Err(); err != nil {
		return fmt.Errorf("line %d: %w", n+1, err)
	}
	if n == 0 {
		return errors.New("no command came on standard input: pipe in those that make the key, one a line")
	}
	kl, err := s.Layout(k[0])
	if err != nil {
		return err
	}
	return print(out, imageOf(s, nil, nil, kl), &layout.Picture{Blocks: kl.Blocks}, paint)
}

// printable is a text without bytes that a terminal would act on.
func printable(s string) string {
	q := layout.Quote([]byte(s))
	return strings.ReplaceAll(q[1:len(q)-1], `\"`, `"`)
}
