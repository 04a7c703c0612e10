//go:build !js

package main

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/keyloupe/keyloupe/engine/catalog"
	"github.com/keyloupe/keyloupe/internal/realserver"
)

// hidden are directives that CONFIG GET shows only by their full names, of any release (config.c, HIDDEN_CONFIG).
var hidden = []string{
	"use-exit-on-panic", "aof-disable-auto-gc", "enable-debug-assert", "lua-enable-insecure-api", "lua-enable-deprecated-api",
	"io-threads-always-active", "events-per-io-thread", "req-res-logfile", "debug-context", "min-io-threads-avoid-copy-reply",
	"min-string-size-avoid-copy-reply", "min-string-size-avoid-copy-reply-threaded", "rdb-key-save-delay", "key-load-delay",
	"watchdog-period", "cluster-message-gossip-perc", "client-default-resp", "cluster-ping-interval",
	"loading-process-events-interval-bytes", "sanitize-dump-payload", "min-io-threads-value-prefetch-off", "cluster-blacklist-ttl",
	"lazyfree-lazy-user-flush", "tls-auto-reload-interval", "dynamic-hz", "io-threads-do-reads",
}

// standing are values that come from how the server is started here, or from this machine. dir is what the official
// images use.
var standing = map[string]string{"port": "6379", "bind": "* -::*", "dir": "/data", "maxclients": "10000", "pidfile": ""}

// immutableTwins cannot be found by setting one and reading the other.
var immutableTwins = map[string]string{
	"server-cpulist": "server_cpulist", "bio-cpulist": "bio_cpulist", "aof-rewrite-cpulist": "aof_rewrite_cpulist",
	"bgsave-cpulist": "bgsave_cpulist", "replicaof": "slaveof",
}

// A prober finds out about directives by setting them.
type prober struct {
	v    realserver.Version
	c    *realserver.Client
	open *realserver.Client // of a server that lets protected directives be set
}

func readConfigs(v realserver.Version, s *realserver.Server) ([]*catalog.Config, error) {
	o, err := realserver.Launch(v, realserver.Bare(), realserver.Flags("--enable-protected-configs", "yes"))
	if err != nil {
		return nil, err
	}
	defer o.Stop()
	o.Do("HELLO", "3")
	p := &prober{v: v, c: s.Client(), open: o.Client()}
	values, shown := p.values(), p.get("*")
	var configs []*catalog.Config
	for name, value := range values {
		g := &catalog.Config{Name: name, Default: value}
		_, inAll := shown[name]
		g.Hidden = !inAll
		configs = append(configs, g)
	}
	slices.SortFunc(configs, func(a, b *catalog.Config) int { return strings.Compare(a.Name, b.Name) })
	for _, g := range configs {
		if g.Name == "bind" { // an address that cannot be bound ends 9.0.0
			continue
		}
		q := p
		if p.set(g.Name, garbage) == "can't set protected config" {
			g.Protected = true
			q = &prober{v: v, c: p.open}
		}
		if err := q.probe(g); err != nil {
			return nil, fmt.Errorf("%s: %w", g.Name, err)
		}
		q.findTwin(g)
	}
	pairTwins(configs)
	for _, g := range configs {
		if d, ok := standing[g.Name]; ok {
			g.Default = d
		}
	}
	return configs, nil
}

func (p *prober) get(pattern string) map[string]string {
	values := map[string]string{}
	for _, pair := range p.c.Do("CONFIG", "GET", pattern).(realserver.Map) {
		values[text(pair.Key)] = text(pair.Value)
	}
	return values
}

// values are those of all directives, the hidden ones too.
func (p *prober) values() map[string]string {
	values := p.get("*")
	for _, name := range hidden {
		for n, value := range p.get(name) {
			values[n] = value
		}
	}
	return values
}

// set tries a value and returns the server's words, "" if it took it.
func (p *prober) set(name, value string) string {
	reply := p.c.Do("CONFIG", "SET", name, value)
	e, _ := reply.(realserver.Error)
	_, words, found := strings.Cut(string(e), "') - ")
	if e != "" && !found {
		return string(e)
	}
	return words
}

// start tries a value of an immutable directive on the command line of another server.
func (p *prober) start(name, value string) string {
	s, err := realserver.Launch(p.v, realserver.Bare(), realserver.Flags("--"+name, value))
	if err == nil {
		s.Stop()
		return ""
	}
	lines := strings.Split(strings.TrimSpace(err.Error()), "\n")
	return lines[len(lines)-1]
}

var (
	between = regexp.MustCompile(`^argument must be between (-?\d+) and (-?\d+) inclusive$`)
	oneOf   = regexp.MustCompile(`^argument\(s\) must be one of the following: (.*)$`)
)

const (
	garbage = "\x01no value\x01"
	biggest = "9223372036854775807"
	least   = "-9223372036854775808"
	half64  = "9223372036854775808"
	all64   = "18446744073709551615"
)

