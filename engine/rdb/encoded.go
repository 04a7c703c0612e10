package rdb

import (
	"math"

	"github.com/keyloupe/keyloupe/engine/fpconv"
	"github.com/keyloupe/keyloupe/engine/intset"
	"github.com/keyloupe/keyloupe/engine/listpack"
)

// A server that is told not to look into payloads (sanitize-dump-payload no) sees only whether the
// size in a header is right, and may fall over what is behind it later. Here what can't be read is
// refused in any case; only fields or members that come twice, and integers out of order, pass.

// listpack tells whether b is a listpack; each is as listpack.Valid has it.
func (rules *Rules) listpack(b []byte, each func(at, count int) bool) bool {
	return listpack.Valid(rules.Release, b, each)
}

// distinct tells whether b is a listpack none of whose elements, or of whose first elements of
// pairs, comes twice.
func (rules *Rules) distinct(b []byte, pairs bool) bool {
	var u unique
	var num [24]byte
	n := 0
	ok := rules.listpack(b, func(at, _ int) bool {
		first := !pairs || n%2 == 0
		n++
		return !first || !rules.Deep || u.add(listpack.Get(b, at, &num))
	})
	return ok && !(pairs && n%2 == 1)
}

// numbers tells whether the second elements of the pairs in a listpack are no NaN, where the release
// looks. (A server that did not look stops when such a set becomes a skiplist.)
func (rules *Rules) numbers(lp []byte) bool {
	for at := listpack.First(lp); at != 0 && rules.Release.LoadsRefuseNaN; {
		at = listpack.Next(lp, at)
		if text, _ := listpack.Value(lp, at); text != nil && math.IsNaN(fpconv.Strtod(rules.Release, text).V) {
			return false
		}
		at = listpack.Next(lp, at)
	}
	return true
}

// intset tells whether b is an intset; where nobody looks into it, it may be out of order.
func (rules *Rules) intset(b []byte) bool {
	if rules.Deep || len(b) < intset.Header {
		return intset.Valid(b)
	}
	w, n := uint64(le.Uint32(b)), uint64(le.Uint32(b[4:]))
	return (w == 2 || w == 4 || w == 8) && n > 0 && uint64(len(b)) == intset.Header+n*w
}

// encoded reads a value that is one string.
func (v *Value) encoded(r *Reader, rules *Rules) error {
	b, ok := r.string()
	if !ok {
		return ErrCorrupt
	}
	empty := false
	switch v.Type {
	case SetIntset:
		ok = rules.intset(b)
	case SetListpack:
		ok = rules.distinct(b, false)
		empty = ok && listpack.Len(b) == 0
	case HashListpack:
		ok = rules.distinct(b, true)
		empty = ok && listpack.Len(b) == 0
	case ZsetListpack:
		ok = rules.distinct(b, true) && rules.numbers(b)
		empty = ok && listpack.Len(b) == 0
	default:
		return v.legacy(b)
	}
	switch {
	case !ok:
		return ErrCorrupt
	case empty:
		return ErrEmpty
	}
	v.Text = b
	return nil
}

// legacy reads the encodings of releases before 7.0.
func (v *Value) legacy(b []byte) (err error) {
	ok := false
	v.Room = len(b)
	if v.Type == HashZipmap {
		v.Items, ok = zipmap(b)
	} else {
		v.Items, ok = ziplist(b)
	}
	if !ok {
		return ErrCorrupt
	}
	if v.Type != ListZiplist {
		if len(v.Items)%2 == 1 {
			return ErrCorrupt
		}
		var u unique
		for i := 0; i < len(v.Items); i += 2 {
			if !u.add(v.Items[i]) {
				return ErrCorrupt
			}
		}
	}
	if len(v.Items) == 0 {
		return ErrEmpty
	}
	return nil
}
