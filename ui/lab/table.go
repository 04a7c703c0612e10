package lab

import (
	"bytes"
	"fmt"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/engine/dict"
	"github.com/keyloupe/keyloupe/engine/hashtable"
	"github.com/keyloupe/keyloupe/engine/keyspace"
	"github.com/keyloupe/keyloupe/ui/wire"
)

const (
	slotBytes  = 8
	maxBuckets = 4096 // most buckets of one answer
)

// table is a window of the buckets of one table.
func (l *Lab) table(q *wire.Table) (*wire.Buckets, error) {
	if q.Server < 0 || q.Server >= len(l.lab.Servers) {
		return nil, fmt.Errorf("there is no server number %d", q.Server+1)
	}
	switch q.Kind {
	case keyspace.KeysTable, keyspace.ExpiresTable, keyspace.VolatileTable:
	default:
		return nil, fmt.Errorf("there is no table of %q: there are %s, %s and %s", q.Kind, keyspace.KeysTable, keyspace.ExpiresTable, keyspace.VolatileTable)
	}
	s := l.lab.Servers[q.Server]
	out := &wire.Buckets{Server: q.Server, Kind: q.Kind, Rehash: -1, Arrays: arrays(s, q.Kind)}
	if d, ok := s.Client.DB.Dict(q.Kind); ok {
		chains(out, d, s, q)
	} else if len(out.Arrays) > 0 {
		buckets(out, s, q)
	}
	return out, nil
}

// arrays describes the arrays that a table has, without their buckets.
func arrays(s *engine.Server, kind string) (out []wire.Array) {
	if d, ok := s.Client.DB.Dict(kind); ok {
		for i := range 2 {
			if n := d.Size(i); n > 0 {
				out = append(out, wire.Array{Buckets: n, Used: d.Used(i), Bytes: n * slotBytes})
			}
		}
		return out
	}
	v, _ := s.Table(kind, 0, 0, 0, "")
	for _, a := range v.Arrays {
		out = append(out, wire.Array{Buckets: a.Buckets, Children: a.Children, Used: a.Used, Bytes: (a.Buckets + a.Children) * hashtable.BucketSize})
	}
	return out
}

// span is the buckets of an array that are asked for.
func span(q *wire.Table, a *wire.Array) (from, count int) {
	a.From = max(0, min(q.From, a.Buckets))
	return a.From, min(a.Buckets-a.From, max(0, min(q.Count, maxBuckets)))
}

func buckets(out *wire.Buckets, s *engine.Server, q *wire.Table) {
	for i := range out.Arrays {
		a := &out.Arrays[i]
		from, count := span(q, a)
		v, _ := s.Table(q.Kind, i, from, count, string(q.Key))
		out.Rehash, out.Grows, out.Shrink = v.Rehash, v.GrowsAt, v.ShrinksAt
		for _, b := range v.Buckets {
			if b.Depth == 0 {
				a.Window = append(a.Window, wire.Bucket{})
			}
			last := &a.Window[len(a.Window)-1]
			last.Chain = append(last.Chain, int(b.Presence))
		}
		if v.Selected >= 0 {
			out.At = &wire.Place{Array: v.SelArray, Bucket: v.Selected}
		}
	}
	if out.At != nil {
		pinpoint(out.At, s, q)
	}
	if i, n, ok := opened(out, q); ok {
		out.Opened = &wire.Opening{Array: i, Bucket: n, Links: links(s, q, i, n)}
	}
}

// pinpoint finds the link of its bucket's chain and the position that the selected key has.
func pinpoint(at *wire.Place, s *engine.Server, q *wire.Table) {
	v, _ := s.Table(q.Kind, at.Array, at.Bucket, 1, string(q.Key))
	for _, b := range v.Buckets {
		for _, e := range b.Entries {
			if e.Selected {
				at.Link, at.Position = b.Depth, e.Position
			}
		}
	}
}

// links is a bucket and its children in full.
func links(s *engine.Server, q *wire.Table, array, bucket int) (out []wire.Link) {
	v, _ := s.Table(q.Kind, array, bucket, 1, "")
	for _, b := range v.Buckets {
		l := wire.Link{Addr: b.Addr, Chained: b.Chained, Bytes: b.Bytes, Slots: make([]wire.Slot, hashtable.Positions)}
		if b.Depth == 0 {
			l.Offset = bucket * hashtable.BucketSize
		}
		for _, e := range b.Entries {
			l.Slots[e.Position] = wire.Slot{Used: true, Tag: e.Tag, Ptr: e.Addr, Key: []byte(e.Key)}
		}
		out = append(out, l)
	}
	for i := range out[:len(out)-1] { // the last position of each but the last leads to the next
		out[i].Slots[hashtable.Positions-1].Ptr = out[i+1].Addr
	}
	return out
}

// opened is the bucket to show in full: the one asked for, or the selected key's.
func opened(out *wire.Buckets, q *wire.Table) (array, bucket int, ok bool) {
	if q.Open >= 0 && q.Array >= 0 && q.Array < len(out.Arrays) && q.Open < out.Arrays[q.Array].Buckets {
		return q.Array, q.Open, true
	}
	if out.At != nil {
		return out.At.Array, out.At.Bucket, true
	}
	return 0, 0, false
}

func chains(out *wire.Buckets, d *dict.Dict, s *engine.Server, q *wire.Table) {
	out.Chains = true
	out.Rehash = d.RehashAt()
	if !d.Rehashing() {
		out.Grows = d.GrowsAt()
	}
	for i := range out.Arrays {
		a := &out.Arrays[i]
		from, count := span(q, a)
		for n := range count {
			a.Window = append(a.Window, wire.Bucket{Chain: []int{len(d.Chain(i, from+n))}})
		}
	}
	if i, n, l, ok := d.Locate(q.Key, s.Client.DB.Hash(q.Key)); ok && q.Key != nil {
		out.At = &wire.Place{Array: i, Bucket: n, Link: l}
	}
	if i, n, ok := opened(out, q); ok {
		link := wire.Link{Offset: n * slotBytes, Addr: uint64(d.Array(i)) + uint64(n*slotBytes)}
		for _, e := range d.Chain(i, n) {
			link.Slots = append(link.Slots, wire.Slot{Used: true, Ptr: uint64(e), Key: bytes.Clone(d.Key(e))})
		}
		out.Opened = &wire.Opening{Array: i, Bucket: n, Links: []wire.Link{link}}
	}
}
