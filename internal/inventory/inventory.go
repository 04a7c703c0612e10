// Package inventory tells what the keys of servers take, side by side: by type and encoding, by prefix, and which are the
// biggest.
package inventory

import (
	"cmp"
	"container/heap"
	"slices"
	"strings"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/engine/layout"
)

// Options say what is counted.
type Options struct {
	Separator string // keys that are equal before it make a group; "" makes no groups
	Depth     int    // at its how-manieth occurrence; 0 is the first
	Top       int    // how many keys and groups are told, the biggest ones
}

// Inventory is what servers with the same keys keep.
type Inventory struct {
	Servers  []Totals `json:"servers"`
	Types    []Type   `json:"types"`              // by type, then encoding
	Prefixes []Prefix `json:"prefixes,omitempty"` // the biggest on the first server, in that order
	Biggest  []Key    `json:"biggest"`            // on the first server

	o        Options
	types    map[[2]string]*Type
	prefixes map[string]*Prefix
	rest     Prefix // of the keys whose prefixes are not counted apart
}

// Totals are of all keys of a server. Sizes are in bytes.
type Totals struct {
	Server  string `json:"server"`
	Keys    int    `json:"keys"`
	Expires int    `json:"expires"`     // keys that expire
	Used    int64  `json:"used_memory"` // of the data: what it adds to an empty server's
	Blocks  int64  `json:"blocks"`      // of it, in blocks of the keys
	Tables  int64  `json:"tables"`      // and the rest, the tables that find them
}

// Sum is some keys of one server: how many, and the usable bytes of their blocks.
type Sum struct {
	Keys  int   `json:"keys"`
	Bytes int64 `json:"bytes"`
}

func (s *Sum) add(bytes int64) {
	s.Keys++
	s.Bytes += bytes
}

// Type is the keys of one type and encoding, on each server.
type Type struct {
	Type     string `json:"type"`
	Encoding string `json:"encoding"`
	Servers  []Sum  `json:"servers"`
}

// Prefix is the keys that begin alike, on each server.
type Prefix struct {
	Prefix  string `json:"prefix"`         // with its separator; "" is the keys without one
	Rest    bool   `json:"rest,omitempty"` // those that are not told one by one
	Servers []Sum  `json:"servers"`
}

// Key is one key, on each server.
type Key struct {
	DB      int     `json:"db"`
	Key     string  `json:"key"`
	Type    string  `json:"type"`
	Servers []Sizes `json:"servers"`
}

// Sizes is what one server keeps for a key.
type Sizes struct {
	Encoding string `json:"encoding"`
	Bytes    int64  `json:"bytes"`        // usable bytes of its blocks
	Usage    int64  `json:"memory_usage"` // what MEMORY USAGE SAMPLES 0 prints
}

// maxPrefixes bounds how many prefixes are counted apart: keys may have no common ones.
const maxPrefixes = 100_000

// New is an empty inventory.
func New(o Options) *Inventory {
	return &Inventory{o: o, types: map[[2]string]*Type{}, prefixes: map[string]*Prefix{}}
}

// Add counts the keys of a server. Its used_memory was empty bytes before they came. watch, if not nil, is told how many
// keys are counted now and then; its error ends the work and is returned.
func (v *Inventory) Add(s *engine.Server, empty int64, watch func(keys int) error) error {
	t := Totals{Server: s.Release.Name(), Used: s.Used() - empty}
	biggest := &byBytes{}
	var err error
	for db := range s.Space.Databases() {
		d := s.Space.Existing(db)
		if d == nil {
			continue
		}
		t.Expires += d.Expires()
		s.EachKey(db, func(key []byte) {
			if err != nil {
				return
			}
			k, _ := sizes(s, db, key)
			t.Keys++
			t.Blocks += k.Servers[0].Bytes
			v.count(k)
			if len(v.Servers) == 0 {
				biggest.keep(k, v.o.Top)
			}
			if watch != nil && t.Keys%watchEvery == 0 {
				err = watch(t.Keys)
			}
		})
	}
	t.Tables = t.Used - t.Blocks
	v.Servers = append(v.Servers, t)
	if len(v.Servers) == 1 {
		v.Biggest = biggest.sorted()
	} else {
		v.sizeBiggest(s)
	}
	return err
}

// watchEvery is the number of keys between two calls of watch.
const watchEvery = 1 << 12

