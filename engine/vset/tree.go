package vset

import (
	"math"
	"sort"

	"github.com/keyloupe/keyloupe/engine/hashtable"
	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/rax"
)

// key is the key of the window that ends at a time: keys sort as their times do.
func key(end int64) []byte { return be.AppendUint64(nil, uint64(end)) }

// window is a place in the tree.
type window struct {
	it  *rax.Iter
	end int64
	b   bucket
}

// find is the window that an expiry belongs to: the first that ends after it, unless that lies
// beyond the end of a fresh window for it.
func (s Set) find(r heap.Ptr, at int64) (w window, ok bool) {
	op := rax.GT
	if at == math.MaxInt64 && s.H.Rel.VsetSaturates { // its window ends there too
		op = rax.EQ
	}
	w.it = rax.NewIter(s.H, r)
	if !w.it.Seek(op, key(at)) {
		return w, false
	}
	w.end, w.b = int64(be.Uint64(w.it.Key())), bucket(w.it.Value())
	return w, s.windowEnd(at, coarse) >= w.end
}

func (w window) put(b bucket) { w.it.SetValue(heap.Ptr(b)) }

func (s Set) addToTree(r heap.Ptr, e heap.Ptr) {
	at := s.expire(e)
	for {
		w, ok := s.find(r, at)
		if !ok {
			rax.Insert(s.H, r, key(s.windowEnd(at, coarse)), e)
			return
		}
		switch w.b.kind() {
		case single:
			w.put(s.pair(w.b, e))
		case vector:
			v := s.vec(w.b)
			if v.len() == maxVector {
				if s.tighten(r, w) {
					continue // the windows changed: look again
				}
				w.put(s.scatter(v, e))
				return
			}
			w.put(tagged(v.push(e), vector))
		case table:
			t := s.open(w.b)
			t.AddAddress(e)
		}
		return
	}
}

// scatter turns a full vector that can't be split into a hashtable and adds one more entry.
func (s Set) scatter(v vec, e heap.Ptr) bucket {
	s.H.Note("%d volatile fields expire within one window of %d ms: that window became a hashtable", maxVector+1, fine)
	t := hashtable.New(s.H, &tableType)
	for i := range v.len() {
		t.AddAddress(v.get(i))
	}
	s.H.Free(v.p)
	t.AddAddress(e)
	return tagged(t.P, table)
}

// tighten makes room in a full window: it gets an earlier end if its entries allow that, or is split
// in two near its middle. It tells whether one of them was possible.
func (s Set) tighten(r heap.Ptr, w window) bool {
	v := s.vec(w.b)
	s.sort(v)
	n := v.len()
	end := func(i int) int64 { return s.windowEnd(s.expire(v.get(i)), fine) }
	last := end(n - 1)
	if last < w.end {
		rax.Remove(s.H, r, key(w.end))
		rax.Insert(s.H, r, key(last), heap.Ptr(w.b))
		return true
	}
	if end(0) == last {
		return false
	}
	i := splitPoint(n, end)
	at := end(i - 1)
	if at >= w.end { // an end that overflowed: a real server asserts that this can't be
		s.H.Note("a real %s crashes here: the end of the last time window overflowed", s.H.Rel.Version)
		return false
	}
	halves := v.split(i)
	w.put(tagged(halves.right, vector))
	rax.Insert(s.H, r, key(at), heap.Ptr(tagged(halves.left, vector)))
	return true
}

// splitPoint is the index nearest to the middle at which a new window of 16 ms begins.
func splitPoint(n int, end func(int) int64) int {
	for mid, d := n/2, 0; ; d++ {
		if i := mid - d; i > 0 && end(i-1) < end(i) {
			return i
		}
		if i := mid + d; i < n && end(i-1) < end(i) {
			return i
		}
	}
}

// sort puts a vector's entries in the order of expiry; equals keep their order, as with glibc's
// merging qsort.
func (s Set) sort(v vec) {
	type item struct {
		e  heap.Ptr
		at int64
	}
	items := make([]item, v.len())
	for i := range items {
		items[i] = item{v.get(i), s.expire(v.get(i))}
	}
	sort.SliceStable(items, func(i, j int) bool { return items[i].at < items[j].at })
	for i := range items {
		v.set(i, items[i].e)
	}
}

