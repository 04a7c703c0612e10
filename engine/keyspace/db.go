package keyspace

import (
	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/engine/object"
)

// store keeps the keys of one database. A hash is Space.hash of the key. Objects are addressed by
// heap.Ptr; 0 is none.
type store interface {
	len() int
	// find looks a key up in the table of keys.
	find(key []byte, hash uint64) heap.Ptr
	// peek is find without moving a bucket.
	peek(key []byte, hash uint64) heap.Ptr
	// add inserts a key that is not there.
	add(key []byte, hash uint64, v Value) heap.Ptr
	// replace gives a key that is there another value; its expiry stays.
	replace(key []byte, hash uint64, v Value) heap.Ptr
	// reserve sizes the tables for that many keys and expiries, where there are any.
	reserve(keys, expires int)
	// remove takes a key out of all tables and returns its object for the caller to free.
	remove(key []byte, hash uint64) heap.Ptr
	// expire is the expiry of a key whose object is known.
	expire(key []byte, hash uint64, p heap.Ptr) int64
	// peekExpire is expire without moving a bucket.
	peekExpire(key []byte, hash uint64, p heap.Ptr) int64
	// setExpire sets the expiry of a key that is there and returns its object, which may have moved.
	setExpire(key []byte, hash uint64, at int64) heap.Ptr
	removeExpire(key []byte, hash uint64) bool
	expires() int

	// track and untrack note that a hash has fields that expire (9.0 and later).
	track(key []byte, hash uint64, p heap.Ptr)
	untrack(key []byte, hash uint64, p heap.Ptr)

	scan(cursor uint64, f func(key []byte, p heap.Ptr)) uint64
	// look is scan without any effect on the table.
	look(cursor uint64, f func(key []byte, p heap.Ptr)) uint64
	scanExpires(cursor uint64, f func(key []byte, at int64)) uint64
	scanVolatile(cursor uint64, f func(key []byte, p heap.Ptr)) uint64
	each(f func(key []byte, p heap.Ptr) bool)
	// walk is each with what a server's walk does to the table.
	walk(f func(key []byte, p heap.Ptr) bool)
	sample(next func() uint64) (key []byte, ok bool)
	sampleExpires(next func() uint64) (key []byte, ok bool)
	// flush frees everything; the tables themselves stay where the release keeps them.
	flush(async bool)
	// fit begins to grow or shrink tables that are full or nearly empty, as cron does.
	fit() (began bool)
	// steps moves up to n buckets of the tables that are growing or shrinking, as cron does.
	steps(n int) (left bool)
	// lookExpires does what a lookup in the table of expiries does to it.
	lookExpires(key []byte, hash uint64)
	overhead() Overhead
	volatile() int // keys with fields that expire
	counts() (keys, expires TableCount)
	// entryPicture and expiryPicture add the blocks that tables keep for a key beside its object.
	entryPicture(pic *layout.Picture, key []byte, hash uint64)
	expiryPicture(pic *layout.Picture, key []byte, hash uint64)
	// stats is what DEBUG HTSTATS tells of the tables; "" of one that is not there.
	stats(full bool) (keys, expires string)
	// entrySize is what MEMORY USAGE counts of a key apart from its object.
	entrySize(key []byte, hash uint64) int
}

// Overhead is what MEMORY STATS tells of a database's tables, in bytes.
type Overhead struct {
	Main, Expires, Lut, Rehashing int
	RehashingTables               int
}

// TableCount is the buckets of a table of the keyspace; of a dict its slots.
type TableCount struct{ Buckets, Children int }

// DB is one database.
type DB struct {
	ID    int
	s     *Space
	store store
}

// Space is the server's keyspace that the database belongs to.
func (d *DB) Space() *Space { return d.s }

// Len is the number of keys, expired ones that are still there included.
func (d *DB) Len() int { return d.store.len() }