// probe learns a directive's kind from the words the server has for nonsense.
func (p *prober) probe(g *catalog.Config) error {
	try := p.set
	words := try(g.Name, garbage)
	if words == "can't set immutable config" {
		g.Immutable = true
		if g.Name == "replicaof" || g.Name == "slaveof" {
			return nil
		}
		try = p.start
		words = try(g.Name, garbage)
	}
	if m := oneOf.FindStringSubmatch(words); m != nil {
		g.Kind, g.Enum = catalog.KindEnum, strings.Split(m[1], ", ")
		return p.probeEnum(g)
	}
	switch words {
	case "argument must be 'yes' or 'no'":
		g.Kind = catalog.KindBool
	case "argument couldn't be parsed into an integer":
		g.Kind = catalog.KindInteger
		return p.probeRange(g, try, biggest)
	case "argument must be a memory value":
		g.Kind = catalog.KindMemory
		if !g.Immutable && try(g.Name, "-1") == "" {
			g.SignedMemory = true
			return p.probeRange(g, try, least)
		}
		return p.probeRange(g, try, all64)
	case "argument must be a memory or percent value":
		g.Kind, g.Percent, g.Min, g.Max = catalog.KindMemory, true, -100, math.MaxInt64
		if w := try(g.Name, "101%"); w != "percentage argument must be less or equal to 100" {
			return fmt.Errorf("101%% is answered %q", w)
		}
	case "argument couldn't be parsed as an octal number":
		g.Kind, g.Max = catalog.KindOctal, 0o777
		if w := try(g.Name, "1000"); w != "argument must be between 0 and 777 inclusive" {
			return fmt.Errorf("1000 is answered %q", w)
		}
	case "argument couldn't be parsed as an unsigned number":
		g.Kind = catalog.KindUnsigned
		return p.probeRange(g, try, all64)
	}
	if !g.Immutable {
		p.set(g.Name, g.Default)
	}
	return nil
}

func (p *prober) probeRange(g *catalog.Config, try func(name, value string) string, top string) error {
	if !g.Immutable {
		defer p.set(g.Name, g.Default)
	}
	words := try(g.Name, top)
	if m := between.FindStringSubmatch(words); m != nil && m[2] == all64 {
		g.Unbounded = true
		return nil
	}
	if words == "" && top == all64 { // as unsigned the most; as signed -1, which may be allowed
		words = try(g.Name, half64)
		if words == "" {
			g.Unbounded = true
			return nil
		}
	}
	g.Max = math.MaxInt64
	if words == "" {
		words = try(g.Name, least)
	}
	if words == "" {
		g.Min = math.MinInt64
		return nil
	}
	m := between.FindStringSubmatch(words)
	if m == nil {
		return fmt.Errorf("out of range is answered %q", words)
	}
	var err error
	if g.Min, err = strconv.ParseInt(m[1], 10, 64); err != nil {
		return err
	}
	g.Max, err = strconv.ParseInt(m[2], 10, 64)
	return err
}

// probeEnum learns what CONFIG GET makes of each word, and whether several may be given.
func (p *prober) probeEnum(g *catalog.Config) error {
	if g.Immutable {
		g.Prints = g.Enum
		return nil
	}
	for _, e := range g.Enum {
		prints := e
		if p.set(g.Name, e) == "" {
			prints = p.get(g.Name)[g.Name]
		}
		g.Prints = append(g.Prints, prints)
	}
	last := g.Enum[len(g.Enum)-1]
	g.Words = p.set(g.Name, last+" "+last) == ""
	p.set(g.Name, g.Default)
	return nil
}

// findTwin sets a value and sees which other directive changes with it.
func (p *prober) findTwin(g *catalog.Config) {
	if g.Immutable {
		g.Twin = immutableTwins[g.Name]
		return
	}
	if strings.HasPrefix(g.Name, "tls-") { // tls-cluster yes without a certificate ends 8.1.8
		return
	}
	other := ""
	switch g.Kind {
	case catalog.KindBool:
		other = map[string]string{"yes": "no", "no": "yes"}[g.Default]
	case catalog.KindInteger, catalog.KindMemory:
		n, err := strconv.ParseInt(g.Default, 10, 64)
		if err != nil || g.Name == "port" || g.Name == "io-threads" {
			return
		}
		other = strconv.FormatInt(n+1, 10)
	case catalog.KindText:
		if g.Name == "requirepass" {
			return
		}
		other = "x"
	default:
		return
	}
	before := p.values()
	if p.set(g.Name, other) == "" {
		for name, value := range p.values() {
			if name != g.Name && value != before[name] {
				g.Twin = name
			}
		}
	}
	p.set(g.Name, g.Default)
}

// badNames are the bytes a node's name must not have.
func badNames(s *realserver.Server) string {
	var bad []byte
	for c := 1; c < 256; c++ {
		if reply := s.Do("CONFIG", "SET", "cluster-announce-human-nodename", "a"+string([]byte{byte(c)})); reply != realserver.Status("OK") {
			bad = append(bad, byte(c))
		}
	}
	s.Do("CONFIG", "SET", "cluster-announce-human-nodename", "")
	return string(bad)
}

// looseNumbers tells whether a number over 64 bits is the largest one or refused.
func looseNumbers(s *realserver.Server) bool {
	defer s.Do("CONFIG", "SET", "maxmemory", "0")
	return s.Do("CONFIG", "SET", "maxmemory", all64+"0") == realserver.Status("OK")
}

// checksClusterIP tells whether cluster-announce-ip refuses what is too long for an address.
func checksClusterIP(s *realserver.Server) bool {
	defer s.Do("CONFIG", "SET", "cluster-announce-ip", "")
	return s.Do("CONFIG", "SET", "cluster-announce-ip", strings.Repeat("1", 46)) != realserver.Status("OK")
}

func pairTwins(configs []*catalog.Config) {
	byName := map[string]*catalog.Config{}
	for _, g := range configs {
		byName[g.Name] = g
	}
	for _, g := range configs {
		if t := byName[g.Twin]; t != nil {
			t.Twin = g.Name
		}
	}
}
