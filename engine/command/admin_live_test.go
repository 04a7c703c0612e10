//go:build !js

package command_test

import (
	"bytes"
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"time"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/engine/command"
	"github.com/keyloupe/keyloupe/engine/resp"
	rs "github.com/keyloupe/keyloupe/internal/realserver"
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/internal/livediff"
)

// lines are commands, one a line.
func lines(text string) (out []string) {
	for _, l := range strings.Split(text, "\n") {
		if l = strings.TrimSpace(l); l != "" {
			out = append(out, l)
		}
	}
	return out
}

// history is the lines as commands of one client.
func asHistory(text string) (h livediff.History) {
	for _, l := range lines(text) {
		h = append(h, strings.Fields(l))
	}
	return h
}

func TestConfigCommandAndHelpAnswerAsTheServer(t *testing.T) {
	skipShort(t)
	livediff.Each(t, func(t *testing.T, g livediff.Target) {
		g.CompareLines(t, nil, lines(`
			CONFIG GET hash-max-listpack-entries
			CONFIG GET HASH-max-listpack-value*
			CONFIG GET
			CONFIG SET a
			CONFIG SET no-such-directive 1
			CONFIG SET databases 3
			CONFIG SET maxmemory 1q
			CONFIG SET maxmemory-policy sometimes
			CONFIG WHAT
			CONFIG
			CONFIG RESETSTAT x
			CONFIG RESETSTAT
			CONFIG REWRITE
			CONFIG HELP
			COMMAND COUNT
			COMMAND COUNT x
			COMMAND INFO get set config config|get nosuch
			COMMAND GETKEYS SET a b
			COMMAND GETKEYSANDFLAGS SET a b GET
			COMMAND GETKEYS PING
			COMMAND GETKEYS NOSUCH
			COMMAND GETKEYS SET
			COMMAND DOCS get config|get nosuch
			COMMAND LIST FILTERBY PATTERN xa*x
			COMMAND LIST FILTERBY NO x
			COMMAND HELP
			CLIENT HELP
			LATENCY HELP
			MEMORY HELP
			OBJECT HELP
			PUBSUB HELP
			SLOWLOG HELP
			SCRIPT HELP
			FUNCTION HELP
			MODULE HELP
			ACL HELP
			XINFO HELP
			XGROUP HELP
			CLUSTER HELP
			CLUSTER NOSUCH
			CLUSTER INFO
			CLUSTER KEYSLOT a
			READONLY
			READWRITE
			ASKING
			nosuch`+"\x01"+` a b c
			NOSUCH a b
			GET
		`))
		g.Compare(t, asHistory(`
			CONFIG SET hash-max-listpack-entries 2 set-max-intset-entries 1 list-max-listpack-size 1 zset-max-listpack-value 3
			HSET h a 1 b 2 c 3
			SADD s 1 2
			RPUSH l a b c
			ZADD z 1 abcd
			CONFIG SET hash-max-listpack-entries 512 set-max-intset-entries 512 list-max-listpack-size -2 zset-max-listpack-value 64
			HSET h2 a 1 b 2 c 3
		`), livediff.Options{Unsized: func(cmd []string) bool { return cmd[0] == "ZADD" || cmd[0] == "SADD" }})
	})
}

func skipShort(t *testing.T) {
	if testing.Short() {
		t.Skip("live servers in the long run only")
	}
}

// crowd is several clients of one server, real and simulated, that act in turn.
type crowd struct {
	t    *testing.T
	real []*rs.Client
	sim  []*command.Client
	s    *engine.Server

	ids      []string
	observer *rs.Client
}

func newCrowd(t *testing.T, g livediff.Target, n int) *crowd {
	s, err := engine.NewServer(g.Name, engine.Options{Clock: func() int64 { return time.Now().UnixMicro() }})
	if err != nil {
		t.Fatal(err)
	}
	w := &crowd{t: t, s: s, observer: g.Real.Dial()}
	for i := range n {
		w.real = append(w.real, g.Real.Dial())
		w.ids = append(w.ids, fmt.Sprint(w.real[i].Do("CLIENT", "ID")))
		c := s.NewClient()
		c.Do(resp.Bytes([]string{"CLIENT", "ID"}))
		c.Buf = nil
		w.sim = append(w.sim, c)
	}
	return w
}

