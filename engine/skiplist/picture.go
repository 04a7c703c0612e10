package skiplist

import (
	"strconv"

	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/engine/sds"

	"github.com/keyloupe/keyloupe/engine/fpconv"
)

// Picture adds the blocks of the list called name and of its nodes in order, each called as
// nodeName says; a member with a block of its own is the node's name and ".member".
func (l List) Picture(pic *layout.Picture, name string, nodeName func(n heap.Ptr) string) {
	target := func(k *layout.Block, off int) {
		if p := heap.Ptr(le.Uint64(k.Bytes[off:])); p != 0 && !pic.Full() {
			k.Points(off, nodeName(p))
		}
	}
	size := l.f.list.Size
	if l.f.embedded {
		size = l.f.nodeSize(MaxLevel)
	}
	k := pic.Add(name, "zskiplist", uint64(l.p), l.h.Bytes(l.p), size)
	k.Struct(0, "", l.f.list)
	target(k, l.f.tail)
	if l.f.embedded {
		l.pictureLevels(k, MaxLevel, target)
		k.Done()
	} else {
		k.Points(0, name+".header")
		k.Done()
		l.pictureNode(pic, l.x, name+".header", "zskiplistNode, header", MaxLevel, target)
	}
	for n := l.First(); n != 0; n = l.Next(n) {
		if !pic.Full() {
			l.pictureNode(pic, n, nodeName(n), "zskiplistNode", l.heightIn(n), target)
			continue
		}
		pic.Add("", "", uint64(n), l.h.Bytes(n), 0)
		if p := l.MemberAt(n); !l.f.embedded {
			pic.Add("", "", uint64(p), l.h.Bytes(sds.Start(l.h, p)), 0)
		}
	}
}

func (l List) pictureLevels(k *layout.Block, height int, target func(*layout.Block, int)) {
	k.Defs(0, "", "zskiplistLevel", levels(l.f.first, height, l.f.height))
	for i := range height {
		target(k, l.f.first+i*levelSize)
	}
}

func (l List) pictureNode(pic *layout.Picture, n heap.Ptr, name, kind string, height int, target func(*layout.Block, int)) {
	b := l.h.Bytes(n)
	used := l.f.nodeSize(height)
	if l.f.embedded {
		used += 1 + int(b[used]) + len(l.Member(n)) + 1
	}
	k := pic.Add(name, kind, uint64(n), b, used)
	k.Struct(0, "", l.f.node)
	k.Say("score", string(fpconv.Append(nil, l.Score(n))))
	target(k, l.f.back)
	l.pictureLevels(k, height, target)
	ele := heap.Ptr(0)
	if l.f.embedded {
		at := l.f.nodeSize(height)
		k.Data(at, 1, "member header size", layout.Meta, "bytes of the member's sds header, to find its text")
		k.Say("member header size", strconv.Itoa(int(b[at])))
		sds.Label(k, at+1+int(b[at]), "member ", "member", layout.Value)
	} else if ele = heap.Ptr(le.Uint64(b)); ele != 0 {
		k.Points(0, name+".member")
	}
	k.Done()
	if ele != 0 {
		sds.Picture(pic, l.h, ele, name+".member", "member", layout.Value)
	}
}

// heightIn is the height of a node. Where nodes do not keep it, it is the number of levels on which
// the list leads to it.
func (l List) heightIn(n heap.Ptr) int {
	if l.f.height {
		return l.nodeHeight(l.h.Bytes(n))
	}
	var at path
	l.find(l.Score(n), l.Member(n), &at)
	high := 0
	for high < l.Height() && l.forward(at.node[high], high) == n {
		high++
	}
	return high
}
