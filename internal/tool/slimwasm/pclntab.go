package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

var le = binary.LittleEndian

// header is how a pcHeader begins: the magic of Go 1.20 and later, two zeroes, instructions of 1 byte, pointers of 8.
var header = []byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8}

// Offsets in pcHeader.
const (
	offNfunc   = 8
	offNames   = 32
	offCutab   = 40
	offFiletab = 48
	offPctab   = 56
	offPcln    = 64
	headerSize = 72
)

// The words of 4 bytes of a _func. The last holds funcID, flag, a pad and nfuncdata; after it come npcdata and nfuncdata words.
const (
	wordEntry    = 0 // number of the function in return addresses
	wordName     = 1
	wordDefer    = 3 // PC_B of the call of deferreturn, or 0
	wordPcsp     = 4
	wordFile     = 5
	wordLine     = 6
	wordNpcdata  = 7
	wordUnit     = 8 // compilation unit, for files
	wordStart    = 9 // first line
	wordShape    = 10
	wordsOfFunc  = 11
	shiftOfShape = 24 // nfuncdata in wordShape
)

// Tables of a function that nothing asks for here: where a signal can't preempt it, as WebAssembly has none, and what its
// arguments look like, which only a trace prints (internal/abi, PCDATA_UnsafePoint and FUNCDATA_ArgInfo).
const (
	pcdataUnsafePoint = 0
	funcdataArgInfo   = 5
)

// noFuncdata is written where a function has none of a kind.
const noFuncdata = ^uint32(0)

const maxFuncs = 1 << 20

// tables are what a Go program knows of its functions. The regions are parts of its memory.
type tables struct {
	pctab   region
	files   region // names of files, and which of them a compilation unit has
	functab region // a pair for each function and one for the end: number, offset of its _func; then the _funcs
	buckets region // findfunctab
	funcs   []function
}

// region is a part of memory and its address.
type region struct {
	address int
	bytes   []byte
}

// function is a _func, its tables' offsets in pctab and the offsets of its funcdata.
type function struct {
	head     [wordsOfFunc]uint32
	pcdata   []uint32
	funcdata []uint32
}

// find reads the tables in a program's memory.
func find(memory []byte) (*tables, error) {
	at := bytes.Index(memory, header)
	if at < 0 || len(memory) < at+headerSize {
		return nil, errors.New("no function tables of a known version")
	}
	tab := memory[at:]
	n := le.Uint64(tab[offNfunc:])
	names, cutab, filetab := le.Uint64(tab[offNames:]), le.Uint64(tab[offCutab:]), le.Uint64(tab[offFiletab:])
	pctab, pcln := le.Uint64(tab[offPctab:]), le.Uint64(tab[offPcln:])
	if n == 0 || n > maxFuncs || cutab > filetab || filetab > pctab || pctab > pcln || pcln > uint64(len(tab)) || pcln+8*(n+1) > uint64(len(tab)) {
		return nil, fmt.Errorf("function tables of %d functions do not fit", n)
	}
	t := &tables{
		files: region{at + int(cutab), tab[cutab:pctab]},
		pctab: region{at + int(pctab), tab[pctab:pcln]},
	}
	end, err := t.readFuncs(tab[pcln:], int(n))
	if err != nil {
		return nil, err
	}
	t.functab = region{at + int(pcln), tab[pcln : int(pcln)+end]}
	return t, t.findBuckets(memory, []uint64{uint64(at), uint64(at) + names}, n)
}

// readFuncs reads the functions and returns where the last ends.
func (t *tables) readFuncs(functab []byte, n int) (end int, err error) {
	end = 8 * (n + 1)
	for i := range n {
		at := int(le.Uint32(functab[8*i+4:]))
		if at < end || at+4*wordsOfFunc > len(functab) {
			return 0, fmt.Errorf("function %d lies outside its table", i)
		}
		f := function{}
		end = at
		words := func(n uint32) (words []uint32) {
			for ; n > 0 && end+4 <= len(functab); n-- {
				words = append(words, le.Uint32(functab[end:]))
				end += 4
			}
			return words
		}
		copy(f.head[:], words(wordsOfFunc))
		npcdata, nfuncdata := f.head[wordNpcdata], f.head[wordShape]>>shiftOfShape
		f.pcdata, f.funcdata = words(npcdata), words(nfuncdata)
		if len(f.pcdata) != int(npcdata) || len(f.funcdata) != int(nfuncdata) {
			return 0, fmt.Errorf("function %d is cut off", i)
		}
		t.funcs = append(t.funcs, f)
	}
	return end, nil
}

