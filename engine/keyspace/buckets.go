package keyspace

import (
	"encoding/binary"

	"github.com/keyloupe/keyloupe/engine/hashtable"
	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/engine/object"
)

// buckets is the store of 8.1 and later. Its tables point to the keys' objects: all three to the
// same ones.
type buckets struct {
	s              *Space
	keys, exp, vol kvtable
	// stale counts entries of vol whose key is a hash no more: 9.0.0 forgets those of overwritten
	// hashes, and crashes when it comes to them. Here they stay, but lead to memory that is valid.
	stale int
}

// kvtable is a table of the keyspace, allocated with its first key (kvstore.c).
type kvtable struct {
	typ hashtable.Type
	t   hashtable.Table
	ok  bool
}

// kvMetadata is what a kvstore keeps behind each of its tables: its place in the list of tables
// being moved, and the kvstore.
const (
	kvMetadata = 16
	listNode   = 24
)

func newBuckets(s *Space) *buckets {
	b := &buckets{s: s}
	for name, t := range map[string]*kvtable{KeysTable: &b.keys, ExpiresTable: &b.exp, VolatileTable: &b.vol} {
		t.typ = hashtable.Type{Name: name, Seed: &s.KeySeed, Metadata: kvMetadata,
			KeyOf:   func(h *heap.Heap, p heap.Ptr) []byte { return object.Key(h.Rel, h.At(p)) },
			Started: b.started, Completed: b.completed}
		if name != VolatileTable {
			t.typ.MayGrow = func(n int) bool { return s.Grow == nil || s.Grow(n) }
		}
	}
	return b
}

// started adds a table to its kvstore's list of tables being moved; completed takes it off.
func (b *buckets) started(t *hashtable.Table) {
	binary.LittleEndian.PutUint64(t.Meta(), uint64(b.s.H.Alloc(listNode)))
}

func (b *buckets) completed(t *hashtable.Table) {
	m := t.Meta()
	b.s.H.Free(heap.Ptr(binary.LittleEndian.Uint64(m)))
	clear(m[:8])
}

// make is the table, allocated where it was not.
func (k *kvtable) make(h *heap.Heap) *hashtable.Table {
	if !k.ok {
		k.t, k.ok = hashtable.New(h, &k.typ), true
	}
	return &k.t
}

func (k *kvtable) find(key []byte, hash uint64) (r hashtable.Ref) {
	if k.ok {
		r = k.t.Find(key, hash)
	}
	return r
}

func (k *kvtable) len() int {
	if !k.ok {
		return 0
	}
	return k.t.Len()
}

func get(r hashtable.Ref) heap.Ptr {
	if !r.OK() {
		return 0
	}
	return r.Get()
}

func (b *buckets) reserve(keys, expires int) {
	b.keys.reserve(b.s.H, keys)
	b.exp.reserve(b.s.H, expires)
}

func (k *kvtable) reserve(h *heap.Heap, n int) {
	if n > 0 {
		k.make(h).Reserve(n)
	}
}

func (b *buckets) len() int      { return b.keys.len() }
func (b *buckets) expires() int  { return b.exp.len() }
func (b *buckets) volatile() int { return b.vol.len() }

func (b *buckets) find(key []byte, hash uint64) heap.Ptr { return get(b.keys.find(key, hash)) }

func (b *buckets) peek(key []byte, hash uint64) (p heap.Ptr) {
	if b.keys.ok {
		p = get(b.keys.t.Peek(key, hash))
	}
	return p
}

// build makes the object of a key (object.c, objectSetKeyAndExpire). Only a value that arrived as
// embstr can be embedded.
func (b *buckets) build(key []byte, v Value, at int64) heap.Ptr {
	h := b.s.H
	switch {
	case v.Type != object.String:
		return object.NewPlain(h, v.Type, v.Enc, uint64(v.Ptr), key, at)
	case v.Enc == object.Int:
		return object.NewPlain(h, object.String, object.Int, uint64(v.Int), key, at)
	case v.Enc == object.Embstr:
		ok, need, limit := object.Embeds(b.s.R, len(key), len(v.Text), at != object.NoExpire)
		if ok {
			return object.NewEmb(h, key, v.Text, at)
		}
		h.Note("the value no longer fits into the object: %d > %d bytes", need, limit)
	}
	return object.NewPlain(h, object.String, object.Raw, uint64(b.s.payload(v)), key, at)
}

