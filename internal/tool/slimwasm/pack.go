package main

// packed is the tables of functions in the form in which they are downloaded. A function of the module's own makes the
// runtime's form of it before anything else runs (unpack.go).
//
//	sizes   for each function, the words it takes
//	codes   for each word of a _func, one after another, and for each function that has it:
//	        1 + which of the values that came in this word before, or 0 for one that has not
//	news    for each of those, the difference to the one before it in the same word (zigzag)
//
// All are unsigned LEB128. Most functions share values, or have the next one; so this is a third of the runtime's form after
// compression too.
type packed struct {
	bytes []byte
	codes int // where the codes begin
	news  int
	words int // of the largest function
}

func pack(funcs []function) (p packed) {
	records := make([][]uint32, len(funcs))
	for i, f := range funcs {
		records[i] = f.words()
		p.bytes = appendUleb(p.bytes, uint64(len(records[i])))
		p.words = max(p.words, len(records[i]))
	}
	p.codes = len(p.bytes)
	var news []byte
	for w := range p.words {
		known, last := map[uint32]int{}, uint32(0)
		for _, r := range records {
			if w >= len(r) {
				continue
			}
			code := known[r[w]]
			p.bytes = appendUleb(p.bytes, uint64(code))
			if code == 0 {
				known[r[w]] = len(known) + 1
				news = appendUleb(news, uint64(zigzag(r[w]-last)))
				last = r[w]
			}
		}
	}
	p.news = len(p.bytes)
	p.bytes = append(p.bytes, news...)
	return p
}

func zigzag(v uint32) uint32 { return v<<1 ^ uint32(int32(v)>>31) }

// words is a function as the runtime has it, without tables at the end that it has not.
func (f *function) words() []uint32 {
	pcdata, funcdata := f.pcdata, f.funcdata
	for len(pcdata) > 0 && pcdata[len(pcdata)-1] == 0 {
		pcdata = pcdata[:len(pcdata)-1]
	}
	for len(funcdata) > 0 && funcdata[len(funcdata)-1] == noFuncdata {
		funcdata = funcdata[:len(funcdata)-1]
	}
	f.head[wordNpcdata] = uint32(len(pcdata))
	f.head[wordShape] = f.head[wordShape]&(1<<shiftOfShape-1) | uint32(len(funcdata))<<shiftOfShape
	return append(append(f.head[:len(f.head):len(f.head)], pcdata...), funcdata...)
}
