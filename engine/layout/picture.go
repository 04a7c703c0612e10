package layout

import (
	"encoding/binary"
	"fmt"
	"sort"
	"strconv"
)

// Field is a labelled part of a block.
type Field struct {
	Name    string `json:"name"`
	Part    string `json:"part"` // what it belongs to, as images/ name it: "key sdshdr8"; "" where they do not
	Off     int    `json:"offset"`
	Len     int    `json:"len"`
	Bit     int    `json:"bit,omitempty"`
	Bits    int    `json:"bits,omitempty"`
	Role    Role   `json:"role"`
	Text    string `json:"text,omitempty"` // the value in words: "embstr", "16", `"Alice"`
	Meaning string `json:"meaning,omitempty"`
	Target  string `json:"target,omitempty"` // name of the block a pointer leads to
}

// Mask marks bytes that differ from run to run.
type Mask struct {
	Off int    `json:"offset"`
	Len int    `json:"len"`
	Why string `json:"why"`
}

// Block is the labelled picture of one allocated block.
type Block struct {
	Name   string  `json:"name"`
	Kind   string  `json:"kind,omitempty"` // what it is, for people: "robj + key + value"
	Addr   uint64  `json:"addr"`
	Size   int     `json:"size"` // usable bytes: the allocator's class
	Used   int     `json:"used"` // bytes that mean something; the rest is slack
	Bytes  []byte  `json:"bytes"`
	Fields []Field `json:"fields"`
	Masks  []Mask  `json:"masks,omitempty"`
	Shared bool    `json:"shared,omitempty"` // a shared integer: it costs nothing
	Plain  bool    `json:"-"`                // images/ do not label this kind of block
	skip   bool    // the block is beyond the picture's limit: it takes no labels
}

// Picture is every block behind one key, or the blocks of one table.
type Picture struct {
	Blocks []*Block `json:"blocks"`
	Vset   []string `json:"vset,omitempty"` // kind of a hash's set of volatile fields, and where it is

	// Limit is how many blocks are drawn, 0 for all, -1 for none: beyond it blocks are counted only.
	Limit   int `json:"-"`
	Skipped int `json:"skipped,omitempty"` // blocks counted only
	size    int // of the blocks counted only
}

// Add begins the picture of a block: usable bytes b at address addr, of which used mean something.
func (p *Picture) Add(name, kind string, addr uint64, b []byte, used int) *Block {
	if p.Full() {
		p.Skipped++
		p.size += len(b)
		return &Block{Name: name, Size: len(b), Used: used, Bytes: b[:used], skip: true}
	}
	k := &Block{Name: name, Kind: kind, Addr: addr, Size: len(b), Used: used, Bytes: append([]byte(nil), b[:used]...)}
	p.Blocks = append(p.Blocks, k)
	return k
}

// Full tells that further blocks are counted only, so that labels would be in vain.
func (p *Picture) Full() bool { return p.Limit < 0 || p.Limit > 0 && len(p.Blocks) >= p.Limit }

// Share tells that a block belongs to many keys, so that it costs this one nothing.
func (p *Picture) Share(b *Block) {
	b.Shared = true
	if b.skip {
		p.size -= b.Size
	}
}

// Counted tells that a block is not drawn, so that labels would be in vain.
func (b *Block) Counted() bool { return b.skip }

// Total is the sum of the blocks' usable sizes without shared ones.
func (p *Picture) Total() int {
	n := p.size
	for _, b := range p.Blocks {
		if !b.Shared {
			n += b.Size
		}
	}
	return n
}

// Struct labels a struct at offset at and returns the offset after its fields. prefix goes before
// each name ("key " for a key's header).
func (b *Block) Struct(at int, prefix string, s *Struct) int {
	return b.Defs(at, prefix, s.Name, s.Fields)
}

