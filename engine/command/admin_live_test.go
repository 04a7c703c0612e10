//go:build !js

package command_test

import (
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
			CONFIG GET set-max-intset-entries
			HSET h a 1 b 2 c 3
			SADD s 1 2
			RPUSH l a b c
			ZADD z 1 abcd
			CONFIG SET hash-max-listpack-entries 512 set-max-intset-entries 512 list-max-listpack-size -2 zset-max-listpack-value 64
			HSET h2 a 1 b 2 c 3
		`), livediff.Options{})
	})
}

func skipShort(t *testing.T) {
	if testing.Short() {
		t.Skip("live servers in the long run only")
	}
}
