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
	offCutab   = 40
	offFiletab = 48
	offPctab   = 56
	offPcln    = 64
	headerSize = 72
)

// Offsets in _func.
const (
	offPcsp    = 16
	offPcfile  = 20
	offLines   = 24
	offNpcdata = 28
	offUnit    = 32 // cuOffset and startLine, which only lines need
	offPcdata  = 44 // after funcID, flag, a pad, nfuncdata
)

const maxFuncs = 1 << 20

// dropLines takes the tables of files and lines out of a Go program's memory, and moves those that are left together.
func dropLines(memory []byte) error {
	t, err := find(memory)
	if err != nil {
		return err
	}
	pctab := []byte{0} // an offset of 0 means no table
	moved := map[uint32]uint32{0: 0}
	for _, f := range t.funcs {
		for _, field := range t.kept(f) {
			at := le.Uint32(field)
			if _, ok := moved[at]; !ok {
				from, end, err := extent(t.pctab, at)
				if err != nil {
					return err
				}
				moved[at] = uint32(len(pctab))
				pctab = append(pctab, t.pctab[from:end]...)
			}
		}
	}
	if len(pctab) > len(t.pctab) { // tables that overlapped
		return errors.New("function tables of an unknown make")
	}
	for _, f := range t.funcs {
		clear(f[offPcfile : offPcfile+8])
		clear(f[offUnit : offUnit+8])
		for _, field := range t.kept(f) {
			le.PutUint32(field, moved[le.Uint32(field)])
		}
	}
	clear(t.pctab)
	copy(t.pctab, pctab)
	clear(t.files)
	return nil
}

// tables are the parts of a pclntab; they alias the memory.
type tables struct {
	pctab []byte
	files []byte   // names of files and which of them a compilation unit has
	funcs [][]byte // each from its _func on
}

func find(memory []byte) (t tables, err error) {
	at := bytes.Index(memory, header)
	if at < 0 || len(memory) < at+headerSize {
		return t, errors.New("no function tables of a known version")
	}
	tab := memory[at:]
	n := le.Uint64(tab[offNfunc:])
	cutab, filetab, pctab, pcln := le.Uint64(tab[offCutab:]), le.Uint64(tab[offFiletab:]), le.Uint64(tab[offPctab:]), le.Uint64(tab[offPcln:])
	if n > maxFuncs || cutab > filetab || filetab > pctab || pctab > pcln || pcln+8*n > uint64(len(tab)) {
		return t, fmt.Errorf("function tables of %d functions do not fit", n)
	}
	t.files, t.pctab = tab[cutab:pctab], tab[pctab:pcln]
	functab := tab[pcln:]
	for i := range n {
		off := uint64(le.Uint32(functab[8*i+4:]))
		if off+offPcdata > uint64(len(functab)) {
			return t, fmt.Errorf("function %d lies outside its table", i)
		}
		f := functab[off:]
		if end := offPcdata + 4*uint64(le.Uint32(f[offNpcdata:])); end > uint64(len(f)) {
			return t, fmt.Errorf("function %d is cut off", i)
		}
		t.funcs = append(t.funcs, f)
	}
	return t, nil
}

// kept are the fields with the offsets of the tables that a function needs to run.
func (t *tables) kept(f []byte) [][]byte {
	out := [][]byte{f[offPcsp : offPcsp+4]}
	for i := range le.Uint32(f[offNpcdata:]) {
		at := offPcdata + 4*i
		out = append(out, f[at:at+4])
	}
	return out
}

// extent is where a table begins and ends: pairs of numbers, a difference of the value and one of the address, up to a
// difference of 0 that is not the first.
func extent(pctab []byte, off uint32) (from, end int, err error) {
	if off == 0 { // no table
		return 0, 0, nil
	}
	from = int(off)
	for p := from; p < len(pctab); {
		if pctab[p] == 0 && p != from {
			return from, p + 1, nil
		}
		for range 2 {
			_, n := binary.Uvarint(pctab[p:])
			if n <= 0 {
				return 0, 0, fmt.Errorf("the table at %d is cut off", off)
			}
			p += n
		}
	}
	return 0, 0, fmt.Errorf("the table at %d has no end", off)
}
