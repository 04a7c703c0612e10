package command

import (
	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/keyspace"
	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/engine/listpack"
	"github.com/keyloupe/keyloupe/engine/object"
	"github.com/keyloupe/keyloupe/engine/quicklist"
)

// list is the list in an object: a listpack, or a quicklist (t_list.c, listType...).
type list struct {
	s *Server
	p heap.Ptr // the object
}

func (l list) body() []byte      { return l.s.H.Bytes(l.p) }
func (l list) packed() bool      { return object.EncodingOf(l.body()) == object.Listpack }
func (l list) val() heap.Ptr     { return heap.Ptr(object.Val(l.body())) }
func (l list) setVal(p heap.Ptr) { object.SetVal(l.body(), uint64(p)) }

func (l list) lp() []byte { return listpack.Of(l.s.H, l.val()) }

func (l list) ql() quicklist.List { return l.s.quicklist(l.val()) }

func (l list) len() int {
	if l.packed() {
		return listpack.Len(l.lp())
	}
	return l.ql().Count()
}

// newList is an empty list on its way into the keyspace.
func (s *Server) newList() keyspace.Value {
	return keyspace.Structure(object.List, object.Listpack, listpack.New(s.H, 0))
}

func (s *Server) listFill() int { return int(s.Conf.Int("list-max-listpack-size")) }

// grow turns a listpack into a quicklist before n elements are added whose texts have size bytes,
// where they would pass the limit; the encoding of the elements does not count
// (listTypeTryConvertListpack).
func (l list) grow(size, n int) {
	if !l.packed() {
		return
	}
	fill := l.s.listFill()
	lp := l.lp()
	have := listpack.Len(lp)
	if !quicklist.Exceeds(fill, len(lp)+size, have+n) {
		return
	}
	l.s.H.Note("listpack became quicklist: %d + %d bytes, %d elements pass list-max-listpack-size %d", len(lp), size, have+n, fill)
	p := l.val()
	q := l.s.newQuicklist()
	if have > 0 {
		q.AppendListpack(p)
	} else {
		l.s.H.Free(p)
	}
	l.become(object.Quicklist, q.P)
}

// growBy is grow for arguments about to be added.
func (l list) growBy(args [][]byte) {
	size := 0
	for _, a := range args {
		size += len(a)
	}
	l.grow(size, len(args))
}

// fit turns a quicklist of one packed node into a listpack where it is within the limit, or within
// half of it if the list became smaller, so that it does not go to and fro
// (listTypeTryConvertQuicklist).
func (l list) fit(shrinking bool) {
	if l.packed() {
		return
	}
	if p, ok := l.s.fitted(l.ql(), shrinking); ok {
		l.become(object.Listpack, p)
	}
}

// fitted is the listpack that a quicklist becomes, where it becomes one.
func (s *Server) fitted(q quicklist.List, shrinking bool) (p heap.Ptr, ok bool) {
	n := q.OnlyPacked()
	if n < 0 {
		return 0, false
	}
	size, count := quicklist.Limit(s.listFill())
	if shrinking {
		size /= 2
		count /= 2
	}
	if n > size || q.Count() > count {
		return 0, false
	}
	if shrinking {
		s.H.Note("quicklist became listpack: one node of %d bytes and %d elements is left, no more than half of list-max-listpack-size %d", n, q.Count(), s.listFill())
	} else {
		s.H.Note("quicklist became listpack: one node of %d bytes and %d elements is within list-max-listpack-size %d", n, q.Count(), s.listFill())
	}
	return q.Take(), true
}

// newQuicklist is an empty quicklist with the limits of the moment.
func (s *Server) newQuicklist() quicklist.List {
	return quicklist.New(s.H, s.listFill(), int(s.Conf.Int("list-compress-depth")), s.packedThreshold)
}

func (l list) shrunk() { l.fit(true) }

func (l list) become(e object.Encoding, p heap.Ptr) {
	b := l.body()
	object.SetTypeEncoding(b, object.List, e)
	object.SetVal(b, uint64(p))
}

// push adds text at one end.
func (l list) push(text []byte, head bool) {
	switch {
	case !l.packed():
		l.ql().Push(text, head)
	case head:
		l.setVal(listpack.Prepend(l.s.H, l.val(), text))
	default:
		l.setVal(listpack.Append(l.s.H, l.val(), text))
	}
}

// pop removes the element at one end of a list that has one and returns a copy of its text. counts
// is the size that grow takes it for when it is pushed again: an integer out of a quicklist has none
// (listTypePop).
func (l list) pop(head bool) (text []byte, counts int) {
	var num [24]byte
	if l.packed() {
		lp := l.lp()
		at := listpack.Last(lp)
		if head {
			at = listpack.First(lp)
		}
		text = append([]byte{}, listpack.Get(lp, at, &num)...)
		p, _ := listpack.Delete(l.s.H, l.val(), at)
		l.setVal(p)
		return text, len(text)
	}
	q := l.ql()
	index := -1
	if head {
		index = 0
	}
	e, _ := q.At(index)
	text = append([]byte{}, e.Bytes(&num)...)
	if e.Text != nil {
		counts = len(text)
	}
	q.DeleteLast(head)
	return text, counts
}

