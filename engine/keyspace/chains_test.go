package keyspace

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/engine/object"
	"github.com/keyloupe/keyloupe/engine/release"
	"github.com/keyloupe/keyloupe/engine/sds"
	"github.com/keyloupe/keyloupe/engine/siphash"
)

const far = 4102444800000

func newSpace(t testing.TB, server string) *Space {
	seed, err := siphash.ParseSeed("f375180aba92888401f1919be4a8715a")
	if err != nil {
		t.Fatal(err)
	}
	h := heap.New(release.MustParse(server))
	s := NewSpace(h, 16, seed, seed)
	s.FreeFn[object.String] = func(_ object.Encoding, p heap.Ptr) { sds.Free(h, p) }
	return s
}

func settle(d *DB) {
	for d.Fit() || d.RehashSteps(100) {
	}
}

// Rows of golden/bulk: keys key:%012d, values of v, with ttl also an expiry.
func TestPopulationsOfDictsCostWhatRealServersTake(t *testing.T) {
	for _, c := range []struct {
		server             string
		n, vallen          int
		ttl                bool
		delta              int
		main, expires, lut int
		slots              int
	}{
		{"7.2.7", 1, 16, false, 120, 72, 0, 0, 4},
		{"7.2.7", 1, 16, true, 176, 72, 56, 0, 4},
		{"7.2.7", 1, 98, false, 208, 72, 0, 0, 4},
		{"8.0.1", 20000, 0, false, 1542224, 1062320, 104, 262144, 32768},
		{"8.0.1", 20000, 0, true, 2284448, 1062320, 742320, 524288, 32768},
		{"8.0.1", 20000, 16, false, 1862224, 1062320, 104, 262144, 32768},
	} {
		s := newSpace(t, c.server)
		d, before := s.DB(0), s.H.Used()
		for i := range c.n {
			key := fmt.Appendf(nil, "key:%012d", i)
			d.SetKey(key, s.Encoded(bytes.Repeat([]byte("v"), c.vallen)))
			if c.ttl {
				d.SetExpire(key, far)
			}
		}
		settle(d)
		name := fmt.Sprintf("%s, %d keys, values of %d, ttl %v", c.server, c.n, c.vallen, c.ttl)
		if got := s.H.Used() - before; got != c.delta {
			t.Errorf("%s: %d bytes, the server took %d", name, got, c.delta)
		}
		o := d.Overhead()
		if c.server == "7.2.7" {
			o.Lut = 0 // not told before 8.0
		}
		if o.Main != c.main || o.Expires != c.expires || o.Lut != c.lut {
			t.Errorf("%s: overhead %+v", name, o)
		}
	}
}

func TestTheKeyOfAnEntryOf80HasItsArgumentsHeader(t *testing.T) {
	for _, c := range []struct {
		klen    int
		loading bool
		usage   int
	}{{16, false, 40}, {16, true, 40}, {12, false, 40}, {12, true, 32}, {31, true, 56}, {31, false, 56}, {44, false, 80}, {45, false, 80}, {128, false, 160}} {
		s := newSpace(t, "8.0.1")
		s.Loading = c.loading
		key := bytes.Repeat([]byte("k"), c.klen)
		s.DB(0).SetKey(key, s.Encoded([]byte("v")))
		if got := s.DB(0).EntrySize(key); got != c.usage {
			t.Errorf("key of %d bytes, loading %v: entry of %d bytes, want %d", c.klen, c.loading, got, c.usage)
		}
	}
}

func TestSmallIntegersShareAnObjectThatCostsNothing(t *testing.T) {
	for _, server := range []string{"7.2.7", "8.0.1"} {
		s := newSpace(t, server)
		d := s.DB(0)
		d.SetKey([]byte("a"), Integer(9999))
		d.SetKey([]byte("b"), Integer(9999))
		d.SetKey([]byte("c"), Integer(10000))
		if d.Peek([]byte("a")) != d.Peek([]byte("b")) || object.IsShared(s.R, s.H.Bytes(d.Peek([]byte("c")))) {
			t.Errorf("%s: objects at %#x, %#x", server, d.Peek([]byte("a")), d.Peek([]byte("b")))
		}
		before := s.H.Used()
		d.Replace([]byte("a"), s.Dup(d.Peek([]byte("b"))))
		if got := s.H.Used() - before; got != 16 {
			t.Errorf("%s: a copy costs %d bytes, it has an object of its own", server, got)
		}
		v, _ := d.Remove([]byte("a"))
		d.Add([]byte("moved"), v)
		if p := d.Peek([]byte("moved")); object.IsShared(s.R, s.H.Bytes(p)) {
			t.Errorf("%s: renamed, it became shared", server)
		}
	}
}

