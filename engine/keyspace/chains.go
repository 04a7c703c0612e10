package keyspace

import (
	"encoding/binary"

	"github.com/keyloupe/keyloupe/engine/dict"
	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/engine/object"
	"github.com/keyloupe/keyloupe/engine/release"
	"github.com/keyloupe/keyloupe/engine/sds"
)

// chains is the store of 7.2 and 8.0. An entry of the dict of keys leads to the object, and has
// the key (8.0) or leads to it (7.2); an entry of expires shares that key and holds the expiry.
type chains struct {
	s         *Space
	keys, exp chain
}

// chain is a dict of the keyspace. In 7.2 it is there from the start, in 8.0 from its first key on.
type chain struct {
	typ dict.Type
	d   dict.Dict
	ok  bool
}

// maxLoad is the entries a slot beyond which a dict may grow whatever maxmemory says (server.h,
// HASHTABLE_MAX_LOAD_FACTOR).
const maxLoad = 1.618

func newChains(s *Space) store {
	c := &chains{s: s}
	c.keys.typ = dict.Type{Name: "keys", Seed: &s.KeySeed, FreeKey: true}
	c.exp.typ = dict.Type{Name: "expires", Seed: &s.KeySeed}
	for _, k := range []*chain{&c.keys, &c.exp} {
		k.typ.MayResize = func(n int, load float64) bool { return s.Grow == nil || load > maxLoad || s.Grow(n) }
		if s.R.KeyTable == release.DictWithKeyInside {
			k.typ.Metadata, k.typ.Started, k.typ.Completed = kvMetadata, chainStarted, chainCompleted
		} else {
			k.make(s.H)
		}
	}
	c.keys.typ.EmbedKey = s.R.KeyTable == release.DictWithKeyInside
	return c
}

// chainStarted adds a dict to its kvstore's list of dicts being moved; chainCompleted takes it off.
func chainStarted(d *dict.Dict) {
	binary.LittleEndian.PutUint64(d.Meta(), uint64(d.H.Alloc(listNode)))
}

func chainCompleted(d *dict.Dict) {
	m := d.Meta()
	d.H.Free(heap.Ptr(binary.LittleEndian.Uint64(m)))
	clear(m[:8])
}

// make is the dict, allocated where it was not.
func (k *chain) make(h *heap.Heap) *dict.Dict {
	if !k.ok {
		k.d, k.ok = dict.New(h, &k.typ), true
	}
	return &k.d
}

func (k *chain) find(key []byte, hash uint64) dict.Entry {
	if !k.ok {
		return 0
	}
	return k.d.FindHashed(key, hash)
}

func (k *chain) peek(key []byte, hash uint64) (e dict.Entry) {
	if k.ok {
		k.d.PauseRehash()
		e = k.d.FindHashed(key, hash)
		k.d.ResumeRehash()
	}
	return e
}

func (k *chain) len() int {
	if !k.ok {
		return 0
	}
	return k.d.Len()
}

func (c *chains) reserve(keys, expires int) {
	c.keys.reserve(c.s.H, keys)
	c.exp.reserve(c.s.H, expires)
}

func (k *chain) reserve(h *heap.Heap, n int) {
	if n > 0 {
		k.make(h).Expand(n)
	}
}

func (c *chains) object(e dict.Entry) heap.Ptr {
	if e == 0 {
		return 0
	}
	return heap.Ptr(c.keys.d.Val(e))
}

func (c *chains) len() int      { return c.keys.len() }
func (c *chains) expires() int  { return c.exp.len() }
func (c *chains) volatile() int { return 0 }

func (c *chains) find(key []byte, hash uint64) heap.Ptr { return c.object(c.keys.find(key, hash)) }
func (c *chains) peek(key []byte, hash uint64) heap.Ptr { return c.object(c.keys.peek(key, hash)) }

// build makes the object of a value. Small integers share one, which costs nothing.
func (c *chains) build(v Value) heap.Ptr {
	h := c.s.H
	switch {
	case v.Type != object.String:
		return object.New(h, v.Type, v.Enc, uint64(v.Ptr))
	case v.Enc == object.Int && !v.Own && !c.s.Unshared && v.Int >= 0 && v.Int < int64(c.s.R.SharedIntegers):
		h.Note("integers below %d share an object: the value costs nothing", c.s.R.SharedIntegers)
		return c.s.shared.Get(h, int(v.Int))
	case v.Enc == object.Int:
		return object.New(h, object.String, object.Int, uint64(v.Int))
	case v.Enc == object.Embstr:
		return object.NewEmbstr(h, v.Text)
	}
	return object.New(h, object.String, object.Raw, uint64(c.s.payload(v)))
}

