package front

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// read takes everything out of a framer that is fed in pieces of at most n bytes.
func read(t testing.TB, in []byte, n int, strict bool) (cmds [][]string, err error) {
	f := framer{maxBulk: 512 << 20, strict: strict}
	for len(in) > 0 {
		piece := append([]byte(nil), in[:min(n, len(in))]...)
		in = in[len(piece):]
		f.feed(piece)
		for i := range piece {
			piece[i] = '?' // the framer must not keep what it was fed
		}
		for {
			args, e := f.next()
			if e != nil {
				return cmds, e
			}
			if args == nil {
				break
			}
			var cmd []string
			for _, a := range args {
				cmd = append(cmd, string(a))
			}
			cmds = append(cmds, cmd)
		}
		f.idle()
		if limit := 4*(len(f.buf)+keptBuffer) + 4*len(piece); cap(f.buf) > limit {
			t.Fatalf("%d bytes are kept for %d", cap(f.buf), len(f.buf))
		}
	}
	return cmds, nil
}

var frames = []struct {
	in   string
	want string // commands, then the error
}{
	{"*1\r\n$4\r\nPING\r\n", `[["PING"]]`},
	{"*2\r\n$4\r\nECHO\r\n$5\r\na\r\nbc\r\n*1\r\n$4\r\nPING\r\n", `[["ECHO" "a\r\nbc"] ["PING"]]`},
	{"ping\r\n", `[["ping"]]`},
	{"ping\n", `[["ping"]]`},
	{"set \"a b\\x41\" 'c'  d\r\n", `[["set" "a bA" "c" "d"]]`},
	{"\r\n\r\nping\r\n", `[["ping"]]`},
	{"\"\"\r\nPING\r\n", `[[""] ["PING"]]`},
	{"*0\r\nPING\r\n", `[["PING"]]`},
	{"*-1\r\n*1\r\n$4\r\nPING\r\n", `[["PING"]]`},
	{"*1\r\n$0\r\n\r\nPING\r\n", `[[""] ["PING"]]`},
	{"*1\r\n$3\r\n\r\n\r\r\n", `[["\r\n\r"]]`},
	{"*1\r\n$4\r\nPI", `[]`},
	{"*1\r\n$536870912\r\n", `[]`},
	{"*2147483647\r\n", `[]`},
	{"*1\r\n$4\r\nPINGxx", `[] ERR Protocol error: invalid CRLF in request`},
	{"*1\r\n$4\r\nPING\r\n*1\rX", `[["PING"]] ERR Protocol error: invalid CRLF in request`},
	{"*1\r\n$4\rXPING", `[] ERR Protocol error: invalid CRLF in request`},
	{"*1\r\n\r\n", `[] ERR Protocol error: expected '$', got '` + "\r'"},
	{"*1\r\nX\r\n", `[] ERR Protocol error: expected '$', got 'X'`},
	{"*1\r\n\xff\r\n", `[] ERR Protocol error: expected '$', got '` + "\xff'"},
	{"*x\r\n", `[] ERR Protocol error: invalid multibulk length`},
	{"*+1\r\n", `[] ERR Protocol error: invalid multibulk length`},
	{"*01\r\n", `[] ERR Protocol error: invalid multibulk length`},
	{"*\r\n", `[] ERR Protocol error: invalid multibulk length`},
	{"*2147483648\r\n", `[] ERR Protocol error: invalid multibulk length`},
	{"*9223372036854775808\r\n", `[] ERR Protocol error: invalid multibulk length`},
	{"*1\r\n$-1\r\n", `[] ERR Protocol error: invalid bulk length`},
	{"*1\r\n$536870913\r\n", `[] ERR Protocol error: invalid bulk length`},
	{"*1\r\n$9223372036854775807\r\n", `[] ERR Protocol error: invalid bulk length`},
	{"*1\r\n$4\x00\r\n", `[] ERR Protocol error: invalid bulk length`},
	{"\"\r\n", `[] ERR Protocol error: unbalanced quotes in request`},
	{"set 'a b\" c\r\n", `[] ERR Protocol error: unbalanced quotes in request`},
	{"ping \x00 foo\r\n", `[]`},
	{"*1\r\n" + strings.Repeat("$", 70000), `[] ERR Protocol error: too big bulk count string`},
	{strings.Repeat("*", 70000), `[] ERR Protocol error: too big mbulk count string`},
	{strings.Repeat("a", 70000), `[] ERR Protocol error: too big inline request`},
}

