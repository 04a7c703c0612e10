package hashtype

import (
	"github.com/keyloupe/keyloupe/engine/dict"
	"github.com/keyloupe/keyloupe/engine/hashentry"
	"github.com/keyloupe/keyloupe/engine/hashtable"
	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/listpack"
	"github.com/keyloupe/keyloupe/engine/object"
	"github.com/keyloupe/keyloupe/engine/sds"
)

// Prepare turns a listpack into a table where the fields and values that a command brings ask for
// it: more pairs than allowed, for which the table is sized at once, or a text that is too long
// (hashTypeTryConversion).
func (x *Hash) Prepare(pairs [][]byte) {
	if !x.packed() {
		return
	}
	k := x.K
	if n := (len(pairs) + 1) / 2; n > k.MaxEntries {
		k.H.Note("%d fields in one command are more than hash-max-listpack-entries %d: the hash becomes a table of that size", n, k.MaxEntries)
		x.convert()
		x.Reserve(n)
		return
	}
	sum := 0
	for _, p := range pairs {
		if len(p) > k.MaxValue {
			x.tooLong(len(p))
			return
		}
		sum += len(p)
	}
	if !listpack.SafeToAdd(listpack.Bytes(x.lp()), sum) {
		k.H.Note("the listpack would pass 1 GiB: the hash becomes a table")
		x.convert()
	}
}

func (x *Hash) tooLong(n int) {
	x.K.H.Note("%d bytes are more than hash-max-listpack-value %d: the listpack becomes a table", n, x.K.MaxValue)
	x.convert()
}

// Reserve sizes a table for n fields.
func (x *Hash) Reserve(n int) {
	if x.K.chains {
		d := x.dict()
		d.Expand(n)
		return
	}
	t := x.table()
	t.Reserve(n)
}

// Convert makes a listpack a table; a table stays one.
func (x *Hash) Convert() {
	if x.packed() {
		x.convert()
	}
}

func (x *Hash) convert() {
	y := x.K.newTable(x.Len())
	x.Each(func(field, value []byte, _ int64) bool {
		y.add(field, value, NoExpire)
		return true
	})
	x.K.H.Free(x.P)
	x.set(object.Table, y.P)
}

// newTable makes an empty table sized for n fields.
func (k *Kind) newTable(n int) Hash {
	if k.chains {
		d := dict.New(k.H, &k.dicts)
		d.Expand(n)
		return k.View(object.Table, d.P)
	}
	t := hashtable.New(k.H, &k.entries)
	t.Reserve(n)
	return k.View(object.Table, t.P)
}

// NewTable makes an empty hash that is a table sized for n fields, as a load does.
func (k *Kind) NewTable(n int) Hash { return k.newTable(n) }

// Add adds a field that is not there yet to a table, as a load does. It tells whether it did.
func (x *Hash) Add(field, value []byte, at int64) bool { return x.add(field, value, at) }

func (x *Hash) add(field, value []byte, at int64) bool {
	h := x.K.H
	if x.K.chains {
		d := x.dict()
		slot, e := d.FindSlot(field)
		if e != 0 {
			return false
		}
		x.insertPair(&d, slot, field, value)
		return true
	}
	t := x.table()
	hash := t.Hash(field)
	if t.Find(field, hash).OK() {
		return false
	}
	e := hashentry.New(h, field, value, at)
	t.Insert(hash, e)
	if at != NoExpire {
		x.volatile(&t).Add(e)
	}
	return true
}

func (x *Hash) insertPair(d *dict.Dict, slot dict.Slot, field, value []byte) {
	v := sds.New(x.K.H, value)
	d.SetVal(d.Insert(slot, sds.New(x.K.H, field)), uint64(v))
}

// Was tells what Set found at a field.
type Was uint8

// The answers of Set.
const (
	Missing Was = iota
	There
	Expired // its time had come: it counts as missing
)

