package quicklist

import (
	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/listpack"
	"github.com/keyloupe/keyloupe/engine/lzf"
)

// A compressed node's entry is a struct of its own: the size of what follows, 8 bytes, and LZF. The
// node's sz stays that of what was compressed.
//
// The server's LZF does not clear its table of earlier places (lzf_c.c), so that now and then it finds
// a copy that package lzf does not.

const (
	lzfHeader   = 8
	minCompress = 48 // smaller entries are left as they are
	minSaved    = 8  // bytes by which LZF must be smaller

	compressed   = 2 << 16 // encoding
	encodingMask = 3 << 16
	recompress   = 1 << 20
	attempted    = 1 << 21
	dontCompress = 1 << 22
)

func (l List) isCompressed(n heap.Ptr) bool { return l.bits(n)&encodingMask == compressed }

func (l List) has(n heap.Ptr, flag uint32) bool { return l.bits(n)&flag != 0 }

// mark sets and clears bits of a node.
func (l List) mark(n heap.Ptr, set, clear uint32) {
	le.PutUint32(l.H.Bytes(n)[oBits:], l.bits(n)&^clear|set)
}

// data is the bytes of a node's entry: a listpack, or a large element. Those of a compressed one are
// a copy.
func (l List) data(n heap.Ptr) []byte {
	b := l.H.Bytes(l.entry(n))
	if !l.isCompressed(n) {
		return b[:l.sz(n)]
	}
	return l.decompressed(b, l.sz(n))
}

// stored is the bytes of a node's entry as they are.
func (l List) stored(n heap.Ptr) []byte {
	b := l.H.Bytes(l.entry(n))
	if l.isCompressed(n) {
		return b[:lzfHeader+le.Uint64(b)]
	}
	return b[:l.sz(n)]
}

func (l List) decompressed(entry []byte, size int) []byte {
	n := int(le.Uint64(entry))
	b, ok := lzf.Decompress(entry[lzfHeader:lzfHeader+n], size)
	if !ok {
		panic("quicklist: a compressed node does not decompress")
	}
	return b
}

// compress compresses a node, if there is one and it is not yet (quicklistCompressNode).
func (l List) compress(n heap.Ptr) {
	if n == 0 || l.isCompressed(n) {
		return
	}
	l.mark(n, attempted, 0)
	if l.has(n, dontCompress) {
		return
	}
	l.mark(n, 0, recompress)
	size := l.sz(n)
	if size < minCompress {
		return
	}
	var z lzf.Compressor
	c := z.Compress(make([]byte, lzfHeader, lzfHeader+size), l.data(n), size)
	if c == nil || len(c)-lzfHeader+minSaved >= size {
		return
	}
	le.PutUint64(c, uint64(len(c)-lzfHeader))
	l.swapEntry(n, c)
	l.mark(n, compressed, encodingMask)
	l.H.Note("a node inside the list was compressed: %d bytes instead of %d", len(c), size)
}

// decompress makes a node as it was before compress (quicklistDecompressNode).
func (l List) decompress(n heap.Ptr) {
	if n == 0 || !l.isCompressed(n) {
		return
	}
	l.swapEntry(n, l.data(n))
	l.mark(n, raw, encodingMask|attempted|recompress)
}

func (l List) swapEntry(n heap.Ptr, b []byte) {
	p := listpack.FromBytes(l.H, b)
	l.H.Free(l.entry(n))
	l.setEntry(n, p)
}

// use decompresses a node that is to be compressed again when it was used (quicklistDecompressNodeForUse).
func (l List) use(n heap.Ptr) {
	if n != 0 && l.isCompressed(n) {
		l.decompress(n)
		l.mark(n, recompress, 0)
	}
}

// used ends use (quicklistRecompressOnly).
func (l List) used(n heap.Ptr) {
	if l.has(n, recompress) {
		l.compress(n)
	}
}

// settle compresses a node if it is far enough from the ends, and puts the ends right
// (quicklistCompress).
func (l List) settle(n heap.Ptr) {
	if l.has(n, recompress) {
		l.compress(n)
	} else {
		l.fit(n)
	}
}

// fit decompresses the nodes at both ends and compresses those next to them, and n if it is none of
// the ends' (__quicklistCompress).
func (l List) fit(n heap.Ptr) {
	depth := l.Depth()
	if depth == 0 || l.Nodes() < 2*depth {
		return
	}
	front, back := l.head(), l.tail()
	atEnd := false
	for range depth {
		l.decompress(front)
		l.decompress(back)
		atEnd = atEnd || front == n || back == n
		if front == back || l.next(front) == back {
			return
		}
		front, back = l.next(front), l.prev(back)
	}
	if !atEnd {
		l.compress(n)
	}
	l.compress(front)
	l.compress(back)
}
