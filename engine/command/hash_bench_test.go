package command_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/engine"
)

// million executes a million commands made by line; budget is in seconds (issue 4).
func million(b *testing.B, server string, budget float64, line func(i int) string) {
	cmds := make([][][]byte, 1_000_000)
	for i := range cmds {
		for _, a := range strings.Fields(line(i)) {
			cmds[i] = append(cmds[i], []byte(a))
		}
	}
	b.ResetTimer()
	for range b.N {
		s, err := engine.NewServer(server, engine.Options{})
		if err != nil {
			b.Fatal(err)
		}
		for _, c := range cmds {
			s.Client.Buf = s.Client.Buf[:0]
			s.Client.Do(c)
		}
	}
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N), "s")
	b.ReportMetric(budget, "s-budget")
}

// BenchmarkHashMillion makes a million hashes, and one with a million fields.
func BenchmarkHashMillion(b *testing.B) {
	v := strings.Repeat("v", 16)
	for _, c := range []struct {
		name   string
		budget float64
		line   func(i int) string
	}{
		{"hash1", 1.2, func(i int) string { return fmt.Sprintf("HSET key:%012d field0 %s", i, v) }},
		{"hashttl1", 2, func(i int) string {
			return fmt.Sprintf("HSETEX key:%012d PXAT 4102444800000 FIELDS 1 field0 %s", i, v)
		}},
		{"fields", 1.5, func(i int) string { return fmt.Sprintf("HSET key field:%d %s", i, v) }},
	} {
		b.Run(c.name, func(b *testing.B) { million(b, "9.1.2", c.budget, c.line) })
	}
	b.Run("fields-8.0.1", func(b *testing.B) {
		million(b, "8.0.1", 1.5, func(i int) string { return fmt.Sprintf("HSET key field:%d %s", i, v) })
	})
}
