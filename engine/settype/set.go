// Package settype is the set as a value: an intset, a listpack, or a table of members.
//
//	intset              | encoding | length | integer | integer | ...       integers only
//	listpack            | header | member | member | ... | 0xff |
//	7.2, 8.0: dict      without values: a member alone in its slot has no entry
//	8.1 and later       hashtable whose entries are the members' sds strings
//
// An intset becomes a listpack with the first member that is no integer, where the limits allow,
// and a table with more than set-max-intset-entries; a listpack becomes a table with a member longer
// than set-max-listpack-value or with more than set-max-listpack-entries. No set turns back by
// itself. Source: t_set.c, which 7.2 and later share but for the table. Sizes in bytes.
package settype

import (
	"strconv"

	"github.com/keyloupe/keyloupe/engine/decimal"

	"github.com/keyloupe/keyloupe/engine/dict"
	"github.com/keyloupe/keyloupe/engine/hashtable"
	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/intset"
	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/engine/listpack"
	"github.com/keyloupe/keyloupe/engine/object"
	"github.com/keyloupe/keyloupe/engine/release"
	"github.com/keyloupe/keyloupe/engine/sds"
	"github.com/keyloupe/keyloupe/engine/siphash"
)

// Kind is what all sets of a server have in common.
type Kind struct {
	H           *heap.Heap
	MaxIntset   int // set-max-intset-entries
	MaxListpack int // set-max-listpack-entries
	MaxValue    int // set-max-listpack-value, bytes

	chains bool // 7.2, 8.0
	table  hashtable.Type
	dict   dict.Type
}

// NewKind makes the kind for a server whose value tables hash with seed.
func NewKind(h *heap.Heap, seed *siphash.Seed) *Kind {
	return &Kind{H: h, MaxIntset: 512, MaxListpack: 128, MaxValue: 64,
		chains: h.Rel.KeyTable != release.Hashtable,
		table:  hashtable.Type{Name: "set", Seed: seed, KeyOf: sds.Text},
		dict:   dict.Type{Name: "set", Seed: seed, NoValue: true, FreeKey: true}}
}

// Member is a member on its way: a text, or an integer where Text is nil.
type Member struct {
	Text []byte
	Int  int64
}

// Text is the member as text; num holds the digits of an integer.
func (m Member) text(num *[24]byte) []byte {
	if m.Text != nil {
		return m.Text
	}
	return strconv.AppendInt(num[:0], m.Int, 10)
}

// Append appends the member's text.
func (m Member) Append(b []byte) []byte {
	if m.Text != nil {
		return append(b, m.Text...)
	}
	return strconv.AppendInt(b, m.Int, 10)
}

// Copy is the member with a text of its own.
func (m Member) Copy() Member {
	if m.Text != nil {
		m.Text = append(make([]byte, 0, len(m.Text)), m.Text...)
	}
	return m
}

// Set is a view of one set.
type Set struct {
	K   *Kind
	Enc object.Encoding
	P   heap.Ptr
	obj heap.Ptr // the object that points to it, 0 for none
}

// Open views the set of an object, which follows what becomes of it.
func (k *Kind) Open(obj heap.Ptr) Set {
	b := k.H.Bytes(obj)
	return Set{k, object.EncodingOf(b), heap.Ptr(object.Val(b)), obj}
}

// View views a set that no object points to.
func (k *Kind) View(enc object.Encoding, p heap.Ptr) Set { return Set{K: k, Enc: enc, P: p} }

// NewIntset, NewListpack and NewTable allocate an empty set.
func (k *Kind) NewIntset() Set { return k.View(object.Intset, intset.New(k.H)) }

// NewListpack allocates a listpack with room for that many bytes.
func (k *Kind) NewListpack(room int) Set {
	return k.View(object.Listpack, listpack.New(k.H, room))
}

// NewTable allocates a table sized for n members.
func (k *Kind) NewTable(n int) Set {
	var s Set
	if k.chains {
		d := dict.New(k.H, &k.dict)
		s = k.View(object.Table, d.P)
		if n > 0 {
			d.Expand(n)
		}
		return s
	}
	t := hashtable.New(k.H, &k.table)
	if n > 0 {
		t.Reserve(n)
	}
	return k.View(object.Table, t.P)
}

