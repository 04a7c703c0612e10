package listpack

import "github.com/keyloupe/keyloupe/engine/heap"

// Text given to a writer must not alias the listpack that is written to.

// splice puts e, or nothing where e is nil, in the place of old bytes at offset at.
func splice(h *heap.Heap, p heap.Ptr, at, old int, e *element) heap.Ptr {
	size := 0
	if e != nil {
		size = e.size()
	}
	b := h.Bytes(p)
	was := Bytes(b)
	now := was + size - old
	if now > was && now > len(b) {
		p = h.Realloc(p, now)
		b = h.Bytes(p)
	}
	copy(b[at+size:now], b[at+old:was])
	if now < was {
		p = h.Realloc(p, now)
		b = h.Bytes(p)
	}
	if e != nil {
		e.put(b[at:])
	}
	le.PutUint32(b, uint32(now))
	return p
}

func insert(h *heap.Heap, p heap.Ptr, at int, e element) heap.Ptr {
	p = splice(h, p, at, 0, &e)
	addCount(h.Bytes(p), 1)
	return p
}

// InsertBefore inserts s before the element at an offset; s then has that offset.
func InsertBefore(h *heap.Heap, p heap.Ptr, at int, s []byte) heap.Ptr {
	return insert(h, p, at, fromText(h.Rel, s))
}

// InsertAfter inserts s after the element at an offset and returns the offset of s too.
func InsertAfter(h *heap.Heap, p heap.Ptr, at int, s []byte) (heap.Ptr, int) {
	at += entrySize(h.Bytes(p)[at:])
	return insert(h, p, at, fromText(h.Rel, s)), at
}

// InsertIntBefore is InsertBefore for an integer.
func InsertIntBefore(h *heap.Heap, p heap.Ptr, at int, v int64) heap.Ptr {
	return insert(h, p, at, fromInt(v))
}

// InsertIntAfter is InsertAfter for an integer.
func InsertIntAfter(h *heap.Heap, p heap.Ptr, at int, v int64) (heap.Ptr, int) {
	at += entrySize(h.Bytes(p)[at:])
	return insert(h, p, at, fromInt(v)), at
}

// Append adds s at the end.
func Append(h *heap.Heap, p heap.Ptr, s []byte) heap.Ptr {
	return insert(h, p, Bytes(h.Bytes(p))-1, fromText(h.Rel, s))
}

// AppendInt adds an integer at the end.
func AppendInt(h *heap.Heap, p heap.Ptr, v int64) heap.Ptr {
	return insert(h, p, Bytes(h.Bytes(p))-1, fromInt(v))
}

// Prepend adds s at the start.
func Prepend(h *heap.Heap, p heap.Ptr, s []byte) heap.Ptr {
	return insert(h, p, header, fromText(h.Rel, s))
}

// PrependInt adds an integer at the start.
func PrependInt(h *heap.Heap, p heap.Ptr, v int64) heap.Ptr { return insert(h, p, header, fromInt(v)) }

// Replace puts s in the place of the element at an offset, which stays the offset of s.
func Replace(h *heap.Heap, p heap.Ptr, at int, s []byte) heap.Ptr {
	e := fromText(h.Rel, s)
	return splice(h, p, at, entrySize(h.Bytes(p)[at:]), &e)
}

// ReplaceInt is Replace for an integer.
func ReplaceInt(h *heap.Heap, p heap.Ptr, at int, v int64) heap.Ptr {
	e := fromInt(v)
	return splice(h, p, at, entrySize(h.Bytes(p)[at:]), &e)
}

// Delete removes the element at an offset. next is the offset of the element after it, 0 if it was
// the last.
func Delete(h *heap.Heap, p heap.Ptr, at int) (q heap.Ptr, next int) {
	q = splice(h, p, at, entrySize(h.Bytes(p)[at:]), nil)
	b := h.Bytes(q)
	addCount(b, -1)
	return q, orNone(b, at)
}

func orNone(lp []byte, at int) int {
	if lp[at] == end {
		return 0
	}
	return at
}

// DeleteFrom removes n elements, or as many as there are, from the one at offset at on. next is the
// offset of the element after them, 0 if there is none.
func DeleteFrom(h *heap.Heap, p heap.Ptr, at, n int) (q heap.Ptr, next int) {
	if n <= 0 {
		return p, at
	}
	b := h.Bytes(p)
	to, gone := at, 0
	for gone < n && b[to] != end {
		to += entrySize(b[to:])
		gone++
	}
	cut(b, at, to)
	addCount(b, -gone)
	q = Shrink(h, p)
	return q, orNone(h.Bytes(q), at)
}

// cut takes the bytes from one offset to another out of a listpack.
func cut(b []byte, from, to int) {
	was := Bytes(b)
	copy(b[from:], b[to:was])
	le.PutUint32(b, uint32(was-(to-from)))
}

// DeleteRange removes n elements, or as many as there are, from the i-th on; negative numbers count
// from the end.
func DeleteRange(h *heap.Heap, p heap.Ptr, i, n int) heap.Ptr {
	if n <= 0 {
		return p
	}
	b := h.Bytes(p)
	at := Seek(b, i)
	if at == 0 {
		return p
	}
	if count := int(le.Uint16(b[4:])); count != unknown {
		if i < 0 {
			i += count
		}
		if count-i <= n { // to the end: no need to walk there
			cut(b, at, Bytes(b)-1)
			setCount(b, i)
			return Shrink(h, p)
		}
	}
	p, _ = DeleteFrom(h, p, at, n)
	return p
}

// BatchDelete removes the elements at the given offsets, which must be in ascending order.
func BatchDelete(h *heap.Heap, p heap.Ptr, offsets []int) heap.Ptr {
	if len(offsets) == 0 {
		return p
	}
	b := h.Bytes(p)
	was, to := Bytes(b), offsets[0]
	for i, at := range offsets {
		from, until := at+entrySize(b[at:]), was
		if i+1 < len(offsets) {
			until = offsets[i+1]
		}
		to += copy(b[to:], b[from:until])
	}
	le.PutUint32(b, uint32(to))
	addCount(b, -len(offsets))
	return Shrink(h, p)
}

// Shrink gives back what the block has more than the listpack needs.
func Shrink(h *heap.Heap, p heap.Ptr) heap.Ptr {
	b := h.Bytes(p)
	if n := Bytes(b); n < len(b) {
		return h.Realloc(p, n)
	}
	return p
}

// Merge puts the elements of second behind those of first. The larger block is resized to hold
// both and returned, the other one is freed.
func Merge(h *heap.Heap, first, second heap.Ptr) heap.Ptr {
	a, b := Of(h, first), Of(h, second)
	size, count := len(a)+len(b)-Empty, Len(a)+Len(b)
	var p heap.Ptr
	if len(a) >= len(b) {
		p = h.Realloc(first, size)
		copy(h.Bytes(p)[len(a)-1:], b[header:])
		h.Free(second)
	} else {
		p = h.Realloc(second, size)
		m := h.Bytes(p)
		copy(m[len(a)-1:], m[header:len(b)])
		copy(m, a[:len(a)-1])
		h.Free(first)
	}
	m := h.Bytes(p)
	setCount(m, count)
	le.PutUint32(m, uint32(size))
	return p
}
