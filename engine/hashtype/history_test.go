package hashtype_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/keyloupe/keyloupe/engine/hashtype"
	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/engine/object"
)

var servers = []string{"7.2.7", "8.0.1", "8.1.1", "8.1.8", "9.0.0", "9.1.2", "7.2.7@libc", "8.1.8@distro", "9.0.0@libc", "9.1.2@distro", "9.1.2@managed"}

type fieldState struct {
	value string
	at    int64
}

// TestRandomHistoriesKeepWhatWasSetAndCountEveryByte compares hashes with a map, their picture and
// what MEMORY USAGE counts with the heap.
func TestRandomHistoriesKeepWhatWasSetAndCountEveryByte(t *testing.T) {
	for _, server := range servers {
		r := rand.New(rand.NewPCG(11, 13))
		for round := range 6 {
			k := kind(t, server)
			x, model := k.New(), map[string]fieldState{}
			fields := []int{6, 40, 900}[round%3]
			for step := range 40 + 2*fields {
				id := fmt.Sprintf("%s, history %d, step %d", server, round, step)
				change(t, id, r, k, &x, model, fields)
				if step%(3+fields/3) == 0 {
					check(t, id, k, &x, model)
				}
			}
			check(t, server, k, &x, model)
			y := x.Dup()
			same(t, server+", copy", &y, model)
			y.Free()
			for f := range model {
				if !x.Delete([]byte(f)) {
					t.Fatalf("%s: %q can't be deleted", server, f)
				}
			}
			if x.Len() != 0 {
				t.Fatalf("%s: %d fields are left", server, x.Len())
			}
			x.Free()
			if k.H.Used() != 0 || k.H.Blocks() != 0 {
				t.Fatalf("%s: %d bytes in %d blocks are left", server, k.H.Used(), k.H.Blocks())
			}
		}
	}
}

func change(t *testing.T, id string, r *rand.Rand, k *hashtype.Kind, x *hashtype.Hash, model map[string]fieldState, fields int) {
	t.Helper()
	f := fmt.Sprint("field", r.IntN(fields))
	if r.IntN(20) == 0 {
		f = string(bytes.Repeat([]byte{'f'}, r.IntN(300)))
	}
	was, there := model[f]
	v := string(bytes.Repeat([]byte{byte('a' + r.IntN(26))}, r.IntN(70)))
	if r.IntN(10) == 0 {
		v = string(bytes.Repeat([]byte{'v'}, r.IntN(600)))
	}
	op := r.IntN(10)
	if !k.H.Rel.FieldTTL && op > 6 {
		op = 0
	}
	at := *k.Now + 1 + r.Int64N(1<<20)
	switch {
	case op < 5:
		if res := x.Set([]byte(f), []byte(v), hashtype.NoExpire, false); (res == hashtype.There) != there {
			t.Fatalf("%s: Set %q: %v", id, f, res)
		}
		model[f] = fieldState{v, hashtype.NoExpire}
	case op < 7:
		if x.Delete([]byte(f)) != there {
			t.Fatalf("%s: Delete %q", id, f)
		}
		delete(model, f)
	case op == 7:
		x.Set([]byte(f), []byte(v), at, false)
		model[f] = fieldState{v, at}
	case op == 8:
		if res := x.SetExpire([]byte(f), at, 0); (res == hashtype.Done) != there {
			t.Fatalf("%s: SetExpire %q: %d", id, f, res)
		}
		if there {
			model[f] = fieldState{was.value, at}
		}
	default:
		if res := x.Persist([]byte(f)); (res == hashtype.Done) != (there && was.at != hashtype.NoExpire) {
			t.Fatalf("%s: Persist %q: %d", id, f, res)
		}
		if there {
			model[f] = fieldState{was.value, hashtype.NoExpire}
		}
	}
}

func check(t *testing.T, id string, k *hashtype.Kind, x *hashtype.Hash, model map[string]fieldState) {
	t.Helper()
	same(t, id, x, model)
	var pic layout.Picture
	x.Picture(&pic, "value")
	if pic.Total() != k.H.Used() {
		t.Fatalf("%s: the blocks have %d bytes, the heap %d", id, pic.Total(), k.H.Used())
	}
	u := x.Usage(0, 0)
	// What MEMORY USAGE leaves out: classes of the table's struct and, on glibc, of its buckets; the
	// first block of a set of volatile fields, which tells what was asked for.
	if left := k.H.Used() - u; left < 0 || left > 16+k.H.Used()/10 {
		t.Fatalf("%s: usage %d, heap %d", id, u, k.H.Used())
	}
	volatile := 0
	for _, s := range model {
		if s.at != hashtype.NoExpire {
			volatile++
		}
	}
	if x.HasVolatile() != (volatile > 0) {
		t.Fatalf("%s: HasVolatile with %d fields that expire", id, volatile)
	}
	if volatile > 0 {
		set := x.Volatile()
		if set.Len() != volatile {
			t.Fatalf("%s: the set has %d fields of %d", id, set.Len(), volatile)
		}
	}
}