// New allocates the set for a first member and n members in all: intset, listpack or table.
func (k *Kind) New(first []byte, n int) Set {
	if _, ok := decimal.Parse(first); ok && n <= k.MaxIntset {
		return k.NewIntset()
	}
	if n <= k.MaxListpack {
		return k.NewListpack(0)
	}
	k.H.Note("%d members in one command exceed set-max-listpack-entries %d: the set is a table from the start, sized for them", n, k.MaxListpack)
	return k.NewTable(n)
}

func (s *Set) become(enc object.Encoding, p heap.Ptr) {
	s.Enc, s.P = enc, p
	if s.obj != 0 {
		b := s.K.H.Bytes(s.obj)
		object.SetTypeEncoding(b, object.Set, enc)
		object.SetVal(b, uint64(p))
	}
}

func (s *Set) ints() []byte           { return intset.Of(s.K.H, s.P) }
func (s *Set) lp() []byte             { return listpack.Of(s.K.H, s.P) }
func (s *Set) table() hashtable.Table { return hashtable.Open(s.K.H, s.P, &s.K.table) }
func (s *Set) dict() dict.Dict        { return dict.Open(s.K.H, s.P, &s.K.dict) }

// Len is the number of members.
func (s *Set) Len() int {
	switch {
	case s.Enc == object.Intset:
		return intset.Len(s.K.H.Bytes(s.P))
	case s.Enc == object.Listpack:
		return listpack.Len(s.lp())
	case s.K.chains:
		d := s.dict()
		return d.Len()
	}
	t := s.table()
	return t.Len()
}

// Has tells whether m is a member.
func (s *Set) Has(m Member) bool {
	var num [24]byte
	switch s.Enc {
	case object.Intset:
		v, ok := m.Int, m.Text == nil
		if !ok {
			v, ok = decimal.Parse(m.Text)
		}
		if !ok {
			return false
		}
		_, ok = intset.Find(s.ints(), v)
		return ok
	case object.Listpack:
		return findPacked(s.lp(), m.text(&num)) != 0
	}
	text := m.text(&num)
	if s.K.chains {
		d := s.dict()
		return d.Find(text) != 0
	}
	t := s.table()
	return t.Find(text, t.Hash(text)).OK()
}

func findPacked(lp []byte, text []byte) int {
	at := listpack.First(lp)
	if at == 0 {
		return 0
	}
	return listpack.Find(lp, at, text, 0)
}

// Bytes is the size of a listpack.
func (s *Set) Bytes() int { return listpack.Bytes(s.lp()) }

// Each calls f with every member in the order of the encoding until it returns false. f must not
// change the set. A member's text aliases the heap.
func (s *Set) Each(f func(m Member) bool) {
	switch {
	case s.Enc == object.Intset:
		set := s.ints()
		for i := range intset.Len(set) {
			if !f(Member{Int: intset.Get(set, i)}) {
				return
			}
		}
	case s.Enc == object.Listpack:
		lp := s.lp()
		for at := listpack.First(lp); at != 0; at = listpack.Next(lp, at) {
			if !f(packed(lp, at)) {
				return
			}
		}
	case s.K.chains:
		d := s.dict()
		d.Each(func(e dict.Entry) bool { return f(Member{Text: d.Key(e)}) })
	default:
		t := s.table()
		t.Each(func(p heap.Ptr) bool { return f(Member{Text: sds.Text(s.K.H, p)}) })
	}
}

func packed(lp []byte, at int) Member {
	text, v := listpack.Value(lp, at)
	return Member{text, v}
}

// Scan calls f with the members at a cursor and returns the next one, 0 at the end. Only tables are
// scanned in parts.
func (s *Set) Scan(cursor uint64, f func(m Member)) uint64 {
	switch {
	case s.Enc != object.Table:
		s.Each(func(m Member) bool { f(m); return true })
		return 0
	case s.K.chains:
		d := s.dict()
		return d.Scan(cursor, func(e dict.Entry) { f(Member{Text: d.Key(e)}) })
	}
	t := s.table()
	return t.Scan(cursor, func(p heap.Ptr) { f(Member{Text: sds.Text(s.K.H, p)}) })
}

