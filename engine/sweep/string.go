package sweep

import (
	"github.com/keyloupe/keyloupe/engine/object"
	"github.com/keyloupe/keyloupe/engine/release"
	"github.com/keyloupe/keyloupe/engine/sds"
)

// Parts of an object that no release changes.
const (
	robjSize   = 16 // sizeof(robj) with its pointer: what MEMORY USAGE takes for an object it does not measure
	expireSize = 8
	embedded   = 4 // an embedded value's sds header of type 8 and its NUL
	dictEntry  = 24
)

// stringShape is SET of a key of one length, with or without a TTL, on 8.1 and later: an object
// that holds the key, and the value where key, expiry and value fit (object.c,
// objectSetKeyAndExpire). A TTL is set after the value, by SET ... PX too: the object is built
// without a slot for it, and built again with one where the block had no room to spare.
type stringShape struct {
	m        *model
	ttl      bool
	arg      int  // longest argument that can be embedded
	most     int  // longest value embedded when no expiry is asked for; -1 = none
	mostTTL  int  // the same with an expiry
	base     int  // what an embedded object asks for before its value, without expiry
	floor    int  // least bytes for the value
	extra    int  // bytes more that the build's objects ask for
	plain    int  // block of an object whose value is elsewhere, after the whole history
	plainTTL int  // block of one built for an expiry from the start
	counted  bool // MEMORY USAGE counts the object's block, not sizeof
}

func newStringShape(m *model, key int, ttl bool) *stringShape {
	r := m.rel
	s := &stringShape{m: m, ttl: ttl, arg: r.ArgEmbed, floor: r.EmbedFloor, extra: r.Build.ObjectExtra, counted: r.UsageCountsKey}
	s.base = r.EmbedBase + object.KeyRoom(r, key)
	s.most = mostEmbedded(r, key, false)
	s.mostTTL = mostEmbedded(r, key, true)
	var slot bool
	_, s.plain, slot = object.PlainSize(r, key, false)
	_, s.plainTTL, _ = object.PlainSize(r, key, true)
	if ttl && !slot {
		s.plain = s.plainTTL
	}
	return s
}

// mostEmbedded is the longest value that is embedded with a key of so many bytes, -1 where none is.
func mostEmbedded(r *release.Release, key int, ttl bool) int {
	_, need, limit := object.Embeds(r, key, 0, ttl)
	return max(-1, min(limit-need, r.ArgEmbed))
}

func (s *stringShape) at(value int) Cell {
	if value > s.most {
		return s.raw(s.plain, value)
	}
	need := s.base + max(embedded+value, s.floor) + s.extra
	block := s.m.granted(need)
	if !s.ttl || block-need >= expireSize {
		return embstr(block)
	}
	if value <= s.mostTTL {
		return embstr(s.m.granted(need + expireSize))
	}
	return s.raw(s.plainTTL, value)
}

func embstr(block int) Cell { return Cell{Embstr, Bytes(block), Bytes(block)} }

func (s *stringShape) raw(object, value int) Cell {
	block := s.m.stringValue(value)
	usage := robjSize + block
	if s.counted {
		usage = object + block
	}
	return Cell{Raw, Bytes(usage), Bytes(object + block)}
}

// intShape is SET of an integer on 8.1 and later: the integer takes the pointer's place.
type intShape struct{ cell Cell }

func newIntShape(m *model, key int, ttl bool) intShape {
	s := newStringShape(m, key, ttl)
	usage := s.plain
	if !s.counted {
		usage = robjSize
	}
	return intShape{Cell{IntEncoding, Bytes(usage), Bytes(s.plain)}}
}

func (s intShape) at(int) Cell { return s.cell }

// dictKey is a key of 7.2 or 8.0: its entry in the dict, its own string or that in the entry, and
// the entry in the dict of expiries, which MEMORY USAGE does not count.
type dictKey struct{ usage, allocated int }

func newDictKey(m *model, key int, ttl bool) (k dictKey) {
	if m.rel.KeyTable == release.DictWithKeyPointer {
		name := m.sds(key)
		k = dictKey{dictEntry + name, m.granted(dictEntry) + name}
	} else {
		k.usage = m.granted(8 + 8 + 1 + entryKey(m.rel, key))
		k.allocated = k.usage
	}
	if ttl {
		k.allocated += m.granted(dictEntry)
	}
	return k
}

// entryKey is the room of a key in an entry of 8.0, which keeps the header the argument had: that of
// an embedded argument is always of type 8.
func entryKey(r *release.Release, key int) int {
	if key <= r.ArgEmbed {
		return sds.Req(sds.T8, key)
	}
	return sds.Req(sds.Type(r, key), key)
}

// dictStringShape is SET on 7.2 and 8.0, where the object knows nothing of its key.
type dictStringShape struct {
	m       *model
	key     dictKey
	arg     int
	extra   int
	integer bool
}

func newDictStringShape(m *model, key int, ttl, integer bool) *dictStringShape {
	return &dictStringShape{m, newDictKey(m, key, ttl), m.rel.ArgEmbed, m.rel.Build.ObjectExtra, integer}
}

func (s *dictStringShape) at(value int) Cell {
	if s.integer {
		return s.integerOf(value)
	}
	if value <= s.arg {
		block := s.m.granted(robjSize + embedded + value + s.extra)
		return s.cell(Embstr, block, block)
	}
	block := s.m.stringValue(value)
	return s.cell(Raw, robjSize+block, s.m.granted(robjSize+s.extra)+block)
}

func (s *dictStringShape) integerOf(digits int) Cell {
	if digits <= sharedDigits {
		return s.cell(IntEncoding, robjSize, 0)
	}
	return s.cell(IntEncoding, robjSize, s.m.granted(robjSize+s.extra))
}

// sharedDigits is how many characters the largest shared integer has: 9999.
const sharedDigits = 4

func (s *dictStringShape) cell(e Encoding, usage, allocated int) Cell {
	return Cell{e, Bytes(s.key.usage + usage), Bytes(s.key.allocated + allocated)}
}