func (c *chains) setLRU(p heap.Ptr, lru uint32) {
	if b := c.s.H.At(p); !object.IsShared(c.s.R, b) {
		object.SetLRU(b, lru)
	}
}

func (c *chains) add(key []byte, hash uint64, v Value) heap.Ptr {
	d := c.keys.make(c.s.H)
	p := c.build(v)
	at, _ := d.FindSlotHashed(key, hash)
	var e dict.Entry
	if c.keys.typ.EmbedKey {
		t, alloc := c.keyHeader(len(key))
		e = d.InsertKey(at, key, t, alloc)
	} else {
		e = d.Insert(at, sds.New(c.s.H, key))
	}
	c.setLRU(p, c.s.fresh())
	d.SetVal(e, uint64(p))
	return p
}

// keyHeader is the sds header that an entry of 8.0 copies with its key: that of the argument, which
// has type 8 where the argument is embstr, or of the string that a dump was read into.
func (c *chains) keyHeader(n int) (t, alloc int) {
	switch {
	case c.s.Loading:
		return sds.NewHeader(c.s.R, n)
	case n <= c.s.R.ArgEmbed:
		return sds.T8, object.EmbstrRoom(c.s.R, n)
	case n >= bigArg:
		return sds.NewHeader(c.s.R, n+len("\r\n"))
	}
	return sds.NewHeader(c.s.R, n)
}

// replace gives the key another object, with the access clock of the old one.
func (c *chains) replace(key []byte, hash uint64, v Value) heap.Ptr {
	e := c.keys.find(key, hash)
	old := c.object(e)
	p := c.build(v)
	c.setLRU(p, object.LRU(c.s.H.At(old)))
	c.keys.d.SetVal(e, uint64(p))
	c.s.free(old)
	return p
}

func (c *chains) remove(key []byte, hash uint64) heap.Ptr {
	if !c.keys.ok {
		return 0
	}
	r := c.keys.d.UnlinkFindHashed(key, hash)
	if r.Entry == 0 {
		return 0
	}
	p := c.object(r.Entry)
	c.removeExpire(key, hash) // first: the key's text is the entry's
	c.keys.d.UnlinkFree(r)
	return p
}

func (c *chains) expire(key []byte, hash uint64, _ heap.Ptr) int64 {
	if e := c.exp.find(key, hash); e != 0 {
		return int64(c.exp.d.Val(e))
	}
	return object.NoExpire
}

func (c *chains) peekExpire(key []byte, hash uint64, _ heap.Ptr) int64 {
	if e := c.exp.peek(key, hash); e != 0 {
		return int64(c.exp.d.Val(e))
	}
	return object.NoExpire
}

func (c *chains) setExpire(key []byte, hash uint64, at int64) heap.Ptr {
	k := c.keys.find(key, hash)
	d := c.exp.make(c.s.H)
	slot, e := d.FindSlotHashed(key, hash)
	if e == 0 {
		e = d.Insert(slot, c.keys.d.KeyPtr(k))
	}
	d.SetVal(e, uint64(at))
	return c.object(k)
}

func (c *chains) removeExpire(key []byte, hash uint64) bool {
	if !c.exp.ok {
		return false
	}
	e := c.exp.d.UnlinkHashed(key, hash)
	c.exp.d.FreeEntry(e)
	return e != 0
}

func (c *chains) lookExpires(key []byte, hash uint64) { c.exp.find(key, hash) }

// Fields of hashes do not expire in these releases.
func (c *chains) track([]byte, uint64, heap.Ptr)                     {}
func (c *chains) untrack([]byte, uint64, heap.Ptr)                   {}
func (c *chains) scanVolatile(uint64, func([]byte, heap.Ptr)) uint64 { return 0 }

func (k *chain) scan(cursor uint64, f func(e dict.Entry)) uint64 {
	if !k.ok {
		return 0
	}
	return k.d.Scan(cursor, f)
}

func (c *chains) scan(cursor uint64, f func(key []byte, p heap.Ptr)) uint64 {
	return c.keys.scan(cursor, func(e dict.Entry) { f(c.keys.d.Key(e), c.object(e)) })
}

// look needs nothing of its own: a scan of a dict changes nothing.
func (c *chains) look(cursor uint64, f func(key []byte, p heap.Ptr)) uint64 { return c.scan(cursor, f) }

