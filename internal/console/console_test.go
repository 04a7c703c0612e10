package console

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/engine/resp"
	"github.com/keyloupe/keyloupe/internal/lineedit"
)

func lines(t *testing.T, c *Console, lines ...string) {
	t.Helper()
	for _, l := range lines {
		if err := c.Line(context.Background(), l); err != nil {
			t.Fatalf("%s: %v", l, err)
		}
	}
}

func TestATableFitsTheTerminal(t *testing.T) {
	for _, width := range []int{40, 60, 80, 120} {
		c, out := console(t, "9.0.6,9.1.2@managed")
		c.Width = func() int { return width }
		lines(t, c, "SET "+strings.Repeat("k", 50)+" v", "HSET h f v")
		for l := range strings.Lines(out.String()) {
			if n := len([]rune(strings.TrimSuffix(l, "\n"))); n > width {
				t.Errorf("%d columns in a terminal of %d: %s", n, width, l)
			}
		}
	}
}

func TestANameIsCutInTheMiddle(t *testing.T) {
	for text, want := range map[string]string{"short": "short", "user:1:session:7": "user…on:7", "日本語日本語": "日本…本語"} {
		if got := cut(text, 9); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestColoursAreWhereTheySaySomething(t *testing.T) {
	c, out := console(t, "9.0.6,9.1.2")
	c.Colors = true
	lines(t, c, "SET k Alice", "NOSUCH")
	for _, part := range []string{"\x1b[32m-8 -25%\x1b[0m", "\x1b[31m(error) ERR unknown command 'NOSUCH'", "\x1b[90mused_memory\x1b[0m"} {
		if !strings.Contains(out.String(), part) {
			t.Errorf("%q is missing in\n%q", part, out)
		}
	}
	if strings.Contains(out.String(), "mOK") {
		t.Error("a reply is painted")
	}
}

func TestAReplyCannotActOnTheTerminal(t *testing.T) {
	c, out := console(t, "9.1.2")
	lines(t, c, `"\x1b[2J\xff"`, `ECHO "\x1b[2J"`, `SET "\x1b]0;x\x07" v`)
	if i := strings.IndexFunc(out.String(), acts); i >= 0 {
		t.Errorf("%q", out.String()[i:])
	}
}

func TestRawRepliesAreThoseOfAPipe(t *testing.T) {
	c, out := console(t, "9.0.6,9.1.2")
	var notes strings.Builder
	c.Bare, c.Style, c.Notes = true, Raw, &notes
	lines(t, c, "SET k Alice", "GET k", "GET nokey", "INCR n", "LRANGE nolist 0 -1", "HSET h a 1 b 2", "HGETALL h", "HELLO 3", "HGETALL h", "3 INCR n", "ZADD z 1.5 m", "ZSCORE z m", "MEMORY USAGE k", "NOSUCH")
	want := "OK\nAlice\n\n1\n\n2\na\n1\nb\n2\n"
	if !strings.HasPrefix(out.String(), want) {
		t.Errorf("got\n%s\nwant\n%s", out, want)
	}
	if want = "a 1\nb 2\n2\n3\n4\n1\n1.5\n32\nERR unknown command 'NOSUCH', with args beginning with: \n"; !strings.HasSuffix(out.String(), want) {
		t.Errorf("got\n%s\nwant in the end\n%s", out, want)
	}
	if !strings.Contains(notes.String(), "MEMORY USAGE k on 9.1.2: 24\n") || strings.Contains(notes.String(), "GET k") {
		t.Errorf("what differs: %s", notes.String())
	}
	if c.Errors != 1 || c.Commands != 16 {
		t.Errorf("%d errors of %d commands", c.Errors, c.Commands)
	}
}

func TestRawKindsOfRESP3(t *testing.T) {
	v := resp.Value{Kind: resp.SetReply, Items: []resp.Value{{Kind: resp.BoolReply, Int: 1}, {Kind: resp.NullReply}, {Kind: resp.BigReply, Str: "123"}, {Kind: resp.VerbatimReply, Str: "text"}}}
	if got := Raw.write(v, nil); got != "(true)\n\n123\ntext" {
		t.Errorf("%q", got)
	}
}

func TestTextsAreShownAsTexts(t *testing.T) {
	c, out := console(t, "9.1.2")
	lines(t, c, "INFO keyspace", "CLIENT LIST")
	if strings.Contains(out.String(), `\r\n`) || !strings.HasPrefix(out.String(), "# Keyspace\n") {
		t.Errorf("%s", out)
	}
}

func TestALineThatIsNoCommand(t *testing.T) {
	c, out := console(t, "9.1.2")
	lines(t, c, "", "   ", "# a comment", "  # another")
	if out.Len() > 0 {
		t.Errorf("%s", out)
	}
	for line, part := range map[string]string{`SET "a b`: "a quote is not closed", "layout": "usage: layout KEY", "undo 3": "usage: undo", "layout k x": "is no number of blocks"} {
		if err := c.Line(context.Background(), line); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%s: %v", line, err)
		}
	}
	for _, line := range []string{"exit", "quit", "QUIT"} {
		if err := c.Line(context.Background(), line); err != ErrLeave {
			t.Errorf("%s: %v", line, err)
		}
	}
}

func TestWhatWasTypedIsSavedAndRunAgain(t *testing.T) {
	c, _ := console(t, "9.0.6,9.1.2")
	file := filepath.Join(t.TempDir(), "saved")
	lines(t, c, `SET "a b" "\x00é"`, "10 RPUSH l x", "GET nothing", "NOSUCH", "save "+file)
	again, out := console(t, "9.0.6,9.1.2")
	lines(t, again, "source "+file)
	if !strings.Contains(out.String(), "> 10 RPUSH l x\n(integer) 10\n") {
		t.Errorf("a command is not shown with what came of it: %s", out)
	}
	if again.Errors != 0 || again.Session.Grown(1) != c.Session.Grown(1) || again.Session.Keys(0) != 2 {
		t.Errorf("%s", out)
	}
	text, err := os.ReadFile(file)
	if err != nil || !strings.HasPrefix(string(text), "# keyloupe run --server 9.0.6,9.1.2\nSET \"a b\" ") {
		t.Errorf("%s %v", text, err)
	}
	lines(t, c, "save "+file, "source "+file+".not", "save /nosuchfolder/x")
	if c.Errors != 4 {
		t.Errorf("%d errors, want that of NOSUCH and one for each word that could not do it", c.Errors)
	}
}

func TestAFileThatRunsItselfEnds(t *testing.T) {
	c, out := console(t, "9.1.2")
	file := filepath.Join(t.TempDir(), "loop")
	if err := os.WriteFile(file, []byte("INCR n\nsource "+file+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := c.Line(context.Background(), "source "+file); err == nil || !strings.Contains(err.Error(), "nested too deeply") {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestCommandsThatAreNotShownDoTheSame(t *testing.T) {
	var in strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&in, "SET key:%d %s\nHSET h field:%d %d\n", i%700, strings.Repeat("v", i%200+1), i%300, i)
		if i%100 == 0 {
			fmt.Fprintf(&in, "# %d\n\nEXPIRE key:%d 100\nBLPOP nothing 0.01\n2 INCR n\nMULTI\nINCR n\nEXEC\nHGET n f\n", i, i%700)
		}
	}
	var grown, errors []int64
	for _, shown := range []int{0, 50, 1 << 30} {
		c, _ := console(t, "9.0.6,9.1.2")
		c.Out = io.Discard
		if err := c.Run(context.Background(), "file", strings.NewReader(in.String()), Shown{Commands: shown, Errors: io.Discard}); err != nil {
			t.Fatal(err)
		}
		grown, errors = append(grown, c.Session.Grown(0), c.Session.Grown(1)), append(errors, int64(c.Errors), int64(c.Commands))
	}
	for i := 2; i < len(grown); i++ {
		if grown[i] != grown[i%2] || errors[i] != errors[i%2] {
			t.Errorf("used_memory %v, errors and commands %v", grown, errors)
		}
	}
	if errors[0] != 30 {
		t.Errorf("%d errors, want 30", errors[0])
	}
}

func TestErrorsOfCommandsNotShownAreToldWithTheirLine(t *testing.T) {
	c, out := console(t, "9.1.2")
	var errs strings.Builder
	in := "SET k v\n\n# three lines\nHGET k f\n" + strings.Repeat("NOSUCH\n", 30)
	if err := c.Run(context.Background(), "f", strings.NewReader(in), Shown{Commands: 1, Errors: &errs}); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(errs.String(), "f:4: (error) WRONGTYPE ") || !strings.HasSuffix(errs.String(), "f: and 11 more errors\n") || strings.Count(errs.String(), "\n") != 21 {
		t.Errorf("%s", errs.String())
	}
	if !strings.Contains(out.String(), "run without being shown") {
		t.Errorf("%s", out)
	}
}

func TestALineThatCannotBeReadEndsTheRun(t *testing.T) {
	c, _ := console(t, "9.1.2")
	err := c.Run(context.Background(), "f", strings.NewReader("SET a 1\n\nSET 'b\nSET c 1\n"), Shown{})
	if err == nil || !strings.HasPrefix(err.Error(), "f:3: ") || c.Session.Keys(0) != 1 {
		t.Errorf("%v, %d keys", err, c.Session.Keys(0))
	}
	if err := c.Run(context.Background(), "f", strings.NewReader("SET d 1\nQUIT\nSET e 1\n"), Shown{Commands: 9}); err != ErrLeave || c.Session.Keys(0) != 2 {
		t.Errorf("after QUIT: %v, %d keys", err, c.Session.Keys(0))
	}
}

func TestJSONIsALineACommand(t *testing.T) {
	c, out := console(t, "9.0.6,9.1.2")
	c.JSON, c.Notes = true, io.Discard
	if err := c.Run(context.Background(), "f", strings.NewReader("SET k Alice\nlayout k\nlayout nokey\nDEL k\nNOSUCH \"\xff\"\n"), Shown{Commands: 99}); err != nil {
		t.Fatal(err)
	}
	c.End()
	var got []map[string]any
	for l := range strings.Lines(out.String()) {
		var v map[string]any
		if err := json.Unmarshal([]byte(l), &v); err != nil {
			t.Fatalf("%s: %v", l, err)
		}
		got = append(got, v)
	}
	if len(got) != 4 || got[3]["done"] != true || got[3]["errors"] != 2.0 {
		t.Fatalf("%s", out)
	}
	if want := `"keys":[{"key":"k","servers":[{"server":"9.0.6","type":"string","encoding":"embstr","memory_usage":32,"allocated":32,"change":32},{"server":"9.1.2",`; !strings.Contains(out.String(), want) {
		t.Errorf("%s", out)
	}
	if want := `{"server":"9.1.2","memory_usage":0,"allocated":0,"change":-24}`; !strings.Contains(out.String(), want) {
		t.Errorf("a key that is gone: %s", out)
	}
}

func TestOnlyThePromptKeepsWhatItNeedsToUndo(t *testing.T) {
	s, err := New([]string{"9.1.2"}, engine.Options{}, NewStandingTime(), false)
	if err != nil {
		t.Fatal(err)
	}
	c, out := console(t, "9.1.2")
	c.Session = s
	lines(t, c, "SET k v", "undo", "servers 9.0.6", "save x")
	if strings.Count(out.String(), "known at the prompt only") != 3 || s.Keys(0) != 1 {
		t.Errorf("%s", out)
	}
}

func TestWordsAndKeysAreCompleted(t *testing.T) {
	c, _ := console(t, "8.1.9,9.1.2")
	lines(t, c, "SET user:1 a", "SET user:2 b", `SET "us er" c`, "SET ключ d")
	for line, want := range map[string]lineedit.Choice{
		"HGETA":                 {Words: []string{"HGETALL"}},
		"hexp":                  {Words: []string{"hexpire", "hexpireat", "hexpiretime"}}, // the newest server's
		"lay":                   {Words: []string{"layout"}},
		"s":                     {},
		"GET user":              {Start: 4, Words: []string{"user:1", "user:2"}},
		"GET us":                {Start: 4, Words: []string{`"us er"`, "user:1", "user:2"}},
		"layout кл":             {Start: 7, Words: []string{"ключ"}},
		"compare user:":         {Start: 8, Words: []string{"user:1", "user:2"}},
		"servers 9.1":           {Start: 8, Words: []string{"9.1.2", "9.1.2@distro", "9.1.2@libc", "9.1.2@managed"}},
		"servers 8.1.9,9.0.6@l": {Start: 8, Words: []string{"8.1.9,9.0.6@libc"}},
		"keyloupe lay":          {Start: 9, Words: []string{"layout"}},
		"help lay":              {Start: 5},
		"undo ":                 {Start: 5},
		`GET "us`:               {Start: 4, Words: []string{`"us er"`, "user:1", "user:2"}},
		`GET 'us`:               {Start: 7},
	} {
		got := c.Complete(line)
		if line == "s" {
			if !slices.Contains(got.Words, "servers") || !slices.Contains(got.Words, "set") || !slices.IsSorted(got.Words) {
				t.Errorf("s: %q", got.Words)
			}
			continue
		}
		if got.Start != want.Start || !slices.Equal(got.Words, want.Words) {
			t.Errorf("%q: %d %q, want %d %q", line, got.Start, got.Words, want.Start, want.Words)
		}
	}
}

func TestManyKeysAreOfferedInPart(t *testing.T) {
	c, _ := console(t, "9.1.2")
	for i := range 100 {
		lines(t, c, fmt.Sprintf("SET k%03d v", i))
	}
	if got := c.Complete("GET k"); len(got.Words) != maxChoice || got.More != 100-maxChoice || got.Words[0] != "k000" {
		t.Errorf("%d words, %d more", len(got.Words), got.More)
	}
}

func TestTheHintIsWhatMayFollow(t *testing.T) {
	c, _ := console(t, "9.1.2")
	for line, want := range map[string][2]string{
		"":             {"", ""},
		"MEMORY U":     {"SAGE", " key [SAMPLES count]"},
		"MEMORY USAGE": {"", " key [SAMPLES count]"},
		"hget ":        {"", "key field"},
		"hget k":       {"", " field"},
		"layo":         {"ut", " KEY [BLOCKS | all]"},
		"layout ":      {"", "KEY [BLOCKS | all]"},
		"layout k ":    {"", ""},
		"nonsense ":    {"", ""},
	} {
		if rest, syntax := c.Hint(line); rest != want[0] || syntax != want[1] {
			t.Errorf("%q: %q %q, want %q", line, rest, syntax, want)
		}
	}
}
