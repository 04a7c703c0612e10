package sweep

import (
	"io"
	"testing"
)

func benchmarkRows(b *testing.B, fields ...string) {
	p := plan(b, fields...)
	b.ReportAllocs()
	points := 0
	var sum Micro
	for b.Loop() {
		for r := range p.Rows {
			sum += r.PerKey
			points++
		}
	}
	b.ReportMetric(float64(points)/b.Elapsed().Seconds()/1e6, "Mpoints/s")
	if sum == 1 {
		b.Fatal(sum)
	}
}

func BenchmarkArithmeticStrings(b *testing.B) {
	benchmarkRows(b, "value", "0..9999", "ttl", "none,key", "servers", "8.1.9,9.0.6,9.1.2,7.2.14")
}

func BenchmarkArithmeticHashes(b *testing.B) {
	benchmarkRows(b, "type", "hash", "value", "0..9999", "fields", "4", "ttl", "none,field", "servers", "9.0.6,9.1.2")
}

func benchmarkFormat(b *testing.B, format string) {
	p := plan(b, "value", "0..9999", "ttl", "none,key", "servers", "8.1.9,9.0.6,9.1.2")
	b.ReportAllocs()
	for b.Loop() {
		if err := p.Write(io.Discard, format, nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)*float64(p.Points())/b.Elapsed().Seconds()/1e6, "Mrows/s")
}

func BenchmarkCSV(b *testing.B)    { benchmarkFormat(b, "csv") }
func BenchmarkNDJSON(b *testing.B) { benchmarkFormat(b, "ndjson") }
func BenchmarkText(b *testing.B)   { benchmarkFormat(b, "text") }
