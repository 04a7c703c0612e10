//go:build !js

package command_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/engine/command"
	"github.com/keyloupe/keyloupe/internal/livediff"
	"github.com/keyloupe/keyloupe/internal/realserver"
)

// A script line is a client's letter and a command. "?" in place of a command expects that the
// client got no reply since its command; "=" takes the reply that it got without asking.
var blockingScripts = map[string]string{
	"a push serves the client that waited longest": `
		a BLPOP l 0
		b BRPOP l 0
		a ?
		b ?
		c RPUSH l 1 2 3
		a =
		b =
		c LRANGE l 0 -1`,
	"a key of another type serves nobody": `
		a BLPOP l 0
		c HSET l f x
		a ?
		c DEL l
		c RPUSH l y
		a =`,
	"a list made in a transaction serves after EXEC": `
		a BLPOP l 0
		c MULTI
		c RPUSH l 1
		c DEL l
		c RPUSH l 2
		a ?
		c EXEC
		a =`,
	"what a client moves serves the next one": `
		a BLMOVE l m LEFT RIGHT 0
		b BLPOP m 0
		c RPUSH l 1
		a =
		b =
		c EXISTS l m`,
	"rpoplpush to itself": `
		a BRPOPLPUSH l l 0
		c RPUSH l 1 2
		a =
		c LRANGE l 0 -1`,
	"a destination of another type is an error once there is an element": `
		c SET s x
		a BLMOVE l s LEFT LEFT 0
		c RPUSH l 1
		a =
		c LRANGE l 0 -1`,
	"BLMPOP takes its count from the first list that comes": `
		a BLMPOP 0 3 x l m RIGHT COUNT 2
		c RPUSH m 1 2 3
		a =
		c LRANGE m 0 -1`,
	"a client that names a key twice is served once": `
		a BLPOP l l 0
		c RPUSH l 1 2
		a =
		c LRANGE l 0 -1`,
	"RENAME and COPY make lists too": `
		a BLPOP l 0
		b BLPOP m 0
		c RPUSH x 1
		c COPY x l
		a =
		c RENAME x m
		b =`,
	"a time that passes is answered with nil": `
		a BLPOP l 0.02
		a wait
		b BLMOVE l m LEFT LEFT 0.02
		b wait
		c BLMPOP 0.02 1 l LEFT
		c wait`,
}

func TestBlockedClientsAreServedAsByTheRealServer(t *testing.T) {
	livediff.Each(t, func(t *testing.T, g livediff.Target) {
		for name, script := range blockingScripts {
			t.Run(name, func(t *testing.T) {
				g.Real.Do("FLUSHALL")
				real := runReal(t, g.Real, script)
				simulated := runSimulated(t, g.Name, script)
				if real != simulated {
					t.Errorf("real\n%s\nsimulated\n%s", real, simulated)
				}
			})
		}
	})
}

func scriptLines(script string) (out [][]string) {
	for _, l := range strings.Split(strings.TrimSpace(script), "\n") {
		out = append(out, strings.Fields(l))
	}
	return out
}

func blocks(cmd string) bool {
	return strings.HasPrefix(cmd, "BL") || strings.HasPrefix(cmd, "BR") || strings.HasPrefix(cmd, "BZ")
}

// runReal runs a script on real connections and returns the replies.
func runReal(t *testing.T, s *realserver.Server, script string) string {
	clients := map[string]*realserver.Client{}
	waiting := 0
	var out strings.Builder
	for _, w := range scriptLines(script) {
		c := clients[w[0]]
		if c == nil {
			c = s.Dial()
			defer c.Close()
			clients[w[0]] = c
		}
		switch w[1] {
		case "?": // that it still waits shows when it is served
		case "=", "wait":
			raw, err := c.ReceiveRaw()
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&out, "%v %q\n", w, raw)
			waiting--
		default:
			c.Send(w[1:]...)
			if err := c.Flush(); err != nil {
				t.Fatal(err)
			}
			if !blocks(w[1]) {
				raw, err := c.ReceiveRaw()
				if err != nil {
					t.Fatal(err)
				}
				fmt.Fprintf(&out, "%v %q\n", w, raw)
				continue
			}
			waiting++
			awaitBlocked(t, s, waiting)
		}
	}
	return out.String()
}

// awaitBlocked asks the server for its clients until n of them are blocked.
func awaitBlocked(t *testing.T, s *realserver.Server, n int) {
	for range 2000 {
		if strings.Count(fmt.Sprint(s.Do("CLIENT", "LIST")), " flags=b ") == n {
			return
		}
	}
	t.Fatalf("not %d clients are blocked", n)
}

func runSimulated(t *testing.T, name, script string) string {
	now := int64(1767225600 * 1_000_000)
	s, err := engine.NewServer(name, engine.Options{Clock: func() int64 { return now }})
	if err != nil {
		t.Fatal(err)
	}
	clients := map[string]*command.Client{}
	var out strings.Builder
	for _, w := range scriptLines(script) {
		c := clients[w[0]]
		if c == nil {
			c = s.NewClient()
			clients[w[0]] = c
		}
		switch w[1] {
		case "?":
			if len(c.Buf) > 0 || !c.Blocked() {
				t.Errorf("%v: it was served too early: %q", w, c.Buf)
			}
			continue
		case "wait":
			now += 1_000_000
			s.Tick()
		case "=":
		default:
			c.Buf = c.Buf[:0]
			args := make([][]byte, len(w)-1)
			for i := range args {
				args[i] = []byte(w[i+1])
			}
			c.Do(args)
			if blocks(w[1]) {
				continue
			}
		}
		fmt.Fprintf(&out, "%v %q\n", w, bytes.Clone(c.Buf))
		c.Buf = c.Buf[:0]
	}
	return out.String()
}
