package listpack

import (
	"strconv"

	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/layout"
)

var head = layout.Struct{Name: "listpack header", Source: "listpack.c", Size: header, Fields: []layout.Def{
	{Name: "total bytes", Len: 4, Role: layout.Header, Meaning: "size of the listpack, header and end included"},
	{Name: "count", Off: 4, Len: 2, Role: layout.Header, Meaning: "elements; 65535 = count them"}}}

// Picture adds the block of a listpack, element by element. names and roles tell what the elements
// are, in turns: ("field", Key), ("value", Value) for a hash. One of each must be given.
func Picture(pic *layout.Picture, h *heap.Heap, p heap.Ptr, name string, names []string, roles []layout.Role) *layout.Block {
	lp, full := Of(h, p), pic.Full()
	k := pic.Add(name, "listpack", uint64(p), h.Bytes(p), len(lp))
	k.Plain = true
	if full { // the block is counted only
		return k
	}
	k.Struct(0, "", &head)
	at := header
	for i := 0; lp[at] != end; i++ {
		turn := i % len(names)
		at = label(k, lp, at, names[turn]+" "+strconv.Itoa(i/len(names)), roles[turn])
	}
	k.Data(at, 1, "end", layout.Meta, "0xff ends the listpack")
	k.Say("end", "")
	k.Done()
	return k
}

// label labels one element and returns the offset after it.
func label(k *layout.Block, lp []byte, at int, name string, role layout.Role) int {
	n := dataSize(lp[at:])
	text, v := Value(lp, at)
	to := at + n
	switch hs := headSize(lp[at]); {
	case text == nil && n <= 2: // the integer shares its byte or bytes with the encoding
		k.Data(at, n, name, role, []string{1: "encoding and integer in 1 + 7 bits", 2: "encoding and integer in 3 + 13 bits"}[n])
		k.Say(name, strconv.FormatInt(v, 10))
	case text == nil:
		k.Data(at, 1, name+" encoding", layout.Meta, "an integer of "+strconv.Itoa(8*(n-1))+" bits follows")
		k.Say(name+" encoding", "int"+strconv.Itoa(8*(n-1)))
		k.Data(at+1, n-1, name, role, "")
		k.Say(name, strconv.FormatInt(v, 10))
	default:
		k.Data(at, hs, name+" encoding", layout.Meta, "text, and its length")
		k.Say(name+" encoding", "text of "+strconv.Itoa(len(text)))
		if len(text) > 0 {
			k.Data(at+hs, len(text), name, role, "")
		}
	}
	bl := entrySize(lp[at:]) - n
	k.Data(to, bl, name+" backlen", layout.Meta, "size of this element without this, to walk back")
	k.Say(name+" backlen", strconv.Itoa(n))
	return to + bl
}
