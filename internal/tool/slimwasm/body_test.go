package main

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
)

// functionsOf are the bodies of a module's functions.
func functionsOf(t *testing.T, m []byte) [][]byte {
	t.Helper()
	sections, err := read(m)
	if err != nil {
		t.Fatal(err)
	}
	functions, err := readFunctions(sections.find(sectionCode).body)
	if err != nil {
		t.Fatal(err)
	}
	return functions
}

func encode(code []instr) (b []byte) {
	for _, i := range code {
		b = appendInstr(b, i)
	}
	return b
}

func TestAFunctionWhoseLabelsAreAllNeededIsLaidOutAsBefore(t *testing.T) {
	known := 0
	for n, f := range functionsOf(t, build(t)) {
		_, code, err := decode(f)
		if err != nil {
			t.Fatal(err)
		}
		before := encode(code)
		b, ok := parse(code)
		if !ok {
			continue
		}
		known++
		for k := range b.segments {
			b.segments[k].resumed = true
		}
		if after := encode(b.assemble()); !bytes.Equal(before, after) {
			t.Fatalf("function %d became\n% x, it was\n% x", n, after, before)
		}
	}
	if known < 1000 {
		t.Errorf("only %d functions are of the known make", known)
	}
}

// chain is a function of three segments: the first jumps to the last, from where jumps go back.
func chain() []instr {
	jump := func(pc, depth int64) []instr {
		return []instr{{op: opI32Const, x: pc}, {op: opLocalSet, x: localPC}, {op: opBr, x: depth}}
	}
	block := instr{op: opBlock, x: typeEmpty}
	end := instr{op: opEnd}
	return slices.Concat(
		[]instr{{op: opGlobalGet}, {op: opLocalSet, x: localSP}, {op: opLoop, x: typeEmpty}, block, block, block},
		[]instr{{op: opLocalGet}, {op: opBrTable, raw: []byte{opBrTable, 2, 0, 1, 2}}, end},
		[]instr{{op: opLocalGet, x: localSP}, {op: opIf, x: typeEmpty}}, jump(2, 3), []instr{end}, []instr{end},
		[]instr{{op: opCall, x: 9}, {op: opReturn}, end},
		jump(0, 0), []instr{end, {op: opUnreachable}, end},
	)
}

func TestAJumpForwardGoesToItsLabel(t *testing.T) {
	b, ok := parse(chain())
	if !ok {
		t.Fatal("not a function of Go's make")
	}
	b.straighten()
	b.markResumed(1, 0)
	var ops []byte
	for _, i := range b.assemble() {
		ops = append(ops, i.op)
	}
	want := []byte{
		opGlobalGet, opLocalSet, opLoop, opBlock, opBlock, opLocalGet, opBrTable, opEnd, // no label for the segment in the middle
		opLocalGet, opBrIf, opCall, opReturn, opEnd,
		opI32Const, opLocalSet, opBr, opEnd, opUnreachable, opEnd, // a jump back stays
	}
	if !bytes.Equal(ops, want) {
		t.Errorf("the function became % x, not % x", ops, want)
	}
}

func TestASegmentThatIsResumedKeepsItsPlaceInTheTable(t *testing.T) {
	for what, mark := range map[string]func(*body){
		"a return address":      func(b *body) { b.segments[0].code = append(b.segments[0].code, instr{op: opI64Const, x: 7<<16 | 1}) },
		"a call of deferreturn": func(b *body) {},
	} {
		b, _ := parse(chain())
		mark(b)
		deferreturn := int64(0)
		if what == "a call of deferreturn" {
			deferreturn = 1
		}
		b.straighten()
		b.markResumed(7, deferreturn)
		if got := b.brTable().raw; !bytes.Equal(got, []byte{opBrTable, 1, 0, 1}) {
			t.Errorf("%s leads to the table % x", what, got)
		}
	}
}

