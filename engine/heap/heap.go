// Package heap is the simulated memory of one server: the allocator of its build hands out blocks
// of its size classes at simulated addresses, and the blocks hold real bytes.
//
//	address space  | 64 KiB span | 64 KiB span | 64 KiB span ...        one descriptor a span
//	small blocks   | b | b | b | b | ... (one class a span)             up to 16 KiB
//	large blocks   | b ..................... | rest unused              a Go slice each
//
// Nothing here is a Go object per block, so a million keys cost the garbage collector nothing.
// Freed large blocks go back to the collector; freed small ones keep their bytes until reused, as
// in a real process. Sizes are in bytes; which class a request gets is release.Build.Granted.
package heap

import (
	"fmt"
	"math/bits"

	"github.com/keyloupe/keyloupe/engine/release"
)

// Ptr is a simulated address; 0 is the null pointer and is never handed out.
type Ptr uint64

const (
	base     Ptr = 0x7f3a00000000
	spanBits     = 16
	spanSize     = 1 << spanBits
	smallMax     = 16 << 10
	chunkMin     = 1 << 16 // Go memory for small blocks is taken in chunks that grow from chunkMin
	chunkMax     = 1 << 20 // to chunkMax
)

// span describes 64 KiB of address space: blocks of one class, or part of one large block.
type span struct {
	buf   []byte
	start Ptr // address of buf[0]
	size  Ptr // usable bytes of each block
}

// slab is the stock of one size class.
type slab struct {
	free      []Ptr // freed blocks, newest last: jemalloc's thread cache is a stack too
	next, end Ptr   // rest of the newest span that was never handed out
}

// Heap is one server's memory. Its zero value is not usable; use New.
type Heap struct {
	Rel *release.Release // whose structures it holds

	spans  []span
	slabs  []slab // by class
	chunk  []byte
	chunks int
	holes  map[int][]int // freed large address ranges, by span count
	used   int
	static int
	blocks int
	trace  *Trace
}

// New makes the empty memory of a server.
func New(rel *release.Release) *Heap {
	h := &Heap{Rel: rel, holes: map[int][]int{}, chunks: chunkMin}
	h.slabs = make([]slab, h.class(smallMax+smallMax/4)+1)
	return h
}

// Used is the sum of the usable sizes of the live blocks: what used_memory counts of them.
func (h *Heap) Used() int { return h.used }

// Blocks is the number of live blocks.
func (h *Heap) Blocks() int { return h.blocks }

// Granted is the usable size that a fresh request for n bytes gets.
func (h *Heap) Granted(n int) int { return h.Rel.Build.Granted(n) }

// class numbers the usable sizes up to smallMax without gaps that matter.
func (h *Heap) class(size int) int {
	if h.Rel.Build.ID == release.Libc {
		return size >> 4
	}
	if size <= 64 {
		return (size - 1) >> 3
	}
	l := bits.Len(uint(size - 1))
	return 8 + (l-7)*4 + (size-1)>>(l-3)&3
}

// Alloc hands out a block of at least n bytes. Small blocks are not zeroed.
func (h *Heap) Alloc(n int) Ptr {
	size := h.Granted(n)
	p := h.take(size)
	if h.trace != nil {
		h.trace.add(Event{Op: OpAlloc, P: p, Want: n, Size: size})
	}
	return p
}

// Zalloc is Alloc with every byte zero.
func (h *Heap) Zalloc(n int) Ptr {
	p := h.Alloc(n)
	if b := h.Bytes(p); len(b) <= smallMax {
		clear(b)
	}
	return p
}

// AllocStatic hands out a block that used_memory does not count, for data of the program itself.
func (h *Heap) AllocStatic(n int) Ptr {
	size := h.Granted(n)
	p := h.take(size)
	h.used -= size
	h.static += size
	h.blocks--
	return p
}

func (h *Heap) take(size int) (p Ptr) {
	h.used += size
	h.blocks++
	if size > smallMax {
		return h.takeLarge(size)
	}
	s := &h.slabs[h.class(size)]
	if n := len(s.free); n > 0 {
		p = s.free[n-1]
		s.free = s.free[:n-1]
		return p
	}
	if s.next == s.end {
		h.newSpan(s, size)
	}
	p = s.next
	s.next += Ptr(size)
	return p
}

