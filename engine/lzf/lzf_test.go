package lzf

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

const gain = 4 // bytes that a text must lose

func TestCompressedTextsRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var z Compressor
	kept := 0
	for range 3000 {
		b := make([]byte, r.IntN(3000))
		letters := 1 + r.IntN(1+r.IntN(255))
		for i := range b {
			if i > 10 && r.IntN(3) == 0 {
				b[i] = b[i-1-r.IntN(10)]
			} else {
				b[i] = byte(r.IntN(letters))
			}
		}
		c := z.Compress(nil, b, len(b)-gain)
		if c == nil {
			continue
		}
		kept++
		if fresh := new(Compressor).Compress(nil, b, len(b)-gain); !bytes.Equal(c, fresh) {
			t.Fatalf("%q is compressed otherwise after other texts", b)
		}
		if len(c) > len(b)-gain {
			t.Fatalf("%d bytes became %d", len(b), len(c))
		}
		if out, ok := Decompress(c, len(b)); !ok || !bytes.Equal(out, b) {
			t.Fatalf("%q comes back as %q", b, out)
		}
	}
	if kept < 500 {
		t.Errorf("only %d texts became shorter", kept)
	}
}
