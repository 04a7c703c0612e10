// Package hyperloglog is the server's cardinality estimator, kept in a string.
//
//	header  | "HYLL" | encoding 1 | unused 3 | cached count 8, top bit = not valid |      16 bytes
//	dense   16384 registers of 6 bits, least significant bits first                       12288 bytes
//	sparse  runs of registers:
//	        00xxxxxx            1 to 64 registers that are 0        ZERO
//	        01xxxxxx yyyyyyyy   1 to 16384 registers that are 0     XZERO
//	        1vvvvvxx            1 to 4 registers of value v + 1     VAL
//
// A new one is sparse, 18 bytes. It becomes dense when a register passes 32 or the string would
// pass hll-sparse-max-bytes. The sparse string grows ahead of need: to twice its length, or 300
// bytes more (hyperloglog.c, the same in 7.2 to 9.1; how much of that the string may use differs,
// see sds.Resize). Functions take the address of the string's text and return where it is then.
package hyperloglog

import (
	"encoding/binary"
	"math/bits"

	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/release"
	"github.com/keyloupe/keyloupe/engine/sds"
)

const (
	header       = 16
	offEncoding  = 4
	offCard      = 8
	Registers    = 1 << 14
	registerBits = 6
	registerMax  = 1<<registerBits - 1
	hashBits     = 50 // bits of the hash behind the register's index
	denseSize    = header + (Registers*registerBits+7)/8
)

// The encodings.
const (
	Dense  = 0
	Sparse = 1
)

// Limits of the sparse runs.
const (
	valMax, valLenMax         = 32, 4
	zeroLenMax, xzeroLenMax   = 64, 16384
	greedy                    = 300 // bytes a sparse string grows ahead at most
	runMerge                  = 5   // runs looked at after a change, to join neighbours
	xzeroBit, valBit, runMask = 0x40, 0x80, 0xc0
)

// Text is the string at p, with the NUL behind it in its capacity.
func Text(h *heap.Heap, p heap.Ptr) []byte {
	n := sds.Len(h, p)
	return h.At(p)[: n : n+1]
}

// Valid tells whether a string looks like a HyperLogLog: its header and, if dense, its length.
func Valid(s []byte) bool {
	return len(s) >= header && string(s[:4]) == "HYLL" && s[offEncoding] <= Sparse &&
		(s[offEncoding] != Dense || len(s) == denseSize)
}

// Encoding is Dense or Sparse.
func Encoding(s []byte) int { return int(s[offEncoding]) }

// New makes an empty one and returns the address of its text.
func New(h *heap.Heap) heap.Ptr {
	var s [header + 2]byte
	copy(s[:], "HYLL")
	s[offEncoding] = Sparse
	putXzero(s[header:], xzeroLenMax)
	return sds.New(h, s[:])
}

// Invalidate says that the cached count no longer holds.
func Invalidate(s []byte) { s[offCard+7] |= 0x80 }

// Cached is the count kept in the string; ok is false where it does not hold.
func Cached(s []byte) (n uint64, ok bool) {
	n = binary.LittleEndian.Uint64(s[offCard:])
	return n, n>>63 == 0
}

// SetCached keeps a count in the string.
func SetCached(s []byte, n uint64) { binary.LittleEndian.PutUint64(s[offCard:], n) }

// hash is MurmurHash64A with the server's seed.
func hash(key []byte) uint64 {
	const (
		m    = 0xc6a4a7935bd1e995
		r    = 47
		seed = 0xadc83b19
	)
	h := seed ^ uint64(len(key))*m
	for ; len(key) >= 8; key = key[8:] {
		k := binary.LittleEndian.Uint64(key) * m
		h = (h ^ (k^k>>r)*m) * m
	}
	if len(key) > 0 {
		var tail uint64
		for i := len(key) - 1; i >= 0; i-- {
			tail = tail<<8 | uint64(key[i])
		}
		h = (h ^ tail) * m
	}
	h = (h ^ h>>r) * m
	return h ^ h>>r
}

