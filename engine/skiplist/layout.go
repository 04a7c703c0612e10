// Package skiplist is the ordered half of a large sorted set: nodes in order of score and member,
// each on as many levels as its height, with the distance to the next node on each level.
//
//	7.2 - 9.0   zskiplist | header 8 | tail 8 | length 8 | level 4 | - 4 |
//	            node      | ele 8 | score 8 | backward 8 | forward 8, span 8 | ... one pair a level
//	              ele points to the member, an sds of its own; the header is a node of 32 levels
//	9.1         zskiplist | length 8 | tail 8 | forward 8, span 8 | ... 32 pairs
//	            node      | score 8 | backward 8 | forward 8, span 8 | ... | header size 1 | member sds |
//	              the zskiplist is the header node; a member follows the levels (#2508, #2867)
//
// From 8.1 on span 0 of a node tells its height (#1389): at level 0 the distance is 1, or 0 for the
// last. In 8.1 and 9.0 the header's tells the greatest height yet, in 9.1 the current one.
// Source: t_zset.c and server.h of each release. Heights are random in the server: 1, and one more
// with probability 1/4 each time, at most 32. Here they come from a seeded generator, so sizes
// that depend on them, and they alone, are the server's in distribution only.
package skiplist

import (
	"fmt"

	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/engine/release"
)

// MaxLevel is the greatest height of a node (server.h, ZSKIPLIST_MAXLEVEL).
const MaxLevel = 32

// levelSize is sizeof(struct zskiplistLevel).
const levelSize = 16

// Zset is the struct that a sorted set with a skiplist begins with.
func Zset(r *release.Release) *layout.Struct {
	if r.KeyTable == release.Hashtable {
		return &zsetHashtable
	}
	return &zsetDict
}

// ZsetSize is sizeof(zset).
const ZsetSize = 16

func zset(table string) layout.Struct {
	return layout.Struct{Name: "zset", Source: "server.h", Size: ZsetSize, Fields: []layout.Def{
		{Name: table, Len: 8, Role: layout.Pointer, Meaning: "table from member to node"},
		{Name: "zsl", Off: 8, Len: 8, Role: layout.Pointer, Meaning: "the same nodes in order"}}}
}

var (
	zsetDict      = zset("dict")
	zsetHashtable = zset("ht")

	separate = layout.Struct{Name: "zskiplist", Source: "server.h", Size: 32, Fields: []layout.Def{
		{Name: "header", Len: 8, Role: layout.Pointer, Meaning: "node before the first, on every level"},
		{Name: "tail", Off: 8, Len: 8, Role: layout.Pointer, Meaning: "last node"},
		{Name: "length", Off: 16, Len: 8, Role: layout.Header, Meaning: "members"},
		{Name: "level", Off: 24, Len: 4, Role: layout.Header, Meaning: "height of the highest node"}}}
	separateNode = layout.Struct{Name: "zskiplistNode", Source: "server.h", Fields: []layout.Def{
		{Name: "ele", Len: 8, Role: layout.Pointer, Meaning: "the member; null in the header"},
		{Name: "score", Off: 8, Len: 8, Role: layout.Value, Meaning: "a double"},
		{Name: "backward", Off: 16, Len: 8, Role: layout.Pointer, Meaning: "node before this one"}}}

	embedded = layout.Struct{Name: "zskiplist", Source: "server.h", Fields: []layout.Def{
		{Name: "length", Len: 8, Role: layout.Header, Meaning: "members; a node has its score here"},
		{Name: "tail", Off: 8, Len: 8, Role: layout.Pointer, Meaning: "last node; a node points backward here"}}}
	embeddedNode = layout.Struct{Name: "zskiplistNode", Source: "server.h", Fields: []layout.Def{
		{Name: "score", Len: 8, Role: layout.Value, Meaning: "a double"},
		{Name: "backward", Off: 8, Len: 8, Role: layout.Pointer, Meaning: "node before this one"}}}

	spanMeaning   = "members from here to forward"
	heightMeaning = "height of the node, as the distance at level 0 is known"
)

// levels are the tables of a node's levels, the first at offset at.
func levels(at, n int, height bool) (out []layout.Def) {
	for i := range n {
		meaning := spanMeaning
		if height && i == 0 {
			meaning = heightMeaning
		}
		out = append(out,
			layout.Def{Name: fmt.Sprintf("forward %d", i), Off: at + i*levelSize, Len: 8, Role: layout.Pointer, Meaning: fmt.Sprintf("next node on level %d", i)},
			layout.Def{Name: fmt.Sprintf("span %d", i), Off: at + i*levelSize + 8, Len: 8, Role: layout.Header, Meaning: meaning})
	}
	return out
}

// form is one way to keep a skiplist: the offsets its readers and writers use, from the tables.
type form struct {
	list, node   *layout.Struct
	embedded     bool // members in the nodes, the header in the list
	height       bool // span 0 of a node is its height
	score, back  int  // offsets in a node
	first        int  // offset of level 0 in a node
	length, tail int  // offsets in the list
}

func newForm(list, node *layout.Struct, embedded, height bool) *form {
	last := node.Fields[len(node.Fields)-1]
	return &form{list, node, embedded, height, node.Off("score"), node.Off("backward"), last.Off + last.Len, list.Off("length"), list.Off("tail")}
}

var (
	formSpan     = newForm(&separate, &separateNode, false, false) // 7.2, 8.0
	formHeight   = newForm(&separate, &separateNode, false, true)  // 8.1, 9.0
	formEmbedded = newForm(&embedded, &embeddedNode, true, true)   // 9.1
)

func formOf(r *release.Release) *form {
	switch {
	case r.SkiplistEmbeds:
		return formEmbedded
	case r.SkiplistHeights:
		return formHeight
	}
	return formSpan
}

// nodeSize is what a node of that height takes without its member.
func (f *form) nodeSize(height int) int { return f.first + height*levelSize }