func (b *buckets) add(key []byte, hash uint64, v Value) heap.Ptr {
	p := b.build(key, v, object.NoExpire)
	b.trackNew(key, hash, p)
	object.SetLRU(b.s.H.Bytes(p), b.s.fresh())
	b.keys.make(b.s.H).Add(key, hash, p)
	return p
}

// replace gives the key another value. Where neither is embedded the old object block stays, so
// that its size tells of the key's past (db.c, dbSetValue).
func (b *buckets) replace(key []byte, hash uint64, v Value) heap.Ptr {
	ref := b.keys.find(key, hash)
	old := ref.Get()
	ob := b.s.H.Bytes(old)
	volatile := b.s.hasVolatileFields(old)
	if volatile && !b.s.R.UntracksOverwritten {
		b.s.H.Note("%s forgets that the key was a hash with fields that expire: a real server crashes when its expiry cycle comes to it", b.s.R.Version)
		b.stale++
		volatile = false
	}
	if object.EncodingOf(ob) != object.Embstr && v.Enc != object.Embstr && !v.Held && !b.s.Holds(old) {
		if volatile {
			b.untrack(key, hash, old)
		}
		b.swapValue(ob, len(key), v)
		b.trackNew(key, hash, old)
		return old
	}
	at := object.Expire(b.s.R, ob)
	p := b.build(key, v, at)
	object.SetLRU(b.s.H.Bytes(p), object.LRU(ob))
	ref.Set(p)
	if at >= 0 {
		b.exp.find(key, hash).Set(p)
	}
	if volatile {
		b.untrack(key, hash, old)
	}
	b.repoint(key, hash, p)
	b.trackNew(key, hash, p)
	b.s.free(old)
	return p
}

// repoint leads a stale entry of the volatile items to another object of its key. p = 0 says that
// there is none: then to a copy that no memory is counted for.
func (b *buckets) repoint(key []byte, hash uint64, p heap.Ptr) {
	if b.stale == 0 {
		return
	}
	r := b.vol.find(key, hash)
	if !r.OK() {
		return
	}
	if p == 0 {
		was := b.s.H.Bytes(r.Get())
		p = b.s.H.AllocStatic(len(was))
		copy(b.s.H.Bytes(p), was)
	}
	r.Set(p)
}

// swapValue exchanges the value in an object's bytes and frees the old one.
func (b *buckets) swapValue(ob []byte, klen int, v Value) {
	t, e, val := object.TypeOf(ob), object.EncodingOf(ob), object.Val(ob)
	n := uint64(v.Ptr)
	switch {
	case v.Enc == object.Int:
		n = uint64(v.Int)
	case v.Type == object.String:
		n = uint64(b.s.payload(v))
	}
	object.SetTypeEncoding(ob, v.Type, v.Enc)
	object.SetVal(ob, n)
	if b.s.H.Tracing() {
		if _, fresh, _ := object.PlainSize(b.s.R, klen, false); fresh != len(ob) {
			b.s.H.Note("the object block of the earlier value was kept: %d bytes where a fresh one would have %d", len(ob), fresh)
		}
	}
	if e != object.Int {
		b.s.FreeFn[t](e, heap.Ptr(val))
	}
}

func (b *buckets) remove(key []byte, hash uint64) heap.Ptr {
	ref := b.keys.find(key, hash)
	if !ref.OK() {
		return 0
	}
	p := ref.Get()
	b.keys.t.Delete(ref)
	if object.Expire(b.s.R, b.s.H.Bytes(p)) != object.NoExpire {
		if r := b.exp.find(key, hash); r.OK() {
			b.exp.t.Delete(r)
		}
	}
	if b.s.hasVolatileFields(p) {
		b.untrack(key, hash, p)
	} else {
		b.repoint(key, hash, 0)
	}
	return p
}

func (b *buckets) expire(_ []byte, _ uint64, p heap.Ptr) int64 {
	return object.Expire(b.s.R, b.s.H.Bytes(p))
}

func (b *buckets) peekExpire(key []byte, hash uint64, p heap.Ptr) int64 {
	return b.expire(key, hash, p)
}

