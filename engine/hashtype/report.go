package hashtype

import (
	"fmt"

	"github.com/keyloupe/keyloupe/engine/dict"
	"github.com/keyloupe/keyloupe/engine/hashentry"
	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/engine/listpack"
	"github.com/keyloupe/keyloupe/engine/sds"
)

// Usage is what MEMORY USAGE counts of the hash and of what came before: its object. The size of up
// to samples entries, 0 for all, stands for that of every one. What came before matters: the server
// adds a floating-point number to it and cuts the sum.
func (x *Hash) Usage(before, samples int) int {
	h := x.K.H
	if x.packed() {
		return before + h.Usable(x.P)
	}
	n, size := 0, 0
	if x.K.chains {
		d := x.dict()
		d.Each(func(e dict.Entry) bool {
			if samples != 0 && n == samples {
				return false
			}
			n++
			size += sds.Usable(h, d.KeyPtr(e)) + sds.Usable(h, heap.Ptr(d.Val(e))) + d.EntryUsage(e)
			return true
		})
		return average(before+dict.StructSize+8*d.Slots(), size, n, d.Len())
	}
	t := x.table()
	t.Each(func(e heap.Ptr) bool {
		if !x.K.live(h, e) {
			return true
		}
		if samples != 0 && n == samples {
			return false
		}
		n++
		size += hashentry.MemUsage(h, e)
		return true
	})
	total := average(before+t.MemUsage(), size, n, t.Len())
	if h.Rel.FieldTTL {
		total += x.volatile(&t).MemUsage()
	}
	return total
}

// average adds to a fixed size that of all entries, of which n were measured.
func average(fixed, size, n, all int) int {
	if n == 0 {
		return fixed
	}
	return int(float64(fixed) + float64(size)/float64(n)*float64(all))
}

// Stats is what DEBUG HTSTATS-KEY tells of the table, "" where there is none.
func (x *Hash) Stats(full bool) string {
	switch {
	case x.packed():
		return ""
	case x.K.chains:
		d := x.dict()
		return d.Stats(full)
	}
	t := x.table()
	return t.Stats(full)
}

// Picture adds the blocks of the hash: name, and its arrays, entries and set under names of theirs.
func (x *Hash) Picture(pic *layout.Picture, name string) {
	h := x.K.H
	switch {
	case x.packed():
		listpack.Picture(pic, h, x.P, name, []string{"field", "value"}, []layout.Role{layout.Key, layout.Value})
	case x.K.chains:
		d := x.dict()
		d.Picture(pic, name, func(name string, v uint64) { sds.Picture(pic, h, heap.Ptr(v), name, "sds", layout.Value) })
	default:
		x.pictureTable(pic, name)
	}
}

func (x *Hash) pictureTable(pic *layout.Picture, name string) {
	h, t := x.K.H, x.table()
	names := map[heap.Ptr]string{}
	var order []heap.Ptr
	set := x.volatile(&t)
	t.Picture(pic, name, func(e heap.Ptr) string {
		n := fmt.Sprintf("entry%d", len(order))
		names[e] = n
		order = append(order, e)
		return n
	}, func(k *layout.Block, at int) {
		if h.Rel.FieldTTL {
			set.Label(k, at)
		}
	})
	for _, e := range order {
		hashentry.Picture(pic, h, e, names[e])
	}
	if h.Rel.FieldTTL {
		set.Picture(pic, func(e heap.Ptr) string { return names[e] })
	}
}
