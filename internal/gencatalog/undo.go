//go:build !js

package main

import (
	"math"
	"strings"

	"github.com/keyloupe/keyloupe/engine/catalog"
)

// undo are the changes a line brought that nothing dates in its own words, undone from the newest line down.
// Where they come from: the release notes of 8.0 and 8.1, the sources of 8.1.1, golden data of 7.2.7 and 8.0.1, and the
// replies of 7.2.4's ancestor.
var undo = map[string]func(*editor){
	"8.0": undo81,
	"7.2": func(e *editor) { undo81(e); undo80(e) },
}

func undo81(e *editor) {
	e.each(func(c *catalog.Command) { // COMMANDLOG grew out of SLOWLOG (#1294)
		for i, f := range c.Flags {
			if f == "skip_commandlog" {
				c.Flags[i] = "skip_slowlog"
			}
		}
	})
	e.removeFlags("loading", "memory|malloc-stats", "memory|purge") // #1317

	bgsave := e.command("bgsave") // CANCEL (#757) made a choice of the one word
	word := bgsave.Arguments[0].Arguments[0]
	word.Optional = true
	bgsave.Arguments = []catalog.Argument{word}

	set := e.command("set") // IFEQ (#1324) moved the date to the single words
	condition := &set.Arguments[2]
	condition.Since = condition.Arguments[0].Since
	for i := range condition.Arguments {
		condition.Arguments[i].Since = ""
	}

	filters := e.command("client|kill").Arguments[0].Arguments[1].Arguments // ID took several (#1401)
	filters[0].Multiple = false
	e.cut("client", "    * USER <username>", 12) // the filters of LIST
	e.cut("client", "    * ID <client-id> [<client-id>...]", 2)
	e.cut("client", "IMPORT-SOURCE (ON|OFF)", 4)

	e.drop("active-defrag-cycle-us", "cluster-manual-failover-timeout", "import-mode", "log-format", "log-timestamp-format", "rdb-version-check",
		"rdma-bind", "rdma-completion-vector", "rdma-port", "rdma-rx-size",
		"commandlog-execution-slower-than", "commandlog-slow-execution-max-len", "commandlog-large-request-max-len", "commandlog-large-reply-max-len",
		"commandlog-request-larger-than", "commandlog-reply-larger-than")
	e.add(&catalog.Config{Name: "dynamic-hz", Default: "yes", Kind: catalog.KindBool}, // #1387
		&catalog.Config{Name: "io-threads-do-reads", Default: "no", Kind: catalog.KindBool, Immutable: true}) // #1138
	e.config("io-threads").Max = 128 // #1220
}