// setExpire writes the expiry into the object's slot, or rebuilds the object with one; an embedded
// value is tested again then, and may have to move out (object.c, objectSetExpire).
func (b *buckets) setExpire(key []byte, hash uint64, at int64) heap.Ptr {
	h := b.s.H
	ref := b.keys.find(key, hash)
	p := ref.Get()
	ob := h.Bytes(p)
	was := object.Expire(b.s.R, ob)
	if object.HasSlot(ob) {
		object.SetExpire(b.s.R, ob, at)
	} else if at != object.NoExpire {
		h.Note("the object was rebuilt: it had no room for the expiry")
		q := b.build(key, b.s.Take(p), at)
		object.SetLRU(h.Bytes(q), object.LRU(ob))
		if b.vol.ok && b.s.hasVolatileFields(q) {
			b.vol.find(key, hash).Set(q)
		}
		b.repoint(key, hash, q)
		h.Free(p)
		ref.Set(q)
		p = q
	}
	if was == object.NoExpire && at != object.NoExpire {
		b.exp.make(h).Add(key, hash, p)
	}
	return p
}

func (b *buckets) removeExpire(key []byte, hash uint64) bool {
	r := b.exp.find(key, hash)
	if !r.OK() {
		return false
	}
	p := r.Get()
	b.exp.t.Delete(r)
	object.SetExpire(b.s.R, b.s.H.Bytes(p), object.NoExpire) // the slot stays
	return true
}

func (b *buckets) lookExpires(key []byte, hash uint64) { b.exp.find(key, hash) }

// track adds a hash to the table of those with fields that expire, where it is not in it yet.
func (b *buckets) track(key []byte, hash uint64, p heap.Ptr) {
	if b.vol.make(b.s.H).Add(key, hash, p) || b.stale == 0 {
		return
	}
	if r := b.vol.find(key, hash); r.Get() != p {
		b.s.H.Note("a real %s crashes here: the key is among its volatile items already, with an object that is gone", b.s.R.Version)
		r.Set(p)
		b.stale--
	}
}

func (b *buckets) untrack(key []byte, hash uint64, _ heap.Ptr) {
	if r := b.vol.find(key, hash); r.OK() {
		b.vol.t.Delete(r)
	}
}

// trackNew tracks a value that came with fields that expire, by RENAME, COPY, MOVE or RESTORE.
func (b *buckets) trackNew(key []byte, hash uint64, p heap.Ptr) {
	if b.s.hasVolatileFields(p) {
		b.track(key, hash, p)
	}
}

// hasVolatileFields tells whether an object is a hash with fields that expire: its table's
// metadata leads to a set of them (t_hash.c, hashTypeHasVolatileFields).
func (s *Space) hasVolatileFields(p heap.Ptr) bool {
	if !s.R.FieldTTL {
		return false
	}
	b := s.H.Bytes(p)
	if object.TypeOf(b) != object.Hash || object.EncodingOf(b) != object.Table {
		return false
	}
	set := binary.LittleEndian.Uint64(s.H.At(heap.Ptr(object.Val(b)))[s.R.HashtableStruct:])
	return set != 0 && set != ^uint64(0)
}

func (b *buckets) scan(cursor uint64, f func(key []byte, p heap.Ptr)) uint64 {
	return b.keys.scan(cursor, b.s.H, f)
}

func (b *buckets) look(cursor uint64, f func(key []byte, p heap.Ptr)) uint64 {
	if !b.keys.ok {
		return 0
	}
	return b.keys.t.Look(cursor, func(p heap.Ptr) { f(object.Key(b.s.R, b.s.H.Bytes(p)), p) })
}

func (k *kvtable) scan(cursor uint64, h *heap.Heap, f func(key []byte, p heap.Ptr)) uint64 {
	if !k.ok {
		return 0
	}
	return k.t.Scan(cursor, func(p heap.Ptr) { f(object.Key(h.Rel, h.Bytes(p)), p) })
}

func (b *buckets) scanExpires(cursor uint64, f func(key []byte, at int64)) uint64 {
	return b.exp.scan(cursor, b.s.H, func(key []byte, p heap.Ptr) { f(key, object.Expire(b.s.R, b.s.H.Bytes(p))) })
}

func (b *buckets) scanVolatile(cursor uint64, f func(key []byte, p heap.Ptr)) uint64 {
	return b.vol.scan(cursor, b.s.H, f)
}

