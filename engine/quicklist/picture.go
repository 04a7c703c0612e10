package quicklist

import (
	"strconv"

	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/engine/listpack"
)

// Picture adds the blocks of a list: the struct under the given name, each node and its entry.
func (l List) Picture(pic *layout.Picture, name string) {
	k := pic.Add(name, "quicklist", uint64(l.P), l.b(), Size)
	k.Plain = true
	k.Struct(0, "", &Struct)
	k.Mask(oCompress+2, 4, "bits that the server does not initialise")
	nodes := l.Nodes()
	l.point(k, oHead, l.head(), name, 0)
	l.point(k, oTail, l.tail(), name, nodes-1)
	k.Done()
	i := 0
	for n := l.head(); n != 0; n = l.next(n) {
		l.pictureNode(pic, n, name, i)
		i++
	}
}

func nodeName(name string, i int) string { return name + ".node" + strconv.Itoa(i) }

func (l List) point(k *layout.Block, off int, to heap.Ptr, name string, i int) {
	if to != 0 {
		k.Points(off, nodeName(name, i))
	}
}

func (l List) pictureNode(pic *layout.Picture, n heap.Ptr, name string, i int) {
	self := nodeName(name, i)
	k := pic.Add(self, "quicklistNode", uint64(n), l.H.Bytes(n), oBits+4)
	k.Plain = true
	k.Struct(0, "", &Node)
	k.Say("encoding", map[bool]string{true: "LZF", false: "raw"}[l.isCompressed(n)])
	k.Say("container", map[bool]string{true: "plain", false: "packed"}[l.isPlain(n)])
	k.Mask(oBits+2, 2, "bits that the server does not initialise")
	l.point(k, oPrev, l.prev(n), name, i-1)
	l.point(k, oNext, l.next(n), name, i+1)
	k.Points(oEntry, self+".entry")
	k.Done()
	if l.isCompressed(n) {
		l.pictureLZF(pic, n, self+".entry")
		return
	}
	if !l.isPlain(n) {
		listpack.Picture(pic, l.H, l.entry(n), self+".entry", []string{"element"}, []layout.Role{layout.Value})
		return
	}
	e := pic.Add(self+".entry", "large element", uint64(l.entry(n)), l.H.Bytes(l.entry(n)), l.sz(n))
	e.Plain = true
	e.Data(0, l.sz(n), "element", layout.Value, "the bytes alone, without header")
	e.Done()
}

func (l List) pictureLZF(pic *layout.Picture, n heap.Ptr, name string) {
	b := l.stored(n)
	k := pic.Add(name, "quicklistLZF", uint64(l.entry(n)), l.H.Bytes(l.entry(n)), len(b))
	k.Plain = true
	k.Data(0, lzfHeader, "sz", layout.Header, "bytes of LZF that follow")
	k.Data(lzfHeader, len(b)-lzfHeader, "compressed", layout.Value, "the node's entry in LZF")
	k.Done()
}
