package console

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/engine/resp"
)

// Style is how replies are written.
type Style int

const (
	// Formatted is as valkey-cli writes on a terminal: types are named, strings quoted.
	Formatted Style = iota
	// Raw is as valkey-cli writes into a pipe: the bytes of strings, elements a line each.
	Raw
)

// textual are the commands whose reply is a text to be read, which valkey-cli writes as it is, and ours.
var textual = []string{"keyloupe compare", "keyloupe layout", "keyloupe summary",
	"info", "lolwut", "debug htstats", "debug htstats-key", "debug client-eviction", "memory malloc-stats", "memory doctor", "client list", "client info",
	"latency graph", "latency doctor"}

func isTextual(args []string) bool {
	for _, t := range textual {
		words := strings.Fields(t)
		if len(args) < len(words) {
			continue
		}
		all := true
		for i, w := range words {
			all = all && strings.EqualFold(w, args[i])
		}
		if all {
			return true
		}
	}
	return false
}

// write is a reply to a command as text, without the final line break.
func (s Style) write(v resp.Value, args []string) string {
	if s == Raw {
		return raw(v)
	}
	switch {
	case v.Kind == resp.VerbatimReply, v.Kind == resp.BulkReply && isTextual(args):
		return clean(strings.TrimRight(strings.ReplaceAll(v.Str, "\r\n", "\n"), "\n"))
	case v.Kind == resp.ErrorReply, v.Kind == resp.StatusReply:
		return clean(v.Text())
	}
	return v.Text()
}

func raw(v resp.Value) string {
	switch v.Kind {
	case resp.NullReply:
		return ""
	case resp.IntReply:
		return strings.TrimPrefix(v.Text(), "(integer) ")
	case resp.BoolReply:
		return v.Text()
	case resp.MapReply, resp.AttrReply:
		lines := make([]string, 0, len(v.Items)/2)
		for i := 0; i+1 < len(v.Items); i += 2 {
			lines = append(lines, raw(v.Items[i])+" "+raw(v.Items[i+1]))
		}
		return strings.Join(lines, "\n")
	case resp.ArrayReply, resp.SetReply, resp.PushReply:
		lines := make([]string, len(v.Items))
		for i, x := range v.Items {
			lines[i] = raw(x)
		}
		return strings.Join(lines, "\n")
	}
	return v.Str
}

// clean is a text in which nothing is left that a terminal would act on, but line breaks and tabs.
func clean(s string) string {
	if strings.IndexFunc(s, acts) < 0 {
		return s
	}
	const hex = "0123456789abcdef"
	var b strings.Builder
	for _, r := range s {
		switch {
		case !acts(r):
			b.WriteRune(r)
		case r <= 0xff:
			b.WriteString(`\x` + string(hex[r>>4]) + string(hex[r&15]))
		default:
			b.WriteRune('?')
		}
	}
	return b.String()
}

// acts tells of control characters, and of those that turn the direction of writing.
func acts(r rune) bool {
	return r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r <= 0x9f || r == 0xFFFD || r >= 0x200e && r <= 0x200f || r >= 0x2028 && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// typed is a word as it must be typed: in quotes where it needs them, with letters of any script as they are.
func typed(word string) string {
	plain := utf8.ValidString(word)
	for _, r := range word {
		plain = plain && !acts(r) && r != '\n' && r != '\t' && unicode.IsPrint(r)
	}
	switch {
	case !plain || len(word) == 0:
		return layout.Quote([]byte(word))
	case strings.ContainsAny(word, " \"'\\"):
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(word) + `"`
	}
	return word
}