// play gives lines such as "0: SET a b"; "0< 2" reads two replies of client 0 and compares them.
func (w *crowd) play(text string) {
	w.t.Helper()
	for _, line := range lines(text) {
		n := int(line[0] - '0')
		if line[1] == '<' {
			count, _ := strconv.Atoi(strings.TrimSpace(line[2:]))
			w.read(n, count, line)
			continue
		}
		args := strings.Fields(line[2:])
		w.real[n].Send(args...)
		if err := w.real[n].Flush(); err != nil {
			w.t.Fatal(err)
		}
		w.sim[n].Do(resp.Bytes(args))
		w.settle(n)
	}
}

// settle waits until the real server has read what was sent, or keeps the client waiting: another
// connection sees it in CLIENT LIST.
func (w *crowd) settle(n int) {
	for _, field := range strings.Fields(w.sim[n].Line()) {
		if sent, ok := strings.CutPrefix(field, "tot-net-in="); ok {
			want, _ := strconv.Atoi(sent)
			for {
				line := string(w.observer.Do("CLIENT", "LIST", "ID", w.ids[n]).(rs.Bulk))
				_, rest, _ := strings.Cut(line, "tot-net-in=")
				digits, _, _ := strings.Cut(rest, " ")
				if got, _ := strconv.Atoi(digits); got >= want || strings.Contains(line, "flags=b") || strings.Contains(line, "flags=xb") || line == "" {
					return
				}
			}
		}
	}
}

func (w *crowd) read(n, count int, line string) {
	w.t.Helper()
	var want []byte
	for range count {
		b, err := w.real[n].ReceiveRaw()
		if err != nil {
			w.t.Fatalf("%s: %v", line, err)
		}
		want = append(want, b...)
	}
	got := w.sim[n].Buf
	if !bytes.Equal(want, got) {
		w.t.Errorf("%s\nserver    %q\nsimulated %q", line, want, got)
	}
	w.sim[n].Buf = nil
}

func TestSessionsAnswerAsTheServer(t *testing.T) {
	skipShort(t)
	livediff.Each(t, func(t *testing.T, g livediff.Target) {
		g.CompareLines(t, nil, lines(`
			HELLO 4
			HELLO x
			HELLO 2 WHAT
			HELLO 2 AUTH nobody x
			HELLO 3 SETNAME a`+"\x01"+`
			RESET
			AUTH x
			AUTH nobody x
			AUTH default x
			AUTH a b c
			CLIENT SETNAME me
			CLIENT GETNAME
			CLIENT SETNAME a`+"\x01"+`
			CLIENT SETNAME
			CLIENT SETINFO lib-name x
			CLIENT SETINFO lib-what x
			CLIENT SETINFO lib-ver a`+"\x01"+`
			CLIENT REPLY MAYBE
			CLIENT NO-EVICT on
			CLIENT NO-EVICT x
			CLIENT NO-TOUCH ON
			CLIENT NO-TOUCH OFF
			CLIENT NO-EVICT off
			CLIENT GETREDIR
			CLIENT TRACKINGINFO
			CLIENT TRACKING OFF
			CLIENT CACHING YES
			CLIENT CAPA redirect
			CLIENT IMPORT-SOURCE ON
			CLIENT IMPORT-SOURCE OFF
			CLIENT KILL 1.2.3.4:5
			CLIENT KILL ID x
			CLIENT KILL ID 0
			CLIENT KILL ID 999999 TYPE normal
			CLIENT KILL ID 999999 1000000 TYPE normal
			CLIENT KILL TYPE strange
			CLIENT KILL TYPE primary ID 77777
			CLIENT KILL MAXAGE 0
			CLIENT KILL MAXAGE x
			CLIENT KILL MAXAGE 100000
			CLIENT KILL USER nobody
			CLIENT KILL SKIPME maybe
			CLIENT KILL NAME nobody
			CLIENT KILL NOT-ID 0
			CLIENT KILL FLAGS q
			CLIENT KILL NOT-FLAGS q
			CLIENT KILL CAPA q
			CLIENT KILL DB 99
			CLIENT KILL NOT-DB 99
			CLIENT KILL IDLE 0
			CLIENT KILL WHAT x
			CLIENT LIST ID
			CLIENT LIST ID 777777
			CLIENT LIST TYPE pubsub
			CLIENT LIST TYPE x
			CLIENT UNBLOCK 77777
			CLIENT UNBLOCK x
			CLIENT UNBLOCK 1 NOW
			CLIENT PAUSE x
			CLIENT PAUSE -1
			CLIENT PAUSE 1 NOW
			CLIENT UNPAUSE
			CLIENT WHAT
			ROLE
			REPLICAOF NO ONE
			REPLICAOF a 99999
			WAIT 0 0
			WAIT x 0
			WAIT 0 -1
			WAITAOF 0 0 0
			WAITAOF 2 0 0
			WAITAOF 1 0 0
			WAITAOF 0 -1 0
			FAILOVER ABORT
			FAILOVER
			BGSAVE WHAT
			BGSAVE CANCEL
			SHUTDOWN WHAT
			SHUTDOWN ABORT
			SHUTDOWN ABORT NOW
			SLOWLOG RESET
			SLOWLOG LEN
			SLOWLOG GET
			SLOWLOG GET -2
			SLOWLOG GET 1 2
			COMMANDLOG LEN slow
			COMMANDLOG LEN what
			COMMANDLOG GET 10 slow
			COMMANDLOG GET -2 slow
			COMMANDLOG RESET large-reply
			LATENCY LATEST
			LATENCY HISTORY a
			LATENCY RESET
			LATENCY RESET a
			LATENCY GRAPH a
			LATENCY DOCTOR
			LATENCY HISTOGRAM nosuch
			SCRIPT FLUSH
			SCRIPT FLUSH WHAT
			SCRIPT EXISTS a b
			SCRIPT KILL
			FUNCTION FLUSH
			FUNCTION FLUSH WHAT
			FUNCTION LIST
			FUNCTION KILL
			MODULE LIST
			ACL WHOAMI
			PUBSUB CHANNELS
			PUBSUB CHANNELS a b
			PUBSUB NUMSUB a b
			PUBSUB NUMPAT
			PUBSUB SHARDCHANNELS
			PUBSUB SHARDNUMSUB a
			PUBLISH a b
			SPUBLISH a b
		`))
		g.Compare(t, asHistory(`
			MULTI
			EXEC x
			MULTI
			SUBSCRIBE a
			SSUBSCRIBE a
			UNSUBSCRIBE a
			WAIT 1 0
			MONITOR
			EXEC
			RESET
			CONFIG SET maxmemory 1
			SET a b
			GET a
			MULTI
			SET a b
			EXEC
			CONFIG SET maxmemory 0
			EXEC
		`), livediff.Options{})
	})
}

