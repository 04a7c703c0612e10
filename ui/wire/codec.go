package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
)

// The page and its engine are one program, so a message needs no names and no versions: it is the exported fields of a
// struct in their order. encoding/json would cost a tenth of the page's download and three times the time.
//
//	bool, uint  uvarint        string, []byte  length, bytes      struct   its fields
//	int         zigzag varint  slice           length, elements   pointer  0, or 1 and what it points to
//	float       8 bytes        a nil slice has the length 0 of an empty one

// Fingerprint tells apart programs whose messages differ: it is made of the names and types of all that a message holds. A
// page that was loaded from one program asks another when the first was replaced under it.
func Fingerprint() string {
	h := fnvOffset
	for _, t := range []reflect.Type{reflect.TypeFor[Request](), reflect.TypeFor[Response]()} {
		h = fingerprint(h, t)
	}
	return strconv.FormatUint(h, 36)
}

// Of the hash function FNV-1a, 64 bits.
const (
	fnvOffset uint64 = 14695981039346656037
	fnvPrime  uint64 = 1099511628211
)

func fingerprint(h uint64, t reflect.Type) uint64 {
	h = (h ^ uint64(t.Kind())) * fnvPrime
	switch t.Kind() {
	case reflect.Slice, reflect.Pointer:
		h = fingerprint(h, t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			for _, c := range []byte(f.Name) {
				h = (h ^ uint64(c)) * fnvPrime
			}
			h = fingerprint(h, f.Type)
		}
	}
	return h
}

// Marshal writes a message.
func Marshal(v any) []byte { return appendValue(nil, reflect.ValueOf(v)) }

// Unmarshal reads what Marshal wrote of the same type into the struct that v points to.
func Unmarshal(data []byte, v any) (err error) {
	defer func() {
		if p := recover(); p != nil {
			if err, _ = p.(decodeError); err == nil {
				panic(p)
			}
		}
	}()
	d := decoder{data}
	d.value(reflect.ValueOf(v).Elem())
	if len(d.b) > 0 {
		return decodeError{errors.New("wire: bytes are left over")}
	}
	return nil
}

func appendValue(b []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return append(b, 1)
		}
		return append(b, 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return binary.AppendVarint(b, v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return binary.AppendUvarint(b, v.Uint())
	case reflect.Float64:
		return binary.LittleEndian.AppendUint64(b, math.Float64bits(v.Float()))
	case reflect.String:
		return append(binary.AppendUvarint(b, uint64(v.Len())), v.String()...)
	case reflect.Slice:
		b = binary.AppendUvarint(b, uint64(v.Len()))
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return append(b, v.Bytes()...)
		}
		for i := range v.Len() {
			b = appendValue(b, v.Index(i))
		}
		return b
	case reflect.Pointer:
		if v.IsNil() {
			return append(b, 0)
		}
		return appendValue(append(b, 1), v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			b = appendValue(b, v.Field(i))
		}
		return b
	}
	panic(fmt.Sprintf("wire: a message cannot hold a %s", v.Type()))
}

type decodeError struct{ error }

type decoder struct{ b []byte }

func (d *decoder) fail() { panic(decodeError{errors.New("wire: message is cut off or damaged")}) }

func (d *decoder) uint() uint64 {
	v, n := binary.Uvarint(d.b)
	if n <= 0 {
		d.fail()
	}
	d.b = d.b[n:]
	return v
}

// take is the next n bytes; they alias the message.
func (d *decoder) take(n uint64) []byte {
	if n > uint64(len(d.b)) {
		d.fail()
	}
	out := d.b[:n:n]
	d.b = d.b[n:]
	return out
}

func (d *decoder) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(d.uint() != 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		n, size := binary.Varint(d.b)
		if size <= 0 {
			d.fail()
		}
		d.b = d.b[size:]
		v.SetInt(n)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(d.uint())
	case reflect.Float64:
		v.SetFloat(math.Float64frombits(binary.LittleEndian.Uint64(d.take(8))))
	case reflect.String:
		v.SetString(string(d.take(d.uint())))
	case reflect.Slice:
		d.slice(v)
	case reflect.Pointer:
		if d.uint() != 0 {
			v.Set(reflect.New(v.Type().Elem()))
			d.value(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			d.value(v.Field(i))
		}
	default:
		panic(fmt.Sprintf("wire: a message cannot hold a %s", v.Type()))
	}
}

func (d *decoder) slice(v reflect.Value) {
	n, least := d.uint(), 1
	if e := v.Type().Elem(); e.Kind() == reflect.Struct {
		least = max(1, e.NumField()) // each takes a byte at least
	}
	if n > uint64(len(d.b)/least) {
		d.fail()
	}
	if n == 0 {
		return
	}
	if v.Type().Elem().Kind() == reflect.Uint8 {
		v.SetBytes(append([]byte(nil), d.take(n)...))
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), int(n), int(n)))
	for i := range int(n) {
		d.value(v.Index(i))
	}
}