func (b *buckets) each(f func(key []byte, p heap.Ptr) bool) {
	if b.keys.ok {
		b.keys.t.Each(func(p heap.Ptr) bool { return f(object.Key(b.s.R, b.s.H.Bytes(p)), p) })
	}
}

func (b *buckets) walk(f func(key []byte, p heap.Ptr) bool) {
	if b.keys.ok {
		b.keys.t.Walk(func(p heap.Ptr) bool { return f(object.Key(b.s.R, b.s.H.Bytes(p)), p) })
	}
}

func (k *kvtable) sample(h *heap.Heap, next func() uint64) ([]byte, bool) {
	if k.len() == 0 {
		return nil, false
	}
	p, ok := k.t.Sample(next)
	if !ok {
		return nil, false
	}
	return object.Key(h.Rel, h.Bytes(p)), true
}

func (b *buckets) sample(next func() uint64) ([]byte, bool) { return b.keys.sample(b.s.H, next) }

func (b *buckets) sampleExpires(next func() uint64) ([]byte, bool) { return b.exp.sample(b.s.H, next) }

// flush frees every key. Where it works in the background the tables are new ones; else their
// structs stay, without an array.
func (b *buckets) flush(async bool) {
	for _, k := range []*kvtable{&b.vol, &b.exp} {
		k.empty(async, nil)
	}
	b.keys.empty(async, b.s.free)
	b.stale = 0
}

func (k *kvtable) empty(drop bool, each func(heap.Ptr)) {
	if !k.ok {
		return
	}
	k.t.Empty(each)
	if drop {
		k.t.H.Free(k.t.P)
		k.ok = false
	}
}

func (b *buckets) fit() (began bool) {
	for _, k := range []*kvtable{&b.keys, &b.exp, &b.vol} {
		if k.ok && (k.t.ShrinkIfNeeded() || k.t.ExpandIfNeeded()) {
			began = true
		}
	}
	return began
}

func (b *buckets) steps(n int) (left bool) {
	for _, k := range []*kvtable{&b.keys, &b.exp, &b.vol} {
		for i := 0; i < n && k.ok && k.t.Moving(); i++ {
			k.t.Step()
		}
		left = left || k.ok && k.t.Moving()
	}
	return left
}

func (b *buckets) overhead() (o Overhead) {
	for i, k := range []*kvtable{&b.keys, &b.exp} {
		n, lut := b.s.R.KvstoreSize, 0
		if k.ok {
			lut = k.t.MemUsage()
			n += lut
			if k.t.Rehashing() {
				n += listNode
				o.RehashingTables++
				o.Rehashing += hashtable.BucketSize * k.t.Buckets(0)
			}
		}
		o.Lut += lut
		if i == 0 {
			o.Main = n + 16*k.len()
		} else {
			o.Expires = n
		}
	}
	return o
}

func (b *buckets) stats(full bool) (keys, expires string) {
	return b.keys.stats(full), b.exp.stats(full)
}

func (k *kvtable) stats(full bool) string {
	if !k.ok {
		return ""
	}
	return k.t.Stats(full)
}

func (b *buckets) entrySize([]byte, uint64) int { return 0 }

func (b *buckets) entryPicture(*layout.Picture, []byte, uint64)  {}
func (b *buckets) expiryPicture(*layout.Picture, []byte, uint64) {}

func (b *buckets) counts() (keys, expires TableCount) { return b.keys.count(), b.exp.count() }

func (k *kvtable) count() (c TableCount) {
	if k.ok {
		c.Buckets = k.t.Buckets(0) + k.t.Buckets(1)
		c.Children = k.t.Children(0) + k.t.Children(1)
	}
	return c
}

// Tables of a database, as View takes them.
const (
	KeysTable     = "keys"
	ExpiresTable  = "expires"
	VolatileTable = "volatile items"
)

// View shows a window of the buckets of a table; ok is false where there is no such table.
func (d *DB) View(table string, array, from, count int, selected []byte) (v hashtable.View, ok bool) {
	b, ok := d.store.(*buckets)
	if !ok {
		return v, false
	}
	for _, k := range []*kvtable{&b.keys, &b.exp, &b.vol} {
		if k.typ.Name == table && k.ok {
			return k.t.View(array, from, count, selected), true
		}
	}
	return v, false
}
