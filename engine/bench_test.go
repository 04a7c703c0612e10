package engine_test

import (
	"runtime"
	"strconv"
	"testing"

	"github.com/keyloupe/keyloupe/engine"
)

// BenchmarkSetMillion fills one server with a million keys of 16 bytes and values of 16 bytes, command by command.
// Budget: 0.7 s natively, 1.5 s in the browser; Go heap at most 1.2 times the simulated used_memory.
func BenchmarkSetMillion(b *testing.B) {
	const keys = 1_000_000
	for b.Loop() {
		b.StopTimer()
		before := heapInUse()
		s, err := engine.NewServer("9.1.2", engine.Options{})
		if err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		args := [][]byte{[]byte("SET"), make([]byte, 16), []byte("xxxxxxxxxxxxxxxx")}
		for n := range keys {
			number(args[1], n)
			s.Client.Buf = s.Client.Buf[:0]
			s.Client.Do(args)
		}
		b.StopTimer()
		if s.Client.DB.Len() != keys {
			b.Fatalf("%d keys", s.Client.DB.Len())
		}
		b.ReportMetric(float64(heapInUse()-before)/float64(s.Used()), "heap/used_memory")
		runtime.KeepAlive(s)
		b.StartTimer()
	}
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N), "s/1M-SET")
	b.Log("budget: 0.7 s natively, 1.5 s in the browser; heap 1.2 × used_memory")
}

// number writes key:%012d.
func number(b []byte, n int) {
	copy(b, "key:000000000000")
	digits := strconv.AppendInt(nil, int64(n), 10)
	copy(b[16-len(digits):], digits)
}

func heapInUse() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