// Set gives a field a value and an expiry. With keep a field that is there keeps its expiry.
func (x *Hash) Set(field, value []byte, at int64, keep bool) Was {
	if x.packed() {
		switch n := max(len(field), len(value)); {
		case at != NoExpire:
			x.K.H.Note("a listpack has no room for expiries: the hash becomes a table for the first one")
			x.convert()
		case n > x.K.MaxValue:
			x.tooLong(n)
		}
	}
	switch {
	case x.packed():
		return x.setPacked(field, value)
	case x.K.chains:
		return x.setPair(field, value)
	}
	return x.setEntry(field, value, at, keep)
}

func (x *Hash) setPacked(field, value []byte) Was {
	h := x.K.H
	if v := x.packedValue(field); v != 0 {
		x.set(x.Enc, listpack.Replace(h, x.P, v, value))
		return There
	}
	x.set(x.Enc, listpack.Append(h, listpack.Append(h, x.P, field), value))
	if n := x.Len(); n > x.K.MaxEntries {
		h.Note("%d fields are more than hash-max-listpack-entries %d: the listpack becomes a table", n, x.K.MaxEntries)
		x.convert()
	}
	return Missing
}

func (x *Hash) setPair(field, value []byte) Was {
	d := x.dict()
	slot, e := d.FindSlot(field)
	if e == 0 {
		x.insertPair(&d, slot, field, value)
		return Missing
	}
	v := sds.New(x.K.H, value)
	sds.Free(x.K.H, heap.Ptr(d.Val(e)))
	d.SetVal(e, uint64(v))
	return There
}

func (x *Hash) setEntry(field, value []byte, at int64, keep bool) Was {
	h, t := x.K.H, x.table()
	hash := t.Hash(field)
	r := t.Find(field, hash)
	if !r.OK() {
		e := hashentry.New(h, field, value, at)
		t.Insert(hash, e)
		if at != NoExpire {
			x.volatile(&t).Add(e)
		}
		return Missing
	}
	old := r.Get()
	was, res := hashentry.Expire(h, old), There
	if was != NoExpire && x.due(was) {
		res = Expired
	} else if keep {
		at = was
	}
	e := hashentry.SetValue(h, old, value, at)
	if e != old {
		r.Set(e)
	}
	x.moved(&t, old, e, was, at)
	return res
}

// moved tells the set of volatile fields what became of an entry.
func (x *Hash) moved(t *hashtable.Table, old, e heap.Ptr, was, at int64) {
	if was == NoExpire && at == NoExpire {
		return
	}
	s := x.volatile(t)
	s.Update(old, e, was, at)
	if s.Empty() {
		s.Release()
	}
}

// due tells whether a time is not in the future: a millisecond earlier than a field is hidden.
func (x *Hash) due(at int64) bool { return x.K.Now != nil && at <= *x.K.Now }

// Cond is a condition on a field's expiry.
type Cond uint8

// The conditions of HEXPIRE; GT and LT may go with XX.
const (
	NX Cond = 1 << iota // it has none
	XX                  // it has one
	GT                  // the new one is later; none counts as never
	LT                  // the new one is earlier
)

// The answers of SetExpire and Persist, as the commands reply them.
const (
	NoField = -2
	NoTTL   = -1
	Refused = 0 // the condition does not hold
	Done    = 1
	Deleted = 2 // the time had come already
)

// SetExpire gives a field an expiry where the condition holds; a time that is not in the future
// deletes the field.
func (x *Hash) SetExpire(field []byte, at int64, c Cond) int {
	past, h := x.due(at), x.K.H
	if past && !h.Rel.HexpireTestsFirst {
		if x.Delete(field) {
			return Deleted
		}
		return NoField
	}
	if x.packed() {
		switch {
		case x.packedValue(field) == 0:
			return NoField
		case c&(XX|GT) != 0:
			return Refused
		case past:
			x.Delete(field)
			return Deleted
		}
		h.Note("a listpack has no room for expiries: the hash becomes a table for the first one")
		x.convert()
	}
	t := x.table()
	r := x.find(&t, field)
	if !r.OK() {
		return NoField
	}
	old := r.Get()
	was := hashentry.Expire(h, old)
	switch {
	case c&NX != 0 && was != NoExpire, c&XX != 0 && was == NoExpire,
		c&GT != 0 && (was == NoExpire || at <= was), c&LT != 0 && was != NoExpire && at >= was:
		return Refused
	case past:
		x.Delete(field)
		return Deleted
	}
	e := hashentry.SetExpire(h, old, at)
	r.Set(e)
	x.moved(&t, old, e, was, at)
	return Done
}

