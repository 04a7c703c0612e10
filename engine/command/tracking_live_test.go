//go:build !js

package command_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/engine/resp"
	"github.com/keyloupe/keyloupe/internal/livediff"
)

// trackingCrowd is a crowd in which client 1 speaks RESP3 and client 2 is a subscriber that others may redirect to. Their
// ids stand for $1, $2 and so on.
func trackingCrowd(t *testing.T, g livediff.Target) (w *crowd, play func(text string)) {
	w = newCrowd(t, g, 5)
	w.play("1: HELLO 3")
	if _, err := w.real[1].ReceiveRaw(); err != nil {
		t.Fatal(err)
	}
	w.sim[1].Buf = nil
	return w, func(text string) {
		t.Helper()
		for _, line := range lines(text) {
			if !strings.Contains(line, "$") {
				w.play(line)
				w.s.Broadcast()
				continue
			}
			i := strings.IndexByte(line, '$')
			other := line[i+1] - '0'
			real, sim := strings.Fields(line[2:]), strings.Fields(line[2:])
			for j := range real {
				real[j] = strings.ReplaceAll(real[j], line[i:i+2], w.ids[other])
				sim[j] = strings.ReplaceAll(sim[j], line[i:i+2], fmt.Sprint(w.sim[other].ID))
			}
			n := line[0] - '0'
			w.real[n].Send(real...)
			w.real[n].Flush()
			w.sim[n].Do(resp.Bytes(sim))
			w.s.Broadcast()
		}
	}
}

func TestClientsThatCacheAreToldAsByTheServer(t *testing.T) {
	skipShort(t)
	livediff.Each(t, func(t *testing.T, g livediff.Target) {
		_, play := trackingCrowd(t, g)
		play(`
			0: CLIENT TRACKING MAYBE
			0: CLIENT TRACKING ON WHAT
			0: CLIENT TRACKING ON REDIRECT
			0: CLIENT TRACKING ON REDIRECT x
			0: CLIENT TRACKING ON REDIRECT 999999
			0: CLIENT TRACKING ON PREFIX a
			0: CLIENT TRACKING ON BCAST OPTIN
			0: CLIENT TRACKING ON OPTIN OPTOUT
			0: CLIENT TRACKING ON BCAST PREFIX ab PREFIX b PREFIX a
			0: CLIENT TRACKING OFF WHAT
			0: CLIENT CACHING YES
			0: CLIENT TRACKINGINFO
			0: CLIENT GETREDIR
			0: CLIENT TRACKING ON OPTIN NOLOOP
			0: CLIENT CACHING NO
			0: CLIENT CACHING MAYBE
			0: CLIENT CACHING YES
			0: CLIENT TRACKINGINFO
			0: CLIENT TRACKINGINFO
			0: PING
			0: CLIENT TRACKINGINFO
			0: CLIENT TRACKING ON OPTOUT
			0: CLIENT TRACKING ON BCAST
			0: CLIENT TRACKING OFF
			0: CLIENT TRACKING ON BCAST PREFIX a PREFIX b
			0: CLIENT TRACKING ON BCAST PREFIX ab
			0: CLIENT TRACKING ON BCAST PREFIX c
			0: CLIENT TRACKINGINFO
			0: CLIENT TRACKING ON
			0: CLIENT TRACKING OFF
			0< 30

			1: CLIENT TRACKING ON
			1: MGET a b
			1: GET c
			1: EXISTS d
			1: SET own 1
			1: GET own
			1: SET own 2
			1: MULTI
			1: GET a
			1: INCR n
			1: GET n
			1: INCR n
			1: EXEC
			1: DEL nosuch
			1< 16
			0: SET a 1
			0: SET a 2
			0: DEL d
			0< 3
			1< 1
			1: GET a
			0: RENAME a c
			1< 3
			1: LRANGE l 0 -1
			0: RPUSH l x
			0: FLUSHDB
			1: LRANGE l 0 -1
			1: FLUSHALL
			1< 6
			0< 3
			1: BLPOP l 0
			0: RPUSH l y
			1< 1
			1: LRANGE l 0 -1
			1: BLMOVE q l left left 0
			0: RPUSH q z
			1< 3
			0: SWAPDB 0 1
			0: SWAPDB 0 1
			0< 4
			1: CLIENT TRACKING OFF
			0: SET l x
			0< 1
			1: PING
			1< 2

			2: SUBSCRIBE __redis__:invalidate
			2< 1
			0: CLIENT TRACKING ON REDIRECT $2
			0: CLIENT TRACKING ON REDIRECT $2 REDIRECT $2
			0: GET a
			0: GET b
			0< 4
			3: SET a 3
			3: FLUSHALL
			3< 2
			2< 2
			0: CLIENT TRACKING ON REDIRECT $1
			0: GET a
			3: SET a 4
			0< 2
			3< 1
			1< 1
			0: CLIENT TRACKING OFF
			0< 1
		`)
		w, play := trackingCrowd(t, g)
		play(`
			1: CLIENT TRACKING ON BCAST PREFIX user: PREFIX item
			1: SET user:1 x
			1: SET other x
			1< 4
			0: MSET user:2 a user:1 b item c other d
			0< 1
			1< 2
			0: DEL nosuch user:2
			0< 1
			1< 1
			1: CLIENT TRACKING OFF
			1: CLIENT TRACKING ON BCAST NOLOOP
			1: SET user:1 x
			1< 3
			0: SET user:1 y
			0< 1
			1< 1
			0: FLUSHALL
			0< 1
			1< 1
			1: RESET
			1: CLIENT TRACKINGINFO
			1< 2
			3: CLIENT TRACKING ON REDIRECT $4
			3: GET a
			3< 2
			0: CLIENT KILL ID $4
			0: SET a b
			0< 2
		`)
		play("3: CLIENT LIST FLAGS tR")
		real, err := w.real[3].ReceiveRaw()
		if err != nil {
			t.Fatal(err)
		}
		if sim := string(w.sim[3].Buf); strings.Contains(string(real), "flags=tR") != strings.Contains(sim, "flags=tR") {
			t.Errorf("CLIENT LIST FLAGS tR\nserver    %q\nsimulated %q", real, sim)
		}
	})
}
