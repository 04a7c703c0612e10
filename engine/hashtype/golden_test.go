package hashtype_test

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/engine/hashtype"
	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/engine/release"
	"github.com/keyloupe/keyloupe/engine/siphash"
	"github.com/keyloupe/keyloupe/internal/golden"
)

// far is the fixed expiry of the recorded data: 1 January 2100.
const far = 4102444800000

// goldenSeed is the hash seed of the processes that the data was recorded from.
const goldenSeed = "f375180aba92888401f1919be4a8715a"

func kind(t testing.TB, server string) *hashtype.Kind {
	t.Helper()
	r, err := release.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	seed, err := siphash.ParseSeed(goldenSeed)
	if err != nil {
		t.Fatal(err)
	}
	now := int64(1e12)
	return hashtype.NewKind(heap.New(r), &seed, &now)
}

// recorded calls f with every line of the recorded files of a kind.
func recorded(t *testing.T, kind string, f func(server, line string)) {
	t.Helper()
	for _, file := range golden.Files(kind) {
		server := golden.Server(file)
		if err := golden.Lines(file, func(line []byte) error { f(server, string(line)); return nil }); err != nil {
			t.Fatal(err)
		}
	}
}

// TestTheSetOfVolatileFieldsTakesWhatRealServersReport replays golden/vset: 300 fields that expire
// at equal steps come and go.
func TestTheSetOfVolatileFieldsTakesWhatRealServersReport(t *testing.T) {
	var k *hashtype.Kind
	var x hashtype.Hash
	last, object := "", 0
	rows := 0
	recorded(t, "vset", func(server, line string) {
		c := strings.Split(line, "\t")
		n, err := strconv.Atoi(c[4])
		if err != nil { // the heading
			return
		}
		if id := server + c[2]; id != last {
			last = id
			k = kind(t, server)
			x = k.New()
			object = k.H.Granted(16 + 4) // the object with its key "h"
		}
		step, _ := strconv.Atoi(c[2])
		if c[3] == "add" {
			x.Set(fmt.Appendf(nil, "f%03d", n-1), []byte("v"), int64(far+(n-1)*step), false)
		} else if !x.Delete(fmt.Appendf(nil, "f%03d", 299-n)) {
			t.Fatalf("%s: no such field", line)
		}
		if c[5] == "?" {
			return
		}
		rows++
		want, _ := strconv.Atoi(c[5])
		got := x.Usage(object, 0)
		if step == 0 && (n >= 120 || c[3] == "del") {
			// equal expiries lie in a table hashed by address, which stays a table as it loses fields: its
			// child buckets are a matter of chance
			got, want = got%64, want%64
		}
		if got != want {
			t.Errorf("%s: usage %d", line, got)
		}
	})
	if rows < 10000 {
		t.Errorf("only %d rows compared", rows)
	}
}

type image struct {
	ID     int
	Type   string
	Cmds   [][]string
	Vset   []string
	Blocks []struct {
		Name     string
		Size     int
		Used     int
		Hex      string
		Pointers []struct {
			Offset int
			Target string
		}
		Masked []struct{ Offset, Len int }
		Fields []struct {
			Offset, Len int
			Name        string
		}
	}
}

func TestTheBytesOfAHashAreThoseOfTheServersProcess(t *testing.T) {
	n := 0
	recorded(t, "images", func(server, line string) {
		var im image
		if err := json.Unmarshal([]byte(line), &im); err != nil {
			t.Fatal(err)
		}
		if im.Type != "hash" {
			return
		}
		n++
		k := kind(t, server)
		x := k.New()
		for _, c := range im.Cmds {
			run(t, &x, c)
		}
		pic := &layout.Picture{}
		x.Picture(pic, "value")
		id := fmt.Sprintf("%s image %d", server, im.ID)
		compare(t, id, im, pic)
		if fmt.Sprint(pic.Vset) != fmt.Sprint(im.Vset) {
			t.Errorf("%s: the set of volatile fields is %v, the server's %v", id, pic.Vset, im.Vset)
		}
		if sum := pic.Total(); sum != k.H.Used() {
			t.Errorf("%s: the blocks have %d bytes, the heap %d", id, sum, k.H.Used())
		}
		x.Free()
		if k.H.Used() != 0 || k.H.Blocks() != 0 {
			t.Errorf("%s: %d bytes are left after Free", id, k.H.Used())
		}
	})
	if n < 80 {
		t.Errorf("only %d images compared", n)
	}
}

func run(t *testing.T, x *hashtype.Hash, c []string) {
	at, args := hashtype.NoExpire, c[2:]
	switch c[0] {
	case "PEXPIREAT":
		return
	case "HSETEX":
		at, _ = strconv.ParseInt(args[1], 10, 64)
		args = args[4:]
	case "HSET":
	default:
		t.Fatalf("command %s", c[0])
	}
	var pairs [][]byte
	for _, a := range args {
		pairs = append(pairs, []byte(a))
	}
	if c[0] == "HSET" {
		x.Prepare(pairs)
	}
	for i := 0; i < len(pairs); i += 2 {
		x.Set(pairs[i], pairs[i+1], at, false)
	}
}

// compare holds the blocks that belong to the value against the recorded ones.
func compare(t *testing.T, id string, im image, pic *layout.Picture) {
	t.Helper()
	blocks := map[string]*layout.Block{}
	for _, b := range pic.Blocks {
		blocks[b.Name] = b
	}
	seen := 0
	for _, w := range im.Blocks {
		if w.Name == "object" || w.Name == "entry" || w.Name == "key" || w.Name == "expires_entry" {
			continue
		}
		seen++
		b := blocks[w.Name]
		if b == nil {
			t.Errorf("%s: no block %s", id, w.Name)
			continue
		}
		if b.Size != w.Size || b.Used != w.Used {
			t.Errorf("%s %s: %d bytes, %d used; the server's has %d, %d", id, w.Name, b.Size, b.Used, w.Size, w.Used)
			continue
		}
		got := append([]byte(nil), b.Bytes...)
		for _, p := range w.Pointers {
			clear(got[p.Offset : p.Offset+8])
			if target := targetAt(b, p.Offset); target != p.Target {
				t.Errorf("%s %s: the pointer at %d leads to %q, the server's to %q", id, w.Name, p.Offset, target, p.Target)
			}
		}
		for _, m := range w.Masked {
			clear(got[m.Offset : m.Offset+m.Len])
		}
		if h := hex.EncodeToString(got); h != w.Hex {
			t.Errorf("%s %s:\n got %s\nwant %s", id, w.Name, h, w.Hex)
		}
		for _, f := range w.Fields {
			if !hasPart(b, f.Offset, f.Len, f.Name) {
				t.Errorf("%s %s: no field %q at %d, %d bytes", id, w.Name, f.Name, f.Offset, f.Len)
			}
		}
	}
	if seen != len(pic.Blocks) {
		t.Errorf("%s: %d blocks, the server has %d", id, len(pic.Blocks), seen)
	}
}

func targetAt(b *layout.Block, off int) string {
	for _, f := range b.Fields {
		if f.Off == off && f.Target != "" {
			return f.Target
		}
	}
	return ""
}

// hasPart tells whether the fields of a part cover exactly that range.
func hasPart(b *layout.Block, off, n int, part string) bool {
	if n == 0 {
		return true
	}
	lo, hi := -1, -1
	for _, f := range b.Fields {
		if f.Part == part && f.Off >= off && f.Off+f.Len <= off+n {
			if lo < 0 {
				lo = f.Off
			}
			hi = max(hi, f.Off+f.Len)
		}
	}
	return lo == off && hi == off+n
}
