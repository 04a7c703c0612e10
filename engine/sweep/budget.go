package sweep

import (
	"github.com/keyloupe/keyloupe/engine/hashentry"
	"github.com/keyloupe/keyloupe/engine/object"
	"github.com/keyloupe/keyloupe/engine/release"
	"github.com/keyloupe/keyloupe/engine/sds"
)

// Part is a share of an embedding budget.
type Part struct {
	Name  string // "header", "expiry", "key", "field", "value"
	Bytes int
}

// Budget is the test whether a value is kept in the block of its key or field: the parts are added
// up and compared with the limit.
type Budget struct {
	Parts    []Part
	Sum      int // of the parts
	Limit    int
	Fits     bool // the value is embedded, after the whole history
	Cutoff   int  // longest value embedded without a TTL; -1 = none
	WithTTL  int  // longest value embedded with a TTL; -1 = none
	Slot     bool // the block has room for an expiry that nobody asked for: a TTL later is free
	NextByte int  // bytes that one more byte of value costs
}

// StringBudget is the budget of a string. Before 8.1 only header and value count.
func StringBudget(r *release.Release, key, value int, ttl bool) Budget {
	_, need, limit := object.Embeds(r, key, value, ttl)
	b := Budget{Sum: need, Limit: limit}
	b.add("header", r.EmbedBase)
	if r.KeyTable == release.Hashtable {
		if ttl {
			b.add("expiry", expireSize)
		}
		b.add("key", need-r.EmbedBase-expiryOf(ttl)-embedded-value)
	}
	b.add("value", embedded+value)
	without, with := stringShapeOf(r, key, false), stringShapeOf(r, key, true)
	s := without
	if ttl {
		s = with
	}
	b.Cutoff, b.WithTTL = cutoff(without, r.ArgEmbed), cutoff(with, r.ArgEmbed)
	b.Fits = s.at(value).Encoding == Embstr
	b.Slot = !ttl && r.KeyTable == release.Hashtable && hasSlot(r, key, value, b.Fits)
	b.NextByte = nextByte(s, value)
	return b
}

func hasSlot(r *release.Release, key, value int, embeds bool) (slot bool) {
	if embeds {
		_, _, slot = object.EmbSize(r, key, value, false)
	} else {
		_, _, slot = object.PlainSize(r, key, false)
	}
	return slot
}

func (b *Budget) add(name string, n int) { b.Parts = append(b.Parts, Part{name, n}) }

func expiryOf(ttl bool) int {
	if ttl {
		return expireSize
	}
	return 0
}

func stringShapeOf(r *release.Release, key int, ttl bool) shape {
	if m := newModel(r); m.hashtables() {
		return newStringShape(m, key, ttl)
	} else {
		return newDictStringShape(m, key, ttl, false)
	}
}

// cutoff is the longest value of up to most bytes that is embedded. In 8.1 a longer one may be
// embedded where a shorter one is not, so it looks from the top.
func cutoff(s shape, most int) int {
	for v := most; v >= 0; v-- {
		if s.at(v).Encoding == Embstr {
			return v
		}
	}
	return -1
}

func nextByte(s shape, value int) int {
	return int((s.at(value+1).Allocated - s.at(value).Allocated) / microByte)
}

// EntryBudget is the budget of a field in a hash's table, 8.1 and later; of others it is empty.
func EntryBudget(r *release.Release, field, value int, ttl bool) (b Budget) {
	if r.KeyTable != release.Hashtable {
		return b
	}
	f := hashentry.FormOf(r, field, 0, ttl)
	if ttl {
		b.add("expiry", expireSize)
	}
	b.add("field", sds.Req(f.FieldType, field))
	b.add("value", embedded+value)
	for _, p := range b.Parts {
		b.Sum += p.Bytes
	}
	b.Limit = entryLimit
	b.Fits = hashentry.FormOf(r, field, value, ttl).Embedded
	b.Cutoff, b.WithTTL = entryCutoff(r, field, false), entryCutoff(r, field, true)
	b.NextByte = hashentry.Size(r, field, value+1, ttl) - hashentry.Size(r, field, value, ttl)
	return b
}

// entryLimit is the most that an entry with its value inside asks for (EMBED_VALUE_MAX_ALLOC_SIZE).
const entryLimit = 128

func entryCutoff(r *release.Release, field int, ttl bool) int {
	for v := entryLimit; v >= 0; v-- {
		if hashentry.FormOf(r, field, v, ttl).Embedded {
			return v
		}
	}
	return -1
}
