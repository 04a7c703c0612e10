package lab

import (
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/ui/wire"
)

func inspect(l *Lab, key string) *wire.Inspected {
	return l.Handle(wire.Request{Inspect: &wire.Inspect{Key: []byte(key)}}).Inspected
}

func TestAConversionIsRememberedWithWhatWasBefore(t *testing.T) {
	l := openLab(t, "8.1.9", "9.1.2")
	run(t, l, "HSET h auth_token 3f9c71d2aa40be17", "SADD s 1 2 3", "HEXPIRE h 900 FIELDS 1 auth_token", "SADD s four", "HSET h more x")
	h := inspect(l, "h")
	if h.Side[0].Change != nil {
		t.Errorf("8.1.9 has no field expiry and converted: %+v", h.Side[0].Change)
	}
	c := h.Side[1].Change
	if c == nil || c.Step != 3 || c.From != "listpack" || c.To != "hashtable" || !strings.HasPrefix(c.Line, "HEXPIRE h") || len(c.Why) == 0 {
		t.Fatalf("9.1.2: %+v", c)
	}
	before, after := 0, 0
	for _, p := range c.Before {
		before += p.Size
	}
	for _, p := range c.After {
		after += p.Size
	}
	if before != 64 || after != 232 { // the example of valkey-memory.md 10.4, with a key of 1 byte
		t.Errorf("%d B before, %d after: %+v", before, after, c)
	}
	if s := inspect(l, "s").Side[0].Change; s == nil || s.From != "intset" || s.To != "listpack" || s.Step != 4 {
		t.Errorf("the set: %+v", s)
	}
	run(t, l, "DEL h", "HSET h f v")
	if c := inspect(l, "h").Side[1].Change; c != nil {
		t.Errorf("a new key remembers its predecessor: %+v", c)
	}
}

func TestTheBucketsOfAValuesOwnTableAreDrawn(t *testing.T) {
	l := openLab(t, "9.1.2")
	for n := range 40 {
		run(t, l, "HSET h field:"+strings.Repeat("x", n)+" "+strings.Repeat("v", 70))
	}
	filled, links := 0, 0
	for _, b := range l.Handle(wire.Request{Inspect: &wire.Inspect{Key: []byte("h"), Windows: []wire.Window{{Block: "value.table0"}}}}).Inspected.Side[0].Blocks {
		for _, k := range b.Buckets {
			for c := k.Chain[0]; c > 0; c &= c - 1 {
				filled++
			}
			links += len(k.Chain) - 1
		}
	}
	if filled == 0 || filled > 40 || links == 0 && filled != 40 {
		t.Errorf("%d positions are filled, %d chained, of 40 fields", filled, links)
	}
}