func TestSumsAreTakenOutOfStackAddresses(t *testing.T) {
	address := func(n int64) []instr {
		return []instr{{op: opLocalGet, x: localSP}, {op: opI64ExtendI32}, {op: opI64Const, x: n}, {op: opI64Add}, {op: opI32WrapI64}}
	}
	sp := instr{op: opLocalGet, x: localSP}
	for what, c := range map[string]struct{ code, want []instr }{
		"a store": {slices.Concat(address(40), []instr{{op: opLocalGet, x: 5}, {op: opI64Store, x: 8}}), []instr{sp, {op: opLocalGet, x: 5}, {op: opI64Store, x: 48}}},
		"a copy": {slices.Concat(address(40), address(16), []instr{{op: opI64Load32U, x: 4}, {op: opI64Store}}),
			[]instr{sp, sp, {op: opI64Load32U, x: 20}, {op: opI64Store, x: 40}}},
		"an address that is kept": {slices.Concat(address(40), []instr{{op: opLocalSet, x: 5}}), []instr{sp, {op: opI32Const, x: 40}, {op: opI32Add}, {op: opLocalSet, x: 5}}},
		"below the frame":         {append(address(-8), instr{op: opI64Load32U}), append(address(-8), instr{op: opI64Load32U})},
	} {
		if got := encode(foldStackAddresses(c.code)); !bytes.Equal(got, encode(c.want)) {
			t.Errorf("%s became % x, not % x", what, got, encode(c.want))
		}
	}
}

func TestALocalIsAddedAfterTheStackPointer(t *testing.T) {
	for _, c := range [][2][]byte{
		{{1, 1, typeI32}, {2, 1, typeI32, 1, typeI64}},
		{{2, 1, typeI32, 3, typeI64}, {2, 1, typeI32, 4, typeI64}},
		{{2, 1, typeI32, 3, 0x7c}, {3, 1, typeI32, 1, typeI64, 3, 0x7c}},
		{{3, 1, typeI32, 127, typeI64, 1, 0x7d}, {3, 1, typeI32, 0x80, 1, typeI64, 1, 0x7d}},
	} {
		if got, ok := addLocal(c[0]); !ok || !bytes.Equal(got, c[1]) {
			t.Errorf("% x became % x, not % x", c[0], got, c[1])
		}
	}
}

// unpacked reads packed tables as the module's own function does.
func unpacked(p packed, n int) (records [][]uint32) {
	next := func(at *int) uint32 {
		v, size := uleb(p.bytes[*at:])
		*at += size
		return uint32(v)
	}
	sizes, codes, news := 0, p.codes, p.news
	for range n {
		records = append(records, make([]uint32, next(&sizes)))
	}
	for w := range p.words {
		var known []uint32
		last := uint32(0)
		for _, r := range records {
			if w >= len(r) {
				continue
			}
			if code := next(&codes); code > 0 {
				r[w] = known[code-1]
				continue
			}
			d := next(&news)
			last += d>>1 ^ -(d & 1)
			r[w] = last
			known = append(known, last)
		}
	}
	return records
}

func TestPackedTablesHoldWhatFunctionsHave(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	funcs := make([]function, 500)
	for i := range funcs {
		f := &funcs[i]
		for w := range f.head {
			f.head[w] = rnd.Uint32() >> rnd.IntN(32)
		}
		for range rnd.IntN(4) {
			f.pcdata = append(f.pcdata, rnd.Uint32N(5))
		}
		for range rnd.IntN(8) {
			f.funcdata = append(f.funcdata, rnd.Uint32N(5)-1)
		}
	}
	got := unpacked(pack(funcs), len(funcs))
	for i, f := range funcs {
		if want := f.words(); !slices.Equal(got[i], want) {
			t.Fatalf("function %d is %v, not %v", i, got[i], want)
		}
	}
}

func FuzzAnyFunctionIsSlimmedOrLeft(f *testing.F) {
	f.Add(append([]byte{1, 1, typeI32}, encode(chain())...))
	f.Fuzz(func(_ *testing.T, b []byte) { _, _ = slimFunction(b, 1, 1) })
}