// same compares the hash with the model, by a walk, by a scan and by looks.
func same(t *testing.T, id string, x *hashtype.Hash, model map[string]fieldState) {
	t.Helper()
	if x.Len() != len(model) {
		t.Fatalf("%s: %d fields, expected %d", id, x.Len(), len(model))
	}
	seen := 0
	x.Each(func(f, v []byte, at int64) bool {
		seen++
		if want, ok := model[string(f)]; !ok || want != (fieldState{string(v), at}) {
			t.Fatalf("%s: %q is %.20q, %d; expected %v", id, f, v, at, want)
		}
		return true
	})
	scanned := map[string]bool{}
	for cursor := uint64(0); ; {
		if cursor = x.Scan(cursor, func(f, _ []byte) { scanned[string(f)] = true }); cursor == 0 {
			break
		}
	}
	if seen != len(model) || len(scanned) != len(model) {
		t.Fatalf("%s: %d fields seen, %d scanned of %d", id, seen, len(scanned), len(model))
	}
	for f, want := range model {
		if v, at, ok := x.Get([]byte(f)); !ok || want != (fieldState{string(v), at}) {
			t.Fatalf("%s: %q is %.20q, %d, %v; expected %v", id, f, v, at, ok, want)
		}
	}
}

func TestFieldsWhoseTimeHasComeAreHiddenCountedAndTaken(t *testing.T) {
	k := kind(t, "9.1.2")
	x := k.New()
	for i := range 500 {
		x.Set(fmt.Append(nil, "f", i), []byte("v"), *k.Now+int64(i), false)
	}
	*k.Now += 250 // the field that expires in this very millisecond is still seen
	if _, _, ok := x.Get([]byte("f250")); !ok {
		t.Error("a field is hidden in its last millisecond")
	}
	if _, _, ok := x.Get([]byte("f249")); ok {
		t.Error("a field is seen after its time")
	}
	seen := 0
	x.Each(func(_, _ []byte, _ int64) bool { seen++; return true })
	if x.Len() != 500 || seen != 250 {
		t.Errorf("%d fields counted, %d seen", x.Len(), seen)
	}
	if x.Delete([]byte("f3")) || !x.DeleteAny([]byte("f3")) {
		t.Error("Delete must not find a hidden field, DeleteAny must")
	}
	if res := x.Set([]byte("f4"), []byte("w"), hashtype.NoExpire, true); res != hashtype.Expired {
		t.Errorf("overwriting a hidden field: %v", res)
	}
	y := x.Dup()
	if y.Len() != 251 {
		t.Errorf("the copy has %d fields", y.Len())
	}
	gone := 0
	for n := 1; n > 0; gone += n { // those in windows of time that have ended
		n = x.DeleteExpired(*k.Now, 80, func([]byte) {})
	}
	if gone < 100 || gone > 249 || x.Len() != 499-gone {
		t.Errorf("%d fields taken, %d are left", gone, x.Len())
	}
	x.Free()
	y.Free()
	if k.H.Used() != 0 {
		t.Errorf("%d bytes are left", k.H.Used())
	}
}

func TestTheLastTimesThatCanBeToldDoNotBreakTheSet(t *testing.T) {
	for _, server := range []string{"9.0.0", "9.1.1", "9.1.2"} {
		k := kind(t, server)
		x := k.New()
		for i := range 400 {
			x.Set(fmt.Append(nil, "f", i), nil, math.MaxInt64-int64(i%200)*50, false)
		}
		if x.Len() != 400 {
			t.Errorf("%s: %d fields", server, x.Len())
		}
		for i := range 400 {
			if !x.Delete(fmt.Append(nil, "f", i)) {
				t.Fatalf("%s: field %d is gone", server, i)
			}
		}
		x.Free()
		if k.H.Used() != 0 {
			t.Errorf("%s: %d bytes are left", server, k.H.Used())
		}
	}
}

func TestAListpackBecomesATableByTheLimitsAndStaysOne(t *testing.T) {
	for _, server := range servers {
		k := kind(t, server)
		k.MaxEntries, k.MaxValue = 4, 10
		for name, fill := range map[string]func(x *hashtype.Hash){
			"a long value": func(x *hashtype.Hash) { x.Set([]byte("f"), make([]byte, 11), hashtype.NoExpire, false) },
			"a long field": func(x *hashtype.Hash) { x.Set(make([]byte, 11), nil, hashtype.NoExpire, false) },
			"many fields": func(x *hashtype.Hash) {
				for i := range 5 {
					x.Set(fmt.Append(nil, i), nil, hashtype.NoExpire, false)
				}
			},
			"many pairs at once": func(x *hashtype.Hash) {
				x.Prepare(make([][]byte, 10))
				x.Set([]byte("f"), nil, hashtype.NoExpire, false)
			},
		} {
			x := k.New()
			x.Set([]byte("f"), make([]byte, 10), hashtype.NoExpire, false)
			if x.Enc != object.Listpack {
				t.Fatalf("%s: within the limits: %v", server, x.Enc)
			}
			if fill(&x); x.Enc != object.Table {
				t.Errorf("%s: %s left a %v", server, name, x.Enc)
			}
			for x.Len() > 1 {
				var f []byte
				x.Each(func(field, _ []byte, _ int64) bool { f = bytes.Clone(field); return false })
				x.Delete(f)
			}
			if x.Enc != object.Table {
				t.Errorf("%s: %s: it became a %v again", server, name, x.Enc)
			}
			x.Free()
		}
	}
}
