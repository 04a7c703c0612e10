package command

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/keyloupe/keyloupe/engine/catalog"
	"github.com/keyloupe/keyloupe/engine/keyspace"
	"github.com/keyloupe/keyloupe/engine/release"
	"github.com/keyloupe/keyloupe/engine/siphash"
)

var _ = add(map[string]handler{
	"config|get": configGetCommand, "config|set": configSetCommand,
	"config|resetstat": configResetstatCommand, "config|rewrite": configRewriteCommand,
})

// newSettings are a release's defaults.
func newSettings(rel *release.Release, cat *catalog.Catalog) *catalog.Settings {
	set := cat.NewSettings()
	set.Defrag = rel.Build.ID == release.Jemalloc || rel.Build.ID == release.Managed
	return set
}

// configured is called after directives were set: what is asked for all the time is kept apart from
// the settings.
func (s *Server) configured() {
	s.maxMemory = uint64(s.Conf.Int("maxmemory"))
	s.needsReplicas = s.Conf.Int("min-replicas-to-write") > 0 && s.Conf.Int("min-replicas-max-lag") > 0
	s.readLogDirectives()
	s.spikeFrom = time.Duration(s.Conf.Int("latency-monitor-threshold")) * time.Millisecond
	s.timesCommands = s.Conf.Yes("latency-tracking")
	s.events = s.Conf.Text("notify-keyspace-events")
	policy := s.Conf.Text("maxmemory-policy")
	// an object shared by many keys could not keep when each was used (server.c, updateSharedIntegers)
	s.Space.LFU = keyspace.LFU{On: s.lfu(), LogFactor: s.Conf.Int("lfu-log-factor"), DecayTime: s.Conf.Int("lfu-decay-time"), Random: s.Rand.Float64}
	s.Space.Unshared = s.maxMemory != 0 && policyKeepsTime[policy]
	s.Space.Import = s.importing() || s.replica()
	for _, f := range s.onConfig {
		f()
	}
}

// policyKeepsTime are the policies that go by when, or how often, an object was used.
var policyKeepsTime = map[string]bool{"allkeys-lru": true, "volatile-lru": true, "allkeys-lfu": true, "volatile-lfu": true}

// SetDirective sets a directive as the configuration file does at start: immutable ones too.
func (s *Server) SetDirective(name, value string) error {
	if !s.Conf.Known(name) {
		return fmt.Errorf("%s has no directive %q", s.R.Label(), name)
	}
	if bad := s.Conf.Load(name, value); bad != "" {
		return fmt.Errorf("directive %s %s: %s", name, strconv.Quote(value), bad)
	}
	switch s.Cat.Config(name).Name {
	case "databases":
		s.Space.SetDatabases(int(s.Conf.Int("databases")))
		s.noteEmpty()
	case "replicaof":
		s.primary = parsePrimary(s.Conf.Text("replicaof"))
	case "hash-seed":
		if seed := s.Conf.Text("hash-seed"); seed != "" {
			s.Space.KeySeed = siphash.SeedFrom(seed)
		}
	}
	s.configured()
	return nil
}

func configGetCommand(c *Client) { c.S.Conf.Get(c, c.Args[2:]) }

func configSetCommand(c *Client) {
	if text := c.S.Conf.Set(c.Args[2:]); text != "" {
		c.Error(text)
		return
	}
	c.S.configured()
	c.S.eviction.due = true
	c.OK()
}

func configResetstatCommand(c *Client) {
	c.S.Stats.reset()
	c.S.Space.Stats.Hits, c.S.Space.Stats.Misses = 0, 0
	c.S.eviction.keys = 0
	c.S.Space.Stats.Expired, c.S.Space.Stats.ExpiredFields = 0, 0
	c.OK()
}

// configRewriteCommand is the server's answer where it was started without a configuration file.
func configRewriteCommand(c *Client) { c.Error("ERR The server is running without a config file") }

// overMemory tells whether n more bytes would pass maxmemory.
func (s *Server) overMemory(n int) bool {
	return s.maxMemory != 0 && s.maxMemory < math.MaxInt64 && s.UsedMemory()+int64(n) > int64(s.maxMemory)
}