// Persist takes the expiry of a field.
func (x *Hash) Persist(field []byte) int {
	if x.packed() {
		if x.packedValue(field) == 0 {
			return NoField
		}
		return NoTTL
	}
	t := x.table()
	r := x.find(&t, field)
	if !r.OK() {
		return NoField
	}
	e := r.Get()
	at := hashentry.Expire(x.K.H, e)
	if at == NoExpire {
		return NoTTL
	}
	x.forget(&t, e, at)
	r.Set(hashentry.SetExpire(x.K.H, e, NoExpire))
	return Done
}

// forget takes an entry out of the set of volatile fields.
func (x *Hash) forget(t *hashtable.Table, e heap.Ptr, at int64) {
	if at == NoExpire {
		return
	}
	s := x.volatile(t)
	s.Remove(e, at)
	if s.Empty() {
		s.Release()
	}
}

// Delete deletes a field and tells whether it was there. Len may be 0 then: the caller deletes the
// key.
func (x *Hash) Delete(field []byte) bool {
	switch {
	case x.packed():
		return x.deletePacked(field)
	case x.K.chains:
		return x.deletePair(field)
	}
	t := x.table()
	r := x.find(&t, field)
	return x.remove(&t, r)
}

// DeleteAny is Delete that also finds a field whose time has come.
func (x *Hash) DeleteAny(field []byte) bool {
	if x.packed() || x.K.chains {
		return x.Delete(field)
	}
	t := x.table()
	return x.remove(&t, t.Find(field, t.Hash(field)))
}

func (x *Hash) remove(t *hashtable.Table, r hashtable.Ref) bool {
	if !r.OK() {
		return false
	}
	e := r.Get()
	t.Delete(r)
	x.forget(t, e, hashentry.Expire(x.K.H, e))
	hashentry.Free(x.K.H, e)
	return true
}

func (x *Hash) deletePacked(field []byte) bool {
	lp := x.lp()
	at := listpack.Find(lp, listpack.First(lp), field, 1)
	if at == 0 {
		return false
	}
	p, _ := listpack.DeleteFrom(x.K.H, x.P, at, 2)
	x.set(x.Enc, p)
	return true
}

func (x *Hash) deletePair(field []byte) bool {
	d := x.dict()
	if !d.Delete(field) {
		return false
	}
	if !x.K.H.Rel.DictShrinksOnDelete && d.NeedsResize() {
		d.Resize()
	}
	return true
}

// HoldShrink keeps a table from shrinking while a command deletes several fields, where the release
// does so; LetShrink ends that.
func (x *Hash) HoldShrink() {
	if x.holds() {
		t := x.table()
		t.HoldShrink()
	}
}

// LetShrink ends what HoldShrink began; the hash must be the one that was held.
func (x *Hash) LetShrink() {
	if x.holds() {
		t := x.table()
		t.LetShrink()
	}
}

func (x *Hash) holds() bool { return !x.packed() && x.K.H.Rel.DeleteHoldsShrink }

// DeleteExpired deletes up to most fields whose time has come, tells each of them and returns how
// many.
func (x *Hash) DeleteExpired(now int64, most int, each func(field []byte)) int {
	if !x.HasVolatile() {
		return 0
	}
	h, t := x.K.H, x.table()
	s := x.volatile(&t)
	n := s.RemoveExpired(now, most, func(e heap.Ptr) {
		field := hashentry.Field(h, e)
		if r := t.Find(field, t.Hash(field)); r.OK() {
			t.Delete(r)
			each(field)
			hashentry.Free(h, e)
		}
	})
	if s.Empty() {
		s.Release()
	}
	return n
}

// Dup copies the hash for COPY; fields whose time has come are left behind.
func (x *Hash) Dup() Hash {
	if x.packed() {
		return x.K.View(object.Listpack, listpack.FromBytes(x.K.H, x.lp()))
	}
	y := x.K.newTable(x.Len())
	x.Each(func(field, value []byte, at int64) bool {
		y.add(field, value, at)
		return true
	})
	return y
}
