package main

import (
	"errors"
	"fmt"
)

// Opcodes that the passes look at (WebAssembly core specification, 5.4).
const (
	opUnreachable  = 0x00
	opBlock        = 0x02
	opLoop         = 0x03
	opIf           = 0x04
	opEnd          = 0x0b
	opBr           = 0x0c
	opBrIf         = 0x0d
	opBrTable      = 0x0e
	opReturn       = 0x0f
	opCall         = 0x10
	opCallIndirect = 0x11
	opLocalGet     = 0x20
	opLocalSet     = 0x21
	opLocalTee     = 0x22
	opGlobalGet    = 0x23
	opGlobalSet    = 0x24
	opI32Load      = 0x28
	opI64Load32U   = 0x35 // the last of the loads
	opI32Store     = 0x36
	opI64Store     = 0x37
	opI64Store32   = 0x3e // the last of the stores
	opMemorySize   = 0x3f
	opMemoryGrow   = 0x40
	opI32Const     = 0x41
	opI64Const     = 0x42
	opF32Const     = 0x43
	opF64Const     = 0x44
	opI32Eqz       = 0x45
	opI64Eqz       = 0x50
	opI32Add       = 0x6a
	opI32Sub       = 0x6b
	opI64Add       = 0x7c
	opI64Or        = 0x84
	opI32WrapI64   = 0xa7
	opI64ExtendI32 = 0xad // unsigned
	opExtend       = 0xc0 // the first of the sign extensions
	opExtendLast   = 0xc4
	opMisc         = 0xfc
)

const (
	typeI32   = 0x7f
	typeI64   = 0x7e
	typeFunc  = 0x60
	typeEmpty = 0x40 // of a block that leaves nothing on the stack
)

// instr is one instruction. x is its immediate: a constant, an index, a depth, the offset of a load or store.
type instr struct {
	op    byte
	align byte // of a load or store, log2
	label label
	x     int64
	raw   []byte // all bytes, of an instruction whose immediate is none of these
}

// is compares an instruction with one without a raw immediate.
func (i instr) is(op byte, x int64) bool { return i.op == op && i.x == x }

func (i instr) isLoad() bool  { return i.op >= opI32Load && i.op <= opI64Load32U }
func (i instr) isStore() bool { return i.op >= opI32Store && i.op <= opI64Store32 }

// decode reads a function's body: its declarations of locals, as they are, and its instructions.
func decode(body []byte) (locals []byte, code []instr, err error) {
	count, at := uleb(body)
	if at <= 0 {
		return nil, nil, errTruncated
	}
	for range count {
		_, n := uleb(body[at:])
		if n <= 0 || at+n >= len(body) {
			return nil, nil, errTruncated
		}
		at += n + 1
	}
	locals, rest := body[:at], body[at:]
	for len(rest) > 0 {
		i, n, err := decodeInstr(rest)
		if err != nil {
			return nil, nil, err
		}
		code, rest = append(code, i), rest[n:]
	}
	return locals, code, nil
}

var errTruncated = errors.New("a function is cut off")

func decodeInstr(b []byte) (i instr, size int, err error) {
	i.op, size = b[0], 1
	read := func(f func([]byte) (int64, int)) int64 {
		v, n := f(b[size:])
		if n <= 0 {
			err = errTruncated
			return 0
		}
		size += n
		return v
	}
	unsigned := func(b []byte) (int64, int) { v, n := uleb(b); return int64(v), n }
	switch op := i.op; {
	case op == opBr, op == opBrIf, op == opCall, op >= opLocalGet && op <= opGlobalSet:
		i.x = read(unsigned)
	case op == opI32Const, op == opI64Const:
		i.x = read(sleb)
	case op >= opI32Load && op <= opI64Store32:
		i.align, i.x = byte(read(unsigned)), read(unsigned)
	case op == opBlock, op == opLoop, op == opIf:
		i.x = read(func(b []byte) (int64, int) {
			if len(b) == 0 {
				return 0, 0
			}
			return int64(b[0]), 1
		})
	case op == opBrTable:
		for range read(unsigned) + 1 {
			if read(unsigned); err != nil {
				break
			}
		}
		i.raw = b[:size]
	case op == opCallIndirect:
		read(unsigned)
		read(unsigned)
		i.raw = b[:size]
	case op == opMisc:
		i.x = read(unsigned)
		switch i.x {
		case 0, 1, 2, 3, 4, 5, 6, 7: // trunc_sat
		case 10: // memory.copy
			size += 2
		case 11: // memory.fill
			size++
		default:
			return i, 0, fmt.Errorf("instruction 0xfc %d is none that Go uses", i.x)
		}
		i.raw = b[:min(size, len(b))]
	case op == opF32Const:
		size += 4
		i.raw = b[:min(size, len(b))]
	case op == opF64Const:
		size += 8
		i.raw = b[:min(size, len(b))]
	case op == opMemorySize, op == opMemoryGrow:
		size++
		i.raw = b[:min(size, len(b))]
	case op <= 0x01, op == 0x05, op == opEnd, op == opReturn, op == 0x1a, op == 0x1b, op >= opI32Eqz && op <= opExtendLast:
	default:
		return i, 0, fmt.Errorf("opcode %#x is none that Go uses", op)
	}
	if err == nil && size > len(b) {
		err = errTruncated
	}
	return i, size, err
}

// appendInstr writes an instruction with the shortest immediates.
func appendInstr(b []byte, i instr) []byte {
	if i.raw != nil {
		return append(b, i.raw...)
	}
	b = append(b, i.op)
	switch op := i.op; {
	case op == opBr, op == opBrIf, op == opCall, op >= opLocalGet && op <= opGlobalSet:
		b = appendUleb(b, uint64(i.x))
	case op == opI32Const, op == opI64Const:
		b = appendSleb(b, i.x)
	case op >= opI32Load && op <= opI64Store32:
		b = appendUleb(append(b, i.align), uint64(i.x))
	case op == opBlock, op == opLoop, op == opIf:
		b = append(b, byte(i.x))
	}
	return b
}

// pops and pushes tell how many values an instruction takes from the stack and leaves there; ok is false for those that
// change the control flow or whose count depends on a type.
func (i instr) effect() (pops, pushes int, ok bool) {
	switch op := i.op; {
	case op == opLocalGet, op == opGlobalGet, op >= opI32Const && op <= opF64Const:
		return 0, 1, true
	case op == opLocalSet, op == opGlobalSet:
		return 1, 0, true
	case op == opLocalTee, i.isLoad(), op == opI32Eqz, op == opI64Eqz:
		return 1, 1, true
	case i.isStore():
		return 2, 0, true
	case op >= 0x67 && op <= 0x69, op >= 0x79 && op <= 0x7b: // clz, ctz, popcnt
		return 1, 1, true
	case op >= 0x8b && op <= 0x91, op >= 0x99 && op <= 0x9f: // abs ... sqrt of floats
		return 1, 1, true
	case op > opI32Eqz && op < 0xa7: // comparisons and arithmetic of two values
		return 2, 1, true
	case op >= opI32WrapI64 && op <= opExtendLast: // conversions
		return 1, 1, true
	}
	return 0, 0, false
}