// Defs is Struct for fields without a struct; part names them together.
func (b *Block) Defs(at int, prefix, part string, defs []Def) int {
	if part != "" {
		part = prefix + part
	}
	end := at
	if b.skip {
		for _, d := range defs {
			end = max(end, at+d.Off+d.Len)
		}
		return end
	}
	for _, d := range defs {
		f := Field{Name: prefix + d.Name, Part: part, Off: at + d.Off, Len: d.Len, Bit: d.Bit, Bits: d.Bits, Role: d.Role, Meaning: d.Meaning}
		if f.Len <= 8 && f.Off+f.Len <= len(b.Bytes) {
			v := d.Get(b.Bytes[at:])
			switch {
			case d.Role == Pointer && v == 0:
				f.Text = "null"
			case d.Role == Pointer:
				f.Text = fmt.Sprintf("%#x", v)
			case d.Signed:
				shift := 64 - 8*d.Len
				f.Text = strconv.FormatInt(int64(v<<shift)>>shift, 10)
			default:
				f.Text = strconv.FormatUint(v, 10)
			}
		}
		b.Fields = append(b.Fields, f)
		end = max(end, f.Off+f.Len)
	}
	return end
}

// Data labels n bytes of content and returns the offset after them.
func (b *Block) Data(at, n int, name string, role Role, meaning string) int {
	if b.skip {
		return at + n
	}
	f := Field{Name: name, Part: name, Off: at, Len: n, Role: role, Meaning: meaning}
	if at+n <= len(b.Bytes) && n > 0 {
		f.Text = Quote(b.Bytes[at:at+min(n, 64)]) + map[bool]string{true: "…"}[n > 64]
	}
	b.Fields = append(b.Fields, f)
	return at + n
}

// Say sets the words for the value of the last labelled field with that name.
func (b *Block) Say(name, text string) {
	for i := len(b.Fields) - 1; i >= 0; i-- {
		if b.Fields[i].Name == name {
			b.Fields[i].Text = text
			return
		}
	}
}

// Points tells that the 8 bytes at off lead to the block called target. The field that covers
// them gets the target; where none does, one called ptr is added.
func (b *Block) Points(off int, target string) {
	if b.skip {
		return
	}
	for i := range b.Fields {
		f := &b.Fields[i]
		if f.Off == off && f.Len == 8 {
			f.Role, f.Target = Pointer, target
			return
		}
	}
	b.Fields = append(b.Fields, Field{Name: "ptr", Part: "ptr", Off: off, Len: 8, Role: Pointer, Target: target,
		Text: fmt.Sprintf("%#x", binary.LittleEndian.Uint64(b.Bytes[off:]))})
}

// Mask marks bytes that differ from run to run.
func (b *Block) Mask(off, n int, why string) { b.Masks = append(b.Masks, Mask{off, n, why}) }

// Done sorts the fields by place and covers what none covers: gaps inside the used bytes as
// padding, the rest up to Size as slack.
func (b *Block) Done() {
	if b.skip {
		return
	}
	sort.SliceStable(b.Fields, func(i, j int) bool {
		x, y := b.Fields[i], b.Fields[j]
		return x.Off < y.Off || x.Off == y.Off && x.Bit < y.Bit
	})
	at, out := 0, make([]Field, 0, len(b.Fields)+1)
	gap := func(to int) {
		if mid := min(to, b.Used); at < mid {
			out = append(out, Field{Name: "padding", Part: "padding", Off: at, Len: mid - at, Role: Slack, Meaning: "left free by the compiler's alignment"})
			at = mid
		}
		if at < to {
			out = append(out, Field{Name: "slack", Part: "slack", Off: at, Len: to - at, Role: Slack, Meaning: "granted by the allocator's size class, not used"})
			at = to
		}
	}
	for _, f := range b.Fields {
		gap(f.Off)
		out = append(out, f)
		at = max(at, f.Off+f.Len)
	}
	gap(b.Size)
	b.Fields = out
}
