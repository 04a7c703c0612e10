package lab

import (
	"fmt"
	"slices"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/engine/hashtable"
	"github.com/keyloupe/keyloupe/engine/keyspace"
	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/engine/object"
	"github.com/keyloupe/keyloupe/ui/wire"
)

// inspect is the picture of a key in every server.
func (l *Lab) inspect(q *wire.Inspect, now int64) *wire.Inspected {
	out := &wire.Inspected{Key: q.Key, Now: now}
	l.look(func() {
		if l.host != nil {
			out.Now = l.lab.Servers[0].NowMS()
		}
		l.draw(q, out)
	})
	return out
}

func (l *Lab) draw(q *wire.Inspect, out *wire.Inspected) {
	pictures := make([]*engine.KeyLayout, len(l.lab.Servers))
	for i, s := range l.lab.Servers {
		p, err := picture(s, i, q)
		if err != nil {
			out.Side = append(out.Side, wire.Side{ExpireAt: -1})
			continue
		}
		pictures[i] = p
		if out.Type == "" {
			out.Type = p.Type
		}
		out.Side = append(out.Side, l.side(i, s, p, q))
	}
	out.Why = l.differences(q.Key, pictures)
}

// deepest is how many blocks of one key are looked through for one that a pointer leads to.
const deepest = 20_000

// picture draws the blocks that are shown, and more only where one is asked for by name.
func picture(s *engine.Server, i int, q *wire.Inspect) (*engine.KeyLayout, error) {
	limit := max(0, q.Blocks) + wire.WindowBlocks
	p, err := s.LayoutOf(string(q.Key), limit)
	if err != nil || p.Skipped == 0 {
		return p, err
	}
	for _, w := range q.Windows {
		if w.Server == i && !slices.ContainsFunc(p.Blocks, func(b *layout.Block) bool { return b.Name == w.Block }) {
			return s.LayoutOf(string(q.Key), deepest)
		}
	}
	return p, nil
}

func (l *Lab) side(i int, s *engine.Server, p *engine.KeyLayout, q *wire.Inspect) wire.Side {
	side := wire.Side{Exists: true, Type: p.Type, Encoding: p.Encoding, Length: s.Count(s.Client.DB, q.Key), Allocated: p.Total, Usage: p.Usage, ExpireAt: p.Expire, Of: len(p.Blocks) + p.Skipped}
	side.Change = l.changes.of(i, string(q.Key))
	side.Share = float64(p.Total) + tableShare(s, p.Expire >= 0)
	side.First = max(0, min(q.Blocks, len(p.Blocks)-1))
	from := map[string]int{}
	for _, w := range q.Windows {
		if w.Server == i {
			from[w.Block] = w.From
			if n := slices.IndexFunc(p.Blocks, func(b *layout.Block) bool { return b.Name == w.Block }); n >= side.First+wire.WindowBlocks || n >= 0 && n < side.First {
				side.First = n
			}
		}
	}
	for _, b := range p.Blocks[side.First:min(len(p.Blocks), side.First+wire.WindowBlocks)] {
		side.Blocks = append(side.Blocks, window(b, from[b.Name]))
	}
	return side
}

// window cuts what is shown out of a block.
func window(b *layout.Block, from int) wire.Block {
	from = max(0, min(from, b.Used-1))
	end := min(b.Used, from+wire.WindowBytes)
	out := wire.Block{Name: b.Name, Kind: b.Kind, Addr: b.Addr, Size: b.Size, Used: b.Used, Shared: b.Shared, From: from, Bytes: b.Bytes[from:end]}
	if out.Kind == "" {
		out.Kind = b.Name
	}
	for _, f := range b.Fields {
		if f.Off < end && f.Off+f.Len > from {
			out.Fields = append(out.Fields, f)
		}
	}
	if b.Kind == "bucket" || b.Kind == "buckets" { // of a value's own table
		for at := (hashtable.BucketSize - from%hashtable.BucketSize) % hashtable.BucketSize; at+hashtable.BucketSize <= len(out.Bytes); at += hashtable.BucketSize {
			out.Buckets = append(out.Buckets, bucketOf(out.Bytes[at]))
		}
	}
	return out
}

// bucketOf reads a bucket's first byte: whether it is chained, and which positions are filled.
func bucketOf(head byte) wire.Bucket {
	b := wire.Bucket{Chain: []int{int(head >> 1)}}
	if head&1 != 0 { // the last position leads to a child, which is a block of its own
		b.Chain = []int{int(head >> 1 &^ (1 << (hashtable.Positions - 1))), 0}
	}
	return b
}

// tableShare is one key's part of the tables' arrays, in bytes: their size divided by their entries.
func tableShare(s *engine.Server, expires bool) float64 {
	share := perEntry(arrays(s, keyspace.KeysTable))
	if expires {
		share += perEntry(arrays(s, keyspace.ExpiresTable))
	}
	return share
}

func perEntry(list []wire.Array) float64 {
	size, entries := 0, 0
	for _, a := range list {
		size += a.Bytes
		entries += a.Used
	}
	if entries == 0 {
		return 0
	}
	return float64(size) / float64(entries)
}

// differences says what makes the last servers' pictures of a key differ from the first's.
func (l *Lab) differences(key []byte, pictures []*engine.KeyLayout) (out []string) {
	first := pictures[0]
	for i, p := range pictures {
		if i == 0 || p == nil || first == nil || p.Total == first.Total && p.Encoding == first.Encoding {
			continue
		}
		out = append(out, l.difference(key, 0, i, first, p))
	}
	return out
}

