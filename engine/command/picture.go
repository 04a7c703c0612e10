package command

import (
	"math"

	"github.com/keyloupe/keyloupe/engine/keyspace"
	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/engine/object"
)

// KeyInfo is what is told of a key beside its blocks. Sizes are in bytes.
type KeyInfo struct {
	Key      string `json:"key"`
	Type     string `json:"type"`
	Encoding string `json:"encoding"`
	Usage    int    `json:"usage"`  // MEMORY USAGE SAMPLES 0
	Expire   int64  `json:"expire"` // Unix time in ms, -1 for none
}

// Info tells of a key without touching it; ok is false where there is none.
func (s *Server) Info(db *keyspace.DB, key []byte) (i KeyInfo, ok bool) {
	p := db.Peek(key)
	if p == 0 {
		return i, false
	}
	b := s.H.Bytes(p)
	return KeyInfo{Key: string(key), Type: object.TypeOf(b).String(), Encoding: object.EncodingOf(b).String(),
		Usage: s.usage(db, key, p, math.MaxInt64), Expire: db.PeekExpire(key, p)}, true
}

// Count is the number of elements of the value at a key, of a string its length in bytes; -1 where there is no key.
func (s *Server) Count(db *keyspace.DB, key []byte) int {
	p := db.Peek(key)
	if p == 0 {
		return -1
	}
	b := s.H.Bytes(p)
	t := object.TypeOf(b)
	if t == object.String {
		return object.TextLen(s.H, p)
	}
	return s.types[t].count(object.EncodingOf(b), p, ptr(object.Val(b)))
}

// Picture adds every block behind a key: its entry where the release has one, its object, its value.
func (s *Server) Picture(pic *layout.Picture, db *keyspace.DB, key []byte) (info KeyInfo, ok bool) {
	info, ok = s.Info(db, key)
	if !ok {
		return info, false
	}
	p := db.Peek(key)
	b := s.H.Bytes(p)
	t, e := object.TypeOf(b), object.EncodingOf(b)
	db.EntryPicture(pic, key)
	object.Picture(pic, s.H, p, "value")
	if draw := s.types[t].picture; draw != nil && e != object.Int && e != object.Embstr {
		draw(pic, e, ptr(object.Val(b)), "value")
	}
	db.ExpiryPicture(pic, key)
	return info, true
}

// KeysOf is the keys that a command names, as COMMAND GETKEYS has them.
func (s *Server) KeysOf(args [][]byte) (keys [][]byte) {
	m := s.Cat.Find(args)
	if m == nil || !m.ArityOK(len(args)) {
		return nil
	}
	for _, r := range m.Keys(args) {
		keys = append(keys, args[r.Pos])
	}
	return keys
}
