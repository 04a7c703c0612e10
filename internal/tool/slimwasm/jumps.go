package main

// straighten makes jumps to later segments branches to their labels. Go's assembler sends all jumps through the table:
//
//	i32.const PC_B; local.set PC_B; br entry            becomes   br segment
//	if; i32.const PC_B; local.set PC_B; br entry; end   becomes   br_if segment
//
// Jumps back stay as they are. Then a segment that no jump leads to and no goroutine resumes needs no label, and one that
// only jumps lead to needs no place in the table.
func (b *body) straighten() {
	for k := range b.segments {
		s := &b.segments[k]
		for at := 0; at+2 < len(s.code); at++ {
			c := s.code[at:]
			if c[0].op != opI32Const || !c[1].is(opLocalSet, localPC) || c[2].op != opBr || c[2].label != entry {
				continue
			}
			to := b.resumeAt(c[0].x)
			if to <= k {
				b.segments[to].resumed = true
				continue
			}
			b.segments[to].target = true
			c[2].label = start(to)
			s.code = append(s.code[:at], c[2:]...)
		}
		s.code = conditional(s.code)
	}
}

// conditional makes a branch that is alone in an if a conditional branch.
func conditional(code []instr) []instr {
	out := code[:0]
	for at := 0; at < len(code); at++ {
		i := code[at]
		if i.is(opIf, typeEmpty) && at+2 < len(code) && code[at+1].op == opBr && code[at+1].label != inner && code[at+2].op == opEnd {
			i = instr{op: opBrIf, label: code[at+1].label}
			at += 2
		}
		out = append(out, i)
	}
	return out
}

// markResumed marks the segments that a goroutine may begin at: after calls, whose return addresses are written out, and
// at the call of deferreturn, which a recovered panic goes on with.
func (b *body) markResumed(function, deferreturn int64) {
	b.segments[b.resumeAt(0)].resumed = true
	if deferreturn != 0 {
		b.segments[b.resumeAt(deferreturn)].resumed = true
	}
	for _, s := range b.segments {
		for _, i := range s.code {
			if i.op == opI64Const && i.x>>16 == function {
				b.segments[b.resumeAt(i.x&0xffff)].resumed = true
			}
		}
	}
}
