package object

import "github.com/keyloupe/keyloupe/engine/heap"

// Shared is the shared integer objects of 7.2 and 8.0. The server makes them when it starts, so
// used_memory does not count them key by key; here each is made when it is first wanted.
type Shared struct{ objects []heap.Ptr }

// Get returns the shared object of n, which must be below release.Values.SharedIntegers.
func (s *Shared) Get(h *heap.Heap, n int) heap.Ptr {
	if s.objects == nil {
		s.objects = make([]heap.Ptr, h.Rel.SharedIntegers)
	}
	if s.objects[n] == 0 {
		p := h.AllocStatic(16)
		o := h.Bytes(p)
		le.PutUint32(o, uint32(String)|uint32(Int)<<4)
		le.PutUint32(o[4:], sharedRefs)
		le.PutUint64(o[8:], uint64(n))
		s.objects[n] = p
	}
	return s.objects[n]
}
