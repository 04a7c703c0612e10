package rdb

import (
	"math"

	"github.com/keyloupe/keyloupe/engine/decimal"

	"github.com/keyloupe/keyloupe/engine/listpack"
)

func (r *Reader) id() ID {
	ms := r.length()
	return ID{ms, r.length()}
}

// rawID reads an id as the trees have it: 16 bytes, big endian.
func (r *Reader) rawID() (id ID, ok bool) {
	b := r.take(16)
	if b == nil {
		return id, false
	}
	return idOf(b), true
}

func idOf(b []byte) ID { return ID{be.Uint64(b), be.Uint64(b[8:])} }

// stream reads a stream.
func stream(r *Reader, t Type, rules *Rules) (*Stream, error) {
	s := &Stream{Old: t == Stream1}
	n, ok := r.count(2)
	if !ok {
		return nil, ErrCorrupt
	}
	seen, live := map[ID]bool{}, uint64(0)
	for range n {
		node, count, ok := streamNode(r, rules)
		if !ok || seen[node.Master] {
			return nil, ErrCorrupt
		}
		seen[node.Master] = true
		live += count
		s.Nodes = append(s.Nodes, node)
	}
	s.Len, s.Last = r.length(), r.id()
	if !s.Old {
		s.First, s.MaxDeleted, s.Added = r.id(), r.id(), r.length()
	} else {
		s.Added = s.Len
	}
	if r.short || s.Len > 0 && len(s.Nodes) == 0 || rules.Release.LoadsStrictly && s.Len != live {
		return nil, ErrCorrupt
	}
	groups, ok := r.count(5)
	if !ok {
		return nil, ErrCorrupt
	}
	names := unique{}
	for range groups {
		g, ok := group(r, t, rules)
		if !ok || !names.add(g.Name) {
			return nil, ErrCorrupt
		}
		s.Groups = append(s.Groups, g)
	}
	return s, nil
}

func streamNode(r *Reader, rules *Rules) (n StreamNode, live uint64, ok bool) {
	key, ok := r.string()
	if !ok || len(key) != 16 {
		return n, 0, false
	}
	n.Master = idOf(key)
	if n.Listpack, ok = r.string(); !ok || !rules.streamListpack(n.Listpack) {
		return n, 0, false
	}
	live, ok = entries(n.Listpack, rules)
	return n, live, ok
}

// streamListpack tells whether b is a listpack; the count in its header matters only to releases that
// load strictly, as no stream uses it.
func (rules *Rules) streamListpack(b []byte) bool {
	if rules.Release.LoadsStrictly || len(b) < listpack.Empty || rules.listpack(b, nil) {
		return rules.listpack(b, nil)
	}
	c := append([]byte(nil), b...)
	le.PutUint16(c[4:], math.MaxUint16)
	return rules.listpack(c, nil)
}

// walk goes through the elements of a listpack.
type walk struct {
	lp []byte
	at int
}

func (w *walk) skip(n int64) bool {
	for ; n > 0; n-- {
		if w.at == 0 {
			return false
		}
		w.at = listpack.Next(w.lp, w.at)
	}
	return n == 0
}

func (w *walk) int() (v int64, ok bool) {
	if w.at == 0 {
		return 0, false
	}
	text, v := listpack.Value(w.lp, w.at)
	if text != nil {
		if v, ok = decimal.Parse(text); !ok {
			return 0, false
		}
	}
	w.at = listpack.Next(w.lp, w.at)
	return v, true
}

// count is int for what is no less than 0.
func (w *walk) count() (int64, bool) {
	v, ok := w.int()
	return v, ok && v >= 0
}

const (
	entryDeleted    = 1
	entrySameFields = 2
)

// entries checks the listpack of a stream's node and counts what is not deleted (t_stream.c,
// streamValidateListpackIntegrity).
func entries(lp []byte, rules *Rules) (live uint64, ok bool) {
	w := walk{lp, listpack.First(lp)}
	count, ok1 := w.count()
	deleted, ok2 := w.count()
	fields, ok3 := w.count()
	if !ok1 || !ok2 || !ok3 || !w.skip(fields) {
		return 0, false
	}
	if zero, ok := w.int(); !ok || zero != 0 {
		return 0, false
	}
	alive, dead := int64(0), int64(0)
	for w.at != 0 {
		gone, ok := w.entry(fields)
		if !ok {
			return 0, false
		}
		if gone {
			dead++
		} else {
			alive++
		}
	}
	if rules.Release.LoadsStrictly && alive != count || alive+dead != count+deleted {
		return 0, false
	}
	return uint64(count), true
}

// entry checks an entry; deleted tells whether it is flagged so.
func (w *walk) entry(fields int64) (deleted, ok bool) {
	flags, ok := w.int()
	if !ok {
		return false, false
	}
	for range 2 { // the id
		if _, ok = w.int(); !ok {
			return false, false
		}
	}
	pieces := 3 + fields
	if flags&entrySameFields == 0 {
		if fields, ok = w.count(); !ok || !w.skip(fields) {
			return false, false
		}
		pieces = 4 + 2*fields
	}
	if !w.skip(fields) {
		return false, false
	}
	n, ok := w.int()
	return flags&entryDeleted != 0, ok && n == pieces
}

func group(r *Reader, t Type, rules *Rules) (g Group, ok bool) {
	if g.Name, ok = r.string(); !ok {
		return g, false
	}
	g.Last = r.id()
	if t != Stream1 {
		g.Read = r.length()
	}
	n, ok := r.count(25)
	if r.short || !ok {
		return g, false
	}
	owners := make(map[ID]int, n)
	for range n {
		id, ok := r.rawID()
		p := Pending{id, r.millis(), r.length()}
		if _, twice := owners[id]; !ok || r.short || twice {
			return g, false
		}
		owners[id] = 0
		g.Pending = append(g.Pending, p)
	}
	if n, ok = r.count(10); !ok {
		return g, false
	}
	names := unique{}
	for i := range n {
		c, ok := consumer(r, t)
		if !ok || !names.add(c.Name) || !own(owners, c.Pending, i+1) {
			return g, false
		}
		g.Consumers = append(g.Consumers, c)
	}
	if rules.Deep {
		for _, c := range owners {
			if c == 0 {
				return g, false
			}
		}
	}
	return g, true
}

// own gives pending entries to a consumer, by its number. Entries of two consumers are refused only
// by the releases that load strictly; the others free them twice later.
func own(owners map[ID]int, ids []ID, consumer int) bool {
	for _, id := range ids {
		if was, there := owners[id]; !there || was != 0 {
			return false
		}
		owners[id] = consumer
	}
	return true
}

func consumer(r *Reader, t Type) (c Consumer, ok bool) {
	if c.Name, ok = r.string(); !ok {
		return c, false
	}
	c.Seen = r.millis()
	c.Active = c.Seen
	if t == Stream3 {
		c.Active = r.millis()
	}
	n, ok := r.count(16)
	if r.short || !ok {
		return c, false
	}
	for range n {
		id, ok := r.rawID()
		if !ok {
			return c, false
		}
		c.Pending = append(c.Pending, id)
	}
	return c, true
}
