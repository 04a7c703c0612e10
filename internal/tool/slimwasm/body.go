package main

import "slices"

// A function as Go's assembler lays it out (cmd/internal/obj/wasm, preprocess). Its code is cut at resume points, where a
// goroutine that was switched away goes on and where jumps arrive. PC_B, the parameter, says at which to begin:
//
//	block                        unwind: left to return 1, so that callers leave their WebAssembly frames too
//	 loop                        entry: a jump sets PC_B and begins here again
//	  block ... block block      a label for each segment, the innermost for segment 0
//	   local.get PC_B; br_table
//	  end
//	   segment 0
//	  end
//	   segment 1
//	  ...
//	 end; unreachable
//	end; i32.const 1
//
// A segment is reached from the one before it too.
type body struct {
	prologue []instr // local SP = SP
	unwind   bool
	entry    bool
	table    []int // the segment of each PC_B; the last is for all greater ones
	segments []segment
}

type segment struct {
	code    []instr
	resumed bool // the table leads here
	target  bool // a branch leads here
}

// label is what a branch leaves or begins again, of what lies outside of the segments.
type label int

const (
	inner  label = 0 // something in the segment: a plain depth
	unwind label = -1
	entry  label = -2
)

// start is the label whose branches go to a segment.
func start(segment int) label { return label(segment + 1) }

func (l label) segment() int { return int(l) - 1 }

// Locals of a function in Go's calling convention.
const (
	localPC = 0 // the parameter PC_B
	localSP = 1
)

// globalSP holds the stack pointer between functions.
const globalSP = 0

// parse takes a function apart. It reports false for functions in a calling convention of their own (the helpers in the
// runtime's assembly) and for those that have no resume points.
func parse(code []instr) (b *body, ok bool) {
	b = new(body)
	at := 0
	next := func() (i instr) {
		if at < len(code) {
			i = code[at]
		}
		at++
		return i
	}
	if !next().is(opGlobalGet, globalSP) || !next().is(opLocalSet, localSP) {
		return nil, false
	}
	b.prologue = code[:at]
	labels := 0
	for ; at < len(code) && (code[at].op == opBlock || code[at].op == opLoop) && code[at].x == typeEmpty; at++ {
		switch {
		case code[at].op == opBlock:
			labels++
		case labels > 1 || b.entry:
			return nil, false
		default:
			b.entry, b.unwind, labels = true, labels == 1, 0
		}
	}
	if !next().is(opLocalGet, localPC) || at >= len(code) || code[at].op != opBrTable || labels == 0 {
		return nil, false
	}
	targets := tableOf(next())
	if next().op != opEnd {
		return nil, false
	}
	// Without a loop the unwind block can't be told from a label but by what follows the last segment.
	if n := len(code); !b.entry && n >= 4 && code[n-4].op == opUnreachable && code[n-3].op == opEnd && code[n-2].is(opI32Const, 1) {
		b.unwind = true
		labels--
	}
	b.table = targets
	return b, b.cut(code[at:], labels) && slices.Max(targets) < labels
}

// cut divides what follows the table into segments and gives branches out of them their labels.
func (b *body) cut(code []instr, labels int) bool {
	depth, begin := 0, 0
	for at, i := range code {
		switch i.op {
		case opBlock, opLoop, opIf:
			depth++
		case opEnd:
			depth--
		case opBr, opBrIf:
			if i.x >= int64(depth) {
				l, ok := b.labelAt(int(i.x)-depth, len(b.segments), labels)
				if !ok {
					return false
				}
				code[at].label = l
			}
		}
		if depth < 0 {
			b.segments = append(b.segments, segment{code: code[begin:at]})
			depth, begin = 0, at+1
			if len(b.segments) == labels {
				// The last segment, as said, ends with the loop, or with the unwind block, or with the function.
				return b.tail(code[at:])
			}
		}
	}
	return false
}

// tail checks what follows the last segment, and takes from that segment what belongs to the frame around it.
func (b *body) tail(code []instr) bool {
	last := &b.segments[len(b.segments)-1]
	if b.entry {
		if len(code) < 2 || code[1].op != opUnreachable {
			return false
		}
		code = code[2:]
	} else {
		n := len(last.code)
		if n == 0 || last.code[n-1].op != opUnreachable {
			return false
		}
		last.code = last.code[:n-1]
	}
	if b.unwind {
		if b.entry {
			if len(code) == 0 || code[0].op != opEnd {
				return false
			}
		}
		if len(code) < 3 || !code[1].is(opI32Const, 1) {
			return false
		}
		code = code[2:]
	}
	return len(code) == 1 && code[0].op == opEnd
}