func TestAPasswordIsAskedForAsByTheServer(t *testing.T) {
	skipShort(t)
	livediff.Each(t, func(t *testing.T, g livediff.Target) {
		h := asHistory(`
			CONFIG SET requirepass secret
			AUTH wrong
			AUTH default wrong
			PING
			RESET
			PING
			NOSUCH
			GET
			MULTI
			AUTH
			AUTH a b c
			AUTH wrong
			AUTH default wrong
			AUTH nobody secret
			HELLO
			HELLO 3
			HELLO 3 AUTH default wrong
			HELLO 3 SETNAME me
			CLIENT ID
			AUTH secret
			CLIENT GETNAME
			MULTI
			RESET
			GET k
			AUTH default secret
			GET k
			ACL WHOAMI
			CONFIG GET requirepass
		`)
		h = append(h, []string{"CONFIG", "SET", "requirepass", ""}, []string{"AUTH", "x"}, []string{"AUTH", "default", "x"})
		g.Compare(t, h, livediff.Options{})
	})
}

func TestMessagesReachSubscribersAsOnTheServer(t *testing.T) {
	skipShort(t)
	livediff.Each(t, func(t *testing.T, g livediff.Target) {
		w := newCrowd(t, g, 4)
		w.play(`
			0: SUBSCRIBE a b a
			0< 3
			0: PING
			0: PING x
			0: GET a
			0: PSUBSCRIBE n*
			0: SSUBSCRIBE s
			0< 5
			1: HELLO 3
		`)
		w.real[1].ReceiveRaw()
		w.sim[1].Buf = nil
		w.play(`
			1: SUBSCRIBE a
			1: PUBLISH a hello
			1: PUBLISH news x
			1: SPUBLISH s y
			1: PUBSUB NUMSUB a b c
			1: PUBSUB NUMPAT
			1: GET nokey
			1< 8
			0< 3
			2: CLIENT REPLY OFF
			2: SET k v
			2: SUBSCRIBE a
			2: UNSUBSCRIBE
			2: CLIENT REPLY ON
			2: CLIENT REPLY SKIP
			2: PING
			2: PING
			2< 4
			1: MULTI
			1: PUBLISH a 1
			1: PUBLISH a 2
			1: EXEC
			1< 6
			0< 2
			0: UNSUBSCRIBE a
			0: UNSUBSCRIBE
			0: PUNSUBSCRIBE
			0: SUNSUBSCRIBE
			0: PUNSUBSCRIBE
			0: GET k
			0< 6
			1: RESET
			1: CONFIG SET notify-keyspace-events KEA
			1< 2
			0: PSUBSCRIBE __key*
			0< 1
			1: SET k 2
			1: DEL k
			1: RPUSH l a
			1: HSET h f v
			1: EXPIRE h 100
			1: RENAME h h2
			1< 6
			0< 14
			0: RESET
			0< 1
			1: CONFIG SET notify-keyspace-events ` + `Kg$
			1: CONFIG GET notify-keyspace-events
			1< 2
			0: PSUBSCRIBE *
			0< 1
			1: SET k 2
			1: RPUSH l a
			1: DEL k
			1< 3
			0< 2
			3: BLPOP nolist 0
			1: CLIENT KILL TYPE pubsub
			1< 1
		`)
		w.play(`
			1: CLIENT PAUSE 100000 WRITE
			1: GET k
			1: PING
			1< 3
			2: SET paused 1
		`)
		next := `
			1: CLIENT UNPAUSE
			1: CLIENT PAUSE 100000 WRITE
			1< 2
			2< 1
		`
		w.play(next)
		for _, line := range []string{"PFCOUNT nokey", "PUBLISH nobody x", "SPUBLISH nobody x"} {
			w.play("2: " + line)
			if !w.sim[2].Blocked() {
				t.Errorf("%s is not held back by a pause of writes", line)
			}
			w.play(next)
		}
		w.play(`
			1: CLIENT UNPAUSE
			1< 1
			2: GET paused
			2< 1
			1: CONFIG SET notify-keyspace-events none
			1: CONFIG GET notify-keyspace-events
			1< 2
		`)
		if !w.sim[0].Closing() {
			t.Error("a client killed is not closing")
		}
	})
}

