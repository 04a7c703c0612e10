package sweep

import (
	"strconv"
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/engine/release"
)

func TestTheLongestEmbeddedValueIsThatOfTheServers(t *testing.T) {
	// measured: valkey-memory 3.7. -1 = none
	for _, c := range []struct{ key, v90, v90ttl, v91, v91ttl int }{
		{1, 40, 32, 112, 104}, {8, 33, 25, 105, 97}, {16, 25, 17, 97, 89}, {24, 17, 9, 89, 81}, {31, 10, 2, 82, 74},
		{32, 7, -1, 79, 71}, {36, 3, -1, 75, 67}, {40, -1, -1, 71, 63}, {48, -1, -1, 63, 55}, {64, -1, -1, 47, 39}, {100, -1, -1, 11, 3},
		{108, -1, -1, 3, 3}, // the slot is there already, so a TTL does not move the limit
	} {
		a := StringBudget(release.MustParse("9.0.6"), c.key, 10, false)
		b := StringBudget(release.MustParse("9.1.2"), c.key, 10, false)
		if a.Cutoff != c.v90 || a.WithTTL != c.v90ttl || b.Cutoff != c.v91 || b.WithTTL != c.v91ttl {
			t.Errorf("key %d: %d %d, %d %d", c.key, a.Cutoff, a.WithTTL, b.Cutoff, b.WithTTL)
		}
	}
}

func TestABudgetAddsUpToTheServersTest(t *testing.T) {
	b := StringBudget(release.MustParse("9.1.2"), 16, 98, false)
	if b.Sum != 129 || b.Limit != 128 || b.Fits || b.NextByte != 0 || len(b.Parts) != 3 || b.Parts[2] != (Part{"value", 102}) {
		t.Errorf("%+v", b)
	}
	if b = StringBudget(release.MustParse("9.1.2"), 16, 97, false); !b.Fits || b.NextByte != 24 || b.Slot {
		t.Errorf("%+v", b)
	}
	if b = StringBudget(release.MustParse("9.1.2"), 16, 82, false); !b.Slot {
		t.Errorf("no slot: %+v", b)
	}
	if b = StringBudget(release.MustParse("9.1.2"), 16, 90, true); b.Parts[1] != (Part{"expiry", 8}) || b.Sum != 129 || b.Fits {
		t.Errorf("%+v", b)
	}
	if b = StringBudget(release.MustParse("7.2.14"), 500, 44, true); b.Sum != 64 || !b.Fits || b.Cutoff != 44 || len(b.Parts) != 2 {
		t.Errorf("before 8.1 a key does not count: %+v", b)
	}
	// 8.1 with a TTL is not monotonic: 32-byte key, values 2 to 7 are raw, 8 and 9 embedded
	r := release.MustParse("8.1.8")
	for v, fits := range map[int]bool{1: true, 2: false, 7: false, 8: true, 9: true, 10: false} {
		if b = StringBudget(r, 32, v, true); b.Fits != fits || b.WithTTL != 9 {
			t.Errorf("8.1.8, value %d: %+v", v, b)
		}
	}
}

func TestTheBudgetOfAFieldIsThatOfTheServers(t *testing.T) {
	b := EntryBudget(release.MustParse("9.1.2"), 10, 112, false)
	if b.Sum != 128 || !b.Fits || b.Cutoff != 112 || b.WithTTL != 102 || b.NextByte != 24 {
		t.Errorf("%+v", b)
	}
	if b = EntryBudget(release.MustParse("9.1.2"), 10, 113, false); b.Fits || b.Sum != 129 {
		t.Errorf("%+v", b)
	}
	if b = EntryBudget(release.MustParse("8.0.10"), 10, 10, false); b.Limit != 0 {
		t.Errorf("8.0 has no entries: %+v", b)
	}
}

func TestNewerCostsMoreInSixtySixShapesBelow130ByteKeys(t *testing.T) {
	shapes := map[string]bool{}
	for x := range plan(t, "value", "0..300", "key", "0..129", "ttl", "none,key", "servers", "9.0.0,9.1.2").Excesses {
		if x.Delta != Bytes(8) {
			t.Errorf("key %d: %v more", x.Key, x.Delta)
		}
		for v := x.From; v <= x.To; v++ {
			shapes[strings.Join([]string{strconv.Itoa(x.Key), strconv.Itoa(v), x.TTL.String()}, " ")] = true
		}
	}
	if len(shapes) != 66 {
		t.Errorf("%d shapes", len(shapes))
	}
	for _, s := range []string{"20 30 none", "28 22 none", "29 21 none", "29 22 none", "21 29 none", "21 30 none", "34 14 none", "34 30 none",
		"42 6 none", "42 22 none", "13 29 key", "13 30 key", "28 14 key", "28 30 key"} {
		if !shapes[s] {
			t.Errorf("%s is missing", s)
		}
	}
	for s := range shapes {
		if strings.HasPrefix(s, "16 ") || strings.HasPrefix(s, "32 ") {
			t.Errorf("%s", s)
		}
	}
}

