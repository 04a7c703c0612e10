package zset

import (
	"strconv"

	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/engine/listpack"
	"github.com/keyloupe/keyloupe/engine/object"
	"github.com/keyloupe/keyloupe/engine/skiplist"
)

// Picture adds the blocks of the value; name is the first one's. Of a large set these are the struct,
// its table, the skiplist and the nodes, numbered in order of score.
func (s *Set) Picture(pic *layout.Picture, name string) {
	if s.Enc == object.Listpack {
		listpack.Picture(pic, s.T.H, s.P, name, []string{"member", "score"}, []layout.Role{layout.Value, layout.Value})
		return
	}
	table, list := name+"."+s.T.zset.Fields[0].Name, name+".zsl"
	k := pic.Add(name, "zset", uint64(s.P), s.T.H.Bytes(s.P), skiplist.ZsetSize)
	k.Struct(0, "", s.T.zset)
	k.Points(0, table)
	k.Points(8, list)
	k.Done()
	l := s.List()
	node := func(n heap.Ptr) string {
		if pic.Full() {
			return ""
		}
		return "node" + strconv.Itoa(l.Rank(n)-1)
	}
	s.pictureTable(pic, table, node)
	l.Picture(pic, list, node)
}

func (s *Set) pictureTable(pic *layout.Picture, name string, node func(n heap.Ptr) string) {
	t := s.table()
	if !t.chained {
		t.t.Picture(pic, name, node, nil)
		return
	}
	nodes := map[heap.Ptr]heap.Ptr{} // by member
	if !pic.Full() {
		t.each(func(n heap.Ptr) bool { nodes[t.l.MemberAt(n)] = n; return true })
	}
	t.d.PictureIndex(pic, name,
		func(p heap.Ptr) string { return node(nodes[p]) + ".member" },
		func(v uint64) string { return node(t.l.NodeOf(heap.Ptr(v))) + "+" + strconv.Itoa(t.l.ScoreOffset()) })
}
