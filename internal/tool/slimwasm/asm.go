package main

// asm is the code of a WebAssembly function in the making. Its locals are all i32.
type asm []instr

// Opcodes that only written code has.
const (
	opI32Load8U = 0x2d
	opI32Store8 = 0x3a
	opI32LtU    = 0x49
	opI32GtU    = 0x4b
	opI32And    = 0x71
	opI32Or     = 0x72
	opI32Xor    = 0x73
	opI32Shl    = 0x74
	opI32ShrU   = 0x76
	opElse      = 0x05
)

// do appends instructions that take no immediate.
func (a *asm) do(ops ...byte) {
	for _, op := range ops {
		*a = append(*a, instr{op: op})
	}
}

func (a *asm) get(local int) { *a = append(*a, instr{op: opLocalGet, x: int64(local)}) }
func (a *asm) set(local int) { *a = append(*a, instr{op: opLocalSet, x: int64(local)}) }
func (a *asm) num(v int)     { *a = append(*a, instr{op: opI32Const, x: int64(v)}) }

// load reads a byte or a word at the address on the stack plus an offset, store writes one.
func (a *asm) load(op byte, offset int)  { *a = append(*a, instr{op: op, x: int64(offset)}) }
func (a *asm) store(op byte, offset int) { *a = append(*a, instr{op: op, x: int64(offset)}) }

// let sets a local to a number, add adds one to it.
func (a *asm) let(local, v int) { a.num(v); a.set(local) }
func (a *asm) add(local, v int) { a.get(local); a.num(v); a.do(opI32Add); a.set(local) }

// loop repeats what body does as long as what it leaves on the stack is not 0.
func (a *asm) loop(body func()) {
	*a = append(*a, instr{op: opLoop, x: typeEmpty})
	body()
	*a = append(*a, instr{op: opBrIf}, instr{op: opEnd})
}

// when does what body does if what is on the stack is not 0.
func (a *asm) when(then, otherwise func()) {
	*a = append(*a, instr{op: opIf, x: typeEmpty})
	then()
	if otherwise != nil {
		a.do(opElse)
		otherwise()
	}
	a.do(opEnd)
}

// uleb reads a number at the address in one local, moves that on, and sets another to it.
func (a *asm) uleb(from, to, shift int) {
	a.let(to, 0)
	a.let(shift, 0)
	a.loop(func() {
		a.get(to)
		a.get(from)
		a.load(opI32Load8U, 0)
		a.num(0x7f)
		a.do(opI32And)
		a.get(shift)
		a.do(opI32Shl, opI32Or)
		a.set(to)
		a.add(shift, 7)
		a.get(from)
		a.load(opI32Load8U, 0)
		a.add(from, 1)
		a.num(0x7f)
		a.do(opI32GtU)
	})
}

// body is the function's, with so many locals.
func (a asm) body(locals int) []byte {
	b := append(appendUleb([]byte{1}, uint64(locals)), typeI32)
	for _, i := range a {
		b = appendInstr(b, i)
	}
	return append(b, opEnd)
}
