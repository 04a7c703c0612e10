package hyperloglog

import (
	"fmt"
	"strings"

	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/sds"
)

// run reads the run at the start of b: its registers, their value, its size in bytes. The second
// byte of a run that a corrupt one ends in is what comes behind the text.
func run(b []byte) (n int, v byte, size int) {
	switch {
	case b[0]&valBit != 0:
		return int(b[0]&3) + 1, b[0]>>2&31 + 1, 1
	case b[0]&xzeroBit == 0:
		return int(b[0]&63) + 1, 0, 1
	case cap(b) == 1:
		return int(b[0]&63)<<8 + 1, 0, 2
	}
	return int(b[0]&63)<<8 + int(b[:2][1]) + 1, 0, 2
}

func putXzero(b []byte, n int) { b[0], b[1] = byte((n-1)>>8)|xzeroBit, byte(n-1) }

func appendZeros(b []byte, n int) []byte {
	if n > zeroLenMax {
		return append(b, byte((n-1)>>8)|xzeroBit, byte(n-1))
	}
	return append(b, byte(n-1))
}

func val(v byte, n int) byte { return (v-1)<<2 | byte(n-1) | valBit }

// grow makes room for the three bytes that a change may need, ahead of need and up to max.
func grow(h *heap.Heap, p heap.Ptr, max int) heap.Ptr {
	n, spare := sds.Len(h, p), sds.Avail(h, p)
	if n+spare >= max || spare >= 3 {
		return p
	}
	want := n + 3
	want += min(want, greedy)
	return sds.Resize(h, p, min(want, max), true)
}

// setSparse is Set for the sparse encoding (hllSparseSet).
func setSparse(h *heap.Heap, p heap.Ptr, index int, count byte, max int) (heap.Ptr, Result) {
	if count > valMax {
		return promote(h, p, index, count)
	}
	p = grow(h, p, max)
	s := Text(h, p)
	at, prev, first, ok := find(s, index)
	if !ok {
		return p, Corrupt
	}
	n, v, size := run(s[at:])
	if v >= count {
		return p, Unchanged
	}
	if n == 1 && size == 1 {
		s[at] = val(count, 1)
		return p, joined(h, p, prev)
	}
	var room [5]byte
	seq := splitRun(room[:0], n, v, index-first, count)
	d := len(seq) - size
	if d > 0 && len(s)+d > max {
		return promote(h, p, index, count)
	}
	sds.SetLen(h, p, len(s)+d)
	b := h.At(p)
	if at+size < len(s) { // a corrupt one may end in half a run
		copy(b[at+len(seq):len(s)+d], b[at+size:len(s)])
	}
	copy(b[at:], seq)
	return p, joined(h, p, prev)
}

// find returns the offset of the run that covers a register, that of the run before (or of the
// first run), and the first register of the run.
func find(s []byte, index int) (at, prev, first int, ok bool) {
	at, prev = header, header
	for at < len(s) {
		n, _, size := run(s[at:])
		if index < first+n {
			return at, prev, first, true
		}
		prev = at
		at += size
		first += n
	}
	return 0, 0, 0, false
}

// splitRun appends the runs that take the place of one of n registers of value v when register i of
// it becomes count.
func splitRun(b []byte, n int, v byte, i int, count byte) []byte {
	part := func(k int) {
		switch {
		case k == 0:
		case v == 0:
			b = appendZeros(b, k)
		default:
			b = append(b, val(v, k))
		}
	}
	part(i)
	b = append(b, val(count, 1))
	part(n - i - 1)
	return b
}

// joined joins equal neighbours around a change and says that something changed.
func joined(h *heap.Heap, p heap.Ptr, at int) Result {
	s := Text(h, p)
	for left := runMerge; at < len(s) && left > 0; left-- {
		n, v, size := run(s[at:])
		if v == 0 {
			at += size
			continue
		}
		if at+1 < len(s) && s[at+1]&valBit != 0 {
			if m, w, _ := run(s[at+1:]); w == v && n+m <= valLenMax {
				s[at+1] = val(v, n+m)
				copy(s[at:], s[at+1:])
				sds.SetLen(h, p, len(s)-1)
				s = s[:len(s)-1]
				continue
			}
		}
		at++
	}
	Invalidate(s)
	return Changed
}

// promote makes a sparse one dense and sets the register.
func promote(h *heap.Heap, p heap.Ptr, index int, count byte) (heap.Ptr, Result) {
	p, ok := ToDense(h, p)
	if !ok {
		return p, Corrupt
	}
	return p, setDense(Text(h, p)[header:], index, count)
}

// Decode prints the runs of a sparse one as PFDEBUG DECODE does.
func Decode(s []byte) string {
	var out []string
	for b := s[header:]; len(b) > 0; {
		n, v, size := run(b)
		switch {
		case v > 0:
			out = append(out, fmt.Sprintf("v:%d,%d", v, n))
		case size == 2:
			out = append(out, fmt.Sprintf("Z:%d", n))
		default:
			out = append(out, fmt.Sprintf("z:%d", n))
		}
		b = b[min(size, len(b)):]
	}
	return strings.Join(out, " ")
}
