package lab

import (
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
	kinds := map[string]keyspace.TableKind{"keys": keyspace.KeysTable, "expires": keyspace.ExpiresTable}
	kind, ok := kinds[q.Kind]
	if !ok {
		return nil, fmt.Errorf("there is no table of %q: there are keys and expires", q.Kind)
	}
	s := l.lab.Servers[q.Server]
	v := s.Client.DB.Table(kind)
	out := &wire.Buckets{Server: q.Server, Kind: q.Kind, Rehash: -1, Arrays: arrays(v), Chains: v.Chains != nil}
	switch {
	case v.Buckets != nil:
		buckets(out, v.Buckets, s, q)
	case v.Chains != nil:
		chains(out, v.Chains, s, q)
	}
	return out, nil
}

// arrays describes the arrays that a table has, without their buckets.
func arrays(v keyspace.TableView) (out []wire.Array) {
	for i := range 2 {
		a := wire.Array{}
		switch {
		case v.Buckets != nil:
			a.Buckets, a.Children, a.Used = v.Buckets.Buckets(i), v.Buckets.Children(i), v.Buckets.Used(i)
			a.Bytes = (a.Buckets + a.Children) * hashtable.BucketSize
		case v.Chains != nil:
			a.Buckets, a.Used = v.Chains.Size(i), v.Chains.Used(i)
			a.Bytes = a.Buckets * slotBytes
		}
		if a.Buckets > 0 {
			out = append(out, a)
		}
	}
	return out
}

// span is the buckets of an array that are asked for.
func span(q *wire.Table, a *wire.Array) (from, end int) {
	from = max(0, min(q.From, a.Buckets))
	a.From = from
	return from, min(a.Buckets, from+max(0, min(q.Count, maxBuckets)))
}

func buckets(out *wire.Buckets, t *hashtable.Table, s *engine.Server, q *wire.Table) {
	out.Rehash = t.RehashAt()
	out.Grows, out.Shrink = t.GrowsAt(), t.ShrinksAt()
	for i := range out.Arrays {
		from, end := span(q, &out.Arrays[i])
		for n := from; n < end; n++ {
			var b wire.Bucket
			for _, link := range t.Chain(i, n) {
				b.Chain = append(b.Chain, int(link.Present()))
			}
			out.Arrays[i].Window = append(out.Arrays[i].Window, b)
		}
	}
	if at, ok := t.Locate(q.Key, s.Client.DB.Hash(q.Key)); ok && q.Key != nil {
		out.At = &wire.Place{Array: at.Array, Bucket: at.Bucket, Link: at.Link, Position: at.Position}
	}
	if i, n, ok := opened(out, q); ok {
		out.Opened = &wire.Opening{Array: i, Bucket: n}
		for l, b := range t.Chain(i, n) {
			link := wire.Link{Addr: uint64(b.P), Chained: b.Chained(), Bytes: b.B}
			if l == 0 {
				link.Offset = n * hashtable.BucketSize
			}
			for k := range hashtable.Positions {
				link.Slots = append(link.Slots, slot(s, b, k))
			}
			out.Opened.Links = append(out.Opened.Links, link)
		}
	}
}

func slot(s *engine.Server, b hashtable.Bucket, k int) wire.Slot {
	if b.Present()>>k&1 == 0 {
		if b.Chained() && k == hashtable.Positions-1 {
			_, p := b.Slot(k)
			return wire.Slot{Ptr: uint64(p)}
		}
		return wire.Slot{}
	}
	tag, p := b.Slot(k)
	return wire.Slot{Used: true, Tag: tag, Ptr: uint64(p), Key: s.Space.KeyAt(p)}
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
	out.Rehash = d.RehashAt()
	out.Grows = d.GrowsAt()
	for i := range out.Arrays {
		from, end := span(q, &out.Arrays[i])
		for n := from; n < end; n++ {
			out.Arrays[i].Window = append(out.Arrays[i].Window, wire.Bucket{Chain: []int{len(d.Chain(i, n))}})
		}
	}
	if i, n, l, ok := d.Locate(q.Key, s.Client.DB.Hash(q.Key)); ok && q.Key != nil {
		out.At = &wire.Place{Array: i, Bucket: n, Link: l}
	}
	if i, n, ok := opened(out, q); ok {
		link := wire.Link{Offset: n * slotBytes, Addr: uint64(d.Array(i)) + uint64(n*slotBytes)}
		for _, e := range d.Chain(i, n) {
			link.Slots = append(link.Slots, wire.Slot{Used: true, Ptr: uint64(e), Key: d.Key(e)})
		}
		out.Opened = &wire.Opening{Array: i, Bucket: n, Links: []wire.Link{link}}
	}
}
