package settype

import (
	"strconv"

	"github.com/keyloupe/keyloupe/engine/decimal"

	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/intset"
	"github.com/keyloupe/keyloupe/engine/listpack"
	"github.com/keyloupe/keyloupe/engine/object"
	"github.com/keyloupe/keyloupe/engine/sds"
)

// maxIntset is the members no intset may pass whatever the directive says (t_set.c,
// intsetMaxEntries).
const maxIntset = 1 << 30

func (k *Kind) intsetLimit() int { return min(k.MaxIntset, maxIntset) }

// Add adds a member and tells whether it is new (setTypeAddAux).
func (s *Set) Add(m Member) bool {
	if s.Enc == object.Intset {
		return s.addToIntset(m)
	}
	var num [24]byte
	if s.Enc == object.Listpack {
		return s.addToListpack(m, m.text(&num))
	}
	return s.addToTable(m.text(&num))
}

func (s *Set) addToIntset(m Member) bool {
	v, ok := m.Int, m.Text == nil
	if !ok {
		v, ok = decimal.Parse(m.Text)
	}
	if !ok {
		s.leaveIntset(m.Text)
		return true
	}
	p, added := intset.Add(s.K.H, s.P, v)
	if p != s.P {
		s.become(object.Intset, p)
	}
	if added && s.Len() > s.K.intsetLimit() {
		s.K.H.Note("%d integers exceed set-max-intset-entries %d: the intset becomes a table", s.Len(), s.K.MaxIntset)
		s.toTable(s.Len())
	}
	return added
}

// leaveIntset adds the first member that is no integer. The members are taken for as long as the
// longest of them.
func (s *Set) leaveIntset(text []byte) {
	k, set := s.K, s.ints()
	n, longest, total := intset.Len(set), 0, 0
	if n > 0 {
		lo, hi := intset.Get(set, 0), intset.Get(set, n-1)
		longest = max(digits(lo), digits(hi))
		total = max(listpack.SizeOfInts(lo, n), listpack.SizeOfInts(hi, n))
	}
	if n < k.MaxListpack && len(text) <= k.MaxValue && longest <= k.MaxValue && listpack.SafeToAdd(0, total+len(text)) {
		k.H.Note("the new member is no integer: the intset becomes a listpack")
		s.toListpack(n + 1)
		s.become(object.Listpack, listpack.Shrink(k.H, listpack.Append(k.H, s.P, text)))
		return
	}
	k.H.Note("the new member is no integer and a listpack may have %d members of %d bytes at most: the intset becomes a table", k.MaxListpack, k.MaxValue)
	s.toTable(n + 1)
	s.addToTable(text)
}

func digits(v int64) int {
	var num [24]byte
	return len(strconv.AppendInt(num[:0], v, 10))
}

func (s *Set) addToListpack(m Member, text []byte) bool {
	k, lp := s.K, s.lp()
	if findPacked(lp, text) != 0 {
		return false
	}
	n := listpack.Len(lp)
	switch {
	case n >= k.MaxListpack:
		k.H.Note("%d members exceed set-max-listpack-entries %d: the listpack becomes a table", n+1, k.MaxListpack)
	case len(text) > k.MaxValue:
		k.H.Note("a member of %d bytes exceeds set-max-listpack-value %d: the listpack becomes a table", len(text), k.MaxValue)
	case listpack.SafeToAdd(listpack.Bytes(lp), len(text)):
		p := s.P
		if m.Text == nil {
			p = listpack.AppendInt(k.H, p, m.Int)
		} else {
			p = listpack.Append(k.H, p, text)
		}
		if p != s.P {
			s.become(object.Listpack, p)
		}
		return true
	}
	s.toTable(n + 1)
	s.addToTable(text)
	return true
}

func (s *Set) addToTable(text []byte) bool {
	h := s.K.H
	if s.K.chains {
		d := s.dict()
		at, e := d.FindSlot(text)
		if e != 0 {
			return false
		}
		d.Insert(at, sds.New(h, text))
		return true
	}
	t := s.table()
	hash := t.Hash(text)
	if t.Find(text, hash).OK() {
		return false
	}
	t.Insert(hash, sds.New(h, text))
	return true
}

// Remove removes a member and tells whether it was there (setTypeRemoveAux).
func (s *Set) Remove(m Member) bool {
	var num [24]byte
	switch s.Enc {
	case object.Intset:
		v, ok := m.Int, m.Text == nil
		if !ok {
			v, ok = decimal.Parse(m.Text)
		}
		if ok {
			var p heap.Ptr
			if p, ok = intset.Remove(s.K.H, s.P, v); p != s.P {
				s.become(object.Intset, p)
			}
		}
		return ok
	case object.Listpack:
		at := findPacked(s.lp(), m.text(&num))
		if at == 0 {
			return false
		}
		s.deletePacked(at)
		return true
	}
	return s.removeFromTable(m.text(&num))
}

func (s *Set) deletePacked(at int) {
	if p, _ := listpack.Delete(s.K.H, s.P, at); p != s.P {
		s.become(object.Listpack, p)
	}
}

func (s *Set) removeFromTable(text []byte) bool {
	if s.K.chains {
		d := s.dict()
		if !d.Delete(text) {
			return false
		}
		if !s.K.H.Rel.DictShrinksOnDelete && d.NeedsResize() {
			d.Resize()
		}
		return true
	}
	t := s.table()
	r := t.Find(text, t.Hash(text))
	if !r.OK() {
		return false
	}
	p := r.Get()
	t.Delete(r)
	sds.Free(s.K.H, p)
	return true
}

