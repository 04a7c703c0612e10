package rax

import "github.com/keyloupe/keyloupe/engine/heap"

// Insert gives key the value v. added tells that the key is new; otherwise old is what it had.
func Insert(h *heap.Heap, r heap.Ptr, key []byte, v heap.Ptr) (old heap.Ptr, added bool) {
	return open(h, r).insert(key, v, true)
}

// TryInsert is Insert that leaves a key that is there as it is.
func TryInsert(h *heap.Heap, r heap.Ptr, key []byte, v heap.Ptr) (old heap.Ptr, added bool) {
	return open(h, r).insert(key, v, false)
}

func (t tree) insert(key []byte, v heap.Ptr, overwrite bool) (old heap.Ptr, added bool) {
	w := t.walk(key, nil)
	if w.i == len(key) && w.split == 0 {
		return t.insertAt(w, v, overwrite)
	}
	if w.n.compr() && w.i == len(key) {
		t.cut(w, v)
		return 0, true
	}
	if w.n.compr() {
		w = t.split(w)
	}
	t.extend(w, key, v)
	return 0, true
}

// insertAt makes the node of a key that the tree already has a path for hold v.
func (t tree) insertAt(w place, v heap.Ptr, overwrite bool) (old heap.Ptr, added bool) {
	n := w.n
	if !n.key() || n.flags()&isNull != 0 && overwrite {
		n = t.room(n, v)
		t.setLink(w.link, n.p)
	}
	if n.key() {
		old = n.value()
		if overwrite {
			n.setValue(v)
		}
		return old, false
	}
	n.setValue(v)
	t.add(offNumele, 1)
	return 0, true
}

// room makes place for a value (raxReallocForData); null needs none.
func (t tree) room(n node, v heap.Ptr) node {
	if v == 0 {
		return n
	}
	return t.realloc(n, n.length()+ptrSize)
}

// split breaks a compressed node at the byte where the key differs: a node with that one edge, in
// front of it what the key shares, behind it the rest. It returns the new node as the place where
// the insertion goes on (rax.c, "algorithm 1").
func (t tree) split(w place) place {
	n, j := w.n, w.split
	next, text := n.child(0), n.text()
	rest := len(text) - j - 1
	s := t.newNode(1, j == 0 && n.holdsValue())
	var front, back node
	if j > 0 {
		front = t.alloc(length(j, 1, n.holdsValue()))
	}
	if rest > 0 {
		back = t.alloc(length(rest, 1, false))
	}
	s.b[headerSize] = text[j]
	if j == 0 {
		if n.key() {
			s.setValue(n.value())
		}
		t.setLink(w.link, s.p)
	} else {
		front.fill(text[:j], s.p)
		if n.key() {
			front.setValue(n.value())
		}
		t.setLink(w.link, front.p)
		w.link = front.link(0)
		t.add(offNumnodes, 1)
	}
	if rest > 0 {
		back.fill(text[j+1:], next)
		t.add(offNumnodes, 1)
		next = back.p
	}
	s.setChild(0, next)
	t.free(n)
	w.n, w.split = s, 0
	return w
}

// fill makes a fresh block a node that is no key, with the string text (one byte: a plain node)
// and one child.
func (n node) fill(text []byte, child heap.Ptr) {
	f := 0
	if len(text) > 1 {
		f = isCompr
	}
	n.set(f, len(text))
	copy(n.b[headerSize:], text)
	n.setChild(0, child)
}

// cut breaks a compressed node where the key ends inside of it; the second half holds the key
// (rax.c, "algorithm 2").
func (t tree) cut(w place, v heap.Ptr) {
	n, text := w.n, w.n.text()
	back := t.alloc(length(len(text)-w.split, 1, v != 0))
	front := t.alloc(length(w.split, 1, n.holdsValue()))
	back.fill(text[w.split:], n.child(0))
	back.setValue(v)
	front.fill(text[:w.split], back.p)
	if n.key() {
		front.setValue(n.value())
	}
	t.setLink(w.link, front.p)
	t.add(offNumnodes, 1)
	t.add(offNumele, 1)
	t.free(n)
}

// extend adds the nodes for what the tree does not have of the key, and the value.
func (t tree) extend(w place, key []byte, v heap.Ptr) {
	for w.i < len(key) {
		var c node
		if w.n.size() == 0 && len(key)-w.i > 1 {
			s := key[w.i:min(len(key), w.i+maxSize)]
			w.n, c = t.compress(w.n, s)
			t.setLink(w.link, w.n.p)
			w.link = w.n.link(0)
			w.i += len(s)
		} else {
			var pos int
			w.n, c, pos = t.addChild(w.n, key[w.i])
			t.setLink(w.link, w.n.p)
			w.link = w.n.link(pos)
			w.i++
		}
		t.add(offNumnodes, 1)
		w.n = c
	}
	n := t.room(w.n, v)
	if !n.key() {
		t.add(offNumele, 1)
	}
	n.setValue(v)
	t.setLink(w.link, n.p)
}

// compress turns a node without children into a compressed one with a new child (raxCompressNode).
func (t tree) compress(n node, s []byte) (parent, child node) {
	child = t.newNode(0, false)
	key, v, holds := n.key(), heap.Ptr(0), n.holdsValue()
	if key {
		v = n.value()
	}
	n = t.realloc(n, length(len(s), 1, holds))
	n.set(isCompr, len(s))
	copy(n.b[headerSize:], s)
	n.setChild(0, child.p)
	if key {
		n.setValue(v)
	}
	return n, child
}

// addChild gives a plain node a new child behind edge c, in order (raxAddChild).
func (t tree) addChild(n node, c byte) (parent, child node, pos int) {
	size := n.size()
	f := n.flags() & (isKey | isNull)
	child = t.newNode(0, false)
	n = t.realloc(n, length(size+1, size+1, n.holdsValue()))
	for pos < size && n.b[headerSize+pos] <= c {
		pos++
	}
	old, end := n.childOff(0), n.length()
	n.set(int(f), size+1)
	first := n.childOff(0)
	copy(n.b[first+ptrSize*(pos+1):], n.b[old+ptrSize*pos:end])
	copy(n.b[first:first+ptrSize*pos], n.b[old:old+ptrSize*pos])
	copy(n.b[headerSize+pos+1:headerSize+size+1], n.b[headerSize+pos:headerSize+size])
	n.b[headerSize+pos] = c
	n.setChild(pos, child.p)
	return n, child, pos
}
