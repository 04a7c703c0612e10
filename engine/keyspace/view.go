package keyspace

import "github.com/keyloupe/keyloupe/engine/dict"

// Dict is a table of 7.2 or 8.0, named as for View, to be looked at and not changed; ok is false where there is none.
func (d *DB) Dict(table string) (v *dict.Dict, ok bool) {
	c, ok := d.store.(*chains)
	if !ok {
		return nil, false
	}
	switch table {
	case KeysTable:
		return &c.keys.d, c.keys.ok
	case ExpiresTable:
		return &c.exp.d, c.exp.ok
	}
	return nil, false
}

// Hash is the hash of a key in the database's tables.
func (d *DB) Hash(key []byte) uint64 { return d.s.hash(key) }
