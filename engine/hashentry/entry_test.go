package hashentry_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/engine/hashentry"
	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/engine/release"
)

// servers have entries; the last three are other builds.
var servers = []string{"8.1.0", "8.1.8", "9.0.0", "9.1.2", "8.1.8@libc", "9.0.0@distro", "9.1.2@libc", "9.1.2@managed"}

func text(n int) []byte { return bytes.Repeat([]byte("x"), n) }

// block is the bytes of an entry's block, pointers to values zeroed.
func block(h *heap.Heap, e heap.Ptr) string {
	var pic layout.Picture
	hashentry.Picture(&pic, h, e, "entry")
	b := append([]byte(nil), pic.Blocks[0].Bytes...)
	for _, f := range pic.Blocks[0].Fields {
		if f.Target != "" {
			clear(b[f.Off : f.Off+f.Len])
		}
	}
	return hex.EncodeToString(b)
}

func TestAnEntryHasItsPartsInTheServersOrder(t *testing.T) {
	far := int64(0x0102030405060708)
	long := strings.Repeat("v", 130)
	for _, c := range []struct {
		server, field, value string
		at                   int64
		want                 string
	}{
		{"8.1.8", "f", "v", hashentry.NoExpire, "08" + "6600" + "010101" + "7600"},            // type 5, then a value of type 8 with 3 bytes of room
		{"9.1.2", "f", "v", hashentry.NoExpire, "08" + "6600" + "010101" + "7600"},            // the same
		{"8.1.8", "f", long, hashentry.NoExpire, strings.Repeat("00", 8) + "010109" + "6600"}, // bit 0 of the flags: a value pointer
		{"9.1.2", "f", long, hashentry.NoExpire, strings.Repeat("00", 8) + "010111" + "6600"}, // bit 1
		{"9.1.2", "f", "v", far, "0807060504030201" + "010109" + "6600" + "010701" + "7600"},  // bit 0: an expiry
		{"9.1.2", "f", long, far, "0807060504030201" + strings.Repeat("00", 8) + "010119" + "6600"},
	} {
		h := heap.New(release.MustParse(c.server))
		e := hashentry.New(h, []byte(c.field), []byte(c.value), c.at)
		got := block(h, e)
		// the value's alloc depends on the class of the block
		if got != c.want {
			t.Errorf("%s %s %.3s %d:\n got %s\nwant %s", c.server, c.field, c.value, c.at, got, c.want)
		}
	}
}

// TestAValueReturnsIntoItsEntry is row 20 of the experiments on real releases: field of 10 bytes,
// value of 200, 112, 111, 110 bytes; 8.1 joins at 110, 9.x at 112.
func TestAValueReturnsIntoItsEntry(t *testing.T) {
	for _, c := range []struct {
		server   string
		embedded []bool
	}{{"8.1.8", []bool{false, false, false, true}}, {"9.0.0", []bool{false, true, true, true}}, {"9.1.2", []bool{false, true, true, true}}} {
		h := heap.New(release.MustParse(c.server))
		e := hashentry.New(h, text(10), text(1), hashentry.NoExpire)
		for i, n := range []int{200, 112, 111, 110} {
			e = hashentry.SetValue(h, e, text(n), hashentry.NoExpire)
			if hashentry.Embedded(h, e) != c.embedded[i] {
				t.Errorf("%s, value of %d bytes: embedded %v", c.server, n, !c.embedded[i])
			}
		}
	}
}

func TestABlockIsKeptWhileThreeQuartersOfItAreUsed(t *testing.T) {
	h := heap.New(release.MustParse("9.1.2"))
	e := hashentry.New(h, text(8), text(50), hashentry.NoExpire) // 10 + 54 = 64 bytes
	for _, c := range []struct {
		value int
		kept  bool
	}{{34, true}, {50, true}, {33, false}, {50, false}, {51, false}, {52, true}} {
		was := e
		e = hashentry.SetValue(h, e, text(c.value), hashentry.NoExpire)
		if (e == was) != c.kept {
			t.Errorf("value of %d bytes: kept %v", c.value, e == was)
		}
	}
}