// Expires is the number of keys that have an expiry.
func (d *DB) Expires() int { return d.store.expires() }

// VolatileItems is the number of hashes with fields that expire.
func (d *DB) VolatileItems() int { return d.store.volatile() }

// Lookup flags.
const (
	NoTouch  = 1 << iota // the access clock stays
	NoStats              // hits and misses are not counted
	NoNotify             // no keymiss event
	NoExpire             // an expired key is not deleted, though it is not found
	write
)

// LookupRead finds a key to be read; 0 where there is none or it has expired.
func (d *DB) LookupRead(key []byte, flags ...int) heap.Ptr {
	f := 0
	for _, x := range flags {
		f |= x
	}
	return d.lookup(key, f)
}

// LookupWrite finds a key to be written. It counts neither hit nor miss.
func (d *DB) LookupWrite(key []byte) heap.Ptr { return d.lookup(key, write) }

func (d *DB) lookup(key []byte, flags int) heap.Ptr {
	hash := d.s.hash(key)
	p := d.store.find(key, hash)
	if p != 0 && d.expireIfNeeded(key, hash, p, flags&NoExpire == 0 && (flags&write != 0 || !d.s.Import)) {
		p = 0
	}
	if flags&(NoStats|write) == 0 {
		if p != 0 {
			d.s.Stats.Hits++
		} else {
			d.s.Stats.Misses++
		}
	}
	if p == 0 && flags&(NoNotify|write) == 0 {
		d.s.event(d.ID, 'm', "keymiss", key)
	}
	if p != 0 && flags&NoTouch == 0 {
		d.touch(p)
	}
	return p
}

// expireIfNeeded tells whether the key has expired, and deletes it then.
func (d *DB) expireIfNeeded(key []byte, hash uint64, p heap.Ptr, del bool) bool {
	at := d.store.expire(key, hash, p)
	if at == object.NoExpire || d.s.Now <= at || d.s.Import && d.s.Source {
		return false
	}
	if del && !d.s.Frozen {
		d.DeleteExpired(key)
	}
	return true
}

// DeleteExpired deletes a key because its time has come.
func (d *DB) DeleteExpired(key []byte) {
	k := append([]byte(nil), key...) // key may lie in the object that goes
	if d.Delete(k) {
		d.s.H.Note("the key had expired and was deleted when it was looked at")
		d.s.Stats.Expired++
		d.s.event(d.ID, 'x', "expired", k)
		if d.s.Expired != nil {
			d.s.Expired(d.ID, k)
		}
	}
}

// Exists tells whether a key is there, with the effects of a lookup but without touching it.
func (d *DB) Exists(key []byte) bool { return d.LookupRead(key, NoTouch) != 0 }

// Add inserts a key that is not there and returns its object.
func (d *DB) Add(key []byte, v Value) heap.Ptr {
	p := d.store.add(key, d.s.hash(key), v)
	if d.s.Added != nil {
		d.s.Added(d.ID, key, v.Type)
	}
	d.s.event(d.ID, 'n', "new", key)
	return p
}

// Load inserts a key of a dump that is not there; nobody is told. It returns the key's object.
func (d *DB) Load(key []byte, v Value) heap.Ptr { return d.store.add(key, d.s.hash(key), v) }

// Reserve sizes the tables for the keys and the expiries that a dump tells of (kvstoreExpand).
func (d *DB) Reserve(keys, expires int) { d.store.reserve(keys, expires) }

// Replace gives a key that is there another value and keeps its expiry (dbReplaceValue).
func (d *DB) Replace(key []byte, v Value) heap.Ptr {
	return d.store.replace(key, d.s.hash(key), v)
}

// Overwrite is Replace for a value that takes the key over, so that those who wait for the old
// one must know (dbSetValue with overwrite).
func (d *DB) Overwrite(key []byte, v Value) heap.Ptr {
	if d.s.Unlink != nil {
		if old := d.Peek(key); old != 0 {
			d.s.Unlink(d.ID, key, object.TypeOf(d.s.H.Bytes(old)))
		}
	}
	return d.Replace(key, v)
}

