package main

import "slices"

// localPCF is where functions keep the upper part of their return addresses, after shortenCalls.
const localPCF = 2

// ifReturn leaves a function that is to be unwound.
var ifReturn = []instr{{op: opIf, x: typeEmpty}, {op: opI32Const, x: 1}, {op: opReturn}, {op: opEnd}}

// returnCalls lets what follows a call return by itself where the callee has unwound:
//
//	call; global.get SP; local.set SP; br_if unwind     becomes   ...; if; i32.const 1; return; end
//
// That is longer, but the same in all places, where the depth of the label is not; so it compresses.
func returnCalls(code []instr) []instr {
	out := make([]instr, 0, len(code))
	for at, i := range code {
		if i.op == opBrIf && i.label == unwind && at >= 3 && code[at-1].is(opLocalSet, localSP) && code[at-2].is(opGlobalGet, globalSP) {
			out = append(out, ifReturn...)
			continue
		}
		out = append(out, i)
	}
	return out
}

// shortenReturnAddresses writes return addresses in two parts. An address is the number of the function, shifted by 16, and
// PC_B. The first part is put into a local at the beginning:
//
//	i64.const address; i64.store 0                       becomes   i64.const PC_B; local.get PC_F; i64.or; i64.store 0
//
// A compiler makes the constant whole again; until then each call is a small number and the same few bytes.
func shortenReturnAddresses(locals []byte, code []instr, function int64) ([]byte, []instr) {
	if !slices.ContainsFunc(code, func(i instr) bool { return i.op == opI64Const && i.x>>16 == function }) {
		return locals, code
	}
	locals, ok := addLocal(locals)
	if !ok {
		return locals, code
	}
	out := make([]instr, 0, len(code)+len(code)/8)
	out = append(out, code[:2]...)
	out = append(out, instr{op: opI64Const, x: function << 16}, instr{op: opLocalSet, x: localPCF})
	for at, i := range code[2:] {
		switch {
		case i.op >= opLocalGet && i.op <= opLocalTee && i.x >= localPCF:
			i.x++
		case i.op == opI64Const && i.x>>16 == function && code[2+at+1].is(opI64Store, 0):
			out = append(out, instr{op: opI64Const, x: i.x & 0xffff}, instr{op: opLocalGet, x: localPCF})
			i = instr{op: opI64Or}
		}
		out = append(out, i)
	}
	return locals, out
}

// addLocal declares localPCF, an i64, before all others but the stack pointer's.
func addLocal(locals []byte) ([]byte, bool) {
	count, n := uleb(locals)
	rest := locals[n:]
	if count == 0 || rest[0] != 1 || rest[1] != typeI32 {
		return locals, false
	}
	out := []byte{1, typeI32}
	rest = rest[2:]
	have, n := uint64(0), 0
	if count > 1 {
		if have, n = uleb(rest); rest[n] == typeI64 {
			rest = rest[n+1:]
			count--
		} else {
			have = 0
		}
	}
	out = append(appendUleb(out, have+1), typeI64)
	return append(append(appendUleb(nil, count+1), out...), rest...), true
}
