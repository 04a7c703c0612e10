package sweep

import (
	"github.com/keyloupe/keyloupe/engine/hashentry"
	"github.com/keyloupe/keyloupe/engine/listpack"
	"github.com/keyloupe/keyloupe/engine/release"
)

// Limits up to which a hash is a listpack, at their defaults (hash-max-listpack-entries and -value).
const (
	listpackFields = 512
	listpackText   = 64
)

// hashShape is a hash of so many fields of one length, written by one command.
type hashShape struct {
	m      *model
	field  int
	fields int
	ttl    TTL
	kind   Kind
	dict   bool // 7.2 and 8.0: a dict of two strings a field

	object   Cell  // the key's object, or its entry in the dict with the object
	packed   bool  // the fields allow a listpack
	pack     int   // bytes of a listpack without the values
	byFields table // the table where values of up to 64 bytes are in one all the same
	byValue  table // the table where values are longer
	name     int   // block of a field's own string in a dict
}

func newHashShape(p *Plan, m *model, key, field, fields int, ttl TTL, h History) *hashShape {
	s := &hashShape{m: m, field: field, fields: fields, ttl: ttl, kind: p.Spec.ValueKind, dict: !m.hashtables()}
	s.object = hashObject(m, key, ttl == KeyTTL, s.dict)
	s.packed = field <= listpackText && fields <= listpackFields && ttl != FieldTTL
	s.pack = listpack.Empty + fields*packedText(field)
	if s.dict {
		s.name = m.sds(field)
	}
	s.byFields = p.valueTable(m, field, fields, growth(field <= listpackText, fields, ttl, h), ttl)
	s.byValue = p.valueTable(m, field, fields, growth(false, fields, ttl, h), ttl)
	return s
}

// hashObject is what a hash costs besides its value.
func hashObject(m *model, key int, ttl, dict bool) Cell {
	if dict {
		k := newDictKey(m, key, ttl)
		return Cell{Listpack, Bytes(k.usage + robjSize), Bytes(k.allocated + m.granted(robjSize+m.rel.Build.ObjectExtra))}
	}
	s := newStringShape(m, key, ttl)
	usage := s.plain
	if !s.counted {
		usage = robjSize
	}
	return Cell{Listpack, Bytes(usage), Bytes(s.plain)}
}

func (s *hashShape) at(value int) Cell {
	c := s.object
	if s.packed && value <= listpackText {
		block := Bytes(s.m.granted(s.pack + s.fields*s.packedValue(value)))
		c.Usage += block
		c.Allocated += block
		return c
	}
	c.Encoding = Hashtable
	t := &s.byFields
	if value > listpackText {
		t = &s.byValue
	}
	usage, allocated := s.entry(value)
	c.Usage += t.usage + Micro(s.fields)*Bytes(usage)
	c.Allocated += t.allocated + Micro(s.fields)*Bytes(allocated)
	return c
}

// entry is one field with its value in a table: what MEMORY USAGE counts of it, and its blocks.
func (s *hashShape) entry(value int) (usage, allocated int) {
	if s.dict {
		allocated = s.m.granted(dictEntry) + s.name + s.m.sds(value)
		if s.m.rel.DictCountsEntries {
			return allocated, allocated
		}
		return allocated - s.m.granted(dictEntry) + dictEntry, allocated
	}
	f := hashentry.FormOf(s.m.rel, s.field, value, s.ttl == FieldTTL)
	n := s.m.granted(f.Want)
	if !f.Embedded {
		n += s.m.granted(f.ValueWant)
	}
	return n, n
}

func (s *hashShape) packedValue(n int) int {
	if s.kind == Int {
		return packedInt[n]
	}
	return packedText(n)
}

// packedText is a text of up to 64 bytes as a listpack element: encoding, text, length to walk back.
func packedText(n int) int {
	if n < 64 {
		return 1 + n + 1
	}
	return 2 + n + 1
}

// packedInt is the integer of so many characters as a listpack element.
var packedInt = func() (size [maxIntText + 1]int) {
	for n := 1; n <= maxIntText; n++ {
		size[n] = listpack.SizeOf(packedRelease, []byte(IntText(n)))
	}
	return size
}()

// packedRelease is any release: elements this short have one form in all of them.
var packedRelease = release.MustParse(release.Newest(release.V91))

// IntText is the integer of n characters, 1 to 20, that a sweep of value_kind int means.
func IntText(n int) string {
	const digits = "1234567890123456789"
	if n > len(digits) {
		return "-" + digits
	}
	return digits[:n]
}

// way is how a hash's table came to its size.
type way uint8

const (
	grew   way = iota // field by field from nothing, so that a rehash may be under way
	sized             // made for the fields at once
	walked            // grew, and was read often enough since to end a rehash
)

// growth tells how the table of a hash comes about; short says that no text exceeds 64 bytes
// (t_hash.c, hashTypeTryConversion, hashTypeConvertListpack, hsetexCommand).
func growth(short bool, fields int, ttl TTL, h History) way {
	switch {
	case ttl == FieldTTL && (h == Set || h == Hsetex):
		return grew // HSETEX makes a table of the empty listpack and adds field by field
	case fields > listpackFields:
		return sized // HSET makes a table for all its fields first
	case ttl != FieldTTL:
		return grew
	case short:
		return sized // HPEXPIRE converts the listpack
	}
	return walked // HPEXPIRE finds every field
}
