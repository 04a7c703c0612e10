package main

import "errors"

// unpack puts the tables of functions into the program's memory in packed form, and returns the body of a function without
// parameters that makes the runtime's form of them.
//
// The packed form lies at the end of the table of buckets, the values known of a word at its beginning. The buckets
// themselves, the same in each program, are filled at last, over both.
func (t *tables) unpack() ([]byte, error) {
	p, n := pack(t.funcs), len(t.funcs)
	free := len(t.buckets.bytes) - len(p.bytes)
	if free < 4*n {
		return nil, errors.New("no room for packed tables")
	}
	clear(t.functab.bytes)
	clear(t.buckets.bytes)
	copy(t.buckets.bytes[free:], p.bytes)

	const (
		codes, news = 0, 1 // addresses of what is read next
		i, entry    = 2, 3 // a function and the address of its pair in functab
		word, known = 4, 5 // which word of functions; the end of its known values
		value, last = 6, 7
		to, shift   = 8, 9
		locals      = 10
	)
	functab, dictionary := t.functab.address, t.buckets.address
	var a asm
	each := func(body func()) {
		a.let(i, 0)
		a.let(entry, functab)
		a.loop(func() {
			body()
			a.add(entry, 8)
			a.add(i, 1)
			a.get(i)
			a.num(n)
			a.do(opI32LtU)
		})
	}
	pair := func() { // number, offset
		a.get(entry)
		a.get(i)
		a.num(int(t.funcs[0].head[wordEntry]))
		a.do(opI32Add)
		a.store(opI32Store, 0)
		a.get(entry)
		a.get(to)
		a.store(opI32Store, 4)
	}

	// The pairs, from the sizes.
	a.let(codes, dictionary+free)
	a.let(to, 8*(n+1))
	each(func() {
		pair()
		a.uleb(codes, value, shift)
		a.get(value)
		a.num(2)
		a.do(opI32Shl)
		a.get(to)
		a.do(opI32Add)
		a.set(to)
	})
	pair()

	// The words of functions.
	a.let(news, dictionary+free+p.news)
	a.let(word, functab)
	a.loop(func() {
		a.let(known, dictionary)
		a.let(last, 0)
		each(func() {
			a.get(entry) // to = functab + offset + 4 * word, if it is before the next function
			a.load(opI32Load, 4)
			a.get(word)
			a.do(opI32Add)
			a.set(to)
			a.get(to)
			a.get(entry)
			a.load(opI32Load, 8+4)
			a.num(functab)
			a.do(opI32Add, opI32LtU)
			a.when(func() {
				a.uleb(codes, value, shift)
				a.get(value)
				a.when(func() {
					a.get(value) // the value with this code
					a.num(2)
					a.do(opI32Shl)
					a.load(opI32Load, dictionary-4)
					a.set(value)
				}, func() {
					a.uleb(news, value, shift)
					a.get(value) // last += value>>1 ^ -(value&1)
					a.num(1)
					a.do(opI32ShrU)
					a.num(0)
					a.get(value)
					a.num(1)
					a.do(opI32And, opI32Sub, opI32Xor)
					a.get(last)
					a.do(opI32Add)
					a.set(value)
					a.get(known)
					a.get(value)
					a.store(opI32Store, 0)
					a.add(known, 4)
					a.get(value)
					a.set(last)
				})
				a.get(to)
				a.get(value)
				a.store(opI32Store, 0)
			}, nil)
		})
		a.add(word, 4)
		a.get(word)
		a.num(functab + 4*p.words)
		a.do(opI32LtU)
	})

	// The buckets: of each function only the first is read.
	a.let(to, t.buckets.address)
	each(func() {
		a.get(to)
		a.get(i)
		a.store(opI32Store, 0)
		a.get(to)
		a.num(0)
		a.store(opI32Store8, 4)
		a.add(to, bucketStride)
	})
	return a.body(locals), nil
}