// Words of 8 bytes in the runtime's moduledata, which begins with the addresses of pcHeader and of the names.
const (
	moduleFtab        = 16 // address, length, capacity
	moduleFindfunctab = 19
	moduleWords       = 22
)

// bucketsOfFunc is how many buckets of findfunctab, of 20 bytes, a function has: its addresses are 1<<16 apart, those of
// buckets 1<<12. A bucket begins with the number of the first function in it.
const (
	bucketSize    = 20
	bucketsOfFunc = 16
	bucketStride  = bucketSize * bucketsOfFunc
)

// findBuckets finds findfunctab and sees to it that it is as it is where each function has buckets of its own.
func (t *tables) findBuckets(memory []byte, begin []uint64, n uint64) error {
	for at := 0; at+8*moduleWords <= len(memory); at += 8 {
		word := func(k int) uint64 { return le.Uint64(memory[at+8*k:]) }
		if word(0) != begin[0] || word(1) != begin[1] || word(moduleFtab) != uint64(t.functab.address) || word(moduleFtab+1) != n+1 {
			continue
		}
		from, size := word(moduleFindfunctab), (n-1)*bucketStride+bucketSize/4
		if from > uint64(len(memory)) || size > uint64(len(memory))-from {
			return errors.New("the table of buckets does not fit")
		}
		t.buckets = region{int(from), memory[from : from+size]}
		for i, b := range t.buckets.bytes {
			if i%bucketSize >= 4 && b != 0 || i%bucketSize == 0 && le.Uint32(t.buckets.bytes[i:]) != uint32(i/bucketStride) {
				return errors.New("functions share buckets")
			}
		}
		return nil
	}
	return errors.New("no moduledata of a known make")
}

// dropLines takes the tables of files and lines out, and what else nothing asks for, and moves those that are left together.
func (t *tables) dropLines() error {
	pctab := []byte{0} // an offset of 0 means no table
	moved := map[uint32]uint32{0: 0}
	for i := range t.funcs {
		f := &t.funcs[i]
		for _, w := range []int{wordFile, wordLine, wordUnit, wordStart} {
			f.head[w] = 0
		}
		if len(f.pcdata) > pcdataUnsafePoint {
			f.pcdata[pcdataUnsafePoint] = 0
		}
		if len(f.funcdata) > funcdataArgInfo {
			f.funcdata[funcdataArgInfo] = noFuncdata
		}
		for _, offset := range f.tables() {
			to, ok := moved[*offset]
			if !ok {
				from, end, err := extent(t.pctab.bytes, *offset)
				if err != nil {
					return err
				}
				to = uint32(len(pctab))
				moved[*offset] = to
				pctab = append(pctab, t.pctab.bytes[from:end]...)
			}
			*offset = to
		}
	}
	if len(pctab) > len(t.pctab.bytes) { // tables that overlapped
		return errors.New("function tables of an unknown make")
	}
	clear(t.pctab.bytes)
	copy(t.pctab.bytes, pctab)
	clear(t.files.bytes)
	return nil
}

// tables are the offsets in pctab that a function has.
func (f *function) tables() []*uint32 {
	out := []*uint32{&f.head[wordPcsp]}
	for i := range f.pcdata {
		out = append(out, &f.pcdata[i])
	}
	return out
}

// extent is where a table begins and ends: pairs of numbers, a difference of the value and one of the address, up to a
// difference of 0 that is not the first.
func extent(pctab []byte, offset uint32) (from, end int, err error) {
	from = int(offset)
	for p := from; p < len(pctab); {
		if pctab[p] == 0 && p != from {
			return from, p + 1, nil
		}
		for range 2 {
			_, n := uleb(pctab[p:])
			if n <= 0 {
				return 0, 0, fmt.Errorf("the table at %d is cut off", offset)
			}
			p += n
		}
	}
	return 0, 0, fmt.Errorf("the table at %d has no end", offset)
}

// entry is the number of a function in return addresses, deferreturn where in it the call of deferreturn is, or 0.
func (f *function) entry() int64       { return int64(f.head[wordEntry]) }
func (f *function) deferreturn() int64 { return int64(f.head[wordDefer]) }
