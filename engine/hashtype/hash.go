// Package hashtype is the hash as a value: a listpack of pairs, or a table of fields.
//
//	listpack            | header | field | value | field | value | ... | 0xff |
//	7.2, 8.0: dict      entries that point to a field sds and a value sds
//	8.1: hashtable      of hash entries, a field and its value in one block (engine/hashentry)
//	9.0, 9.1: the same  entries may have an expiry; behind the table's struct is the word of the set
//	                    of those that do (engine/vset)
//
// A listpack becomes a table with a field or value longer than hash-max-listpack-value, with more
// fields than hash-max-listpack-entries, and with the first expiry; it never turns back. A field
// whose time has come is hidden from every look but counted, until a write or the expiry cycle takes
// it. Source: t_hash.c of each release. Sizes in bytes, times in Unix milliseconds.
package hashtype

import (
	"github.com/keyloupe/keyloupe/engine/dict"
	"github.com/keyloupe/keyloupe/engine/hashentry"
	"github.com/keyloupe/keyloupe/engine/hashtable"
	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/listpack"
	"github.com/keyloupe/keyloupe/engine/object"
	"github.com/keyloupe/keyloupe/engine/release"
	"github.com/keyloupe/keyloupe/engine/sds"
	"github.com/keyloupe/keyloupe/engine/siphash"
	"github.com/keyloupe/keyloupe/engine/vset"
)

// NoExpire is the expiry of a field that does not expire.
const NoExpire = hashentry.NoExpire

// Kind is what all hashes of a server have in common.
type Kind struct {
	H          *heap.Heap
	MaxEntries int    // hash-max-listpack-entries
	MaxValue   int    // hash-max-listpack-value, bytes
	Now        *int64 // the command's time; nil hides no field

	chains  bool // 7.2, 8.0
	entries hashtable.Type
	dicts   dict.Type
	num     [2][24]byte // digits of an integer field and value that are being returned
}

// NewKind makes the kind for a server whose value tables hash with seed.
func NewKind(h *heap.Heap, seed *siphash.Seed, now *int64) *Kind {
	k := &Kind{H: h, MaxEntries: 512, MaxValue: 64, Now: now, chains: h.Rel.KeyTable != release.Hashtable}
	k.entries = hashtable.Type{Name: "hash", Seed: seed, KeyOf: hashentry.Field, Metadata: h.Rel.HashMetadata, Live: k.live}
	k.dicts = dict.Type{Name: "hash", Seed: seed, FreeKey: true,
		FreeVal: func(h *heap.Heap, v uint64) { sds.Free(h, heap.Ptr(v)) }}
	return k
}

// expired tells whether the time of an expiry has come.
func (k *Kind) expired(at int64) bool { return at != NoExpire && k.Now != nil && *k.Now > at }

// live tells whether an entry may be seen.
func (k *Kind) live(h *heap.Heap, e heap.Ptr) bool { return !k.expired(hashentry.Expire(h, e)) }

// Hash is a view of one hash.
type Hash struct {
	K   *Kind
	Enc object.Encoding // Listpack or Table
	P   heap.Ptr        // the listpack's block, or the table's struct
	obj heap.Ptr        // the object that is told where the value is; 0 for none
}

// Open views the hash of an object, which follows what becomes of it.
func (k *Kind) Open(obj heap.Ptr) Hash {
	b := k.H.Bytes(obj)
	return Hash{k, object.EncodingOf(b), heap.Ptr(object.Val(b)), obj}
}

// View views a hash that no object points to.
func (k *Kind) View(enc object.Encoding, p heap.Ptr) Hash { return Hash{K: k, Enc: enc, P: p} }

// New allocates an empty hash, a listpack.
func (k *Kind) New() Hash { return k.View(object.Listpack, listpack.New(k.H, 0)) }

func (x *Hash) set(enc object.Encoding, p heap.Ptr) {
	x.Enc, x.P = enc, p
	if x.obj != 0 {
		b := x.K.H.Bytes(x.obj)
		object.SetTypeEncoding(b, object.Hash, enc)
		object.SetVal(b, uint64(p))
	}
}

func (x *Hash) packed() bool           { return x.Enc == object.Listpack }
func (x *Hash) lp() []byte             { return listpack.Of(x.K.H, x.P) }
func (x *Hash) table() hashtable.Table { return hashtable.Open(x.K.H, x.P, &x.K.entries) }
func (x *Hash) dict() dict.Dict        { return dict.Open(x.K.H, x.P, &x.K.dicts) }
func (x *Hash) volatile(t *hashtable.Table) vset.Set {
	return vset.Set{H: x.K.H, W: t.Meta()}
}

// HasVolatile tells whether a field has an expiry.
func (x *Hash) HasVolatile() bool {
	if x.packed() || !x.K.H.Rel.FieldTTL {
		return false
	}
	t := x.table()
	return !x.volatile(&t).Empty()
}