// sizes is a key on one server.
func sizes(s *engine.Server, db int, key []byte) (k Key, ok bool) {
	pic := layout.Picture{Limit: -1} // the sum of the blocks needs no drawing
	info, ok := s.Picture(&pic, s.Space.DB(db), key)
	return Key{DB: db, Key: info.Key, Type: info.Type, Servers: []Sizes{{info.Encoding, int64(pic.Total()), int64(info.Usage)}}}, ok
}

// count adds a key of the server that is next in Servers to its groups.
func (v *Inventory) count(k Key) {
	i, size := len(v.Servers), k.Servers[0].Bytes
	id := [2]string{k.Type, k.Servers[0].Encoding}
	t := v.types[id]
	if t == nil {
		t = &Type{Type: id[0], Encoding: id[1]}
		v.types[id] = t
	}
	at(&t.Servers, i).add(size)
	if v.o.Separator == "" {
		return
	}
	name := prefixOf(k.Key, v.o.Separator, v.o.Depth)
	p := v.prefixes[name]
	switch {
	case p == nil && (i > 0 || len(v.prefixes) >= maxPrefixes):
		p = &v.rest
	case p == nil:
		p = &Prefix{Prefix: name}
		v.prefixes[name] = p
	}
	at(&p.Servers, i).add(size)
}

// at is element i of a list that grows up to it.
func at(list *[]Sum, i int) *Sum {
	for len(*list) <= i {
		*list = append(*list, Sum{})
	}
	return &(*list)[i]
}

// prefixOf is a key up to its how-manieth separator, that one included.
func prefixOf(key, separator string, depth int) string {
	end := 0
	for range max(1, depth) {
		i := strings.Index(key[end:], separator)
		if i < 0 {
			break
		}
		end += i + len(separator)
	}
	return key[:end]
}

// sizeBiggest tells the sizes of the biggest keys on a further server.
func (v *Inventory) sizeBiggest(s *engine.Server) {
	for i := range v.Biggest {
		k := &v.Biggest[i]
		here, _ := sizes(s, k.DB, []byte(k.Key))
		k.Servers = append(k.Servers, here.Servers[0])
	}
}

// Done sorts what was counted, when every server was added.
func (v *Inventory) Done() {
	n := len(v.Servers) - 1
	for _, t := range v.types {
		at(&t.Servers, n)
		v.Types = append(v.Types, *t)
	}
	slices.SortFunc(v.Types, func(a, b Type) int { return cmp.Or(cmp.Compare(a.Type, b.Type), cmp.Compare(a.Encoding, b.Encoding)) })
	for _, p := range v.prefixes {
		at(&p.Servers, n)
		v.Prefixes = append(v.Prefixes, *p)
	}
	slices.SortFunc(v.Prefixes, func(a, b Prefix) int {
		return cmp.Or(cmp.Compare(b.Servers[0].Bytes, a.Servers[0].Bytes), cmp.Compare(a.Prefix, b.Prefix))
	})
	v.foldPrefixes()
}

// foldPrefixes keeps the biggest prefixes and adds up the others.
func (v *Inventory) foldPrefixes() {
	for len(v.Prefixes) > v.o.Top {
		last := len(v.Prefixes) - 1
		for i, s := range v.Prefixes[last].Servers {
			sum := at(&v.rest.Servers, i)
			sum.Keys += s.Keys
			sum.Bytes += s.Bytes
		}
		v.Prefixes = v.Prefixes[:last]
	}
	if len(v.rest.Servers) > 0 {
		at(&v.rest.Servers, len(v.Servers)-1)
		v.rest.Rest = true
		v.Prefixes = append(v.Prefixes, v.rest)
	}
}

// byBytes is a heap of keys, the smallest on top.
type byBytes []Key

func (h byBytes) Len() int { return len(h) }
func (h byBytes) Less(i, j int) bool {
	a, b := h[i], h[j]
	return cmp.Or(cmp.Compare(a.Servers[0].Bytes, b.Servers[0].Bytes), cmp.Compare(b.DB, a.DB), cmp.Compare(b.Key, a.Key)) < 0
}
func (h byBytes) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *byBytes) Push(k any)   { *h = append(*h, k.(Key)) }
func (h *byBytes) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// keep adds a key where it is one of the n biggest.
func (h *byBytes) keep(k Key, n int) {
	heap.Push(h, k)
	if len(*h) > n {
		heap.Pop(h)
	}
}

// sorted is the keys, the biggest first.
func (h *byBytes) sorted() []Key {
	out := make([]Key, len(*h))
	for i := len(out) - 1; i >= 0; i-- {
		out[i] = heap.Pop(h).(Key)
	}
	return out
}