// Set adds or overwrites a key. was says whether the caller just found it; keep keeps the expiry,
// which is dropped otherwise. It returns the key's object.
func (d *DB) Set(key []byte, v Value, was, keep bool) heap.Ptr {
	var p heap.Ptr
	if was {
		p = d.Overwrite(key, v)
	} else {
		p = d.Add(key, v)
	}
	if !keep {
		d.RemoveExpire(key)
	}
	return p
}

// SetKey is Set that first looks whether the key is there.
func (d *DB) SetKey(key []byte, v Value) heap.Ptr {
	return d.Set(key, v, d.LookupWrite(key) != 0, false)
}

// Delete deletes a key and tells whether it was there.
func (d *DB) Delete(key []byte) bool {
	p := d.store.remove(key, d.s.hash(key))
	if p == 0 {
		return false
	}
	if d.s.Unlink != nil {
		d.s.Unlink(d.ID, key, object.TypeOf(d.s.H.Bytes(p)))
	}
	d.s.free(p)
	return true
}

// Remove takes a key out and returns its value, to become another key's; its expiry is dropped.
func (d *DB) Remove(key []byte) (v Value, ok bool) {
	p := d.store.remove(key, d.s.hash(key))
	if p == 0 {
		return v, false
	}
	if d.s.Unlink != nil {
		d.s.Unlink(d.ID, key, object.TypeOf(d.s.H.Bytes(p)))
	}
	if object.IsShared(d.s.R, d.s.H.Bytes(p)) {
		return Integer(int64(object.Val(d.s.H.Bytes(p)))), true
	}
	v = d.s.Take(p)
	d.s.H.Free(p)
	return v, true
}

// ExpireIfNeeded looks into the table of expiries for a key and deletes it where it has expired,
// as DEL does before it deletes. It tells whether it did: an expired key may have to stay.
func (d *DB) ExpireIfNeeded(key []byte) bool {
	hash := d.s.hash(key)
	d.store.lookExpires(key, hash)
	p := d.store.peek(key, hash)
	return p != 0 && d.expireIfNeeded(key, hash, p, !d.s.Import) && !d.s.Import && !d.s.Frozen
}

// Peek finds a key without any effect: for pictures and reports.
func (d *DB) Peek(key []byte) heap.Ptr { return d.store.peek(key, d.s.hash(key)) }

// Expire is the expiry of a key, Unix time in ms, or object.NoExpire. p is its object.
func (d *DB) Expire(key []byte, p heap.Ptr) int64 { return d.store.expire(key, d.s.hash(key), p) }

// PeekExpire is Expire without moving a bucket.
func (d *DB) PeekExpire(key []byte, p heap.Ptr) int64 {
	return d.store.peekExpire(key, d.s.hash(key), p)
}

// SetExpire sets the expiry of a key that is there and returns its object, which may have moved.
func (d *DB) SetExpire(key []byte, at int64) heap.Ptr {
	return d.store.setExpire(key, d.s.hash(key), at)
}

// RemoveExpire drops the expiry of a key and tells whether there was one.
func (d *DB) RemoveExpire(key []byte) bool { return d.store.removeExpire(key, d.s.hash(key)) }

// Track notes that the hash at key has fields that expire; Untrack that it has none any more.
func (d *DB) Track(key []byte, p heap.Ptr)   { d.store.track(key, d.s.hash(key), p) }
func (d *DB) Untrack(key []byte, p heap.Ptr) { d.store.untrack(key, d.s.hash(key), p) }

// Flush deletes every key and returns how many there were.
func (d *DB) Flush(async bool) int {
	n := d.store.len()
	if n > 0 || !d.s.R.FlushSkipsEmpty {
		d.store.flush(async)
	}
	return n
}

