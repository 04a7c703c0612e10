package rax

import (
	"fmt"

	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/layout"
)

var (
	treeDefs = []layout.Def{
		{Name: "head", Off: offHead, Len: 8, Role: layout.Pointer, Meaning: "the root node"},
		{Name: "numele", Off: offNumele, Len: 8, Role: layout.Header, Meaning: "keys"},
		{Name: "numnodes", Off: offNumnodes, Len: 8, Role: layout.Header, Meaning: "nodes"},
		{Name: "alloc_size", Off: offAlloc, Len: 8, Role: layout.Header, Meaning: "bytes of this block and the nodes'"}}
	nodeDefs = []layout.Def{
		{Name: "iskey", Len: 4, Bits: 1, Role: layout.Header, Meaning: "the path to this node is a key"},
		{Name: "isnull", Len: 4, Bit: 1, Bits: 1, Role: layout.Header, Meaning: "the key's value is null and not kept"},
		{Name: "iscompr", Len: 4, Bit: 2, Bits: 1, Role: layout.Header, Meaning: "a chain of nodes with one child each"},
		{Name: "size", Len: 4, Bit: 3, Bits: 29, Role: layout.Header, Meaning: "children, or bytes of the chain"}}
)

// Picture adds the blocks of the tree r, with its nodes in order and after each key's node what
// value adds for it; value returns the name of the block that the value points to.
func Picture(pic *layout.Picture, h *heap.Heap, r heap.Ptr, name string, value func(key []byte, v heap.Ptr) string) {
	t := open(h, r)
	k := pic.Add(name, "rax", uint64(r), t.b, h.Rel.RaxStruct)
	k.Plain = true
	k.Defs(0, "", "rax", treeDefs[:h.Rel.RaxStruct/8])
	k.Points(offHead, name+".node0")
	k.Done()
	d := drawing{pic, h, name, value, 0}
	d.node(t.head(), nil)
}

type drawing struct {
	pic   *layout.Picture
	h     *heap.Heap
	name  string
	value func(key []byte, v heap.Ptr) string
	n     int
}

func (d *drawing) node(p heap.Ptr, key []byte) {
	n := at(d.h, p)
	k := d.pic.Add(fmt.Sprint(d.name, ".node", d.n), "rax node", uint64(p), n.b, n.length())
	k.Plain = true
	d.n++
	k.Defs(0, "", "rax node", nodeDefs)
	if n.size() > 0 {
		k.Data(headerSize, n.size(), map[bool]string{true: "string", false: "edges"}[n.compr()], layout.Key, "bytes of the keys below")
	}
	if pad := padding(n.size()); pad > 0 {
		k.Mask(headerSize+n.size(), pad, "padding")
	}
	var target string
	if n.holdsValue() {
		at := n.length() - ptrSize
		k.Defs(at, "", "rax node", []layout.Def{{Name: "value", Len: 8, Role: layout.Pointer, Meaning: "value of the key that ends here"}})
		if target = d.value(key, n.value()); target != "" {
			k.Points(at, target)
		}
	}
	for i := range n.children() {
		k.Defs(n.childOff(i), "", "rax node", []layout.Def{{Name: fmt.Sprint("child ", i), Len: 8, Role: layout.Pointer, Meaning: "the node below"}})
		k.Points(n.childOff(i), fmt.Sprint(d.name, ".node", d.n))
		edge := n.text()
		if !n.compr() {
			edge = edge[i : i+1]
		}
		d.node(n.child(i), append(key[:len(key):len(key)], edge...))
	}
	k.Done()
}