// Volatile is the set of fields that have an expiry; only of a table of 9.0 or later.
func (x *Hash) Volatile() vset.Set {
	t := x.table()
	return x.volatile(&t)
}

// Len is the number of fields, those included whose time has come.
func (x *Hash) Len() int {
	switch {
	case x.packed():
		return listpack.Len(x.lp()) / 2
	case x.K.chains:
		d := x.dict()
		return d.Len()
	}
	t := x.table()
	return t.Len()
}

// Get is the value and the expiry of a field. The value aliases the heap or, for an integer of a
// listpack, the kind's buffer, which the next call overwrites.
func (x *Hash) Get(field []byte) (value []byte, at int64, ok bool) {
	switch {
	case x.packed():
		v := x.packedValue(field)
		if v == 0 {
			return nil, NoExpire, false
		}
		return listpack.Get(x.lp(), v, &x.K.num[1]), NoExpire, true
	case x.K.chains:
		d := x.dict()
		e := d.Find(field)
		if e == 0 {
			return nil, NoExpire, false
		}
		return sds.Text(x.K.H, heap.Ptr(d.Val(e))), NoExpire, true
	}
	t := x.table()
	r := x.find(&t, field)
	if !r.OK() {
		return nil, NoExpire, false
	}
	return hashentry.Value(x.K.H, r.Get()), hashentry.Expire(x.K.H, r.Get()), true
}

// packedValue is the offset of a field's value in the listpack, 0 where there is no such field.
func (x *Hash) packedValue(field []byte) int {
	lp := x.lp()
	at := listpack.Find(lp, listpack.First(lp), field, 1)
	if at == 0 {
		return 0
	}
	return listpack.Next(lp, at)
}

// find looks a field up and hides it where its time has come.
func (x *Hash) find(t *hashtable.Table, field []byte) hashtable.Ref {
	r := t.Find(field, t.Hash(field))
	if r.OK() && !x.K.live(x.K.H, r.Get()) {
		return hashtable.Ref{}
	}
	return r
}

// Exists tells whether a field is there.
func (x *Hash) Exists(field []byte) bool {
	_, _, ok := x.Get(field)
	return ok
}

// Each calls f with every field, its value and its expiry until f returns false. f must not change
// the hash; what it is given is valid until it returns.
func (x *Hash) Each(f func(field, value []byte, at int64) bool) {
	k := x.K
	switch {
	case x.packed():
		lp := x.lp()
		for at := listpack.First(lp); at != 0; {
			v := listpack.Next(lp, at)
			if !f(listpack.Get(lp, at, &k.num[0]), listpack.Get(lp, v, &k.num[1]), NoExpire) {
				return
			}
			at = listpack.Next(lp, v)
		}
	case k.chains:
		d := x.dict()
		d.Each(func(e dict.Entry) bool { return f(d.Key(e), sds.Text(k.H, heap.Ptr(d.Val(e))), NoExpire) })
	default:
		t := x.table()
		t.Each(func(e heap.Ptr) bool { return !k.live(k.H, e) || x.emit(e, f) })
	}
}

// All is Each that also shows the fields whose time has come, as a dump does.
func (x *Hash) All(f func(field, value []byte, at int64) bool) {
	if x.packed() || x.K.chains {
		x.Each(f)
		return
	}
	t := x.table()
	t.Each(func(e heap.Ptr) bool { return x.emit(e, f) })
}

func (x *Hash) emit(e heap.Ptr, f func(field, value []byte, at int64) bool) bool {
	h := x.K.H
	return f(hashentry.Field(h, e), hashentry.Value(h, e), hashentry.Expire(h, e))
}

// Scan calls f with the fields and values at a cursor and returns the next cursor, 0 at the end. A
// listpack comes at once.
func (x *Hash) Scan(cursor uint64, f func(field, value []byte)) uint64 {
	k := x.K
	switch {
	case x.packed():
		x.Each(func(field, value []byte, _ int64) bool { f(field, value); return true })
		return 0
	case k.chains:
		d := x.dict()
		return d.Scan(cursor, func(e dict.Entry) { f(d.Key(e), sds.Text(k.H, heap.Ptr(d.Val(e)))) })
	}
	t := x.table()
	return t.Scan(cursor, func(e heap.Ptr) {
		if k.live(k.H, e) {
			f(hashentry.Field(k.H, e), hashentry.Value(k.H, e))
		}
	})
}

// Free frees the hash.
func (x *Hash) Free() {
	switch {
	case x.packed():
		x.K.H.Free(x.P)
	case x.K.chains:
		d := x.dict()
		d.Free()
	default:
		t := x.table()
		if x.K.H.Rel.FieldTTL {
			x.volatile(&t).Release()
		}
		t.Free(func(e heap.Ptr) { hashentry.Free(x.K.H, e) })
	}
}