// pattern is the register an element belongs to, and the length of its run of zero bits plus one.
func pattern(elem []byte) (index int, count byte) {
	h := hash(elem)
	index = int(h & (Registers - 1))
	h = h>>14 | 1<<hashBits
	return index, byte(1 + bits.TrailingZeros64(h))
}

// Result is what became of a register.
type Result int

// The results of Add and Set.
const (
	Corrupt   Result = -1
	Unchanged Result = 0
	Changed   Result = 1
)

// Add counts an element; max is hll-sparse-max-bytes.
func Add(h *heap.Heap, p heap.Ptr, elem []byte, max int) (heap.Ptr, Result) {
	index, count := pattern(elem)
	return Set(h, p, index, count, max)
}

// Set raises a register to count where it is lower.
func Set(h *heap.Heap, p heap.Ptr, index int, count byte, max int) (heap.Ptr, Result) {
	if s := Text(h, p); Encoding(s) == Dense {
		return p, setDense(s[header:], index, count)
	}
	return setSparse(h, p, index, count, max)
}

func getReg(r []byte, i int) byte {
	at, bit := i*registerBits/8, i*registerBits&7
	v := uint(r[at])
	if at+1 < len(r) {
		v |= uint(r[at+1]) << 8
	}
	return byte(v>>bit) & registerMax
}

func putReg(r []byte, i int, v byte) {
	at, bit := i*registerBits/8, i*registerBits&7
	r[at] = r[at]&^byte(registerMax<<bit) | v<<bit
	if bit > 8-registerBits {
		r[at+1] = r[at+1]&^byte(registerMax>>(8-bit)) | v>>(8-bit)
	}
}

func setDense(r []byte, i int, count byte) Result {
	if count <= getReg(r, i) {
		return Unchanged
	}
	putReg(r, i, count)
	return Changed
}

// eachRun calls f with the runs of registers, and tells whether they are right. Before the check of
// CVE-2025-32023 (release rule hll-strict) a value too many ended the reading without a complaint.
func eachRun(s []byte, strict bool, f func(first, n int, v byte)) bool {
	if Encoding(s) == Dense {
		for i := range Registers {
			f(i, 1, getReg(s[header:], i))
		}
		return true
	}
	i := 0
	for b := s[header:]; len(b) > 0; {
		n, v, size := run(b)
		if i+n > Registers {
			return !strict && v > 0 && i == Registers
		}
		f(i, n, v)
		i += n
		b = b[min(size, len(b)):]
	}
	return i == Registers
}

// Merge raises each of the registers in max to that of s; false where s is corrupt.
func Merge(r *release.Release, max *[Registers]byte, s []byte) bool {
	return eachRun(s, r.HllStrict, func(first, n int, v byte) {
		for i := first; i < first+n; i++ {
			if v > max[i] {
				max[i] = v
			}
		}
	})
}

// Store writes registers into a dense one.
func Store(s []byte, regs *[Registers]byte) {
	for i, v := range regs {
		putReg(s[header:], i, v)
	}
}

// Get is one register of a dense one.
func Get(s []byte, i int) byte { return getReg(s[header:], i) }

// ToDense makes a sparse one dense; ok is false, and nothing changes, where it is corrupt.
func ToDense(h *heap.Heap, p heap.Ptr) (q heap.Ptr, ok bool) {
	s := Text(h, p)
	if Encoding(s) == Dense {
		return p, true
	}
	d := make([]byte, denseSize)
	copy(d, s[:header])
	d[offEncoding] = Dense
	if !eachRun(s, h.Rel.HllStrict, func(first, n int, v byte) {
		for i := first; v > 0 && i < first+n; i++ {
			putReg(d[header:], i, v)
		}
	}) {
		return p, false
	}
	h.Note("the HyperLogLog became dense: %d bytes of registers", denseSize-header)
	q = sds.New(h, d)
	sds.Free(h, p)
	return q, true
}