// HoldShrink keeps a table from shrinking while a command removes several members, where the
// release does that; LetShrink ends it.
func (s *Set) HoldShrink() {
	if s.holds() {
		t := s.table()
		t.HoldShrink()
	}
}

// LetShrink ends what HoldShrink began.
func (s *Set) LetShrink() {
	if s.holds() {
		t := s.table()
		t.LetShrink()
	}
}

func (s *Set) holds() bool {
	return s.Enc == object.Table && !s.K.chains && s.K.H.Rel.SetRemovalsHoldShrink
}

// Pop removes a random member and returns it (setTypePopRandom).
func (s *Set) Pop(rnd func() uint64) Member {
	if s.Enc == object.Listpack {
		lp := s.lp()
		at := listpack.Seek(lp, int(rnd()%uint64(listpack.Len(lp))))
		m := packed(lp, at).Copy()
		s.deletePacked(at)
		return m
	}
	m := s.Random(rnd).Copy()
	s.Remove(m)
	return m
}

// PopPacked removes n members of a listpack, each as likely as any other, and returns them in the
// order they were in.
func (s *Set) PopPacked(n int, rnd func() uint64) (out []Member) {
	lp := s.lp()
	var offsets []int
	left := listpack.Len(lp)
	for at := listpack.First(lp); at != 0 && n > 0; at = listpack.Next(lp, at) {
		if rnd()%uint64(left) < uint64(n) {
			out = append(out, packed(lp, at).Copy())
			offsets = append(offsets, at)
			n--
		}
		left--
	}
	s.become(object.Listpack, listpack.BatchDelete(s.K.H, s.P, offsets))
	return out
}

// Expect converts the set before n more members are added where that many alone exceed the limits
// (setTypeMaybeConvert).
func (s *Set) Expect(n int) {
	if s.Enc == object.Listpack && n > s.K.MaxListpack || s.Enc == object.Intset && n > s.K.MaxIntset {
		s.K.H.Note("%d members in one command exceed the limit of the encoding: the set becomes a table first, sized for them", n)
		s.toTable(n)
	}
}

// toTable makes the set a table sized for n members.
func (s *Set) toTable(n int) {
	t := s.K.NewTable(n)
	var num [24]byte
	s.Each(func(m Member) bool { return t.addToTable(m.text(&num)) || true })
	s.K.H.Free(s.P)
	s.become(t.Enc, t.P)
}

// toListpack makes an intset a listpack with room for n members as long as the longest.
func (s *Set) toListpack(n int) {
	set, room := s.ints(), 2*n
	if m := intset.Len(set); m > 0 {
		room = max(listpack.SizeOfInts(intset.Get(set, 0), n), listpack.SizeOfInts(intset.Get(set, m-1), n))
	}
	p := listpack.New(s.K.H, room)
	for i := range intset.Len(set) {
		p = listpack.AppendInt(s.K.H, p, intset.Get(set, i))
	}
	s.K.H.Free(s.P)
	s.become(object.Listpack, p)
}

// ToIntset makes a set whose members are all integers an intset, where there are not too many
// (maybeConvertToIntset).
func (s *Set) ToIntset() {
	if s.Enc == object.Intset || s.Len() > s.K.intsetLimit() {
		return
	}
	p := intset.New(s.K.H)
	s.Each(func(m Member) bool {
		v := m.Int
		if m.Text != nil {
			v, _ = decimal.Parse(m.Text)
		}
		p, _ = intset.Add(s.K.H, p, v)
		return true
	})
	s.Free()
	s.become(object.Intset, p)
}

// Load makes a set of members that a dump has in a table, none of them twice (rdb.c, rdbLoadObject): an
// intset as long as they are integers and few, then a listpack, and where neither may be a table sized
// for all of them.
func (k *Kind) Load(members [][]byte) Set {
	n, longest, total := len(members), 0, 0
	if n > k.intsetLimit() {
		s := k.NewTable(n)
		for _, m := range members {
			s.addToTable(m)
		}
		return s
	}
	s := k.NewIntset()
	for _, m := range members {
		longest, total = max(longest, len(m)), total+len(m)
		if s.Enc == object.Intset {
			if v, ok := decimal.Parse(m); ok {
				s.P, _ = intset.Add(k.H, s.P, v)
				continue
			}
			if s.Len() < k.MaxListpack && longest <= k.MaxValue && listpack.SafeToAdd(0, total) {
				s.toListpack(s.Len())
			} else {
				s.toTable(n)
			}
		}
		if s.Enc == object.Listpack {
			if s.Len() < k.MaxListpack && len(m) <= k.MaxValue && listpack.SafeToAdd(s.Bytes(), len(m)) {
				s.P = listpack.Append(k.H, s.P, m)
				continue
			}
			s.toTable(n)
		}
		s.addToTable(m)
	}
	return s
}

// ToTable makes the set a table sized for its members where it is not one.
func (s *Set) ToTable() {
	if s.Enc != object.Table {
		s.toTable(s.Len())
	}
}

// Shrink gives back what a listpack was made too large.
func (s *Set) Shrink() {
	if s.Enc == object.Listpack {
		s.become(object.Listpack, listpack.Shrink(s.K.H, s.P))
	}
}
