package object

import "github.com/keyloupe/keyloupe/engine/heap"

// Shared is the row of shared integer objects of 7.2 and 8.0: data of the program, made once,
// that used_memory does not count key by key.
type Shared struct{ first heap.Ptr }

// Get returns the shared object of n, which must be below release.Values.SharedIntegers.
func (s *Shared) Get(h *heap.Heap, n int) heap.Ptr {
	if s.first == 0 {
		s.first = h.AllocStatic(16 * h.Rel.SharedIntegers)
		b := h.Bytes(s.first)
		for i := range h.Rel.SharedIntegers {
			o := b[16*i:]
			o[0] = byte(String) | byte(Int)<<4
			le.PutUint32(o[4:], sharedRefs)
			le.PutUint64(o[8:], uint64(i))
		}
	}
	return s.first + heap.Ptr(16*n)
}
