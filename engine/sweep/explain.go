package sweep

import (
	"fmt"
	"strings"

	"github.com/keyloupe/keyloupe/engine/hashentry"
	"github.com/keyloupe/keyloupe/engine/object"
	"github.com/keyloupe/keyloupe/engine/release"
)

// Block is one kind of block that a key has.
type Block struct {
	Name  string // "object", "value", "listpack", "fields", ...
	Count int
	Size  Micro // of all of them; an expectation where child buckets depend on the hash seed
}

// Blocks are the blocks that a row's key consists of; their sizes add up to Allocated.
func (p *Plan) Blocks(r *Row) []Block {
	m := p.models[r.Server]
	if p.Spec.Type == Hash {
		return newHashShape(p, m, r.Key, r.Field, r.Fields, r.TTL, r.History).blocks(r)
	}
	var out []Block
	rest := r.Allocated
	if !m.hashtables() {
		k := newDictKey(m, r.Key, r.TTL == KeyTTL)
		out = append(out, Block{"dict entry and key", 1, Bytes(k.allocated)})
		rest -= Bytes(k.allocated)
	}
	if r.Encoding != Raw {
		if rest > 0 { // a shared integer costs nothing
			out = append(out, Block{"object", 1, rest})
		}
		return out
	}
	value := Bytes(m.stringValue(r.Value))
	return append(out, Block{"object", 1, rest - value}, Block{"value", 1, value})
}

func (s *hashShape) blocks(r *Row) []Block {
	out := []Block{{"object", 1, s.object.Allocated}}
	if s.dict {
		out[0].Name = "dict entry, key and object"
	}
	rest := r.Allocated - s.object.Allocated
	if r.Encoding == Listpack {
		return append(out, Block{"listpack", 1, rest})
	}
	_, each := s.entry(r.Value)
	entries := Micro(s.fields) * Bytes(each)
	return append(out, Block{"table", 1, rest - entries}, Block{"fields", s.fields, entries})
}

// explain says in sentences what happens at a cliff: on each server, and between them.
func (p *Plan) explain(c *Cliff) []string {
	a, b := p.what(c, c.A, c.Before[0], c.After[0]), p.what(c, c.B, c.Before[1], c.After[1])
	nameA, nameB := p.Spec.Servers[c.A], p.Spec.Servers[c.B]
	var out []string
	switch {
	case a == b && a != "":
		out = append(out, "On "+nameA+" and on "+nameB+" "+a)
	default:
		if a != "" {
			out = append(out, "On "+nameA+" "+a)
		}
		if b != "" {
			out = append(out, "On "+nameB+" "+b)
		}
	}
	return append(out, p.explainDifference(c))
}

// what says what happens on one server, "" where nothing does.
func (p *Plan) what(c *Cliff, server int, before, after Cell) string {
	r := p.Releases[server]
	switch {
	case before.Encoding == Embstr && after.Encoding == Raw:
		return "embedding stops: " + p.whyRaw(r, c)
	case before.Encoding == Raw && after.Encoding == Embstr:
		return "the value is embedded again: with this length the block has 8 bytes to spare, so the expiry finds its slot there."
	case before.Encoding == Listpack && after.Encoding == Hashtable:
		return fmt.Sprintf("the listpack becomes a hashtable: the value is longer than the %d bytes of hash-max-listpack-value.", listpackText)
	case before.Allocated != after.Allocated:
		return p.whyStep(server, c, before, after)
	}
	return ""
}

// whyRaw is the sum of the embedding test that fails.
func (p *Plan) whyRaw(r *release.Release, c *Cliff) string {
	if r.KeyTable == release.Hashtable {
		ttl := c.TTL == KeyTTL
		if _, need, limit := object.Embeds(r, c.Key, c.From, ttl); need > limit {
			ttl = false // it was embedded before its expiry came, in a block that had room for that
		}
		if b := StringBudget(r, c.Key, c.To, ttl); b.Sum > b.Limit {
			return fmt.Sprintf("%s = %d > %d, so the value gets a block of its own.", sum(b.Parts), b.Sum, b.Limit)
		}
	}
	return fmt.Sprintf("values longer than %d bytes get a block of their own.", r.ArgEmbed)
}

func sum(parts []Part) string {
	var b strings.Builder
	for i, part := range parts {
		if i > 0 {
			b.WriteString(" + ")
		}
		fmt.Fprintf(&b, "%d %s", part.Bytes, part.Name)
	}
	return b.String()
}