func undo80(e *editor) {
	e.removeFlags("loading", "cluster|info", "cluster|myid", "cluster|myshardid", "cluster|nodes") // #596
	e.removeFlags("no_multi", "multi", "watch")                                                    // #723
	for _, name := range []string{"wait", "waitaof"} {
		c := e.command(name)
		c.Flags, c.Categories = without(c.Flags, "blocking"), without(c.Categories, "@blocking")
	}
	e.command("waitaof").Flags = []string{"noscript"}
	e.command("sinterstore").KeySpecs[0].Flags[0] = "RW"

	bitcount := &e.command("bitcount").Arguments[1] // the end became optional
	bitcount.Arguments = append(bitcount.Arguments[:1:1], bitcount.Arguments[1].Arguments...)
	shutdown := e.command("shutdown") // ABORT was written as one option more
	block, abort := shutdown.Arguments[0].Arguments[0], shutdown.Arguments[0].Arguments[1]
	abort.Optional = true
	shutdown.Arguments = append(block.Arguments[:len(block.Arguments):len(block.Arguments)], abort)
	e.dropArgument("hscan", "novalues")
	e.dropArgument("zscan", "noscores")
	e.command("xgroup|create").Arguments[4].Name = "entries-read"
	e.command("xinfo|consumers").History[0].Text = "Added the `inactive` field."
	e.command("georadius_ro").History = e.command("georadius_ro").History[:1]
	e.command("georadiusbymember").History = e.command("georadiusbymember").History[1:]
	e.command("georadiusbymember_ro").History = nil
	slots := e.command("cluster|slots") // deprecated no more (#536)
	slots.DocFlags, slots.DeprecatedSince, slots.ReplacedBy = []string{"deprecated"}, "7.0.0", "`CLUSTER SHARDS`"

	oldNames(e)
	e.cut("client", "CAPA <option> [options...]", 4)
	e.cut("client", "    * MAXAGE <maxage>", 2)
	e.cut("script", "SHOW <sha1>", 2)
	e.reword("client", "PRIMARY", "MASTER")
	e.reword("command", "about all commands", "about all Redis commands", "this server", "this Redis server",
		"multiple commands", "multiple Redis commands", "a full command", "a full Redis command")
	e.reword("script", "the behavior is determined", "the behavior is determined by the", " by the lazyfree-lazy-user-flush", "lazyfree-lazy-user-flush")
	e.insert("function", "    * The engine used to run the Library", "    * Library description")

	e.drop("server-cpulist", "bio-cpulist", "aof-rewrite-cpulist", "bgsave-cpulist", "availability-zone", "cluster-announce-client-ipv4",
		"cluster-announce-client-ipv6", "cluster-blacklist-ttl", "cluster-slot-stats-enabled", "dual-channel-replication-enabled",
		"extended-redis-compatibility", "hide-user-data-from-log", "max-new-connections-per-cycle", "max-new-tls-connections-per-cycle",
		"prefetch-batch-max-size", "primaryauth", "primaryuser", "unixsocketgroup")
	e.defaults("no", "lazyfree-lazy-eviction", "lazyfree-lazy-expire", "lazyfree-lazy-server-del", "lazyfree-lazy-user-del",
		"lazyfree-lazy-user-flush", "replica-lazy-flush", "slave-lazy-flush") // #913
	e.defaults("1048576", "repl-backlog-size") // #911
	e.defaults("redis", "syslog-ident")
	e.config("maxmemory-samples").Max = math.MaxInt32
	load := e.config("repl-diskless-load")
	load.Enum = without(load.Enum, "flush-before-load")
	load.Prints = load.Enum
	e.drop("debug-context", "enable-debug-assert", "events-per-io-thread")
}

// oldNames puts back what the command table said before it left the old name out.
func oldNames(e *editor) {
	for _, c := range []struct{ name, new, old string }{
		{"append", "used by the server", "used by Redis"},
		{"cluster", "for Cluster commands", "for Redis Cluster commands"},
		{"cluster|failover", "its primary", "its master"},
		{"cluster|slaves", "a primary node", "a master node"},
		{"cluster|replicas", "a primary node", "a master node"},
		{"cluster|replicate", "a primary node", "a master node"},
		{"command", "number of commands", "number of Redis commands"},
		{"command|list", "number of commands", "number of Redis commands"},
		{"dump", "number of objects", "number of Redis objects"},
		{"restore", "number of objects", "number of Redis objects"},
		{"restore-asking", "number of objects", "number of Redis objects"},
		{"hello", "the server", "the Redis server"},
		{"lolwut", "the server version", "the Redis version"},
		{"migrate", "from one instance", "from one Redis instance"},
		{"object|freq", "of an object", "of a Redis object"},
		{"object|encoding", "of an object", "of a Redis object"},
		{"object|idletime", "to an object", "to a Redis object"},
		{"readonly", "a Valkey replica", "a Redis Cluster replica"},
		{"readwrite", "a Valkey replica", "a Reids Cluster replica"},
		{"replicaof", "a primary", "a master"},
		{"shutdown", "down the server", "down the Redis server"},
		{"slaveof", "Sets a server", "Sets a Redis server"},
		{"slaveof", "a primary", "a master"},
		{"swapdb", "two databases", "two Redis databases"},
		{"waitaof", "the primary", "the master"},
	} {
		m := e.command(c.name)
		was := m.Summary + m.Complexity
		m.Summary = strings.ReplaceAll(m.Summary, c.new, c.old)
		m.Complexity = strings.ReplaceAll(m.Complexity, c.new, c.old)
		if was == m.Summary+m.Complexity {
			panic(c.name + " does not say " + c.new)
		}
	}
}