func TestAnExpiryIsWrittenInPlaceAndItsComingAndGoingRebuilds(t *testing.T) {
	h := heap.New(release.MustParse("9.1.2"))
	for _, n := range []int{3, 120, 300} {
		e := hashentry.New(h, text(10), text(n), hashentry.NoExpire)
		a := hashentry.SetExpire(h, e, 5)
		b := hashentry.SetExpire(h, a, 7)
		c := hashentry.SetExpire(h, b, hashentry.NoExpire)
		if a == e || b != a || c == b {
			t.Errorf("value of %d bytes: first expiry moved %v, second %v, none %v", n, a != e, b != a, c != b)
		}
		if hashentry.Expire(h, c) != hashentry.NoExpire || !bytes.Equal(hashentry.Value(h, c), text(n)) {
			t.Errorf("value of %d bytes: expiry %d, value %.9q", n, hashentry.Expire(h, c), hashentry.Value(h, c))
		}
		hashentry.Free(h, c)
	}
	if h.Used() != 0 {
		t.Errorf("%d bytes are left", h.Used())
	}
}

func TestRandomHistoriesKeepWhatWasSetAndCountEveryByte(t *testing.T) {
	lens := []int{0, 1, 5, 10, 30, 31, 32, 60, 100, 110, 111, 112, 118, 120, 122, 123, 124, 130, 251, 252, 253, 256, 300, 5000}
	for _, server := range servers {
		rel := release.MustParse(server)
		h, r := heap.New(rel), rand.New(rand.NewPCG(7, 7))
		for range 300 {
			field := text(lens[r.IntN(len(lens)-1)])
			value, at := text(lens[r.IntN(len(lens))]), hashentry.NoExpire
			e := hashentry.New(h, field, value, at)
			if want := hashentry.Size(rel, len(field), len(value), false); h.Used() != want {
				t.Fatalf("%s: a fresh entry %d + %d takes %d, Size says %d", server, len(field), len(value), h.Used(), want)
			}
			for range 12 {
				if rel.FieldTTL && r.IntN(2) == 0 {
					at = []int64{hashentry.NoExpire, r.Int64N(1 << 40)}[r.IntN(2)]
				}
				if r.IntN(3) == 0 {
					e = hashentry.SetExpire(h, e, at)
				} else {
					value = bytes.Repeat([]byte{byte('a' + r.IntN(26))}, lens[r.IntN(len(lens))])
					e = hashentry.SetValue(h, e, value, at)
				}
				if e&1 == 0 {
					t.Fatalf("%s: an entry at the even address %#x", server, uint64(e))
				}
				state := fmt.Sprintf("%s, field %d, value %d, expiry %d", server, len(field), len(value), at)
				if !bytes.Equal(hashentry.Field(h, e), field) || !bytes.Equal(hashentry.Value(h, e), value) || hashentry.Expire(h, e) != at {
					t.Fatalf("%s: it holds %.20q, %.20q, %d", state, hashentry.Field(h, e), hashentry.Value(h, e), hashentry.Expire(h, e))
				}
				checkPicture(t, state, h, e)
			}
			hashentry.Free(h, e)
			if h.Used() != 0 || h.Blocks() != 0 {
				t.Fatalf("%s: %d bytes are left after Free", server, h.Used())
			}
		}
	}
}

// checkPicture tests that the blocks are all that the heap has, and that fields cover every byte once.
func checkPicture(t *testing.T, state string, h *heap.Heap, e heap.Ptr) {
	t.Helper()
	var pic layout.Picture
	hashentry.Picture(&pic, h, e, "entry")
	if pic.Total() != h.Used() || hashentry.MemUsage(h, e) != h.Used() {
		t.Fatalf("%s: picture %d, usage %d, heap %d", state, pic.Total(), hashentry.MemUsage(h, e), h.Used())
	}
	for _, b := range pic.Blocks {
		at := 0
		for _, f := range b.Fields {
			if f.Bits > 0 && f.Bit > 0 {
				continue // shares its byte with the bit field before
			}
			if f.Off != at {
				t.Fatalf("%s: %s: field %s begins at %d, expected %d", state, b.Name, f.Name, f.Off, at)
			}
			at += f.Len
		}
		if at != b.Size {
			t.Fatalf("%s: %s: fields end at %d of %d", state, b.Name, at, b.Size)
		}
	}
}