func TestEveryBlockOfADictKeyspaceIsInAPictureOrATable(t *testing.T) {
	for _, server := range []string{"7.2.7", "8.0.1", "8.0.1@libc", "7.2.7@distro"} {
		for seed := range uint64(4) {
			s := newSpace(t, server)
			d, r := s.DB(0), rand.New(rand.NewPCG(seed, 3))
			for range 600 {
				key := fmt.Appendf(nil, "k%0*d", r.IntN(60), r.IntN(40))
				switch r.IntN(5) {
				case 0:
					d.Delete(key)
				case 1:
					if d.Exists(key) {
						d.SetExpire(key, far)
					}
				default:
					d.SetKey(key, s.Encoded(bytes.Repeat([]byte{'7'}, r.IntN(60))))
				}
			}
			checkPictures(t, fmt.Sprint(server, " seed ", seed), s, d)
			before := d.Len()
			if d.Flush(true) != before || d.Len() != 0 || d.Expires() != 0 {
				t.Errorf("%s: flush left %d keys", server, d.Len())
			}
		}
	}
}

// checkPictures adds up the blocks of all keys' pictures and holds the entries against MEMORY USAGE.
func checkPictures(t *testing.T, name string, s *Space, d *DB) {
	total, tables := 0, 0
	d.Each(func(key []byte, p heap.Ptr) bool {
		var entry, whole layout.Picture
		d.EntryPicture(&entry, key)
		slack := 0
		if s.R.KeyTable == release.DictWithKeyPointer { // counted by sizeof
			slack = s.H.Granted(24) - 24
		}
		if got := d.EntrySize(key); got != entry.Total()-slack {
			t.Fatalf("%s: entry of %q is %d bytes, drawn as %d", name, key, got, entry.Total())
		}
		d.ExpiryPicture(&whole, key)
		if (len(whole.Blocks) == 1) != (d.Expire(key, p) == far) {
			t.Errorf("%s: %q has %d expires entries", name, key, len(whole.Blocks))
		}
		total += entry.Total() + whole.Total()
		if b := s.H.Bytes(p); !object.IsShared(s.R, b) {
			total += len(b)
			if object.EncodingOf(b) == object.Raw {
				total += sds.Usable(s.H, heap.Ptr(object.Val(b)))
			}
		}
		return true
	})
	for _, db := range s.dbs {
		c := db.store.(*chains)
		for _, k := range []*chain{&c.keys, &c.exp} {
			if k.ok {
				tables += s.H.Usable(k.d.P)
				for i := range 2 {
					if n := k.d.Size(i); n > 0 {
						tables += s.H.Granted(8 * n)
					}
				}
				if k.d.Rehashing() && k.typ.Metadata > 0 {
					tables += s.H.Granted(listNode)
				}
			}
		}
	}
	if total+tables != s.H.Used() {
		t.Errorf("%s: keys %d + tables %d, the heap has %d", name, total, tables, s.H.Used())
	}
}

func BenchmarkSetAMillionKeys(b *testing.B) {
	for _, server := range []string{"7.2.7", "8.0.1", "9.1.2"} {
		b.Run(server, func(b *testing.B) {
			for range b.N {
				s := newSpace(b, server)
				d, key, val := s.DB(0), []byte("key:000000000000"), []byte("vvvvvvvvvvvvvvvv")
				for i := range 1000000 {
					copy(key[4:], fmt.Appendf(nil, "%012d", i))
					d.SetKey(key, s.Encoded(val))
				}
			}
		})
	}
}
