package lab

import (
	"bytes"
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/engine/glob"
	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/object"
	"github.com/keyloupe/keyloupe/ui/wire"
)

// index is the names of the keys of the database shown, in order. It follows the commands one key at a time, so that a
// list of 100,000 keys need not be read again after each of them.
type index struct {
	db     int
	names  []string
	has    map[string]uint8 // a bit a server that has the key
	count  []int            // keys of each server that the index knows of
	sizes  map[string][]int // allocated bytes, of the keys whose sizes were asked for
	unsure bool             // something changed that named no keys
	sorted string           // how order is sorted
	search string
	order  []string // what the search found, sorted; the names themselves where neither was asked for
	stale  bool     // order must be made again
}

// rebuild reads all names again.
func (x *index) rebuild(lab *engine.Lab) {
	*x = index{db: lab.Servers[0].Client.DB.ID, has: map[string]uint8{}, sizes: map[string][]int{}, count: make([]int, len(lab.Servers)), stale: true}
	for i, s := range lab.Servers {
		s.Client.DB.Each(func(key []byte, _ heap.Ptr) bool {
			k := string(key)
			if x.has[k] == 0 {
				x.names = append(x.names, k)
			}
			x.has[k] |= 1 << i
			x.count[i]++
			return true
		})
	}
	sort.Strings(x.names)
}

// touch looks at one key again.
func (x *index) touch(lab *engine.Lab, key string) {
	was := x.has[key]
	var now uint8
	for i, s := range lab.Servers {
		if s.Client.DB.Peek([]byte(key)) != 0 {
			now |= 1 << i
		}
		x.count[i] += int(now>>i&1) - int(was>>i&1)
	}
	delete(x.sizes, key)
	if was == now && x.sorted == "" {
		return
	}
	x.stale = true
	at, found := slices.BinarySearch(x.names, key)
	switch {
	case now != 0 && !found:
		x.names = slices.Insert(x.names, at, key)
	case now == 0 && found:
		x.names = slices.Delete(x.names, at, at+1)
	}
	if now == 0 {
		delete(x.has, key)
	} else {
		x.has[key] = now
	}
}

// check rebuilds the index where it no longer fits the servers: keys expired, or a command named none.
func (x *index) check(lab *engine.Lab) {
	fits := !x.unsure && x.db == lab.Servers[0].Client.DB.ID
	for i, s := range lab.Servers {
		fits = fits && x.count[i] == s.Client.DB.Len()
	}
	if !fits {
		sorted, search := x.sorted, x.search
		x.rebuild(lab)
		x.sorted, x.search = sorted, search
	}
}

// list is a window of the names that a search finds.
func (l *Lab) list(k *wire.Keys) *wire.Listed {
	x := &l.keys
	out := &wire.Listed{At: -1, Rows: []wire.Key{}}
	if l.host != nil {
		l.host.survey(k.Search, out)
	} else {
		x.check(l.lab)
	}
	if x.stale || k.Sort != x.sorted || k.Search != x.search {
		x.sorted, x.search, x.stale = k.Sort, k.Search, false
		if x.order = x.names; k.Search != "" && l.host == nil {
			x.order = x.find(k.Search)
		}
		l.sort(k.Sort)
	}
	from := max(0, min(k.From, len(x.order)))
	end := min(len(x.order), from+max(0, min(k.Count, maxRows)))
	out.From, out.Found = from, len(x.order)
	l.look(func() { out.All = l.totals() })
	l.each(end-from, func(i int) { out.Rows = append(out.Rows, l.row(x.order[from+i])) })
	if k.Find != nil {
		out.At = l.place(string(k.Find))
	}
	return out
}

// maxRows bounds a window of the list.
const maxRows = 1000

// matcher tells which names a search is about: a pattern where it has * ? or [, else a part of the name in any case.
func matcher(search string) func(name string) bool {
	if strings.ContainsAny(search, "*?[") {
		return func(n string) bool { return glob.Match(search, n, false) }
	}
	part := strings.ToLower(search)
	return func(n string) bool { return strings.Contains(strings.ToLower(n), part) }
}

// find keeps the names that a search is about.
func (x *index) find(search string) []string {
	match := matcher(search)
	var out []string
	for _, n := range x.names {
		if match(n) {
			out = append(out, n)
		}
	}
	return out
}

func (l *Lab) sort(by string) {
	var value func(sizes []int) int
	switch by {
	case "size":
		value = func(s []int) int { return slices.Max(s) }
	case "delta":
		value = func(s []int) int { return abs(max(s[len(s)-1], 0) - max(s[0], 0)) }
	default:
		return
	}
	l.keys.order = slices.Clone(l.keys.order) // it may be the names themselves
	l.each(len(l.keys.order), func(i int) { l.sizesOf(l.keys.order[i]) })
	slices.SortStableFunc(l.keys.order, func(a, b string) int { return cmp.Compare(value(l.sizesOf(b)), value(l.sizesOf(a))) })
}

func abs(n int) int { return max(n, -n) }

// place is where a key stands in the order, -1 for nowhere.
func (l *Lab) place(key string) int {
	x := &l.keys
	if x.sorted == "" {
		if at, ok := slices.BinarySearch(x.order, key); ok {
			return at
		}
		return -1
	}
	return slices.Index(x.order, key)
}

func (l *Lab) row(name string) wire.Key {
	k := wire.Key{Name: []byte(name), Sizes: l.sizesOf(name)}
	for _, s := range l.lab.Servers {
		if p := s.Client.DB.Peek(k.Name); p != 0 {
			k.Type = object.TypeOf(s.H.At(p)).String()
			break
		}
	}
	return k
}

// sizesOf is what each server has allocated for a key, -1 where it has none.
func (l *Lab) sizesOf(name string) []int {
	if s, ok := l.keys.sizes[name]; ok {
		return s
	}
	sizes := make([]int, len(l.lab.Servers))
	for i, s := range l.lab.Servers {
		sizes[i] = -1
		if p, err := s.LayoutOf(name, 1); err == nil {
			sizes[i] = p.Total
		}
	}
	l.keys.sizes[name] = sizes
	return sizes
}

func (l *Lab) complete(c *wire.Complete) *wire.Completed {
	out := &wire.Completed{Keys: [][]byte{}}
	if l.host != nil {
		out.Keys = l.host.beginning(c)
		return out
	}
	l.keys.check(l.lab)
	at, _ := slices.BinarySearch(l.keys.names, string(c.Prefix))
	for _, n := range l.keys.names[at:] {
		if len(out.Keys) >= c.Limit || !bytes.HasPrefix([]byte(n), c.Prefix) {
			break
		}
		out.Keys = append(out.Keys, []byte(n))
	}
	return out
}
