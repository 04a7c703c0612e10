//go:build !js

package command_test

import (
	"bytes"
	"regexp"
	"testing"

	"github.com/keyloupe/keyloupe/internal/livediff"
)

// idsOfReplication are random, and the offset of the older one tells that there is one.
var idsOfReplication = regexp.MustCompile(`(master_replid2?:)[0-9a-f]{40}|second_repl_offset:\S+`)

func TestAReplicaOfAPrimaryOutOfReachAnswersAsTheServer(t *testing.T) {
	skipShort(t)
	o := livediff.Options{
		Unsized: func([]string) bool { return true },
		Equal: func(cmd []string, real, simulated []byte) bool {
			if cmd[0] == "HELLO" { // the id of the connection
				cut := func(b []byte) []byte { return b[bytes.Index(b, []byte("mode")):] }
				real, simulated = cut(real), cut(simulated)
			}
			masked := func(b []byte) []byte { return idsOfReplication.ReplaceAll(b, []byte("$1")) }
			return bytes.Equal(masked(real), masked(simulated))
		},
	}
	livediff.Each(t, func(t *testing.T, g livediff.Target) {
		g.Compare(t, asHistory(`
			REPLICAOF NO ONE
			SET k v
			SET e v PXAT `+livediff.Soon+`
			HSET h f v
			HPEXPIREAT h `+livediff.Soon+` FIELDS 1 f
			REPLICAOF a b
			REPLICAOF a 65536
			REPLICAOF 127.0.0.1 1
			INFO REPLICATION
			ROLE
			CONFIG GET replicaof
			CONFIG GET slaveof
			CONFIG SET replicaof x
			HELLO 3
			ROLE
			RESET
			REPLICAOF 127.0.0.1 1
			SLAVEOF 127.0.0.1 01
			SET a b
			GET k
			WAIT 0 0
			WAIT x 0
			WAITAOF 9 0 0
			FAILOVER
			FAILOVER ABORT
			PUBLISH a b
			CONFIG SET maxmemory 1
			SET a b
			CONFIG SET maxmemory 0
			CONFIG SET min-replicas-to-write 1
			INFO REPLICATION
			SET a b
			CONFIG SET min-replicas-to-write 0
			MULTI
			GET k
			SET a b
			EXEC
			MULTI
			GET k
			REPLICAOF 127.0.0.1 2
			ROLE
			REPLICAOF NO ONE
			REPLICAOF 127.0.0.1 3
			EXEC
			`+livediff.Wait+`
			GET e
			EXISTS e
			TTL e
			DBSIZE
			HGET h f
			HLEN h
			CONFIG SET replica-read-only no
			SET past v PX 1
			DBSIZE
			SET e v2
			GETEX k PXAT 1
			DBSIZE
			GET k
			DEL k
			CONFIG SET replica-read-only yes
			CONFIG SET replica-serve-stale-data no
			GET k
			PING
			INFO nosuch
			MULTI
			GET k
			EXEC
			MULTI
			EXEC
			CONFIG SET replica-serve-stale-data yes
			REPLICAOF NO ONE
			INFO REPLICATION
			ROLE
			CONFIG GET replicaof
			DBSIZE
			GET e
			REPLICAOF NO ONE
		`), o)
		g.Compare(t, asHistory(`
			REPLICAOF NO ONE
			SET a b
			CLIENT CAPA redirect
			REPLICAOF 127.0.0.1 1
			GET a
			SET a c
			PING
			READONLY
			GET a
			SET a c
			MULTI
			GET a
			SET a c
			EXEC
			READWRITE
			MULTI
			PING
			EXEC
			READONLY
			MULTI
			GET a
			READWRITE
			EXEC
			MULTI
			RESET
			REPLICAOF NO ONE
		`), o)
	})
}

func TestClientsThatWaitAreSentAwayWhenTheServerBecomesAReplica(t *testing.T) {
	skipShort(t)
	livediff.Each(t, func(t *testing.T, g livediff.Target) {
		w := newCrowd(t, g, 5)
		w.play(`
			0: BLPOP l 0
			1: CLIENT CAPA redirect
			1: BLPOP l 0
			1< 1
			2: READONLY
			2: XREAD BLOCK 0 STREAMS s $
			2< 1
			3: WAIT 1 0
			4: REPLICAOF 127.0.0.1 1
			4< 1
			0< 1
			1< 1
			3< 1
			4: REPLICAOF NO ONE
			4: XADD s 1-1 a b
			4< 2
			2< 1
		`)
		for i, stays := range []bool{false, w.s.R.RedirectBlocked, w.s.R.RedirectBlocked, false, true} {
			w.real[i].Send("PING")
			w.real[i].Flush()
			if _, err := w.real[i].Receive(); (err == nil) != stays {
				t.Errorf("client %d of the server stays: %v", i, err == nil)
			}
			if w.sim[i].Closing() == stays {
				t.Errorf("client %d stays: %v", i, !stays)
			}
		}
	})
}
