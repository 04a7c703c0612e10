package lab

import (
	"bytes"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/keyspace"
	"github.com/keyloupe/keyloupe/ui/wire"
)

// Bounds on what a look at the keys of shared servers finds and goes through. What it finds of more keys are those that a
// SCAN would come to first, a sample by hash, which stays the same while the table grows.
const (
	maxListed = 10_000
	maxLooked = 5_000_000
)

// state is what must have changed for a list of keys to be another one.
type state struct {
	search string
	data   mark
}

// mark is made of numbers, and another one when any of them changes: FNV-1a over them.
type mark uint64

const noMark mark = 14695981039346656037

func (m mark) with(n int64) mark { return (m ^ mark(n)) * 1099511628211 }

// data is a mark of the keys in the database shown.
func (g *Guest) data() mark {
	m := noMark
	for _, s := range g.servers() {
		m = m.with(int64(s.Client.DB.ID)).with(s.Dirty).with(s.Space.Stats.Expired).with(int64(s.Client.DB.Len()))
	}
	return m
}

// Pulse is another number when anything happened on the servers: to data, to tables that move, or to clients. It is called
// within With.
func (g *Guest) Pulse() uint64 {
	m := g.data()
	for _, s := range g.servers() {
		m = m.with(s.Used()).with(s.Stats.Commands).with(s.Stats.Errors).with(s.Stats.Connections).with(int64(len(s.Clients))).with(s.Space.Stats.ExpiredFields)
		for _, kind := range []string{keyspace.KeysTable, keyspace.ExpiresTable} {
			for _, a := range arrays(s, kind) {
				m = m.with(int64(a.Used))
			}
		}
	}
	return uint64(m)
}

// survey makes the list of keys of shared servers anew, where it may have changed and was not made just now; what it takes of
// the servers' time decides when it may be made again. It fills in what the list is made of.
func (g *Guest) survey(search string, out *wire.Listed) {
	x := &g.lab.keys
	now := state{search: search}
	g.look(func() { now.data = g.data() })
	switch {
	case now == g.listed:
	case search == g.listed.search && time.Now().Before(g.due):
		x.sizes = map[string][]int{}
		out.Age = max(1, int(time.Since(g.made).Seconds()))
	default:
		before := g.held
		*x = index{sizes: map[string][]int{}, stale: true, sorted: x.sorted, search: x.search}
		g.part = g.gather(search)
		g.listed, g.made = now, time.Now()
		g.due, g.held = g.made.Add(Share*(g.held-before)), before
	}
	out.Part = g.part
}

// gather finds the names for the list, and tells how many keys were looked at where that was not all.
func (g *Guest) gather(search string) (part int) {
	match := func(string) bool { return true }
	if search != "" {
		match = matcher(search)
	}
	found := map[string]bool{}
	for i := range g.servers() {
		if i == 0 || part == 0 && g.differs(i) {
			part = max(part, g.walk(i, maxListed, match, found))
		}
	}
	if part > 0 {
		g.look(func() { // a key that was asked for by its name
			if g.first().DB.Peek([]byte(search)) != 0 {
				found[search] = true
			}
		})
	}
	for k := range found {
		g.lab.keys.names = append(g.lab.keys.names, k)
	}
	sort.Strings(g.lab.keys.names)
	return part
}

// differs tells whether a server may have keys that the first one has not: they differ where they know other commands. Of
// many keys only another number tells.
func (g *Guest) differs(server int) (yes bool) {
	g.look(func() {
		n := g.first().DB.Len()
		yes = n <= maxListed || g.servers()[server].Client.DB.Len() != n
	})
	return yes
}

// walk adds the matching names of a server's keys until most are found, and tells how many keys it looked at where those
// were not all.
func (g *Guest) walk(server, most int, match func(string) bool, found map[string]bool) (part int) {
	db := g.servers()[server].Client.DB
	looked, cursor := 0, uint64(0)
	g.inTurns(func() bool {
		cursor = db.Look(cursor, func(key []byte, _ heap.Ptr) {
			looked++
			if k := string(key); match(k) {
				found[k] = true
			}
		})
		return cursor != 0 && looked < maxLooked && len(found) < most
	})
	if cursor != 0 {
		return looked
	}
	return 0
}

// beginning is key names of shared servers that begin as asked for, in order.
func (g *Guest) beginning(c *wire.Complete) (out [][]byte) {
	found := map[string]bool{}
	prefix := string(c.Prefix)
	g.walk(0, max(0, min(c.Limit, maxRows)), func(n string) bool { return strings.HasPrefix(n, prefix) }, found)
	for k := range found {
		out = append(out, []byte(k))
	}
	slices.SortFunc(out, bytes.Compare)
	return out[:min(len(out), max(0, c.Limit))]
}