// fieldsOf are the names in a text of INFO, headings included.
func fieldsOf(info string) string {
	var b strings.Builder
	for _, l := range strings.Split(info, "\r\n") {
		name, _, _ := strings.Cut(l, ":")
		b.WriteString(name + "\n")
	}
	return b.String()
}

func TestInfoHasTheServersFieldsInItsOrder(t *testing.T) {
	skipShort(t)
	livediff.Each(t, func(t *testing.T, g livediff.Target) {
		w := newCrowd(t, g, 1)
		for _, setup := range []string{"SET a b", "HSET h f v", "EXPIRE a 1000", "SELECT 3", "SET a b", "GET", "RPUSH a b"} {
			w.real[0].Do(strings.Fields(setup)...)
			w.sim[0].Do(resp.Bytes(strings.Fields(setup)))
		}
		for _, args := range []string{"", "server", "clients Memory", "persistence stats", "replication cpu", "modules", "module_list", "errorstats",
			"cluster keyspace", "default", "nosuch", "debug", "tls", "cluster_info scriptingengines", "keyspace server"} {
			cmd := append([]string{"INFO"}, strings.Fields(args)...)
			w.sim[0].Buf = nil
			w.sim[0].Do(resp.Bytes(cmd))
			want, got := fieldsOf(string(w.real[0].Do(cmd...).(rs.Bulk))), fieldsOf(string(parseReply(w.sim[0].Buf).(rs.Bulk)))
			if want != got {
				t.Errorf("INFO %s\nserver\n%s\nsimulated\n%s", args, want, got)
			}
		}
	})
}