// whyStep names the block whose size class changes.
func (p *Plan) whyStep(server int, c *Cliff, before, after Cell) string {
	was, is := c.at(server, c.From, before), c.at(server, c.To, after)
	x, y := p.Blocks(&was), p.Blocks(&is)
	for i := range x {
		if i >= len(y) || x[i].Size == y[i].Size {
			continue
		}
		each := ""
		if x[i].Count > 1 {
			each = fmt.Sprintf(", times %d", x[i].Count)
		}
		n := Micro(x[i].Count)
		s := fmt.Sprintf("the %s block goes from %s to %s bytes%s", singular(x[i].Name), show(x[i].Size/n), show(y[i].Size/n), each)
		if x[i].Name == "fields" && p.leavesEntry(server, c) {
			return s + fmt.Sprintf(": field and value exceed %d bytes together, so the value gets a block of its own.", entryLimit)
		}
		return s + p.slotNote(server, c, after) + "."
	}
	return fmt.Sprintf("a key goes from %s to %s bytes.", show(before.Allocated), show(after.Allocated))
}

func singular(name string) string {
	if name == "fields" {
		return "field"
	}
	return name
}

func (c *Cliff) at(server, value int, cell Cell) Row {
	r := c.Row
	r.Server, r.Value, r.Cell = server, value, cell
	return r
}

// leavesEntry tells whether the value no longer fits into a field's entry.
func (p *Plan) leavesEntry(server int, c *Cliff) bool {
	r := p.Releases[server]
	if r.KeyTable != release.Hashtable {
		return false
	}
	ttl := c.TTL == FieldTTL
	return hashentry.FormOf(r, c.Field, c.From, ttl).Embedded && !hashentry.FormOf(r, c.Field, c.To, ttl).Embedded
}

// slotNote tells of an expire slot that the new class has room for.
func (p *Plan) slotNote(server int, c *Cliff, after Cell) string {
	r := p.Releases[server]
	if p.Spec.Type != String || c.TTL != NoTTL || after.Encoding != Embstr || r.KeyTable != release.Hashtable {
		return ""
	}
	_, _, was := object.EmbSize(r, c.Key, c.From, false)
	if _, _, is := object.EmbSize(r, c.Key, c.To, false); is && !was {
		return " and reserves the expire slot: a TTL is free here"
	}
	return ""
}

// explainDifference says what becomes of the difference between the servers.
func (p *Plan) explainDifference(c *Cliff) string {
	a, b := p.Spec.Servers[c.A], p.Spec.Servers[c.B]
	was, is := c.DeltaWas, c.DeltaIs
	before, after := sign(was), sign(is)
	switch {
	case was == is && after == 0:
		return fmt.Sprintf("%s and %s cost the same before and after.", a, b)
	case was == is:
		return fmt.Sprintf("The difference stays: %s.", difference(a, b, is))
	case after == 0 && before < 0:
		return fmt.Sprintf("The saving of %s bytes ends%s: %s costs as much as %s from here.", show(-was), forGood(c), b, a)
	case after == 0:
		return fmt.Sprintf("%s no longer costs %s bytes more than %s.", b, show(was), a)
	case before == 0 && after < 0:
		return fmt.Sprintf("A saving begins: %s.", difference(a, b, is))
	case before < 0 && after > 0:
		return fmt.Sprintf("The saving of %s bytes ends%s: from here %s.", show(-was), forGood(c), difference(a, b, is))
	case before != after:
		return fmt.Sprintf("From here %s.", difference(a, b, is))
	}
	return fmt.Sprintf("The difference goes from %s to %s bytes: %s.", show(abs(was)), show(abs(is)), difference(a, b, is))
}

// forGood tells apart the last change of the difference from one that more follow.
func forGood(c *Cliff) string {
	if c.Last {
		return " for good"
	}
	return ""
}

func difference(a, b string, d Micro) string {
	if d < 0 {
		return fmt.Sprintf("%s saves %s bytes against %s", b, show(-d), a)
	}
	return fmt.Sprintf("%s costs %s bytes more than %s", b, show(d), a)
}

// show writes bytes for a sentence: whole ones, or with one decimal.
func show(m Micro) string {
	if m%microByte == 0 {
		return m.Round(0)
	}
	return m.Round(1)
}

func abs(m Micro) Micro { return max(m, -m) }