// Stats is what DEBUG HTSTATS tells of the tables of keys and of expiries, "" of one that was never
// used; full adds the lengths of chains.
func (d *DB) Stats(full bool) (keys, expires string) { return d.store.stats(full) }

// Each calls f with every key in the order of the table until it returns false; f must not change
// the database. Keys alias the heap.
func (d *DB) Each(f func(key []byte, p heap.Ptr) bool) { d.store.each(f) }

// Walk is Each as a command of the server walks, which can leave the table held (hashtable.Walk).
func (d *DB) Walk(f func(key []byte, p heap.Ptr) bool) { d.store.walk(f) }

// Scan calls f with the keys at a cursor and returns the next cursor, 0 at the end.
func (d *DB) Scan(cursor uint64, f func(key []byte, p heap.Ptr)) uint64 {
	return d.store.scan(cursor, f)
}

// Look is Scan without any effect: for pictures and reports. f must not change the database.
func (d *DB) Look(cursor uint64, f func(key []byte, p heap.Ptr)) uint64 {
	return d.store.look(cursor, f)
}

// Sample picks a key; which one depends on next, a source of random 64-bit numbers.
func (d *DB) Sample(next func() uint64) (key []byte, ok bool) { return d.store.sample(next) }

// SampleExpires is Sample among the keys that have an expiry.
func (d *DB) SampleExpires(next func() uint64) (key []byte, ok bool) {
	return d.store.sampleExpires(next)
}

// ScanVolatile is Scan among the hashes that have fields that expire.
func (d *DB) ScanVolatile(cursor uint64, f func(key []byte, p heap.Ptr)) uint64 {
	return d.store.scanVolatile(cursor, f)
}

// Fit begins to grow or shrink the tables that are full or nearly empty, and tells whether it did.
// The server's cron does that even where no key was added or deleted: a table that is just full
// grows before the next key comes, and one that was emptied gets a bucket.
func (d *DB) Fit() (began bool) { return d.store.fit() }

// RehashSteps moves up to n buckets of the tables that are growing or shrinking, and tells whether
// some are left.
func (d *DB) RehashSteps(n int) (left bool) { return d.store.steps(n) }

// EntryPicture adds the block of a key's table entry, where the release has one; ExpiryPicture
// that of its entry in the table of expiries.
func (d *DB) EntryPicture(pic *layout.Picture, key []byte) {
	d.store.entryPicture(pic, key, d.s.hash(key))
}

func (d *DB) ExpiryPicture(pic *layout.Picture, key []byte) {
	d.store.expiryPicture(pic, key, d.s.hash(key))
}

// EntrySize is what MEMORY USAGE counts of a key that is there apart from its object: its entry,
// and in 7.2 its own block; nothing where the object holds the key.
func (d *DB) EntrySize(key []byte) int { return d.store.entrySize(key, d.s.hash(key)) }

// Tables counts the buckets of the tables of keys and of expiries, both arrays of a table that is
// moving together.
func (d *DB) Tables() (keys, expires TableCount) { return d.store.counts() }

// Overhead is what MEMORY STATS tells of the database's tables.
func (d *DB) Overhead() Overhead { return d.store.overhead() }

// activeLookups bounds what one round of ActiveExpire looks at in a database.
const activeLookups = 400

// ActiveExpire deletes keys whose time has come, as the server's cron does: it goes on from
// cursor, looks at a bounded number of keys with an expiry and returns where to go on.
func (d *DB) ActiveExpire(cursor uint64) uint64 {
	var due [][]byte
	seen := 0
	for seen < activeLookups {
		cursor = d.store.scanExpires(cursor, func(key []byte, at int64) {
			seen++
			if d.s.Now > at {
				due = append(due, append([]byte(nil), key...))
			}
		})
		if cursor == 0 {
			break
		}
	}
	for _, k := range due {
		d.DeleteExpired(k)
	}
	return cursor
}