func TestMemoryStatsHasTheServersFieldsAndTables(t *testing.T) {
	skipShort(t)
	exact := map[string]bool{"keys.count": true, "overhead.db.hashtable.lut": true, "overhead.db.hashtable.rehashing": true, "db.dict.rehashing.count": true,
		"lua.caches": true, "replication.backlog": true, "cluster.links": true}
	livediff.Each(t, func(t *testing.T, g livediff.Target) {
		w := newCrowd(t, g, 1)
		do := func(args ...string) (real, sim any) {
			w.sim[0].Buf = nil
			w.sim[0].Do(resp.Bytes(args))
			return w.real[0].Do(args...), parseReply(w.sim[0].Buf)
		}
		for _, proto := range []string{"2", "3"} {
			do("HELLO", proto)
			do("SELECT", "0")
			for i := range 100 {
				do("SET", "key:"+strconv.Itoa(i), "v")
				do("EXPIRE", "key:"+strconv.Itoa(i), "1000")
			}
			do("SELECT", "2")
			do("SET", "a", "b")
			real, sim := do("MEMORY", "STATS")
			want, got := pairsOf(real), pairsOf(sim)
			if len(want) != len(got) {
				t.Fatalf("RESP%s: %d fields, simulated %d", proto, len(want), len(got))
			}
			for i := range want {
				name := fmt.Sprint(want[i].Key)
				if want[i].Key != got[i].Key || reflect.TypeOf(want[i].Value) != reflect.TypeOf(got[i].Value) {
					t.Errorf("RESP%s, field %d: %v %T, simulated %v %T", proto, i, name, want[i].Value, got[i].Key, got[i].Value)
				}
				if (exact[name] || strings.HasPrefix(name, "db.")) && !reflect.DeepEqual(want[i].Value, got[i].Value) {
					t.Errorf("RESP%s, %s: %v, simulated %v", proto, name, want[i].Value, got[i].Value)
				}
			}
			do("FLUSHALL", "SYNC")
		}
	})
}

// pairsOf are the pairs of a map, which RESP2 has as an array.
func pairsOf(v any) (m rs.Map) {
	if m, ok := v.(rs.Map); ok {
		return m
	}
	a := v.(rs.Array)
	for i := 0; i+1 < len(a); i += 2 {
		m = append(m, rs.Pair{Key: a[i], Value: a[i+1]})
	}
	return m
}

func TestDebugAnswersAsTheServer(t *testing.T) {
	skipShort(t)
	address := regexp.MustCompile(`at:0x[0-9a-f]+`)
	clock := regexp.MustCompile(`lru:[0-9]+|minutes:[0-9]+|id\r\n:[0-9]+`)
	equal := func(_ []string, real, simulated []byte) bool {
		hide := func(b []byte) string { return clock.ReplaceAllString(address.ReplaceAllString(string(b), ""), "") }
		return hide(real) == hide(simulated)
	}
	livediff.Each(t, func(t *testing.T, g livediff.Target) {
		o := livediff.Options{Equal: equal, Unsized: func([]string) bool { return true }}
		for _, proto := range []string{"2", "3"} {
			g.Compare(t, asHistory(`
				HELLO `+proto+`
				DEBUG DIGEST
				SET s hello
				SET i 12345
				SET big `+strings.Repeat("x", 300)+`
				APPEND big y
				EXPIRE i 100
				RPUSH l a 1 2 b
				RPUSH q `+strings.Repeat("e ", 5000)+`
				SADD si 3 1 2
				SADD s2 a b c
				ZADD z 1 a 2.5 b 1e20 c 0.1 d -3 e inf f 100 g 12345678.9 h 1e17 k
				HSET h f v g 1
				XADD x 1-1 a b c d
				XADD x 1-2 a b
				SELECT 3
				SET other db
				SELECT 0
				DEBUG DIGEST
				DEBUG DIGEST-VALUE s i big l q si s2 z h x nokey
				DEBUG OBJECT nokey
				DEBUG OBJECT s
				DEBUG OBJECT i
				DEBUG OBJECT big
				DEBUG OBJECT l
				DEBUG OBJECT q
				DEBUG OBJECT q fast
				DEBUG OBJECT h
				DEBUG OBJECT z
				DEBUG OBJECT a b c
				DEBUG SDSLEN nokey
				DEBUG SDSLEN i
				DEBUG SDSLEN l
				DEBUG STRUCTSIZE
				DEBUG HELP
				DEBUG NOSUCH
				DEBUG SET-ACTIVE-EXPIRE 0
				DEBUG SET-ACTIVE-EXPIRE 1
				DEBUG SLEEP 0
				DEBUG POPULATE 10
				DEBUG POPULATE 10 pre 20
				DEBUG POPULATE x
				DBSIZE
				MGET key:1 pre:9
				DEBUG ERROR LALA
				DEBUG PROTOCOL string
				DEBUG PROTOCOL integer
				DEBUG PROTOCOL double
				DEBUG PROTOCOL bignum
				DEBUG PROTOCOL null
				DEBUG PROTOCOL array
				DEBUG PROTOCOL set
				DEBUG PROTOCOL map
				DEBUG PROTOCOL verbatim
				DEBUG PROTOCOL true
				DEBUG PROTOCOL nosuch
				DEBUG REPLYBUFFER RESIZING 1
				DEBUG REPLYBUFFER PEAK-RESET-TIME NEVER
				DEBUG REPLYBUFFER PEAK-RESET-TIME RESET
				DEBUG REPLYBUFFER WHAT 1
				DEBUG CHANGE-REPL-ID
				RESET
			`), o)
			if g.Sizes {
				g.CompareLines(t, asHistory("SET s hello\nSET big "+strings.Repeat("x", 300)+"\nAPPEND big y"), []string{"DEBUG SDSLEN s", "DEBUG SDSLEN big"})
			}
		}
	})
}

