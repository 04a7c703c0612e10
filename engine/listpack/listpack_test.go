package listpack

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/engine/decimal"

	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/engine/release"
)

func newHeap(t testing.TB, server string) *heap.Heap {
	t.Helper()
	r, err := release.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	return heap.New(r)
}

func elements(h *heap.Heap, p heap.Ptr) (out []string) {
	lp := Of(h, p)
	var num [24]byte
	for at := First(lp); at != 0; at = Next(lp, at) {
		out = append(out, string(Get(lp, at, &num)))
	}
	return out
}

func TestAnElementHasTheBytesOfTheServer(t *testing.T) {
	h := newHeap(t, "9.1.2")
	for _, c := range []struct{ in, want string }{
		{"0", "00 01"},
		{"127", "7f 01"},
		{"128", "c0 80 02"},
		{"-1", "df ff 02"},
		{"4095", "cf ff 02"},
		{"-4096", "d0 00 02"},
		{"4096", "f1 00 10 03"},
		{"-4097", "f1 ff ef 03"},
		{"32767", "f1 ff 7f 03"},
		{"-32768", "f1 00 80 03"},
		{"32768", "f2 00 80 00 04"},
		{"8388607", "f2 ff ff 7f 04"},
		{"-8388608", "f2 00 00 80 04"},
		{"8388608", "f3 00 00 80 00 05"},
		{"-2147483648", "f3 00 00 00 80 05"},
		{"2147483648", "f4 00 00 00 80 00 00 00 00 09"},
		{"-9223372036854775808", "f4 00 00 00 00 00 00 00 80 09"},
		{"9223372036854775807", "f4 ff ff ff ff ff ff ff 7f 09"},
		{"9223372036854775808", "93 39 32 32 33 33 37 32 30 33 36 38 35 34 37 37 35 38 30 38 14"},
		{"", "80 01"},
		{"a", "81 61 02"},
		{"01", "82 30 31 03"},
		{"-0", "82 2d 30 03"},
		{"-", "81 2d 02"},
		{"+1", "82 2b 31 03"},
	} {
		p := Append(h, New(h, 0), []byte(c.in))
		lp := Of(h, p)
		if got := fmt.Sprintf("% x", lp[header:len(lp)-1]); got != c.want {
			t.Errorf("%q: % x, want %s", c.in, lp[header:len(lp)-1], c.want)
		}
		if got := elements(h, p); len(got) != 1 || got[0] != c.in {
			t.Errorf("%q reads as %q", c.in, got)
		}
		h.Free(p)
	}
	if h.Used() != 0 {
		t.Error("blocks are left")
	}
}

func TestTheBoundariesOfTheHeadersAreThoseOfTheServer(t *testing.T) {
	h := newHeap(t, "9.1.2")
	for _, c := range []struct{ n, size int }{{63, 65}, {64, 67}, {125, 128}, {126, 130}, {4095, 4099}, {4096, 4103}, {16378, 16385}, {16379, 16387}, {1<<21 - 6, 1<<21 + 2}, {1<<21 - 5, 1<<21 + 4}} {
		s := bytes.Repeat([]byte("x"), c.n)
		if got := SizeOf(h.Rel, s); got != c.size {
			t.Errorf("%d bytes take %d, want %d", c.n, got, c.size)
		}
		p := Append(h, New(h, 0), s)
		if got := Bytes(Of(h, p)); got != Empty+c.size {
			t.Errorf("%d bytes make a listpack of %d, want %d", c.n, got, Empty+c.size)
		}
	}
}

// DUMP of a list of one element of 16378 bytes ends ... 7f ff ff in 9.1 and ... 00 ff ff ff before.
func TestUntilNineZeroABacklenAtItsBoundIsAByteLonger(t *testing.T) {
	for _, c := range []struct {
		server, tail string
	}{{"7.2.7", "78 00 ff ff ff"}, {"8.1.8", "78 00 ff ff ff"}, {"9.0.0", "78 00 ff ff ff"}, {"9.1.0", "78 7f ff ff"}} {
		h := newHeap(t, c.server)
		p := New(h, 0)
		for _, s := range []string{"before", strings.Repeat("x", 16378)} {
			p = Append(h, p, []byte(s))
		}
		lp := Of(h, p)
		n := len(strings.Fields(c.tail))
		if got := fmt.Sprintf("% x", lp[len(lp)-n:]); got != c.tail {
			t.Errorf("%s: %s, want %s", c.server, got, c.tail)
		}
		if !Valid(h.Rel, lp, nil) {
			t.Errorf("%s: invalid", c.server)
		}
		other := "9.1.2"
		if c.server >= "9.1" {
			other = "9.0.0"
		}
		if Valid(release.MustParse(other), lp, nil) {
			t.Errorf("%s takes the bytes of %s", other, c.server)
		}
		p = Append(h, p, []byte("after"))
		lp = Of(h, p)
		if at := Prev(lp, Prev(lp, Last(lp))); at != header {
			t.Errorf("%s: walking back ends at %d", c.server, at)
		}
	}
}