func (c *chains) scanExpires(cursor uint64, f func(key []byte, at int64)) uint64 {
	return c.exp.scan(cursor, func(e dict.Entry) { f(c.exp.d.Key(e), int64(c.exp.d.Val(e))) })
}

// walk is each: a dict that stood still for an iterator goes on after it.
func (c *chains) walk(f func(key []byte, p heap.Ptr) bool) { c.each(f) }

func (c *chains) each(f func(key []byte, p heap.Ptr) bool) {
	if c.keys.ok {
		c.keys.d.Each(func(e dict.Entry) bool { return f(c.keys.d.Key(e), c.object(e)) })
	}
}

func (k *chain) sample(next func() uint64) ([]byte, bool) {
	if k.len() == 0 {
		return nil, false
	}
	return k.d.Key(k.d.FairRandom(next)), true
}

func (c *chains) sample(next func() uint64) ([]byte, bool)        { return c.keys.sample(next) }
func (c *chains) sampleExpires(next func() uint64) ([]byte, bool) { return c.exp.sample(next) }

// flush frees every key. Where it works in the background the dicts are new ones; else their
// structs stay, without an array.
func (c *chains) flush(async bool) {
	c.each(func(_ []byte, p heap.Ptr) bool { c.s.free(p); return true })
	for _, k := range []*chain{&c.exp, &c.keys} {
		if k.ok {
			k.d.Empty()
		}
		if k.ok && async && k.typ.Metadata > 0 {
			c.s.H.Free(k.d.P)
			k.ok = false
		}
	}
}

func (c *chains) fit() (began bool) {
	for _, k := range []*chain{&c.keys, &c.exp} {
		if k.ok && !k.d.Rehashing() {
			k.fit()
			began = began || k.d.Rehashing()
		}
	}
	return began
}

func (k *chain) fit() {
	switch {
	case k.d.H.Rel.DictShrinksOnDelete:
		if !k.d.ShrinkIfNeeded() {
			k.d.ExpandIfNeeded()
		}
	case k.d.NeedsResize():
		k.d.Resize()
	}
}

func (c *chains) steps(n int) (left bool) {
	for _, k := range []*chain{&c.keys, &c.exp} {
		if k.ok {
			left = k.d.Rehash(n) || left
		}
	}
	return left
}

func (c *chains) overhead() (o Overhead) {
	o.Main = c.overheadOf(&c.keys, &o) + 16*c.keys.len()
	o.Expires = c.overheadOf(&c.exp, &o)
	return o
}

func (c *chains) overheadOf(k *chain, o *Overhead) int {
	n := c.s.R.KvstoreSize
	if !k.ok {
		return n
	}
	n += k.d.MemUsage()
	if k.typ.Metadata > 0 { // 7.2 counts no struct
		n += dict.StructSize + kvMetadata
	}
	o.Lut += dict.SlotSize * k.d.Slots()
	if k.d.Rehashing() {
		o.RehashingTables++
		o.Rehashing += dict.SlotSize * k.d.Size(0)
		if k.typ.Metadata > 0 {
			n += listNode
		}
	}
	return n
}

func (c *chains) stats(full bool) (keys, expires string) {
	return c.keys.stats(full), c.exp.stats(full)
}

func (k *chain) stats(full bool) string {
	if !k.ok {
		return ""
	}
	return k.d.Stats(full)
}

// entrySize of 7.2 counts an entry, and a key's string apart from it.
func (c *chains) entrySize(key []byte, hash uint64) int {
	e := c.keys.peek(key, hash)
	n := c.keys.d.EntryUsage(e)
	if !c.keys.typ.EmbedKey {
		n += sds.Usable(c.s.H, c.keys.d.KeyPtr(e))
	}
	return n
}

func (c *chains) entryPicture(pic *layout.Picture, key []byte, hash uint64) {
	e := c.keys.peek(key, hash)
	c.keys.d.PictureEntry(pic, e)
	if !c.keys.typ.EmbedKey {
		sds.Picture(pic, c.s.H, c.keys.d.KeyPtr(e), "key", "sds", layout.Key)
	}
}

func (c *chains) expiryPicture(pic *layout.Picture, key []byte, hash uint64) {
	e := c.exp.peek(key, hash)
	if e == 0 {
		return
	}
	target := "key"
	if c.keys.typ.EmbedKey {
		target = "key inside entry"
	}
	c.exp.d.PictureExpire(pic, e, target)
}

func (c *chains) counts() (keys, expires TableCount) { return c.keys.count(), c.exp.count() }

func (k *chain) count() (n TableCount) {
	if k.ok {
		n.Buckets = k.d.Slots()
	}
	return n
}
