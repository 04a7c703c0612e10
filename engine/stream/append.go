package stream

import (
	"errors"

	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/listpack"
	"github.com/keyloupe/keyloupe/engine/rax"
)

// Config holds the directives that decide when a node is full.
type Config struct {
	NodeMaxBytes   int64 // stream-node-max-bytes, 0 = no limit
	NodeMaxEntries int64 // stream-node-max-entries, 0 = no limit
}

const (
	maxPrealloc = 4096    // room a new node's listpack gets (STREAM_LISTPACK_MAX_PRE_ALLOCATE)
	maxNode     = 1 << 30 // STREAM_LISTPACK_MAX_SIZE
)

// Flags of an entry.
const (
	flagDeleted = 1 << iota
	flagSameFields
)

// Why an entry can't be added.
var (
	ErrOrder = errors.New("stream: the id is not greater than the last one")
	ErrSize  = errors.New("stream: the elements are too large")
)

// NextID is the id that an entry gets by itself at time now.
func (s Stream) NextID(now int64) ID {
	last := s.LastID()
	if uint64(now) > last.Ms {
		return ID{Ms: uint64(now)}
	}
	id, _ := last.Next()
	return id
}

// NextIn is the id that an entry gets for a given millisecond; ok is false where that has no more.
func (s Stream) NextIn(ms uint64) (id ID, ok bool) {
	last := s.LastID()
	if last.Ms != ms {
		return ID{Ms: ms}, true
	}
	return ID{ms, last.Seq + 1}, last.Seq+1 != 0
}

// Append adds an entry; fields alternates field and value (streamAppendItem).
func (s Stream) Append(id ID, fields [][]byte, cfg Config) error {
	if id.Compare(s.LastID()) <= 0 {
		return ErrOrder
	}
	size := 0
	for _, f := range fields {
		size += len(f)
	}
	if size > maxNode {
		return ErrSize
	}
	key, lp := s.openNode(size, cfg)
	same := true
	if lp == 0 {
		key = id.key()
		lp = s.newNode(fields, cfg)
		rax.Insert(s.h, s.tree(), key[:], lp)
	} else {
		lp, same = s.countIn(lp, fields)
	}
	lp = s.write(lp, fromKey(key[:]), id, fields, same)
	rax.Insert(s.h, s.tree(), key[:], lp)
	s.SetLen(s.Len() + 1)
	s.SetAdded(s.Added() + 1)
	s.SetLastID(id)
	if s.Len() == 1 {
		s.SetFirstID(id)
	}
	return nil
}

// openNode returns the last node if an entry of size bytes may go there; if it is full, its listpack
// gives back the room it does not need.
func (s Stream) openNode(size int, cfg Config) (key [keySize]byte, lp heap.Ptr) {
	it := rax.NewIter(s.h, s.tree())
	if !it.Seek(rax.Last, nil) {
		return key, 0
	}
	copy(key[:], it.Key())
	lp = it.Value()
	b := listpack.Of(s.h, lp)
	limit := cfg.NodeMaxBytes
	if limit == 0 || limit > maxNode {
		limit = maxNode
	}
	full := int64(len(b)+size) >= limit
	if !full && cfg.NodeMaxEntries != 0 {
		count, deleted := counts(b)
		full = count+deleted >= cfg.NodeMaxEntries
	}
	if !full {
		return key, lp
	}
	s.h.Note("the stream's last node was full: its listpack was shrunk from %d to %d bytes", s.h.Usable(lp), s.h.Granted(len(b)))
	if q := listpack.Shrink(s.h, lp); q != lp {
		it.SetValue(q)
	}
	return key, 0
}

// newNode makes a listpack with the master entry for one entry with these fields.
func (s Stream) newNode(fields [][]byte, cfg Config) heap.Ptr {
	room := maxPrealloc
	if cfg.NodeMaxBytes > 0 && cfg.NodeMaxBytes < maxPrealloc {
		room = int(cfg.NodeMaxBytes)
	}
	s.h.Note("a new node of the stream gets a listpack with room for %d bytes", room)
	lp := listpack.New(s.h, room)
	lp = listpack.AppendInt(s.h, lp, 1)
	lp = listpack.AppendInt(s.h, lp, 0)
	lp = listpack.AppendInt(s.h, lp, int64(len(fields)/2))
	for i := 0; i < len(fields); i += 2 {
		lp = listpack.Append(s.h, lp, fields[i])
	}
	return listpack.AppendInt(s.h, lp, 0)
}

// countIn counts one more entry in a node's master entry and tells whether its fields are these.
func (s Stream) countIn(lp heap.Ptr, fields [][]byte) (q heap.Ptr, same bool) {
	b := listpack.Of(s.h, lp)
	at := listpack.First(b)
	lp = listpack.ReplaceInt(s.h, lp, at, integer(b, at)+1)
	m := readMaster(listpack.Of(s.h, lp))
	if int(m.n) != len(fields)/2 {
		return lp, false
	}
	b = listpack.Of(s.h, lp)
	var num [24]byte
	at = m.fields
	for i := 0; i < len(fields); i += 2 {
		if string(listpack.Get(b, at, &num)) != string(fields[i]) {
			return lp, false
		}
		at = listpack.Next(b, at)
	}
	return lp, true
}

// write adds the entry's pieces to its node's listpack.
func (s Stream) write(lp heap.Ptr, master, id ID, fields [][]byte, same bool) heap.Ptr {
	n := int64(len(fields) / 2)
	flags, pieces := int64(0), 3+2*n+1
	if same {
		flags, pieces = flagSameFields, 3+n
	}
	lp = listpack.AppendInt(s.h, lp, flags)
	lp = listpack.AppendInt(s.h, lp, int64(id.Ms-master.Ms))
	lp = listpack.AppendInt(s.h, lp, int64(id.Seq-master.Seq))
	if !same {
		lp = listpack.AppendInt(s.h, lp, n)
	}
	for i, f := range fields {
		if i&1 == 1 || !same {
			lp = listpack.Append(s.h, lp, f)
		}
	}
	return listpack.AppendInt(s.h, lp, pieces)
}
