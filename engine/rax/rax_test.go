package rax_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"fmt"
	"math/rand"
	"os"
	"sort"
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/rax"
	"github.com/keyloupe/keyloupe/engine/release"
)

var ops = map[string]rax.Op{">": rax.GT, ">=": rax.GE, "<": rax.LT, "<=": rax.LE, "=": rax.EQ, "^": rax.First, "$": rax.Last}

// history.txt.gz holds commands and what the tree of 9.1.2 answered on jemalloc: i, t and r are
// insert, insert if absent and remove, followed by found, old value, keys, nodes, alloc_size and
// the allocator calls so far; the others are seeks with up to four steps.
func TestTheTreeAllocatesWhatTheServersTreeDoes(t *testing.T) {
	f, err := os.Open("testdata/history.txt.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	h := heap.New(release.MustParse("9.1.2"))
	r := rax.New(h)
	lines := bufio.NewScanner(z)
	for n := 1; lines.Scan(); n++ {
		cmd, want, _ := strings.Cut(lines.Text(), "|")
		var op, key string
		var v uint64
		fmt.Sscan(cmd, &op, &key, &v)
		k, _ := hex.DecodeString(strings.Trim(key, "-"))
		if got := answer(h, r, op, k, heap.Ptr(v)); !same(want, got) {
			t.Fatalf("line %d: %s: the server answers %s, here it is %s", n, cmd, want, got)
		}
		if rax.AllocSize(h, r) != h.Used() {
			t.Fatalf("line %d: alloc_size %d, heap %d", n, rax.AllocSize(h, r), h.Used())
		}
	}
	rax.Free(h, r, nil)
	if h.Used() != 0 {
		t.Errorf("%d bytes are left after Free", h.Used())
	}
}

// same compares without the number of allocator calls, the last column, which reallocations in
// place make incomparable.
func same(want, got string) bool {
	if i := strings.LastIndexByte(want, ' '); i > 0 && (want[0] == '0' || want[0] == '1') {
		want = want[:i]
	}
	return want == got
}

func answer(h *heap.Heap, r heap.Ptr, op string, k []byte, v heap.Ptr) string {
	var old heap.Ptr
	var ok bool
	switch op {
	case "i":
		old, ok = rax.Insert(h, r, k, v)
	case "t":
		old, ok = rax.TryInsert(h, r, k, v)
	case "r":
		old, ok = rax.Remove(h, r, k)
	default:
		return seek(h, r, op, k)
	}
	n := 0
	if ok {
		n = 1
	}
	return fmt.Sprintf("%d %d %d %d %d", n, old, rax.Len(h, r), rax.Nodes(h, r), rax.AllocSize(h, r))
}

func seek(h *heap.Heap, r heap.Ptr, op string, k []byte) string {
	it := rax.NewIter(h, r)
	s := op
	for ok, i := it.Seek(ops[op], k), 0; ok && i < 4; i++ {
		key := hex.EncodeToString(it.Key())
		if key == "" {
			key = "-"
		}
		s += fmt.Sprintf(" %s=%d", key, it.Value())
		switch op[0] {
		case '=':
			ok = false
		case '<', '$':
			ok = it.Prev()
		default:
			ok = it.Next()
		}
	}
	return s
}

func TestEveryReleaseAndBuildFreesWhatItAllocated(t *testing.T) {
	for _, name := range []string{"7.2.7", "8.0.1@libc", "8.1.8@distro", "9.0.0@libc", "9.1.2@managed"} {
		h := heap.New(release.MustParse(name))
		before := h.Used()
		r := rax.New(h)
		empty := h.Used()
		model := map[string]heap.Ptr{}
		rnd := rand.New(rand.NewSource(5))
		for range 4000 {
			k := make([]byte, rnd.Intn(6))
			for i := range k {
				k[i] = "abc"[rnd.Intn(3)]
			}
			v := heap.Ptr(8 * rnd.Intn(3))
			if rnd.Intn(2) == 0 {
				rax.Insert(h, r, k, v)
				model[string(k)] = v
			} else {
				old, ok := rax.Remove(h, r, k)
				if w, has := model[string(k)]; has != ok || w != old {
					t.Fatalf("%s: remove %q = %d, %v; the model says %d, %v", name, k, old, ok, w, has)
				}
				delete(model, string(k))
			}
			check(t, h, r, model)
		}
		for k := range model {
			rax.Remove(h, r, []byte(k))
		}
		if rax.Nodes(h, r) != 1 {
			t.Errorf("%s: an empty tree has %d nodes", name, rax.Nodes(h, r))
		}
		if d := h.Used() - empty; d < 0 {
			t.Errorf("%s: an emptied tree is %d smaller than a new one", name, -d)
		}
		rax.Free(h, r, nil)
		if h.Used() != before || h.Blocks() != 0 {
			t.Errorf("%s: %d bytes in %d blocks are left", name, h.Used()-before, h.Blocks())
		}
	}
}

func check(t *testing.T, h *heap.Heap, r heap.Ptr, model map[string]heap.Ptr) {
	t.Helper()
	if rax.Len(h, r) != len(model) {
		t.Fatalf("%d keys, want %d", rax.Len(h, r), len(model))
	}
	var keys []string
	for k := range model {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	it := rax.NewIter(h, r)
	i := 0
	for ok := it.Seek(rax.First, nil); ok; ok = it.Next() {
		if i == len(keys) || string(it.Key()) != keys[i] || it.Value() != model[keys[i]] {
			t.Fatalf("key %d is %q", i, it.Key())
		}
		i++
	}
	if i != len(keys) {
		t.Fatalf("%d keys seen of %d", i, len(keys))
	}
	for ok := it.Seek(rax.Last, nil); ok; ok = it.Prev() {
		i--
		if string(it.Key()) != keys[i] {
			t.Fatalf("backwards key %d is %q", i, it.Key())
		}
	}
	if i != 0 {
		t.Fatalf("%d keys not seen backwards", i)
	}
}

func TestFreeHandsOutEveryValueThatIsNotNull(t *testing.T) {
	h := heap.New(release.MustParse("9.1.2"))
	r := rax.New(h)
	for i := range 300 {
		rax.Insert(h, r, []byte{byte(i), byte(i >> 8)}, heap.Ptr(i))
	}
	sum := 0
	rax.Free(h, r, func(v heap.Ptr) { sum += int(v) })
	if sum != 299*300/2 {
		t.Errorf("the values add up to %d", sum)
	}
}

func TestALongKeyIsOneCompressedNode(t *testing.T) {
	h := heap.New(release.MustParse("9.1.2"))
	r := rax.New(h)
	key := bytes.Repeat([]byte("x"), 1<<20)
	rax.Insert(h, r, key, 8)
	if rax.Nodes(h, r) != 2 {
		t.Errorf("%d nodes", rax.Nodes(h, r))
	}
	if v, ok := rax.Find(h, r, key); !ok || v != 8 {
		t.Errorf("find: %d, %v", v, ok)
	}
	if _, ok := rax.Find(h, r, key[:1<<19]); ok {
		t.Error("a prefix was found")
	}
}