// model is the plain list beside a listpack, with the block it must have: oracle/fuzzmodel.py.
type model struct {
	h     *heap.Heap
	e     []string
	block int
}

func (m *model) total() int {
	n := Empty
	for _, s := range m.e {
		n += SizeOf(m.h.Rel, []byte(s))
	}
	return n
}

func (m *model) fit(was int) {
	now := m.total()
	if now > was && now > m.block || now < was {
		size := m.h.Granted(now)
		if m.h.Rel.Build.ID != release.Libc || m.block-size != 16 {
			m.block = size
		}
	}
}

func randomText(rng *rand.Rand) string {
	switch rng.IntN(4) {
	case 0:
		return strconv.FormatInt(int64(rng.Uint64())>>rng.IntN(64), 10)
	case 1:
		return strings.Repeat("y", []int{0, 1, 62, 63, 64, 65, 124, 125, 126, 127, 4094, 4095, 4096}[rng.IntN(13)])
	}
	return strings.Repeat("z", rng.IntN(40))
}

func TestRandomHistoriesGiveTheListAndTheBlockOfTheModel(t *testing.T) {
	for _, server := range []string{"7.2.7", "9.1.2", "9.0.0@libc", "8.1.8@distro"} {
		rng := rand.New(rand.NewPCG(1, 2))
		h := newHeap(t, server)
		for round := range 60 {
			p := New(h, 0)
			m := &model{h: h, block: h.Granted(Empty)}
			for step := range 200 {
				p = randomStep(h, p, m, rng)
				check(t, h, p, m, fmt.Sprint(server, round, step))
				if t.Failed() {
					return
				}
			}
			h.Free(p)
		}
		if h.Used() != 0 || h.Blocks() != 0 {
			t.Errorf("%s: %d bytes leaked", server, h.Used())
		}
	}
}

func randomStep(h *heap.Heap, p heap.Ptr, m *model, rng *rand.Rand) heap.Ptr {
	s := randomText(rng)
	was := m.total()
	insert := func(i int) { m.e = append(m.e[:i:i], append([]string{s}, m.e[i:]...)...) }
	i, n := 0, len(m.e)
	if n > 0 {
		i = rng.IntN(n)
	}
	op := rng.IntN(9)
	if n == 0 {
		op %= 2
	} else if n > 120 {
		op = 5 + op%4
	}
	at := Seek(Of(h, p), i)
	v, isInt := decimal.Parse([]byte(s))
	switch op {
	case 0:
		insert(n)
		if isInt {
			p = AppendInt(h, p, v)
		} else {
			p = Append(h, p, []byte(s))
		}
	case 1:
		insert(0)
		if isInt {
			p = PrependInt(h, p, v)
		} else {
			p = Prepend(h, p, []byte(s))
		}
	case 2:
		insert(i)
		if isInt {
			p = InsertIntBefore(h, p, at, v)
		} else {
			p = InsertBefore(h, p, at, []byte(s))
		}
	case 3:
		insert(i + 1)
		if isInt {
			p, at = InsertIntAfter(h, p, at, v)
		} else {
			p, at = InsertAfter(h, p, at, []byte(s))
		}
		if !Equal(Of(h, p), at, []byte(s)) {
			panic("InsertAfter returned another element")
		}
	case 4:
		m.e[i] = s
		if isInt {
			p = ReplaceInt(h, p, at, v)
		} else {
			p = Replace(h, p, at, []byte(s))
		}
	case 5:
		m.e = append(m.e[:i:i], m.e[i+1:]...)
		p, at = Delete(h, p, at)
		if (at == 0) != (i == n-1) {
			panic("Delete returned a wrong next")
		}
	case 6:
		k := rng.IntN(5)
		m.e = append(m.e[:i:i], m.e[min(n, i+k):]...)
		if rng.IntN(2) == 0 {
			i -= n
		}
		p = DeleteRange(h, p, i, k)
		if k > 0 {
			m.shrink()
		}
		return p
	case 7:
		var gone []int
		var rest []string
		for j, at := 0, First(Of(h, p)); at != 0; j, at = j+1, Next(Of(h, p), at) {
			if rng.IntN(8) == 0 {
				gone = append(gone, at)
			} else {
				rest = append(rest, m.e[j])
			}
		}
		m.e = rest
		p = BatchDelete(h, p, gone)
		if len(gone) > 0 {
			m.shrink()
		}
		return p
	case 8:
		a, b := New(h, 0), New(h, 0)
		for j, s := range m.e {
			if j < i {
				a = Append(h, a, []byte(s))
			} else {
				b = Append(h, b, []byte(s))
			}
		}
		was := max(Bytes(Of(h, a)), Bytes(Of(h, b)))
		m.block = h.Usable(a)
		if was > Bytes(Of(h, a)) {
			m.block = h.Usable(b)
		}
		h.Free(p)
		p = Merge(h, a, b)
		m.fit(was)
		return p
	}
	m.fit(was)
	return p
}

