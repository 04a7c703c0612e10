package hyperloglog

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/release"
	"github.com/keyloupe/keyloupe/engine/sds"
)

const usualMax = 3000 // hll-sparse-max-bytes

func TestANewOneIsEmptyAndSparse(t *testing.T) {
	h := heap.New(release.MustParse("9.1.2"))
	s := Text(h, New(h))
	if !Valid(s) || Encoding(s) != Sparse || Decode(s) != "Z:16384" || len(s) != 18 {
		t.Errorf("%q: %s", s, Decode(s))
	}
	if n, ok := Cached(s); n != 0 || !ok {
		t.Errorf("cached %d, %v", n, ok)
	}
	if n, ok := Count(s); n != 0 || !ok {
		t.Errorf("count %d, %v", n, ok)
	}
}

// The blocks in which the text grows: 7.2 records the room it asked for, later releases what the
// block has, so that they grow later. 9.1.2 is measured, 7.2.7 and 8.0.1 follow from their sources.
func TestTheTextGrowsInTheReleasesSteps(t *testing.T) {
	for server, want := range map[string]string{
		"7.2.7": "24 48 96 192 384 768 1024 1536 1792 2048 2560 3072",
		"8.0.1": "24 48 96 192 384 768 1280 1792 2560 3072",
		"9.1.2": "24 48 96 192 384 768 1280 1792 2560 3072",
	} {
		h := heap.New(release.MustParse(server))
		p := New(h)
		steps := fmt.Sprint(sds.Usable(h, p))
		for i, was := 0, sds.Usable(h, p); Encoding(Text(h, p)) == Sparse; i++ {
			p, _ = Add(h, p, fmt.Append(nil, "element ", i), usualMax)
			if now := sds.Usable(h, p); now != was && Encoding(Text(h, p)) == Sparse {
				steps += fmt.Sprint(" ", now)
				was = now
			}
		}
		if steps != want {
			t.Errorf("%s: blocks of %s, want %s", server, steps, want)
		}
	}
}

// registers reads one back as a plain array.
func registers(t *testing.T, r *release.Release, s []byte) (regs [Registers]byte) {
	t.Helper()
	if !Merge(r, &regs, s) {
		t.Fatalf("%q is corrupt", s)
	}
	return regs
}

func TestRandomRegistersAreThoseOfAPlainArray(t *testing.T) {
	for seed, server := range []string{"7.2.7", "8.0.1@libc", "8.1.8@distro", "9.0.0", "9.1.2"} {
		h := heap.New(release.MustParse(server))
		rnd := rand.New(rand.NewPCG(1, uint64(seed)))
		for round := range 40 {
			var want [Registers]byte
			p, spread := New(h), 1+rnd.IntN(Registers)
			for range 1 + rnd.IntN(400) {
				i, n := rnd.IntN(spread), byte(1+rnd.IntN(3+rnd.IntN(48)))
				var r Result
				p, r = Set(h, p, i, n, usualMax)
				if (r == Changed) != (n > want[i]) {
					t.Fatalf("%s: register %d from %d to %d: %d", server, i, want[i], n, r)
				}
				want[i] = max(want[i], n)
			}
			s := Text(h, p)
			if registers(t, h.Rel, s) != want {
				t.Fatalf("%s, round %d: the registers differ", server, round)
			}
			n, _ := Count(s)
			p, ok := ToDense(h, p)
			if m, _ := Count(Text(h, p)); !ok || m != n || m != CountRegisters(&want) || registers(t, h.Rel, Text(h, p)) != want {
				t.Fatalf("%s: sparse counts %d, dense %d", server, n, m)
			}
			sds.Free(h, p)
		}
		if h.Used() != 0 {
			t.Errorf("%s: %d bytes are left", server, h.Used())
		}
	}
}

func TestTheEstimateIsNearTheTruth(t *testing.T) {
	h := heap.New(release.MustParse("9.1.2"))
	p := New(h)
	next := 10
	for i := 1; i <= 100000; i++ {
		p, _ = Add(h, p, fmt.Append(nil, i), usualMax)
		if i == next {
			n, _ := Count(Text(h, p))
			if off := float64(n)/float64(i) - 1; off < -0.04 || off > 0.04 {
				t.Errorf("%d elements are estimated as %d", i, n)
			}
			next *= 10
		}
	}
}

func TestAValueTooManyIsCorruptSinceItsCheck(t *testing.T) {
	s := []byte("HYLL\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x80\x7f\xff\x80")
	for server, ok := range map[string]bool{"7.2.7": true, "8.1.1": true, "8.1.3": false, "9.0.0": false} {
		var regs [Registers]byte
		if Merge(release.MustParse(server), &regs, s) != ok {
			t.Errorf("%s: merges it: %v", server, !ok)
		}
		if _, counted := Count(s); counted {
			t.Errorf("%s: counts it", server)
		}
	}
}

func TestRegistersFullOfTheirMostAreCountedAsTheServersConversionHasIt(t *testing.T) {
	var regs [Registers]byte
	for i := range regs {
		regs[i] = hashBits + 1
	}
	if n := CountRegisters(&regs); n != 1<<63 {
		t.Errorf("%d", n)
	}
}

func FuzzCorruptStrings(f *testing.F) {
	f.Add([]byte("\x7f\xff"), uint16(5), byte(3))
	f.Add([]byte("\x7f"), uint16(16383), byte(40))
	f.Add([]byte("\x80\x80\x3f"), uint16(1), byte(9))
	f.Fuzz(func(t *testing.T, runs []byte, index uint16, count byte) {
		for _, server := range []string{"7.2.7", "9.1.2"} {
			h := heap.New(release.MustParse(server))
			s := append([]byte("HYLL\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x80"), runs...)
			p := sds.NewAs(h, max(sds.T8, sds.NewType(h.Rel, len(s))), s)
			p, _ = Set(h, p, int(index)%Registers, count%64, usualMax)
			s = Text(h, p)
			Count(s)
			if Encoding(s) == Sparse {
				Decode(s)
			}
			var regs [Registers]byte
			Merge(h.Rel, &regs, s)
			p, _ = ToDense(h, p)
			sds.Free(h, p)
			if h.Used() != 0 {
				t.Errorf("%d bytes are left", h.Used())
			}
		}
	})
}
