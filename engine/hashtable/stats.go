package hashtable

import (
	"fmt"
	"strings"
)

const longestCounted = 50 // chains of this length and longer are counted together and not printed

// Stats is the text of DEBUG HTSTATS and HTSTATS-KEY on a table; full adds the lengths of chains.
func (t *Table) Stats(full bool) string {
	var s strings.Builder
	t.arrayStats(&s, 0, full)
	if t.Rehashing() {
		t.arrayStats(&s, 1, full)
	}
	return s.String()
}

func (t *Table) arrayStats(s *strings.Builder, i int, full bool) {
	name := [...]string{"main hash table", "rehashing target"}[i]
	fmt.Fprintf(s, "Hash table %d stats (%s):\n", i, name)
	if t.used(i) == 0 && t.H.Rel.StatsHideEmpty {
		s.WriteString("No stats available for empty hash tables\n")
		return
	}
	fmt.Fprintf(s, " table size: %d\n number of entries: %d\n", t.Buckets(i)*Positions, t.used(i))
	if i == 0 && !t.H.Rel.StatsHideEmpty {
		fmt.Fprintf(s, " rehashing index: %d\n", t.rehash())
	}
	if full {
		t.chainStats(s, i)
	}
}

func (t *Table) chainStats(s *strings.Builder, i int) {
	var count [longestCounted]int
	longest := 0
	for n := range t.Buckets(i) {
		length := 0
		for b := t.bucket(i, n); b.chained(); b = t.child(b) {
			length++
		}
		count[min(length, longestCounted-1)]++
		longest = max(longest, length)
	}
	// the server divides floats of 32 bits
	all := float32(t.Buckets(i))
	average := "-nan" // as x86-64 has 0/0: a table without an array
	if all > 0 {
		average = fmt.Sprintf("%.*f", t.H.Rel.StatsAverageDigits, float32(t.children(i))/all)
	}
	fmt.Fprintf(s, " top-level buckets: %d\n child buckets: %d\n max chain length: %d\n avg chain length: %s\n chain length distribution:\n",
		t.Buckets(i), t.children(i), longest, average)
	for n, c := range count[:longestCounted-1] {
		if c != 0 {
			fmt.Fprintf(s, "   %d: %d (%.02f%%)\n", n, c, float32(c)/all*100)
		}
	}
}