func cliffAt(t *testing.T, p *Plan, to int) *Cliff {
	t.Helper()
	for c := range p.Cliffs {
		if c.To == to {
			return c
		}
	}
	t.Fatalf("no cliff at %d", to)
	return nil
}

func TestTheCliffsOfSixteenByteKeysAreTheServers(t *testing.T) {
	p := plan(t, "servers", "9.0.6,9.1.2")
	c := cliffAt(t, p, 98)
	want := "On 9.1.2 embedding stops: 8 header + 19 key + 102 value = 129 > 128, so the value gets a block of its own. " +
		"The saving of 24 bytes ends for good: 9.1.2 costs as much as 9.0.6 from here."
	if c.Kind != WinnerChanges || !c.Last || c.DeltaWas != Bytes(-24) || c.DeltaIs != 0 || c.Shorter != [2]int{92, 97} ||
		c.Longer != [2]int{-1, -1} || c.Sentence() != want {
		t.Errorf("%+v", c)
	}
	if c = cliffAt(t, p, 26); c.Kind != EncodingChanges || !strings.Contains(c.Sentence(), "16 header + 19 key + 30 value = 65 > 64") {
		t.Errorf("%+v", c)
	}
	if c = cliffAt(t, p, 34); !strings.Contains(c.Sentence(), "from 64 to 80 bytes and reserves the expire slot: a TTL is free here") || c.Last {
		t.Errorf("%+v", c)
	}
	c = cliffAt(t, plan(t, "servers", "8.1.8,9.1.2", "key", "32", "ttl", "key"), 8)
	if c.Before[0].Encoding != Raw || c.After[0].Encoding != Embstr || !strings.Contains(c.Sentence(), "embedded again") {
		t.Errorf("%+v", c)
	}
	c = cliffAt(t, plan(t, "servers", "7.2.14,8.0.10,9.1.2", "value", "40..50"), 45)
	if c.A != 0 || c.B != 1 || !strings.Contains(c.Sentence(), "values longer than 44 bytes") {
		t.Errorf("%+v", c)
	}
	c = cliffAt(t, plan(t, "type", "hash", "fields", "3"), 65)
	if !strings.HasPrefix(c.Sentence(), "On 9.0.6 and on 9.1.2 the listpack becomes a hashtable") {
		t.Errorf("%+v", c)
	}
	c = cliffAt(t, plan(t, "type", "hash", "fields", "3", "servers", "8.0.10,9.1.2"), 113)
	if !strings.Contains(c.Sentence(), "field and value exceed 128 bytes together") {
		t.Errorf("%+v", c)
	}
}

func TestASingleLengthHasTheCliffsAroundIt(t *testing.T) {
	p := plan(t, "value", "97")
	if from, to := p.CliffRange(); from != 33 || to != 161 {
		t.Error(from, to)
	}
	if p.CliffPoints() != 2*129 {
		t.Error(p.CliffPoints())
	}
	cliffAt(t, p, 98)
}

func TestALongerValueCanCostLessWithATTLIn81(t *testing.T) {
	// 32-byte key: values 0 and 1 are embedded in 80 bytes, 2 to 6 raw in 72
	r := only(t, plan(t, "key", "32", "value", "1", "ttl", "key", "servers", "8.1.8"))
	shorter, longer := plan(t, "key", "32", "ttl", "key", "servers", "8.1.8").Cheaper(&r)
	if r.Usage != Bytes(80) || shorter != -1 || longer != 2 {
		t.Error(r.Usage, shorter, longer)
	}
}

func TestTheBlocksOfARowAddUp(t *testing.T) {
	for _, fields := range [][]string{
		{"servers", "7.2.14,8.0.10,8.1.1,9.0.6,9.1.2,9.1.2@libc,9.1.2@managed", "ttl", "none,key", "value", "0..300,40000"},
		{"servers", "7.2.14,8.0.10,9.1.2", "value_kind", "int"},
		{"type", "hash", "fields", "1,9,200,600", "value", "0..130", "servers", "7.2.14,8.0.10,8.1.1,9.0.6,9.1.2"},
		{"type", "hash", "fields", "1,9,200", "value", "0..130", "ttl", "field", "history", "set,set+pexpire"},
	} {
		p := plan(t, fields...)
		for r := range p.Rows {
			var sum Micro
			for _, b := range p.Blocks(r) {
				sum += b.Size
			}
			if sum != r.Allocated {
				t.Fatalf("%v %+v: %v", p.Blocks(r), r, sum)
			}
		}
	}
}