func TestClientListAndMonitorTellAsTheServer(t *testing.T) {
	skipShort(t)
	own := regexp.MustCompile(`\b(id|l?addr|fd|age|idle|qbuf|qbuf-free|rbs|rbp|obl|tot-mem|tot-net-out)=\S*`)
	stamp := regexp.MustCompile(`[0-9]+\.[0-9]{6} \[(\d+) \S+\]`)
	livediff.Each(t, func(t *testing.T, g livediff.Target) {
		w := newCrowd(t, g, 3)
		ask := func(n int, line string) (want, got string) {
			args := strings.Fields(line)
			w.real[n].Send(args...)
			w.real[n].Flush()
			b, err := w.real[n].ReceiveRaw()
			if err != nil {
				t.Fatal(err)
			}
			w.sim[n].Buf = nil
			w.sim[n].Do(resp.Bytes(args))
			return string(b), string(w.sim[n].Buf)
		}
		for _, line := range lines(`
			CLIENT SETNAME me
			CLIENT SETINFO LIB-NAME lib
			CLIENT SETINFO LIB-VER 1.2
			CLIENT NO-TOUCH on
			WATCH a b
			MULTI
			SET a 12345
			CLIENT INFO
			EXEC
			CLIENT CAPA redirect
			CLIENT INFO
			CLIENT LIST TYPE normal ID 99999
			CLIENT LIST NAME me
			CLIENT LIST FLAGS T
			CLIENT LIST NOT-NAME me NOT-FLAGS N
			CLIENT LIST NAME me NAME nobody
			CLIENT LIST NAME nobody NAME me FLAGS O FLAGS T
			CLIENT LIST NOT-NAME me NOT-NAME nobody DB 1 DB 0 FLAGS T
			READONLY
			CLIENT INFO
			READWRITE
			CLIENT INFO
			RESET
			CLIENT INFO
		`) {
			want, got := ask(0, line)
			hide := func(s string) string {
				_, text, _ := strings.Cut(s, "id=") // the length before depends on what is hidden
				return own.ReplaceAllString("id="+text, "")
			}
			if hide(want) != hide(got) {
				t.Errorf("%s\nserver    %q\nsimulated %q", line, want, got)
			}
		}
		ask(1, "MONITOR")
		w.sim[1].Buf = nil
		for _, line := range lines(`
			SET a b` + "\x01" + `"
			SELECT 2
			MULTI
			GET a
			EXEC
			AUTH default secret
			CONFIG GET port
			NOSUCH
			GET
			PING
		`) {
			ask(0, line)
		}
		w.sim[0].Buf = nil
		w.play(`
			2: BLPOP l 0
			0: SELECT 0
			0: RPUSH l a
			0: RPUSH l b
			2: BLPOP l 0
			0< 3
			2< 2
		`)
		var want string
		for range strings.Count(string(w.sim[1].Buf), "\r\n") {
			b, err := w.real[1].ReceiveRaw()
			if err != nil {
				t.Fatal(err)
			}
			want += string(b)
		}
		hide := func(s string) string { return stamp.ReplaceAllString(s, "[$1]") }
		if hide(want) != hide(string(w.sim[1].Buf)) {
			t.Errorf("MONITOR\nserver    %q\nsimulated %q", want, w.sim[1].Buf)
		}
	})
}
