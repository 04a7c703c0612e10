package layout

import (
	"fmt"
	"io"
	"strings"
)

// Quote writes bytes as valkey-cli does: in double quotes, with \n \r \t \a \b \" \\ and \xNN.
func Quote(p []byte) string {
	var s strings.Builder
	s.WriteByte('"')
	for _, c := range p {
		switch {
		case c == '\\' || c == '"':
			s.WriteByte('\\')
			s.WriteByte(c)
		case c == '\n':
			s.WriteString(`\n`)
		case c == '\r':
			s.WriteString(`\r`)
		case c == '\t':
			s.WriteString(`\t`)
		case c == '\a':
			s.WriteString(`\a`)
		case c == '\b':
			s.WriteString(`\b`)
		case c >= 32 && c < 127:
			s.WriteByte(c)
		default:
			fmt.Fprintf(&s, `\x%02x`, c)
		}
	}
	s.WriteByte('"')
	return s.String()
}

// Paint is a text in the colour of a role.
type Paint func(r Role, text string) string

// WriteText prints the blocks as annotated bytes, `offset: hex # meaning`, a line a field.
func (p *Picture) WriteText(w io.Writer) error {
	return p.WritePainted(w, func(_ Role, text string) string { return text })
}

// WritePainted is WriteText with the bytes and the name of each field painted by its role.
func (p *Picture) WritePainted(w io.Writer, paint Paint) error {
	for i, b := range p.Blocks {
		if i > 0 {
			if _, err := fmt.Fprintln(w); err != nil {
				return err
			}
		}
		shared := ""
		if b.Shared {
			shared = ", shared: costs nothing"
		}
		kind := ""
		if b.Kind != "" && b.Kind != b.Name {
			kind = " (" + b.Kind + ")"
		}
		if _, err := fmt.Fprintf(w, "%s%s: %d bytes, %d used%s\n", b.Name, kind, b.Size, b.Used, shared); err != nil {
			return err
		}
		for _, f := range b.Fields {
			if _, err := fmt.Fprintln(w, " ", b.line(f, paint)); err != nil {
				return err
			}
		}
	}
	return nil
}

const textBytes = 24 // bytes of a field printed before "…"

func (b *Block) line(f Field, paint Paint) string {
	hex := ""
	if f.Off < len(b.Bytes) {
		data := b.Bytes[f.Off:min(f.Off+f.Len, len(b.Bytes))]
		hex = fmt.Sprintf("% x", data[:min(len(data), textBytes)])
		if len(data) > textBytes {
			hex += " …"
		}
	} else {
		hex = fmt.Sprintf("%d bytes", f.Len)
	}
	bits := ""
	if f.Bits > 0 {
		bits = fmt.Sprintf(" bits %d-%d", f.Bit, f.Bit+f.Bits-1)
	}
	s := fmt.Sprintf("%4d: %s # %s%s", f.Off, paint(f.Role, hex), paint(f.Role, f.Name), bits)
	switch {
	case f.Target != "":
		s += " -> " + f.Target
	case f.Text != "":
		s += " = " + f.Text
	}
	return s
}