// removeFromTree takes an entry out of its window and tells whether it was there.
func (s Set) removeFromTree(r heap.Ptr, e heap.Ptr, at int64) bool {
	if w, ok := s.find(r, at); ok && s.take(r, w, e) {
		return true
	}
	// Only where ends of windows overflow can an entry lie in another one; a real server asserts then.
	it := rax.NewIter(s.H, r)
	for ok := it.Seek(rax.First, nil); ok; ok = it.Next() {
		if s.take(r, window{it, int64(be.Uint64(it.Key())), bucket(it.Value())}, e) {
			s.H.Note("a real %s crashes here: the end of the last time window overflowed", s.H.Rel.Version)
			return true
		}
	}
	return false
}

// take takes an entry out of a window and tells whether it was there.
func (s Set) take(r heap.Ptr, w window, e heap.Ptr) bool {
	switch w.b.kind() {
	case single:
		if w.b != bucket(e) {
			return false
		}
		rax.Remove(s.H, r, key(w.end))
	case vector:
		b, ok := s.removeFromVector(s.vec(w.b), e, true)
		if !ok {
			return false
		}
		if b == none {
			rax.Remove(s.H, r, key(w.end))
		} else {
			w.put(b)
		}
	case table:
		t := s.open(w.b)
		ref := t.FindAddress(e)
		if !ref.OK() {
			return false
		}
		t.Delete(ref)
		w.put(s.lone(w.b))
	}
	return true
}

// lone turns a hashtable with one entry into that entry.
func (s Set) lone(b bucket) bucket {
	t := s.open(b)
	if t.Len() != 1 {
		return b
	}
	var e heap.Ptr
	t.Each(func(x heap.Ptr) bool { e = x; return false })
	t.Free(nil)
	return bucket(e)
}

// shrinkTree makes the only window of a tree the whole set, unless it is a full vector, which may be
// about to grow again, or a hashtable, which has no order.
func (s Set) shrinkTree(b bucket) bucket {
	r := b.ptr()
	if rax.Len(s.H, r) != 1 {
		return b
	}
	it := rax.NewIter(s.H, r)
	it.Seek(rax.First, nil)
	only := bucket(it.Value())
	switch only.kind() {
	case table:
		return b
	case vector:
		v := s.vec(only)
		if v.len() == maxVector {
			return b
		}
		s.sort(v)
	}
	rax.Free(s.H, r, nil)
	return only
}

func (s Set) replaceInTree(r heap.Ptr, old, e heap.Ptr, was, at int64) {
	w, ok := s.find(r, was)
	if !ok || s.windowEnd(was, fine) != s.windowEnd(at, fine) || !s.swap(w, old, e) {
		s.removeFromTree(r, old, was)
		s.addToTree(r, e)
	}
}

// swap puts an entry in the place of another in their window and tells whether that was there.
func (s Set) swap(w window, old, e heap.Ptr) bool {
	switch w.b.kind() {
	case single:
		if w.b != bucket(old) {
			return false
		}
		w.put(bucket(e))
	case vector:
		v := s.vec(w.b)
		i := v.find(old)
		if i == v.len() {
			return false
		}
		v.set(i, e)
	case table:
		if old != e {
			t := s.open(w.b)
			ref := t.FindAddress(old)
			if !ref.OK() {
				return false
			}
			t.Delete(ref)
			t.AddAddress(e)
		}
	}
	return true
}

// drainTree removes the entries of windows that have ended.
func (s Set) drainTree(b bucket, now int64, most int, each func(heap.Ptr)) (bucket, int) {
	r, n := b.ptr(), 0
	ended := func(heap.Ptr) int64 { return 0 }
	for n < most && rax.Len(s.H, r) > 0 {
		it := rax.NewIter(s.H, r)
		it.Seek(rax.First, nil)
		end := int64(be.Uint64(it.Key()))
		if end > now {
			break
		}
		left, k := s.drain(bucket(it.Value()), ended, now, most-n, each)
		n += k
		if left != none {
			it.SetValue(heap.Ptr(left))
			break
		}
		rax.Remove(s.H, r, key(end))
	}
	if rax.Len(s.H, r) == 0 {
		rax.Free(s.H, r, nil)
		return none, n
	}
	return s.shrinkTree(b), n
}

// drainTable removes entries of an ended window in the order of its buckets.
func (s Set) drainTable(b bucket, most int, each func(heap.Ptr)) (bucket, int) {
	t := s.open(b)
	var gone []heap.Ptr
	t.Each(func(e heap.Ptr) bool {
		if len(gone) < most {
			gone = append(gone, e)
		}
		return len(gone) < most
	})
	for _, e := range gone {
		t.Delete(t.FindAddress(e))
		each(e)
	}
	if t.Len() == 0 {
		t.Free(nil)
		return none, len(gone)
	}
	return s.lone(b), len(gone)
}
