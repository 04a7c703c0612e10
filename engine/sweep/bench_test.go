package sweep

import (
	"io"
	"runtime"
	"testing"
)

// rounds makes one run of a benchmark long enough to be measured.
const rounds = 30

func benchmarkRows(b *testing.B, fields ...string) {
	p := plan(b, fields...)
	b.ReportAllocs()
	points := 0
	var sum Micro
	for b.Loop() {
		for range rounds {
			for r := range p.Rows {
				sum += r.PerKey
				points++
			}
		}
	}
	b.ReportMetric(float64(points)/b.Elapsed().Seconds()/1e6, "Mpoints/s")
	budget := 50.0
	if runtime.GOARCH == "wasm" {
		budget = 15
	}
	b.ReportMetric(budget, "Mpoints/s-budget")
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

func benchmarkFormat(b *testing.B, format string, native, wasm float64) {
	p := plan(b, "value", "0..9999", "ttl", "none,key", "servers", "8.1.9,9.0.6,9.1.2")
	b.ReportAllocs()
	rows := 0
	for b.Loop() {
		for range rounds {
			if err := p.Write(io.Discard, format, nil); err != nil {
				b.Fatal(err)
			}
			rows += p.Points()
		}
	}
	b.ReportMetric(float64(rows)/b.Elapsed().Seconds()/1e6, "Mrows/s")
	if native > 0 {
		budget := native
		if runtime.GOARCH == "wasm" {
			budget = wasm
		}
		b.ReportMetric(budget, "Mrows/s-budget")
	}
}

func BenchmarkCSV(b *testing.B)    { benchmarkFormat(b, "csv", 3, 0.5) }
func BenchmarkNDJSON(b *testing.B) { benchmarkFormat(b, "ndjson", 0, 0) }
func BenchmarkText(b *testing.B)   { benchmarkFormat(b, "text", 0, 0) }
