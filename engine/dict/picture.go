package dict

import (
	"fmt"

	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/engine/release"
	"github.com/keyloupe/keyloupe/engine/sds"
)

// Picture adds the blocks of the dict that a key's value is kept in: struct, arrays, and for every
// entry, numbered in the order of a walk, its block, its key and what value adds for it under the
// name "entryN.value". value is nil for sets.
func (d *Dict) Picture(pic *layout.Picture, name string, value func(name string, v uint64)) {
	d.picture(name, &painter{d: d, pic: pic, value: value})
}

// PictureIndex is Picture for a dict whose keys and values lie in blocks of others, which are not
// added: key and value name the places that an entry's pointers lead to.
func (d *Dict) PictureIndex(pic *layout.Picture, name string, key func(p heap.Ptr) string, value func(v uint64) string) {
	d.picture(name, &painter{d: d, pic: pic, keyName: key, valueName: value})
}

func (d *Dict) picture(name string, p *painter) {
	k := p.pic.Add(name, "dict", uint64(d.P), d.b, StructSize+d.T.Metadata)
	k.Plain = true
	k.Struct(0, "", Struct(d.H.Rel))
	k.Points(0, "static:type")
	pad := offHold
	if d.H.Rel.KeyTable != release.DictWithKeyPointer {
		pad += 2
	}
	k.Mask(pad, StructSize-pad, "padding")
	for i := range 2 {
		if d.table(i) != 0 {
			table := fmt.Sprintf("%s.table%d", name, i)
			k.Points(offTables+8*i, table)
			p.table(table, i)
		}
	}
	k.Done()
	for _, draw := range p.later {
		draw()
	}
}

// painter draws the arrays first and the entries they lead to after them.
type painter struct {
	d       *Dict
	pic     *layout.Picture
	value   func(name string, v uint64)
	entries int
	later   []func()

	keyName   func(p heap.Ptr) string // of PictureIndex
	valueName func(v uint64) string
}

func (p *painter) table(name string, i int) {
	n := p.d.Size(i)
	b := p.d.H.Bytes(p.d.table(i))
	k := p.pic.Add(name, "slots", uint64(p.d.table(i)), b, n*SlotSize)
	k.Plain = true
	for s := range n {
		k.Defs(s*SlotSize, "", "slots", []layout.Def{{Name: fmt.Sprintf("slot %d", s), Len: SlotSize, Role: layout.Pointer, Meaning: "first entry whose hash ends in this number"}})
		if e := p.d.slot(i, uint64(s)); e != 0 {
			k.Points(s*SlotSize, p.entry(e))
		}
	}
	k.Done()
}

// entry plans the blocks of an entry and of those after it and returns the name that a pointer to
// it leads to.
func (p *painter) entry(e Entry) string {
	name := fmt.Sprintf("entry%d", p.entries)
	p.entries++
	if e.isKey() {
		p.later = append(p.later, func() { p.key(name, heap.Ptr(e)) })
		return name
	}
	next := ""
	if n := p.d.next(e); n != 0 {
		next = p.entry(n)
	}
	p.later = append(p.later, func() { p.block(name, e, next) })
	if e.tag() == tagNoValue {
		return name + "|2"
	}
	return name
}

func (p *painter) block(name string, e Entry, next string) {
	d, st := p.d, &entryStruct
	if e.tag() == tagNoValue {
		st = &noValueStruct
	}
	k := p.pic.Add(name, st.Name, uint64(e.ptr()), d.H.Bytes(e.ptr()), st.Size)
	k.Plain = true
	k.Struct(0, "", st)
	if next != "" {
		k.Points(int(e.link()-e.ptr()), next)
	}
	if p.keyName != nil {
		k.Points(0, p.keyName(d.KeyPtr(e)))
		k.Points(8, p.valueName(d.Val(e)))
		k.Done()
		return
	}
	k.Points(0, name+".key")
	if e.tag() == tagNormal {
		k.Points(8, name+".value")
	}
	k.Done()
	p.key(name+".key", d.KeyPtr(e))
	if p.value != nil {
		p.value(name+".value", d.Val(e))
	}
}

func (p *painter) key(name string, key heap.Ptr) {
	sds.Picture(p.pic, p.d.H, key, name, "sds", layout.Key)
}

// otherEntry is where a keyspace entry's next leads: not into the key's own blocks.
const otherEntry = "next entry of the slot or null"

// PictureEntry adds the block of a key's entry in the dict of keys.
func (d *Dict) PictureEntry(pic *layout.Picture, e Entry) {
	b := d.H.Bytes(e.ptr())
	if e.tag() != tagWithKey {
		k := pic.Add("entry", entryStruct.Name, uint64(e.ptr()), b, entrySize)
		k.Plain = true
		k.Struct(0, "", &entryStruct)
		k.Points(0, "key")
		k.Points(8, "object")
		k.Points(16, otherEntry)
		k.Done()
		return
	}
	at := keyAt + int(b[16])
	k := pic.Add("entry", "dictEntry with its key", uint64(e.ptr()), b, at+sds.LenAt(b, at)+1)
	for i, f := range withKeyStruct.Fields {
		k.Defs(0, "", f.Name, withKeyStruct.Fields[i:i+1])
	}
	k.Points(0, "object")
	k.Points(8, otherEntry)
	sds.Label(k, at, "key ", "key", layout.Key)
	k.Done()
}

// PictureExpire adds the block of a key's entry in the dict of expiries; key is where its key is.
func (d *Dict) PictureExpire(pic *layout.Picture, e Entry, key string) {
	k := pic.Add("expires_entry", entryStruct.Name, uint64(e.ptr()), d.H.Bytes(e.ptr()), entrySize)
	for i, part := range []string{"", "expire", ""} {
		k.Defs(0, "", part, expireStruct.Fields[i:i+1])
	}
	k.Points(0, key)
	k.Points(16, otherEntry)
	k.Done()
}