func (l *Lab) difference(key []byte, i, j int, a, b *engine.KeyLayout) string {
	nameA, nameB := l.lab.Servers[i].Release.Name(), l.lab.Servers[j].Release.Name()
	text := fmt.Sprintf("%s keeps %s than %s: ", nameB, moreOrLess(b.Total-a.Total), nameA)
	if a.Type == "string" && a.Encoding != b.Encoding && (a.Encoding == "embstr" || b.Encoding == "embstr") {
		n := l.lab.Servers[i].Count(l.lab.Servers[i].Client.DB, key)
		return text + l.embeds(i, len(key), n, a) + "; " + l.embeds(j, len(key), n, b) + "."
	}
	if a.Encoding != b.Encoding {
		return text + fmt.Sprintf("its encoding is %s, there %s.", b.Encoding, a.Encoding)
	}
	return text + blockDifference(nameA, nameB, a, b) + "."
}

func moreOrLess(n int) string {
	switch {
	case n > 0:
		return fmt.Sprintf("%d B more", n)
	case n < 0:
		return fmt.Sprintf("%d B less", -n)
	}
	return "as many bytes otherwise"
}

// embeds says how one server decided to embed a string's value, with the sum it compares.
func (l *Lab) embeds(i, klen, vlen int, p *engine.KeyLayout) string {
	r := l.lab.Servers[i].Release
	_, need, limit := object.Embeds(r, klen, vlen, p.Expire >= 0)
	switch {
	case p.Encoding == "embstr":
		return fmt.Sprintf("%s embeds the value, %d ≤ %d", r.Name(), need, limit)
	case p.Encoding == "int":
		return r.Name() + " keeps it as an integer"
	case need > limit:
		return fmt.Sprintf("%s cannot embed it, %d > %d", r.Name(), need, limit)
	}
	return fmt.Sprintf("%s would embed it if it were set anew, %d ≤ %d", r.Name(), need, limit)
}

// maxBlocksNamed is how many differing blocks are named.
const maxBlocksNamed = 3

// blockDifference names the blocks that differ in size or are in one server only.
func blockDifference(nameA, nameB string, a, b *engine.KeyLayout) string {
	was := map[string]*layout.Block{}
	for _, k := range a.Blocks {
		was[k.Name] = k
	}
	var parts []string
	for _, k := range b.Blocks {
		o := was[k.Name]
		delete(was, k.Name)
		switch {
		case o == nil:
			parts = append(parts, fmt.Sprintf("only %s has the block %q of %d B", nameB, kind(k), k.Size))
		case o.Size != k.Size:
			parts = append(parts, blockChange(o, k))
		case o.Shared != k.Shared:
			parts = append(parts, fmt.Sprintf("%q is shared in one of them", kind(k)))
		}
	}
	for _, k := range a.Blocks {
		if was[k.Name] != nil {
			parts = append(parts, fmt.Sprintf("only %s has the block %q of %d B", nameA, kind(k), k.Size))
		}
	}
	text, more := "", 0
	for n, p := range parts {
		switch {
		case n >= maxBlocksNamed:
			more++
		case n > 0:
			text += "; " + p
		default:
			text = p
		}
	}
	if more > 0 {
		text += fmt.Sprintf("; and %d more blocks", more)
	}
	return text
}

// blockChange says how a block differs from the one it is compared with, and which of its contents make the difference.
func blockChange(was, is *layout.Block) string {
	text := fmt.Sprintf("%q takes %d B instead of %d", kind(is), is.Size, was.Size)
	a, b := roleBytes(was), roleBytes(is)
	between := ": "
	for r := range layout.NumRoles {
		if a[r] != b[r] && layout.Role(r) != layout.Slack {
			text += between + roleChange(layout.Role(r), a[r], b[r])
			between = ", "
		}
	}
	return text
}

// contents are what a role's bytes are: some of them, all where the other block has none, and none where it has.
var contents = [layout.NumRoles][3]string{
	layout.Header:  {"header", "a header", "no header"},
	layout.Pointer: {"pointers", "a pointer to the value", "no pointer to the value, which is inside"},
	layout.Expire:  {"expiry", "room for an expiry", "no room for an expiry"},
	layout.Key:     {"key", "the key inside", "no key inside"},
	layout.Value:   {"value", "the value inside", "no value inside"},
	layout.Meta:    {"headers of strings and elements", "headers of strings and elements", "no headers of strings and elements"},
}

// roleChange says what became of a role's bytes: "no pointer to the value, which is inside (−8 B)".
func roleChange(r layout.Role, was, is int) string {
	words := contents[r][0]
	if was == 0 {
		words = contents[r][1]
	} else if is == 0 {
		words = contents[r][2]
	}
	if is < was {
		return fmt.Sprintf("%s (−%d\u00a0B)", words, was-is)
	}
	return fmt.Sprintf("%s (+%d\u00a0B)", words, is-was)
}

// roleBytes counts a block's bytes by role; of bit fields that share bytes the first counts.
func roleBytes(b *layout.Block) (n [layout.NumRoles]int) {
	seen := 0
	for _, f := range b.Fields {
		if end := f.Off + f.Len; end > seen {
			n[f.Role] += end - max(seen, f.Off)
			seen = end
		}
	}
	return n
}

func kind(b *layout.Block) string {
	if b.Kind != "" {
		return b.Kind
	}
	return b.Name
}
