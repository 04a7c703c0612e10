package main

// foldStackAddresses takes sums out of addresses in the stack frame. The stack pointer is a number of 32 bits well below
// what could overflow:
//
//	local.get SP; i64.extend_i32_u; i64.const n; i64.add; i32.wrap_i64
//
// becomes the stack pointer, n becoming part of the load's or store's offset, or else a sum of 32 bits.
func foldStackAddresses(code []instr) []instr {
	out := make([]instr, 0, len(code))
	for at := 0; at < len(code); at++ {
		if n, ok := stackAddress(code[at:]); ok {
			out = append(out, code[at])
			at += 4
			if user := accessOf(code, at+1); user >= 0 {
				code[user].x += n
			} else {
				out = append(out, instr{op: opI32Const, x: n}, instr{op: opI32Add})
			}
			continue
		}
		out = append(out, code[at])
	}
	return out
}

// maxFrame bounds the offsets that are folded.
const maxFrame = 1 << 24

func stackAddress(c []instr) (n int64, ok bool) {
	ok = len(c) > 4 && c[0].is(opLocalGet, localSP) && c[1].op == opI64ExtendI32 && c[2].op == opI64Const && c[3].op == opI64Add &&
		c[4].op == opI32WrapI64 && c[2].x >= 0 && c[2].x < maxFrame
	if ok {
		n = c[2].x
	}
	return n, ok
}

// accessOf finds the load or store that uses the address on top of the stack as its own, or -1.
func accessOf(code []instr, at int) int {
	for above := 0; at < len(code); at++ {
		i := code[at]
		if above == 0 && i.isLoad() || above == 1 && i.isStore() {
			return at
		}
		pops, pushes, ok := i.effect()
		if !ok || pops > above {
			return -1
		}
		above += pushes - pops
	}
	return -1
}

// joinReturns adds to the stack pointer once at the end of a function, not first the frame and then the return address.
//
//	local.get SP; i32.const frame; i32.add; local.tee SP; global.set SP
//	local.get SP; i32.const 8;     i32.add; local.tee SP; global.set SP; i32.const 0; return
func joinReturns(code []instr) []instr {
	out := make([]instr, 0, len(code))
	for at := 0; at < len(code); at++ {
		if n, length := stackPop(code[at:]); length > 0 {
			sum, whole := n, length
			if more, length := stackPop(code[at+whole:]); length > 0 {
				sum, whole = sum+more, whole+length
			}
			if end := code[at+whole:]; len(end) > 1 && end[0].op == opI32Const && end[1].op == opReturn {
				out = append(out, code[at], instr{op: opI32Const, x: sum}, code[at+2], instr{op: opGlobalSet, x: globalSP})
				at += whole - 1
				continue
			}
		}
		out = append(out, code[at])
	}
	return out
}

func stackPop(c []instr) (n int64, length int) {
	if len(c) > 4 && c[0].is(opLocalGet, localSP) && c[1].op == opI32Const && c[2].op == opI32Add && c[3].is(opLocalTee, localSP) &&
		c[4].is(opGlobalSet, globalSP) {
		return c[1].x, 5
	}
	return 0, 0
}
