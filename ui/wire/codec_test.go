package wire

import (
	"bytes"
	"reflect"
	"testing"
	"testing/quick"
)

// normal turns empty slices into nil ones, as a message does.
func normal(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			normal(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			normal(v.Field(i))
		}
	case reflect.Slice:
		if v.Len() == 0 {
			v.SetZero()
		}
		for i := range v.Len() {
			normal(v.Index(i))
		}
	}
}

func TestWhatIsWrittenIsReadBack(t *testing.T) {
	requests := func(want Request) bool {
		var got Request
		normal(reflect.ValueOf(&want))
		return Unmarshal(Marshal(want), &got) == nil && reflect.DeepEqual(got, want)
	}
	responses := func(want Response) bool {
		var got Response
		normal(reflect.ValueOf(&want))
		return Unmarshal(Marshal(want), &got) == nil && reflect.DeepEqual(got, want)
	}
	if err := quick.Check(requests, nil); err != nil {
		t.Error(err)
	}
	if err := quick.Check(responses, &quick.Config{MaxCountScale: 0.2}); err != nil {
		t.Error(err)
	}
}

func TestEveryCutOfAMessageIsAnError(t *testing.T) {
	m := Marshal(Request{ID: 7, Now: 1 << 40, Run: &Run{Lines: []string{"SET a \xff", ""}}, Inspect: &Inspect{Key: []byte("a\x00"), Windows: []Window{{1, "value", -5}}}})
	for n := range m {
		if err := Unmarshal(m[:n], &Request{}); err == nil {
			t.Errorf("%d of %d bytes were read", n, len(m))
		}
	}
	if err := Unmarshal(append(bytes.Clone(m), 0), &Request{}); err == nil {
		t.Error("a byte too many was read")
	}
}

func FuzzAnyMessageIsReadOrRefused(f *testing.F) {
	f.Add(Marshal(Response{ID: 1, Ran: &Ran{Results: []Result{{Key: []byte("k")}}}}))
	f.Add([]byte{0, 0, 0xff, 0xff, 0xff, 0xff, 0x0f})
	f.Fuzz(func(t *testing.T, data []byte) {
		var r Response
		if Unmarshal(data, &r) == nil && len(Marshal(r)) > len(data) {
			t.Errorf("%d bytes became %d", len(data), len(Marshal(r)))
		}
	})
}

func BenchmarkAnInspectedKey(b *testing.B) {
	r := Response{Inspected: &Inspected{Side: make([]Side, 2)}}
	for i := range r.Inspected.Side {
		for range 24 {
			r.Inspected.Side[i].Blocks = append(r.Inspected.Side[i].Blocks, Block{Name: "value", Kind: "listpack", Bytes: make([]byte, 512)})
		}
	}
	for b.Loop() {
		if err := Unmarshal(Marshal(r), &Response{}); err != nil {
			b.Fatal(err)
		}
	}
}
