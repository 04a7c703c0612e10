package sweep

import (
	"github.com/keyloupe/keyloupe/engine/release"
	"github.com/keyloupe/keyloupe/engine/sds"
)

// model is one server prepared for arithmetic: its allocator's size classes as a table.
type model struct {
	rel     *release.Release
	classes [classTable]uint16 // usable bytes of a request, for small ones
	texts   [classTable]uint16 // usable bytes of a new string, for short ones
}

const classTable = 1025

func newModel(r *release.Release) *model {
	m := &model{rel: r}
	for n := range m.classes {
		m.classes[n] = uint16(r.Build.Granted(n))
		m.texts[n] = uint16(sds.BlockSize(r, n))
	}
	return m
}

// hashtables tells whether tables are those of 8.1 and later.
func (m *model) hashtables() bool { return m.rel.KeyTable == release.Hashtable }

// granted is the usable size of a fresh block for n bytes.
func (m *model) granted(n int) int {
	if n < classTable {
		return int(m.classes[n])
	}
	return m.rel.Build.Granted(n)
}

// sds is the block of a new string of n bytes.
func (m *model) sds(n int) int {
	if n < classTable {
		return int(m.texts[n])
	}
	return sds.BlockSize(m.rel, n)
}

const (
	bigArg      = 32 << 10 // PROTO_MBULK_BIG_ARG: from this size on an argument may keep the query buffer
	trimPercent = 10       // a string object keeps spare room of up to a tenth of its length
)

// stringValue is the block of a raw string value of n bytes that came in a command of its own.
func (m *model) stringValue(n int) int {
	if n < classTable {
		return int(m.texts[n])
	}
	return m.longValue(n)
}

// longValue is that of longer ones. A large one is the query buffer itself, with room for CR and LF
// (networking.c), and is cut to its length only where more than a tenth of it is spare (object.c,
// trimStringObjectIfNeeded).
func (m *model) longValue(n int) int {
	if n < bigArg {
		return m.sds(n)
	}
	t := sds.Type(m.rel, n+2)
	block := m.granted(sds.Req(t, n+2))
	room := block - sds.Header(t) - 1
	if !m.rel.SdsRaise && t == sds.T16 { // the header can't tell of more
		room = min(room, m.rel.SdsMax16)
	}
	if room-n > n/trimPercent {
		return m.granted(sds.Req(t, n))
	}
	return block
}
