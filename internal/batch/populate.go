package batch

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/engine/populate"
	"github.com/keyloupe/keyloupe/engine/release"
)

// Population is what populate builds.
type Population struct {
	Keys  int    // number of keys, key:%012d
	Shape string // one of Shapes
	Value int    // bytes of each value, "v" repeated
	TTL   bool   // keys expire
}

// Row is what a population measures, as bulk/ has it. Sizes are in bytes.
type Row struct {
	Version     string `json:"version"`
	Profile     string `json:"profile"`
	Shape       string `json:"shape"`
	N           int    `json:"n"`
	KeyLen      int    `json:"keylen"`
	ValLen      int    `json:"vallen"`
	TTL         int    `json:"ttl"`
	Delta       int64  `json:"delta"`
	PerKey      string `json:"per_key"`
	Main        int    `json:"main_overhead"`
	Expires     int    `json:"expires_overhead"`
	Lut         *int   `json:"lut"` // null before 8.0, which does not tell
	Usage       int    `json:"usage"`
	Encoding    string `json:"encoding"`
	Buckets     int    `json:"buckets"`
	Children    *int   `json:"children"` // null where the tables have no child buckets
	ExpBuckets  int    `json:"exp_buckets"`
	ExpChildren *int   `json:"exp_children"`
}

const far = "4102444800000"

// shapes are the commands that make a key. A nil argument is the key.
var shapes = map[string]func(value string, ttl bool) (make, then []string){
	"string": func(v string, ttl bool) ([]string, []string) {
		if ttl {
			return []string{"SET", "", v, "PXAT", far}, nil
		}
		return []string{"SET", "", v}, nil
	},
	"hash1":      func(v string, ttl bool) ([]string, []string) { return []string{"HSET", "", "field0", v}, expiring(ttl) },
	"hashtable1": func(v string, ttl bool) ([]string, []string) { return []string{"HSET", "", "field0", v}, expiring(ttl) },
	"hash10": func(v string, ttl bool) ([]string, []string) {
		cmd := []string{"HSET", ""}
		for i := range 10 {
			cmd = append(cmd, "field"+strconv.Itoa(i), v)
		}
		return cmd, expiring(ttl)
	},
	"hashttl1": func(v string, ttl bool) ([]string, []string) {
		return []string{"HSETEX", "", "PXAT", far, "FIELDS", "1", "field0", v}, expiring(ttl)
	},
}

func expiring(ttl bool) []string {
	if !ttl {
		return nil
	}
	return []string{"PEXPIREAT", "", far}
}

// Shapes lists the shapes of a population.
func Shapes() []string {
	var out []string
	for s := range shapes {
		out = append(out, s)
	}
	sort.Strings(out)
	return out
}

// MaxKeys bounds a population.
const MaxKeys = 100_000_000

// Check tells what of a population is not as it can be.
func (p *Population) Check() error {
	switch {
	case shapes[p.Shape] == nil:
		return fmt.Errorf("unknown shape %q: the shapes are %s", p.Shape, strings.Join(Shapes(), ", "))
	case p.Keys < 1 || p.Keys > MaxKeys:
		return fmt.Errorf("%d keys: give a number from 1 to %d", p.Keys, MaxKeys)
	case p.Value < 0 || p.Value > MaxRepeat:
		return fmt.Errorf("a value of %d bytes: give a length from 0 to %d", p.Value, MaxRepeat)
	}
	return nil
}

// Commands is the number of commands that make a population.
func (p *Population) Commands() int {
	if _, then := shapes[p.Shape]("", p.TTL); then != nil {
		return 2 * p.Keys
	}
	return p.Keys
}

// Populate builds a population and measures it. progress, if not nil, is told how many commands are
// done now and then; its error ends the work and is returned.
func Populate(t Target, p Population, progress func(n int) error) (*Row, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	s, err := t.start()
	if err != nil {
		return nil, err
	}
	if progress == nil {
		progress = func(int) error { return nil }
	}
	before := s.Used()
	first, then := shapes[p.Shape](strings.Repeat("v", p.Value), p.TTL)
	if err := fill(s, first, p.Keys, progress); err != nil {
		return nil, err
	}
	if err := fill(s, then, p.Keys, func(n int) error { return progress(p.Keys + n) }); err != nil {
		return nil, err
	}
	populate.Settle(s)
	return row(s, p, s.Used()-before), nil
}

// fill sends a command for every key; the empty argument is the key.
func fill(s *engine.Server, cmd []string, keys int, progress func(n int) error) error {
	if cmd == nil {
		return nil
	}
	args := make([][]byte, len(cmd))
	for i, a := range cmd {
		args[i] = []byte(a)
	}
	key := []byte("key:000000000000")
	args[1] = key
	next := func(n int) [][]byte {
		for i, x := len(key)-1, n; i > 3; i, x = i-1, x/10 {
			key[i] = '0' + byte(x%10)
		}
		return args
	}
	return populate.Fill(s, keys, next, progress)
}

func row(s *engine.Server, p Population, delta int64) *Row {
	o := s.Space.DB(0).Overhead()
	info, _ := s.KeyInfo(0, []byte("key:000000000000"))
	r := &Row{Version: s.Release.Version, Profile: profiles[s.Release.Build.Name], Shape: p.Shape, N: p.Keys, KeyLen: 16, ValLen: p.Value,
		Delta: delta, PerKey: strconv.FormatFloat(float64(delta)/float64(p.Keys), 'f', 4, 64),
		Main: o.Main, Expires: o.Expires, Usage: info.Usage, Encoding: info.Encoding}
	if p.TTL {
		r.TTL = 1
	}
	if s.Release.KeyTable != release.DictWithKeyPointer {
		r.Lut = &o.Lut
	}
	keys, exp := s.Space.DB(0).Tables()
	r.Buckets, r.ExpBuckets = keys.Buckets, exp.Buckets
	if s.Release.KeyTable == release.Hashtable {
		r.Children, r.ExpChildren = &keys.Children, &exp.Children
	}
	return r
}