// labelAt is the label that lies so many outer blocks away from a segment.
func (b *body) labelAt(outer, segment, labels int) (label, bool) {
	if s := segment + 1 + outer; s < labels {
		return start(s), true
	}
	outer -= labels - segment - 1
	if b.entry {
		if outer == 0 {
			return entry, true
		}
		outer--
	}
	return unwind, b.unwind && outer == 0
}

func tableOf(i instr) []int {
	raw := i.raw[1:]
	count, n := uleb(raw)
	targets := make([]int, count+1)
	for k := range targets {
		raw = raw[n:]
		var v uint64
		v, n = uleb(raw)
		targets[k] = int(uint32(v))
	}
	return targets
}

// resumeAt is the segment that a PC_B begins at.
func (b *body) resumeAt(pc int64) int {
	return b.table[min(int(uint32(pc)), len(b.table)-1)]
}

// assemble lays the function out again, with the labels, the table and the loop that are still needed.
func (b *body) assemble() []instr {
	b.unwind, b.entry = false, false
	dispatch := false
	for k, s := range b.segments {
		dispatch = dispatch || s.resumed && k > 0
		for _, i := range s.code {
			b.unwind = b.unwind || i.label == unwind
			b.entry = b.entry || i.label == entry
		}
	}
	dispatch = dispatch || b.entry
	if dispatch {
		b.segments[0].resumed = true
	}
	code := slices.Clone(b.prologue)
	if b.unwind {
		code = append(code, instr{op: opBlock, x: typeEmpty})
	}
	if b.entry {
		code = append(code, instr{op: opLoop, x: typeEmpty})
	}
	for _, s := range b.segments {
		if s.labelled() {
			code = append(code, instr{op: opBlock, x: typeEmpty})
		}
	}
	if dispatch {
		code = append(code, instr{op: opLocalGet, x: localPC}, b.brTable())
	}
	for k, s := range b.segments {
		if s.labelled() {
			code = append(code, instr{op: opEnd})
		}
		code = b.appendSegment(code, k)
	}
	if b.entry {
		code = append(code, instr{op: opEnd})
	}
	code = append(code, instr{op: opUnreachable})
	if b.unwind {
		code = append(code, instr{op: opEnd}, instr{op: opI32Const, x: 1})
	}
	return append(code, instr{op: opEnd})
}

func (s *segment) labelled() bool { return s.resumed || s.target }

// brTable leads each PC_B to the next segment that is ever resumed.
func (b *body) brTable() instr {
	var targets []int
	for pc, next := len(b.table)-1, -1; pc >= 0; pc-- {
		if s := b.table[pc]; b.segments[s].resumed {
			next = b.labelsBefore(s, 0)
		}
		if next >= 0 {
			targets = append(targets, next)
		}
	}
	raw := appendUleb([]byte{opBrTable}, uint64(len(targets)-1))
	for _, t := range slices.Backward(targets) {
		raw = appendUleb(raw, uint64(t))
	}
	return instr{op: opBrTable, raw: raw}
}

// labelsBefore counts the labels of the segments from one on up to another, that is not counted.
func (b *body) labelsBefore(segment, from int) (n int) {
	for _, s := range b.segments[from:segment] {
		if s.labelled() {
			n++
		}
	}
	return n
}

// appendSegment appends a segment's code with the depths that its branches now have.
func (b *body) appendSegment(code []instr, k int) []instr {
	depth := 0
	for _, i := range b.segments[k].code {
		switch i.op {
		case opBlock, opLoop, opIf:
			depth++
		case opEnd:
			depth--
		}
		if i.label != inner {
			i.x = int64(depth + b.outer(i.label, k))
			i.label = inner
		}
		code = append(code, i)
	}
	return code
}

// outer is how many labels lie between a segment and the one that is meant.
func (b *body) outer(l label, segment int) int {
	all := len(b.segments)
	switch {
	case l > inner:
		return b.labelsBefore(l.segment(), segment+1)
	case l == unwind && b.entry:
		return b.labelsBefore(all, segment+1) + 1
	default:
		return b.labelsBefore(all, segment+1)
	}
}
