//go:build !js

package command_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/keyloupe/keyloupe/engine"
	rs "github.com/keyloupe/keyloupe/internal/realserver"
)

// waits are commands that wait, what another client does before and while they do, a line each.
var waits = []struct{ before, wait, meanwhile string }{
	{"", "XREAD BLOCK 0 STREAMS s $", "XADD s 1-1 f v"},
	{"XADD s 1-1 f v", "XREAD BLOCK 0 STREAMS s $", "XADD s 2-1 f v"},
	{"XADD s 1-1 f v", "XREAD BLOCK 0 STREAMS s 0", ""},
	{"XADD s 1-1 f v", "XREAD BLOCK 0 COUNT 1 STREAMS t s $ $", "SET t x|DEL t|XADD s 1-2 a b c d"},
	{"XADD s 1-1 f v", "XREAD BLOCK 0 STREAMS s 5", "XADD s 2-1 f v|XADD s 4-1 f v|XADD s 5-1 f v"},
	{"XADD s 1-1 f v|XDEL s 1-1", "XREAD BLOCK 0 STREAMS s $", "DEL s|XADD s 1-2 f v"},
	{"XGROUP CREATE s g $ MKSTREAM", "XREADGROUP GROUP g c BLOCK 0 STREAMS s >", "XADD s 1-1 f v"},
	{"XGROUP CREATE s g $ MKSTREAM", "XREADGROUP GROUP g c BLOCK 0 NOACK STREAMS s >", "XADD s 1-1 f v"},
	{"XGROUP CREATE s g $ MKSTREAM", "XREADGROUP GROUP g c BLOCK 0 STREAMS s 0", ""},
	{"XGROUP CREATE s g $ MKSTREAM", "XREADGROUP GROUP g c BLOCK 0 STREAMS s >", "DEL s"},
	{"XGROUP CREATE s g $ MKSTREAM", "XREADGROUP GROUP g c BLOCK 0 STREAMS s >", "XGROUP DESTROY s g"},
	{"XGROUP CREATE s g $ MKSTREAM", "XREADGROUP GROUP g c BLOCK 0 STREAMS s >", "SET s x"},
	{"XGROUP CREATE s g $ MKSTREAM", "XREADGROUP GROUP g c BLOCK 0 STREAMS s >", "RENAME s t"},
	{"XGROUP CREATE s g $ MKSTREAM", "XREADGROUP GROUP g c BLOCK 0 STREAMS s >", "FLUSHALL"},
	{"XGROUP CREATE s g $ MKSTREAM", "XREADGROUP GROUP g c BLOCK 0 STREAMS s >", "XGROUP CREATE s h 0|XADD s 5-5 f v"},
	{"XGROUP CREATE s g $ MKSTREAM|XGROUP CREATE t g $ MKSTREAM", "XREADGROUP GROUP g c BLOCK 0 STREAMS s t > >", "DEL t"},
	{"", "XREAD BLOCK 0 STREAMS s $", "LPUSH s x|DEL s|SET s 1|DEL s|XADD s 3-3 f v"},
	{"", "XREAD BLOCK 0 STREAMS s $", "XGROUP CREATE s g $ MKSTREAM|XADD s 3-3 f v"},
	{"XADD t 7-1 f v", "XREAD BLOCK 0 STREAMS s $", "RENAME t s"},
	{"XADD t 7-1 f v", "XREAD BLOCK 0 STREAMS s 0", "COPY t s"},
	{"XADD s 7-1 f v", "XREAD BLOCK 0 STREAMS s +", ""},
	{"XGROUP CREATE s g $ MKSTREAM", "XREAD BLOCK 0 STREAMS s +", "XADD s 4-4 f v"},
	{"", "XREAD BLOCK -1 STREAMS s $", ""},
	{"", "XREAD BLOCK x STREAMS s $", ""},
	{"", "XREAD BLOCK 9223372036854775807 STREAMS s $", ""},
	{"", "XREAD BLOCK 1.5 STREAMS s $", ""},
	{"", "XREAD BLOCK 1 STREAMS s $", ""},
	{"SET s x", "XREAD BLOCK 0 STREAMS s $", ""},
}

func words(line string) (cmds [][]string) {
	for _, l := range strings.Split(line, "|") {
		if l != "" {
			cmds = append(cmds, strings.Fields(l))
		}
	}
	return cmds
}

func TestAReaderOfStreamsWaitsAsLongAsOnRealServers(t *testing.T) {
	if testing.Short() {
		t.Skip("live servers in the long run only")
	}
	rivals(t, func(t *testing.T, r *rival) {
		for i, w := range waits {
			for proto := 2; proto <= 3; proto++ {
				r.waiting(t, fmt.Sprintf("%d, RESP%d: %s, then %s, meanwhile %s", i, proto, w.before, w.wait, w.meanwhile), proto, words(w.before), strings.Fields(w.wait), words(w.meanwhile))
			}
		}
	})
}

func (r *rival) waiting(t *testing.T, name string, proto int, before [][]string, wait []string, meanwhile [][]string) {
	r.real.Do("FLUSHALL", "SYNC")
	sim, err := engine.NewServer(r.name, engine.Options{Clock: func() int64 { return time.Now().UnixMicro() }})
	if err != nil {
		t.Fatal(err)
	}
	other, client := sim.Server.NewClient(), r.dial()
	defer client.Close()
	client.Do("HELLO", fmt.Sprint(proto))
	other.Proto = proto
	for _, c := range before {
		r.real.Do(c...)
		r.ask(sim, c)
	}
	client.Send(wait...)
	if err := client.Flush(); err != nil {
		t.Fatal(err)
	}
	args := make([][]byte, len(wait))
	for i, a := range wait {
		args[i] = []byte(a)
	}
	other.Do(args)
	if other.Blocked() {
		r.awaitBlocked(1)
		for _, c := range meanwhile {
			if want, got := r.real.Do(c...), r.ask(sim, c); !reflect.DeepEqual(want, got) {
				t.Errorf("%s: %v replies %v, simulated %v", name, c, want, got)
			}
		}
		for wait[2] == "1" && len(other.Buf) == 0 { // its time will come
			sim.Server.Tick()
		}
	}
	if len(other.Buf) == 0 {
		if n := r.blocked(); n != 1 {
			t.Errorf("%s: the simulated client waits, %d real ones do", name, n)
		}
		return
	}
	client.Timeout = 2 * time.Second
	want, err := client.Receive()
	if got := parseReply(other.Buf); err != nil || !reflect.DeepEqual(want, got) {
		t.Errorf("%s: server %v, %v, simulated %v", name, want, err, got)
	}
}

// blocked is how many clients of the real server wait.
func (r *rival) blocked() (n int) {
	_, rest, _ := strings.Cut(string(r.real.Do("INFO", "clients").(rs.Bulk)), "blocked_clients:")
	fmt.Sscan(rest, &n)
	return n
}

func (r *rival) awaitBlocked(n int) {
	for end := time.Now().Add(2 * time.Second); r.blocked() != n && time.Now().Before(end); {
	}
}
