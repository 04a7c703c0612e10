package main

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
)

// Sections that are changed (WebAssembly core specification, 5.5).
const (
	sectionType     = 1
	sectionImport   = 2
	sectionFunction = 3
	sectionStart    = 8
	sectionElement  = 9
	sectionCode     = 10
	sectionData     = 11
)

type section struct {
	id   byte
	body []byte
}

var magic = []byte("\x00asm\x01\x00\x00\x00")

// Slim returns the module made smaller, or an error where it does not know the module's make.
func Slim(module []byte) ([]byte, error) {
	m, err := read(module)
	if err != nil {
		return nil, err
	}
	for _, s := range m {
		if s.id == sectionStart {
			return nil, errors.New("the module has a start function: it has been slimmed before, or is none of Go's")
		}
	}
	data, code := m.find(sectionData), m.find(sectionCode)
	if data == nil || code == nil {
		return nil, errors.New("a module without code or data")
	}
	memory, err := readData(data.body)
	if err != nil {
		return nil, err
	}
	tables, err := find(memory)
	if err != nil {
		return nil, err
	}
	if err := tables.dropLines(); err != nil {
		return nil, err
	}
	functions, err := readFunctions(code.body)
	if err != nil {
		return nil, err
	}
	if len(functions) != len(tables.funcs) {
		return nil, fmt.Errorf("%d functions, tables of %d", len(functions), len(tables.funcs))
	}
	for i, f := range functions {
		if functions[i], err = slimFunction(f, tables.funcs[i].entry(), tables.funcs[i].deferreturn()); err != nil {
			return nil, fmt.Errorf("function %d: %w", i, err)
		}
	}
	unpack, err := tables.unpack()
	if err != nil {
		return nil, err
	}
	code.body = writeFunctions(append(functions, unpack))
	data.body = writeData(memory)
	return m.withStart(len(functions))
}

type module []section

func read(b []byte) (m module, err error) {
	if !bytes.HasPrefix(b, magic) {
		return nil, errors.New("not a WebAssembly module")
	}
	for rest := b[len(magic):]; len(rest) > 0; {
		size, n := uleb(rest[1:])
		if n <= 0 || size > uint64(len(rest)-1-n) {
			return nil, errors.New("a section is cut off")
		}
		m = append(m, section{rest[0], rest[1+n : 1+n+int(size)]})
		rest = rest[1+n+int(size):]
	}
	return m, nil
}

func (m module) find(id byte) *section {
	for i := range m {
		if m[i].id == id {
			return &m[i]
		}
	}
	return nil
}

func (m module) write() []byte {
	out := bytes.Clone(magic)
	for _, s := range m {
		out = append(out, s.id)
		out = appendUleb(out, uint64(len(s.body)))
		out = append(out, s.body...)
	}
	return out
}

// withStart writes the module. The last of its functions, after so many others, is one without parameters and results that
// runs first of all.
func (m module) withStart(others int) ([]byte, error) {
	types, functions, imports := m.find(sectionType), m.find(sectionFunction), m.find(sectionImport)
	element := slices.IndexFunc(m, func(s section) bool { return s.id == sectionElement })
	if types == nil || functions == nil || imports == nil || element < 0 {
		return nil, errors.New("a module without types, functions or a table")
	}
	imported, n := uleb(imports.body) // all of them functions
	count, n2 := uleb(types.body)
	_, n3 := uleb(functions.body)
	if n <= 0 || n2 <= 0 || n3 <= 0 {
		return nil, errors.New("a section without a count")
	}
	types.body = slices.Concat(appendUleb(nil, count+1), types.body[n2:], []byte{typeFunc, 0, 0})
	functions.body = slices.Concat(appendUleb(nil, uint64(others+1)), functions.body[n3:], appendUleb(nil, count))
	start := section{sectionStart, appendUleb(nil, imported+uint64(others))}
	return slices.Insert(m, element, start).write(), nil
}

// slimFunction makes a function's body smaller. function is its number in return addresses, deferreturn the PC_B of its
// call of deferreturn or 0.
func slimFunction(b []byte, function, deferreturn int64) ([]byte, error) {
	locals, code, err := decode(b)
	if err != nil {
		return nil, err
	}
	if f, ok := parse(code); ok {
		f.straighten()
		f.markResumed(function, deferreturn)
		for k := range f.segments {
			s := &f.segments[k]
			s.code = returnCalls(joinReturns(foldStackAddresses(s.code)))
		}
		locals, code = shortenReturnAddresses(locals, f.assemble(), function)
	}
	out := bytes.Clone(locals)
	for _, i := range code {
		out = appendInstr(out, i)
	}
	return out, nil
}

func readFunctions(b []byte) (functions [][]byte, err error) {
	count, n := uleb(b)
	for rest := b[max(n, 0):]; count > 0 && n > 0; count-- {
		var size uint64
		if size, n = uleb(rest); n <= 0 || size > uint64(len(rest)-n) {
			return nil, errTruncated
		}
		functions, rest = append(functions, rest[n:n+int(size)]), rest[n+int(size):]
	}
	return functions, nil
}

func writeFunctions(functions [][]byte) []byte {
	out := appendUleb(nil, uint64(len(functions)))
	for _, f := range functions {
		out = append(appendUleb(out, uint64(len(f))), f...)
	}
	return out
}
