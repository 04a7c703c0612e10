package stream

import (
	"fmt"

	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/engine/listpack"
	"github.com/keyloupe/keyloupe/engine/rax"
	"github.com/keyloupe/keyloupe/engine/sds"
)

// Picture adds the blocks of a stream: its struct, the trees with their nodes, the listpacks, the
// groups with their consumers and pending entries.
func (s Stream) Picture(pic *layout.Picture, name string) {
	k := pic.Add(name, "stream", uint64(s.p), s.b, structSize)
	k.Plain = true
	k.Struct(0, "", &s.at.table)
	k.Points(s.at.rax, name+".rax")
	if s.groups() != 0 {
		k.Points(s.at.cgroupsPtr, name+".cgroups")
	}
	k.Done()
	rax.Picture(pic, s.h, s.tree(), name+".rax", func(key []byte, p heap.Ptr) string {
		node := name + ".node " + fromKey(key).String()
		s.listpackPicture(pic, p, node)
		return node
	})
	if s.groups() != 0 {
		rax.Picture(pic, s.h, s.groups(), name+".cgroups", func(key []byte, p heap.Ptr) string {
			group := name + ".group " + layout.Quote(key)
			s.group(p).picture(pic, group)
			return group
		})
	}
}

// listpackPicture adds a node's listpack, each piece with what it is.
func (s Stream) listpackPicture(pic *layout.Picture, p heap.Ptr, name string) {
	lp := listpack.Of(s.h, p)
	if pic.Full() {
		pic.Add(name, "listpack", uint64(p), s.h.Bytes(p), len(lp))
		return
	}
	names, roles := []string{}, []layout.Role{}
	piece := func(role layout.Role, text string) {
		names, roles = append(names, text), append(roles, role)
	}
	m := readMaster(lp)
	piece(layout.Header, "count")
	piece(layout.Header, "deleted")
	piece(layout.Header, "master fields")
	for i := range m.n {
		piece(layout.Key, fmt.Sprint("master field ", i))
	}
	piece(layout.Header, "master end")
	base := ID{}
	for at := m.end; at != 0; {
		e := readEntry(lp, at, base, &m)
		what := "entry"
		if e.deleted() {
			what = "deleted entry"
		}
		piece(layout.Header, what+" flags")
		piece(layout.Header, "ms less the node's")
		piece(layout.Header, "seq less the node's")
		if !e.same() {
			piece(layout.Header, "fields")
		}
		for i := range e.n {
			if !e.same() {
				piece(layout.Key, fmt.Sprint("field ", i))
			}
			piece(layout.Value, fmt.Sprint("value ", i))
		}
		piece(layout.Header, "pieces")
		at = e.after(lp)
	}
	listpack.Picture(pic, s.h, p, name, names, roles)
}

func (g Group) picture(pic *layout.Picture, name string) {
	k := pic.Add(name, "streamCG", uint64(g.p), g.b, groupStruct.Size)
	k.Plain = true
	k.Struct(0, "", &groupStruct)
	k.Points(offGroupPEL, name+".pel")
	k.Points(offConsumers, name+".consumers")
	k.Done()
	consumers := map[heap.Ptr]string{}
	g.EachConsumer(func(c Consumer) bool {
		consumers[c.p] = name + ".consumer " + layout.Quote(c.Name())
		return true
	})
	nackName := func(key []byte) string { return name + ".nack " + fromKey(key).String() }
	rax.Picture(pic, g.h, g.pel(), name+".pel", func(key []byte, p heap.Ptr) string {
		n := g.nack(p)
		k := pic.Add(nackName(key), "streamNACK", uint64(p), n.b, nackStruct.Size)
		k.Plain = true
		k.Struct(0, "", &nackStruct)
		if to := consumers[n.ptr(offOwner)]; to != "" {
			k.Points(offOwner, to)
		}
		k.Done()
		return nackName(key)
	})
	rax.Picture(pic, g.h, g.members(), name+".consumers", func(_ []byte, p heap.Ptr) string {
		c, self := g.consumer(p), consumers[p]
		k := pic.Add(self, "streamConsumer", uint64(p), c.b, consumerStruct.Size)
		k.Plain = true
		k.Struct(0, "", &consumerStruct)
		k.Points(offName, self+".name")
		k.Points(offPEL, self+".pel")
		k.Done()
		sds.Picture(pic, g.h, c.ptr(offName), self+".name", "name sds", layout.Key).Plain = true
		rax.Picture(pic, g.h, c.pel(), self+".pel", func(key []byte, _ heap.Ptr) string { return nackName(key) })
		return self
	})
}