func describe(cmds [][]string, err error) string {
	if cmds == nil {
		cmds = [][]string{}
	}
	s := fmt.Sprintf("%q", cmds)
	if err != nil {
		s += " " + err.Error()
	}
	return s
}

func TestCommandsAndFaultsAreTheServersHoweverTheyArrive(t *testing.T) {
	for _, f := range frames {
		for _, n := range []int{1, 2, 3, 7, 1 << 20} {
			if n == 1 && len(f.in) > 1000 {
				n = 999
			}
			cmds, err := read(t, []byte(f.in), n, true)
			if got := describe(cmds, err); got != f.want {
				t.Errorf("%.60q in pieces of %d: %s, want %s", f.in, n, got, f.want)
			}
		}
	}
}

func TestOlderReleasesSkipTwoBytesAfterEachLength(t *testing.T) {
	got := describe(read(t, []byte("*3\r\n$3\r\nset\r\n$3\r\nkey\r\n$5\r\nvalue12\r\n"), 100, false))
	if want := `[["set" "key" "value"]]`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestHugeLengthsAllocateNothing(t *testing.T) {
	if n := testing.AllocsPerRun(10, func() {
		f := framer{maxBulk: 1 << 62, strict: true}
		f.feed([]byte("*2147483647\r\n$4611686018427387904\r\nabc"))
		if args, err := f.next(); args != nil || err != nil {
			t.Fatal(args, err)
		}
		if c := cap(f.buf); c > 1024 {
			t.Fatalf("%d bytes for a header", c)
		}
	}); n > 10 {
		t.Errorf("%v allocations", n)
	}
}

func TestALongArgumentThatTricklesInIsNotCopiedForEachPiece(t *testing.T) {
	const size = 8 << 20
	f := framer{maxBulk: size, strict: true}
	f.feed(fmt.Appendf(nil, "*1\r\n$%d\r\n", size))
	piece := bytes.Repeat([]byte("x"), 512)
	grown := 0
	for i := 0; i < size/len(piece); i++ {
		was := cap(f.buf)
		f.feed(piece)
		if cap(f.buf) != was {
			grown++
		}
		if args, err := f.next(); args != nil || err != nil {
			t.Fatal(args, err)
		}
	}
	f.feed([]byte("\r\n"))
	args, err := f.next()
	if err != nil || len(args) != 1 || len(args[0]) != size {
		t.Fatal("the argument did not arrive", err)
	}
	if grown > 100 {
		t.Errorf("the buffer grew %d times", grown)
	}
	if f.feed(nil); cap(f.buf) > keptBuffer {
		t.Errorf("%d bytes are kept after the command", cap(f.buf))
	}
}

func FuzzFramer(f *testing.F) {
	for _, x := range frames {
		if len(x.in) < 1000 {
			f.Add([]byte(x.in), 3)
		}
	}
	f.Fuzz(func(t *testing.T, in []byte, n int) {
		n = max(1, n%64)
		whole, wholeErr := read(t, in, len(in)+1, true)
		pieces, piecesErr := read(t, in, n, true)
		if !reflect.DeepEqual(whole, pieces) || describe(nil, wholeErr) != describe(nil, piecesErr) {
			t.Errorf("at once %s, in pieces of %d %s", describe(whole, wholeErr), n, describe(pieces, piecesErr))
		}
		again, err := read(t, encoded(whole), n, true)
		if err != nil || len(whole) > 0 && !reflect.DeepEqual(whole, again) {
			t.Errorf("%q came back as %q, %v", whole, again, err)
		}
	})
}

func encoded(cmds [][]string) (b []byte) {
	for _, cmd := range cmds {
		b = fmt.Appendf(b, "*%d\r\n", len(cmd))
		for _, a := range cmd {
			b = fmt.Appendf(b, "$%d\r\n%s\r\n", len(a), a)
		}
	}
	return b
}

func TestAStrangersRequestIsShort(t *testing.T) {
	for sent, want := range map[string]string{
		"*11\r\n":                        "ERR Protocol error: unauthenticated multibulk length",
		"*2\r\n$4\r\nAUTH\r\n$16385\r\n": "ERR Protocol error: unauthenticated bulk length",
		"*10\r\n$16384\r\n":              "",
	} {
		f := framer{maxBulk: 1 << 20, stranger: true}
		f.feed([]byte(sent))
		_, err := f.next()
		if got := fmt.Sprint(err); got != want && !(err == nil && want == "") {
			t.Errorf("%q: %s", sent, got)
		}
	}
}
