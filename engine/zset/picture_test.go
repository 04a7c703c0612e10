package zset

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/keyloupe/keyloupe/engine/layout"
)

func TestThePictureOfASetIsItsBlocksEachByteOnce(t *testing.T) {
	for _, server := range servers {
		for _, n := range []int{1, 5, 300} {
			ty := newType(server, 8)
			src := rand.New(rand.NewPCG(5, uint64(n)))
			s := ty.New(1, 1)
			for i := range n {
				s.Add(float64(src.IntN(50)), fmt.Append(nil, "member ", i*7%n), 0)
			}
			for i := range n / 3 {
				s.Del(fmt.Append(nil, "member ", i))
			}
			pic := &layout.Picture{}
			s.Picture(pic, "value")
			if pic.Total() != ty.H.Used() || len(pic.Blocks) != ty.H.Blocks() {
				t.Errorf("%s, %d members: %d bytes in %d blocks are drawn of %d in %d", server, n, pic.Total(), len(pic.Blocks), ty.H.Used(), ty.H.Blocks())
			}
			names := map[string]bool{}
			for _, k := range pic.Blocks {
				if names[k.Name] {
					t.Errorf("%s: two blocks are called %s", server, k.Name)
				}
				names[k.Name] = true
				covered(t, server, k)
			}
			small := &layout.Picture{Limit: 3}
			s.Picture(small, "value")
			if small.Total() != pic.Total() {
				t.Errorf("%s: a bounded picture counts %d bytes, the whole one %d", server, small.Total(), pic.Total())
			}
		}
	}
}

// covered checks that the fields cover every byte of a block once; fields of bits share theirs.
func covered(t *testing.T, server string, k *layout.Block) {
	t.Helper()
	at := 0
	for _, f := range k.Fields {
		if f.Off > at || f.Off < at && f.Bits == 0 {
			t.Errorf("%s, block %s: field %s begins at %d, want %d", server, k.Name, f.Name, f.Off, at)
			return
		}
		at = max(at, f.Off+f.Len)
	}
	if at != k.Size {
		t.Errorf("%s, block %s: %d of %d bytes are labelled", server, k.Name, at, k.Size)
	}
}
