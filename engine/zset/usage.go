package zset

import (
	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/object"
	"github.com/keyloupe/keyloupe/engine/sds"
	"github.com/keyloupe/keyloupe/engine/skiplist"
)

// Usage is what MEMORY USAGE counts of the value and of what came before, its object, bytes: of a
// large set the first samples nodes in order, 0 for all, stand for the rest (object.c,
// objectComputeSize). What came before matters as the server adds a floating-point number to it and
// cuts the sum.
func (s *Set) Usage(before, samples int) int {
	if s.Enc == object.Listpack {
		return before + s.T.H.Usable(s.P)
	}
	t, l := s.table(), s.List()
	size := before + skiplist.ZsetSize + l.MemUsage() + t.memUsage()
	seen, sum := 0, 0
	for n := l.First(); n != 0 && (samples == 0 || seen < samples); n = l.Next(n) {
		sum += s.nodeUsage(&t, l, n)
		seen++
	}
	if seen > 0 {
		size = int(float64(size) + float64(sum)/float64(seen)*float64(t.len()))
	}
	return size
}

// dictEntry is sizeof(dictEntry): what 7.2 and 8.0 count for the entry of a member.
const dictEntry = 24

// nodeUsage is a node with its member and, in a dict, its entry.
func (s *Set) nodeUsage(t *table, l skiplist.List, n heap.Ptr) int {
	size := s.T.H.Usable(n)
	if !s.T.H.Rel.SkiplistEmbeds {
		size += sds.Usable(s.T.H, l.MemberAt(n))
	}
	if t.chained {
		size += dictEntry
	}
	return size
}

// Stats is what DEBUG HTSTATS-KEY tells of the table of a large set, "" of a small one.
func (s *Set) Stats(full bool) string {
	if s.Enc == object.Listpack {
		return ""
	}
	t := s.table()
	if t.chained {
		return t.d.Stats(full)
	}
	return t.t.Stats(full)
}