// shrink is lpShrinkToFit: exact when the block is larger than needed.
func (m *model) shrink() {
	if now := m.total(); now < m.block {
		m.fit(now + 1)
	}
}

func check(t *testing.T, h *heap.Heap, p heap.Ptr, m *model, what string) {
	t.Helper()
	lp := Of(h, p)
	if got := elements(h, p); strings.Join(got, ",") != strings.Join(m.e, ",") || len(got) != len(m.e) || Len(lp) != len(m.e) {
		t.Errorf("%s: elements %.200q, want %.200q", what, got, m.e)
	}
	if len(lp) != m.total() || h.Usable(p) != m.block {
		t.Errorf("%s: %d bytes in a block of %d, want %d in %d", what, len(lp), h.Usable(p), m.total(), m.block)
	}
	if !Valid(h.Rel, lp, nil) {
		t.Errorf("%s: not valid", what)
	}
	var num [24]byte
	i := len(m.e)
	for at := Last(lp); at != 0; at = Prev(lp, at) {
		i--
		if i < 0 || string(Get(lp, at, &num)) != m.e[i] || Seek(lp, i) != at || Seek(lp, i-len(m.e)) != at {
			t.Errorf("%s: element %d is wrong seen from behind", what, i)
			return
		}
	}
	if i != 0 || Seek(lp, len(m.e)) != 0 || Seek(lp, -len(m.e)-1) != 0 {
		t.Errorf("%s: ends are wrong", what)
	}
}

func TestFindComparesIntegersAndTextsAndLeavesOutTheSkipped(t *testing.T) {
	h := newHeap(t, "9.1.2")
	p := New(h, 0)
	for _, s := range []string{"a", "12", "12", "a", "", "x", "012", "y"} {
		p = Append(h, p, []byte(s))
	}
	lp := Of(h, p)
	for _, c := range []struct {
		s          string
		skip, want int
	}{{"a", 0, 0}, {"12", 0, 1}, {"12", 1, 2}, {"a", 1, 0}, {"", 1, 4}, {"", 0, 4}, {"012", 1, 6}, {"x", 1, -1}, {"y", 2, -1}, {"y", 6, 7}, {"nope", 0, -1}, {"120", 0, -1}} {
		want := 0
		if c.want >= 0 {
			want = Seek(lp, c.want)
		}
		if got := Find(lp, First(lp), []byte(c.s), c.skip); got != want {
			t.Errorf("Find(%q, skip %d) = %d, want %d", c.s, c.skip, got, want)
		}
	}
	if Find(lp, 0, []byte("a"), 0) != 0 {
		t.Error("found something in nothing")
	}
}

func TestACountThatDoesNotFitIsUnknownUntilTheElementsAreFewAgain(t *testing.T) {
	h := newHeap(t, "9.1.2")
	p := New(h, 0)
	for range 65536 {
		p = AppendInt(h, p, 1)
	}
	if c := le.Uint16(h.Bytes(p)[4:]); c != unknown || Len(Of(h, p)) != 65536 {
		t.Errorf("header count %d, Len %d", c, Len(Of(h, p)))
	}
	if at := Seek(Of(h, p), 65535); at != Last(Of(h, p)) || Seek(Of(h, p), -65536) != header || Seek(Of(h, p), 65536) != 0 {
		t.Error("Seek fails where the count is unknown")
	}
	p = DeleteRange(h, p, -3, 3)
	if c := le.Uint16(h.Bytes(p)[4:]); c != unknown {
		t.Errorf("the count became %d without counting", c)
	}
	if Len(Of(h, p)) != 65533 || le.Uint16(h.Bytes(p)[4:]) != 65533 {
		t.Error("Len does not write the count back")
	}
	if Bytes(Of(h, p)) != SizeOfInts(1, 65533) {
		t.Error("SizeOfInts is wrong")
	}
}