// Random is a member, which one depends on rnd, a source of random 64-bit numbers. The set must
// not be empty.
func (s *Set) Random(rnd func() uint64) Member {
	switch {
	case s.Enc == object.Intset:
		set := s.ints()
		return Member{Int: intset.Get(set, int(rnd()%uint64(intset.Len(set))))}
	case s.Enc == object.Listpack:
		lp := s.lp()
		return packed(lp, listpack.Seek(lp, int(rnd()%uint64(listpack.Len(lp)))))
	case s.K.chains:
		d := s.dict()
		return Member{Text: d.Key(d.FairRandom(rnd))}
	}
	t := s.table()
	p, _ := t.Sample(rnd)
	return Member{Text: sds.Text(s.K.H, p)}
}

// Free frees the set.
func (s *Set) Free() {
	switch {
	case s.Enc != object.Table:
		s.K.H.Free(s.P)
	case s.K.chains:
		d := s.dict()
		d.Free()
	default:
		t := s.table()
		t.Free(func(p heap.Ptr) { sds.Free(s.K.H, p) })
	}
}

// Dup copies the set for COPY: the same encoding, blocks for exactly what is in it.
func (s *Set) Dup() Set {
	switch s.Enc {
	case object.Intset:
		return s.K.View(s.Enc, intset.FromBytes(s.K.H, s.ints()))
	case object.Listpack:
		return s.K.View(s.Enc, listpack.FromBytes(s.K.H, s.lp()))
	}
	c := s.K.NewTable(s.Len())
	s.Each(func(m Member) bool { return c.addToTable(m.Text) || true })
	return c
}

// Usage is what MEMORY USAGE counts of the set, its object apart. Of a table it looks at the first
// samples members and takes them for the average. base is what is counted of the object: the
// average is added to both in floating point, and only the sum is cut to an integer.
func (s *Set) Usage(base, samples int) int {
	if s.Enc != object.Table {
		return s.K.H.Usable(s.P)
	}
	fixed, sum, seen := 0, 0, 0
	if s.K.chains {
		d := s.dict()
		fixed = dict.StructSize + dict.SlotSize*d.Slots()
		d.Each(func(e dict.Entry) bool {
			if seen == samples {
				return false
			}
			sum += d.EntryUsage(e) + sds.Usable(s.K.H, d.KeyPtr(e))
			seen++
			return true
		})
	} else {
		t := s.table()
		fixed = t.MemUsage()
		t.Each(func(p heap.Ptr) bool {
			if seen == samples {
				return false
			}
			sum += sds.Usable(s.K.H, p)
			seen++
			return true
		})
	}
	if seen == 0 {
		return fixed
	}
	return int(float64(base+fixed)+float64(sum)/float64(seen)*float64(s.Len())) - base
}

// Stats is what DEBUG HTSTATS-KEY tells of the table, "" where there is none.
func (s *Set) Stats(full bool) string {
	switch {
	case s.Enc != object.Table:
		return ""
	case s.K.chains:
		d := s.dict()
		return d.Stats(full)
	}
	t := s.table()
	return t.Stats(full)
}

// Picture adds the blocks of the set, the first one under a name.
func (s *Set) Picture(pic *layout.Picture, name string) {
	switch {
	case s.Enc == object.Intset:
		intset.Picture(pic, s.K.H, s.P, name)
	case s.Enc == object.Listpack:
		listpack.Picture(pic, s.K.H, s.P, name, []string{"member"}, []layout.Role{layout.Value})
	case s.K.chains:
		d := s.dict()
		d.Picture(pic, name, nil)
	default:
		s.tablePicture(pic, name)
	}
}

func (s *Set) tablePicture(pic *layout.Picture, name string) {
	t := s.table()
	var members []heap.Ptr
	t.Picture(pic, name, func(p heap.Ptr) string {
		members = append(members, p)
		return memberName(len(members) - 1)
	}, nil)
	for i, p := range members {
		sds.Picture(pic, s.K.H, p, memberName(i), "member sds", layout.Value)
	}
}

func memberName(i int) string { return "entry" + strconv.Itoa(i) }
