package command

import (
	"encoding/binary"
	"encoding/hex"
	"github.com/keyloupe/keyloupe/engine/sha1"
	"math"
	"strconv"

	"github.com/keyloupe/keyloupe/engine/fpconv"
	"github.com/keyloupe/keyloupe/engine/object"
	"github.com/keyloupe/keyloupe/engine/settype"
	"github.com/keyloupe/keyloupe/engine/stream"
)

var _ = addDebug(map[string]debugSub{
	"digest":       {2, 2, func(c *Client) { c.Status(c.S.Digest()) }},
	"digest-value": {2, math.MaxInt, debugDigestValue},
})

// digest is a sum of data. What has no order is xored into it, what has one is mixed in (debug.c).
type digest [sha1.Size]byte

func (d *digest) xor(b []byte) {
	for i, x := range sha1.Sum(b) {
		d[i] ^= x
	}
}

func (d *digest) mix(b []byte) {
	d.xor(b)
	*d = sha1.Sum(d[:])
}

func (d *digest) number(n uint32) { d.mix(binary.BigEndian.AppendUint32(nil, n)) }

// pair xors the digest of two things in order.
func (d *digest) pair(a, b []byte) {
	var e digest
	e.mix(a)
	e.mix(b)
	d.xor(e[:])
}

func (d digest) String() string { return hex.EncodeToString(d[:]) }

// Digest is the digest of all data, the same on every server that holds the same.
func (s *Server) Digest() string {
	var all digest
	for i := range s.Space.Databases() {
		db := s.Space.Existing(i)
		if db == nil || db.Len() == 0 {
			continue
		}
		all.number(uint32(i))
		db.Walk(func(key []byte, p ptr) bool {
			var d digest
			d.mix(key)
			s.digestValue(&d, p, db.PeekExpire(key, p) != object.NoExpire)
			all.xor(d[:])
			return true
		})
	}
	return all.String()
}

func debugDigestValue(c *Client) {
	c.Array(len(c.Args) - 2)
	for _, key := range c.Args[2:] {
		var d digest
		if p := c.DB.Peek(key); p != 0 {
			c.S.digestValue(&d, p, c.DB.PeekExpire(key, p) != object.NoExpire)
		}
		c.Status(d.String())
	}
}

func (s *Server) digestValue(d *digest, p ptr, expires bool) {
	b := s.H.Bytes(p)
	t, e, v := object.TypeOf(b), object.EncodingOf(b), ptr(object.Val(b))
	d.number(uint32(t))
	var num [24]byte
	switch t {
	case object.String:
		d.mix(object.Text(s.H, p, &num))
	case object.List:
		it := list{s: s, p: p}.iterate(0, false)
		for x := (listEntry{}); it.next(&x); {
			if x.Text == nil {
				d.mix(strconv.AppendInt(num[:0], x.Int, 10))
			} else {
				d.mix(x.Text)
			}
		}
	case object.Set:
		set := s.setKind().View(e, v)
		set.Each(func(m settype.Member) bool {
			if m.Text == nil {
				d.xor(strconv.AppendInt(num[:0], m.Int, 10))
			} else {
				d.xor(m.Text)
			}
			return true
		})
	case object.Zset:
		z := s.zsets.Open(e, v)
		z.Each(func(score float64, member []byte) bool {
			d.pair(member, fpconv.AppendShortest(num[:0], score))
			return true
		})
	case object.Hash:
		h := s.hashOf(p)
		h.Each(func(field, value []byte, _ int64) bool { d.pair(field, value); return true })
	case object.Stream:
		digestStream(d, stream.Open(s.H, v))
	}
	if expires {
		d.xor([]byte("!!expire!!"))
	}
}

func digestStream(d *digest, x stream.Stream) {
	it := x.Range(stream.ID{}, stream.MaxID, false)
	for it.Next() {
		id := it.ID()
		d.mix([]byte(strconv.FormatUint(id.Ms, 10) + "." + strconv.FormatUint(id.Seq, 10)))
		for range it.Fields() {
			field, value := it.Field()
			d.mix(field)
			d.mix(value)
		}
	}
}