func TestParseIntTakesCanonicalIntegersOnly(t *testing.T) {
	for _, v := range []int64{0, 1, -1, 9, 10, math.MaxInt64, math.MinInt64, math.MaxInt64 - 1, math.MinInt64 + 1} {
		if got, ok := decimal.Parse(strconv.AppendInt(nil, v, 10)); !ok || got != v {
			t.Errorf("%d: %d %v", v, got, ok)
		}
	}
	for _, s := range []string{"", "-", "00", "01", "-0", "-01", "+1", " 1", "1 ", "1.0", "9223372036854775808", "-9223372036854775809", "18446744073709551617", "99999999999999999999", "-99999999999999999999", "0x1", "1\x00"} {
		if v, ok := decimal.Parse([]byte(s)); ok {
			t.Errorf("%q: %d", s, v)
		}
	}
}

func TestSafeToAddStopsAtOneGigabyte(t *testing.T) {
	if !SafeToAdd(1<<30-1, 1) || SafeToAdd(1<<30-1, 2) || SafeToAdd(0, 1<<30+1) {
		t.Error("the limit is not 1 GiB")
	}
}

func TestThePictureCoversEveryByteOnce(t *testing.T) {
	h := newHeap(t, "9.1.2")
	p := New(h, 100)
	for _, s := range []string{"field", "1", "", "-1", "n", "70000", strings.Repeat("v", 70), strings.Repeat("w", 5000)} {
		p = Append(h, p, []byte(s))
	}
	var pic layout.Picture
	k := Picture(&pic, h, p, "value", []string{"field", "value"}, []layout.Role{layout.Key, layout.Value})
	at := 0
	for _, f := range k.Fields {
		if f.Off != at || f.Len == 0 {
			t.Errorf("field %s at %d, want %d", f.Name, f.Off, at)
		}
		at = f.Off + f.Len
	}
	if at != k.Size || k.Used != Bytes(Of(h, p)) || !k.Plain {
		t.Errorf("covered %d of %d, used %d", at, k.Size, k.Used)
	}
}

func FuzzValid(f *testing.F) {
	h := newHeap(f, "9.1.2")
	p := New(h, 0)
	for _, s := range []string{"a", "1", "-4096", "70000", strings.Repeat("x", 200), "123456789012"} {
		p = Append(h, p, []byte(s))
	}
	f.Add(append([]byte(nil), Of(h, p)...))
	f.Add([]byte{7, 0, 0, 0, 0, 0, 255})
	f.Add([]byte{9, 0, 0, 0, 1, 0, 0, 0x81, 255}) // a backlen whose digits reach into the data
	f.Fuzz(func(t *testing.T, lp []byte) {
		for _, server := range []string{"9.0.0", "9.1.2"} {
			walk(t, server, lp)
		}
	})
}

// walk uses every reader on what Valid accepts: the same elements forwards and backwards.
func walk(t *testing.T, server string, lp []byte) {
	h := newHeap(t, server)
	visited := 0
	if !Valid(h.Rel, lp, func(at, count int) bool { visited++; return true }) {
		return
	}
	if visited > len(lp) {
		t.Fatal("more elements than bytes")
	}
	p := FromBytes(h, lp)
	var offsets []int
	for at := First(Of(h, p)); at != 0; at = Next(Of(h, p), at) {
		offsets = append(offsets, at)
	}
	var num [24]byte
	i := len(offsets)
	for at := Last(Of(h, p)); at != 0; at = Prev(Of(h, p), at) {
		i--
		if i < 0 || offsets[i] != at {
			t.Fatalf("backwards %d, forwards %v", at, offsets)
		}
		if Find(Of(h, p), at, append([]byte(nil), Get(Of(h, p), at, &num)...), 0) == 0 {
			t.Fatal("an element does not find itself")
		}
	}
	if i != 0 || len(offsets) != visited || Len(Of(h, p)) != visited {
		t.Fatal("the numbers of elements differ")
	}
	p = Append(h, Prepend(h, p, []byte("x")), []byte("1"))
	p = DeleteRange(h, p, 1, visited)
	if got := elements(h, p); fmt.Sprint(got) != "[x 1]" {
		t.Fatalf("%q", got)
	}
}

func BenchmarkAppend8KiB(b *testing.B) {
	h := newHeap(b, "9.1.2")
	s := []byte("element:000000")
	p := New(h, 0)
	for b.Loop() {
		if p = Append(h, p, s); Bytes(h.Bytes(p)) > 8000 {
			h.Free(p)
			p = New(h, 0)
		}
	}
}
