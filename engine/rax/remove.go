package rax

import "github.com/keyloupe/keyloupe/engine/heap"

// Remove takes key out and returns the value it had and whether it was there.
func Remove(h *heap.Heap, r heap.Ptr, key []byte) (old heap.Ptr, ok bool) {
	t := open(h, r)
	var room [32]heap.Ptr
	path := room[:0]
	w := t.walk(key, &path)
	if w.i != len(key) || w.split != 0 || !w.n.key() {
		return 0, false
	}
	n := w.n
	old = n.value()
	n.setFlags(n.flags() & (isNull | isCompr))
	t.add(offNumele, -1)
	try := n.size() == 1
	if n.size() == 0 {
		n, path, try = t.prune(n, path)
	}
	if try {
		t.recompress(n, path)
	}
	return old, true
}

// prune frees a node without children that is no longer a key, and the parents that were there for
// it alone. It returns where it stopped, and whether that node may now be compressed.
func (t tree) prune(n node, path []heap.Ptr) (node, []heap.Ptr, bool) {
	head, child := t.head(), heap.Ptr(0)
	for n.p != head {
		child = n.p
		t.free(n)
		t.add(offNumnodes, -1)
		n = at(t.h, path[len(path)-1])
		path = path[:len(path)-1]
		if n.key() || !n.compr() && n.size() != 1 {
			break
		}
	}
	if child == 0 {
		return n, path, false
	}
	m := t.removeChild(n, child)
	if m.p != n.p {
		t.setLink(t.linkTo(path, n.p), m.p)
	}
	return m, path, m.size() == 1 && !m.key()
}

// linkTo is the address of the pointer to child, whose parents are path.
func (t tree) linkTo(path []heap.Ptr, child heap.Ptr) heap.Ptr {
	if len(path) == 0 {
		return t.headLink()
	}
	n := at(t.h, path[len(path)-1])
	return n.link(n.indexOf(child))
}

func (n node) indexOf(child heap.Ptr) int {
	i := 0
	for n.child(i) != child {
		i++
	}
	return i
}

// removeChild unlinks a child. A plain node is reallocated to its new size; a compressed one, left
// without children, keeps its block (raxRemoveChild).
func (t tree) removeChild(n node, child heap.Ptr) node {
	if n.compr() {
		if n.key() {
			v := n.value()
			n.set(0, 0)
			n.setValue(v)
		} else {
			n.set(0, 0)
		}
		return n
	}
	pos, size := n.indexOf(child), n.size()
	old, end := n.childOff(0), n.length()
	n.set(int(n.flags()&(isKey|isNull)), size-1)
	first := n.childOff(0)
	copy(n.b[headerSize+pos:], n.b[headerSize+pos+1:headerSize+size])
	copy(n.b[first:first+ptrSize*pos], n.b[old:old+ptrSize*pos])
	copy(n.b[first+ptrSize*pos:], n.b[old+ptrSize*(pos+1):end])
	return t.realloc(n, n.length())
}

// recompress joins the chain of single-child nodes around n into one compressed node.
func (t tree) recompress(n node, path []heap.Ptr) {
	for len(path) > 0 {
		up := at(t.h, path[len(path)-1])
		if !up.single() {
			break
		}
		n, path = up, path[:len(path)-1]
	}
	start, total, nodes := n, n.size(), 1
	for c := n; c.size() > 0; {
		c = at(t.h, c.child(0))
		if !c.single() || total+c.size() > maxSize {
			break
		}
		nodes++
		total += c.size()
	}
	if nodes == 1 {
		return
	}
	m := t.alloc(length(total, 1, false))
	m.set(isCompr, total)
	t.add(offNumnodes, 1-nodes)
	link := t.linkTo(path, start.p)
	for got := m.b[headerSize:headerSize]; nodes > 0; nodes-- {
		got = append(got, n.text()...)
		next := n.child(0)
		t.free(n)
		m.setChild(0, next)
		if nodes > 1 {
			n = at(t.h, next)
		}
	}
	t.setLink(link, m.p)
}