func (h *Heap) newSpan(s *slab, size int) {
	if len(h.chunk) == 0 {
		h.chunk = make([]byte, h.chunks)
		h.chunks = min(2*h.chunks, chunkMax)
	}
	p := base + Ptr(len(h.spans))<<spanBits
	h.spans = append(h.spans, span{h.chunk[:spanSize:spanSize], p, Ptr(size)})
	h.chunk = h.chunk[spanSize:]
	s.next, s.end = p, p+Ptr(spanSize/size*size)
}

func (h *Heap) takeLarge(size int) Ptr {
	n := (size + spanSize - 1) >> spanBits
	i := len(h.spans)
	if f := h.holes[n]; len(f) > 0 {
		i = f[len(f)-1]
		h.holes[n] = f[:len(f)-1]
	} else {
		h.spans = append(h.spans, make([]span, n)...)
	}
	s := span{make([]byte, size), base + Ptr(i)<<spanBits, Ptr(size)}
	for k := range n {
		h.spans[i+k] = s
	}
	return s.start
}

// Free takes a block back. The null pointer is ignored, as free does.
func (h *Heap) Free(p Ptr) {
	if p == 0 {
		return
	}
	size := h.Usable(p)
	if h.trace != nil {
		h.trace.add(Event{Op: OpFree, P: p, Size: size})
	}
	h.used -= size
	h.blocks--
	if size <= smallMax {
		s := &h.slabs[h.class(size)]
		s.free = append(s.free, p)
		return
	}
	n, i := (size+spanSize-1)>>spanBits, int((p-base)>>spanBits)
	clear(h.spans[i : i+n])
	h.holes[n] = append(h.holes[n], i)
}

// Realloc gives the block at p a size for n bytes and returns where it is then; p = 0 allocates.
// A block whose class fits stays. glibc also keeps a chunk that would give back only 16 bytes.
func (h *Heap) Realloc(p Ptr, n int) Ptr {
	if p == 0 {
		return h.Alloc(n)
	}
	size, old := h.Granted(n), h.Usable(p)
	if size == old || h.Rel.Build.ID == release.Libc && old-size == 16 && size < mmapMin {
		return p
	}
	q := h.take(size)
	copy(h.Bytes(q), h.Bytes(p))
	tr := h.trace
	h.trace = nil
	h.Free(p)
	h.trace = tr
	if tr != nil {
		tr.add(Event{Op: OpRealloc, P: q, From: p, Want: n, Size: size, Was: old})
	}
	return q
}

// mmapMin is the usable size from which glibc's chunks are mappings; those are resized by pages.
const mmapMin = 128<<10 - 16

func (h *Heap) span(p Ptr) *span {
	i := (p - base) >> spanBits
	if i >= Ptr(len(h.spans)) {
		panic(fmt.Sprintf("heap: %#x was never handed out", uint64(p)))
	}
	return &h.spans[i]
}

// Bytes returns the usable bytes of the block that starts at p.
func (h *Heap) Bytes(p Ptr) []byte {
	s := h.span(p)
	i := p - s.start
	return s.buf[i : i+s.size : i+s.size]
}

// At returns the memory from address p on: to the end of its span or large block, so beyond its
// own block. Readers that know their length from the bytes use it to follow interior pointers.
func (h *Heap) At(p Ptr) []byte {
	s := h.span(p)
	return s.buf[p-s.start:]
}

// Before returns the n bytes that end at address p, for headers in front of a pointer.
func (h *Heap) Before(p Ptr, n int) []byte {
	s := h.span(p - 1)
	i := int(p - s.start)
	return s.buf[i-n : i]
}

// Around returns the memory that address p lies in, from before its block on, and p's place in it,
// for what has a header in front of the address it is known by.
func (h *Heap) Around(p Ptr) (b []byte, i int) {
	s := h.span(p)
	return s.buf, int(p - s.start)
}

// Block returns the start of the block that address p lies in.
func (h *Heap) Block(p Ptr) Ptr {
	s := h.span(p)
	return p - (p-s.start)%s.size
}

// Usable is the usable size of the block that starts at p.
func (h *Heap) Usable(p Ptr) int { return int(h.span(p).size) }