// deleteRange removes n elements from an index on; negative ones count from the end.
func (l list) deleteRange(index, n int) {
	if l.packed() {
		l.setVal(listpack.DeleteRange(l.s.H, l.val(), index, n))
		return
	}
	l.ql().DeleteRange(index, n)
}

// listEntry is an element that an iterator stands at.
type listEntry struct {
	quicklist.Entry
	at int // its offset in a listpack
}

// listIter walks over a list from an index on.
type listIter struct {
	l    list
	it   quicklist.Iter
	at   int // offset in a listpack of the next element
	back bool
	pack bool
}

func (l list) iterate(index int, back bool) listIter {
	it := listIter{l: l, back: back, pack: l.packed()}
	if it.pack {
		it.at = listpack.Seek(l.lp(), index)
	} else {
		it.it, _ = l.ql().Iterate(index, back)
	}
	return it
}

func (it *listIter) next(e *listEntry) bool {
	if !it.pack {
		return it.it.Next(&e.Entry)
	}
	if it.at == 0 {
		return false
	}
	lp := it.l.lp()
	e.at = it.at
	e.Text, e.Int = listpack.Value(lp, it.at)
	if it.back {
		it.at = listpack.Prev(lp, it.at)
	} else {
		it.at = listpack.Next(lp, it.at)
	}
	return true
}

// done gives the iterator up; the entries it gave are no longer valid. After insert and replace there is nothing to give up.
func (it *listIter) done() {
	if !it.pack {
		it.it.Done()
	}
}

// delete removes the element that next returned last.
func (it *listIter) delete(e *listEntry) {
	if !it.pack {
		it.it.Delete(&e.Entry)
		return
	}
	p, next := listpack.Delete(it.l.s.H, it.l.val(), e.at)
	it.l.setVal(p)
	it.at = next
	if !it.back {
		return
	}
	if lp := it.l.lp(); next != 0 {
		it.at = listpack.Prev(lp, next)
	} else {
		it.at = listpack.Last(lp)
	}
}

// insert puts text before or after an element; iterators are no longer valid.
func (l list) insert(e *listEntry, text []byte, after bool) {
	switch {
	case !l.packed():
		l.ql().Insert(&e.Entry, text, after)
	case after:
		p, _ := listpack.InsertAfter(l.s.H, l.val(), e.at, text)
		l.setVal(p)
	default:
		l.setVal(listpack.InsertBefore(l.s.H, l.val(), e.at, text))
	}
}

// replace puts text in the place of an element; iterators are no longer valid.
func (l list) replace(e *listEntry, text []byte) {
	if l.packed() {
		l.setVal(listpack.Replace(l.s.H, l.val(), e.at, text))
		return
	}
	l.ql().Replace(&e.Entry, text)
}

func init() {
	families = append(families, func(s *Server) {
		s.types[object.List] = typeOps{free: s.freeList, dup: s.dupList, usage: s.listUsage, count: func(_ object.Encoding, o, _ heap.Ptr) int { return list{s, o}.len() }, picture: s.listPicture}
	})
}

func (s *Server) quicklist(p heap.Ptr) quicklist.List {
	return quicklist.List{H: s.H, P: p, Threshold: s.packedThreshold}
}

// listUsage is what MEMORY USAGE counts of a list behind its object.
func (s *Server) listUsage(e object.Encoding, o, p heap.Ptr, samples int) int {
	if e == object.Listpack {
		return s.H.Usable(p)
	}
	n := s.objectUsage(o)
	return s.quicklist(p).Usage(n, samples) - n
}

// dupList copies a list as COPY does (listTypeDup).
func (s *Server) dupList(e object.Encoding, p heap.Ptr) (object.Encoding, heap.Ptr) {
	if e == object.Listpack {
		return e, listpack.FromBytes(s.H, listpack.Of(s.H, p))
	}
	return e, s.quicklist(p).Dup().P
}

func (s *Server) freeList(e object.Encoding, p heap.Ptr) {
	if e == object.Listpack {
		s.H.Free(p)
		return
	}
	s.quicklist(p).Free()
}

func (s *Server) listPicture(pic *layout.Picture, e object.Encoding, p heap.Ptr, name string) {
	if e == object.Listpack {
		listpack.Picture(pic, s.H, p, name, []string{"element"}, []layout.Role{layout.Value})
		return
	}
	s.quicklist(p).Picture(pic, name)
}
